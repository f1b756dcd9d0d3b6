/** Polyline, RampSoak, TCONT_CP, TCONT_S and the blocks of drives: values and errors of their published pages. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSource } from '../../testing/lower-source.ts'
import { modelBench } from '../../testing/model-bench.ts'

const real = (value: number) => BigInt(new Uint32Array(new Float32Array([value]).buffer)[0] as number)

/** A block with these inputs as members of the test, and settings of its first call. */
function running(type: string, inputs: Readonly<Record<string, 'Real' | 'Bool' | 'Int'>>, settings = '') {
  const declared = Object.entries(inputs).map(([name, kind]) => `i_${name} : ${kind};`)
  const run = runSource(`FUNCTION_BLOCK "Main"
VAR_INPUT ${declared.join(' ')} END_VAR
VAR b : ${type}; ok : Bool; first : Bool := TRUE; END_VAR
BEGIN
IF #first THEN ${settings} #first := FALSE; END_IF;
#b(${Object.keys(inputs)
    .map((name) => `${name} := #i_${name}, `)
    .join('')}ENO => #ok);
END_FUNCTION_BLOCK`)
  return {
    run,
    set(values: Readonly<Record<string, number | boolean>>) {
      for (const [name, value] of Object.entries(values)) {
        const kind = inputs[name]
        run.setBits(`i_${name}`, kind === 'Real' ? real(Number(value)) : BigInt.asUintN(16, BigInt(value)))
      }
    },
    scan(milliseconds: number, values: Readonly<Record<string, number | boolean>> = {}) {
      run.clock.advanceMilliseconds(milliseconds)
      this.set(values)
      run.scan()
    },
    number: (name: string) => Math.round((run.get(`b.${name}`) as number) * 1000) / 1000,
    errors: () => run.bits('b.ErrorBits'),
    ok: () => run.get('ok'),
  }
}

describe('Polyline', () => {
  const inputs = { Input: 'Real', SubstituteOutput: 'Real', Validate: 'Bool', ErrorAck: 'Bool', Reset: 'Bool' } as const
  const points = (list: readonly (readonly [number, number])[]) =>
    `#b.UserData.NumberOfUsedPoints := ${list.length}; ${list
      .map(([x, y], i) => `#b.UserData.Point[${i + 1}].x := ${x}.0; #b.UserData.Point[${i + 1}].y := ${y}.0;`)
      .join(' ')}`
  const curve = points([
    [0, 0],
    [10, 100],
    [20, 50],
  ])
  it('interpolates between the points and goes on with the slope outside', () => {
    const line = running('Polyline', inputs, curve)
    const seen = [5, 10, 15, 30, -1].map((x) => {
      line.scan(10, { Input: x })
      return [line.number('Output'), line.number('NextXIndex')]
    })
    assert.deepEqual(seen, [
      [50, 2],
      [100, 2],
      [75, 3],
      [0, 4],
      [-10, 1],
    ])
    assert.deepEqual([line.errors(), line.ok()], [0n, 1])
  })
  it('OutOfRangeMode 1 keeps the value of the first and last point', () => {
    const line = running('Polyline', inputs, `${curve} #b.OutOfRangeMode := 1;`)
    line.scan(10, { Input: 30 })
    assert.equal(line.number('Output'), 50)
    line.scan(10, { Input: -5 })
    assert.equal(line.number('Output'), 0)
  })
  it('new data act after Validate, and wrong ones never', () => {
    const line = running('Polyline', inputs, curve)
    line.scan(10, { Input: 5 })
    line.run.setBits('b.UserData.Point[2].y', real(10))
    line.scan(10)
    assert.equal(line.number('Output'), 50)
    line.scan(10, { Validate: true })
    assert.equal(line.number('Output'), 5)
    line.run.setBits('b.UserData.Point[2].x', real(30))
    line.scan(10)
    assert.deepEqual([line.number('Output'), line.errors(), line.ok()], [5, 2n, 1])
  })
  for (const [mode, seen] of [
    [0, 7],
    [1, 3],
    [2, 0],
  ] as const)
    it(`without valid points ErrorMode ${mode}`, () => {
      const line = running('Polyline', inputs, `#b.ErrorMode := ${mode};`)
      line.scan(10, { Input: 7, SubstituteOutput: 3 })
      assert.deepEqual([line.number('Output'), line.errors(), line.ok()], [seen, 0x8_0000n, 0])
    })
  it('an input that is no number, and its acknowledgement', () => {
    const line = running('Polyline', inputs, `${curve} #b.ErrorMode := 2;`)
    line.scan(10, { Input: 5 })
    line.scan(10, { Input: Number.NaN })
    assert.deepEqual([line.number('Output'), line.errors(), line.ok()], [50, 0x2_0000n, 0])
    line.scan(10, { Input: 10 })
    assert.deepEqual([line.number('Output'), line.errors(), line.run.get('b.Error')], [100, 0x2_0000n, 0])
    line.scan(10, { ErrorAck: true })
    assert.equal(line.errors(), 0n)
  })
  it('Reset gives the substitute', () => {
    const line = running('Polyline', inputs, curve)
    line.scan(10, { Input: 5, SubstituteOutput: 12, Reset: true })
    assert.equal(line.number('Output'), 12)
    line.scan(10, { Reset: false })
    assert.equal(line.number('Output'), 50)
  })
})

