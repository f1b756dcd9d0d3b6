/** Read Var and Write Var, in raw frames. */
// In a process of its own: its hooks are those of the whole process.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import {
  FakeController,
  fakeMemory,
  fakeProgram,
  hex,
  item,
  items,
  openPort,
  type RawClient,
  readyClient,
} from '../../../test/s7.ts'

const { areas, dataBlocks } = fakeMemory
const db = dataBlocks.get('valves')?.address ?? 0

let controller = new FakeController()
const port = await openPort(new Proxy({} as FakeController, { get: (_target, key) => Reflect.get(controller, key) }))
let client: RawClient
beforeEach(async () => {
  client?.close()
  controller = new FakeController()
  client = await readyClient(port.port)
})
after(async () => {
  client.close()
  await port.close()
})

const read = async (...all: Buffer[]) => {
  const { error, parameters, data } = await client.job(items(4, ...all))
  return { error, parameters: parameters.toString('hex'), data: data.toString('hex') }
}
const write = async (data: string, ...all: Buffer[]) => {
  const answer = await client.job(items(5, ...all), data)
  return { error: answer.error, data: answer.data.toString('hex') }
}

test('all items are read at one scan boundary, odd ones filled up but for the last', async () => {
  controller.memory.set([0x11, 0x22, 0x33], areas.M.address + 4)
  controller.memory.set([0x44, 0x55], areas.I.address)
  controller.memory.set([0x66], areas.Q.address + 1023)
  controller.memory.set([0x77, 0x88, 0x99, 0xaa], db + 100)
  assert.deepEqual(
    await read(
      item(2, 3, 0, 0x83, 4 * 8),
      item(4, 1, 0, 0x81, 0),
      item(8, 1, 10, 0x84, 100 * 8),
      item(2, 1, 0, 0x82, 1023 * 8),
    ),
    {
      error: 0,
      parameters: '0404',
      data: 'ff040018 11223300 ff040010 4455 ff070004 778899aa ff040008 66'.replaceAll(' ', ''),
    },
  )
  assert.equal(controller.reads.length, 1)
  assert.equal(controller.reads[0]?.length, 4)
})

test('types say how their data are marked', async () => {
  controller.memory.fill(0xab, db, db + 16)
  const answers: Readonly<Record<number, string>> = {
    2: 'ff040008ab',
    3: 'ff090001ab',
    4: 'ff040010abab',
    5: 'ff050010abab',
    6: 'ff040020abababab',
    7: 'ff040020abababab',
    8: 'ff070004abababab',
    9: 'ff090002abab',
    10: 'ff090004abababab',
    11: 'ff090004abababab',
    12: 'ff090002abab',
    15: 'ff090008abababababababab',
  }
  for (const [type, data] of Object.entries(answers))
    assert.equal((await read(item(Number(type), 1, 10, 0x84, 0))).data, data, `type ${type}`)
})

test('single bits are read, several are not', async () => {
  controller.memory[areas.M.address + 5] = 0x08
  assert.equal(
    (await read(item(1, 1, 0, 0x83, 5 * 8 + 3), item(1, 1, 0, 0x83, 5 * 8 + 4))).data,
    'ff03000101' + '00' + 'ff03000100',
  )
  assert.equal((await read(item(1, 8, 0, 0x83, 40))).data, '06000000')
})

