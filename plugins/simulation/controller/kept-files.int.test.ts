/** The files on the memory card of a controller: retentive data, forces, the package. What is damaged is not used. */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { problem } from '../../../core/index.ts'
import { blobHash } from '../../../plc/compiler/program-file.ts'
import { timeZoneOf } from '../../../plc/runtime/time-zone.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { loadedProgram } from '../../../test/tag-memory.ts'
import { partsOfProgram } from './active-program.ts'
import type { Force, LoadedProgram } from './contract.ts'
import { KeptForces } from './kept-forces.ts'
import { KeptTimeZone } from './kept-time-zone.ts'
import { LastState } from './last-state.ts'
import { DamagedCard, MemoryCard } from './memory-card.ts'
import { RetentiveFile, retentiveLayout } from './retentive.ts'
import { RetentiveCare, type RetentiveData } from './retentive-care.ts'

function newFolder(t: TestContext): Promise<string> {
  return temporaryFolder(t, 'gantry-card-')
}

const block = (name: string, members: string, access = 'TRUE', section = 'VAR') =>
  `DATA_BLOCK "${name}"\n{ S7_Optimized_Access := '${access}' }\n${section}\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`

function placeText(program: LoadedProgram, address: number): string {
  const { areas, dataBlocks } = program.compiled.linked
  const places = [...Object.entries(areas), ...dataBlocks]
  const found = places.find(([, place]) => address >= place.address && address < place.address + place.size)
  return found ? `${found[0]}+${address - found[1].address}` : `${address}`
}

const retained = (members: string) => block('Kept', members, 'FALSE', 'VAR RETAIN')
const mixed = (more = '') =>
  `DATA_BLOCK "Mixed"\nVAR\n  lost : Int;\nEND_VAR\nVAR RETAIN\n  kept : Int;\nEND_VAR\nVAR\n  gap : LInt;${more}\nEND_VAR\nVAR RETAIN\n  last : Real;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`

test('retentive data return to blocks of the same layout, and flags as far as they are retentive', async (t) => {
  const folder = await newFolder(t)
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

test('forces are kept by their operands; a file that holds anything else is damaged', async (t) => {
  const folder = await newFolder(t)
  const path = join(folder, 'forces.json')
  const place = (address: number, size = 8) => ({ address, size })
  const areas = { I: place(100), Q: place(200), PI: place(300), PQ: place(400), M: place(500) } as never
  const force = (key: string, address: number, bytes: number[], mask?: number): Force => ({
    ...{ key, address, bytes: Uint8Array.from(bytes) },
    ...(mask === undefined ? {} : { mask }),
  })
  const kept = new KeptForces(folder)
  assert.deepEqual([await kept.read(), kept.of(areas)], [true, []], 'there is no file yet')
  const forces = [
    force('a', 300, [1], 1),
    force('b', 207, [0xab]),
    force('c', 100, [1, 2]),
    force('d', 406, [3, 4]),
    force('e', 500, [5]),
    force('f', 308, [6]),
  ]
  await kept.write(forces, areas)
  assert.deepEqual(kept.of(areas), forces.slice(0, 4))
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), [
    { key: 'a', area: 'PI', byte: 0, bytes: '01', mask: 1 },
    { key: 'b', area: 'Q', byte: 7, bytes: 'ab' },
    { key: 'c', area: 'I', byte: 0, bytes: '0102' },
    { key: 'd', area: 'PQ', byte: 6, bytes: '0304' },
  ])
  const again = new KeptForces(folder)
  assert.equal(await again.read(), true)
  assert.deepEqual(again.of(areas), forces.slice(0, 4))
  const smaller = { I: place(10, 2), Q: place(20, 7), PI: place(30, 1), PQ: place(40, 7), M: place(50) } as never
  assert.deepEqual(again.of(smaller), [force('a', 30, [1], 1), force('c', 10, [1, 2])], 'those in the areas')

  const one = { key: 'a', area: 'I', byte: 0, bytes: '01', mask: 255 }
  const isTaken = async (content: unknown) => {
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    return [await again.read(), again.of(areas).length]
  }
  for (const content of [[], [one], [one, { ...one, mask: 0 }], [{ ...one, mask: undefined, bytes: '0102ff' }]])
    assert.deepEqual(await isTaken(content), [true, content.length], JSON.stringify(content))
  const wrong = [
    ...['', '{', '{}', 'null', [null], [5], [[]], [one, null]],
    ...[
      { key: 1 },
      { key: undefined },
      { area: 'M' },
      { area: undefined },
      { byte: -1 },
      { byte: 0.5 },
      { byte: '0' },
    ].map((change) => [{ ...one, ...change }]),
    ...[{ byte: undefined }, { bytes: '' }, { bytes: '0' }, { bytes: '0G' }, { bytes: 'AB' }, { bytes: 1 }].map(
      (change) => [{ ...one, ...change }],
    ),
    ...[{ mask: -1 }, { mask: 256 }, { mask: 1.5 }, { mask: '1' }, { mask: null }].map((change) => [
      { ...one, ...change },
    ]),
  ]
  for (const content of wrong) assert.deepEqual(await isTaken(content), [false, 0], JSON.stringify(content))
  await rm(path)
  assert.equal(await again.read(), true)
})

