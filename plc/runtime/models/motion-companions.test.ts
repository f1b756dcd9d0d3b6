/** Torque, cams, measuring inputs and control words: what each job writes to its technology object, and its errors. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runSource } from '../../testing/lower-source.ts'

type Given = Readonly<Record<string, number | boolean>>

/** Jobs by name, called in this order with a technology object `O`; those whose name begins with `no` have none. */
function bench(object: string, parameter: string, jobs: Readonly<Record<string, string>>) {
  const list = Object.entries(jobs)
  const run = runSource(`DATA_BLOCK "O"\n${object}\nBEGIN\nEND_DATA_BLOCK
FUNCTION_BLOCK "Main"
VAR ${list.map(([name, type]) => `${name} : ${type};`).join(' ')} END_VAR
BEGIN
${list.map(([name]) => `#${name}(${name.startsWith('no') ? '' : `${parameter} := "O"`});`).join('\n')}
END_FUNCTION_BLOCK
`)
  return {
    run,
    /** Members of jobs after one more call. */
    after(given: Given, ...names: readonly string[]) {
      for (const [name, value] of Object.entries(given)) run.set(name, value)
      run.clock.advanceMilliseconds(10)
      run.scan()
      return names.map((name) => run.get(name))
    },
    object: (...names: readonly string[]) => names.map((name) => run.get(name, 'O')),
    setObject: (given: Given) => {
      for (const [name, value] of Object.entries(given)) run.set(name, value, 'O')
    },
  }
}

const state = (name: string) => [`${name}.Busy`, `${name}.Error`, `${name}.ErrorID`]
const axis = 'TO_PositioningAxis'

describe('torque', () => {
  test('MC_TorqueLimiting sets its bit of the axis while Enable is on', () => {
    const { after, object, setObject } = bench(axis, 'Axis', { job: 'MC_TorqueLimiting', noJob: 'MC_TorqueLimiting' })
    setObject({ StatusWord: 0x8000_0001 })
    assert.deepEqual(after({}, ...state('job'), ...state('noJob')), [0, 0, 0, 0, 0, 0])
    assert.deepEqual(object('StatusWord'), [0x8000_0001])
    const outputs = ['job.InClamping', 'job.InLimitation'] as const
    assert.deepEqual(after({ 'job.Enable': true, 'job.Mode': 1 }, ...state('job'), ...outputs), [1, 0, 0, 0, 0])
    assert.deepEqual(object('StatusWord'), [0x8400_0001])
    assert.deepEqual(after({ 'noJob.Enable': true }, ...state('noJob')), [0, 1, 0x8002])
    for (const mode of [-1, 2]) assert.deepEqual(after({ 'job.Mode': mode }, ...state('job')), [0, 1, 0x800a])
    assert.deepEqual(object('StatusWord'), [0x8000_0001])
    assert.deepEqual(after({ 'job.Mode': 0 }, ...state('job')), [1, 0, 0])
    assert.deepEqual(after({ 'job.Enable': false }, ...state('job')), [0, 0, 0])
    assert.deepEqual(object('StatusWord'), [0x8000_0001])
  })

  test('MC_TorqueRange has limits with an order, and excludes MC_TorqueLimiting', () => {
    const { after, object } = bench(axis, 'Axis', { limit: 'MC_TorqueLimiting', range: 'MC_TorqueRange' })
    const active = 'StatusTorqueData.CommandTorqueRangeActive'
    assert.deepEqual(after({ 'range.Enable': true }, ...state('range')), [1, 0, 0])
    assert.deepEqual(object(active), [1])
    assert.deepEqual(after({ 'limit.Enable': true }, ...state('limit'), ...state('range')), [0, 1, 0x804e, 1, 0, 0])
    assert.deepEqual(after({ 'range.Enable': false }, ...state('range')), [0, 0, 0])
    assert.deepEqual(object(active), [0])
    assert.deepEqual(after({ 'range.Enable': true }, ...state('limit'), ...state('range')), [1, 0, 0, 0, 1, 0x804e])
    after({ 'limit.Enable': false })
    for (const [upper, lower, seen] of [
      [5, 5, [0, 1, 0x804d]],
      [4, 5, [0, 1, 0x804d]],
      [6, 5, [1, 0, 0]],
      [1e12, -1e12, [1, 0, 0]],
      [1.1e12, 0, [0, 1, 0x804b]],
      [-1.1e12, 0, [0, 1, 0x804b]],
      [Number.NaN, 0, [0, 1, 0x804b]],
      [0, -1.1e12, [0, 1, 0x804c]],
      [0, Number.NaN, [0, 1, 0x804c]],
    ] as const)
      assert.deepEqual(
        after({ 'range.UpperLimit': upper, 'range.LowerLimit': lower }, ...state('range')),
        seen,
        `${upper}`,
      )
  })

  test('MC_TorqueAdditive gives its value while it is on', () => {
    const { after, object } = bench(axis, 'Axis', { job: 'MC_TorqueAdditive' })
    const names = ['StatusTorqueData.CommandAdditiveTorqueActive', 'StatusTorqueData.TotalTorqueAdditive'] as const
    after({ 'job.Value': 12.5 })
    assert.deepEqual(object(...names), [0, 0])
    assert.deepEqual(after({ 'job.Enable': true }, ...state('job')), [1, 0, 0])
    assert.deepEqual(object(...names), [1, 12.5])
    after({ 'job.Enable': false })
    assert.deepEqual(object(...names), [0, 0])
  })
})

test('MC_SynchronizedMotionSimulation sets bit 3 of the synchronized motion', () => {
  const { after, object, setObject } = bench('TO_SynchronousAxis', 'Slave', { job: 'MC_SynchronizedMotionSimulation' })
  const word = 'StatusSynchronizedMotion.StatusWord'
  setObject({ [word]: 5 })
  assert.deepEqual(after({ 'job.Enable': true }, ...state('job'), 'job.InSimulation'), [1, 0, 0, 1])
  assert.deepEqual(object(word), [13])
  assert.deepEqual(after({ 'job.Enable': false }, ...state('job'), 'job.InSimulation'), [0, 0, 0, 0])
  assert.deepEqual(object(word), [5])
})

test('MC_CamTrack: mode 2 is on permanently, the output can be inverted', () => {
  for (const [mode, isInverted, isOn] of [
    [0, false, 0],
    [1, false, 0],
    [2, false, 1],
    [0, true, 1],
    [1, true, 1],
    [2, true, 0],
  ] as const) {
    const { after, object } = bench('TO_CamTrack', 'CamTrack', { job: 'MC_CamTrack' })
    const given = { 'job.Enable': true, 'job.Mode': mode, 'job.InvertOutput': isInverted }
    assert.deepEqual(after(given, ...state('job'), 'job.TrackOutput'), [1, 0, 0, isOn], `${mode} ${isInverted}`)
    assert.deepEqual(object('TrackOutput'), [isOn])
    assert.deepEqual(after({ 'job.Enable': false }, ...state('job'), 'job.TrackOutput'), [0, 0, 0, 0])
    assert.deepEqual(object('TrackOutput'), [0])
    for (const wrong of [-1, 3])
      assert.deepEqual(after({ 'job.Enable': true, 'job.Mode': wrong }, ...state('job')), [0, 1, 0x800a])
  }
})

test('MC_OutputCam: mode 3 is on permanently, mode 2 is inverted', () => {
  for (const [mode, isOn] of [
    [1, 0],
    [2, 1],
    [3, 1],
  ] as const) {
    const { after, object } = bench('TO_OutputCam', 'OutputCam', { job: 'MC_OutputCam' })
    assert.deepEqual(after({ 'job.Enable': true, 'job.Mode': mode }, ...state('job'), 'job.CamOutput'), [1, 0, 0, isOn])
    assert.deepEqual(object('CamOutput'), [isOn])
    assert.deepEqual(after({ 'job.Enable': false }, ...state('job'), 'job.CamOutput'), [0, 0, 0, 0])
    assert.deepEqual(object('CamOutput'), [0])
    for (const wrong of [0, 4])
      assert.deepEqual(after({ 'job.Enable': true, 'job.Mode': wrong }, ...state('job')), [0, 1, 0x800a])
  }
})

test('measuring waits until another job replaces or aborts it; modes are 0 to 4', () => {
  const jobs = { one: 'MC_MeasuringInput', two: 'MC_MeasuringInputCyclic', abort: 'MC_AbortMeasuringInput' }
  const { after, setObject, object } = bench('TO_MeasuringInput', 'MeasuringInput', {
    ...jobs,
    noJob: 'MC_MeasuringInput',
  })
  setObject({ StatusWord: 1 << 6 })
  const result = (name: string) => [`${name}.Busy`, `${name}.CommandAborted`, `${name}.ErrorID`]
  assert.deepEqual(after({ 'one.Execute': true, 'noJob.Execute': true }, ...result('one'), ...result('noJob')), [
    1,
    0,
    0,
    ...[0, 0, 0x8002],
  ])
  for (let i = 0; i < 5; i++) assert.deepEqual(after({}, ...result('one')), [1, 0, 0])
  // The input keeps its bits.
  assert.deepEqual(object('StatusWord'), [1 << 6])
  assert.deepEqual(after({ 'two.Execute': true, 'two.Mode': 4 }, ...result('two')), [1, 0, 0])
  assert.deepEqual(after({}, ...result('one'), ...result('two')), [0, 1, 0, 1, 0, 0])
  assert.deepEqual(after({ 'abort.Execute': true }, ...result('abort')), [1, 0, 0])
  assert.deepEqual(after({}, ...result('two'), 'abort.Done', 'abort.Busy'), [0, 1, 0, 1, 0])
  for (const mode of [-1, 5]) {
    after({ 'one.Execute': false })
    assert.deepEqual(after({ 'one.Execute': true, 'one.Mode': mode }, ...result('one')), [0, 0, 0x800a])
  }
})

test('MC_SetAxisSTW: bits 8, 9 and 11 to 15 of the first word, 0 to 11 of the second', () => {
  const { after } = bench(axis, 'Axis', { job: 'MC_SetAxisSTW' })
  for (let bit = 0; bit < 16; bit++)
    for (const [word, isAllowed] of [
      ['STW1BitMask', [8, 9, 11, 12, 13, 14, 15].includes(bit)],
      ['STW2BitMask', bit < 12],
    ] as const) {
      after({ 'job.Execute': false, 'job.STW1BitMask': 0, 'job.STW2BitMask': 0 })
      assert.deepEqual(
        after({ 'job.Execute': true, [`job.${word}`]: 2 ** bit }, ...state('job')),
        isAllowed ? [1, 0, 0] : [0, 1, 0x8055],
        `${word} ${bit}`,
      )
      assert.deepEqual(after({}, 'job.Done'), [isAllowed ? 1 : 0])
    }
})
