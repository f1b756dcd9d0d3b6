import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../../core/index.ts'
import { fails } from '../../../test/fails.ts'
import { loadedProgram, memoryController } from '../../../test/tag-memory.ts'
import { readTags, writeTags } from './batch.ts'
import { formatValue, parseModifyValue } from './display.ts'
import { mostListed, type TagEntry, type TagListOptions, tagList } from './list.ts'
import { resolveTag } from './resolve.ts'
import { traceColumns } from './trace-columns.ts'
import { traceCsv } from './trace-csv.ts'
import { watchTags } from './watch.ts'

const source = (more = '') => `
DATA_BLOCK "Data"
VAR
  level : Real;
  count : Int; // pieces
  list : Array[0..1, 1..2] of Struct
    on : Bool;
    name : String[10];
  END_STRUCT;
${more}END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Kept"
{ S7_Optimized_Access := 'FALSE' }
VAR RETAIN
  word : Word;
  bits : Array[0..9] of Bool;
END_VAR
BEGIN
END_DATA_BLOCK
`
const tags = {
  Start: ['Bool', '%I0.0'],
  Stop: ['Bool', '%I0.1'],
  Lamp: ['Bool', '%Q0.0'],
  Flag: ['Word', '%MW2'],
  Delay: ['Timer', '%T1'],
  Pieces: ['Counter', '%C2'],
} as const
const program = await loadedProgram(source(), tags)

// ── Batch ───────────────────────────────────────────────────────────────────────────────────────────────────────────

test('a batch is one read, in the order asked; what is not there is bad and the rest is good', async () => {
  const controller = memoryController(program)
  await writeTags(controller, [{ name: 'Data.count', value: 7 }])
  const read = await readTags(controller, ['Data.count', 'Missing', 'Flag', 'data.COUNT', 'Data.list[9,9]'])
  assert.equal(controller.asked.reads.length, 1)
  assert.deepEqual(
    read.map(({ name, value, quality }) => [name, value, quality]),
    [
      ['Data.count', 7, 'Good'],
      ['Missing', null, 'Bad'],
      ['Flag', 0, 'Good'],
      ['Data.count', 7, 'Good'],
      ['Data.list[9,9]', null, 'Bad'],
    ],
  )
  assert.equal(read[0]?.timestamp, '2024-01-31T14:30:00.000Z')
  assert.match(read[4]?.error ?? '', /outside 0 to 1/)
})

test('inputs are written to the periphery, the bits beside them stay', async () => {
  const controller = memoryController(program)
  const { PI, I } = program.compiled.linked.areas
  controller.memory[PI.address] = 0x80
  await writeTags(controller, [
    { name: 'Start', value: true },
    { name: '%I0.1', value: true },
  ])
  assert.equal(controller.memory[PI.address], 0x83)
  assert.equal(controller.memory[I.address], 0)
  assert.deepEqual(controller.asked.writes, [[{ address: PI.address, bytes: Uint8Array.of(3), mask: 3 }]])
})

test('a batch with a fault in it writes nothing and names every fault', async () => {
  const controller = memoryController(program)
  const error = await fails(
    writeTags(controller, [
      { name: 'Start', value: true },
      { name: 'Data.count', value: 1e6 },
      { name: 'Strat', value: true },
    ]),
    'unacceptable_content',
    /Nothing was written/,
  )
  assert.deepEqual(
    error.details.errors?.map(({ path }) => path),
    ['/tags/1/value', '/tags/2/name'],
  )
  await fails(writeTags(controller, [{ name: 'Strat', value: 1 }]), 'not_found', /Did you mean "Start"/)
  assert.equal(controller.asked.writes.length, 0)
})

