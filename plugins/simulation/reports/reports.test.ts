/** What the gateway notes of controllers by itself: changes of state, alarms, wrong passwords; and how much of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventEmitter } from 'eventemitter3'
import type { Gateway } from '../../../core/index.ts'
import type { AlarmEntry } from '../controller/alarm-log.ts'
import type { Controller, ControllerEvents, DiagnosticEntry, OperatingState } from '../controller/contract.ts'
import { reportAlarms } from './alarm-reports.ts'
import { reportPasswords } from './password-reports.ts'
import { StateReports } from './state-reports.ts'

/** A gateway that writes down what it is asked to note. */
function fakes(before: OperatingState = 'Off') {
  const events = new EventEmitter<ControllerEvents>()
  const controller = { events, state: before } as unknown as Controller
  const noted: Record<string, unknown>[] = []
  const refused: unknown[] = []
  const now = { ms: 0, isClosed: false }
  const gateway = {
    clock: () => now.ms,
    ticks: () => now.ms,
    log: { debug: (fields: object, text: string) => refused.push([(fields as { instance: string }).instance, text]) },
    async invoke(operation: { id: string }, input: Record<string, unknown>, options: { actor: { name: string } }) {
      if (now.isClosed) throw new Error('the gateway stops')
      noted.push({ id: operation.id.replace('simulation.report-', ''), by: options.actor.name, ...input })
    },
  } as unknown as Gateway
  const take = () => noted.splice(0)
  return { gateway, controller, events, take, refused, now }
}

test('a change of state that nobody asked for is noted with the entry that caused it', async () => {
  const { gateway, controller, events, take, refused, now } = fakes()
  const reports = new StateReports(gateway)
  reports.watch('PLC', controller)
  const entry = (code: string) => {
    const told: DiagnosticEntry = { number: 1, time: 0, severity: 'information', code, message: code }
    events.emit('diagnostic', told)
    return told
  }
  const go = (state: OperatingState) => events.emit('state', state, 'Off')
  go('Stop')
  const [{ by } = { by: undefined }] = take()
  const note = (before: string, after: string, more: object = {}) => ({
    ...{ id: 'state', by, name: 'PLC', before, after, unreported: 0, ...more },
  })
  go('Booting')
  assert.deepEqual(take(), [], 'it passes through')
  const powered = entry('power-on')
  go('Run')
  assert.deepEqual(take(), [note('Stop', 'Run', { cause: powered })])
  go('Hold')
  assert.deepEqual(take(), [note('Run', 'Hold')], 'an entry causes one change')

  // What an operation asks for has an event of its own, unless the program did something else meanwhile.
  await reports.asked(controller, async () => {
    entry('mode-change')
    go('Stop')
    assert.deepEqual(take(), [])
    entry('mode-change')
    go('Run')
    const stopped = entry('stop-instruction')
    go('Stop')
    assert.deepEqual(take(), [note('Run', 'Stop', { cause: stopped })])
    await reports.asked(controller, async () => go('Off'))
    go('Freeze')
    entry('power-on')
    go('Run')
    go('Off')
    entry('memory-card-damaged')
    go('Stop')
    assert.deepEqual(take(), [], 'also around another request, and at power-on')
  })
  await assert.rejects(
    reports.asked(controller, () => Promise.reject(new Error('no'))),
    /no/,
  )
  go('Run')
  assert.deepEqual(take(), [note('Stop', 'Run')])

  // Ten in a minute; those that are left out are counted.
  now.ms = 60_000
  for (let i = 0; i < 13; i++) go(i % 2 === 0 ? 'Stop' : 'Run')
  assert.equal(take().length, 10)
  now.ms = 119_999
  go('Run')
  assert.deepEqual(take(), [])
  now.ms = 120_000
  go('Stop')
  assert.deepEqual(take(), [note('Run', 'Stop', { unreported: 4 })])
  go('Run')
  assert.deepEqual(take(), [note('Stop', 'Run')])
  now.isClosed = true
  go('Stop')
  await new Promise(setImmediate)
  assert.deepEqual(refused, [['PLC', 'a change of state was not noted']])
})

