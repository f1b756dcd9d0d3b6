/** CONT_C, CONT_S and PULSEGEN: values of their published equations, computed by hand. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { modelBench } from '../../testing/model-bench.ts'

describe('CONT_C', () => {
  /** In automatic mode, once a second, with GAIN 2 and TI 10 s. */
  const controller = (more: Readonly<Record<string, number | boolean>> = {}) => {
    const bench = modelBench('CONT_C')
    bench.set({ MAN_ON: false, CYCLE: 1000, GAIN: 2, TI: 10_000, ...more })
    return {
      ...bench,
      lmn: (given: Readonly<Record<string, number | boolean>> = {}) => {
        bench.scan(given)
        return bench.values('LMN')[0]
      },
    }
  }

  test('proportional and integral part, disturbance', () => {
    const { scan, values, lmn } = controller()
    scan({ SP_INT: 10, PV_IN: 4 })
    // ER 6: P is 12, and I grows by 2 × 6 × 1 s / 10 s.
    assert.deepEqual(values('PV', 'ER', 'LMN_P', 'LMN_I', 'LMN_D', 'LMN'), [4, 6, 12, 1.2, 0, 13.2])
    assert.equal(lmn(), 14.4)
    assert.equal(lmn({ DISV: 5 }), 20.6)
    assert.equal(lmn({ P_SEL: false }), 9.8)
    assert.deepEqual(values('LMN_P', 'LMN_I'), [0, 4.8])
    assert.equal(lmn({ INT_HOLD: true }), 9.8)
    assert.equal(lmn({ INT_HOLD: false, SP_INT: 3 }), 9.6)
    assert.equal(lmn({ I_ITL_ON: true, I_ITLVAL: 7 }), 12)
    assert.equal(lmn({ I_ITL_ON: false }), 11.8)
    // The integral is neither in the output nor kept.
    assert.equal(lmn({ I_SEL: false }), 5)
    assert.equal(lmn({ I_ITL_ON: true }), 5)
    assert.equal(lmn({ I_SEL: true, I_ITL_ON: false }), 4.8)
    // Without a reset time nothing is added.
    assert.equal(lmn({ TI: 0 }), 4.8)
  })

  test('derivative part with its lag', () => {
    const { scan, values, lmn } = controller({
      I_SEL: false,
      P_SEL: false,
      D_SEL: true,
      TD: 4000,
      TM_LAG: 3000,
      LMN_LLM: -100,
    })
    // 4 s × 2 × 5 / (3 s + 1 s), then three quarters of it in each call.
    assert.equal(lmn({ SP_INT: 5 }), 10)
    assert.equal(lmn(), 7.5)
    assert.equal(lmn({ SP_INT: 0 }), -4.375)
    scan({ D_SEL: false })
    assert.deepEqual(values('LMN_D', 'LMN'), [0, 0])
    // What was before it was switched off counts no more.
    assert.equal(lmn({ D_SEL: true, SP_INT: 5 }), 10)
  })

  test('the dead band takes its width from the difference', () => {
    const { scan, values } = controller({ DEADB_W: 2, I_SEL: false, LMN_LLM: -100 })
    const seen = [2, -2, 3, -5].map((setpoint) => {
      scan({ SP_INT: setpoint })
      return values('ER', 'LMN')
    })
    assert.deepEqual(seen, [
      [0, 0],
      [0, 0],
      [1, 2],
      [-3, -6],
    ])
  })

  test('an input of the periphery: 27648 are 100 %', () => {
    const { scan, values } = controller({ PVPER_ON: true, PV_FAC: 2, PV_OFF: 3, PV_IN: 77 })
    scan({ PV_PER: 13_824 })
    assert.deepEqual(values('PV', 'ER'), [103, -103])
  })

  test('at a limit the integral waits, unless it leads back', () => {
    const { scan, values } = controller({ LMN_HLM: 20, LMN_LLM: -10 })
    const step = (setpoint: number) => {
      scan({ SP_INT: setpoint })
      return values('LMN', 'LMN_I', 'QLMN_HLM', 'QLMN_LLM')
    }
    assert.deepEqual(step(5), [11, 1, 0, 0])
    assert.deepEqual(step(9.5), [20, 1, 1, 0])
    assert.deepEqual(step(5), [12, 2, 0, 0])
    assert.deepEqual(step(-20), [-10, 2, 0, 1])
    scan({ DISV: 100 })
    assert.deepEqual(step(-20), [20, -6, 1, 0])
    // Exactly at the limit is at it.
    scan({ DISV: 0, I_SEL: false, SP_INT: 10 })
    assert.deepEqual(values('LMN', 'QLMN_HLM'), [20, 1])
    scan({ SP_INT: -5 })
    assert.deepEqual(values('LMN', 'QLMN_LLM'), [-10, 1])
  })

  test('by hand the output is limited, and automatic mode goes on from there', () => {
    const { scan, values, lmn } = controller({ SP_INT: 10, PV_IN: 5, DISV: 4, D_SEL: true, TD: 4000 })
    scan({ MAN_ON: true, MAN: 50 })
    assert.deepEqual(values('LMN', 'LMN_P', 'LMN_I', 'LMN_D'), [50, 10, 36, 0])
    assert.equal(lmn({ MAN: 120 }), 100)
    assert.equal(lmn({ MAN: -3 }), 0)
    assert.equal(lmn({ MAN: 50 }), 50)
    // The first step of the integral is 1.
    assert.equal(lmn({ MAN_ON: false }), 51)
    scan({ MAN_ON: true, I_SEL: false })
    assert.deepEqual(values('LMN', 'LMN_I'), [50, 0])
    assert.equal(lmn({ MAN_ON: false }), 14)
  })

  test('the output is scaled, and limited for the periphery to what its number can be', () => {
    const { scan, values } = controller({ MAN_ON: true, LMN_FAC: 0.5, LMN_OFF: 10 })
    scan({ MAN: 50 })
    assert.deepEqual(values('LMN', 'LMN_PER'), [35, 9677])
    scan({ LMN_FAC: 4 })
    assert.deepEqual(values('LMN', 'LMN_PER'), [210, 32_348])
    scan({ LMN_FAC: -4 })
    assert.deepEqual(values('LMN', 'LMN_PER'), [-190, 65_536 - 32_348])
  })

  test('COM_RST: the integral is its initial value, all else 0', () => {
    const { scan, values, lmn } = controller({ SP_INT: 200, PV_IN: 3, D_SEL: true, TD: 4000 })
    const all = ['LMN', 'LMN_PER', 'QLMN_HLM', 'QLMN_LLM', 'LMN_P', 'LMN_I', 'LMN_D', 'PV', 'ER']
    scan()
    scan({ COM_RST: true, I_ITLVAL: 8 })
    assert.deepEqual(values(...all), [0, 0, 0, 0, 0, 0, 0, 0, 0])
    scan({ I_ITL_ON: true })
    assert.deepEqual(values(...all), [0, 0, 0, 0, 0, 8, 0, 0, 0])
    assert.equal(lmn({ COM_RST: false, I_ITL_ON: false, SP_INT: 3 }), 8)
  })

  test('a cycle of 0 counts as a millisecond', () => {
    assert.equal(controller({ CYCLE: 0, P_SEL: false, TI: 10 }).lmn({ SP_INT: 10 }), 2)
  })
})