test('S5 timers and counters have values', async () => {
  const controller = memoryController(program)
  await writeTags(controller, [{ name: 'Pieces', value: 998 }])
  const { address } = resolveTag(program, '%T1')
  const view = new DataView(controller.memory.buffer)
  // Started at 1 s with 5 s in steps of 100 ms.
  view.setBigInt64(address, 1_000_000_000n, true)
  view.setBigInt64(address + 8, 5_000_000_000n, true)
  view.setBigInt64(address + 16, 100_000_000n, true)
  view.setUint8(address + 24, 1)
  const read = controller.read.bind(controller)
  controller.read = async (ranges) => ({ ...(await read(ranges)), clock: 2_950_000_000n })
  const values = await readTags(controller, ['Delay', 'Pieces', '%C2'])
  assert.deepEqual(
    values.map(({ value, dataType }) => [value, dataType]),
    [
      ['S5T#3s100ms', 'Timer'],
      [998, 'Counter'],
      [998, 'Counter'],
    ],
  )
  await fails(writeTags(controller, [{ name: 'Pieces', value: 1000 }]), 'unacceptable_content', /0 to 999/)
  await fails(writeTags(controller, [{ name: 'Delay', value: 'S5T#1s' }]), 'unacceptable_content', /programs start it/)
})

test('later values of a batch count', async () => {
  const controller = memoryController(program)
  await writeTags(controller, [
    { name: 'Kept.bits[3]', value: true },
    { name: 'Kept.word', value: 1 },
    { name: 'Kept.bits[3]', value: false },
    { name: 'Kept.word', value: 2 },
  ])
  const read = await readTags(controller, ['Kept.word', 'Kept.bits[3]'])
  assert.deepEqual(
    read.map(({ value }) => value),
    [2, false],
  )
})

test('without a program there are no tags', async () => {
  const controller = memoryController(program)
  controller.replace(undefined)
  await fails(readTags(controller, ['Start']), 'conflict', /has no program/)
  await fails(writeTags(controller, [{ name: 'Start', value: true }]), 'conflict', /has no program/)
})

test('what was read while the program was replaced is read again', async () => {
  const controller = memoryController(program)
  const next = await loadedProgram(source('  more : Int := 5;\n'), tags)
  const read = controller.read.bind(controller)
  controller.read = async (ranges) => {
    controller.read = read
    const snapshot = await read(ranges)
    controller.replace(next)
    return snapshot
  }
  const [more] = await readTags(controller, ['Data.more'])
  assert.equal(more?.value, 5)
})

// ── List ────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function pages(options: TagListOptions): Promise<TagEntry[]> {
  const all: TagEntry[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await tagList(program, { ...options, ...defined({ cursor }) })
    all.push(...page.items)
    if (page.cursor === undefined) return all
    cursor = page.cursor
  }
}

test('the list has an entry for each tag, structure, array and element', async () => {
  const { items, total } = await tagList(program, { limit: 1000 })
  assert.deepEqual(
    items.map(({ name }) => name),
    [
      ...['Start', 'Stop', 'Lamp', 'Flag', 'Delay', 'Pieces', 'Data', 'Data.level', 'Data.count', 'Data.list'],
      ...['0,1', '0,2', '1,1', '1,2'].flatMap((at) =>
        ['', '.on', '.name'].map((member) => `Data.list[${at}]${member}`),
      ),
      ...['Kept', 'Kept.word', 'Kept.bits'],
      ...Array.from({ length: 10 }, (_, i) => `Kept.bits[${i}]`),
    ],
  )
  assert.equal(total, items.length)
  assert.deepEqual(
    items.find(({ name }) => name === 'Data.count'),
    {
      name: 'Data.count',
      dataType: 'Int',
      primitiveType: 'Int16',
      area: 'DataBlock',
      size: 2,
      comment: 'pieces',
      retentive: false,
    },
  )
  const number = program.symbols.dataBlocks.find(({ name }) => name === 'Kept')?.number
  const bit = items.find(({ name }) => name === 'Kept.bits[9]')
  assert.deepEqual([bit?.address, bit?.retentive, bit?.primitiveType], [`%DB${number}.DBX3.1`, true, 'Bool'])
})