describe('RampSoak', () => {
  const inputs = {
    Enable: 'Bool',
    Hold: 'Bool',
    Next: 'Bool',
    SubstituteOutput: 'Real',
    Validate: 'Bool',
    ErrorAck: 'Bool',
    Reset: 'Bool',
  } as const
  /** Up to 10 in 1 s, 10 for 2 s, down to 0 in 1 s. */
  const profile = `#b.UserData.NumberOfUsedPoints := 3;
#b.UserData.Point[1].Value := 10.0; #b.UserData.Point[1].Time := 1.0;
#b.UserData.Point[2].Value := 10.0; #b.UserData.Point[2].Time := 2.0;
#b.UserData.Point[3].Value := 0.0; #b.UserData.Point[3].Time := 1.0;`
  const state = (ramp: ReturnType<typeof running>) =>
    ['Output', 'CurrentPoint', 'NextPoint', 'RemainingTime_Total'].map((name) => ramp.number(name))

  it('follows its profile and keeps the last value', () => {
    const ramp = running('RampSoak', inputs, profile)
    ramp.scan(100)
    ramp.scan(100, { Enable: true })
    assert.deepEqual(state(ramp), [0, 1, 2, 4])
    assert.equal(ramp.number('TotalTime'), 4)
    ramp.scan(500)
    assert.deepEqual(state(ramp), [5, 1, 2, 3.5])
    ramp.scan(1000)
    assert.deepEqual(state(ramp), [10, 2, 3, 2.5])
    ramp.scan(2000)
    assert.deepEqual(state(ramp), [5, 3, 3, 0.5])
    ramp.scan(1000)
    assert.deepEqual([...state(ramp), ramp.errors()], [0, 3, 1, 0, 0n])
  })
  it('Hold pauses, Enable off stops, Next goes to NextPoint', () => {
    const ramp = running('RampSoak', inputs, profile)
    ramp.scan(100, { Enable: true })
    ramp.scan(500)
    ramp.scan(500, { Hold: true })
    assert.equal(ramp.number('Output'), 5)
    ramp.run.setBits('b.NextPoint', 3n)
    ramp.scan(100, { Hold: false, Next: true })
    assert.deepEqual(state(ramp), [5, 3, 3, 1])
    ramp.scan(500)
    assert.equal(ramp.number('Output'), 2.5)
    ramp.scan(100, { Enable: false })
    assert.deepEqual(state(ramp), [2.5, 3, 1, 0])
  })
  for (const [mode, seen] of [
    [0, 0],
    [1, 7],
    [3, 0],
  ] as const)
    it(`StopMode ${mode}`, () => {
      const ramp = running('RampSoak', inputs, `${profile} #b.StopMode := ${mode};`)
      ramp.scan(100, { Enable: true, SubstituteOutput: 7 })
      ramp.scan(500)
      ramp.scan(100, { Enable: false })
      assert.equal(ramp.number('Output'), seen)
    })
  it('StopMode 4 begins again', () => {
    const ramp = running('RampSoak', inputs, `${profile} #b.StopMode := 4;`)
    ramp.scan(100, { Enable: true })
    ramp.scan(3500)
    assert.deepEqual(state(ramp), [5, 3, 1, 0.5])
    ramp.scan(1000)
    assert.deepEqual(state(ramp), [5, 1, 2, 3.5])
  })
  it('StartMode 1 begins at the substitute', () => {
    const ramp = running('RampSoak', inputs, `${profile} #b.StartMode := 1;`)
    ramp.scan(100, { Enable: true, SubstituteOutput: 20 })
    ramp.scan(500)
    assert.equal(ramp.number('Output'), 15)
  })
  it('Reset gives the substitute, and the profile goes on from it', () => {
    const ramp = running('RampSoak', inputs, profile)
    ramp.scan(100, { Enable: true })
    ramp.scan(500, { Reset: true, SubstituteOutput: 30 })
    assert.equal(ramp.number('Output'), 30)
    ramp.scan(250, { Reset: false })
    assert.equal(ramp.number('Output'), 20)
  })
  it('without valid data', () => {
    const ramp = running('RampSoak', inputs)
    ramp.scan(100, { Enable: true })
    assert.deepEqual([ramp.number('Output'), ramp.errors(), ramp.ok()], [0, 0x8_0004n, 0])
  })
  it('a wrong NextPoint is the last valid one', () => {
    const ramp = running('RampSoak', inputs, profile)
    ramp.scan(100, { Enable: true })
    ramp.run.setBits('b.NextPoint', 9n)
    ramp.scan(100)
    assert.deepEqual([ramp.number('NextPoint'), ramp.errors(), ramp.ok()], [2, 8n, 1])
  })
})

