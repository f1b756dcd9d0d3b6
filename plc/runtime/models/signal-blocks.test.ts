/** RampFunction, SplitRange and filters: values and errors of their published pages. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSource } from '../../testing/lower-source.ts'

function running(type: string, settings = '', call = '', milliseconds = 100) {
  const run = runSource(`FUNCTION_BLOCK "Main"
VAR_INPUT x : Real; sub : Real; ack : Bool; reset : Bool; END_VAR
VAR b : ${type}; ok : Bool; first : Bool := TRUE; END_VAR
BEGIN
IF #first THEN ${settings} #first := FALSE; END_IF;
#b(Input := #x, SubstituteOutput := #sub, ErrorAck := #ack, Reset := #reset${call}, ENO => #ok);
END_FUNCTION_BLOCK`)
  const real = (value: number) => BigInt(new Uint32Array(new Float32Array([value]).buffer)[0] as number)
  return {
    run,
    /** Runs one call; returns the rounded output. */
    scan(values: Readonly<Record<string, number | boolean>> = {}): number {
      run.clock.advanceMilliseconds(milliseconds)
      for (const [name, value] of Object.entries(values))
        run.setBits(name, typeof value === 'boolean' ? BigInt(value) : real(value))
      run.scan()
      return Math.round((run.get('b.Output') as number) * 1000) / 1000
    },
    get: (name: string) => run.get(name),
    errors: () => run.bits('b.ErrorBits'),
  }
}

describe('RampFunction', () => {
  it('goes 10 in a second up and down, and says so', () => {
    const ramp = running('RampFunction')
    assert.equal(ramp.scan(), 0)
    assert.deepEqual([ramp.scan({ x: 2.5 }), ramp.scan(), ramp.scan(), ramp.scan()], [1, 2, 2.5, 2.5])
    assert.equal(ramp.get('b.PositiveRisingSlewRate_Active'), 0)
    assert.equal(ramp.scan({ x: 0 }), 1.5)
    assert.deepEqual([ramp.get('b.PositiveFallingSlewRate_Active'), ramp.get('ok')], [1, 1])
  })
  it('goes through 0 with the rates of both sides', () => {
    const ramp = running(
      'RampFunction',
      '#b.LowerLimit := -100.0; #b.PositiveFallingSlewRate := 10.0; #b.NegativeRisingSlewRate := 20.0;',
    )
    ramp.scan()
    ramp.scan({ x: 0.5 })
    // 0.05 s down to 0, and 0.05 s of 20 in a second.
    assert.equal(ramp.scan({ x: -50 }), -1)
    assert.equal(ramp.get('b.NegativeRisingSlewRate_Active'), 1)
    assert.equal(ramp.scan(), -3)
  })
  it('limits come before rates', () => {
    const ramp = running('RampFunction', '#b.PositiveRisingSlewRate := 3.402823E+38;')
    ramp.scan()
    assert.equal(ramp.scan({ x: 150 }), 100)
    assert.equal(ramp.get('b.UpperLimit_Active'), 1)
    assert.equal(ramp.scan({ x: -10 }), 99)
  })
  it('Reset gives the substitute', () => {
    const ramp = running('RampFunction')
    ramp.scan()
    assert.equal(ramp.scan({ x: 50, sub: 30, reset: true }), 30)
    assert.equal(ramp.scan({ reset: false }), 31)
  })
  for (const [mode, seen] of [
    [0, 0],
    [1, 7],
    [2, 1],
    [3, 0],
    [5, 100],
  ] as const)
    it(`ErrorMode ${mode} with an input that is no number`, () => {
      const ramp = running('RampFunction', `#b.ErrorMode := ${mode};`)
      ramp.scan({ sub: 7 })
      ramp.scan({ x: 50 })
      assert.equal(ramp.scan({ x: Number.NaN }), seen)
      assert.deepEqual([ramp.errors(), ramp.get('b.Error'), ramp.get('ok')], [0x20000n, 1, 0])
      ramp.scan({ x: 0 })
      assert.deepEqual([ramp.errors(), ramp.get('b.Error'), ramp.get('ok')], [0x20000n, 0, 1])
      ramp.scan({ ack: true })
      assert.equal(ramp.errors(), 0n)
    })
  for (const [settings, error] of [
    ['#b.UpperLimit := -1.0;', 0x80000n],
    ['#b.NegativeFallingSlewRate := 0.0;', 0x100000n],
    ['#b.CycleTime.EnableMeasurement := FALSE; #b.CycleTime.Value := 0.0;', 0x400000n],
  ] as const)
    it(`wrong: ${settings}`, () => {
      const ramp = running('RampFunction', settings)
      ramp.scan()
      ramp.scan({ x: 5 })
      assert.equal(ramp.errors(), error)
    })
  for (const [mode, seen] of [
    [0, 40],
    [1, 8],
    [3, 0],
    [5, 100],
  ] as const)
    it(`StartMode ${mode}`, () =>
      assert.equal(running('RampFunction', `#b.StartMode := ${mode};`).scan({ x: 40, sub: 8 }), seen))
})