test('pages of any size give the whole list; filters narrow it', async () => {
  const whole = await pages({ limit: 1000 })
  for (const limit of [1, 2, 3, 7]) assert.deepEqual(await pages({ limit }), whole)
  const names = async (options: TagListOptions) => (await pages(options)).map(({ name }) => name)
  assert.deepEqual(await names({ area: 'IO' }), ['Start', 'Stop', 'Lamp'])
  assert.deepEqual(await names({ area: 'M' }), ['Flag'])
  assert.deepEqual(await names({ area: 'CT' }), ['Delay', 'Pieces'])
  assert.equal((await names({ db: '"kept"', limit: 4 })).length, 13)
  assert.deepEqual(await names({ q: '2].NAME', limit: 1 }), ['Data.list[0,2].name', 'Data.list[1,2].name'])
  const [flag] = await pages({ area: 'M', retentiveFlags: 4 })
  assert.equal(flag?.retentive, true)
  await fails(tagList(program, { db: 'Kpet' }), 'not_found', /Did you mean "Kept"/)
  await fails(tagList(program, { cursor: '!' }), 'invalid_input', /is no cursor/)
})

test('a cursor of another program is refused', async () => {
  const { cursor = '' } = await tagList(program, { limit: 1 })
  const next = await loadedProgram(source('  more : Int;\n'), tags)
  await fails(tagList(next, { cursor }), 'conflict', /was replaced/)
})

test('more than 500 000 entries are not listed at once', async () => {
  const large = await loadedProgram(
    'DATA_BLOCK "Big"\nVAR\n  list : Array[0..599999] of Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n',
  )
  const { total, items } = await tagList(large, { limit: 3 })
  assert.deepEqual([total, items.at(-1)?.name], [600_002, 'Big.list[0]'])
  const last = Buffer.from(`${mostListed - 2} ${large.hash.slice(0, 12)}`).toString('base64url')
  assert.equal((await tagList(large, { limit: 2, cursor: last })).items.at(-1)?.name, `Big.list[${mostListed - 3}]`)
  await fails(tagList(large, { limit: 3, cursor: last }), 'unacceptable_content', /600002 tags, more than the 500000/)
  await fails(tagList(large, { q: 'nowhere' }), 'unacceptable_content', /more than/)
  const read = await readTags(memoryController(large), ['Big.list', 'Big.list[599999]'])
  assert.deepEqual(
    read.map(({ quality }) => quality),
    ['Bad', 'Good'],
  )
})

// ── Watch ───────────────────────────────────────────────────────────────────────────────────────────────────────────

test('first all values are told, then those that change; a number only beyond its dead band', async () => {
  const controller = memoryController(program)
  const end = new AbortController()
  const names = ['Data.level', 'Lamp', 'Missing', 'Data.list[0,1]']
  const watch = watchTags(controller, names, { intervalMs: 10, deadband: 0.5 }, end.signal)
  const next = async () => {
    const { value } = await watch.next()
    return (value ?? []).map((change) => [change.name, change.value, change.quality])
  }
  const struct = (on: boolean) => ({ on, name: '' })
  assert.deepEqual(await next(), [
    ['Data.level', 0, 'Good'],
    ['Lamp', false, 'Good'],
    ['Missing', null, 'Bad'],
    ['Data.list[0,1]', struct(false), 'Good'],
  ])
  await writeTags(controller, [
    { name: 'Data.level', value: 0.5 },
    { name: 'Lamp', value: true },
  ])
  assert.deepEqual(await next(), [['Lamp', true, 'Good']])
  await writeTags(controller, [
    { name: 'Data.level', value: 0.75 },
    { name: 'Data.list[0,1].on', value: true },
  ])
  assert.deepEqual(await next(), [
    ['Data.level', 0.75, 'Good'],
    ['Data.list[0,1]', struct(true), 'Good'],
  ])
  end.abort()
  assert.deepEqual(await watch.next(), { value: undefined, done: true })
  assert.equal(controller.events.listenerCount('program'), 0)
})

