/** GET and PUT with a real partner: the frames that are sent, and what becomes of each kind of answer. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { FakeController, hex, silentLog } from '../../../test/s7.ts'
import type { ConfiguredConnection } from '../controller/contract.ts'
import { PacketReader } from '../s7/transport.ts'
import { S7Clients } from './s7-jobs.ts'

const confirmed = hex('0300 0016 11 d0 0001 0002 00 c0010a c1020100 c2020301')
const setUp = hex('0300 001b 02f080 32 03 0000 0000 0008 0000 00 00 f0 00 0001 0001 01e0')
/** An answer to a job in one packet; `error`: class and code of its header. */
function answered(parameters: string, data: string, error = '0000'): Buffer {
  const [own, bytes] = [hex(parameters), hex(data)]
  const head = hex(`32 03 0000 0001 0000 0000 ${error}`)
  head.writeUInt16BE(own.length, 6)
  head.writeUInt16BE(bytes.length, 8)
  return packet(Buffer.concat([head, own, bytes]))
}
function packet(pdu: Buffer, mark = 0x80): Buffer {
  const head = Buffer.from([3, 0, 0, 0, 2, 0xf0, mark])
  head.writeUInt16BE(7 + pdu.length, 2)
  return Buffer.concat([head, pdu])
}

type Reply = Buffer | 'end' | undefined

