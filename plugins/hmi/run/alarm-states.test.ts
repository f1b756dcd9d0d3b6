import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelAlarm } from '../station-model.ts'
import { AlarmStates, isViolated } from './alarm-states.ts'

const alarm = (name: string, more: Partial<ModelAlarm> = {}): ModelAlarm => ({
  name,
  number: 1,
  alarmClass: 'Errors',
  needsAcknowledgement: true,
  variable: 0,
  type: 'discrete',
  bit: 0,
  limit: 0,
  mode: 'Above',
  text: {},
  ...more,
})

test('triggers: bits, truth values, limits', () => {
  const third = alarm('a', { bit: 2 })
  assert.deepEqual([isViolated(third, 4), isViolated(third, 3), isViolated(third, true)], [true, false, true])
  const high = alarm('b', { type: 'analog', limit: 80 })
  assert.deepEqual([isViolated(high, 80), isViolated(high, 80.1), isViolated(high, true)], [false, true, false])
  assert.equal(isViolated({ ...high, mode: 'Below' }, 79), true)
  assert.equal(isViolated({ ...high, mode: 'Below' }, 80), false)
  assert.deepEqual([isViolated(high, 'x'), isViolated(high, '80.5'), isViolated(high, null)], [false, true, false])
  const bits = (value: unknown) => [0, 1, 15, 31, 63].filter((bit) => isViolated(alarm('a', { bit }), value))
  assert.deepEqual(bits(0x8001), [0, 15])
  assert.deepEqual(bits(-1), [0, 1, 15, 31, 63])
  assert.deepEqual(bits(-2), [1, 15, 31, 63])
  // Values of 64 bits come as texts.
  assert.deepEqual(bits('9223372036854775809'), [0, 63])
  assert.deepEqual(bits('-9223372036854775807'), [0, 63])
  assert.deepEqual(
    [bits(2.9), bits('3.9'), bits(Number.POSITIVE_INFINITY), bits('x'), bits('')],
    [[1], [0, 1], [], [], []],
  )
})

test('of what happened the newest 5000 are kept', () => {
  const states = new AlarmStates([alarm('a')], () => 0)
  for (let i = 1; i <= 5500; i++) states.take(0, i % 2)
  assert.deepEqual([states.log.length, states.log[0]?.number], [5500, 1])
  states.take(0, 1)
  assert.deepEqual([states.log.length, states.log[0]?.number, states.log.at(-1)?.number], [5000, 502, 5501])
})

test('incoming, acknowledged, outgoing in every order; a new compile goes on with what is pending', () => {
  let time = 0
  const now = () => ++time
  const alarms = [alarm('a'), alarm('b', { bit: 1 }), alarm('w', { bit: 2, needsAcknowledgement: false })]
  const states = new AlarmStates(alarms, now)
  let changes = 0
  states.events.on('change', () => changes++)
  const shown = (of = states) => of.pending.map(({ name, state }) => `${name} ${state}`).sort()
  states.take(0, 7)
  assert.deepEqual(shown(), ['a incoming', 'b incoming', 'w incoming'])
  states.take(0, 7)
  assert.equal(changes, 1)
  assert.deepEqual(states.acknowledge({ names: ['a', 'w'] }, 'Ann'), ['a'])
  assert.deepEqual(shown(), ['a acknowledged', 'b incoming', 'w incoming'])
  assert.equal(states.pending.find(({ name }) => name === 'a')?.acknowledgedBy, 'Ann')
  states.take(0, 0)
  // What was acknowledged, or needs no acknowledgement, is gone.
  assert.deepEqual(shown(), ['b outgoing'])
  const next = new AlarmStates(alarms, now, states)
  assert.deepEqual(shown(next), ['b outgoing'])
  // It comes again before it was acknowledged.
  next.take(0, 2)
  assert.deepEqual(shown(next), ['b incoming'])
  next.take(0, 0)
  assert.deepEqual(next.acknowledge({ alarmClass: 'warnings' }, 'Ann'), [])
  assert.deepEqual(next.acknowledge({ all: true }, 'Ann'), ['b'])
  assert.deepEqual(shown(next), [])
  assert.deepEqual(
    next.log.map(({ number, alarm: name, event }) => `${number} ${name} ${event}`),
    [
      '1 a incoming',
      '2 b incoming',
      '3 w incoming',
      '4 a acknowledged',
      '5 a outgoing',
      '6 b outgoing',
      '7 w outgoing',
      '8 b incoming',
      '9 b outgoing',
      '10 b acknowledged',
    ],
  )
})
