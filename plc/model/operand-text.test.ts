import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Operand, PathComponent } from './operand.ts'
import { parseOperand, scanOperand } from './operand-reader.ts'
import { operandText, pathText } from './operand-text.ts'

const spellingCases: readonly (readonly [string, Operand])[] = [
  ['#run', { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'run' }] }],
  ['#"my run"', { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'my run' }] }],
  [
    '"DB".a[#i, 2].b.%X3',
    {
      kind: 'symbol',
      scope: 'GlobalVariable',
      path: [
        { name: 'DB' },
        {
          name: 'a',
          indices: [
            { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'i' }] },
            { kind: 'literal', scope: 'LiteralConstant', value: '2' },
          ],
        },
        { name: 'b', slice: 'x3' },
      ],
    },
  ],
  ['"sensor":P', { kind: 'symbol', scope: 'GlobalVariable', path: [{ name: 'sensor', access: 'Periphery' }] }],
  ['ENO', { kind: 'symbol', scope: 'PredefinedVariable', path: [{ name: 'ENO' }] }],
  ['%MW10', { kind: 'address', area: 'Memory', type: 'Word', bitOffset: 80 }],
  ['%I0.7', { kind: 'address', area: 'Input', type: 'Bool', bitOffset: 7 }],
  ['%QB3:P', { kind: 'address', area: 'PeripheryOutput', type: 'Byte', bitOffset: 24 }],
  ['%DB1.DBX2.3', { kind: 'address', area: 'DB', type: 'Bool', blockNumber: 1, bitOffset: 19 }],
  ['%DIW4', { kind: 'address', area: 'DI', type: 'Word', bitOffset: 32 }],
  ['%DB7', { kind: 'address', area: 'DB', type: 'Block_DB', blockNumber: 7 }],
  ['%T5', { kind: 'address', area: 'Timer', type: 'Timer', bitOffset: 5 }],
  ['T#5s', { kind: 'literal', scope: 'TypedConstant', value: 'T#5s' }],
  ['REAL#1.0e-5', { kind: 'literal', scope: 'TypedConstant', value: 'REAL#1.0e-5' }],
  ['DT#2024-01-31-23:59:59.5', { kind: 'literal', scope: 'TypedConstant', value: 'DT#2024-01-31-23:59:59.5' }],
  ['B#(1, 2)', { kind: 'literal', scope: 'TypedConstant', value: 'B#(1, 2)' }],
  ['P#DB1.DBX20.0 BYTE 20', { kind: 'literal', scope: 'TypedConstant', value: 'P#DB1.DBX20.0 BYTE 20' }],
  ['16#FF', { kind: 'literal', scope: 'LiteralConstant', value: '16#FF' }],
  ['-1.5e-3', { kind: 'literal', scope: 'LiteralConstant', value: '-1.5e-3' }],
  ["'it$'s'", { kind: 'literal', scope: 'LiteralConstant', value: "'it$'s'" }],
  ['false', { kind: 'literal', scope: 'LiteralConstant', value: 'false' }],
  ['_.ns.Colors#RED', { kind: 'constant', scope: 'NamedValueConstant', name: '_.ns.Colors#RED' }],
  ['"my colors"#RED', { kind: 'constant', scope: 'NamedValueConstant', name: '"my colors"#RED' }],
  ['DBW[AR1,P#2.0]', { kind: 'indirect', width: 'Word', area: 'DB', register: 'AR1', bitOffset: 16 }],
  ['B[AR2,P#0.1]', { kind: 'indirect', width: 'Byte', register: 'AR2', bitOffset: 1 }],
  [
    'M[%MD20]',
    {
      kind: 'indirect',
      width: 'Bit',
      area: 'Memory',
      pointer: { kind: 'address', area: 'Memory', type: 'DWord', bitOffset: 160 },
    },
  ],
  ['==0', { kind: 'status', name: 'EQ' }],
  ['OV', { kind: 'status', name: 'OV' }],
]

for (const [text, operand] of spellingCases) {
  test(`${text} is written and read`, () => {
    assert.equal(operandText(operand), text)
    assert.deepEqual(parseOperand(text), operand)
  })
}