test('a watch goes on with another program, tells what is gone, and waits while there is none', async () => {
  const controller = memoryController(program)
  const end = new AbortController()
  const watch = watchTags(controller, ['Lamp', 'Data.more'], { intervalMs: 10 }, end.signal)
  const next = async () => {
    const { value } = await watch.next()
    return (value ?? []).map((change) => [change.name, change.value, change.quality])
  }
  assert.deepEqual(await next(), [
    ['Lamp', false, 'Good'],
    ['Data.more', null, 'Bad'],
  ])
  controller.replace(await loadedProgram(source('  more : Int := 5;\n'), { Start: tags.Start }))
  assert.deepEqual(await next(), [
    ['Lamp', null, 'Bad'],
    ['Data.more', 5, 'Good'],
  ])
  controller.replace(undefined)
  assert.deepEqual(await next(), [
    ['Lamp', null, 'Bad'],
    ['Data.more', null, 'Bad'],
  ])
  controller.replace(program)
  assert.deepEqual((await next())[0], ['Lamp', false, 'Good'])
  end.abort()
  await watch.return()
})

// ── Trace ───────────────────────────────────────────────────────────────────────────────────────────────────────────

test('a trace is a table of cycles, times and values', async () => {
  const { ranges, columns } = traceColumns(program, ['Lamp', 'Data.level', 'Data.list[0,1]', 'Data.list[0,1].name'])
  const controller = memoryController(program)
  const samples = []
  for (const [i, level] of [0.1, -2].entries()) {
    await writeTags(controller, [
      { name: 'Lamp', value: i === 1 },
      { name: 'Data.level', value: level },
      { name: 'Data.list[0,1].name', value: i === 1 ? 'a,"b"' : '' },
    ])
    samples.push({ ...(await controller.read(ranges)), cycle: i + 1, time: 1000.5 * i })
  }
  let text = ''
  for await (const piece of traceCsv(samples, columns)) text += piece
  assert.deepEqual(text.split('\r\n'), [
    'cycle,time,Lamp,Data.level,"Data.list[0,1]","Data.list[0,1].name"',
    '1,1970-01-01T00:00:00.000Z,0,0.1,"{""on"":false,""name"":""""}",',
    '2,1970-01-01T00:00:01.000500Z,1,-2,"{""on"":false,""name"":""a,\\""b\\""""}","a,""b"""',
    '',
  ])
})

test('a long trace comes in pieces, a time within a millisecond with its digits', async () => {
  const { ranges, columns } = traceColumns(program, ['Data.count', 'Flag'])
  assert.deepEqual(
    ranges.map(({ size }) => size),
    [2, 2],
  )
  const bytes = [Uint8Array.of(1, 0), Uint8Array.of(0, 2)]
  const times = [0, 1.0004, 1.5, 1.9994, 1.99951, -0.25]
  const samples = Array.from({ length: 1001 }, (_, i) => ({ cycle: i, time: times[i] ?? 1000 * i, bytes }))
  const pieces: string[] = []
  for await (const piece of traceCsv(samples, columns)) pieces.push(piece)
  assert.deepEqual(
    pieces.map((piece) => piece.split('\r\n').length - 1),
    [501, 500, 1],
  )
  assert.deepEqual(pieces[0]?.split('\r\n').slice(0, 7), [
    'cycle,time,Data.count,Flag',
    '0,1970-01-01T00:00:00.000Z,1,2',
    '1,1970-01-01T00:00:00.001Z,1,2',
    '2,1970-01-01T00:00:00.001500Z,1,2',
    '3,1970-01-01T00:00:00.001999Z,1,2',
    '4,1970-01-01T00:00:00.002Z,1,2',
    '5,1969-12-31T23:59:59.999750Z,1,2',
  ])
  assert.equal(pieces[2], '1000,1970-01-01T00:16:40.000Z,1,2\r\n')
  const rows: string[] = []
  for await (const piece of traceCsv([{ cycle: 1, time: 0, bytes: [] }], columns)) rows.push(piece)
  assert.equal(rows.join('').split('\r\n')[1], '1,1970-01-01T00:00:00.000Z,,', 'what was not recorded is empty')
})