test('what is not there has a code, and the items beside it their values', async () => {
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['a block that does not exist', item(2, 1, 99, 0x84, 0), '0a'],
    ['an optimized block', item(2, 1, 11, 0x84, 0), '0a'],
    ['an area of other CPUs', item(2, 1, 0, 0x86, 0), '0a'],
    ['beyond the end of a block', item(2, 1, 10, 0x84, 2000 * 8), '05'],
    ['across the end of a block', item(4, 1, 10, 0x84, 1999 * 8), '05'],
    ['beyond the end of the flags', item(6, 1, 0, 0x83, 1021 * 8), '05'],
    ['the last address', item(2, 1, 10, 0x84, 0xffffff & ~7), '05'],
    ['bytes that begin within a byte', item(2, 1, 10, 0x84, 3), '05'],
    ['nothing', item(2, 0, 10, 0x84, 0), '05'],
    ['a timer that does not exist', item(0x1d, 1, 0, 0x1d, 2048), '05'],
    ['a type that does not exist', item(0x40, 1, 10, 0x84, 0), '06'],
    ['bytes of timers', item(2, 1, 0, 0x1d, 0), '06'],
    ['timers of a block', item(0x1d, 1, 10, 0x84, 0), '06'],
    ['a symbolic address', hex('1208b2ff000000000000'), '06'],
  ]
  for (const [name, one, code] of cases) {
    const good = item(2, 1, 0, 0x83, 0)
    const bytes = await write('00040008 4100 00040008 4200 00040008 43', good, one, good)
    assert.equal(bytes.data, `ff${code}ff`, name)
    assert.equal((await read(good, one, good)).data, `ff04000843 00${code}000000ff04000843`.replace(' ', ''), name)
  }
  controller.program = undefined
  assert.equal((await read(item(2, 1, 0, 0x83, 0))).data, '0a000000')
})

test('answers that do not fit into the PDU are refused, those that just do are given', async () => {
  const small = await readyClient(port.port, 240)
  const most = 240 - 12 - 2 - 4
  assert.equal((await small.job(items(4, item(2, most, 10, 0x84, 0)))).data.length, most + 4)
  assert.equal((await small.job(items(4, item(2, most + 1, 10, 0x84, 0)))).error, 0x8500)
  assert.equal((await small.job(items(4, item(15, 0xffff, 10, 0x84, 0)))).error, 0)
  small.close()
})

test('items that contradict their frame are refused as a whole', async () => {
  const good = item(2, 1, 0, 0x83, 0)
  for (const parameters of [
    hex('04'),
    hex('0400'),
    items(4, good).subarray(0, 10),
    Buffer.concat([hex('0402'), good]),
    hex(`0401130a${'00'.repeat(10)}`),
    Buffer.concat([items(4, good), hex('00')]),
  ])
    assert.equal((await client.job(parameters)).error, 0x8104, parameters.toString('hex'))
  for (const data of ['', '000400', '00040010 01', '00040008 01 00 00'])
    assert.equal((await client.job(items(5, good), data.replaceAll(' ', ''))).error, 0x8104, data)
  assert.equal(controller.writes.length, 0)
})

test('a write is one write: inputs at the periphery, bits with masks', async () => {
  controller.memory[areas.M.address + 2] = 0b1010_0000
  controller.memory[areas.Q.address] = 0xff
  assert.deepEqual(
    await write(
      '00040008 7e00 00030001 0100 00030001 0000 00070004 40490fdb 00040010 1234',
      item(2, 1, 0, 0x81, 3 * 8),
      item(1, 1, 0, 0x83, 2 * 8 + 1),
      item(1, 1, 0, 0x82, 7),
      item(8, 1, 10, 0x85, 4 * 8),
      item(4, 1, 0, 0x80, 16),
    ),
    { error: 0, data: 'ffffffffff' },
  )
  assert.equal(controller.writes.length, 1)
  const at = (address: number, size: number) =>
    Buffer.from(controller.memory.slice(address, address + size)).toString('hex')
  assert.equal(at(areas.PI.address + 3, 1), '7e')
  assert.equal(at(areas.I.address + 3, 1), '00')
  assert.equal(at(areas.M.address + 2, 1), 'a2')
  assert.equal(at(areas.Q.address, 1), '7f')
  assert.equal(at(db + 4, 4), '40490fdb')
  assert.equal(at(areas.PQ.address + 2, 2), '1234')
})

