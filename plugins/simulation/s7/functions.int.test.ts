/** User data, start and stop, in raw frames. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeController, hex, openPort, type RawClient, readyClient } from '../../../test/s7.ts'
import type { DiagnosticEntry, Force } from '../controller/contract.ts'
import { dateAndTime, readDateAndTime } from './date-and-time.ts'

async function withClient(
  body: (client: RawClient, controller: FakeController) => Promise<void>,
  pduLength = 960,
): Promise<void> {
  const controller = new FakeController()
  const port = await openPort(controller, {
    identify: () => ({ orderNumber: '6ES7 516-3AN02-0AB0', typeName: 'CPU 1516-3 PN/DP', firmware: 'V3.1.4' }),
  })
  const client = await readyClient(port.port, pduLength)
  try {
    await body(client, controller)
  } finally {
    client.close()
    await port.close()
  }
}

const text = (bytes: Buffer | undefined, from: number, length: number) =>
  (bytes?.toString('latin1', from, from + length) ?? '').replace(/[\0 ]+$/, '')

test('the CPU identifies itself', () =>
  withClient(async (client) => {
    const module = await client.statusList(0x0011)
    assert.deepEqual([module.error, module.code, module.count], [0, 0xff, 3])
    assert.deepEqual(
      module.records.map((record) => record.readUInt16BE(0)),
      [1, 6, 7],
    )
    assert.equal(text(module.records[0], 2, 20), '6ES7 516-3AN02-0AB0')
    assert.deepEqual([...(module.records[2]?.subarray(24) ?? [])], [0x56, 3, 1, 4])
    const one = await client.statusList(0x0111, 1)
    assert.deepEqual(one.records, module.records.slice(0, 1))
    const components = await client.statusList(0x001c)
    assert.deepEqual(
      components.records.map((record) => [record.readUInt16BE(0), text(record, 2, 32)]),
      [
        [1, 'PLC_1'],
        [2, 'PLC_1'],
        [3, ''],
        [4, 'Virtual controller'],
        [5, ''],
        [7, 'CPU 1516-3 PN/DP'],
      ],
    )
    assert.deepEqual((await client.statusList(0x011c, 7)).records, components.records.slice(5))
  }))

test('the operating state and its LEDs are told', () =>
  withClient(async (client, controller) => {
    const states = { Run: 8, Stop: 4, Startup: 5, Freeze: 10 } as const
    const leds = { Run: [1, 0], Stop: [0, 1], Startup: [1, 0], Freeze: [0, 0] } as const
    for (const state of ['Run', 'Stop', 'Startup', 'Freeze'] as const) {
      controller.go(state)
      const list = await client.statusList(0x0424)
      assert.deepEqual([list.count, list.records[0]?.length, list.records[0]?.[3]], [1, 20, states[state]])
      const shown = await client.statusList(0x0074)
      assert.deepEqual(
        shown.records.map((record) => [record.readUInt16BE(0), record[2]]),
        [
          [4, leds[state][0]],
          [5, leds[state][1]],
          [6, 0],
        ],
      )
    }
    Object.assign(controller, { forces: [{ key: '%I0.0', address: 0, bytes: Uint8Array.of(1) }] satisfies Force[] })
    assert.deepEqual((await client.statusList(0x0174, 6)).records, [hex('0006 01 00')])
  }))

test('protection, communication and system areas', () =>
  withClient(async (client, controller) => {
    for (const identifier of [0x0132, 0x0232]) {
      const { records } = await client.statusList(identifier, 4)
      assert.deepEqual([records.length, records[0]?.length], [1, 40])
      assert.equal(records[0]?.toString('hex', 0, 12), '000400010000000100000000')
    }
    // The level of the parameters, and the valid one.
    Object.assign(controller.options, { protectionLevel: 3 })
    const { records } = await client.statusList(0x0232, 4)
    assert.equal(records[0]?.toString('hex', 0, 12), '000400010003000300000000')
    assert.equal((await client.statusList(0x0232, 5)).error, 0xd402)
    const port = (await client.statusList(0x0131, 1)).records[0]
    assert.deepEqual([port?.length, port?.readUInt16BE(2), port?.readUInt16BE(4)], [40, 960, 32])
    for (const index of [2, 3, 4]) {
      const [entry] = (await client.statusList(0x0131, index)).records
      assert.deepEqual([entry?.length, entry?.readUInt16BE(0)], [40, index])
    }
    assert.equal((await client.statusList(0x0131, 99)).error, 0xd402)
    assert.deepEqual(
      (await client.statusList(0x0014)).records.map((record) => record.toString('hex')),
      ['0001000204000000', '0002000204000000', '0003000204000010', '0004000208000000', '0005000208000000'],
    )
  }))

test('the list of lists names all that can be read, nothing else can be', () =>
  withClient(async (client) => {
    const list = await client.statusList(0)
    const known = list.records.map((record) => record.readUInt16BE(0))
    assert.equal(list.count, known.length)
    for (const identifier of known) {
      const answer = await client.statusList(identifier, 1)
      assert.notEqual(answer.error, 0xd401, identifier.toString(16))
      // With this third digit a list contains only the length and number of its records.
      if (identifier >> 8 === 0xf) assert.equal(answer.records.length, 0)
      else if (answer.error === 0) assert.equal(answer.records.length, answer.count, identifier.toString(16))
    }
    for (const identifier of [0x0012, 0x0211, 0x1011, 0xffff]) {
      const answer = await client.statusList(identifier)
      assert.deepEqual([answer.error, answer.code, answer.payload.length], [0xd401, 0x0a, 0])
    }
    assert.equal((await client.statusList(0x0111, 99)).error, 0xd402)
  }))

const diagnostics: DiagnosticEntry[] = Array.from({ length: 100 }, (_, i) => ({
  number: 100 - i,
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 6) - i * 1000,
  severity: 'error',
  code: i % 2 === 0 ? 'cycle-time-exceeded' : 'something-new',
  ...(i % 2 === 0 ? { eventId: 0x3501 } : {}),
  message: '',
}))

test('the diagnostics buffer comes in parts when it is longer than a PDU', () =>
  withClient(async (client, controller) => {
    controller.diagnostics = diagnostics
    const list = await client.statusList(0x00a0)
    assert.ok(list.parts > 8)
    assert.deepEqual([list.count, list.records.length], [100, 100])
    assert.deepEqual(
      list.records.map((record) => record.readUInt32BE(8)),
      diagnostics.map(({ number }) => number),
    )
    assert.equal(list.records[0]?.readUInt16BE(0), 0x3501)
    assert.equal(list.records[1]?.readUInt16BE(0), 0xa102)
    assert.equal(list.records[0]?.toString('hex', 12), '2601020304050066')
    assert.equal((await client.statusList(0x01a0, 3)).records.length, 3)
    // Answers that no client requests any more are dropped; a request for a missing part is an error.
    assert.equal((await client.userData(4, 1, undefined, 200, 0x12)).error, 0xd406)
  }, 240))

test('parts of several lists can be asked for in any order', () =>
  withClient(async (client, controller) => {
    controller.diagnostics = diagnostics
    const first = await client.userData(4, 1, hex('00a00000'))
    const second = await client.userData(4, 1, hex('00a00000'))
    assert.notEqual(first.sequence, second.sequence)
    const ofSecond = await client.userData(4, 1, undefined, second.sequence, 0x12)
    // A client that does not say that it requests the next part.
    const ofFirst = await client.userData(4, 1, undefined, first.sequence, 0x11)
    assert.deepEqual([first.hasMore, ofFirst.payload.length > 0], [true, true])
    assert.deepEqual(ofFirst.payload, ofSecond.payload)
    // Another function, or a request with content, asks for no next part.
    assert.equal((await client.userData(7, 1, undefined, first.sequence, 0x11)).payload.length, 10)
    assert.equal((await client.userData(4, 1, hex('0f1c0000'), first.sequence, 0x11)).hasMore, false)
    // Of nine answers with parts that are not requested the one that was asked for longest ago is dropped.
    const more: number[] = []
    for (let i = 0; i < 7; i++) more.push((await client.userData(4, 1, hex('00a00000'))).sequence)
    const next = async (sequence: number) => (await client.userData(4, 1, undefined, sequence, 0x12)).error
    assert.deepEqual([await next(second.sequence), await next(first.sequence)], [0xd406, 0])
    for (const sequence of more) assert.equal(await next(sequence), 0)
  }, 240))

test('blocks are counted, listed and described', () =>
  withClient(async (client, controller) => {
    const counts = (await client.userData(3, 1)).payload
    assert.equal(counts.toString('latin1'), '08\0\x020E\0\x010C\0\x000A\0\x020B\0\x000D\0\x000F\0\x00')
    const list = async (letter: string) => {
      const answer = await client.userData(3, 2, Buffer.from(`0${letter}`))
      return answer.error || answer.payload.toString('hex')
    }
    assert.equal(await list('8'), '0001010200640104')
    assert.equal(await list('A'), '000a2105000b2105')
    assert.equal(await list('C'), 0xd20e)
    assert.equal(await list('X'), 0xd201)
    const info = async (request: string) => client.userData(3, 3, Buffer.from(request))
    const block = (await info('0A00010A')).payload
    assert.deepEqual(
      [block.length, block[1], block[11], block.readUInt16BE(12), block.readUInt32BE(14), block.readUInt16BE(68)],
      [78, 0x41, 0x0a, 10, 2000, 0x1234],
    )
    assert.equal((await info('0E00007A')).payload[10], 4)
    assert.equal((await info('0E00008A')).error, 0xd209)
    assert.equal((await info('0E0000')).error, 0xd201)
    controller.program = undefined
    assert.equal(await list('8'), 0xd20e)
  }))

test('the clock is read and set', () =>
  withClient(async (client, controller) => {
    assert.equal((await client.userData(7, 1)).payload.toString('hex'), '00202605171314156781')
    const set = await client.userData(7, 2, hex('0020 2702282359590004'))
    assert.deepEqual([set.error, set.code], [0, 0xff])
    assert.equal(controller.time, Date.UTC(2027, 1, 28, 23, 59, 59, 0))
    for (const wrong of ['0020 2702302359590004', '0020 27ff282359590004', '0020 2702', ''])
      assert.equal((await client.userData(7, 2, hex(wrong))).error, 0xdc01, wrong)
    assert.equal(controller.time, Date.UTC(2027, 1, 28, 23, 59, 59, 0))
  }))

test('DATE_AND_TIME goes from 1990 to 2089 and back', () => {
  for (const time of [Date.UTC(1990, 0, 1), Date.UTC(2089, 11, 31, 23, 59, 59, 999), Date.UTC(2024, 1, 29, 12)])
    assert.equal(readDateAndTime(dateAndTime(time)), time)
  assert.equal(readDateAndTime(hex('23022900000000')), undefined)
  assert.equal(readDateAndTime(hex('2302290000000000')), undefined)
})

test('there is no password to give', () =>
  withClient(async (client) => {
    assert.equal((await client.userData(5, 1, hex('6464642c2c2c2c2c'))).error, 0xd605)
    assert.equal((await client.userData(5, 2)).error, 0xd604)
  }))

test('functions that do not exist say so, damaged ones too', () =>
  withClient(async (client) => {
    for (const [group, code] of [
      [1, 1],
      [2, 1],
      [4, 2],
      [15, 255],
    ] as const)
      assert.equal((await client.userData(group, code)).error, 0x8104)
    assert.equal((await client.userData(4, 1, hex('0011'))).error, 0x8104)
    for (const code of [0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x77]) {
      const { error, parameters } = await client.job(Buffer.from([code, 0, 0, 0, 0, 0, 0, 0]))
      assert.deepEqual([error, parameters[0]], [0x8104, code])
    }
  }))

const start = (argument: string, service = 'P_PROGRAM') =>
  Buffer.concat([
    hex('28 000000000000fd 00'),
    Buffer.from([argument.length]),
    Buffer.from(argument),
    Buffer.from([service.length]),
    Buffer.from(service),
  ])
const stop = Buffer.concat([hex('29 0000000000 09'), Buffer.from('P_PROGRAM')])

test('a client starts and stops the controller', () =>
  withClient(async (client, controller) => {
    const ask = async (parameters: Buffer) => {
      const answer = await client.job(parameters)
      return [answer.error, answer.parameters.toString('hex')]
    }
    assert.deepEqual(await ask(stop), [0, '29'])
    assert.deepEqual(await ask(stop), [0, '2907'])
    assert.deepEqual(await ask(start('')), [0, '28'])
    assert.deepEqual(await ask(start('')), [0, '2802'])
    assert.deepEqual(await ask(stop), [0, '29'])
    assert.deepEqual(await ask(start('C ')), [0, '28'])
    assert.deepEqual(controller.transitions, ['stop', 'run', 'stop', 'memoryReset', 'run'])
    await ask(stop)
    controller.program = undefined
    // The controller refuses, and the client gets the code for a state that does not allow it.
    assert.deepEqual(await ask(start('')), [0x8001, '2800'])
    assert.deepEqual(await ask(start('', '_DELE')), [0x8104, '2800'])
    assert.deepEqual(await ask(start('EP')), [0x8104, '2800'])
    assert.deepEqual(await ask(start('').subarray(0, 14)), [0x8104, '2800'])
    assert.deepEqual(await ask(stop.subarray(0, 9)), [0x8104, '2900'])
  }))