test('the card holds one package; what is not whole is told with its place', async (t) => {
  const folder = await newFolder(t)
  const card = new MemoryCard(folder)
  assert.equal(await card.read(), undefined)
  const blob = (text: string) => [blobHash(text), Buffer.from(text)] as const
  const [first, second] = [blob('first'), blob('second')]
  const packageOf = (...blobs: (readonly [string, Uint8Array])[]) => ({
    hash: 'any',
    manifest: '{"program":"…"}',
    program: first[0],
    blobs: new Map(blobs),
  })
  await card.write(packageOf(first, second))
  const same = async (...blobs: (readonly [string, Uint8Array])[]) => {
    const found = (await card.read()) ?? assert.fail()
    const bytes = [...found.blobs].map(([hash, content]) => [hash, Buffer.from(content)])
    assert.deepEqual(
      { ...found, blobs: bytes },
      { ...packageOf(), blobs: blobs.map(([hash, content]) => [hash, content]) },
    )
  }
  await same(first, second)
  const file = (hash: string) => join(folder, 'blobs', hash.slice('sha256:'.length))
  const manifest = blobHash('{"program":"…"}')
  // Blobs that are there are not written again; those that nothing names go.
  await writeFile(file(first[0]), 'other')
  await card.write(packageOf(first))
  assert.deepEqual(
    (await readdir(join(folder, 'blobs'))).sort(),
    [first[0], manifest].map((hash) => hash.slice(7)).sort(),
  )
  const told = async () =>
    card.read().then(
      () => assert.fail('it was read'),
      (error) => (error instanceof DamagedCard ? error.message : assert.fail(error)),
    )
  assert.equal(await told(), `The file blobs/${first[0].slice(7)} is not what was written.`)
  await rm(file(first[0]))
  assert.equal(await told(), `The file blobs/${first[0].slice(7)} is missing.`)
  await card.write(packageOf(first))
  await same(first)
  await rm(file(manifest))
  assert.equal(await told(), `The file blobs/${manifest.slice(7)} is missing.`)

  const contents = JSON.parse(await readFile(join(folder, 'card.json'), 'utf8'))
  assert.deepEqual(contents, { format: 1, hash: 'any', manifest, program: first[0], blobs: [first[0]] })
  const write = (content: unknown) =>
    writeFile(join(folder, 'card.json'), typeof content === 'string' ? content : JSON.stringify(content))
  await write('{')
  assert.equal(await told(), 'The file card.json is not JSON.')
  const changes = [
    ...[
      { format: 2 },
      { format: undefined },
      { hash: 1 },
      { manifest: 'x' },
      { manifest: undefined },
      { program: 'sha256:' },
    ],
    ...[{ program: 5 }, { blobs: {} }, { blobs: ['x'] }, { blobs: [first[0], 1] }, { blobs: undefined }],
    ...[{ program: `${first[0]}0` }, { program: first[0].toUpperCase() }, { program: ` ${first[0]}` }],
  ]
  for (const content of ['null', '5', '[]', ...changes.map((change) => ({ ...contents, ...change }))]) {
    await write(content)
    assert.equal(await told(), 'The file card.json is not a table of contents of format 1.', JSON.stringify(content))
  }
})

test('the last state is RUN only when that was written last', async (t) => {
  const folder = await newFolder(t)
  const state = new LastState(folder)
  assert.equal(await state.leadsToRun('Last'), false)
  for (const [last, isRunning] of [
    ['Run', true],
    ['Stop', false],
    ['Run', true],
  ] as const) {
    state.save(last)
    await state.settled()
    assert.equal(await state.leadsToRun('Last'), isRunning)
  }
  state.save('Run')
  state.save('Stop')
  await state.settled()
  assert.equal(await readFile(join(folder, 'state.json'), 'utf8'), '{"state":"Stop"}')
  await writeFile(join(folder, 'state.json'), '{"state":"Run"')
  assert.equal(await state.leadsToRun('Last'), false, 'damaged')
  // A folder that is gone does not end the controller.
  await rm(folder, { recursive: true })
  state.save('Run')
  await state.settled()
  await mkdir(folder)
  state.save('Run')
  await state.settled()
  assert.equal(await state.leadsToRun('Last'), true)
})

