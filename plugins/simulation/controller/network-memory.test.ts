/** The connections of a controller in its thread: what blocks ask for, and what the gateway tells. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConnectionParameters } from '../../../plc/runtime/network.ts'
import { NetworkMemory } from './network-memory.ts'
import { bufferBytes, type NetworkRequest } from './network-messages.ts'

function network() {
  const posted: NetworkRequest[] = []
  const notes: string[] = []
  const memory = new NetworkMemory(
    (request) => posted.push(request),
    (text) => notes.push(text),
  )
  return { memory, notes, posts: () => posted.splice(0) }
}
const tcp: ConnectionParameters = {
  kind: 'tcp',
  isActive: true,
  remoteAddress: '10.0.0.1',
  remotePort: 1,
  localPort: 0,
}
const passive = { ...tcp, isActive: false }
const udp = { ...tcp, kind: 'udp' } as ConnectionParameters
const bytes = (...list: number[]) => Uint8Array.from(list)
const from = { address: '10.0.0.1', port: 7 }

test('a connection is opened, used and closed; an ID is opened again under another number', () => {
  const { memory, posts } = network()
  assert.equal(memory.phase(5), undefined)
  memory.close(5)
  memory.open(5, tcp)
  memory.open(6, passive)
  assert.deepEqual([memory.phase(5), memory.phase(6)], ['connecting', 'listening'])
  assert.deepEqual(memory.parametersOf(5), tcp)
  assert.equal(memory.parametersOf(7), undefined)
  assert.deepEqual(posts(), [
    { kind: 'open', connection: 1, parameters: tcp },
    { kind: 'open', connection: 2, parameters: passive },
  ])
  memory.open(5, udp)
  assert.deepEqual(posts(), [
    { kind: 'close', connection: 1 },
    { kind: 'open', connection: 3, parameters: udp },
  ])
  memory.tell({ kind: 'phase', connection: 1, phase: 'open' })
  assert.equal(memory.phase(5), 'connecting', 'news of a connection that is gone')
  memory.close(6)
  assert.deepEqual(posts(), [{ kind: 'close', connection: 2 }])
  assert.equal(memory.phase(6), undefined)
})

test('what is sent waits while the buffer is full, and is gone when the connection ends', () => {
  const { memory, posts } = network()
  memory.open(1, tcp)
  assert.equal(memory.send(1, bytes(1)), false)
  memory.tell({ kind: 'phase', connection: 1, phase: 'open' })
  posts()
  const data = bytes(1, 2)
  assert.equal(memory.send(1, data), true)
  data[0] = 9
  assert.deepEqual(posts(), [{ kind: 'send', connection: 1, data: bytes(1, 2) }], 'the bytes as they were')
  assert.equal(memory.send(1, new Uint8Array(bufferBytes - 2)), true)
  assert.equal(memory.unsent(1), bufferBytes)
  assert.equal(memory.send(1, bytes(1)), false)
  memory.tell({ kind: 'sent', connection: 1, bytes: 2 })
  assert.equal(memory.send(1, bytes(1, 2, 3)), false)
  assert.equal(memory.send(1, bytes(1, 2), { address: '10.0.0.9', port: 3 }), true)
  assert.deepEqual(posts().at(-1), {
    ...{ kind: 'send', connection: 1, data: bytes(1, 2), to: { address: '10.0.0.9', port: 3 } },
  })
  memory.tell({ kind: 'phase', connection: 1, phase: 'open' })
  assert.equal(memory.unsent(1), bufferBytes)
  memory.tell({ kind: 'phase', connection: 1, phase: 'refused' })
  assert.deepEqual([memory.unsent(1), memory.phase(1), memory.unsent(2)], [0, 'refused', 0])
  memory.tell({ kind: 'phase', connection: 1, phase: 'open' })
  assert.equal(memory.send(1, new Uint8Array(bufferBytes + 1)), true, 'an empty buffer takes anything')
})

test('a stream is read in any pieces, datagrams one by one', () => {
  const { memory, posts } = network()
  memory.open(1, tcp)
  memory.open(2, udp)
  posts()
  assert.equal(memory.take(1, 5), undefined)
  assert.deepEqual([memory.available(1), memory.available(3), memory.peek(1, 1)], [0, 0, undefined])
  for (const connection of [1, 2])
    for (const data of [bytes(1, 2, 3), bytes(4), bytes(5, 6)]) memory.tell({ kind: 'data', connection, data, ...from })
  assert.equal(memory.available(1), 6)
  assert.deepEqual(memory.peek(1, 4), bytes(1, 2, 3, 4))
  assert.deepEqual(memory.peek(1, 0), bytes())
  assert.equal(memory.peek(1, 7), undefined)
  assert.deepEqual(memory.take(1, 2), { data: bytes(1, 2), ...from })
  assert.deepEqual(memory.take(1, 3), { data: bytes(3, 4, 5), ...from })
  assert.equal(memory.available(1), 1)
  assert.deepEqual(memory.take(1, 9)?.data, bytes(6))
  assert.equal(memory.take(1, 1), undefined)
  assert.deepEqual(
    posts(),
    [2, 3, 1].map((count) => ({ kind: 'taken', connection: 1, bytes: count })),
  )
  assert.equal(memory.available(2), 3)
  assert.deepEqual(memory.take(2, 1), { data: bytes(1, 2, 3), ...from })
  assert.deepEqual(memory.take(2, 1)?.data, bytes(4))
  assert.deepEqual(
    posts(),
    [3, 1].map((count) => ({ kind: 'taken', connection: 2, bytes: count })),
  )
  // What had come before the end can be read, and is gone when the connection begins anew.
  memory.tell({ kind: 'phase', connection: 2, phase: 'refused' })
  assert.equal(memory.available(2), 2)
  for (const phase of ['connecting', 'listening'] as const) {
    memory.tell({ kind: 'data', connection: 2, data: bytes(1), ...from })
    memory.tell({ kind: 'phase', connection: 2, phase })
    assert.equal(memory.available(2), 0, phase)
  }
})

test('S7 jobs and posts need a configured S7 connection; posts wait, sixteen for each number', () => {
  const { memory, notes, posts } = network()
  const at = '10.0.0.1'
  memory.configure([
    { id: 1, kind: 's7', partnerAddress: at },
    { id: 2, kind: 'tcp', partnerAddress: at, partnerPort: 2000, isActive: true },
    { id: 3, kind: 'udp', partnerAddress: at, localPort: 5 },
  ])
  assert.equal(memory.configured(1), undefined)
  assert.equal(memory.configured(9), undefined)
  assert.deepEqual(memory.configured(2), { ...tcp, remotePort: 2000 })
  assert.deepEqual(memory.configured(3), { ...udp, isActive: false, remotePort: 0, localPort: 5 })
  assert.equal(memory.request(2, false, []), undefined)
  assert.equal(memory.request(9, false, []), undefined)
  const [first, second] = [memory.request(1, false, []), memory.request(1, true, [])]
  assert.deepEqual([first, second], [1, 2])
  assert.deepEqual(posts(), [
    { kind: 's7', job: 1, connection: 1, isWrite: false, items: [] },
    { kind: 's7', job: 2, connection: 1, isWrite: true, items: [] },
  ])
  assert.equal(memory.answer(1), undefined)
  memory.tell({ kind: 's7', job: 1, answer: { kind: 'failed' } })
  memory.tell({ kind: 's7', job: 7, answer: { kind: 'failed' } })
  assert.deepEqual(memory.answer(1), { kind: 'failed' })
  assert.deepEqual(memory.answer(1), { kind: 'failed' }, 'a job that nobody knows has failed')
  assert.equal(memory.answer(2), undefined)
  const part = bytes(1)
  assert.equal(memory.post(2, 5, [part]), false)
  assert.equal(memory.post(1, 5, [part]), true)
  part[0] = 2
  assert.deepEqual(posts(), [{ kind: 'post', connection: 1, reference: 5, parts: [bytes(1)] }])
  for (let i = 0; i < 18; i++) memory.tell({ kind: 'post', connection: 1, reference: 5, parts: [bytes(i)] })
  memory.tell({ kind: 'post', connection: 1, reference: 6, parts: [bytes(99)] })
  assert.equal(memory.collect(1, 4), undefined)
  const collected = Array.from({ length: 17 }, () => memory.collect(1, 5)?.[0]?.[0])
  assert.deepEqual(collected, [...Array(16).keys(), undefined])
  assert.deepEqual(memory.collect(1, 6), [bytes(99)])
  memory.tell({ kind: 'note', text: 'why' })
  assert.deepEqual(notes, ['why'])
})

test('the end of RUN closes everything, once', () => {
  const { memory, posts } = network()
  memory.closeAll()
  assert.deepEqual(posts(), [])
  memory.configure([{ id: 1, kind: 's7', partnerAddress: '10.0.0.1' }])
  for (const begin of [
    () => memory.open(1, tcp),
    () => memory.request(1, false, []),
    () => memory.tell({ kind: 'post', connection: 1, reference: 1, parts: [] }),
  ]) {
    begin()
    posts()
    memory.closeAll()
    assert.deepEqual(posts(), [{ kind: 'closeAll' }])
    memory.closeAll()
    assert.deepEqual(posts(), [])
  }
  assert.deepEqual(
    [memory.phase(1), memory.answer(1), memory.collect(1, 1)],
    [undefined, { kind: 'failed' }, undefined],
  )
})