describe('CONT_S', () => {
  /** Without integral action; the actuator runs for 10 s from end to end. */
  const controller = (more: Readonly<Record<string, number | boolean>> = {}) => {
    const bench = modelBench('CONT_S')
    const times = { CYCLE: 500, TI: 0, MTR_TM: 10_000, PULSE_TM: 1000, BREAK_TM: 1000 }
    bench.set({ LMNS_ON: false, ...times, GAIN: 1, DEADB_W: 0, ...more })
    return bench
  }

  test('a step moves the actuator as far, in a pulse, after the pause', () => {
    const bench = controller({ SP_INT: 20 })
    // 20 % of 10 s are four calls of 0.5 s.
    assert.deepEqual(bench.pattern(8, 'QLMNUP', 'QLMNDN'), ['..1111..', '........'])
    assert.deepEqual(bench.values('PV', 'ER'), [0, 20])
    bench.set({ PV_IN: 15 })
    assert.deepEqual(bench.pattern(8, 'QLMNUP', 'QLMNDN'), ['........', '111.....'])
  })

  test('what is less than a pulse is collected; a pulse lasts for its time', () => {
    const bench = controller({ SP_INT: 8 })
    assert.deepEqual(bench.pattern(5, 'QLMNUP', 'QLMNDN'), ['.....', '.....'])
    bench.set({ SP_INT: 10 })
    assert.deepEqual(bench.pattern(6, 'QLMNUP', 'QLMNDN'), ['11....', '......'])
    bench.set({ SP_INT: 30 })
    assert.deepEqual(bench.pattern(1, 'QLMNUP', 'QLMNDN'), ['1', '.'])
    // What was wanted is gone, but the pulse is not long enough yet; then there is a pause before the way back.
    bench.set({ SP_INT: -10 })
    assert.deepEqual(bench.pattern(11, 'QLMNUP', 'QLMNDN'), ['1..........', '...111111..'])
  })

  test('integral action: a difference goes on moving the actuator', () => {
    const bench = controller({ TI: 5000, BREAK_TM: 0, SP_INT: 9 })
    // 0.9 s for the step, and 9 % × 0.5 s / 5 s of 10 s, 0.09 s, in every call; a pulse takes 0.5 s in each.
    assert.deepEqual(bench.pattern(19, 'QLMNUP'), ['.111.............11'])
  })

  test('end stops, the dead band and movement by hand', () => {
    const bench = controller({ SP_INT: 20, BREAK_TM: 0, LMNR_HS: true })
    assert.deepEqual(bench.pattern(4, 'QLMNUP', 'QLMNDN'), ['....', '....'])
    const down = controller({ SP_INT: -20, BREAK_TM: 0 })
    assert.deepEqual(down.pattern(2, 'QLMNUP', 'QLMNDN'), ['..', '11'])
    down.set({ LMNR_LS: true })
    assert.deepEqual(down.pattern(2, 'QLMNUP', 'QLMNDN'), ['..', '..'])
    const band = controller({ SP_INT: 20, BREAK_TM: 0, DEADB_W: 20 })
    assert.deepEqual(band.pattern(3, 'QLMNUP'), ['...'])
    band.set({ DEADB_W: 10 })
    assert.deepEqual(band.pattern(3, 'QLMNUP'), ['11.'])
    assert.deepEqual(band.values('ER'), [10])
    band.set({ LMNS_ON: true, LMNUP: true, SP_INT: 50 })
    assert.deepEqual(band.pattern(2, 'QLMNUP', 'QLMNDN'), ['11', '..'])
    band.set({ LMNDN: true })
    assert.deepEqual(band.pattern(2, 'QLMNUP', 'QLMNDN'), ['..', '..'])
    band.set({ LMNUP: false })
    assert.deepEqual(band.pattern(2, 'QLMNUP', 'QLMNDN'), ['..', '11'])
    // Nothing is left of before when the law takes control.
    band.set({ LMNS_ON: false })
    assert.deepEqual(band.pattern(3, 'QLMNUP', 'QLMNDN'), ['...', '...'])
  })

  test('COM_RST stops and forgets', () => {
    const bench = controller({ SP_INT: 50, BREAK_TM: 0 })
    assert.deepEqual(bench.pattern(2, 'QLMNUP'), ['11'])
    bench.set({ COM_RST: true })
    assert.deepEqual(bench.pattern(2, 'QLMNUP'), ['..'])
    assert.deepEqual(bench.values('ER'), [50])
    bench.set({ COM_RST: false, SP_INT: 10 })
    assert.deepEqual(bench.pattern(4, 'QLMNUP'), ['11..'])
  })

  test('the actuator is not moved further than from end to end', () => {
    const bench = controller({ SP_INT: 500, BREAK_TM: 0 })
    assert.deepEqual(bench.pattern(22, 'QLMNUP'), [`${'1'.repeat(20)}..`])
    const down = controller({ SP_INT: -500, BREAK_TM: 0 })
    assert.deepEqual(down.pattern(22, 'QLMNDN'), [`${'1'.repeat(20)}..`])
  })

  test('a process value of the periphery', () => {
    const bench = controller({ PVPER_ON: true, PV_PER: 27_648, PV_OFF: -40, SP_INT: 60 })
    bench.scan()
    assert.deepEqual(bench.values('PV', 'ER'), [60, 0])
  })
})