test('the time zone of the program is kept with the offset that was configured; what is damaged is none', async (t) => {
  const folder = await newFolder(t)
  const kept = new KeptTimeZone(folder)
  const path = join(folder, 'time-zone.json')
  assert.equal(await kept.read(60), undefined)
  const change = (month: number) => ({ month, week: 5, weekday: 1, hour: 2, minute: 0 })
  const zone = timeZoneOf(-300, 60, change(3), change(10)) ?? assert.fail()
  const plain = timeZoneOf(0, 0, change(3), change(10)) ?? assert.fail()
  for (const one of [zone, plain]) {
    kept.save(one, 60)
    assert.deepEqual([await kept.read(60), await kept.read(120)], [one, undefined])
  }
  kept.save(zone, 60)
  await kept.settled()
  const saved = JSON.parse(await readFile(path, 'utf8'))
  for (const content of [
    ...['', 'null', '5', '[]', '{}', JSON.stringify(saved).slice(0, -1)],
    ...[{ bias: 'x' }, { bias: 1.5 }, { bias: 800 }, { daylightBias: undefined }, { start: null }, { end: {} }].map(
      (damage) => JSON.stringify({ ...saved, ...damage }),
    ),
  ]) {
    await writeFile(path, content)
    assert.equal(await kept.read(60), undefined, content)
  }
})

test('what cannot be saved is told, unless the program changed meanwhile', async (t) => {
  const folder = await newFolder(t)
  const program = await loadedProgram(block('Kept', 'a : Int;', 'FALSE', 'VAR RETAIN'))
  const layout = retentiveLayout(partsOfProgram(program), 2)
  const notes: string[] = []
  let copy: () => Promise<RetentiveData | undefined> = async () => undefined
  const careOf = (path: string) =>
    new RetentiveCare(
      path,
      (severity, message) => notes.push(`${severity}: ${message}`),
      () => copy(),
    )
  const care = careOf(folder)
  const path = join(folder, 'retentive.bin')
  await care.save()
  assert.deepEqual([notes.length, await readdir(folder)], [0, []], 'there is nothing to save')
  copy = () => Promise.reject(problem('conflict', 'Another program was loaded meanwhile.'))
  await care.save()
  assert.equal(notes.length, 0)
  copy = () => Promise.reject(new Error('no memory'))
  await care.keep()
  assert.deepEqual(notes.splice(0), ['warning: Retentive data could not be saved: no memory'])
  const bytes = (first: number) => Uint8Array.of(first, 2, 3, 4)
  copy = async () => ({ layout, bytes: bytes(1) })
  const saving = care.save()
  assert.equal(care.isSaving, true)
  copy = async () => ({ layout, bytes: bytes(9) })
  await care.keep()
  await saving
  assert.equal(care.isSaving, false)
  const saved = async () => [...(await readFile(path)).subarray(-4)]
  assert.deepEqual(await saved(), [9, 2, 3, 4], 'what is kept is newer than a save under way')
  await care.keepForLast(undefined)
  const memory = new Uint8Array(program.compiled.linked.pages * 65_536)
  for (const { address, size } of layout.ranges) memory.fill(7, address, address + size)
  await care.keepForLast({ memory, retentive: layout })
  await care.settled()
  assert.deepEqual(await saved(), [7, 7, 7, 7])
  const back = new Uint8Array(memory.length)
  assert.equal(await care.restore(partsOfProgram(program), 2, back), true)
  assert.deepEqual(back, memory)
  await writeFile(path, 'damaged')
  assert.equal(await care.restore(partsOfProgram(program), 2, back), false)
  assert.deepEqual(notes.splice(0), [
    'warning: The file of retentive data is damaged: retentive data have start values.',
  ])
  // The folder of the card is a file.
  const lost = careOf(path)
  await lost.save()
  await lost.keepForLast({ memory, retentive: layout })
  assert.deepEqual(
    notes.map((note) => note.replace(/: E\w+:.*/, '')),
    ['warning: Retentive data could not be saved', 'error: Retentive data could not be saved'],
  )
})