// ── Watch tables ────────────────────────────────────────────────────────────────────────────────────────────────────

test('values are shown and taken in the format of the row', async () => {
  const shows: readonly (readonly [tag: string, value: string, format: string, shown: string])[] = [
    ['Flag', '16#00FF', 'Hex', '16#00FF'],
    ['Flag', 'FF', 'Hex', '16#00FF'],
    ['Flag', '1010', 'Bin', '2#0000_0000_0000_1010'],
    ['Flag', '17', 'Octal', '8#000017'],
    ['Flag', '-1', 'DEC_signed', '-1'],
    ['Flag', '65535', 'DEC_unsigned', '65535'],
    ['Flag', 'S5T#2s', 'SIMATIC_Time', 'S5T#2s'],
    ['Flag', 'D#2024-01-31', 'Date', 'D#2024-01-31'],
    ['Flag', '16#0123', 'BCD', '123'],
    ['Flag', '16#0123', 'Counter', 'C#123'],
    ['Flag', '16#4142', 'Character_sequence', "'AB'"],
    ['Flag', '16#0102', 'DEC_sequence', '1.2'],
    ['Flag', '16#00FF', 'Float', '255'],
    ['%MD4', '1.5', 'Float', '1.5'],
    ['%MD4', 'T#5s', 'Time', 'T#5s'],
    ['%MB4', "'A'", 'Character', "'A'"],
    ['Data.count', '-5', 'DEC_signed', '-5'],
    ['Data.count', 'FFFB', 'Hex', '16#FFFB'],
    ['Data.level', '2', 'Float', '2.0'],
    ['Lamp', 'TRUE', 'Bool', 'TRUE'],
    ['Lamp', '1', 'Hex', '16#1'],
    ['Data.list[0,1].name', "'it$'s'", 'String', "'it$'s'"],
    ['Data.list[0,1].name', 'plain', 'Undef', "'plain'"],
  ]
  for (const [name, value, format, shown] of shows) {
    const controller = memoryController(program)
    const tag = resolveTag(program, name)
    await controller.write(parseModifyValue(tag, value, format))
    const bytes = controller.memory.slice(tag.address, tag.address + tag.size)
    assert.equal(formatValue(tag, bytes, format), shown, `${name} ${value} ${format}`)
  }
})

test('a modify value that does not fit is refused', async () => {
  const refused: readonly (readonly [tag: string, value: string, format: string, message: RegExp])[] = [
    ['Flag', '10000', 'Hex', /"16#10000" is no value of Word/],
    ['Flag', 'GG', 'Hex', /"16#GG" is no value of Word \(0 to 65535\)/],
    ['Flag', '70000', 'DEC_unsigned', /"70000" is no value of Word/],
    ['Data.count', '40000', 'DEC_signed', /"40000" is no value of Int \(-32768 to 32767\)/],
    ['Data.count', '1.5', 'Float', /"1.5" is no value of Int/],
    ['Lamp', '2', 'Bool', /"2" is no value of Bool/],
    ['Data.list', '1', 'Hex', /rows modify single values/],
    ['Data.list[0,1].name', "'much too long'", 'String', /13 characters does not fit/],
  ]
  for (const [name, value, format, message] of refused) {
    const modify = async () => parseModifyValue(resolveTag(program, name), value, format)
    await fails(modify(), 'unacceptable_content', message)
  }
})
