/** Alarms in the thread of a controller and in the gateway, step by step. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlarmLog } from './alarm-log.ts'
import { AlarmMemory, alarmWords } from './alarm-memory.ts'
import type { AlarmBatch, AlarmEvent, AlarmSource, PendingAlarm } from './alarm-messages.ts'

const sources: readonly AlarmSource[] = [
  { id: 1, name: 'A', address: 100, alarmClass: 'Acknowledgement', needsAcknowledgement: true },
  { id: 2, name: 'B', address: 200, alarmClass: 'No Acknowledgement', needsAcknowledgement: false },
  { id: 3, name: 'S', alarmClass: 'Acknowledgement', needsAcknowledgement: true },
]

/** A memory with what it posts and notes; `time` is set by the test. */
function memoryOf(most = 10) {
  const batches: AlarmBatch[] = []
  const notes: string[] = []
  const at = { time: 1000 }
  const words = new SharedArrayBuffer(8)
  const alarms = new AlarmMemory(words, {
    most,
    now: () => at.time,
    post: (batch) => batches.push(batch),
    note: (text) => notes.push(text),
  })
  alarms.load(sources)
  /** What was told since the last time: kind, name, time, cause. */
  const told = () => {
    alarms.flush(true)
    return batches
      .splice(0)
      .flatMap(({ events }) => events)
      .map(({ kind, alarm, time, cause }) =>
        [kind, alarm.name, time, ...(cause === undefined ? [] : [cause])].join(' '),
      )
  }
  const pending = () =>
    alarms.pending.map(
      (one) => `${one.name}${one.isPresent ? ' present' : ''}${one.isAcknowledged ? ' acknowledged' : ''}`,
    )
  return { alarms, batches, notes, at, words: new Int32Array(words), told, pending }
}

test('an alarm comes, goes and is acknowledged, in either order', () => {
  const { alarms, at, told, pending } = memoryOf()
  const values = [{ type: 'Int', value: 5 }]
  const first = (): PendingAlarm | undefined => alarms.pending[0]
  // Help page "Program_Alarm": outgoing alarm which was not preceded by an incoming alarm.
  assert.equal(alarms.signal(100, false, 0n, []), 0x8007)
  assert.deepEqual([alarms.state(100), told()], [undefined, []])
  assert.equal(alarms.signal(999, true, 0n, []), 0x8001)
  assert.equal(alarms.supervise('Gone', true, []), 0x8001)
  assert.equal(alarms.signal(100, true, 0n, values), 0)
  assert.equal(alarms.signal(100, true, 0n, []), 0, 'again')
  assert.deepEqual(told(), ['incoming A 1000'])
  assert.deepEqual(alarms.pending, [
    {
      ...{ id: 1, name: 'A', alarmClass: 'Acknowledgement', needsAcknowledgement: true, isPresent: true },
      ...{ isAcknowledged: false, incomingAt: 1000, values },
    },
  ])
  at.time = 1500
  assert.equal(alarms.signal(100, false, 2_000_500_000n, []), 0)
  assert.deepEqual(told(), ['outgoing A 2000.5'])
  assert.deepEqual([alarms.state(100)?.isPresent, alarms.state(100)?.isAcknowledged], [false, false])
  // There is still an alarm which has not yet been acknowledged.
  assert.equal(alarms.signal(100, true, 0n, []), 0x8005)
  assert.deepEqual([told(), pending()], [[], ['A']])
  assert.deepEqual(alarms.pending[0]?.values, [])
  assert.equal(first()?.outgoingAt, 2000.5)
  assert.deepEqual(alarms.acknowledge({ all: true }, 'anna'), ['A'])
  assert.deepEqual([told(), pending()], [['acknowledged A 1500 anna'], []])
  assert.deepEqual(alarms.acknowledge({ all: true }, 'anna'), [])

  alarms.signal(100, true, 0n, [])
  alarms.acknowledgeAll()
  assert.deepEqual(pending(), ['A present acknowledged'])
  assert.equal(first()?.acknowledgedAt, 1500)
  alarms.signal(100, false, 0n, [])
  assert.deepEqual(told(), ['incoming A 1500', 'acknowledged A 1500 Ack_Alarms', 'outgoing A 1500'])
  assert.deepEqual(pending(), [])

  alarms.signal(200, true, 0n, [])
  assert.deepEqual(pending(), ['B present acknowledged'])
  alarms.supervise('S', true, [])
  alarms.signal(100, true, 0n, [])
  assert.deepEqual(alarms.acknowledge({ alarmClass: 'no acknowledgement' }, 'x'), [])
  assert.deepEqual(alarms.acknowledge({ names: ['S', 'B'] }, 'x'), ['S'])
  assert.deepEqual(alarms.acknowledge({ alarmClass: 'ACKNOWLEDGEMENT' }, 'x'), ['A'])
  alarms.signal(200, false, 0n, [])
  assert.deepEqual(pending(), ['S present acknowledged', 'A present acknowledged'])
  alarms.signal(100, false, 0n, [])
  alarms.signal(100, true, 0n, [])
  assert.deepEqual(pending(), ['S present acknowledged', 'A present'], 'what comes again is the newest')
})