test('wrong passwords are noted one by one, ten in a minute', async () => {
  const { gateway, controller, events, take, refused, now } = fakes()
  reportPasswords(gateway, 'PLC', controller)
  const enter = (code: string, message: string) =>
    events.emit('diagnostic', { number: 1, time: 0, severity: 'warning', code, message })
  enter('power-on', 'Power on.')
  for (let i = 1; i <= 12; i++) enter('password-wrong', `wrong ${i}`)
  const noted = take()
  assert.deepEqual(
    noted.map(({ id, name, message, unreported }) => [id, name, message, unreported]),
    Array.from({ length: 10 }, (_, i) => ['password', 'PLC', `wrong ${i + 1}`, 0]),
  )
  now.ms = 60_000
  enter('password-wrong', 'later')
  enter('password-wrong', 'again')
  assert.deepEqual(
    take().map(({ message, unreported }) => [message, unreported]),
    [
      ['later', 2],
      ['again', 0],
    ],
  )
  now.isClosed = true
  enter('password-wrong', 'last')
  await new Promise(setImmediate)
  assert.deepEqual(refused, [['PLC', 'a wrong password was not noted']])
})

test('alarms are noted together after a second, a hundred in a record and ten records in a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { gateway, controller, events, take, refused, now } = fakes()
  const end = new AbortController()
  reportAlarms(gateway, 'PLC', controller, end.signal)
  const alarm = (name: string) => ({
    ...{ id: 1, name, alarmClass: 'Urgent', needsAcknowledgement: true, isPresent: true, isAcknowledged: false },
    ...{ incomingAt: 0, values: [] },
  })
  const come = (count: number, kind: 'incoming' | 'removed' = 'incoming', cause?: string) => {
    const entries = Array.from({ length: count }, (_, i): AlarmEntry => {
      return { number: i, kind, time: 1000 * i, alarm: alarm(`a${i}`), ...(cause === undefined ? {} : { cause }) }
    })
    events.emit('alarms', entries)
  }
  const lose = (count: number) => events.emit('alarms', [{ number: 0, kind: 'lost', time: 0, count }])
  const told = (event: string, count: number, more: object = {}) =>
    Array.from({ length: count }, (_, i) => ({
      ...{ event, alarm: `a${i}`, alarmClass: 'Urgent', time: new Date(1000 * i).toISOString(), ...more },
    }))
  const seconds = (count: number) => t.mock.timers.tick(1000 * count)
  const noted = () => take().map(({ id, name, alarms, unreported }) => ({ id, name, alarms, unreported }))
  const record = (alarms: object[], unreported = 0) => ({ id: 'alarms', name: 'PLC', alarms, unreported })

  lose(3)
  seconds(5)
  assert.deepEqual(noted(), [], 'nothing but a number')
  come(1)
  t.mock.timers.tick(999)
  come(1, 'removed', 'restart')
  assert.deepEqual(noted(), [])
  t.mock.timers.tick(1)
  assert.deepEqual(noted(), [record([...told('incoming', 1), ...told('removed', 1, { cause: 'restart' })], 3)])
  seconds(5)
  assert.deepEqual(noted(), [])
  come(102)
  seconds(1)
  assert.deepEqual(noted(), [record(told('incoming', 100), 2)])
  // Two of the ten are made.
  for (let i = 0; i < 9; i++) {
    come(2)
    seconds(1)
  }
  assert.deepEqual(noted(), new Array(8).fill(record(told('incoming', 2))))
  lose(5)
  come(1)
  seconds(1)
  now.ms = 60_000
  come(1)
  seconds(1)
  assert.deepEqual(noted(), [record(told('incoming', 1), 2 + 5 + 1)])
  now.isClosed = true
  come(1)
  seconds(1)
  await Promise.resolve()
  await Promise.resolve()
  assert.deepEqual(refused, [['PLC', 'alarms were not noted']])
  now.isClosed = false
  come(1)
  end.abort()
  come(1)
  seconds(5)
  assert.deepEqual(noted(), [], 'the instance is gone')
})
