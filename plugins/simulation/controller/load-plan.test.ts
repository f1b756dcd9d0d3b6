/**
 * What a load does to the data: the report, the copies from the old places to the new ones, and the values after it, in
 * every case. Recorded in fixtures/loads.txt.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import { loadedProgram, memoryController } from '../../../test/tag-memory.ts'
import { readTags } from '../tags/batch.ts'
import { partsOfProgram } from './active-program.ts'
import type { LoadedProgram } from './contract.ts'
import { planCopies } from './load-plan.ts'
import type { Copy, RunnableProgram } from './messages.ts'
import { ProgramMemory } from './program-memory.ts'

const block = (name: string, members: string, access = 'TRUE', section = 'VAR') =>
  `DATA_BLOCK "${name}"\n{ S7_Optimized_Access := '${access}' }\n${section}\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const types = `TYPE "Motor"
STRUCT
  speed : Int := 3;
  run : Bool;
END_STRUCT;
END_TYPE
TYPE "Pump"
STRUCT
  speed : Int := 3;
  run : Bool;
END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Drive"
VAR_INPUT
  on : Bool;
  any : Variant;
END_VAR
VAR
  timer : TON_TIME;
  hours : UDInt;
END_VAR
BEGIN
END_FUNCTION_BLOCK
`
/** The same as "Drive" with members in another order. */
const driven = `FUNCTION_BLOCK "Driven"
VAR_INPUT
  any : Variant;
  more : Real;
  on : Bool;
END_VAR
VAR
  hours : UDInt;
  timer : TON_TIME;
END_VAR
BEGIN
END_FUNCTION_BLOCK
`
const instance = 'DATA_BLOCK "Drive_DB"\n"Drive"\nBEGIN\nEND_DATA_BLOCK\n'

/** Each case: the blocks before and after. */
const cases: readonly (readonly [what: string, before: string, after: string, reinitialize?: boolean])[] = [
  ['the first program', '', block('A', 'x : Int;')],
  ['a block is new, one is gone', block('A', 'x : Int;'), block('B', 'x : Int;')],
  ['names of blocks and members in another case', block('Data', 'Level : Int;'), block('DATA', 'LEVEL : Int;')],
  ['other start values alone', block('A', 'x : Int := 1;'), block('A', 'x : Int := 2;')],
  ['all are set to start values', block('A', 'x : Int := 1;'), block('A', 'x : Int := 2; y : Int;'), true],
  ['another name of the same type', block('A', 'm : "Motor";'), block('A', 'm : "Pump";')],
  ['a member is added at the end', block('A', 'a : Int; b : Int;'), block('A', 'a : Int; b : Int; c : Int := 7;')],
  [
    'members that follow each other in both',
    block('A', 'a : Int; b : Int; c : Real;'),
    block('A', 'n : DInt; a : Int; b : Int; c : Real;'),
  ],
  ['members in another order', block('A', 'a : Int; b : Int;'), block('A', 'b : Int; a : Int;')],
  ['a member is gone', block('A', 'a : Int; b : Int;'), block('A', 'b : Int;')],
  [
    'bits change places',
    block('A', 'a : Bool; b : Bool; n : Int;', 'FALSE'),
    block('A', 'n : Int; b : Bool; x : Bool; a : Bool;', 'FALSE'),
  ],
  [
    'bits of an array',
    block('A', 'l : Array[0..9] of Bool; n : Int;', 'FALSE'),
    block('A', 'n : Int; l : Array[0..9] of Bool;', 'FALSE'),
  ],
  ['an array of numbers moves', block('A', 'l : Array[1..3] of Int;'), block('A', 'n : LInt; l : Array[1..3] of Int;')],
  [
    'an array of structures that grow',
    block('A', 'l : Array[1..3] of Struct a : Int; b : Bool; END_STRUCT;'),
    block('A', 'l : Array[1..3] of Struct b : Bool; n : Real; a : Int; END_STRUCT;'),
  ],
  [
    'arrays of arrays in structures',
    block('A', 'l : Array[1..2] of Struct a : Array[0..1] of Int; END_STRUCT;'),
    block('A', 'l : Array[1..2] of Struct n : Byte; a : Array[0..1] of Int; END_STRUCT;'),
  ],
  [
    'other bounds of an array',
    block('A', 'l : Array[1..3] of Int; g : Array[0..1, 0..1] of Int; k : Array[0..3] of Int;'),
    block('A', 'l : Array[0..2] of Int; g : Array[0..3] of Int; k : Array[0..3] of Int;'),
  ],
  [
    'texts of other lengths and kinds',
    block('A', 's : String[5]; w : WString[3]; x : String[4]; y : String; z : WString[2];'),
    block('A', 'n : Int; s : String[5]; w : WString[3]; x : String[6]; y : WString; z : WString[2];'),
  ],
  ['texts without a length', block('A', 'y : String; w : WString;'), block('A', 'n : Int; y : String; w : WString;')],
  [
    'other types',
    block('A', 'a : Int; b : DInt; c : Time; d : Date_And_Time; e : Struct x : Int; END_STRUCT;'),
    block('A', 'a : UInt; b : DInt; c : DInt; d : Date_And_Time; e : Int; f : Bool;'),
  ],
  [
    'a structure that loses members',
    block('A', 's : Struct a : Int; b : Struct c : Bool; d : Int; END_STRUCT; END_STRUCT;'),
    block('A', 's : Struct a : Real; b : Struct d : Int; END_STRUCT; END_STRUCT;'),
  ],
  ['access of another kind', block('A', 'a : Int;'), block('A', 'a : Int;', 'FALSE')],
  [
    'texts become numbers, numbers texts',
    block('A', 's : String[4]; n : Int; d : Date_And_Time; x : Byte;'),
    block('A', 's : Int; n : String[4]; d : LInt; x : Byte;'),
  ],
  ['an instance stays', instance, instance],
  ['an instance of a block with other members', instance, instance.replace('"Drive"', '"Driven"')],
]