describe('PULSEGEN', () => {
  /** A period of ten calls. */
  const generator = (more: Readonly<Record<string, number | boolean>> = {}) => {
    const bench = modelBench('PULSEGEN')
    bench.set({ PER_TM: 100, CYCLE: 10, P_B_TM: 20, ...more })
    return bench
  }
  const outputs = ['QPOS_P', 'QNEG_P'] as const

  test('three steps: the pulse of the sign has the share of the value, that of the beginning of the period', () => {
    const bench = generator({ INV: 30 })
    assert.deepEqual(bench.pattern(12, ...outputs), ['111.......11', '............'])
    bench.set({ INV: -60 })
    assert.deepEqual(bench.pattern(18, ...outputs), ['1.................', '........111111....'])
    for (const [value, up, down] of [
      [100, '1111111111', '..........'],
      [150, '1111111111', '..........'],
      [-150, '..........', '1111111111'],
      [0, '..........', '..........'],
    ] as const)
      assert.deepEqual(generator({ INV: value }).pattern(10, ...outputs), [up, down], `${value}`)
  })

  test('the ratio factor shortens negative pulses when it is below 1, positive ones when it is above', () => {
    for (const [ratio, value, up, down] of [
      [0.5, 60, '111111....', '..........'],
      [0.5, -60, '..........', '111.......'],
      [0.5, -100, '..........', '11111.....'],
      // The shortest pulse is half as long too.
      [0.5, -20, '..........', '1.........'],
      [0.5, -19, '..........', '..........'],
      [2, 60, '111.......', '..........'],
      [2, -60, '..........', '111111....'],
      [2, 100, '11111.....', '..........'],
    ] as const)
      assert.deepEqual(
        generator({ RATIOFAC: ratio, INV: value }).pattern(10, ...outputs),
        [up, down],
        `${ratio} ${value}`,
      )
  })

  test('no pulse and no pause is shorter than P_B_TM', () => {
    for (const [value, up] of [
      [19, '..........'],
      [20, '11........'],
      [80, '11111111..'],
      [81, '1111111111'],
    ] as const)
      assert.deepEqual(generator({ INV: value }).pattern(10, 'QPOS_P'), [up], `${value}`)
  })

  test('two steps: the other output is the pause; bipolar values are -100 to 100', () => {
    for (const [value, isBipolar, up] of [
      [30, false, '111.......'],
      [-30, false, '..........'],
      [130, false, '1111111111'],
      [0, true, '11111.....'],
      [-40, true, '111.......'],
      [60, true, '11111111..'],
      [-130, true, '..........'],
      [130, true, '1111111111'],
    ] as const) {
      const down = [...up].map((one) => (one === '1' ? '.' : '1')).join('')
      const bench = generator({ STEP3_ON: false, ST2BI_ON: isBipolar, INV: value })
      assert.deepEqual(bench.pattern(10, ...outputs), [up, down], `${value} ${isBipolar}`)
    }
  })

  test('by hand', () => {
    for (const [isThree, up, down, seen] of [
      [true, false, false, [0, 0]],
      [true, true, false, [1, 0]],
      [true, false, true, [0, 1]],
      [true, true, true, [0, 0]],
      [false, false, false, [0, 1]],
      [false, true, false, [1, 0]],
      [false, false, true, [0, 1]],
      [false, true, true, [1, 0]],
    ] as const) {
      const bench = generator({ MAN_ON: true, STEP3_ON: isThree, POS_P_ON: up, NEG_P_ON: down, INV: 50 })
      bench.scan()
      assert.deepEqual(bench.values(...outputs), seen, `${isThree} ${up} ${down}`)
    }
  })

  test('COM_RST switches off; the period begins again', () => {
    const bench = generator({ INV: 30 })
    bench.pattern(5, 'QPOS_P')
    bench.set({ COM_RST: true })
    assert.deepEqual(bench.pattern(2, ...outputs), ['..', '..'])
    bench.set({ COM_RST: false })
    assert.deepEqual(bench.pattern(5, 'QPOS_P'), ['111..'])
    const two = generator({ STEP3_ON: false, COM_RST: true, INV: 50 })
    assert.deepEqual(two.pattern(2, ...outputs), ['..', '..'])
  })
})
