/** PID_Compact, PID_3Step and PID_Temp: values of the published law, modes, limits and errors. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { modelBench } from '../../testing/model-bench.ts'

type Given = Readonly<Record<string, number | boolean>>

const prefixed = (prefix: string, given: Given) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [`${prefix}.${name}`, value]))

/** A controller in automatic mode that is called every second, with these parameters of its law. */
function controller(type: string, law: Given = {}, more: Given = {}, call = 'Mode := #mode') {
  const variables = 'mode : Int; dword1 : DWord; dword2 : DWord;'
  const bench = modelBench(type, { call, variables })
  const parameters = type === 'PID_Temp' ? 'Retain.CtrlParams.Heat' : 'Retain.CtrlParams'
  bench.set({ '/mode': 3, 'Config.InputPerOn': false, 'CycleTime.EnEstimation': false, 'CycleTime.Value': 1 })
  bench.set({ ...prefixed(parameters, { Gain: 2, Ti: 10, ...law }), ...more })
  return {
    ...bench,
    /** Outputs after a call. */
    after: (given: Given, ...names: readonly string[]) => {
      bench.scan(given, 1000)
      return bench.values(...names)
    },
  }
}
const compact = (law?: Given, more?: Given) => controller('PID_Compact', law, more)

describe('the law', () => {
  const output = (law: Given, calls: readonly Given[], more: Given = {}) => {
    const { after } = compact(law, more)
    return calls.map((given) => after(given, 'Output')[0])
  }

  test('proportional and integral action, disturbance', () => {
    // 2 × 6, and 2 × 6 × 1 s / 10 s in every call.
    assert.deepEqual(
      output({}, [{ Setpoint: 10, Input: 4 }, {}, { Disturbance: 5 }, { Input: 12, Disturbance: 20 }]),
      [13.2, 14.4, 20.6, 19.2],
    )
    assert.deepEqual(output({ Ti: 0 }, [{ Setpoint: 10, Input: 4 }, {}]), [12, 12])
  })

  test('inverted: the output falls when the input is too low', () => {
    const more = { 'Config.InvertControl': true, 'Config.OutputLowerLimit': -100 }
    assert.deepEqual(output({}, [{ Setpoint: 10, Input: 4 }, {}], more), [-13.2, -14.4])
    assert.deepEqual(
      output({}, [{ Setpoint: 4, Input: 10, ManualEnable: true, ManualValue: 30 }, { ManualEnable: false }], more),
      [30, 31.2],
    )
  })

  test('the weights of the setpoint', () => {
    // 2 × (0.5 × 10 - 4) + 1.2
    assert.deepEqual(output({ PWeighting: 0.5 }, [{ Setpoint: 10, Input: 4 }]), [3.2])
    const derivative = { Ti: 0, Td: 3, TdFiltRatio: 0 }
    // 2 × (6 + 3 × 6), then 2 × 6.
    assert.deepEqual(output(derivative, [{ Setpoint: 10, Input: 4 }, {}]), [48, 12])
    // Only the input is derived: 2 × (6 - 3 × 4), then 2 × (6 - 3 × 1).
    assert.deepEqual(
      output(
        { ...derivative, DWeighting: 0 },
        [
          { Setpoint: 10, Input: 4 },
          { Setpoint: 11, Input: 5 },
        ],
        {
          'Config.OutputLowerLimit': -100,
        },
      ),
      [-12, 6],
    )
  })

  test('the derivative action has a lag of TdFiltRatio × Td', () => {
    // 2 × (6 + 3 × 6 / (3 + 1)), then 2 × (6 + 4.5 × 3 / 4).
    assert.deepEqual(output({ Ti: 0, Td: 3, TdFiltRatio: 1 }, [{ Setpoint: 10, Input: 4 }, {}]), [21, 18.75])
  })

  test('at a limit the integral waits, unless it leads back', () => {
    const limits = { 'Config.OutputUpperLimit': 20, 'Config.OutputLowerLimit': -10 }
    const steps = [5, 9.5, 5, -20, -20, 0].map((setpoint) => ({ Setpoint: setpoint }))
    assert.deepEqual(output({}, steps, limits), [11, 20, 12, -10, -10, 2])
    assert.deepEqual(
      output({ Ti: 0 }, [{ Setpoint: 10 }, { Disturbance: 15 }, { Setpoint: -20 }], limits),
      [20, 20, -10],
    )
  })

  test('it runs every Cycle and keeps its output meanwhile; the integral counts the time between', () => {
    const { after } = compact({ Cycle: 3 })
    const seen = [10, 20, 20, 20, 20, 20, 20].map((setpoint) => after({ Setpoint: setpoint }, 'Output')[0])
    assert.deepEqual(seen, [22, 22, 22, 54, 54, 54, 66])
  })

  test('in the dead zone the input counts as the setpoint', () => {
    const temperature = controller(
      'PID_Temp',
      { DeadZone: 2, Ti: 0 },
      {},
      'Mode := #mode, Master := #dword1, Slave := #dword2',
    )
    assert.deepEqual(temperature.after({ Setpoint: 10, Input: 8 }, 'OutputHeat'), [0])
    assert.deepEqual(temperature.after({ Input: 7.5 }, 'OutputHeat'), [5])
  })

  test('the time since the last call is measured, when it is to be', () => {
    const { after, scan, values } = compact({ Cycle: 0.1 }, { 'CycleTime.EnEstimation': true, 'CycleTime.Value': 0.5 })
    assert.deepEqual(after({ Setpoint: 10 }, 'Output', 'CycleTime.Value'), [21, 0.5])
    scan({}, 250)
    assert.deepEqual(values('Output', 'CycleTime.Value'), [21.5, 0.25])
    // No time has passed: that of before counts.
    scan({}, 0)
    assert.deepEqual(values('Output', 'CycleTime.Value'), [22, 0.25])
    scan({ 'CycleTime.EnEstimation': false, 'CycleTime.Value': 2 }, 250)
    assert.deepEqual(values('Output', 'CycleTime.Value'), [26, 2])
  })
})