test('no more alarms than there may be; messages of users', () => {
  const { alarms, notes, told, pending } = memoryOf(2)
  assert.equal(alarms.available(), 2)
  assert.equal(alarms.userMessage(true, 3, 7, []), 0)
  assert.equal(alarms.signal(100, true, 0n, []), 0)
  assert.equal(alarms.available(), 0)
  assert.equal(alarms.signal(200, true, 0n, []), 0x80c3)
  assert.deepEqual(pending(), ['UserMessage:3:7 present acknowledged', 'A present'])
  assert.equal(alarms.pending[0]?.id, 2 ** 32 + 3 * 65536 + 7)
  assert.equal(alarms.pending[0]?.alarmClass, 'No Acknowledgement')
  assert.equal(alarms.userMessage(false, 3, 7, []), 0)
  assert.deepEqual(pending(), ['A present'])
  assert.deepEqual(notes, [
    'Gen_UsrMsg: incoming message, text list 3, text 7.',
    'Gen_UsrMsg: outgoing message, text list 3, text 7.',
  ])
  assert.deepEqual(
    told().map((text) => text.split(' ').slice(0, 2).join(' ')),
    ['incoming UserMessage:3:7', 'incoming A', 'outgoing UserMessage:3:7'],
  )
})

test('another program keeps alarms whose source it has; a restart removes all', () => {
  const { alarms, told, pending } = memoryOf()
  for (const address of [100, 200]) alarms.signal(address, true, 0n, [])
  alarms.supervise('S', true, [])
  told()
  alarms.logOn()
  alarms.load([{ ...sources[0]!, id: 9, address: 300 }, sources[2]!])
  assert.deepEqual(pending(), ['A present', 'S present'])
  assert.equal(alarms.pending[0]?.id, 9)
  assert.equal(alarms.isLoggedOn, false)
  assert.equal(alarms.state(100), undefined)
  assert.equal(alarms.state(300)?.isPresent, true)
  assert.deepEqual(told(), ['removed B 1000 The program has no such alarm any more.'])
  alarms.logOn()
  alarms.clear('Restart.')
  assert.deepEqual(told(), ['removed A 1000 Restart.', 'removed S 1000 Restart.'])
  assert.deepEqual([pending(), alarms.isLoggedOn], [[], false])
})

test('a program that is logged on reads each change once, those that are present first', () => {
  const { alarms, at } = memoryOf()
  alarms.signal(100, true, 0n, [])
  alarms.signal(200, true, 0n, [])
  alarms.signal(100, false, 0n, [])
  assert.equal(alarms.nextChange(), undefined)
  assert.equal(alarms.logOn(), true)
  assert.equal(alarms.logOn(), false)
  at.time = 2000.25
  alarms.supervise('S', true, [])
  alarms.signal(200, false, 0n, [])
  const change = (id: number, producer: number, isPresent: boolean, time: bigint) => ({ id, producer, isPresent, time })
  assert.deepEqual(alarms.nextChange(), change(2, 0, true, 1_000_000_000n))
  assert.deepEqual(alarms.nextChange(), change(3, 9, true, 2_000_250_000n))
  assert.deepEqual(alarms.nextChange(), change(2, 0, false, 2_000_250_000n))
  assert.equal(alarms.nextChange(), undefined)
  assert.equal(alarms.isLoggedOn, true)
  alarms.logOff()
  alarms.signal(200, true, 0n, [])
  assert.equal(alarms.nextChange(), undefined)
  // One that reads too seldom is logged off.
  alarms.logOn()
  for (let i = 0; i < 2499; i++) for (const isPresent of [false, true]) alarms.signal(200, isPresent, 0n, [])
  assert.equal(alarms.isLoggedOn, true)
  for (let i = 0; i < 2; i++) for (const isPresent of [false, true]) alarms.signal(200, isPresent, 0n, [])
  assert.equal(alarms.isLoggedOn, false)
})

