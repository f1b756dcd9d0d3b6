/** An endpoint that lost its partner tries again after a second, unless something else happened meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConnectionParameters } from '../../../plc/runtime/network.ts'
import type { NetworkEvent } from '../controller/network-messages.ts'
import { Endpoint, type Member } from './endpoint.ts'

function endpoint(parameters: Partial<ConnectionParameters> = {}) {
  const told: NetworkEvent[] = []
  const member = { name: 'A', endpoints: new Map(), controller: { network: (event: NetworkEvent) => told.push(event) } }
  const whole = { kind: 'tcp' as const, isActive: true, remoteAddress: '', remotePort: 0, localPort: 0, ...parameters }
  return { one: new Endpoint(member as unknown as Member, 7, whole), told }
}

test('a lost connection is tried again after a second', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { one } = endpoint()
  const tries: string[] = []
  one.retry(() => tries.push('first'))
  t.mock.timers.tick(999)
  one.retry(() => tries.push('second'))
  t.mock.timers.tick(999)
  assert.equal(tries.length, 0)
  t.mock.timers.tick(1)
  assert.deepEqual(tries, ['second'])
  one.retry(() => tries.push('open'))
  one.setPhase('open')
  t.mock.timers.tick(1000)
  one.setPhase('connecting')
  one.retry(() => tries.push('ended'))
  one.end()
  t.mock.timers.tick(1000)
  assert.deepEqual(tries, ['second'])
})

const nobody = () => assert.fail('these are no datagrams')

test('what arrives at an endpoint that has ended, or is sent by one without a partner, is lost', () => {
  const { one, told } = endpoint({ isActive: false })
  assert.deepEqual([one.phase, one.wasOpen, one.isFull, one.isEnded], ['listening', false, false, false])
  one.send(Uint8Array.of(1), undefined, nobody)
  one.lost()
  assert.deepEqual(told, [])
  const calls: string[] = []
  one.onLost = () => calls.push('lost')
  one.open({ send: (_data, done) => done(), end: () => calls.push('other ends') })
  assert.deepEqual(told.splice(0), [{ kind: 'phase', connection: 7, phase: 'open' }])
  one.send(Uint8Array.of(1, 2), undefined, nobody)
  assert.deepEqual(told.splice(0), [{ kind: 'sent', connection: 7, bytes: 2 }])
  one.receive(new Uint8Array(65_535), '10.0.0.1', 1)
  assert.equal(one.isFull, false)
  one.receive(new Uint8Array(1), '10.0.0.1', 1)
  assert.equal(one.isFull, true)
  one.onRoom = () => calls.push('room')
  one.taken(0)
  one.taken(1)
  one.taken(1)
  told.length = 0
  one.lost()
  one.lost()
  assert.deepEqual(calls.splice(0), ['room', 'room', 'lost'])
  one.open({ send: assert.fail, end: () => calls.push('other ends') })
  assert.equal(one.isFull, false, 'nothing waits in a new connection')
  one.closeSocket = () => calls.push('closed')
  one.end()
  one.lost()
  told.length = 0
  one.receive(Uint8Array.of(1), '10.0.0.1', 1)
  assert.deepEqual([calls, told, one.isEnded], [['other ends', 'closed'], [], true])
})
