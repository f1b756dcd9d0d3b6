/** TCONT_CP and TCONT_S: values of their published equations, computed by hand. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { modelBench } from '../../testing/model-bench.ts'

type Given = Readonly<Record<string, number | boolean>>

/** In automatic mode, once a second, with GAIN 2, TI 10 s and no TD. */
function controller(more: Given = {}) {
  const bench = modelBench('TCONT_CP')
  bench.set({ MAN_ON: false, CYCLE: 1, GAIN: 2, TI: 10, TD: 0, ...more })
  return {
    ...bench,
    lmn: (given: Given = {}) => {
      bench.scan(given)
      return bench.values('LMN')[0]
    },
  }
}

describe('TCONT_CP', () => {
  test('the unit of an input of the periphery', () => {
    for (const [mode, value] of [
      [0, 2764.8],
      [1, 276.48],
      [2, 100],
      [3, 2764.8],
    ] as const) {
      const { scan, values } = controller({ PVPER_ON: true, PV_PER: 27_648, PV_FAC: 2, PV_OFFS: 3, PER_MODE: mode })
      scan()
      assert.deepEqual(values('PV', 'ER'), [2 * value + 3, -2 * value - 3], `PER_MODE ${mode}`)
    }
  })

  test('proportional and integral part, disturbance, dead band', () => {
    const { scan, values, lmn } = controller()
    scan({ SP_INT: 10, PV_IN: 4 })
    assert.deepEqual(values('PV', 'ER', 'LMN_P', 'LMN_I', 'LMN_D', 'LMN', 'MAN'), [4, 6, 12, 1.2, 0, 13.2, 13.2])
    assert.equal(lmn(), 14.4)
    assert.equal(lmn({ DISV: 5 }), 20.6)
    assert.equal(lmn({ INT_HPOS: true }), 20.6)
    assert.equal(lmn({ INT_HNEG: true, INT_HPOS: false }), 21.8)
    assert.equal(lmn({ PV_IN: 11 }), 7.8)
    assert.equal(lmn({ INT_HNEG: false }), 7.6)
    assert.equal(lmn({ INT_HPOS: true }), 7.4)
    assert.equal(lmn({ I_ITL_ON: true, I_ITLVAL: 20 }), 23)
    assert.equal(lmn({ I_ITL_ON: false }), 22.8)
    assert.equal(lmn({ DEADB_W: 1 }), 24.8)
    assert.equal(lmn({ PV_IN: 12 }), 22.6)
    assert.deepEqual(values('ER'), [-1])
    // Without a reset time there is no integral.
    assert.equal(lmn({ TI: 0, PV_IN: 4 }), 15)
  })

  test('the derivative part has a lag of TD / D_F, at least TD', () => {
    const { values, scan } = controller({ TI: 0, TD: 4, D_F: 2, CYCLE: 2, LMN_LLM: -100 })
    const d = (setpoint: number) => {
      scan({ SP_INT: setpoint })
      return values('LMN_D', 'LMN')
    }
    // The first run has no change.
    assert.deepEqual(d(5), [0, 10])
    // 4 s × 2 × 3 / (2 s + 2 s), then half of it.
    assert.deepEqual(d(8), [6, 22])
    assert.deepEqual(d(8), [3, 19])
    scan({ D_F: 0 })
    // (4 s × 3 + 0) / (4 s + 2 s)
    assert.deepEqual(values('LMN_D'), [2])
    // By hand there is none.
    scan({ MAN_ON: true, SP_INT: 20 })
    assert.deepEqual(values('LMN_D'), [0])
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
    scan({ DISV: 0, TI: 0, SP_INT: 10 })
    assert.deepEqual(values('LMN', 'QLMN_HLM'), [20, 1])
    scan({ SP_INT: -5 })
    assert.deepEqual(values('LMN', 'QLMN_LLM'), [-10, 1])
  })

  test('by hand the output is limited and scaled, and automatic mode goes on from there', () => {
    const { scan, values, lmn } = controller({ SP_INT: 10, PV_IN: 5, DISV: 4 })
    scan({ MAN_ON: true, MAN: 50 })
    assert.deepEqual(values('LMN', 'LMN_P', 'LMN_I'), [50, 10, 36])
    assert.equal(lmn({ MAN: 120 }), 100)
    assert.equal(lmn({ MAN: -3 }), 0)
    scan({ MAN: 50, LMN_FAC: 0.5, LMN_OFFS: 10 })
    assert.deepEqual(values('LMN', 'LMN_PER'), [35, 9677])
    // 118 % is what the number can be.
    scan({ LMN_FAC: 4 })
    assert.deepEqual(values('LMN', 'LMN_PER'), [210, 32_625])
    scan({ LMN_FAC: -4 })
    assert.deepEqual(values('LMN', 'LMN_PER'), [-190, -32_625])
    scan({ LMN_FAC: 1, LMN_OFFS: 0 })
    assert.equal(lmn({ MAN_ON: false }), 51)
    scan({ MAN_ON: true, TI: 0 })
    assert.deepEqual(values('LMN', 'LMN_I'), [51, 0])
  })

  test('PFAC_SP weakens the proportional action of a change of the setpoint', () => {
    const { lmn } = controller({ PFAC_SP: 0.25, SP_INT: 10, PV_IN: 10 })
    assert.equal(lmn(), 0)
    // P is 8; 2 × 0.75 × 4 are taken away, 0.8 added.
    assert.equal(lmn({ SP_INT: 14 }), 2.8)
    assert.equal(lmn(), 3.6)
    // Factors are 0 to 1.
    assert.equal(lmn({ PFAC_SP: 7, SP_INT: 15 }), 6.6)
  })

  test('the control zone gives the limits, also below, and is left at 80 % of its width', () => {
    const { scan, values, lmn } = controller({ TI: 0, CONZ_ON: true, CON_ZONE: 10, PV_IN: 50, LMN_LLM: -100 })
    const seen = [10, 10.5, 8.5, 8, 8.5, -10, -10.5, -8.5, -8].map((error) => lmn({ SP_INT: 50 + error }))
    assert.deepEqual(seen, [20, 100, 100, 16, 17, -20, -100, -100, -16])
    // From one side to the other.
    assert.deepEqual([lmn({ SP_INT: 70 }), lmn({ SP_INT: 42 })], [100, -16])
    assert.equal(lmn({ SP_INT: 70, CONZ_ON: false }), 40)
    scan({ CONZ_ON: true, DISV: 7 })
    assert.deepEqual(values('LMN'), [100])
  })

  test('in the zone the integral waits', () => {
    const { scan, values } = controller({ CONZ_ON: true, CON_ZONE: 10, LMN_HLM: 20 })
    scan({ SP_INT: 5 })
    assert.deepEqual(values('LMN', 'LMN_I'), [11, 1])
    scan({ SP_INT: 15 })
    assert.deepEqual(values('LMN', 'LMN_I'), [20, 1])
  })

  test('COM_RST: the integral begins with its value, all else with 0, and the parameter is reset', () => {
    const { scan, values, lmn } = controller({ SP_INT: 40, I_ITLVAL: 7, TD: 4, PFAC_SP: 0 })
    const all = ['PV', 'ER', 'LMN', 'LMN_PER', 'QLMN_HLM', 'QLMN_LLM', 'QPULSE', 'LMN_P', 'LMN_D', 'LMN_I', 'QC_ACT']
    scan({ PV_IN: 1 })
    scan({ COM_RST: true })
    assert.deepEqual(values(...all, 'COM_RST'), [0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 1, 0])
    // It is the first run again: no change of the setpoint, no derivative.
    assert.equal(lmn({ SP_INT: 11, PV_IN: 1 }), 29)
    assert.deepEqual(values('LMN_D'), [0])
  })

  test('parameters are saved, restored and loaded', () => {
    const { set, scan, values } = controller()
    const names = ['PFAC_SP', 'GAIN', 'TI', 'TD', 'D_F', 'CON_ZONE', 'CONZ_ON']
    const own = { PFAC_SP: 0.5, GAIN: 3, TI: 4, TD: 5, D_F: 6, CON_ZONE: 7, CONZ_ON: true }
    const other = { PFAC_SP: 0.75, GAIN: 13, TI: 14, TD: 15, D_F: 16, CON_ZONE: 17, CONZ_ON: false }
    const requests = () => values('SAVE_PAR', 'UNDO_PAR', 'LOAD_PID')
    // Nothing was saved yet.
    scan({ ...own, UNDO_PAR: true, MAN_ON: true })
    assert.deepEqual([...values(...names), ...requests()], [0.5, 3, 4, 5, 6, 7, 1, 0, 0, 0])
    scan({ SAVE_PAR: true })
    assert.deepEqual(
      [...values(...names.map((name) => `PAR_SAVE.${name}`)), ...requests()],
      [0.5, 3, 4, 5, 6, 7, 1, 0, 0, 0],
    )
    // Only by hand.
    scan({ ...other, UNDO_PAR: true, MAN_ON: false })
    assert.deepEqual([...values(...names), ...requests()], [0.75, 13, 14, 15, 16, 17, 0, 0, 0, 0])
    scan({ UNDO_PAR: true, MAN_ON: true })
    assert.deepEqual([...values(...names), ...requests()], [0.5, 3, 4, 5, 6, 7, 1, 0, 0, 0])
    // No set of parameters was found by tuning.
    scan({ LOAD_PID: true })
    assert.deepEqual([...values('GAIN', 'TI', 'TD', 'PID_ON'), ...requests()], [3, 4, 5, 0, 0, 0, 0])
    set({ 'PI_CON.GAIN': 20, 'PI_CON.TI': 21, 'PID_CON.GAIN': 50, 'PID_CON.TI': 51, 'PID_CON.TD': 52 })
    scan({ LOAD_PID: true })
    assert.deepEqual(values('GAIN', 'TI', 'TD', 'CON_ZONE'), [20, 21, 5, 12.5])
    scan({ LOAD_PID: true, PID_ON: true, MAN_ON: false })
    assert.deepEqual([...values('GAIN', 'TI', 'TD'), ...requests()], [20, 21, 5, 0, 0, 0])
    scan({ LOAD_PID: true, MAN_ON: true })
    assert.deepEqual(values('GAIN', 'TI', 'TD', 'CON_ZONE', 'PID_ON'), [50, 51, 52, 5, 1])
  })

  describe('pulses', () => {
    /** A period of ten calls; the law runs in every tenth. */
    const generator = (more: Given = {}) =>
      controller({ TI: 0, GAIN: 1, PULSE_ON: true, CYCLE: 1, CYCLE_P: 0.1, PER_TM: 1, P_B_TM: 0.2, ...more })

    test('law and pulses in the same call: the law runs when its cycle is over', () => {
      const { pattern, set, values } = generator({ SP_INT: 30 })
      assert.deepEqual(pattern(5, 'QPULSE', 'QC_ACT'), ['111..', '.....'])
      set({ SP_INT: 60 })
      assert.deepEqual(pattern(5, 'QPULSE', 'QC_ACT'), ['.....', '....1'])
      assert.deepEqual(values('LMN'), [30])
      assert.deepEqual(pattern(10, 'QPULSE', 'QC_ACT'), ['111111....', '.........1'])
      assert.deepEqual(values('LMN'), [60])
    })

    test('no pulse and no pause is shorter than P_B_TM; the output counts from 0 to 100', () => {
      for (const [value, seen] of [
        [19, '..........'],
        [20, '11........'],
        [80, '11111111..'],
        [81, '1111111111'],
        [100, '1111111111'],
        [-30, '..........'],
      ] as const)
        assert.deepEqual(generator({ SP_INT: value, LMN_LLM: -100 }).pattern(10, 'QPULSE'), [seen], `${value}`)
    })

    test('SELECT 2 makes pulses only, SELECT 1 runs the law only, when it has its turn', () => {
      const { pattern, scan, values } = generator({ SP_INT: 30, SELECT: 2 })
      assert.deepEqual(pattern(3, 'QPULSE', 'QC_ACT'), ['...', '111'])
      scan({ SELECT: 1 })
      assert.deepEqual(values('LMN', 'QPULSE', 'QC_ACT'), [30, 0, 0])
      scan({ SP_INT: 50 })
      assert.deepEqual(values('LMN', 'QC_ACT'), [30, 0])
      // The period goes on, and the next has the new output.
      scan({ SELECT: 2 })
      assert.deepEqual(pattern(9, 'QPULSE', 'QC_ACT'), ['......111', '........1'])
      assert.deepEqual(pattern(2, 'QPULSE', 'QC_ACT'), ['..', '11'])
      scan({ SELECT: 1 })
      assert.deepEqual(values('LMN', 'QC_ACT'), [50, 0])
    })

    test('SELECT 3 runs the law in every call', () => {
      const { lmn, values } = generator({ SELECT: 3 })
      assert.deepEqual([lmn({ SP_INT: 30 }), lmn({ SP_INT: 40 })], [30, 40])
      assert.deepEqual(values('QPULSE'), [0])
    })

    test('without PULSE_ON there are none', () => {
      const { pattern, values } = generator({ SP_INT: 30, PULSE_ON: false })
      assert.deepEqual(pattern(3, 'QPULSE', 'QC_ACT'), ['...', '111'])
      assert.deepEqual(values('LMN'), [30])
    })
  })
})

