/** MB_SERVER with a Modbus client over plain sockets, MB_CLIENT with a small server, and both together in lock step. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { activeConnection, passiveConnection, workProgram } from '../../../test/communication-programs.ts'
import { connected, freePort, openNetwork } from '../../../test/network.ts'
import { until } from '../../../test/until.ts'

const serverProgram = (port: number) =>
  workProgram(
    'registers : Array[0..9] of Word; ndr : Int; dr : Int; errors : Int; status : Word; last : Word;',
    'server : MB_SERVER; connection : TCON_IP_v4;',
    `${passiveConnection(1, port)}
#server(MB_HOLD_REG := "Data".registers, CONNECT := #connection);
"Data".status := #server.STATUS;
IF #server.NDR THEN "Data".ndr := "Data".ndr + 1; END_IF;
IF #server.DR THEN "Data".dr := "Data".dr + 1; END_IF;
IF #server.ERROR THEN "Data".errors := "Data".errors + 1; "Data".last := #server.STATUS; END_IF;`,
  )

const clientProgram = (address: string, port: number) =>
  workProgram(
    'req : Bool; disconnect : Bool; mode : USInt; address : UDInt := 40001; length : UInt := 2; words : Array[0..3] of Word; done : Int; errors : Int; status : Word; last : Word;',
    'client : MB_CLIENT; connection : TCON_IP_v4;',
    `${activeConnection(1, address, port)}
#client(REQ := "Data".req, DISCONNECT := "Data".disconnect, MB_MODE := "Data".mode, MB_DATA_ADDR := "Data".address, MB_DATA_LEN := "Data".length, MB_DATA_PTR := "Data".words, CONNECT := #connection);
"Data".status := #client.STATUS;
IF #client.DONE THEN "Data".done := "Data".done + 1; "Data".req := FALSE; END_IF;
IF #client.ERROR THEN "Data".errors := "Data".errors + 1; "Data".last := #client.STATUS; "Data".req := FALSE; END_IF;`,
  )

/** A Modbus client: asks with a function code and data, and gives the answer without its header. */
class ModbusClient {
  readonly socket: Socket
  #transaction = 0
  #rest = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (data) => {
      this.#rest = Buffer.concat([this.#rest, data])
    })
    socket.on('error', () => {})
  }

  send(...pdu: number[]): void {
    const head = Buffer.alloc(7)
    head.writeUInt16BE(++this.#transaction, 0)
    head.writeUInt16BE(pdu.length + 1, 4)
    head[6] = 1
    this.socket.write(Buffer.concat([head, Buffer.from(pdu)]))
  }

  /** The answer, when it is whole. */
  take(): number[] | undefined {
    if (this.#rest.length < 7) return undefined
    const size = 6 + this.#rest.readUInt16BE(4)
    if (this.#rest.length < size) return undefined
    const frame = this.#rest.subarray(0, size)
    assert.deepEqual([frame.readUInt16BE(0), frame.readUInt16BE(2), frame[6]], [this.#transaction, 0, 1])
    this.#rest = this.#rest.subarray(size)
    return [...frame.subarray(7)]
  }
}

async function withServer(t: TestContext) {
  const port = await freePort()
  const network = await openNetwork(t, { Server: { ipAddress: '192.168.10.1', source: serverProgram(port) } })
  const { call } = network
  await call('simulation.advance', { name: 'Server', cycles: 2 })
  const socket = await connected(t, port)
  const client = new ModbusClient(socket)
  const ask = async (...pdu: number[]) => {
    client.send(...pdu)
    return until(async () => {
      await call('simulation.advance', { name: 'Server', cycles: 2 })
      return client.take()
    }, 'the server answers')
  }
  return { ...network, ask, socket }
}

test('MB_SERVER answers the function codes 1 to 6, 15 and 16', async (t) => {
  const { ask, read, write } = await withServer(t)
  await write('Server', 'Data.registers', [0x1122, 0x3344, 5, 6, 7, 8, 9, 10, 11, 12])
  assert.deepEqual(await ask(3, 0, 0, 0, 2), [3, 4, 0x11, 0x22, 0x33, 0x44])
  assert.deepEqual(await ask(6, 0, 2, 0xab, 0xcd), [6, 0, 2, 0xab, 0xcd])
  assert.deepEqual(await ask(16, 0, 3, 0, 2, 4, 0, 1, 0, 2), [16, 0, 3, 0, 2])
  assert.deepEqual(
    ((await read('Server', 'Data.registers'))[0] as number[]).slice(0, 6),
    [0x1122, 0x3344, 0xabcd, 1, 2, 8],
  )
  // Coils are the outputs, discrete inputs and input registers the inputs.
  assert.deepEqual(await ask(5, 0, 3, 0xff, 0), [5, 0, 3, 0xff, 0])
  assert.deepEqual(await ask(15, 0, 8, 0, 10, 2, 0b10110101, 0b11), [15, 0, 8, 0, 10])
  assert.deepEqual(await read('Server', '%QB0', '%QB1', '%QB2'), [8, 0b10110101, 3])
  assert.deepEqual(await ask(1, 0, 0, 0, 18), [1, 3, 8, 0b10110101, 3])
  await write('Server', '%IB0', 0x81)
  await write('Server', '%IB1', 0x42)
  assert.deepEqual(await ask(2, 0, 0, 0, 9), [2, 2, 0x81, 0])
  assert.deepEqual(await ask(4, 0, 0, 0, 1), [4, 2, 0x81, 0x42])
  assert.deepEqual(await read('Server', 'Data.ndr', 'Data.dr', 'Data.errors'), [2, 1, 0])
})

test('MB_SERVER refuses what is not allowed with the exception of the protocol, and goes on', async (t) => {
  const { ask, read, socket, call } = await withServer(t)
  assert.deepEqual(await ask(3, 0, 9, 0, 2), [0x83, 2])
  assert.deepEqual(await read('Server', 'Data.last'), [0x8383])
  assert.deepEqual(await ask(3, 0, 0, 0, 0), [0x83, 3])
  assert.deepEqual(await ask(3, 0, 0, 0, 126), [0x83, 3])
  assert.deepEqual(await ask(16, 0, 0, 0, 2, 3, 0, 0, 0), [0x90, 3])
  assert.deepEqual(await ask(5, 0, 0, 1, 0), [0x85, 3])
  assert.deepEqual(await ask(0x2b, 0, 0), [0xab, 1])
  assert.deepEqual(await read('Server', 'Data.last'), [0x8381])
  assert.deepEqual(await ask(3, 0, 0, 0, 1), [3, 2, 0, 0])
  // Rubbish ends the connection; the server waits for the next client.
  const closed = once(socket, 'close')
  socket.write(Buffer.alloc(20, 0xff))
  await until(async () => {
    await call('simulation.advance', { name: 'Server', cycles: 2 })
    return socket.destroyed
  }, 'the connection is closed')
  await closed
  await call('simulation.advance', { name: 'Server', cycles: 2 })
  assert.deepEqual(await read('Server', 'Data.status'), [0x7002])
})

test('MB_CLIENT reads and writes a real server, and says what the server refuses', async (t) => {
  const seen: number[][] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const pdu = [...data.subarray(7)]
      seen.push(pdu)
      const answer =
        pdu[0] === 3
          ? [3, 4, 0xca, 0xfe, 0xba, 0xbe]
          : pdu[0] === 1
            ? [1, 1, 0b101]
            : pdu[0] === 4
              ? [0x84, 2]
              : pdu.slice(0, 5)
      // Function code 2 gets no answer.
      if (pdu[0] === 2) return
      const head = Buffer.from(data.subarray(0, 7))
      head.writeUInt16BE(answer.length + 1, 4)
      const frame = Buffer.concat([head, Buffer.from(answer)])
      // In two pieces.
      socket.write(frame.subarray(0, 5))
      setTimeout(() => socket.write(frame.subarray(5)), 5)
    })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { read, write, wait, call } = await openNetwork(t, {
    Client: { ipAddress: '192.168.10.1', source: clientProgram('127.0.0.1', port) },
  })
  const ask = async (mode: number, address: number, length: number) => {
    const [done = 0, errors = 0] = (await read('Client', 'Data.done', 'Data.errors')) as number[]
    for (const [tag, value] of Object.entries({ mode, address, length, req: true }))
      await write('Client', `Data.${tag}`, value)
    return until(async () => {
      await call('simulation.advance', { name: 'Client', cycles: 20 })
      const [d, e, last] = (await read('Client', 'Data.done', 'Data.errors', 'Data.last')) as number[]
      return d !== done ? 'done' : e !== errors && last
    }, 'the instruction is done')
  }
  const words = async () => (await read('Client', 'Data.words'))[0]
  assert.equal(await ask(0, 40_001, 2), 'done')
  assert.deepEqual(await words(), [0xcafe, 0xbabe, 0, 0])
  assert.equal(await ask(1, 40_003, 2), 'done')
  assert.deepEqual(seen.at(-1), [16, 0, 2, 0, 2, 4, 0xca, 0xfe, 0xba, 0xbe])
  assert.equal(await ask(1, 40_011, 1), 'done')
  assert.deepEqual(seen.at(-1), [6, 0, 10, 0xca, 0xfe])
  assert.equal(await ask(2, 40_011, 1), 'done')
  assert.deepEqual(seen.at(-1), [16, 0, 10, 0, 1, 2, 0xca, 0xfe])
  assert.equal(await ask(0, 1, 3), 'done')
  assert.deepEqual(seen.at(-1), [1, 0, 0, 0, 3])
  assert.equal(await ask(103, 7, 2), 'done')
  assert.deepEqual(seen.at(-1), [3, 0, 7, 0, 2])
  assert.equal(await ask(0, 30_001, 1), 0x8383)
  assert.equal(await ask(7, 1, 1), 0x8188)
  assert.equal(await ask(0, 20_000, 1), 0x8189)
  assert.equal(await ask(0, 40_001, 126), 0x818a)
  assert.equal(await ask(0, 40_001, 5), 0x818b)
  // Two seconds of virtual time without an answer.
  assert.equal(await ask(0, 10_001, 1), 0x80c8)
  assert.equal(await ask(0, 40_001, 2), 'done')
  await write('Client', 'Data.disconnect', true)
  await wait('Client', 'Data.status', 0x7000)
})

test('MB_CLIENT and MB_SERVER of two controllers in lock step: the same steps each time', async (t) => {
  const run = async (port: number) => {
    const { until, read, write } = await openNetwork(t, {
      Client: { ipAddress: '192.168.10.1', source: clientProgram('192.168.10.2', port) },
      Server: { ipAddress: '192.168.10.2', source: serverProgram(port) },
    })
    await write('Server', 'Data.registers', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await until('Server', 'Data.status', 0x7002)
    await write('Client', 'Data.req', true)
    const first = await until('Client', 'Data.done', 1)
    assert.deepEqual((await read('Client', 'Data.words'))[0], [1, 2, 0, 0])
    await write('Client', 'Data.mode', 1)
    await write('Client', 'Data.address', 40_005)
    await write('Client', 'Data.req', true)
    const second = await until('Client', 'Data.done', 2)
    assert.deepEqual((await read('Server', 'Data.registers'))[0], [1, 2, 3, 4, 1, 2, 7, 8, 9, 10])
    return [first.end, first.steps, second.end, second.steps]
  }
  const [one, two] = [await run(await freePort()), await run(await freePort())]
  assert.deepEqual(one, two)
  assert.equal(one[0], 'condition')
})