describe('TCONT_CP', () => {
  const inputs = { PV_IN: 'Real', SP_INT: 'Real', MAN_ON: 'Bool', MAN: 'Real', SELECT: 'Int' } as const
  const heater = (settings = '') => running('TCONT_CP', inputs, settings)

  it('is a P controller without TI and TD, within its limits', () => {
    const control = heater('#b.TI := 0.0; #b.TD := 0.0;')
    control.scan(100, { SP_INT: 20, PV_IN: 5 })
    assert.deepEqual([control.number('LMN'), control.number('ER'), control.number('LMN_PER')], [30, 15, 8294])
    control.scan(100, { PV_IN: -50 })
    assert.deepEqual([control.number('LMN'), control.run.get('b.QLMN_HLM')], [100, 1])
  })
  it('integrates, and takes over from manual mode without a jump', () => {
    const control = heater('#b.TD := 0.0;')
    control.scan(100, { MAN_ON: true, MAN: 40, SP_INT: 20, PV_IN: 10 })
    assert.equal(control.number('LMN'), 40)
    control.scan(100, { MAN_ON: false })
    // 2 × 10 × 0.1 / 40 a call.
    assert.equal(control.number('LMN'), 40.05)
    control.scan(100)
    assert.equal(control.number('LMN'), 40.1)
  })
  it('PFAC_SP 0 takes the step of the setpoint out of the proportional action', () => {
    const control = heater('#b.TD := 0.0; #b.PFAC_SP := 0.0;')
    control.scan(100, { MAN_ON: true, MAN: 40, SP_INT: 20, PV_IN: 20 })
    control.scan(100, { MAN_ON: false, SP_INT: 30 })
    assert.equal(control.number('LMN'), 40.05)
  })
  it('the control zone', () => {
    const control = heater('#b.TD := 0.0; #b.TI := 0.0; #b.GAIN := 1.0; #b.CONZ_ON := TRUE; #b.CON_ZONE := 10.0;')
    const seen = [5, 11, 9, 7.5, -12].map((error) => {
      control.scan(100, { SP_INT: 50, PV_IN: 50 - error })
      return control.number('LMN')
    })
    assert.deepEqual(seen, [5, 100, 100, 7.5, 0])
  })
  it('the derivative action falls with TD / D_F', () => {
    const control = heater('#b.TI := 0.0; #b.TD := 5.0; #b.D_F := 5.0; #b.GAIN := 1.0;')
    control.scan(100, { SP_INT: 0 })
    control.scan(100, { SP_INT: 1 })
    assert.equal(control.number('LMN_D'), Math.round((5 / 1.1) * 1000) / 1000)
    control.scan(100)
    assert.equal(control.number('LMN_D'), Math.round((5 / 1.1 / 1.1) * 1000) / 1000)
  })
  it('pulses are as long as the output', () => {
    const control = heater(
      '#b.TI := 0.0; #b.TD := 0.0; #b.GAIN := 1.0; #b.PULSE_ON := TRUE; #b.CYCLE_P := 0.1; #b.CYCLE := 1.0;',
    )
    let on = 0
    for (let i = 0; i < 20; i++) {
      control.scan(100, { SP_INT: 30 })
      on += Number(control.run.get('b.QPULSE'))
    }
    assert.equal(on, 6)
  })
  it('parameters are saved and restored in manual mode', () => {
    const control = heater()
    control.scan(100, { MAN_ON: true })
    control.run.setBits('b.SAVE_PAR', 1n)
    control.scan(100)
    assert.equal(control.number('PAR_SAVE.GAIN'), 2)
    control.run.setBits('b.GAIN', real(9))
    control.run.setBits('b.UNDO_PAR', 1n)
    control.scan(100)
    assert.deepEqual([control.number('GAIN'), control.run.get('b.UNDO_PAR')], [2, 0])
  })
})