test('batches wait while the gateway has not read four; too many events are counted, and what is pending is sent', () => {
  const { alarms, batches, words } = memoryOf()
  alarms.flush()
  assert.equal(batches.length, 0)
  const change = (isPresent: boolean) => alarms.signal(200, isPresent, 0n, [])
  for (let i = 0; i < 4; i++) {
    change(i % 2 === 0)
    alarms.flush()
  }
  assert.deepEqual([batches.length, words[alarmWords.waiting]], [4, 0])
  change(true)
  alarms.flush()
  assert.deepEqual([batches.length, words[alarmWords.waiting]], [4, 1])
  words[alarmWords.read] = 1
  alarms.flush()
  assert.deepEqual([batches.length, words[alarmWords.waiting]], [5, 0])
  assert.deepEqual([batches[4]?.events.length, batches[4]?.lost, batches[4]?.pending], [1, 0, undefined])
  change(false)
  alarms.flush(true)
  assert.equal(batches.length, 6, 'an urgent one does not wait')
  for (let i = 0; i < 4999; i++) for (const isPresent of [true, false]) change(isPresent)
  change(true)
  alarms.flush(true)
  assert.deepEqual([batches[6]?.events.length, batches[6]?.lost], [9999, 0])
  for (let i = 0; i < 5000; i++) for (const isPresent of [false, true]) change(isPresent)
  alarms.flush(true)
  assert.deepEqual([batches[7]?.events.length, batches[7]?.lost], [5000, 5000])
  assert.deepEqual(
    batches[7]?.pending?.map(({ name }) => name),
    ['B'],
  )
})

test('the log of the gateway: pending alarms follow the events, or are those of a batch that lost some', () => {
  const log = new AlarmLog()
  const alarm = (name: string, isPresent: boolean, isAcknowledged: boolean) =>
    ({ name, isPresent, isAcknowledged }) as PendingAlarm
  const event = (kind: AlarmEvent['kind'], time: number, one: PendingAlarm) =>
    ({ kind, time, alarm: one }) as AlarmEvent
  const names = () => log.pending.map(({ name }) => name)
  const first = log.add({
    lost: 0,
    events: [
      event('incoming', 1, alarm('A', true, false)),
      event('incoming', 2, alarm('B', true, true)),
      event('outgoing', 3, alarm('A', false, false)),
    ],
  })
  assert.deepEqual(
    first.map(({ number, kind }) => `${number} ${kind}`),
    ['1 incoming', '2 incoming', '3 outgoing'],
  )
  assert.deepEqual(names(), ['B', 'A'])
  log.add({
    lost: 0,
    events: [event('incoming', 4, alarm('A', true, false)), event('outgoing', 5, alarm('B', false, true))],
  })
  assert.deepEqual(names(), ['A'])
  log.add({
    lost: 0,
    events: [event('acknowledged', 6, alarm('A', true, true)), event('incoming', 7, alarm('C', true, false))],
  })
  assert.deepEqual(names(), ['C', 'A'])
  assert.equal(log.pending[1]?.isAcknowledged, true)
  log.add({ lost: 0, events: [event('removed', 8, alarm('C', true, false))] })
  assert.deepEqual(names(), ['A'])
  const lost = log.add({
    ...{ lost: 5, events: [event('incoming', 9, alarm('D', true, false))] },
    pending: [alarm('E', true, false), alarm('F', true, false)],
  })
  assert.deepEqual(lost[0], { number: 9, kind: 'lost', time: 9, count: 5 })
  assert.equal(lost.length, 2)
  assert.deepEqual(names(), ['F', 'E'])
  assert.deepEqual(log.add({ lost: 1, events: [] }), [{ number: 11, kind: 'lost', time: 0, count: 1 }])
  assert.deepEqual(
    log
      .clear(50, 'Off.')
      .map((one) => ('alarm' in one ? `${one.number} ${one.kind} ${one.alarm.name} ${one.time} ${one.cause}` : '')),
    ['12 removed E 50 Off.', '13 removed F 50 Off.'],
  )
  assert.deepEqual(names(), [])
  assert.deepEqual(log.newestFirst.map(({ number }) => number).slice(0, 3), [13, 12, 11])
  assert.equal(log.newestFirst.length, 13)
  for (let i = 0; i < 4; i++)
    log.add({ lost: 0, events: Array.from({ length: 4999 }, (_, n) => event('outgoing', n, alarm('X', false, true))) })
  assert.equal(log.newestFirst.length, 10_000)
  assert.equal(log.newestFirst[0]?.number, 13 + 4 * 4999)
})