test('a constant is told from a variable only by what is known of the names', () => {
  const names = { isConstant: (name: string, isLocal: boolean) => (isLocal ? name === 'LIMIT' : name === 'MAX') }
  assert.deepEqual(parseOperand('"MAX"', names), { kind: 'constant', scope: 'GlobalConstant', name: 'MAX' })
  assert.deepEqual(parseOperand('#LIMIT', names), { kind: 'constant', scope: 'LocalConstant', name: 'LIMIT' })
  assert.equal(parseOperand('#MAX', names)?.kind, 'symbol')
  assert.equal(parseOperand('"MAX".x', names)?.kind, 'symbol')
})

test('what is no operand gives undefined', () => {
  for (const text of [
    ...['', '#', '""', '#""', '"open', '#a.', '#a[', '#a[]', '#a[1', '#a b', '%', '%X1.0', '%I0.9', '%MW1.0', '%M5'],
    ...['%DB1.DIX0.0', '%DI1.DBX0.0', '%DB1.DIW2'],
    ...['%MB5:P', "'open", 'T#', 'P#x', 'IF', 'AND', '1 2', '#a := 1', '-#a', '(1)', '"a"\n', '[AR3,P#0.0]', 'D#'],
    `#a${'[#a'.repeat(5000)}`,
  ])
    assert.equal(parseOperand(text), undefined, text.slice(0, 40))
})

test('addresses may be written in lower case, and with German letters', () => {
  const same: readonly (readonly [written: string, canonical: string])[] = [
    ['%i0.7', '%I0.7'],
    ['%e0.7', '%I0.7'],
    ['%ix0.7', '%I0.7'],
    ['%aw3', '%QW3'],
    ['%qd4', '%QD4'],
    ['%mb4', '%MB4'],
    ['%ld2', '%LD2'],
    ['%iw4:p', '%IW4:P'],
    ['%db1.dbx0.3', '%DB1.DBX0.3'],
    ['%dbw2', '%DBW2'],
    ['%dix2.0', '%DIX2.0'],
    ['%db7', '%DB7'],
    ['%t5', '%T5'],
    ['%z3', '%C3'],
    ['%fc4', '%FC4'],
  ]
  for (const [written, canonical] of same) {
    const operand = parseOperand(written)
    assert.deepEqual(operand, parseOperand(canonical), written)
    assert.equal(operand && operandText(operand), canonical)
  }
})

test('an operand inside a longer text ends where it ends', () => {
  const text = '#a[1].b:=W#16#FE-1'
  assert.equal(scanOperand(text, 0)?.end, 7)
  assert.deepEqual(scanOperand(text, 9)?.operand, { kind: 'literal', scope: 'TypedConstant', value: 'W#16#FE' })
  assert.equal(scanOperand('T#5s-T#2s', 0)?.end, 4)
  assert.equal(scanOperand('"x":P', 0)?.end, 5)
  assert.equal(scanOperand('"x":=1', 0)?.end, 3)
  assert.equal(pathText('LocalVariable', [{ name: 'a' }, { name: '', slice: 'x0' }]), '#a.%X0')
})

// ── Property: what is written is read back ──────────────────────────────────────────────────────────────────────────

const plainName = fc.stringMatching(/^[A-Za-zäß_][A-Za-z0-9_ä]{0,6}$/)
const anyName = fc.oneof(
  plainName,
  fc.constantFrom('IF', 'a/b', 'x y', 'a.b', '1', '#', '[', 'true', 'T', 'DB', 'é'),
  fc.string({ minLength: 1, maxLength: 8 }).filter((name) => !/["\n]/.test(name)),
)
/** Names that can be bare: no reserved word, and nothing with another meaning. */
const bareName = plainName.filter((name) => name !== '_' && parseOperand(`${name}[0].a`)?.kind === 'symbol')
const slice = fc.constantFrom('x0', 'x15', 'b1', 'w0', 'd1')
const access = fc.constantFrom('Periphery' as const, 'QualityInformation' as const)

const literal = fc
  .constantFrom(
    ...['0', '-12', '1_000', '3.5', '1.0E+10', '2#1010', '16#00FF', 'TRUE', 'false', "'a'", "''", "'$'x$$'"],
    ...[
      'T#5s',
      'T#-1d_2h',
      'S5T#100ms',
      's5t#3s',
      'LT#5ns',
      'W#16#0',
      'B#16#FF',
      'INT#-5',
      'L#5',
      'C#10',
      'D#2024-01-31',
    ],
    ...['TOD#12:00:00', 'DTL#2024-01-31-12:00:00.5', "WSTRING#'x'", 'P#M0.0 BYTE 4', 'P#2.0', 'LREAL#-1.5e10'],
  )
  .map((value): Operand => {
    const isTyped = /^[a-z]/i.test(value) && value.includes('#')
    return { kind: 'literal', scope: isTyped ? 'TypedConstant' : 'LiteralConstant', value }
  })

const address = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('Input', 'Output', 'Memory', 'Local', 'PeripheryInput', 'PeripheryOutput', 'DB', 'DI'),
      fc.constantFrom(['Bool', 1] as const, ['Byte', 8] as const, ['Word', 8] as const, ['DWord', 8] as const),
      fc.nat(60000),
      fc.option(fc.nat(60000)),
    )
    .map(([area, [type, unit], at, block]): Operand => {
      const isDataBlock = area === 'DB' || area === 'DI'
      const blockNumber = isDataBlock && block !== null ? { blockNumber: block } : {}
      return { kind: 'address', area, type, ...blockNumber, bitOffset: at * unit }
    }),
  fc.tuple(fc.constantFrom('Timer', 'Counter', 'FB', 'FC'), fc.nat(9999)).map(([area, bitOffset]): Operand => {
    const type = area === 'FB' || area === 'FC' ? `Block_${area}` : area
    return { kind: 'address', area, type, bitOffset }
  }),
)

