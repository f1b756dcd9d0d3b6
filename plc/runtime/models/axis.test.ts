/** Ideal axes: what each job does with velocity, acceleration and position, and how jobs follow each other. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runSource } from '../../testing/lower-source.ts'

type Given = Readonly<Record<string, number | boolean>>

/**
 * An axis `A` that is on, and jobs by name, called in this order every 100 ms. Those whose name begins with `no` have
 * no axis.
 */
function plant(jobs: Readonly<Record<string, string>>, isOn = true) {
  const list = Object.entries(jobs)
  const run = runSource(`DATA_BLOCK "A"\nTO_PositioningAxis\nBEGIN\nEND_DATA_BLOCK
FUNCTION_BLOCK "Main"
VAR power : MC_Power; ${list.map(([name, type]) => `${name} : ${type};`).join(' ')} END_VAR
BEGIN
#power(Axis := "A");
${list.map(([name]) => `#${name}(${name.startsWith('no') ? '' : 'Axis := "A"'});`).join('\n')}
END_FUNCTION_BLOCK
`)
  const rounded = (value: unknown) => Math.round((value as number) * 1e6) / 1e6 + 0
  const set = (given: Given) => {
    for (const [name, value] of Object.entries(given)) run.set(name, value)
  }
  set({ 'power.Enable': isOn })
  const scan = (given: Given = {}) => {
    set(given)
    run.clock.advanceMilliseconds(100)
    run.scan()
  }
  const axis = (name: string) => rounded(run.get(name, 'A'))
  return {
    run,
    scan,
    axis,
    values: (...names: readonly string[]) => names.map((name) => rounded(run.get(name))),
    /** Position and velocity after each of some calls. */
    trace(calls: number, given: Given = {}) {
      set(given)
      return Array.from({ length: calls }, () => {
        scan()
        return [axis('Position'), axis('Velocity')]
      })
    },
    bits: () => Number(run.bits('StatusWord', 'A')),
  }
}

const [enabled, homed, done, standstill] = [1, 1 << 5, 1 << 6, 1 << 7]
const result = (job: string) =>
  ['Done', 'Busy', 'Active', 'CommandAborted', 'Error', 'ErrorID'].map((name) => `${job}.${name}`)
const [nothing, busy, finished, aborted] = [
  [0, 0, 0, 0, 0, 0],
  [0, 1, 1, 0, 0, 0],
  [1, 0, 0, 0, 0, 0],
  [0, 0, 0, 1, 0, 0],
]
const failed = (error: number) => [0, 0, 0, 0, 1, error]

describe('MC_MoveVelocity and MC_Halt', () => {
  const speed = { 'go.Acceleration': 20, 'go.Deceleration': 40, 'go.Execute': true }

  test('the velocity grows by the acceleration, and falls by the deceleration', () => {
    const { trace, values, bits } = plant({ go: 'MC_MoveVelocity' })
    // The edge starts the job, the calls after it move the axis.
    assert.deepEqual(trace(5, { ...speed, 'go.Velocity': 7 }), [
      [0, 0],
      [0.1, 2],
      [0.4, 4],
      [0.9, 6],
      [1.55, 7],
    ])
    assert.deepEqual([...values('go.InVelocity', ...result('go')), bits()], [1, ...busy, enabled])
    assert.deepEqual(trace(1), [[2.25, 7]])
    trace(1, { 'go.Execute': false })
    // Slower, and then in the other direction: down with the deceleration, up with the acceleration.
    assert.deepEqual(trace(4, { 'go.Execute': true, 'go.Velocity': -5 }), [
      [2.95, 7],
      [3.45, 3],
      [3.55, -1],
      [3.35, -3],
    ])
    assert.deepEqual(values('go.InVelocity'), [0])
    assert.deepEqual(trace(1), [[2.95, -5]])
    assert.deepEqual(values('go.InVelocity'), [1])
  })

  test('the direction', () => {
    for (const [direction, velocity, seen] of [
      [0, -5, -5],
      [0, 5, 5],
      [1, -5, 5],
      [1, 5, 5],
      [2, -5, -5],
      [2, 5, -5],
    ] as const) {
      const { trace } = plant({ go: 'MC_MoveVelocity' })
      trace(2, { 'go.Execute': true, 'go.Velocity': velocity, 'go.Direction': direction })
      assert.equal(trace(1)[0]?.[1], seen, `${direction} ${velocity}`)
    }
    for (const direction of [-1, 3]) {
      const { scan, values } = plant({ go: 'MC_MoveVelocity' })
      scan({ 'go.Execute': true, 'go.Direction': direction })
      assert.deepEqual(values(...result('go')), failed(0x8007))
    }
  })

  test('Current keeps the velocity', () => {
    const { trace, values } = plant({ one: 'MC_MoveVelocity', go: 'MC_MoveVelocity' })
    trace(3, { 'one.Execute': true, 'one.Velocity': 8 })
    assert.deepEqual(trace(2, { 'go.Execute': true, 'go.Current': true, 'go.Velocity': 3 })[1]?.[1], 8)
    assert.deepEqual(values('go.InVelocity'), [1])
  })

  test('MC_Halt stops with its deceleration', () => {
    for (const type of ['MC_Halt', 'MC_Stop']) {
      const { trace, values, bits } = plant({ go: 'MC_MoveVelocity', halt: type })
      trace(3, { 'go.Execute': true, 'go.Velocity': 5 })
      assert.deepEqual(trace(3, { 'halt.Execute': true, 'halt.Deceleration': 20 }), [
        [1.25, 5],
        [1.65, 3],
        [1.85, 1],
      ])
      assert.deepEqual([values(...result('go')), values(...result('halt'))], [aborted, busy])
      assert.deepEqual(trace(1), [[1.9, 0]])
      assert.deepEqual([...values(...result('halt')), bits()], [...finished, enabled | done | standstill])
    }
  })

  test('values of the axis count for those that are not given', () => {
    const { run, trace } = plant({ go: 'MC_MoveVelocity' })
    const pattern = (value: number) => new DataView(Float64Array.of(value).buffer).getBigUint64(0, true)
    run.setBits('DynamicDefaults.Acceleration', pattern(30), 'A')
    run.setBits('DynamicDefaults.Deceleration', pattern(10), 'A')
    assert.deepEqual(
      trace(3, { 'go.Execute': true, 'go.Velocity': 5 }).map(([, v]) => v),
      [0, 3, 5],
    )
    trace(1, { 'go.Execute': false })
    assert.deepEqual(
      trace(3, { 'go.Execute': true, 'go.Velocity': 0 }).map(([, v]) => v),
      [5, 4, 3],
    )
  })
})

describe('positioning', () => {
  test('property: to the position, within velocity, acceleration and deceleration, in the time that this takes', () => {
    const { scan, axis, values } = plant({ home: 'MC_Home', go: 'MC_MoveAbsolute' })
    const value = (most: number) => fc.integer({ min: 1, max: most * 10 }).map((tenths) => tenths / 10)
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 500 }), value(40), value(80), value(80), (target, v, up, down) => {
        scan({ 'go.Execute': false, 'home.Execute': true, 'home.Position': 7 })
        scan({ 'home.Execute': false })
        const distance = Math.abs(target - 7)
        // The trapezoid, or the triangle when the way is too short for the velocity.
        const ramps = (v * v) / (2 * up) + (v * v) / (2 * down)
        const peak = Math.sqrt((2 * distance * up * down) / (up + down))
        const time = ramps <= distance ? (distance - ramps) / v + v / up + v / down : peak / up + peak / down
        scan({
          'go.Execute': true,
          'go.Position': target,
          'go.Velocity': v,
          'go.Acceleration': up,
          'go.Deceleration': down,
        })
        let [steps, before, at] = [0, 0, 7]
        const towards = Math.sign(target - 7)
        for (; !values('go.Done')[0]; steps++) {
          scan()
          const velocity = axis('Velocity')
          assert.ok(Math.abs(velocity) <= v + 1e-6, `velocity ${velocity} of ${v}`)
          assert.ok(velocity * towards >= 0, 'it does not turn')
          assert.ok((velocity - before) * towards <= up / 10 + 1e-6, `from ${before} to ${velocity} with ${up}`)
          assert.ok(
            (axis('Position') - at) * towards >= 0 && (target - axis('Position')) * towards >= 0,
            'it does not pass',
          )
          // The last step ends at the position.
          if (!values('go.Done')[0])
            assert.ok((before - velocity) * towards <= down / 10 + 1e-6, `from ${before} to ${velocity} with ${down}`)
          ;[before, at] = [velocity, axis('Position')]
          assert.ok(steps < time * 10 + 12, `${steps} steps for ${time} s`)
        }
        assert.deepEqual([axis('Position'), axis('Velocity')], [target, 0])
        assert.ok(steps >= time * 10 - 2, `${steps} steps for ${time} s`)
      }),
      { numRuns: 40 },
    )
  })

  test('MC_MoveRelative and MC_MoveSuperimposed add to the position', () => {
    for (const type of ['MC_MoveRelative', 'MC_MoveSuperimposed']) {
      const { scan, trace, values, axis } = plant({ home: 'MC_Home', go: type })
      scan({ 'home.Execute': true, 'home.Position': 5 })
      trace(1)
      trace(9, { 'go.Execute': true, 'go.Distance': -3 })
      assert.deepEqual([axis('Position'), ...values(...result('go'))], [2, ...finished])
    }
  })

  test('MC_MoveSuperimposed has its velocity from VelocityDiff', () => {
    const { trace } = plant({ go: 'MC_MoveSuperimposed' })
    const ramps = { 'go.Acceleration': 1000, 'go.Deceleration': 1000 }
    const seen = trace(4, { ...ramps, 'go.Execute': true, 'go.Distance': 30, 'go.VelocityDiff': 20 })
    assert.deepEqual(
      seen.map(([, velocity]) => velocity),
      [0, 20, 20, 20],
    )
  })

  test('values that cannot be', () => {
    for (const [given, error] of [
      [{ Velocity: 0 }, 0x8003],
      [{ Velocity: Number.NaN }, 0x8003],
      [{ Acceleration: 0 }, 0x8004],
      [{ Deceleration: 0 }, 0x8005],
    ] as const) {
      const { scan, values } = plant({ go: 'MC_MoveAbsolute' })
      scan(Object.fromEntries(Object.entries({ ...given, Execute: true }).map(([name, one]) => [`go.${name}`, one])))
      assert.deepEqual(values(...result('go')), failed(error), JSON.stringify(given))
      // The error stays as long as Execute.
      scan()
      assert.deepEqual(values(...result('go')), failed(error))
      scan({ 'go.Execute': false })
      assert.deepEqual(values(...result('go')), nothing)
    }
  })
})

describe('jobs', () => {
  const motion = { 'go.Position': 10, 'go.Velocity': 10, 'go.Acceleration': 1e6, 'go.Deceleration': 1e6 }

  test('results stay while Execute is on, and are there for one call when it is off', () => {
    const { scan, values, bits } = plant({ go: 'MC_MoveAbsolute' })
    assert.deepEqual(values(...result('go')), nothing)
    scan({ ...motion, 'go.Execute': true })
    assert.deepEqual([...values(...result('go')), bits()], [...busy, enabled | standstill])
    scan({ 'go.Execute': false })
    assert.deepEqual([...values(...result('go')), bits()], [...busy, enabled])
    // The first and the last of eleven steps are half as long.
    for (let i = 0; i < 9; i++) scan()
    assert.deepEqual(values(...result('go')), busy)
    scan()
    assert.deepEqual([...values(...result('go')), bits()], [...finished, enabled | done | standstill])
    scan()
    assert.deepEqual(values(...result('go')), nothing)
    // To where it is.
    scan({ 'go.Execute': true })
    assert.equal(bits(), enabled | standstill)
    scan()
    assert.deepEqual(values(...result('go')), finished)
    scan()
    assert.deepEqual(values(...result('go')), finished)
  })

  test('a new job takes the axis over; the earlier one reports it', () => {
    const { scan, values, trace } = plant({ go: 'MC_MoveAbsolute', other: 'MC_MoveRelative' })
    scan({ ...motion, 'go.Execute': true })
    assert.equal(trace(1)[0]?.[0], 0.5)
    scan({ 'other.Execute': true, 'other.Distance': 100, 'other.Velocity': 1 })
    assert.deepEqual([values(...result('go')), values(...result('other'))], [busy, busy])
    scan()
    assert.deepEqual([values(...result('go')), values(...result('other'))], [aborted, busy])
    scan({ 'go.Execute': false })
    assert.deepEqual(values(...result('go')), nothing)
  })

  test('without an axis, and with one that is off', () => {
    const types = ['MC_MoveAbsolute', 'MC_MoveVelocity', 'MC_Halt', 'MC_Reset', 'MC_Home']
    for (const type of types) {
      const { scan, values } = plant({ noAxis: type, go: type }, false)
      scan({ 'noAxis.Execute': true, 'go.Execute': true })
      const needsEnable = type.startsWith('MC_Move') || type === 'MC_Halt'
      assert.deepEqual(values(...result('noAxis')), failed(0x8002), type)
      assert.deepEqual(values(...result('go')), needsEnable ? failed(0x800f) : busy, type)
    }
  })

  test('switching off ends the motion', () => {
    const { scan, values, trace, bits } = plant({ go: 'MC_MoveVelocity' })
    trace(3, { 'go.Execute': true, 'go.Velocity': 10 })
    scan({ 'power.Enable': false })
    assert.deepEqual([...values(...result('go')), bits()], [...aborted, standstill])
    assert.deepEqual(trace(1), [[1.5, 0]])
    scan({ 'power.Enable': true, 'go.Execute': false })
    assert.deepEqual(trace(2), [
      [1.5, 0],
      [1.5, 0],
    ])
  })

  test('MC_Power tells its state, and errors while it is on', () => {
    const power = (given: Given, noAxis = false) => {
      const { scan, values } = plant(noAxis ? { noPower: 'MC_Power' } : {}, false)
      scan(given)
      const name = noAxis ? 'noPower' : 'power'
      return values(`${name}.Status`, `${name}.Busy`, `${name}.Error`, `${name}.ErrorID`)
    }
    assert.deepEqual(power({ 'power.Enable': true }), [1, 1, 0, 0])
    assert.deepEqual(power({}), [0, 0, 0, 0])
    assert.deepEqual(power({ 'noPower.Enable': true }, true), [0, 0, 1, 0x8002])
    assert.deepEqual(power({}, true), [0, 0, 0, 0])
  })
})

test('MC_Home: modes 0 and 6 set the position, 1 and 7 add to it, others find their mark', () => {
  for (const [mode, position] of [
    [0, 5],
    [1, 12],
    [3, 5],
    [6, 5],
    [7, 12],
    [13, 5],
  ] as const) {
    const { scan, values, axis, bits } = plant({ first: 'MC_Home', home: 'MC_Home' }, false)
    scan({ 'first.Execute': true, 'first.Position': 7 })
    scan({ 'home.Mode': mode, 'home.Position': 5, 'home.Execute': true })
    scan()
    assert.deepEqual(
      [axis('Position'), axis('ActualPosition'), ...values('home.ReferenceMarkPosition')],
      [position, position, position],
    )
    assert.deepEqual([...values(...result('home')), bits() & homed], [...finished, homed])
  }
  for (const mode of [-1, 14]) {
    const { scan, values, bits } = plant({ home: 'MC_Home' }, false)
    scan({ 'home.Mode': mode, 'home.Execute': true })
    assert.deepEqual([...values(...result('home')), bits() & homed], [...failed(0x800a), 0])
  }
})

test('MC_Reset acknowledges the errors of the axis', () => {
  const { run, scan, values, axis, bits } = plant({ reset: 'MC_Reset' })
  run.setBits('StatusWord', 2n, 'A')
  run.setBits('ErrorWord', 8n, 'A')
  run.setBits('ErrorDetail.Number', 9n, 'A')
  scan({ 'reset.Execute': true })
  scan()
  assert.deepEqual(
    [axis('ErrorWord'), axis('ErrorDetail.Number'), bits() & 2, ...values(...result('reset'))],
    [0, 0, 0, ...finished],
  )
})

test('what an ideal axis does not have ends at once', () => {
  for (const type of ['MC_ChangeDynamic', 'MC_SetSensor']) {
    const { scan, values } = plant({ job: type }, false)
    scan({ 'job.Execute': true })
    assert.deepEqual(values(...result('job')), busy)
    scan()
    assert.deepEqual(values(...result('job')), finished)
  }
})

describe('MC_MoveJog', () => {
  const speed = { 'jog.Velocity': 3, 'jog.Acceleration': 20, 'jog.Deceleration': 10 }
  const state = ['jog.Busy', 'jog.InVelocity', 'jog.CommandAborted', 'jog.Error', 'jog.ErrorID'] as const

  test('in both directions, as long as its input is on', () => {
    const { trace, values } = plant({ jog: 'MC_MoveJog' })
    assert.deepEqual(values(...state), [0, 0, 0, 0, 0])
    assert.deepEqual(trace(2, { ...speed, 'jog.JogForward': true }), [
      [0.1, 2],
      [0.35, 3],
    ])
    assert.deepEqual(values(...state), [1, 1, 0, 0, 0])
    assert.deepEqual(trace(2, { 'jog.JogForward': false }), [
      [0.6, 2],
      [0.75, 1],
    ])
    assert.deepEqual(values(...state), [1, 0, 0, 0, 0])
    assert.deepEqual(trace(1), [[0.8, 0]])
    assert.deepEqual(values(...state), [0, 0, 0, 0, 0])
    // Its velocity has no sign.
    assert.deepEqual(trace(2, { 'jog.JogBackward': true }), [
      [0.7, -2],
      [0.45, -3],
    ])
  })

  test('both at once, no axis, an axis that is off, and another job', () => {
    const { scan, trace, values } = plant({ jog: 'MC_MoveJog', go: 'MC_MoveVelocity', noJog: 'MC_MoveJog' })
    scan({ ...speed, 'jog.JogForward': true, 'jog.JogBackward': true, 'noJog.JogForward': true })
    assert.deepEqual(values(...state), [0, 0, 0, 1, 0x8007])
    assert.deepEqual(values('noJog.Error', 'noJog.ErrorID'), [1, 0x800f])
    scan({ 'jog.JogForward': false, 'noJog.JogForward': false })
    // It begins again when both were off.
    assert.deepEqual(values(...state, 'noJog.Error'), [0, 0, 0, 1, 0x8007, 0])
    scan({ 'jog.JogBackward': false })
    assert.deepEqual(values(...state), [0, 0, 0, 0, 0])
    trace(3, { 'jog.JogForward': true })
    trace(2, { 'go.Execute': true })
    assert.deepEqual(values(...state), [0, 0, 1, 0, 0])
    scan({ 'jog.JogForward': false })
    scan({ 'power.Enable': false })
    scan({ 'jog.JogForward': true })
    assert.deepEqual(values(...state), [0, 0, 0, 1, 0x800f])
    scan({ 'jog.JogForward': false })
    assert.deepEqual(values(...state), [0, 0, 0, 0, 0])
    scan({ 'power.Enable': true, 'jog.JogForward': true, 'jog.Acceleration': 0 })
    assert.deepEqual(values(...state), [0, 0, 0, 1, 0x8004])
  })
})