describe('SplitRange', () => {
  const settings = '#b.Points.x1 := 50.0; #b.Points.x2 := 100.0; #b.Points.y1 := 0.0; #b.Points.y2 := 200.0;'
  it('maps a part of the range', () => {
    const split = running('SplitRange', settings)
    assert.deepEqual(
      [0, 50, 75, 100, 120].map((x) => split.scan({ x })),
      [0, 0, 100, 200, 200],
    )
  })
  it('without points it gives its input and an error', () => {
    const split = running('SplitRange')
    assert.equal(split.scan({ x: 12 }), 12)
    assert.deepEqual([split.errors(), split.get('ok')], [0x40000n, 0])
  })
})

describe('filters', () => {
  it('Filter_PT1 reaches 63 % in its time', () => {
    const filter = running('Filter_PT1', '#b.Lag := 1.0; #b.Gain := 2.0;')
    filter.scan()
    let seen = 0
    for (let i = 0; i < 10; i++) seen = filter.scan({ x: 10 })
    assert.equal(seen, Math.round(20 * (1 - Math.exp(-1)) * 1000) / 1000)
  })
  for (const [damping, expected] of [
    [1, (t: number) => 1 - (1 + t) * Math.exp(-t)],
    [0, (t: number) => 1 - Math.cos(t)],
    [
      2,
      (t: number) => {
        const [a, b] = [2 + Math.sqrt(3), 2 - Math.sqrt(3)]
        return 1 - (a * Math.exp(-b * t) - b * Math.exp(-a * t)) / (a - b)
      },
    ],
  ] as const)
    it(`Filter_PT2 with damping ${damping}`, () => {
      const filter = running('Filter_PT2', `#b.TimeConstant := 1.0; #b.Damping := ${damping}.0;`)
      filter.scan()
      let seen = 0
      for (let i = 0; i < 15; i++) seen = filter.scan({ x: 1 })
      assert.ok(Math.abs(seen - expected(1.5)) < 0.002, `${seen} ${expected(1.5)}`)
    })
  it('Filter_DT1 answers a step and forgets it', () => {
    const filter = running('Filter_DT1', '#b.Td := 2.0; #b.Lag := 1.0;')
    filter.scan()
    const first = filter.scan({ x: 1 })
    assert.equal(first, Math.round(2 * Math.exp(-0.1) * 1000) / 1000)
    let seen = first
    for (let i = 0; i < 9; i++) seen = filter.scan()
    assert.equal(seen, Math.round(2 * Math.exp(-1) * 1000) / 1000)
  })
})

describe('instructions of STEP 7', () => {
  it('LEAD_LAG: the example of its page, and a gain of 0', () => {
    const run = runSource(`FUNCTION_BLOCK "Main"
VAR_INPUT gain : Real; END_VAR
VAR b : LEAD_LAG; y : Real; e : Word; END_VAR
BEGIN
#b.LD_TIME := 2.0; #b.LG_TIME := 2.0; #b.GAIN := #gain; #b.PREV_IN := 6.0; #b.PREV_OUT := 6.0;
#b(IN := 2.0, SAMPLE_T := 10, OUT => #y, ERR_CODE => #e);
END_FUNCTION_BLOCK`)
    run.scan()
    assert.equal(run.get('e'), 9)
    run.setBits('gain', 0x3f800000n)
    run.scan()
    assert.deepEqual([run.get('y'), run.get('b.PREV_IN'), run.get('b.PREV_OUT'), run.get('e')], [2, 2, 2, 0])
  })
  it('IMC', () => {
    const run = runSource(`FUNCTION_BLOCK "Main"
VAR_INPUT a : Bool; z : Bool; step : Byte; END_VAR
VAR b : IMC; q : Bool; e : Word; END_VAR
BEGIN
#b.CMP_VAL[2, 0] := TRUE; #b.CMP_VAL[2, 15] := TRUE;
#b(IN_BIT0 := #a, IN_BIT15 := #z, CMP_STEP := #step, OUT => #q, ERR_CODE => #e);
END_FUNCTION_BLOCK`)
    const seen = (a: bigint, z: bigint, step: bigint) => {
      run.setBits('a', a)
      run.setBits('z', z)
      run.setBits('step', step)
      run.scan()
      return [run.get('q'), run.get('e')]
    }
    assert.deepEqual(seen(1n, 1n, 2n), [1, 0])
    assert.deepEqual(seen(1n, 0n, 2n), [0, 0])
    assert.deepEqual(seen(0n, 0n, 1n), [1, 0])
    assert.deepEqual(seen(0n, 0n, 16n), [0, 10])
  })
})