const { operand: anyOperand } = fc.letrec<{ operand: Operand; symbol: Operand; component: PathComponent }>((tie) => ({
  component: fc
    .tuple(anyName, fc.option(fc.array(tie('operand'), { minLength: 1, maxLength: 3 }), { depthSize: 'small' }))
    .map(([name, indices]) => ({ name, ...(indices === null ? {} : { indices }) })),
  symbol: fc
    .tuple(
      fc.constantFrom('GlobalVariable' as const, 'LocalVariable' as const, 'Undef' as const),
      bareName,
      fc.array(tie('component'), { minLength: 1, maxLength: 3 }),
      fc.option(slice),
      fc.option(access),
    )
    .map(([scope, bare, components, part, by]): Operand => {
      const path = components.map((component, index) => {
        const isLast = index === components.length - 1
        return {
          ...component,
          ...(index === 0 && scope === 'Undef' ? { name: bare } : {}),
          ...(isLast && part !== null ? { slice: part } : {}),
          ...(isLast && by !== null ? { access: by } : {}),
        }
      })
      return { kind: 'symbol', scope, path }
    }),
  operand: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal,
    address,
    tie('symbol'),
    fc.constantFrom<Operand>({ kind: 'constant', scope: 'NamedValueConstant', name: '_.a.B#C' }),
    fc
      .tuple(
        fc.constantFrom('Bit' as const, 'Byte' as const, 'Word' as const, 'Double' as const, 'Long' as const),
        fc.option(fc.constantFrom('Input', 'Output', 'Memory', 'DB', 'DI', 'PeripheryInput')),
        fc.constantFrom('AR1' as const, 'AR2' as const),
        fc.nat(9999),
      )
      .map(
        ([width, area, register, bitOffset]): Operand => ({
          kind: 'indirect',
          width,
          // STL has no register-indirect operand of 64 bits without an area; `L[AR1,P#0.0]` is a local bit.
          ...(area !== null ? { area } : width === 'Long' ? { area: 'Memory' } : {}),
          register,
          bitOffset,
        }),
      ),
  ),
}))

test('every operand that is written is read back as the same operand', () => {
  fc.assert(
    fc.property(anyOperand, (operand) => {
      assert.deepEqual(parseOperand(operandText(operand)), operand)
    }),
    { numRuns: 2000 },
  )
})

test('any text is read or refused, and what is read is written as a text that means the same', () => {
  const fragments = fc.constantFrom(
    ...[
      '#',
      '"',
      '.',
      '[',
      ']',
      ',',
      '%',
      ':P',
      'AR1',
      'P#',
      'M',
      'W',
      '0',
      '1.5',
      "'",
      '$',
      '16#',
      'T#',
      '_',
      '-',
      'x',
    ],
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join('')),
      ),
      (text) => {
        const operand = parseOperand(text)
        if (operand !== undefined) assert.deepEqual(parseOperand(operandText(operand)), operand)
      },
    ),
    { numRuns: 3000 },
  )
})
