/** Symbols of a compiled program, retentive ranges, layouts, and when organization blocks run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSource } from '../formats/source/read.ts'
import type { ImportedObject } from '../model/object.ts'
import { extentOf } from './layout.ts'
import { linkProgram } from './link-program.ts'
import { scheduleOf, startInformationMembers } from './organization-blocks.ts'
import type { Program, ProgramBlock } from './program.ts'
import type { ProgramSymbols, SymbolType } from './program-symbols.ts'
import { programSymbols } from './program-symbols-of.ts'
import { symbolRows, typeText } from './symbol-rows.ts'

function link(source: string, change: (object: ImportedObject) => ImportedObject = (object) => object): Program {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(
    blocks.map(({ object }) => ({ object: change(object) })),
    [
      {
        name: 'Inputs',
        tags: [
          { name: 'Start', dataType: 'Bool', logicalAddress: '%I0.3', comment: { 'en-US': 'Go' } },
          { name: 'Words', dataType: 'Array[0..1] of Word', logicalAddress: '%MW10' },
          { name: 'Nowhere', dataType: 'Bool', logicalAddress: '' },
        ],
        constants: [],
      },
    ],
  )
  assert.deepEqual(program.diagnostics, [])
  return program
}

const symbolsOf = (source: string) => programSymbols(link(source), () => undefined)

function rows(symbols: ProgramSymbols, expandsArrays: boolean) {
  return [...symbolRows(symbols, { expandsArrays })].map(({ name, type, area, byte, bit, isRetentive }) =>
    [name, typeText(symbols, type), area, byte, bit, isRetentive].filter((part) => part !== undefined),
  )
}

const types = `TYPE "Axis"\nSTRUCT\n  on : Bool := TRUE;\n  speed : Int := 7;\n  name : String[3] := 'ab';\nEND_STRUCT;\nEND_TYPE\n`
const standard = `{ S7_Optimized_Access := 'FALSE' }`

test('rows go down to single values, with their places; arrays only when asked', () => {
  const symbols = symbolsOf(
    `${types}DATA_BLOCK "Data"\n${standard}\nVAR RETAIN\n  bits : Array[0..1, 3..4] of Bool;\nEND_VAR\nVAR\n  axis : "Axis"; t : TON_TIME;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`,
  )
  const tags = [['Start', 'Bool', 'I', 0, 3, false]]
  const rest = [
    ['Data.axis.on', 'Bool', 'DB', 2, 0, true],
    ['Data.axis.speed', 'Int', 'DB', 4, true],
    ['Data.axis.name', 'String[3]', 'DB', 6, true],
    ['Data.t.PT', 'Time', 'DB', 16, true],
    ['Data.t.ET', 'Time', 'DB', 20, true],
    ['Data.t.IN', 'Bool', 'DB', 24, 1, true],
    ['Data.t.Q', 'Bool', 'DB', 24, 2, true],
  ]
  assert.deepEqual(rows(symbols, true), [
    ...tags,
    ['Words[0]', 'Word', 'M', 10, false],
    ['Words[1]', 'Word', 'M', 12, false],
    ['Data.bits[0,3]', 'Bool', 'DB', 0, 0, true],
    ['Data.bits[0,4]', 'Bool', 'DB', 0, 1, true],
    ['Data.bits[1,3]', 'Bool', 'DB', 0, 2, true],
    ['Data.bits[1,4]', 'Bool', 'DB', 0, 3, true],
    ...rest,
  ])
  assert.deepEqual(rows(symbols, false), [
    ...tags,
    ['Words', 'Array[0..1] of Word', 'M', 10, false],
    ['Data.bits', 'Array[0..1, 3..4] of Bool', 'DB', 0, true],
    ...rest,
  ])
  assert.deepEqual(symbols.tags[0], {
    name: 'Start',
    type: 0,
    area: 'I',
    byte: 0,
    bit: 3,
    comment: 'Go',
    table: 'Inputs',
  })
})

test('a type is told once for each layout; hidden state is there and marked', () => {
  const block = (name: string, access: string) =>
    `DATA_BLOCK "${name}"\n${access}\nVAR\n  a : "Axis"; t : TON_TIME;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
  const { types: all, dataBlocks } = symbolsOf(types + block('A', standard) + block('B', '') + block('C', ''))
  const [a, b, c] = dataBlocks
  assert.equal(b?.type, c?.type)
  assert.notEqual(a?.type, b?.type)
  assert.notEqual(a?.layout, b?.layout)
  assert.equal(all.filter((type) => type.kind === 'struct' && type.name === 'Axis').length, 2)
  const timer = all.find(
    (type): type is Extract<SymbolType, { kind: 'struct' }> => type.kind === 'struct' && type.name === 'TON_TIME',
  )
  const hidden = timer?.members.filter(({ isHidden }) => isHidden).map(({ name }) => name)
  assert.deepEqual(hidden, ['ST', 'RU', 'IN_OLD'])
})

test('an instance in another layout than what is around it says so', () => {
  const { types: all } = symbolsOf(
    `FUNCTION_BLOCK "Inner"\n${standard}\nVAR\n  a : Int;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\nFUNCTION_BLOCK "Outer"\n{ S7_Optimized_Access := 'TRUE' }\nVAR\n  inner : "Inner";\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\nDATA_BLOCK "Outer_DB"\n"Outer"\nBEGIN\nEND_DATA_BLOCK\n`,
  )
  const access = (name: string) =>
    all.flatMap((type) => (type.kind === 'struct' && type.name === name ? [type.access] : []))
  assert.deepEqual(access('Inner'), ['standard'])
  assert.deepEqual(access('Outer'), [undefined])
})

test('retentive bytes: of the retentive members, merged; of instances and of elements too; in standard access all or nothing', () => {
  const fb = `FUNCTION_BLOCK "Part"\n{ S7_Optimized_Access := 'TRUE' }\nVAR RETAIN\n  kept : Int;\nEND_VAR\nVAR\n  lost : Int;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n`
  const { dataBlocks } = symbolsOf(
    `${fb}DATA_BLOCK "Part_DB"\n"Part"\nBEGIN\nEND_DATA_BLOCK
DATA_BLOCK "Data"\nVAR\n  x : Int;\nEND_VAR\nVAR RETAIN\n  a : Bool;\n  b : DInt;\nEND_VAR\nVAR\n  y : Int;\n  parts : Array[0..2] of "Part";\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
DATA_BLOCK "Old"\n${standard}\nVAR\n  x : Int;\nEND_VAR\nVAR RETAIN\n  a : Bool;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
DATA_BLOCK "None"\nVAR\n  x : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`,
  )
  const ranges = Object.fromEntries(dataBlocks.map(({ name, retentive }) => [name, retentive]))
  assert.deepEqual(ranges.Part_DB, [[0, 2]])
  assert.deepEqual(ranges.Data, [
    [2, 6],
    [10, 2],
    [14, 2],
    [18, 2],
  ])
  assert.deepEqual(ranges.Old, [[0, 4]])
  assert.deepEqual(ranges.None, [])
})

test('the layout of a data block stays with comments, start values and retentivity, and changes with names, types and places', () => {
  const layout = (members: string) => {
    const [block] = symbolsOf(`${types}DATA_BLOCK "D"\n${members}\nBEGIN\nEND_DATA_BLOCK\n`).dataBlocks
    return block?.layout
  }
  const base = layout('VAR\n  a : Int;\n  x : "Axis";\nEND_VAR')
  assert.equal(layout('VAR RETAIN\n  a : Int := 5; // what\n  x : "Axis";\nEND_VAR'), base)
  const others = [
    'VAR\n  b : Int;\n  x : "Axis";\nEND_VAR',
    'VAR\n  a : UInt;\n  x : "Axis";\nEND_VAR',
    'VAR\n  x : "Axis";\n  a : Int;\nEND_VAR',
  ]
  for (const other of others) assert.notEqual(layout(other), base)
})

test('rows lie inside their data block and cover no byte twice', () => {
  const scalar = fc.constantFrom(
    'Bool',
    'Byte',
    'Int',
    'DInt',
    'LReal',
    'String[3]',
    'WString[2]',
    'DTL',
    'Date_And_Time',
    'TON_TIME',
  )
  const member = fc.oneof(
    scalar,
    scalar.map((type) => `Array[1..3] of ${type}`),
    scalar.map((type) => `Struct\n a : Bool;\n b : ${type};\n END_STRUCT`),
  )
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 8 }), fc.boolean(), (members, isStandard) => {
      const list = members.map((type, i) => `  m${i} : ${type};\n`).join('')
      const program = link(
        `DATA_BLOCK "D"\n${isStandard ? standard : ''}\nVAR\n${list}END_VAR\nBEGIN\nEND_DATA_BLOCK\n`,
      )
      const symbols = programSymbols(program, () => undefined)
      const [block] = symbols.dataBlocks
      assert.ok(block)
      const taken = new Set<number>()
      for (const { area, type, byte, bit } of symbolRows(symbols, { expandsArrays: true })) {
        if (area !== 'DB') continue
        const size =
          type.kind === 'scalar'
            ? type.scalar.bits
            : type.kind === 'string'
              ? extentOf(type.string, block.access).size * 8
              : 64
        const width = type.kind === 'scalar' && type.scalar.bits === 1 && bit === undefined ? 8 : size
        for (let i = 0; i < width; i++) {
          const at = byte * 8 + (bit ?? 0) + i
          assert.ok(at < block.size * 8 && !taken.has(at), `${byte}.${bit}`)
          taken.add(at)
        }
      }
    }),
    { numRuns: 60 },
  )
})

const ob = (name: string, members = '', access = `{ S7_Optimized_Access := 'TRUE' }`) =>
  `ORGANIZATION_BLOCK "${name}"\n${access}\n${members}\nBEGIN\nEND_ORGANIZATION_BLOCK\n`

function schedule(number: number, more: Partial<ImportedObject> = {}) {
  const program = link(ob('It'), (object) => ({ ...object, number, ...more }))
  const { eventClass, priority, cycleTimeUs, phaseUs } = scheduleOf(program.blocks.get('it') as ProgramBlock)
  return [eventClass, priority, cycleTimeUs, phaseUs]
}

test('when organization blocks run: by number, by event class, by their own attributes', () => {
  assert.deepEqual(schedule(1), ['ProgramCycle', 1, undefined, undefined])
  assert.deepEqual(schedule(100), ['Startup', 1, undefined, undefined])
  assert.deepEqual(schedule(80), ['TimeErrorInterrupt', 22, undefined, undefined])
  assert.deepEqual(schedule(30), ['CyclicInterrupt', 8, 5_000_000, 0])
  assert.deepEqual(schedule(35), ['CyclicInterrupt', 13, 100_000, 0])
  assert.deepEqual(schedule(38), ['CyclicInterrupt', 16, 10_000, 0])
  const secondaryType = 'CyclicInterrupt'
  assert.deepEqual(schedule(130, { secondaryType }), ['CyclicInterrupt', 13, 100_000, 0])
  const attributes = [
    { name: 'PriorityNumber', value: '12' },
    { name: 'CyclicTime', value: '2500' },
    { name: 'PhaseOffset', value: '700' },
  ]
  assert.deepEqual(schedule(130, { secondaryType, attributes }), ['CyclicInterrupt', 12, 2500, 700])
  const wrong = [
    { name: 'PriorityNumber', value: '99' },
    { name: 'CyclicTime', value: 'often' },
  ]
  assert.deepEqual(schedule(30, { attributes: wrong }), ['CyclicInterrupt', 8, 5_000_000, 0])
  assert.deepEqual(schedule(130, { secondaryType: 'TimeOfDayInterrupt' }), ['TimeOfDay', 2, undefined, undefined])
  assert.deepEqual(schedule(130, { secondaryType: 'MC-Servo' }), ['MCServo', 25, undefined, undefined])
})

test('start information: inputs by event class; the first temporaries of classic blocks', () => {
  const taken = (source: string, number: number) => {
    const program = link(source, (object) => ({ ...object, number }))
    return startInformationMembers(program.blocks.get('it') as ProgramBlock).map(({ member, at }) => [
      member.name,
      at.byte,
      at.bit,
    ])
  }
  assert.deepEqual(taken(ob('It'), 35), [
    ['Initial_Call', 0, undefined],
    ['Event_Count', 2, undefined],
  ])
  const classic = `VAR_TEMP\n  OB1_EV_CLASS : Byte;\n  OB1_SCAN_1 : Byte;\n  OB1_PRIORITY : Byte;\n  OB1_OB_NUMBR : Byte;\n  R1 : Byte;\n  R2 : Byte;\n  P : Int;\n  MIN : Int;\n  MAX : Int;\n  OB1_DATE_TIME : Date_And_Time;\n  own : Int;\nEND_VAR`
  const members = link(ob('It', classic, standard), (object) => ({ ...object, number: 1 })).blocks.get(
    'it',
  ) as ProgramBlock
  assert.deepEqual(
    startInformationMembers(members).map(({ member, at }) => [member.name, at.byte]),
    [
      ['OB1_EV_CLASS', 0],
      ['OB1_SCAN_1', 1],
      ['OB1_PRIORITY', 2],
      ['OB1_OB_NUMBR', 3],
      ['R1', 4],
      ['R2', 5],
      ['P', 6],
      ['MIN', 8],
      ['MAX', 10],
      ['OB1_DATE_TIME', 12],
    ],
  )
  // The block's own temporaries stay unchanged.
  assert.deepEqual(taken(ob('It', 'VAR_TEMP\n  own : Byte;\nEND_VAR', standard), 20), [['Sign', 0, undefined]])
  assert.deepEqual(taken(ob('It', 'VAR_TEMP\n  own : Byte;\nEND_VAR', standard), 130), [
    ['Initial_Call', 0, 0],
    ['Remanence', 0, 1],
  ])
})