function placeText(program: LoadedProgram, address: number): string {
  const { areas, dataBlocks } = program.compiled.linked
  const places = [...Object.entries(areas), ...dataBlocks]
  const found = places.find(([, place]) => address >= place.address && address < place.address + place.size)
  return found ? `${found[0]}+${address - found[1].address}` : `${address}`
}

function copyText(copy: Copy, from: (at: number) => string, to: (at: number) => string): string {
  const way = `${from(copy.from)} > ${to(copy.to)}`
  if ('each' in copy) {
    const each = copy.each.map((one) => copyText(one, String, String)).join('; ')
    return `${way}, ${copy.count} times every ${copy.fromStride} > ${copy.toStride} (${each})`
  }
  const bits = copy.fromBit === undefined ? '' : `, bit ${copy.fromBit} > ${copy.toBit}`
  return `${way}, ${copy.size} bytes${bits}`
}

/** The program as the thread has it, in this thread's memory. */
const memoryOf = (program: LoadedProgram, memory: Uint8Array) =>
  new ProgramMemory({
    linked: program.compiled.linked,
    image: program.compiled.image,
    memory: { buffer: memory.buffer },
    dataBlocks: [],
  } as unknown as RunnableProgram)

test('a load: the report, the copies, and the values after it, as recorded', async () => {
  const sections: string[] = []
  for (const [what, before, after, reinitialize = false] of cases) {
    const old = before === '' ? undefined : await loadedProgram(types + driven + before)
    const next = await loadedProgram(types + driven + after)
    const { report, copies } = planCopies(old && partsOfProgram(old), partsOfProgram(next), reinitialize)
    const areas = old ? 7 : 0
    const { lost = [], ...names } = report
    sections.push(
      `${what}`,
      ...Object.entries(names).flatMap(([key, list]) => (list.length > 0 ? [`  ${key} ${list.join(', ')}`] : [])),
      ...lost.map(({ dataBlock, path, reason }) => `  lost ${dataBlock}${path}: ${reason}`),
      ...copies.slice(areas).map(
        (copy) =>
          `  ${copyText(
            copy,
            (at) => placeText(old!, at),
            (at) => placeText(next, at),
          )}`,
      ),
    )
    if (!old) continue
    const controller = memoryController(next)
    // Every byte of the old data is its place, so that what was copied tells where it was.
    const bytes = new Uint8Array(old.compiled.linked.pages * 65_536)
    for (const { address, size } of old.compiled.linked.dataBlocks.values())
      for (let i = 0; i < size; i++) bytes[address + i] = i + 1
    memoryOf(next, controller.memory).takeOver(bytes, copies)
    const tags = next.symbols.dataBlocks.map(({ name }) => name)
    for (const { name, value } of await readTags(controller, tags))
      sections.push(`  ${name} = ${JSON.stringify(value).slice(0, 100)}`)
    const [were, are] = [old.compiled.linked.areas, next.compiled.linked.areas]
    const ofAreas = (['I', 'Q', 'M', 'PI', 'PQ', 'T', 'C'] as const).map((area): Copy => {
      return { from: were[area].address, to: are[area].address, size: were[area].size }
    })
    assert.deepEqual(copies.slice(0, areas), ofAreas)
  }
  assertRecorded(import.meta.url, 'loads.txt', `${sections.join('\n')}\n`)
})
