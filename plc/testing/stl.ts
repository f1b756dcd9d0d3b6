/** Generated statements for the property tests of STL. */

import fc from 'fast-check'
import { defined } from '../../lib/optional.ts'
import { lineCommentXml } from '../languages/stl/comments.ts'
import { stlInstructions } from '../languages/stl/mnemonics.ts'
import type { Operand, PathComponent } from '../model/operand.ts'
import type { Statement, StatementCall } from '../model/statement.ts'

/** Names without quotes and line ends; those of the whole program may contain anything else. */
const plain = fc
  .stringMatching(/^[a-z][a-z0-9_]{1,6}$/)
  .filter((name) => !/^(if|do|of|by|to|or|at|en|eno|xor|not|and|mod|end|for|var)$/.test(name))
const quotedName = fc.oneof(plain, fc.constantFrom('x y', 'a/b', 'Öl', 'Not-Aus', '{', "it's", '//', ';', 'DB5'))

const component = (name: fc.Arbitrary<string>): fc.Arbitrary<PathComponent> =>
  fc.record(
    {
      name,
      indices: fc.array(
        fc.oneof(
          fc
            .integer({ min: -5, max: 99 })
            .map((value): Operand => ({ kind: 'literal', scope: 'LiteralConstant', value: String(value) })),
          plain.map((index): Operand => ({ kind: 'symbol', scope: 'LocalVariable', path: [{ name: index }] })),
        ),
        { minLength: 1, maxLength: 2 },
      ),
    },
    { requiredKeys: ['name'], noNullPrototype: true },
  )

const symbol: fc.Arbitrary<Operand> = fc.oneof(
  fc
    .array(component(plain), { minLength: 1, maxLength: 3 })
    .map((path): Operand => ({ kind: 'symbol', scope: 'LocalVariable', path })),
  fc
    .tuple(component(quotedName), fc.array(component(plain), { maxLength: 2 }))
    .map(([first, rest]): Operand => ({ kind: 'symbol', scope: 'GlobalVariable', path: [first, ...rest] })),
)

const literal: fc.Arbitrary<Operand> = fc.oneof(
  fc
    .constantFrom('0', '-7', '+3', '16#FF', '2#1010', '1.5', '1.000000e+003', "'A'", "'a;//b'", 'TRUE')
    .map((value): Operand => ({ kind: 'literal', scope: 'LiteralConstant', value })),
  fc
    .constantFrom(
      'T#5s',
      'S5T#10MS',
      'W#16#1F',
      'DW#16#0',
      'B#(1,2)',
      'C#10',
      'L#-5',
      'P#M 10.0',
      'P#DB1.DBX 0.0 BYTE 4',
      'P#2.0',
      'D#2024-01-31',
    )
    .map((value): Operand => ({ kind: 'literal', scope: 'TypedConstant', value })),
)

const bitOffset = fc.integer({ min: 0, max: 5000 })
const area = fc.constantFrom('Input', 'Output', 'Memory', 'Local', 'DB', 'DI')
const address: fc.Arbitrary<Operand> = fc.oneof(
  fc.tuple(area, fc.constantFrom('Bool', 'Byte', 'Word', 'DWord'), bitOffset).map(
    ([of, type, bits]): Operand => ({
      kind: 'address',
      area: of,
      type,
      bitOffset: type === 'Bool' ? bits : bits - (bits % 8),
    }),
  ),
  fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.constantFrom('Byte', 'Word', 'DWord'), fc.integer({ min: 0, max: 400 }))
    .map(
      ([blockNumber, type, byte]): Operand => ({ kind: 'address', area: 'DB', type, blockNumber, bitOffset: byte * 8 }),
    ),
  fc
    .constantFrom('Timer', 'Counter')
    .chain((of) => fc.nat(511).map((number): Operand => ({ kind: 'address', area: of, type: of, bitOffset: number }))),
  fc
    .constantFrom('PeripheryInput', 'PeripheryOutput')
    .map((of): Operand => ({ kind: 'address', area: of, type: 'Word', bitOffset: 2048 })),
  fc
    .constantFrom('FB', 'FC')
    .map((of): Operand => ({ kind: 'address', area: of, type: `Block_${of}`, blockNumber: 12 })),
  fc.constantFrom('DB', 'DI').map((of): Operand => ({ kind: 'address', area: of, type: 'Block_DB', blockNumber: 7 })),
)

const indirect: fc.Arbitrary<Operand> = fc.oneof(
  fc
    .tuple(
      fc.option(area, { nil: undefined }),
      fc.constantFrom('Bit', 'Byte', 'Word', 'Double'),
      fc.constantFrom('AR1', 'AR2'),
      bitOffset,
    )
    .map(
      ([of, width, register, bits]): Operand => ({
        kind: 'indirect',
        width: width as 'Bit',
        ...defined({ area: of }),
        register: register as 'AR1',
        bitOffset: bits,
      }),
    ),
  fc
    .tuple(area, fc.constantFrom('Bit', 'Byte', 'Word', 'Double'), symbol)
    .map(([of, width, pointer]): Operand => ({ kind: 'indirect', width: width as 'Bit', area: of, pointer })),
  fc.constantFrom('Timer', 'Counter', 'FC', 'DB').map(
    (of): Operand => ({
      kind: 'indirect',
      width: 'None',
      area: of,
      pointer: { kind: 'address', area: 'Memory', type: 'Word', bitOffset: 160 },
    }),
  ),
)