describe('inputs, limits and outputs', () => {
  test('an input of the periphery is scaled between its points', () => {
    const { after } = compact({}, { 'Config.InputPerOn': true })
    assert.deepEqual(after({ Input_PER: 13_824, Input: 7 }, 'ScaledInput'), [50])
    const points = { UpperPointIn: 300, LowerPointIn: 100, UpperPointOut: 20, LowerPointOut: 10 }
    assert.deepEqual(after({ Input_PER: 150, ...prefixed('Config.InputScaling', points) }, 'ScaledInput'), [12.5])
    // Both points at one place.
    assert.deepEqual(after({ 'Config.InputScaling.UpperPointIn': 100 }, 'ScaledInput'), [510])
  })

  test('limits of setpoint and input are shown, also when they are just reached', () => {
    const names = [
      'CurrentSetpoint',
      'SetpointLimit_H',
      'SetpointLimit_L',
      'InputWarning_H',
      'InputWarning_L',
      'ScaledInput',
    ]
    const limits = { SetpointUpperLimit: 60, SetpointLowerLimit: 20, InputUpperWarning: 70, InputLowerWarning: 10 }
    const { after } = compact({}, prefixed('Config', limits))
    const seen = [
      [40, 40],
      [60, 70],
      [61, 71],
      [20, 10],
      [19, 9],
    ].map(([Setpoint, Input]) => after({ Setpoint, Input } as Given, ...names))
    assert.deepEqual(seen, [
      [40, 0, 0, 0, 0, 40],
      [60, 1, 0, 1, 0, 70],
      [60, 1, 0, 1, 0, 71],
      [20, 0, 1, 0, 1, 10],
      [20, 0, 1, 0, 1, 9],
    ])
  })

  test('the output for the periphery: 27648 are 100 %, and 117 % is the most', () => {
    const { after } = compact({ Ti: 0 }, { 'Config.OutputUpperLimit': 500, 'Config.OutputLowerLimit': -500 })
    const seen = [25, 100, -25, -100].map((setpoint) => after({ Setpoint: setpoint }, 'Output', 'Output_PER'))
    assert.deepEqual(seen, [
      [50, 13_824],
      [200, 32_348],
      [-50, -13_824],
      [-200, -32_348],
    ])
  })

  test('pulses are as long as the output; none, and no pause, is shorter than its least', () => {
    const pulses = (value: number, more: Given = {}) => {
      const { run, set } = compact({ Cycle: 10 }, { ManualEnable: true, ManualValue: value, ...more })
      let seen = ''
      set({})
      for (let i = 0; i < 20; i++) {
        run.clock.advanceMilliseconds(1000)
        run.scan()
        seen += run.get('b.Output_PWM') ? '1' : '.'
      }
      // The period begins with the tenth call: the first is counted as one that has passed.
      return seen.slice(9, 19)
    }
    assert.deepEqual(
      [0, 30, 50, 100].map((value) => pulses(value)),
      ['..........', '111.......', '11111.....', '1111111111'],
    )
    const least = { 'Config.MinimumOnTime': 2, 'Config.MinimumOffTime': 3 }
    assert.deepEqual(
      [19, 20, 70, 71].map((value) => pulses(value, least)),
      ['..........', '11........', '1111111...', '1111111111'],
    )
  })
})

