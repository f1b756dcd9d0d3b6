/** Connections: opening, sizes, parts of packets, limits, faults. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  connectRequest,
  dataTransfer,
  FakeController,
  hex,
  item,
  items,
  openPort,
  RawClient,
  readyClient,
  request,
} from '../../../test/s7.ts'

const setup = (length: string) => request(1, hex(`f000 0003 0010 ${length}`), Buffer.alloc(0))
const readFlags = (count: number) => request(1, items(4, item(2, count, 0, 0x83, 0)), Buffer.alloc(0))

test('a connection is confirmed with the TSAPs and the smaller size, and communication is set up', async () => {
  const port = await openPort(new FakeController())
  const client = new RawClient(port.port)
  client.send(connectRequest('0101', 'c0010d'))
  const confirm = await client.packet()
  assert.equal(confirm?.toString('hex'), `11d00001${confirm?.subarray(4, 6).toString('hex')}00c0010ac1020100c2020101`)
  client.send(dataTransfer(setup('01e0')))
  // At most 960 bytes and 8 jobs in each direction; here what the client requested, except for its 16 jobs.
  assert.equal((await client.pdu()).toString('hex'), `320300000001000800000000${'f0000003000801e0'}`)
  assert.deepEqual(
    port.connections.map(({ controller, rack, slot, pduLength }) => ({ controller, rack, slot, pduLength })),
    [{ controller: 'PLC_1', rack: 0, slot: 1, pduLength: 480 }],
  )
  client.send(dataTransfer(setup('ffff')))
  assert.equal((await client.pdu()).readUInt16BE(18), 960)
  client.send(dataTransfer(setup('0010')))
  assert.equal((await client.pdu()).readUInt16BE(10), 0x8500)
  client.close()
  await port.close()
})

test('a TSAP of S7 reaches the CPU; another one, and a rack and slot without a CPU or without power, is refused', async () => {
  const controller = new FakeController()
  const port = await openPort(controller)
  const ask = async (bytes: Buffer) => {
    const client = new RawClient(port.port)
    client.send(bytes)
    const answer = await client.packet()
    client.close()
    return { kind: answer?.[1], reason: answer?.[6] }
  }
  const named = (tsap: Buffer) => {
    const bytes = Buffer.concat([hex('03000000 00 e0 0000 0001 00 c1020100 c2'), Buffer.from([tsap.length]), tsap])
    bytes.writeUInt16BE(bytes.length, 2)
    bytes[4] = bytes.length - 5
    return bytes
  }
  assert.equal((await ask(named(Buffer.from('SIMATIC-ROOT-HMI')))).kind, 0xd0)
  for (const kind of ['01', '02', '03']) assert.equal((await ask(connectRequest(`${kind}01`))).kind, 0xd0, kind)
  for (const tsap of [Buffer.alloc(27, 0x41), Buffer.alloc(0), hex('0001'), hex('1001'), hex('ff01')])
    assert.deepEqual(await ask(named(tsap)), { kind: 0x80, reason: 3 }, tsap.toString('hex'))
  assert.deepEqual(await ask(connectRequest('0102')), { kind: 0x80, reason: 3 })
  controller.go('Off')
  assert.deepEqual(await ask(connectRequest()), { kind: 0x80, reason: 2 })
  await port.close()
})

test('packets may be cut anywhere and arrive together', async () => {
  const controller = new FakeController()
  controller.memory.set([1, 2, 3, 4], 0x1800)
  const port = await openPort(controller)
  const stream = Buffer.concat([
    connectRequest(),
    dataTransfer(setup('03c0')),
    ...Array.from({ length: 20 }, () => dataTransfer(readFlags(4))),
  ])
  for (const sizes of [[stream.length], [1], [3, 7], [60, 1]]) {
    const client = new RawClient(port.port)
    client.socket.setNoDelay(true)
    for (let at = 0, i = 0; at < stream.length; i++) {
      const size = sizes[i % sizes.length] ?? 1
      client.send(stream.subarray(at, at + size))
      at += size
      await new Promise(setImmediate)
    }
    await client.packet()
    await client.pdu()
    for (let i = 0; i < 20; i++) assert.equal((await client.pdu()).subarray(-4).toString('hex'), '01020304')
    client.close()
  }
  await port.close()
})

test('large answers go out in as many data transfers as the transport size asks for, requests may come so', async () => {
  const controller = new FakeController()
  controller.memory.fill(0x55, 0x1800, 0x1c00)
  const port = await openPort(controller)
  const client = new RawClient(port.port)
  client.send(connectRequest('0101', 'c00107'))
  await client.packet()
  const whole = setup('03c0')
  client.send(dataTransfer(whole.subarray(0, 5), false))
  client.send(dataTransfer(whole.subarray(5)))
  await client.pdu()
  client.send(dataTransfer(readFlags(900)))
  const sizes: number[] = []
  for (let isLast = false; !isLast; ) {
    const packet = await client.packet()
    assert.ok(packet)
    sizes.push(packet.length)
    isLast = ((packet[2] ?? 0) & 0x80) !== 0
  }
  assert.deepEqual(sizes.slice(0, -1), Array(sizes.length - 1).fill(128))
  assert.equal(
    sizes.reduce((sum, size) => sum + size - 3, 0),
    12 + 2 + 4 + 900,
  )
  client.close()
  await port.close()
})

test('what is not the protocol closes the connection', async () => {
  const port = await openPort(new FakeController())
  const faults: Readonly<Record<string, Buffer[]>> = {
    HTTP: [Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    'TPKT too short': [hex('03000004')],
    'TPKT too long': [hex('0300ffff')],
    'transport header beyond its packet': [hex('03000007 ff e0 00')],
    'transport class 2': [hex('0300000b 06 e0 0000 0001 20')],
    'connect parameter beyond its header': [hex('0300000e 09 e0 0000 0001 00 c0 05 0a')],
    'data before a connection': [dataTransfer(setup('03c0'))],
    'a second connect request': [connectRequest(), connectRequest()],
    'a job before communication is set up': [connectRequest(), dataTransfer(readFlags(1))],
    'S7comm-plus': [connectRequest(), dataTransfer(hex('72010000000000000000'))],
    'an answer instead of a request': [connectRequest(), dataTransfer(request(3, hex('0401'), Buffer.alloc(0)))],
    'a PDU shorter than it says': [connectRequest(), dataTransfer(setup('03c0').subarray(0, 14))],
    'a PDU without end': [connectRequest(), ...Array.from({ length: 3 }, () => dataTransfer(Buffer.alloc(400), false))],
    'empty parts without end': [
      connectRequest(),
      ...Array.from({ length: 1000 }, () => dataTransfer(Buffer.alloc(0), false)),
    ],
    'a request to disconnect': [connectRequest(), hex('0300000b 06 80 0001 0001 00')],
    'transport size of nothing': [connectRequest('0101', 'c00100')],
  }
  for (const [name, frames] of Object.entries(faults)) {
    const client = new RawClient(port.port)
    client.send(Buffer.concat(frames))
    while (await client.packet()) {}
    assert.ok(client.isClosed, name)
  }
  await port.close()
})

test('connections end when the controller loses power, when they are idle, and with the port', async () => {
  const controller = new FakeController()
  const port = await openPort(controller)
  const first = await readyClient(port.port)
  controller.go('Stop')
  assert.equal((await first.job(items(4, item(2, 1, 0, 0x83, 0)))).error, 0)
  controller.go('Off')
  assert.equal(await first.packet(), undefined)
  assert.equal(controller.events.listenerCount('state'), 0)
  controller.go('Run')
  const second = await readyClient(port.port)
  await port.close()
  assert.equal(await second.packet(), undefined)

  const impatient = await openPort(controller, { handshakeTimeoutMs: 20 })
  const silent = new RawClient(impatient.port)
  assert.equal(await silent.packet(), undefined)
  await impatient.close()
  const strict = await openPort(controller, { idleTimeoutMs: 20 })
  const idle = await readyClient(strict.port)
  assert.equal(await idle.packet(), undefined)
  await strict.close()
})

test('more connections than allowed are closed at once', async () => {
  const port = await openPort(new FakeController(), { maximumConnections: 2 })
  const clients = [await readyClient(port.port), await readyClient(port.port)]
  const third = new RawClient(port.port)
  assert.equal(await third.packet(), undefined)
  assert.equal(port.connections.length, 2)
  for (const client of clients) client.close()
  await port.close()
})

test('a port that is taken is an error that says so', async () => {
  const port = await openPort(new FakeController())
  await assert.rejects(openPort(new FakeController(), { port: port.port }), { code: 'EADDRINUSE' })
  await port.close()
})

test('a client that does not read is not read from until it does', async () => {
  const controller = new FakeController()
  const port = await openPort(controller)
  const client = await readyClient(port.port)
  client.socket.pause()
  const wanted = 40_000
  const ask = dataTransfer(readFlags(900))
  client.send(Buffer.concat(Array.from({ length: wanted }, () => ask)))
  // The port stops reading from the controller when the client does not receive its answers: wait until nothing
  // changes.
  for (let before = -1; before !== controller.reads.length; ) {
    before = controller.reads.length
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  assert.ok(controller.reads.length < wanted, `${controller.reads.length} reads for a client that reads nothing`)
  client.socket.resume()
  for (let i = 0; i < wanted; i++) assert.equal((await client.pdu()).length, 12 + 2 + 4 + 900)
  client.close()
  await port.close()
})

/** Frames that are nearly valid, so that every layer is tested. */
const nearlyFrames = fc.oneof(
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => dataTransfer(Buffer.from(bytes))),
  fc
    .tuple(fc.constantFrom(1, 7, 3), fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }))
    .map(([kind, parameters, data]) => dataTransfer(request(kind, Buffer.from(parameters), Buffer.from(data)))),
  fc
    .tuple(
      fc.constantFrom(0x04, 0x05, 0x28, 0x29, 0xf0, 0x1a, 0x1d),
      fc.uint8Array({ maxLength: 40 }),
      fc.uint8Array({ maxLength: 60 }),
    )
    .map(([code, rest, data]) =>
      dataTransfer(request(1, Buffer.concat([Buffer.from([code]), rest]), Buffer.from(data))),
    ),
  fc
    .tuple(
      fc.nat(8),
      fc.nat(255),
      fc.constantFrom(0x81, 0x83, 0x84, 0x1c, 0x1d, 0x80),
      fc.nat(0xffffff),
      fc.uint8Array({ maxLength: 40 }),
    )
    .map(([type, count, where, address, data]) =>
      dataTransfer(
        request(1, items(data.length % 2 ? 4 : 5, item(type, count, 10, where, address)), Buffer.from(data)),
      ),
    ),
  fc
    .tuple(fc.nat(8), fc.nat(5), fc.nat(3), fc.uint8Array({ maxLength: 20 }))
    .map(([group, code, sequence, data]) =>
      dataTransfer(
        request(
          7,
          Buffer.from([0, 1, 0x12, 4, 0x11, 0x40 | group, code, sequence]),
          Buffer.from([0xff, 9, 0, data.length, ...data]),
        ),
      ),
    ),
)

test('no bytes make the port fail, or keep a connection for ever', async () => {
  const controller = new FakeController()
  const faults: object[] = []
  const port = await openPort(controller, { log: { debug() {}, error: (fields) => faults.push(fields) } })
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(nearlyFrames, { maxLength: 12 }), async (isReady, frames) => {
      const client = connect({ host: '127.0.0.1', port: port.port })
      client.on('error', () => {})
      client.resume()
      const closed = new Promise((resolve) => client.on('close', resolve))
      client.end(Buffer.concat([...(isReady ? [connectRequest(), dataTransfer(setup('00f0'))] : []), ...frames]))
      await closed
    }),
    { numRuns: 400 },
  )
  // The port still works, and no connection is left.
  controller.go('Run')
  const client = await readyClient(port.port)
  assert.equal((await client.job(items(4, item(2, 2, 0, 0x83, 0)))).error, 0)
  assert.equal(port.connections.length, 1)
  assert.equal(controller.events.listenerCount('state'), 1)
  assert.deepEqual(faults, [])
  client.close()
  await port.close()
})