test('data that do not fit their item are not written, the others are', async () => {
  const word = item(4, 1, 0, 0x83, 0)
  const cases: readonly (readonly [string, string])[] = [
    ['three bytes', '00040018 01020300'],
    ['a bit', '00030001 0100'],
    ['no mark', '00000002 0102'],
  ]
  for (const [name, data] of cases) assert.equal((await write(`${data} 00040010 abcd`, word, word)).data, '07ff', name)
  assert.equal((await write('00040008 01', item(1, 1, 0, 0x83, 0))).data, '07')
  // A double integer: some clients write its length in bytes, others in bits.
  for (const length of ['0004', '0020'])
    assert.equal((await write(`0006${length} 00000001`, item(7, 1, 10, 0x84, 0))).data, 'ff')
})

test('counters are BCD words that can be set; timers show the time left', async () => {
  const view = new DataView(controller.memory.buffer)
  view.setInt16(areas.C.address + 8 * 5, 123, true)
  assert.equal((await read(item(0x1c, 2, 0, 0x1c, 4))).data, 'ff09000400000123')
  assert.equal((await write('00090002 0987', item(0x1c, 1, 0, 0x1c, 7))).data, 'ff')
  assert.equal(view.getInt16(areas.C.address + 8 * 7, true), 987)
  assert.equal((await write('00090002 0a00', item(0x1c, 1, 0, 0x1c, 7))).data, '07')

  const second = 1_000_000_000n
  const timer = (number: number, start: bigint, preset: bigint, unit: bigint, isRunning: number) => {
    const at = areas.T.address + 32 * number
    view.setBigInt64(at, start, true)
    view.setBigInt64(at + 8, preset, true)
    view.setBigInt64(at + 16, unit, true)
    view.setUint8(at + 24, isRunning)
  }
  controller.clock = 100n * second
  timer(1, 95n * second, 20n * second, second / 10n, 1)
  timer(2, 95n * second, 20n * second, second, 0)
  timer(3, 0n, 20n * second, second, 1)
  timer(4, 99n * second, 9000n * second, 10n * second, 1)
  // 150 x 100 ms; 0 s because it does not run; 0 s because it is over; 8999 s in units of 10 s.
  assert.equal((await read(item(0x1d, 4, 0, 0x1d, 1))).data, 'ff0900081150200020003900')
  assert.equal((await write('00090002 0001', item(0x1d, 1, 0, 0x1d, 1))).data, '03')
})

test('a program that is loaded while a read waits: the read is done again', async () => {
  controller.memory[0x3000] = 1
  controller.memory[0x3100] = 2
  controller.onRead = () => {
    controller.onRead = () => {}
    const next = fakeProgram()
    const linked = { ...next.compiled.linked, dataBlocks: new Map([['valves', { address: 0x3100, size: 100 }]]) }
    controller.program = { ...next, compiled: { ...next.compiled, linked } }
  }
  assert.equal((await read(item(2, 1, 10, 0x84, 0))).data, 'ff04000802')
  controller.onRead = () => {
    controller.program = fakeProgram()
  }
  assert.equal((await read(item(2, 1, 10, 0x84, 0))).error, 0x8001)
})

test('jobs are answered in their order, however many are under way', async () => {
  const { dataTransfer, request } = await import('../../../test/s7.ts')
  for (let i = 1; i <= 50; i++) {
    client.send(dataTransfer(request(1, items(5, item(2, 1, 0, 0x83, 0)), Buffer.from([0, 4, 0, 8, i]), i * 2)))
    client.send(dataTransfer(request(1, items(4, item(2, 1, 0, 0x83, 0)), Buffer.alloc(0), i * 2 + 1)))
  }
  for (let i = 1; i <= 50; i++) {
    assert.equal((await client.pdu()).readUInt16BE(4), i * 2)
    const answer = await client.pdu()
    assert.equal(answer.readUInt16BE(4), i * 2 + 1)
    assert.equal(answer.at(-1), i)
  }
})