describe('modes', () => {
  test('the edge of ModeActivate activates Mode; ManualEnable keeps manual mode as long as it is there', () => {
    const { after } = compact({ Ti: 0 }, { '/mode': 4, ManualValue: 12, Setpoint: 10 })
    const step = (given: Given) => after(given, 'State', 'Output')
    assert.deepEqual(step({}), [4, 12])
    assert.deepEqual(step({ '/mode': 3 }), [4, 12])
    // The law takes over without a jump.
    assert.deepEqual(step({ ModeActivate: true }), [3, 12])
    assert.deepEqual(step({ '/mode': 0 }), [3, 12])
    assert.deepEqual(step({ ModeActivate: false, Setpoint: 11 }), [3, 14])
    assert.deepEqual(step({ ModeActivate: true }), [0, 0])
    assert.deepEqual(step({ ModeActivate: false, ManualEnable: true }), [4, 12])
    assert.deepEqual(step({ ManualValue: 130 }), [4, 100])
    assert.deepEqual(step({ ManualValue: -5 }), [4, 0])
    // Its end activates Mode.
    assert.deepEqual(step({ ManualEnable: false, '/mode': 3 }), [3, 0])
  })

  test('RunModeByStartup decides whether the first call takes Mode', () => {
    assert.deepEqual(compact().after({}, 'State'), [3])
    const { after } = compact({}, { RunModeByStartup: false })
    assert.deepEqual([after({}, 'State'), after({}, 'State')], [[0], [0]])
  })

  test('Reset is inactive mode as long as it is there, and deletes the integral and errors', () => {
    const { after } = compact({}, { Setpoint: 10 })
    after({}, 'State')
    after({ Input: 200 }, 'State')
    assert.deepEqual(after({ Input: 0 }, 'State', 'ErrorBits'), [3, 1])
    assert.deepEqual(after({ Reset: true }, 'State', 'Output', 'Output_PWM', 'ErrorBits'), [0, 0, 0, 0])
    assert.deepEqual(after({}, 'State'), [0])
    assert.deepEqual(after({ Reset: false }, 'State', 'Output'), [3, 22])
  })

  test('tuning ends at once with its error, in automatic mode', () => {
    for (const [mode, bit] of [
      [1, 8],
      [2, 4],
    ] as const) {
      const { after } = compact({}, { '/mode': mode })
      assert.deepEqual(after({}, 'State', 'ErrorBits', '/mode', 'Error'), [3, bit, 3, 0])
    }
  })

  test('a mode that is none has a warning until it is acknowledged', () => {
    for (const mode of [5, -1]) {
      const { after } = compact({}, {})
      after({}, 'State')
      assert.deepEqual(after({ '/mode': mode, ModeActivate: true }, 'State', 'Warning'), [3, 128])
      assert.deepEqual(after({}, 'Warning'), [128])
      assert.deepEqual(after({ ErrorAck: true }, 'Warning'), [0])
    }
  })
})