describe('TCONT_S', () => {
  /** Without integral action, every half second; the valve needs 10 s from end to end. */
  const controlled = (more: Given = {}) => {
    const bench = modelBench('TCONT_S')
    bench.set({ LMNS_ON: false, CYCLE: 0.5, GAIN: 1, TI: 0, MTR_TM: 10, PULSE_TM: 1, BREAK_TM: 0, ...more })
    return bench
  }
  const outputs = ['QLMNUP', 'QLMNDN'] as const

  test('a difference moves the valve as far as its share, in pulses with pauses', () => {
    const bench = controlled({ SP_INT: 20, BREAK_TM: 1 })
    assert.deepEqual(bench.pattern(8, ...outputs), ['..1111..', '........'])
    bench.set({ PV_IN: 15 })
    assert.deepEqual(bench.pattern(6, ...outputs), ['......', '111...'])
    assert.deepEqual(bench.values('PV', 'ER'), [15, 5])
    // A pulse is 1 s at least.
    const little = controlled({ SP_INT: 9 })
    assert.deepEqual(little.pattern(4, ...outputs), ['....', '....'])
    little.set({ SP_INT: 11 })
    assert.deepEqual(little.pattern(4, ...outputs), ['111.', '....'])
  })

  test('integral action, disturbance and the weight of the setpoint', () => {
    // 11 % × 0.5 s / 5 s of 10 s are 0.11 s in every call.
    const integral = controlled({ TI: 5, SP_INT: 11, PFAC_SP: 0 })
    assert.deepEqual(integral.pattern(13, 'QLMNUP'), ['.........111.'])
    const disturbed = controlled({ GAIN: 5, DISV: 10 })
    assert.deepEqual(disturbed.pattern(4, ...outputs), ['11..', '....'])
    disturbed.set({ DISV: -10 })
    assert.deepEqual(disturbed.pattern(6, ...outputs), ['......', '1111..'])
    const weighted = controlled({ SP_INT: 40, PFAC_SP: 0.5 })
    assert.deepEqual(weighted.pattern(6, 'QLMNUP'), ['1111..'])
    const band = controlled({ SP_INT: 20, DEADB_W: 10 })
    assert.deepEqual(band.pattern(4, 'QLMNUP'), ['11..'])
  })

  test('end stops and movement by hand', () => {
    const top = controlled({ SP_INT: 20, LMNR_HS: true })
    assert.deepEqual(top.pattern(5, ...outputs), ['.....', '.....'])
    const bottom = controlled({ SP_INT: -20, LMNR_LS: true })
    assert.deepEqual(bottom.pattern(5, ...outputs), ['.....', '.....'])
    const bench = controlled({ SP_INT: 20, LMNS_ON: true })
    assert.deepEqual(bench.pattern(2, ...outputs), ['..', '..'])
    bench.set({ LMNUP: true })
    assert.deepEqual(bench.pattern(2, ...outputs), ['11', '..'])
    bench.set({ LMNDN: true })
    assert.deepEqual(bench.pattern(2, ...outputs), ['..', '..'])
    bench.set({ LMNUP: false })
    assert.deepEqual(bench.pattern(2, ...outputs), ['..', '11'])
    // The deviation acts as a step when the law takes control again.
    bench.set({ LMNS_ON: false })
    assert.deepEqual(bench.pattern(6, ...outputs), ['1111..', '......'])
  })

  test('COM_RST stops, and is reset; the setpoint of then is no change', () => {
    const bench = controlled({ SP_INT: 50, PFAC_SP: 0 })
    bench.pattern(2, 'QLMNUP')
    bench.set({ COM_RST: true, PV_IN: 20 })
    assert.deepEqual(bench.pattern(1, ...outputs), ['.', '.'])
    assert.deepEqual(bench.values('COM_RST', 'PV', 'ER'), [0, 0, 0])
    assert.deepEqual(bench.pattern(8, 'QLMNUP'), ['111111..'])
  })

  test('the valve is not moved further than from end to end', () => {
    for (const [setpoint, name] of [
      [500, 'QLMNUP'],
      [-500, 'QLMNDN'],
    ] as const)
      assert.deepEqual(controlled({ SP_INT: setpoint }).pattern(22, name), [`${'1'.repeat(20)}..`])
  })

  test('an input of the periphery', () => {
    const bench = controlled({ PVPER_ON: true, PV_PER: 500, SP_INT: 60 })
    bench.scan()
    assert.deepEqual(bench.values('PV', 'ER'), [50, 10])
  })
})
