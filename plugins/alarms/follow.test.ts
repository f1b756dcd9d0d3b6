/** The messages of the stream of alarms, of a controller that the test plays. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { StreamEvent } from '../../core/index.ts'
import type { AlarmEntry, Controller } from '../simulation/index.ts'
import { followAlarms } from './follow.ts'
import type { AlarmViews } from './views.ts'

/** A stream of alarms that are numbers, with what a client and the controller can do. */
function followed(intervalMs = 1) {
  const events = new EventEmitter()
  const pending: number[] = [7]
  const [client, instance] = [new AbortController(), new AbortController()]
  let language = 'en'
  const views = () => {
    const shown = `${language}:`
    return { pending: (one: unknown) => shown + one, entry: (one: unknown) => shown + one } as unknown as AlarmViews
  }
  const controller = { events, alarms: { pending } } as unknown as Controller
  const stream = followAlarms(controller, views, intervalMs, client.signal, instance.signal)
  const next = async (): Promise<StreamEvent | undefined> => (await stream.next()).value ?? undefined
  const happen = (...numbers: number[]) => events.emit('alarms', numbers as unknown as readonly AlarmEntry[])
  const load = (name: string) => {
    language = name
  }
  return { next, happen, pending, client, instance, load, listeners: () => events.listenerCount('alarms'), stream }
}
const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
const entries = (...numbers: number[]) => ({ event: 'alarms', data: { entries: numbers.map((one) => `en:${one}`) } })
const whole = (numbers: number[], missed?: number) => {
  const data = { alarms: numbers.map((one) => `en:${one}`), total: numbers.length }
  return { event: 'pending', data: missed === undefined ? data : { ...data, missed } }
}

test('pending alarms, then what happens, several entries in one message, in the order in which they came', async () => {
  const { next, happen, load, client } = followed()
  assert.deepEqual(await next(), whole([7]))
  happen(1)
  happen(2, 3)
  assert.deepEqual(await next(), entries(1, 2, 3))
  // Nothing is waiting: the message comes when something happens, with the texts of the program that is loaded then.
  const later = next()
  setImmediate(() => {
    load('de')
    happen(4)
  })
  assert.deepEqual(await later, { event: 'alarms', data: { entries: ['de:4'] } })
  client.abort()
})

test('1000 entries wait for a slow client; with one more it gets the pending alarms and a count', async () => {
  const { next, happen, pending, client } = followed()
  await next()
  happen(...many(1, 999))
  happen(1000)
  assert.deepEqual(await next(), entries(...many(1, 1000)))
  happen(...many(1, 1000))
  pending.push(8)
  happen(1001)
  // They count while nobody has been told of them.
  happen(1002, 1003)
  assert.deepEqual(await next(), whole([7, 8], 1003))
  happen(9)
  assert.deepEqual(await next(), entries(9))
  // Those that are missed later are counted anew.
  happen(...many(1, 1001))
  happen(...many(1, 1001))
  assert.deepEqual(await next(), whole([7, 8], 2002))
  client.abort()
})

test('what happens while the first message is on its way is in the next', async () => {
  const { next, happen, stream, client } = followed()
  const first = next()
  happen(5)
  assert.deepEqual(await first, whole([7]))
  assert.deepEqual(await next(), entries(5))
  client.abort()
  assert.deepEqual(await stream.next(), { value: undefined, done: true })
})

test('messages are apart by the interval, and neither end of the stream waits for it', async () => {
  const hour = 3_600_000
  const gone = followed(hour)
  await gone.next()
  gone.happen(1)
  const waiting = gone.next()
  gone.client.abort()
  assert.equal(await waiting, undefined)
  assert.equal(gone.listeners(), 0)
  const deleted = followed(hour)
  await deleted.next()
  const last = deleted.next()
  deleted.instance.abort('The instance was deleted.')
  assert.deepEqual(await last, { event: 'end', data: { reason: 'The instance was deleted.' } })
  assert.equal(await deleted.next(), undefined)
  assert.equal(deleted.listeners(), 0)
})

test('the end is told to a client that waits for alarms too, and not to one that has gone', async () => {
  const { next, instance, listeners } = followed()
  await next()
  const last = next()
  setTimeout(() => instance.abort('The gateway stops.'), 20)
  assert.deepEqual(await last, { event: 'end', data: { reason: 'The gateway stops.' } })
  assert.equal(await next(), undefined)
  assert.equal(listeners(), 0)
  const gone = followed()
  await gone.next()
  const nothing = gone.next()
  gone.client.abort()
  gone.instance.abort('The gateway stops.')
  assert.equal(await nothing, undefined)
  const over = followed()
  over.client.abort()
  assert.equal(await over.next(), undefined)
  assert.equal(over.listeners(), 0)
  // A client that stops reading.
  const left = followed()
  await left.next()
  assert.equal(left.listeners(), 1)
  await left.stream.return()
  assert.equal(left.listeners(), 0)
})