describe('errors', () => {
  const result = ['State', 'Error', 'ErrorBits', 'Output'] as const
  const substitute = { SubstituteOutput: 15, Setpoint: 10, Input: 5 }

  test('with ActivateRecoverMode the substitute counts until the error is gone; its bit stays until ErrorAck', () => {
    for (const [wrong, right, bit] of [
      [{ Input: Number.NaN }, { Input: 5 }, 0x200],
      [{ Input: Number.POSITIVE_INFINITY }, { Input: 5 }, 0x200],
      [{ Setpoint: Number.NaN }, { Setpoint: 10 }, 0x1000],
    ] as const) {
      const { after } = compact({ Ti: 0 }, substitute)
      assert.deepEqual(after({}, ...result), [3, 0, 0, 10])
      assert.deepEqual(after(wrong, ...result), [5, 1, bit, 15])
      assert.deepEqual(after(right, ...result), [3, 0, bit, 10])
      assert.deepEqual(after({ ErrorAck: true }, ...result), [3, 0, 0, 10])
      // Acknowledged is with the edge.
      after(wrong, 'State')
      assert.deepEqual(after(right, 'ErrorBits'), [bit])
    }
  })

  test('without it, the controller is inactive from then on', () => {
    const { after } = compact({ Ti: 0 }, { ...substitute, ActivateRecoverMode: false })
    assert.deepEqual(after({ Input: 121 }, ...result), [0, 1, 1, 0])
    assert.deepEqual(after({ Input: 5 }, ...result), [0, 0, 1, 0])
  })

  test('an input beyond its limits is an error that does not stop; the limits are allowed', () => {
    const { after } = compact(
      { Ti: 0 },
      { 'Config.InputLowerLimit': -20, Setpoint: 130, 'Config.OutputUpperLimit': 400 },
    )
    const seen = [120, 120.5, -20, -20.5].map((input) => after({ Input: input, ErrorAck: false }, ...result))
    assert.deepEqual(seen, [
      [3, 0, 0, 20],
      [3, 1, 1, 19],
      [3, 0, 1, 300],
      [3, 1, 1, 301],
    ])
  })

  test('the periphery: values of a broken wire, and an input that is no number', () => {
    const { after } = compact({ Ti: 0 }, { ...substitute, 'Config.InputPerOn': true, 'Config.InputUpperLimit': 500 })
    assert.deepEqual(after({ Input_PER: 32_767 }, ...result), [5, 1, 2, 15])
    assert.deepEqual(after({ Input_PER: 0, ErrorAck: true }, ...result), [3, 0, 0, 20])
    assert.deepEqual(after({ 'Config.InputLowerLimit': -500, Input_PER: -32_767 }, ...result), [5, 1, 2, 15])
    assert.deepEqual(after({ 'Config.InputScaling.UpperPointOut': Number.NaN, Input_PER: 10 }, 'ErrorBits'), [2])
  })

  test('manual and substitute values that are no numbers', () => {
    const { after } = compact({ Ti: 0 }, { ...substitute, ManualValue: Number.NaN })
    assert.deepEqual(after({}, ...result), [3, 0, 0, 10])
    assert.deepEqual(after({ ManualEnable: true }, ...result), [4, 1, 0x1_0000, 15])
    assert.deepEqual(after({ SubstituteOutput: Number.NaN }, ...result), [4, 1, 0x3_0000, 0])
    assert.deepEqual(after({ ManualEnable: false, '/mode': 3 }, ...result), [3, 1, 0x3_0000, 0])
  })

  test('a disturbance that is no number counts as 0', () => {
    const { after } = compact({ Ti: 0 }, { ...substitute, Disturbance: Number.NaN })
    assert.deepEqual(after({}, ...result), [3, 1, 0x4_0000, 10])
  })

  test('SetSubstituteOutput FALSE keeps the output', () => {
    const { after } = compact({ Ti: 0 }, { ...substitute, SetSubstituteOutput: false })
    after({}, 'State')
    assert.deepEqual(after({ Setpoint: Number.NaN }, ...result), [5, 1, 0x1000, 10])
  })
})