const status: fc.Arbitrary<Operand> = fc
  .constantFrom('BR', 'OV', 'OS', 'EQ', 'NE', 'GT', 'LT', 'GE', 'LE', 'UO', 'NU', 'STW')
  .map((name): Operand => ({ kind: 'status', name }))

/** Operands that are completely described by their text. */
export const stlOperand: fc.Arbitrary<Operand> = fc.oneof(symbol, literal, address, indirect, status)

/** Any text without line ends; a comment may contain it. */
const comment = fc
  .oneof(fc.string({ maxLength: 20 }), fc.constantFrom(' stop', '', '"', ' */ (* ; {'))
  .filter((text) => !/[\r\n\u2028\u2029]/.test(text))

const parameter: fc.Arbitrary<StatementCall['parameters'][number]> = fc
  .tuple(quotedName, fc.option(stlOperand, { nil: undefined }), fc.option(comment, { nil: undefined }))
  .map(([name, value, about]) => ({
    name,
    ...defined({ value }),
    ...(about === undefined
      ? {}
      : { kept: { elements: [{ at: value === undefined ? 0 : 1, xml: lineCommentXml(about) }] } }),
  }))
const parameters = fc.uniqueArray(parameter, { maxLength: 3, selector: ({ name }) => name.toUpperCase() })

const call: fc.Arbitrary<StatementCall> = fc.oneof(
  fc
    .tuple(quotedName, parameters)
    .map(([name, list]): StatementCall => ({ target: 'block', name, blockType: 'FC', parameters: list })),
  fc.tuple(quotedName, quotedName, parameters).map(
    ([name, db, list]): StatementCall => ({
      target: 'block',
      name,
      blockType: 'FB',
      instance: { scope: 'GlobalVariable', path: [{ name: db }] },
      parameters: list,
    }),
  ),
  fc.tuple(fc.integer({ min: 1, max: 99 }), parameters).map(
    ([number, list]): StatementCall => ({
      target: 'block',
      name: `FC${number}`,
      blockType: 'FC',
      blockNumber: number,
      parameters: list,
    }),
  ),
  fc.tuple(plain, parameters).map(
    ([name, list]): StatementCall => ({
      target: 'multiInstance',
      name,
      instance: { scope: 'LocalVariable', path: [{ name }] },
      parameters: list,
    }),
  ),
  fc.tuple(fc.constantFrom('FILL_BLK', 'T_DIFF'), parameters).map(
    ([name, list]): StatementCall => ({
      target: 'instruction',
      name,
      templates: [
        { name: 'value_type', type: 'Type', value: 'Bool' },
        { name: 'count', type: 'Cardinality', value: '2' },
      ],
      parameters: list,
    }),
  ),
  fc.tuple(plain, parameters).map(
    ([name, list]): StatementCall => ({
      target: 'instruction',
      name: '',
      instance: { scope: 'LocalVariable', path: [{ name }] },
      templates: [{ name: 'time_type', type: 'Type', value: 'Time' }],
      parameters: list,
    }),
  ),
  fc.constantFrom('SFC', 'SFB').map(
    (blockType): StatementCall => ({
      target: 'instruction',
      name: `${blockType}20`,
      blockType,
      blockNumber: 20,
      parameters: [],
    }),
  ),
)

const withOperand = stlInstructions.filter(({ operands }) => operands.length > 0 && operands[0] !== 'call')
const alone = stlInstructions.filter(({ operands, isOptional }) => operands.length === 0 || isOptional)

const instruction: fc.Arbitrary<Statement> = fc.oneof(
  fc.constantFrom(...withOperand).chain(({ mnemonic, operands }) =>
    operands[0] === 'label'
      ? plain.map((name): Statement => ({ mnemonic, operand: { kind: 'label', name } }))
      : stlOperand
          // `OPN DI 7` is OPNDI.
          .filter((operand) => mnemonic !== 'OPN' || !('area' in operand && operand.area === 'DI'))
          .map((operand): Statement => ({ mnemonic, operand })),
  ),
  fc.constantFrom(...alone).map(({ mnemonic }): Statement => ({ mnemonic })),
  call.map((target): Statement => ({ mnemonic: 'CALL', call: target })),
)

/** A statement of any kind: instruction, call, line of comment, blank line; with label and comment or without. */
export const statement: fc.Arbitrary<Statement> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(instruction, fc.option(plain, { nil: undefined }), fc.option(comment, { nil: undefined })).map(
      ([of, label, about]): Statement => ({
        ...defined({ label }),
        ...of,
        ...defined({ comment: about }),
      }),
    ),
  },
  { weight: 1, arbitrary: comment.map((about): Statement => ({ mnemonic: '', comment: about })) },
  { weight: 1, arbitrary: fc.constant<Statement>({ mnemonic: '' }) },
  { weight: 1, arbitrary: plain.map((label): Statement => ({ label, mnemonic: '' })) },
)