/** A partner on loopback that gives these answers, one after the other, and the frames that it received. */
async function partner(t: TestContext, ...replies: Reply[]) {
  const sockets = new Set<Socket>()
  const received: string[] = []
  let connections = 0
  const listening = createServer((socket) => {
    sockets.add(socket)
    connections++
    const packets = new PacketReader(8192)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const one of packets.read(chunk)) {
        received.push(one.toString('hex'))
        const reply = replies.shift()
        if (reply === 'end') socket.end()
        else if (reply) socket.write(reply)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const clients = new S7Clients(silentLog)
  t.after(() => {
    clients.close()
    listening.close()
    for (const socket of sockets) socket.destroy()
  })
  const partnerPort = (listening.address() as AddressInfo).port
  const connection = { id: 1, kind: 's7', partnerAddress: '127.0.0.1', partnerPort } as ConfiguredConnection
  return { clients, connection, received, replies, connections: () => connections }
}

const flags = { pointer: hex('10 02 0003 0000 83 000050') }
const word = { pointer: hex('10 02 0002 0001 84 000010') }
const bit = { pointer: hex('10 01 0001 0000 83 00000b') }
const controller = new FakeController()

test('a connection is made and set up, then jobs are sent: rack, slot, references, items and data', async (t) => {
  const { clients, connection, received } = await partner(
    t,
    confirmed,
    setUp,
    answered('04 02', 'ff 04 0018 010203 00 ff 04 0010 0405'),
    answered('05 03', 'ff 0a ff'),
  )
  const to = { ...connection, rack: 2, slot: 3 }
  assert.deepEqual(await clients.run(controller, to, false, [flags, word]), {
    kind: 'done',
    items: [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5)],
  })
  const writes = [
    { ...flags, data: Uint8Array.of(7, 8, 9) },
    { ...bit, data: Uint8Array.of(1) },
    { ...flags, data: Uint8Array.of(5, 6, 7) },
  ]
  assert.deepEqual(await clients.run(controller, to, true, writes), {
    kind: 'done',
    items: [new Uint8Array(0), undefined, new Uint8Array(0)],
  })
  const plain = (text: string) => text.replaceAll(/\s/g, '')
  assert.deepEqual(received, [
    plain('11 e0 0000 0001 00 c0010a c1020100 c20203 43'),
    plain('02f080 32 01 0000 0000 0008 0000 f0 00 0001 0001 03c0'),
    plain('02f080 32 01 0000 0001 001a 0000 04 02 120a 10020003000083000050 120a 10020002000184000010'),
    // A fill byte follows odd data, but not the last; a bit counts as one bit.
    plain(
      `02f080 32 01 0000 0002 0026 0015 05 03 120a 10020003000083000050 120a 1001000100008300000b
       120a 10020003000083000050 0004 0018 070809 00 0003 0001 01 00 0004 0018 050607`,
    ),
  ])
})

test('what a partner answers is taken by its type marks, or is no answer', async (t) => {
  const good = '04 01'
  const items = (...parts: (number[] | undefined)[]) => ({
    kind: 'done',
    items: parts.map((part) => part && Uint8Array.from(part)),
  })
  const failed = { kind: 'failed' }
  const cases: [what: string, reply: Buffer, answer: unknown][] = [
    ['bytes, counted in bits', answered(good, 'ff 04 0010 0102'), items([1, 2])],
    ['a bit', answered(good, 'ff 03 0001 01'), items([1])],
    ['nine bits are two bytes', answered(good, 'ff 03 0009 0101'), items([1, 1])],
    ['Int, counted in bits', answered(good, 'ff 05 0010 0102'), items([1, 2])],
    ['DInt, counted in bytes', answered(good, 'ff 06 0004 01020304'), items([1, 2, 3, 4])],
    ['Real, counted in bytes', answered(good, 'ff 07 0004 3f800000'), items([0x3f, 0x80, 0, 0])],
    ['octets, counted in bytes', answered(good, 'ff 09 0003 010203'), items([1, 2, 3])],
    ['an item that is not there', answered(good, '0a 00 0000'), items(undefined)],
    ['nothing of an item that is not there', answered(good, '05 04 0010'), items(undefined)],
    ['fewer bytes than are told', answered(good, 'ff 04 0018 0102'), failed],
    ['half a head', answered(good, 'ff 04 00'), failed],
    ['nothing', answered(good, ''), failed],
    ['an error of the whole job', answered(good, 'ff 04 0010 0102', '8500'), failed],
    ['another protocol', packet(Buffer.concat([hex('72 03 0000 0001 0002 0006 0000 04 01 ff 04 0010 0102')])), failed],
    ['a frame too short', packet(hex('32 03 0000 0001 0000 0000 00')), failed],
  ]
  const { clients, connection } = await partner(t, confirmed, setUp, ...cases.map(([, reply]) => reply))
  for (const [what, , answer] of cases)
    assert.deepEqual(await clients.run(controller, connection, false, [word]), answer, what)
})

test('answers of several items: fill bytes, items without data between others, and too few of them', async (t) => {
  const { clients, connection } = await partner(
    t,
    confirmed,
    setUp,
    answered('04 03', 'ff 04 0008 01 00 0a 00 0000 ff 09 0003 020304'),
    answered('04 03', 'ff 04 0008 01 00 ff 04 0008 02'),
    answered('05 03', 'ff ff'),
    answered('05 02', '0a 05'),
    answered('05 01', 'ff', '0001'),
  )
  const read = () => clients.run(controller, connection, false, [word, word, word])
  assert.deepEqual(await read(), {
    kind: 'done',
    items: [Uint8Array.of(1), undefined, Uint8Array.of(2, 3, 4)],
  })
  assert.deepEqual(await read(), { kind: 'failed' })
  const write = (count: number) =>
    clients.run(
      controller,
      connection,
      true,
      Array.from({ length: count }, () => ({ ...word, data: Uint8Array.of(1, 2) })),
    )
  assert.deepEqual(await write(3), { kind: 'failed' })
  assert.deepEqual(await write(2), { kind: 'done', items: [undefined, undefined] })
  assert.deepEqual(await write(1), { kind: 'failed' })
})

test('an answer may come in parts; a refusal, an unknown packet and an end are told, and the next job connects anew', async (t) => {
  const parts = Buffer.concat([
    packet(hex('32 03 0000 0001 0002 0006 0000'), 0),
    packet(hex('04 01 ff 04'), 0),
    packet(hex('0010 0102')),
  ])
  const { clients, connection, replies, connections, received } = await partner(t, confirmed, setUp, parts, 'end')
  const get = (to: ConfiguredConnection = connection) => clients.run(controller, to, false, [word])
  const done = { kind: 'done', items: [Uint8Array.of(1, 2)] }
  assert.deepEqual(await get(), done)
  await assert.rejects(get(), /the partner has closed the connection/)
  assert.equal(connections(), 1)
  // Set-up is refused by an error in the header of the answer.
  replies.push(confirmed, hex('0300 001b 02f080 32 03 0000 0000 0008 0000 81 04 f0 00 0001 0001 01e0'))
  await assert.rejects(get(), /refused to set up communication/)
  replies.push(confirmed, packet(hex('32 03 0000 0000 0000 0000 00')))
  await assert.rejects(get(), /refused to set up communication/)
  // A disconnect request instead of a confirmation, and what is no packet at all.
  replies.push(hex('0300 000b 06 80 0001 0002 01'))
  await assert.rejects(get(), /closed the connection/)
  replies.push(confirmed, hex('0500 000b 06 80 0001 0002 01'))
  await assert.rejects(get(), /closed the connection/)
  assert.equal(connections(), 5)
  replies.push(confirmed, setUp, parts, parts)
  assert.deepEqual([await get(), await get()], [done, done])
  assert.equal(connections(), 6)
  // Another connection of the controller has a socket of its own; so has the same one with another partner.
  replies.push(confirmed, setUp, parts)
  assert.deepEqual(await get({ ...connection, id: 2 }), done)
  for (const change of [{ slot: 2 }, { rack: 1 }]) {
    replies.push(confirmed, setUp, parts)
    assert.deepEqual(await get({ ...connection, ...change }), done)
  }
  assert.equal(connections(), 9)
  // What is in the way of each other waits its turn.
  replies.push(confirmed, setUp, parts, parts, parts)
  assert.deepEqual(await Promise.all([get(), get(), get()]), [done, done, done])
  const references = received.slice(-3).map((frame) => frame.slice(14, 18))
  assert.deepEqual(references, ['0001', '0002', '0003'])
  clients.forget(controller)
  replies.push(confirmed, setUp, parts)
  assert.deepEqual(await get(), done)
  assert.equal(connections(), 11)
  const nobody = { ...connection, id: 3, partnerPort: 1 }
  await assert.rejects(get(nobody), /ECONNREFUSED/)
})