describe('PID_3Step', () => {
  /** An actuator that needs 10 s from end to end. */
  const threeStep = (more: Given = {}) =>
    controller('PID_3Step', { Ti: 0, Gain: 1 }, { 'Retain.TransitTime': 10, ...more })
  const moves = (bench: ReturnType<typeof threeStep>, given: Given, calls: number) => {
    bench.set(given)
    let seen = ''
    for (let i = 0; i < calls; i++) {
      const [up, down] = bench.after({}, 'Output_UP', 'Output_DN')
      seen += up && down ? '!' : up ? '+' : down ? '-' : '.'
    }
    return seen
  }

  test('the computed position follows the output', () => {
    const bench = threeStep()
    assert.equal(moves(bench, { Setpoint: 40 }, 6), '++++..')
    assert.deepEqual(bench.values('ScaledFeedback', 'Output_PER'), [40, 11_059])
    assert.equal(moves(bench, { Setpoint: 15 }, 5), '--...')
    assert.deepEqual(bench.values('ScaledFeedback', 'Output_PER'), [20, 4147])
  })

  test('the dead band, and at least half of what one call moves', () => {
    const bench = threeStep({ 'Config.DeadBand': 15 })
    assert.equal(moves(bench, { Setpoint: 15 }, 2), '..')
    assert.equal(moves(bench, { Setpoint: 16 }, 3), '+..')
    assert.equal(moves(threeStep(), { Setpoint: 5 }, 2), '..')
    assert.equal(moves(threeStep(), { Setpoint: 6 }, 2), '+.')
  })

  test('end stops tell the position', () => {
    const bench = threeStep()
    assert.equal(moves(bench, { Setpoint: 100, Actuator_H: true }, 1), '.')
    assert.equal(moves(bench, { Setpoint: 0, Actuator_H: false }, 2), '--')
    assert.deepEqual(bench.values('ScaledFeedback'), [90])
    assert.equal(moves(bench, { Actuator_L: true }, 1), '.')
    assert.equal(moves(bench, { Actuator_L: false, Setpoint: 10 }, 2), '+.')
    assert.deepEqual(bench.values('ScaledFeedback'), [10])
  })

  test('the position of the feedback counts', () => {
    const bench = threeStep({ 'Config.FeedbackOn': true, Feedback: 30 })
    assert.equal(moves(bench, { Setpoint: 40 }, 3), '+++')
    assert.deepEqual(bench.values('ScaledFeedback'), [30])
    assert.equal(moves(bench, { 'Config.FeedbackPerOn': true, Feedback_PER: 13_824 }, 2), '--')
    assert.deepEqual(bench.values('ScaledFeedback'), [50])
    // By hand to a position.
    assert.equal(moves(bench, { ManualEnable: true, ManualValue: 70 }, 2), '++')
    assert.equal(moves(bench, { Feedback_PER: 24_883 }, 2), '--')
    assert.equal(moves(bench, { Feedback_PER: 19_353 }, 2), '..')
  })

  test('by hand without feedback: by the inputs for it, not both', () => {
    const bench = threeStep({ ManualEnable: true, ManualValue: 90 })
    assert.equal(moves(bench, {}, 2), '..')
    assert.equal(moves(bench, { Manual_UP: true }, 2), '++')
    assert.equal(moves(bench, { Manual_DN: true }, 2), '..')
    assert.equal(moves(bench, { Manual_UP: false }, 4), '----')
    // It is not computed to be beyond its end.
    assert.deepEqual(bench.values('ScaledFeedback'), [0])
  })

  test('inactive it does not move; the substitute is a position', () => {
    const bench = threeStep({ '/mode': 0, Setpoint: 50 })
    assert.equal(moves(bench, {}, 2), '..')
    assert.deepEqual(bench.values('Output_PER'), [0])
    const other = threeStep({ SubstituteOutput: 20, Setpoint: Number.NaN })
    assert.equal(moves(other, {}, 4), '++..')
  })
})

