/** Start values as bytes, layouts of generated structures, and the table of symbols. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import { extentOf, layoutOf } from './layout.ts'
import { linkProgram } from './link-program.ts'
import { defaultImage, encodeValue, startImage } from './memory-image.ts'
import type { Program, ProgramBlock } from './program.ts'
import { scalarTypes } from './scalars.ts'
import type { Access, Member, Type } from './type.ts'

function link(source: string): Program {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  assert.deepEqual(program.diagnostics, [])
  return program
}

function hex(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? 'none' : Buffer.from(bytes).toString('hex')
}

function blockOf(program: Program, name: string): ProgramBlock {
  const block = program.blocks.get(name.toLowerCase())
  assert.ok(block)
  return block
}

const { typeOf } = linkProgram([])

test('values of every type, as they stand in a data block with standard access', () => {
  const cases: readonly (readonly [type: string, value: string, bytes: string])[] = [
    ['Bool', 'TRUE', '01'],
    ['Byte', '16#F_E', 'fe'],
    ['Int', '-2', 'fffe'],
    ['Int', '16#FFFF', 'ffff'],
    ['Int', '10#130', '0082'],
    ['DInt', 'L#-1', 'ffffffff'],
    ['DWord', 'B#(1,2,3,4)', '01020304'],
    ['Word', 'C#123', '0123'],
    ['DWord', 'P#M10.3', '83000053'],
    ['LWord', '2#1', '0000000000000001'],
    ['ULInt', '18446744073709551615', 'ffffffffffffffff'],
    ['Real', '1.5', '3fc00000'],
    ['Real', '-1', 'bf800000'],
    ['LReal', '1.5', '3ff8000000000000'],
    ['Time', 'T#-1S_200MS', 'fffffb50'],
    ['Time', '-T#1s', 'fffffc18'],
    ['LTime', 'T#1ms', '00000000000f4240'],
    ['S5Time', 'S5T#12s300ms', '1123'],
    ['Date', 'D#1990-01-02', '0001'],
    ['Time_Of_Day', 'TOD#0:0:1.5', '000005dc'],
    ['LDT', 'LDT#1970-01-01-00:00:01', '000000003b9aca00'],
    ['Date_And_Time', 'DT#2023-12-31-23:59:58.123', '2312312359581231'],
    ['Date_And_Time', 'DT#12-7-12-18:16:34.356', '1207121816343565'],
    ['DTL', 'DTL#2024-02-29-12:30:15.5', '07e8021d050c1e0f1dcd6500'],
    ['Char', "'A'", '41'],
    ['WChar', "WCHAR#'$20AC'", '20ac'],
    ['String[4]', "'a$N'", '0403610d0a00'],
    ['WString[2]', "WSTRING#'$20AC'", '0002000120ac0000'],
    ['Array[0..9] of Bool', '[TRUE, 2(FALSE), 7(TRUE)]', 'f903'],
    ['Array[0..1, 0..1] of Int', '[[1, 2], [3, 4]]', '0001000200030004'],
    ['Array[0..3] of Byte', '[2(1, 2)]', '01020102'],
    ['Array[1..3] of Byte', '1, 2', '01020000'],
  ]
  for (const [type, value, bytes] of cases)
    assert.equal(hex(encodeValue(typeOf(type), value, 'standard')), bytes, `${type} ${value}`)
})

test('optimized access is little-endian, each Bool a byte', () => {
  assert.equal(hex(encodeValue(typeOf('Int'), '-2', 'optimized')), 'feff')
  assert.equal(hex(encodeValue(typeOf('Array[0..2] of Bool'), '[TRUE, FALSE, TRUE]', 'optimized')), '010001')
  assert.equal(
    hex(encodeValue(typeOf('DTL'), 'DTL#1970-01-01-00:00:00', 'optimized')),
    hex(defaultImage(typeOf('DTL'), 'optimized')),
  )
  assert.equal(hex(defaultImage(typeOf('DTL'), 'standard')), '07b201010500000000000000')
})

test('what is no value of its type gives nothing', () => {
  const cases = [
    ['Int', '40000'],
    ['Int', '1.5'],
    ['Bool', '2'],
    ['Real', 'T#1s'],
    ['Time', "'a'"],
    ['String[2]', "'abc'"],
    ['Array[0..1] of Int', '[1, 2, 3]'],
    ['Array[0..1] of Int', '[1, 2'],
    ['Date', 'D#2024-02-30'],
    ['UInt', '-1'],
  ] as const
  for (const [type, value] of cases)
    assert.equal(encodeValue(typeOf(type), value, 'standard'), undefined, `${type} ${value}`)
})

const types = `TYPE "Axis"\nSTRUCT\n  on : Bool := TRUE;\n  speed : Int := 7;\n  name : String[3] := 'ab';\nEND_STRUCT;\nEND_TYPE\n`
const standard = `{ S7_Optimized_Access := 'FALSE' }`

test('start values: those of the type, over them those of members, over them those of the data block', () => {
  const program = link(
    `${types}DATA_BLOCK "Data"\n${standard}\nSTRUCT\n  first : Bool;\n  axes : Array[1..2] of "Axis";\n  last : Byte := 16#AA;\nEND_STRUCT;\nBEGIN\n  axes[2].speed := 9;\n  axes[1].name := 'xyz';\nEND_DATA_BLOCK\n`,
  )
  assert.equal(
    hex(startImage(blockOf(program, 'Data'), program)),
    ['0000', '0100', '0007', '030378797a00', '0100', '0009', '030261620000', 'aa00'].join(''),
  )
})

test('instances hold the start values of their block, multi-instances in the layout of theirs', () => {
  const program = link(
    `FUNCTION_BLOCK "Inner"\n${standard}\nVAR\n  a : Byte := 1;\n  b : Int := 2;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n` +
      `FUNCTION_BLOCK "Outer"\n{ S7_Optimized_Access := 'TRUE' }\nVAR\n  x : Int := 3;\n  inner : "Inner";\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n` +
      'DATA_BLOCK "Outer_DB"\n"Outer"\nBEGIN\n  inner.b := 4;\n  x := 5;\nEND_DATA_BLOCK\n',
  )
  assert.equal(hex(startImage(blockOf(program, 'Outer_DB'), program)), '0500' + '0100' + '0004')
})

test('repetitions of nothing end', () => {
  assert.equal(
    hex(encodeValue(typeOf('Array[0..1] of Byte'), '[4000000000([]), 4000000000(4000000000([])), 1]', 'standard')),
    '0100',
  )
})

test('a data block that is too large is reported and has no bytes', () => {
  const { blocks } = readSource(
    'DATA_BLOCK "Data"\nSTRUCT\n  a : Array[0..2147483647, 0..2147483647] of LReal;\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK\n',
  )
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  assert.deepEqual(
    program.diagnostics.map(({ code }) => code),
    ['block-too-large'],
  )
  assert.equal(startImage(blockOf(program, 'Data'), program).length, 0)
})

const memberTypes: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Type>(...scalarTypes),
    fc.integer({ min: 0, max: 20 }).map((length): Type => ({ kind: 'string', isWide: length % 2 === 0, length })),
    fc.constant<Type>({ kind: 'dateAndTime' }),
    fc
      .tuple(fc.integer({ min: 1, max: 20 }), tie('type'))
      .map(([high, element]): Type => ({ kind: 'array', dimensions: [{ low: 1, high }], element })),
    fc
      .array(tie('type'), { minLength: 1, maxLength: 6 })
      .map((list): Type => ({ kind: 'struct', isSystem: false, members: membersOf(list) })),
  ),
})).type

function membersOf(list: readonly Type[]): Member[] {
  return list.map((type, i) => ({ name: `m${i}`, type, section: 'Static', isRetentive: false, comment: '' }))
}

test('layouts: nothing overlaps, all is inside, aligned, and in standard access in order on even bytes', () => {
  fc.assert(
    fc.property(
      fc.array(memberTypes, { minLength: 1, maxLength: 12 }),
      fc.constantFrom<Access>('optimized', 'standard'),
      (list, access) => {
        const members = membersOf(list)
        const layout = layoutOf(members, access)
        const used = new Set<number>()
        let before = -1
        for (const [i, { byte, bit }] of layout.offsets.entries()) {
          const extent = extentOf(list[i] as Type, access)
          const from = byte * 8 + (bit ?? 0)
          const to = extent.isBit ? from + 1 : from + extent.size * 8
          for (let at = from; at < to; at++) {
            assert.ok(!used.has(at), `bit ${at} is used twice`)
            used.add(at)
          }
          assert.ok(to <= layout.size * 8)
          assert.equal(byte % extent.align, 0)
          assert.ok(from > before || extent.size === 0)
          before = from
          if (access === 'standard' && (list[i]?.kind === 'struct' || list[i]?.kind === 'array')) {
            assert.equal(byte % 2, 0)
            assert.equal(extent.size % 2, 0)
          }
        }
        if (access === 'standard') assert.equal(layout.size % 2, 0)
      },
    ),
    { numRuns: 300 },
  )
})

test('an overlay lies where its base lies, and takes no room', () => {
  const [word, bits, next] = membersOf([typeOf('Word'), typeOf('Array[0..15] of Bool'), typeOf('Int')])
  assert.ok(word && bits && next)
  for (const access of ['standard', 'optimized'] as const) {
    const { offsets, size } = layoutOf([word, { ...bits, overlays: 'M0' }, next], access)
    assert.deepEqual(
      offsets.map(({ byte }) => byte),
      [0, 0, 2],
    )
    assert.equal(size, 4)
  }
})

test('`()` in the value of a structure leaves a member as its type has it', () => {
  const source = `TYPE "Address"
STRUCT
  bytes : Array[1..2] of Byte;
  port : Int := 502;
END_STRUCT;
END_TYPE
DATA_BLOCK "Data"
{ S7_Optimized_Access := 'FALSE' }
VAR
  place : "Address" := (([()]), ());
  other : "Address" := ([16#7], 80);
END_VAR
BEGIN
END_DATA_BLOCK
`
  const program = link(source)
  assert.equal(hex(startImage(blockOf(program, 'Data'), program)), '000001f607000050')
})

test('a row of digits is the bytes of an array where the document says so', () => {
  const section = (attribute: string) =>
    `<Section Name="Static"><Member Name="page" Datatype="Array[0..3] of Byte"><StartValue${attribute}>48544D4C</StartValue></Member></Section>`
  const documentOf = (attribute: string) =>
    readSimaticMlText(
      `<Document><Engineering version="V18" /><SW.Blocks.GlobalDB ID="0"><AttributeList><Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5">${section(attribute)}</Sections></Interface><MemoryLayout>Standard</MemoryLayout><Name>Web</Name><Number>333</Number><ProgrammingLanguage>DB</ProgrammingLanguage></AttributeList></SW.Blocks.GlobalDB></Document>`,
    ).objects.map((object) => ({ object }))
  const program = linkProgram(documentOf(' IsBulkValue="true"'))
  assert.deepEqual(program.diagnostics, [])
  assert.equal(hex(startImage(blockOf(program, 'Web'), program)), '48544d4c')
  assert.deepEqual(
    linkProgram(documentOf('')).diagnostics.map(({ code }) => code),
    ['start-value'],
  )
})