describe('TCONT_S', () => {
  const inputs = { SP_INT: 'Real', PV_IN: 'Real', LMNS_ON: 'Bool', LMNUP: 'Bool', LMNR_HS: 'Bool' } as const
  it('moves the valve by the share of its time, and not at its end', () => {
    const control = running('TCONT_S', inputs, '#b.TI := 0.0; #b.GAIN := 1.0; #b.MTR_TM := 10.0;')
    const pulses = (n: number, values: Readonly<Record<string, number | boolean>>) => {
      let up = 0
      for (let i = 0; i < n; i++) {
        control.scan(100, values)
        up += Number(control.run.get('b.QLMNUP')) - Number(control.run.get('b.QLMNDN'))
      }
      return up
    }
    // 20 % of 10 s in pulses of 0.1 s, and back.
    assert.equal(pulses(60, { SP_INT: 20 }), 20)
    assert.equal(pulses(60, { SP_INT: 5 }), -15)
    assert.equal(pulses(10, { LMNS_ON: true, LMNUP: true }), 10)
    assert.equal(pulses(10, { LMNR_HS: true }), 0)
  })
})

describe('drives', () => {
  it('SinaPara ends where there is no drive, and knows its own errors', () => {
    const run = runSource(`FUNCTION_BLOCK "Main"
VAR_INPUT go : Bool; n : Int := 1; END_VAR
VAR b : SinaPara; list : Array[1..16] of SinaParameter; ready : Int; END_VAR
BEGIN
#b(Start := #go, ReadWrite := FALSE, ParaNo := #n, AxisNo := 2, hardwareId := 270, Parameter := #list);
IF #b.Ready THEN #ready := #ready + 1; END_IF;
END_FUNCTION_BLOCK`)
    const seen = () => [run.get('b.Busy'), run.get('b.Error'), run.bits('b.Status'), run.get('b.DiagId')]
    run.scan()
    assert.deepEqual(seen(), [0, 0, 0n, 0])
    run.setBits('go', 1n)
    run.scan()
    assert.deepEqual(seen(), [1, 0, 0n, 0])
    run.scan()
    run.scan()
    run.scan()
    assert.deepEqual([...seen(), run.get('ready')], [0, 1, 0x3_0000n, 0x8090, 1])
    run.setBits('go', 0n)
    run.scan()
    run.setBits('n', 17n)
    run.setBits('go', 1n)
    run.scan()
    assert.deepEqual(seen(), [0, 1, 0x2_0000n, 0])
  })
  it('SinaInfeed', () => {
    const run = runSource(`FUNCTION_BLOCK "Main"
VAR b : SinaInfeed; END_VAR
BEGIN
#b(EnablePrecharging := TRUE, EnableInfeed := TRUE, AckFault := FALSE, HWIDSTW := 260, HWIDZSW := 261);
END_FUNCTION_BLOCK`)
    run.scan()
    assert.deepEqual(
      [run.get('b.Error'), run.get('b.Status'), run.get('b.DiagID'), run.get('b.Run')],
      [1, 0x8600, 0x8090, 0],
    )
  })
})

describe('the cycle time of RampSoak', () => {
  const times = (isMeasured: boolean, ...given: readonly number[]) => {
    const bench = modelBench('RampSoak')
    bench.set({ 'CycleTime.EnableMeasurement': isMeasured, 'CycleTime.Value': 0.25 })
    return given.map((milliseconds) => {
      bench.scan({}, milliseconds)
      return bench.values('CycleTime.Value')[0]
    })
  }
  it('is measured from one call to the next; the first call measures none', () =>
    assert.deepEqual(times(true, 10, 20, 500, 1, 60_000), [0.25, 0.02, 0.5, 0.001, 60]))
  it('stays as it is given when it is not measured', () =>
    assert.deepEqual(times(false, 10, 20, 500), [0.25, 0.25, 0.25]))
})
