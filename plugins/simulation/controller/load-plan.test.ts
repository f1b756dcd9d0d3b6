/**
 * What a load does to the data: the report, the copies from the old places to the new ones, and the values after it, in
 * every case; and which retentive data return from the memory card. Recorded in fixtures/.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import { loadedProgram, memoryController } from '../../../test/tag-memory.ts'
import { readTags } from '../tags/batch.ts'
import { partsOfProgram } from './active-program.ts'
import type { LoadedProgram } from './contract.ts'
import { planCopies } from './load-plan.ts'
import type { Copy, RunnableProgram } from './messages.ts'
import { ProgramMemory } from './program-memory.ts'
import { RetentiveFile, retentiveLayout } from './retentive.ts'

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
  ['an instance stays', instance, instance],
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
    const old = before === '' ? undefined : await loadedProgram(types + before)
    const next = await loadedProgram(types + after)
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
    for (const [i, area] of (['I', 'Q', 'M', 'PI', 'PQ', 'T', 'C'] as const).entries()) {
      const [one, other] = [old.compiled.linked.areas[area], next.compiled.linked.areas[area]]
      assert.deepEqual(copies[i], { from: one.address, to: other.address, size: one.size }, area)
    }
  }
  assertRecorded(import.meta.url, 'loads.txt', `${sections.join('\n')}\n`)
})

const retained = (members: string) => block('Kept', members, 'FALSE', 'VAR RETAIN')
const mixed = (more = '') =>
  `DATA_BLOCK "Mixed"\nVAR\n  lost : Int;\nEND_VAR\nVAR RETAIN\n  kept : Int;\nEND_VAR\nVAR\n  gap : LInt;${more}\nEND_VAR\nVAR RETAIN\n  last : Real;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`

test('retentive data return to blocks of the same layout, and flags as far as they are retentive', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-retentive-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const old = await loadedProgram(retained('a : Int; b : Bool;') + mixed() + block('Lost', 'x : Int;'))
  const layout = retentiveLayout(partsOfProgram(old), 4)
  const { areas, dataBlocks } = old.compiled.linked
  const [kept, own] = [dataBlocks.get('kept')!.address, dataBlocks.get('mixed')!.address]
  const offsets = layout.ranges.map(({ address, size }) => [placeText(old, address), size])
  assert.deepEqual(layout.ranges[0], { address: areas.M.address, size: 4 })
  assert.deepEqual(
    [layout.flags, layout.blocks.map(({ name, size }) => [name, size])],
    [
      4,
      [
        [
          'Kept',
          layout.ranges
            .filter(({ address }) => address >= kept && address < kept + 4)
            .reduce((all, one) => all + one.size, 0),
        ],
        [
          'Mixed',
          layout.ranges
            .filter(({ address }) => address >= own && address < own + 40)
            .reduce((all, one) => all + one.size, 0),
        ],
      ],
    ],
    JSON.stringify(offsets),
  )
  assert.deepEqual(retentiveLayout(partsOfProgram(old), 0).ranges, layout.ranges.slice(1))
  assert.equal(retentiveLayout(partsOfProgram(old), 99_999).flags, areas.M.size)
  const size = layout.ranges.reduce((all, one) => all + one.size, 0)
  const bytes = Uint8Array.from({ length: size }, (_, i) => i + 1)
  const file = new RetentiveFile(folder)
  await file.write(layout, bytes, false)
  const path = join(folder, 'retentive.bin')
  const written = await readFile(path)
  // What has not changed is not written again, unless it must be on the disk.
  await writeFile(path, 'gone')
  await file.write(layout, Uint8Array.from(bytes), false)
  assert.equal(await readFile(path, 'utf8'), 'gone')
  await file.write(layout, Uint8Array.from(bytes), true)
  assert.deepEqual(await readFile(path), written)

  /** What of a memory is not 0 after the data returned: place and byte. */
  const restored = async (next: LoadedProgram, flags: number) => {
    const memory = new Uint8Array(next.compiled.linked.pages * 65_536)
    assert.equal(await file.restore(partsOfProgram(next), flags, memory), true)
    const found: string[] = []
    for (let at = memory.findIndex(Boolean); at >= 0 && at < memory.length; at++)
      if (memory[at] !== 0) found.push(`${placeText(next, at)}=${memory[at]}`)
    return found.join(' ')
  }
  const lines = [
    `the same program: ${await restored(old, 4)}`,
    `fewer flags: ${await restored(old, 2)}`,
    `more flags: ${await restored(old, 8)}`,
    `a block of another layout: ${await restored(await loadedProgram(retained('a : Int; c : Bool; b : Bool;') + mixed()), 4)}`,
    `blocks at other places, in another case: ${await restored(await loadedProgram(block('More', 'l : Array[0..99] of Int;') + mixed().replace('"Mixed"', '"MIXED"') + retained('a : Int; b : Bool;')), 4)}`,
    `a block is gone: ${await restored(await loadedProgram(mixed()), 4)}`,
    `both are others: ${await restored(await loadedProgram(mixed(' new : Int;')), 0)}`,
  ]
  assertRecorded(import.meta.url, 'retained.txt', `${lines.join('\n')}\n`)

  const text = written.toString('latin1')
  const end = text.indexOf('\n')
  const head = JSON.parse(text.slice(0, end))
  const damaged: readonly (string | Buffer)[] = [
    '',
    'no line',
    '{}\n',
    '\n',
    `${JSON.stringify({ ...head, format: 2 })}${text.slice(end)}`,
    `${JSON.stringify({ ...head, checksum: 'x' })}${text.slice(end)}`,
    `${JSON.stringify({ ...head, flags: 5 })}${text.slice(end)}`,
    `${JSON.stringify({ ...head, flags: -1 })}${text.slice(end)}`,
    `${JSON.stringify({ ...head, flags: 3.5 })}${text.slice(end)}`,
    `${JSON.stringify({ ...head, blocks: [] })}${text.slice(end)}`,
    `${JSON.stringify({ ...head, blocks: head.blocks.map((one: object) => ({ ...one, name: 1 })) })}${text.slice(end)}`,
    `${JSON.stringify({ ...head, blocks: head.blocks.map((one: object) => ({ ...one, layout: 1 })) })}${text.slice(end)}`,
    `${JSON.stringify({ ...head, blocks: head.blocks.map((one: object) => ({ ...one, size: '4' })) })}${text.slice(end)}`,
    written.subarray(0, -1),
    Buffer.concat([written, Buffer.from([1])]),
  ]
  for (const [i, content] of damaged.entries()) {
    await writeFile(path, typeof content === 'string' ? Buffer.from(content, 'latin1') : content)
    const memory = new Uint8Array(old.compiled.linked.pages * 65_536)
    assert.equal(await file.restore(partsOfProgram(old), 4, memory), false, `${i}`)
    assert.ok(
      memory.every((byte) => byte === 0),
      `${i}`,
    )
  }
  await rm(path)
  assert.equal(await file.restore(partsOfProgram(old), 4, new Uint8Array(0)), true, 'there is no file yet')
})