describe('PID_Temp', () => {
  const temperature = (more: Given = {}, law: Given = { Ti: 0, Gain: 1 }) =>
    controller('PID_Temp', law, more, 'Mode := #mode, Master := #dword1, Slave := #dword2')
  const outputs = ['OutputHeat', 'OutputCool', 'OutputHeat_PER', 'OutputCool_PER', 'PidOutputSum'] as const

  test('heats above 0 and cools below, with the factor of cooling', () => {
    const { after } = temperature({
      'Config.ActivateCooling': true,
      'Config.CoolFactor': 2,
      'Config.InputLowerLimit': -50,
    })
    assert.deepEqual(after({ Setpoint: 50 }, ...outputs), [50, 0, 13_824, 0, 50])
    assert.deepEqual(after({ Setpoint: -25 }, ...outputs), [0, 50, 0, 13_824, -25])
    assert.deepEqual(after({ Setpoint: -80 }, ...outputs), [0, 100, 0, 27_648, -80])
    assert.deepEqual(after({ 'Config.CoolFactor': 0 }, 'OutputCool'), [80])
    assert.deepEqual(after({ 'Config.Output.Cool.PidLowerLimit': -30 }, 'OutputCool'), [30])
    assert.deepEqual(after({ Setpoint: 80, 'Config.Output.Heat.PidUpperLimit': 60 }, 'OutputHeat'), [60])
  })

  test('without cooling nothing is below 0', () => {
    const { after } = temperature()
    assert.deepEqual(after({ Setpoint: -25 }, ...outputs), [0, 0, 0, 0, 0])
    assert.deepEqual(after({ 'Config.Output.Heat.PidLowerLimit': 5 }, ...outputs).slice(0, 2), [5, 0])
    assert.deepEqual(after({ 'Config.Output.Heat.PidLowerLimit': -5 }, ...outputs).slice(0, 2), [0, 0])
  })

  test('pulses of both sides, each with its period', () => {
    const { after } = temperature({
      'Config.ActivateCooling': true,
      'Retain.CtrlParams.Heat.Cycle': 1,
      'Retain.CtrlParams.Cool.PwmPeriode': 4,
      'Retain.CtrlParams.Heat.PwmPeriode': 10,
      'Config.Output.Heat.MinimumOnTime': 3,
    })
    const pulses = (setpoint: number, name: string, calls: number) =>
      Array.from({ length: calls }, () => (after({ Setpoint: setpoint }, name)[0] ? '1' : '.')).join('')
    assert.equal(pulses(30, 'OutputHeat_PWM', 20), '11.......111.......1')
    assert.equal(pulses(20, 'OutputHeat_PWM', 10), '..........')
    assert.equal(pulses(-50, 'OutputCool_PWM', 8), '.11..11.')
    assert.deepEqual(after({ '/mode': 0, ModeActivate: true }, 'OutputHeat_PWM', 'OutputCool_PWM'), [0, 0])
  })
})
