/** Gears, cams and related jobs, on ideal axes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSource } from '../../testing/lower-source.ts'

const objects = ['"M" TO_PositioningAxis', '"S" TO_SynchronousAxis', '"C" TO_Cam', '"I" TO_MeasuringInput']
  .map((text) => {
    const [name, type] = text.split(' ')
    return `DATA_BLOCK ${name}\n${type}\nBEGIN\nEND_DATA_BLOCK\n`
  })
  .join('')

/** A program with both axes on and the leading one at a constant velocity of 100 while `go` is on. */
function plant(declarations: string, body: string) {
  const run = runSource(`${objects}FUNCTION_BLOCK "Main"
VAR p : MC_Power; q : MC_Power; v : MC_MoveVelocity; go : Bool; x : Bool; ${declarations} END_VAR
BEGIN
#p(Axis := "M", Enable := TRUE); #q(Axis := "S", Enable := TRUE);
#v(Axis := "M", Execute := #go, Velocity := 100.0, Acceleration := 1.0E9);
${body}
END_FUNCTION_BLOCK
`)
  const scans = (count: number, ...on: string[]) => {
    for (const name of on) run.setBits(name, 1n)
    for (let i = 0; i < count; i++) {
      run.clock.advanceMilliseconds(10)
      run.scan()
    }
  }
  const axis = (name: string, tag = 'Position') => Math.round((run.get(tag, name) as number) * 1000) / 1000
  return { run, scans, axis }
}

test('MC_GearIn goes to the velocity and then all the way along', () => {
  const { run, scans, axis } = plant(
    'g : MC_GearIn;',
    '#g(Master := "M", Slave := "S", Execute := #x, RatioNumerator := 1, RatioDenominator := 2, Acceleration := 500.0);',
  )
  scans(5, 'go')
  scans(3, 'x')
  assert.deepEqual([run.get('g.Busy'), run.get('g.InGear')], [1, 0])
  scans(20)
  assert.deepEqual([run.get('g.InGear'), axis('S', 'Velocity')], [1, 50])
  const before = [axis('M'), axis('S')]
  scans(10)
  assert.deepEqual([axis('M') - (before[0] ?? 0), Math.round((axis('S') - (before[1] ?? 0)) * 1000) / 1000], [10, 5])
  assert.equal(run.get('StatusSynchronizedMotion.FunctionState', 'S'), 1)
})

test('MC_GearIn refuses wrong ratios, itself as its master, and axes that are off', () => {
  const seen = (call: string) => {
    const { run, scans } = plant('g : MC_GearIn;', `#g(${call}, Execute := #x);`)
    scans(1)
    scans(1, 'x')
    return run.get('g.ErrorID')
  }
  assert.equal(seen('Master := "M", Slave := "S", RatioNumerator := 0'), 0x8017)
  assert.equal(seen('Master := "M", Slave := "S", RatioDenominator := 0'), 0x8018)
  assert.equal(seen('Master := "S", Slave := "S"'), 0x8019)
  assert.equal(seen('Slave := "S"'), 0x8002)
  assert.equal(seen('Master := "M", Slave := "S", Acceleration := 0.0'), 0x8004)
})

test('MC_GearInPos waits, synchronizes without a jump, and is at its place at the position; another job ends it', () => {
  const { run, scans, axis } = plant(
    'g : MC_GearInPos; h : MC_Halt; y : Bool;',
    `#g(Master := "M", Slave := "S", Execute := #x, MasterSyncPosition := 50.0, SlaveSyncPosition := 20.0, MasterStartDistance := 30.0);
     #h(Axis := "S", Execute := #y);`,
  )
  /** The function that works and the one that waits, by their numbers. */
  const functions = () => [synchronized('FunctionState'), synchronized('WaitingFunctionState')]
  const synchronized = (tag: string) => axis('S', `StatusSynchronizedMotion.${tag}`)
  scans(1)
  assert.deepEqual(functions(), [0, 0])
  scans(1, 'x', 'go')
  scans(15)
  assert.deepEqual([run.get('g.StartSync'), run.get('g.InSync'), axis('S')], [0, 0, 0])
  assert.deepEqual(functions(), [0, 2])
  assert.deepEqual(
    [synchronized('EffectiveLeadingValue.Position'), synchronized('EffectiveLeadingValue.Velocity')],
    [axis('M'), 100],
  )
  let [fastest, last] = [0, axis('S')]
  for (let i = 0; i < 60; i++) {
    scans(1)
    fastest = Math.max(fastest, Math.abs(axis('S') - last))
    last = axis('S')
  }
  assert.ok(fastest < 2, String(fastest))
  assert.deepEqual([run.get('g.InSync'), Math.round((axis('S') - axis('M')) * 1000) / 1000], [1, -30])
  assert.deepEqual(functions(), [2, 0])
  assert.deepEqual(
    [synchronized('FunctionFollowingValue.Position'), synchronized('FunctionFollowingValue.Velocity')],
    [axis('S'), 100],
  )
  scans(1, 'y')
  scans(1)
  assert.deepEqual([run.get('g.CommandAborted'), run.get('g.InSync')], [1, 0])
  assert.deepEqual(functions(), [0, 0])
})

test('a cam is interpolated, followed and asked', () => {
  const { run, scans, axis } = plant(
    'i : MC_InterpolateCam; c : MC_CamIn; f : MC_GetCamFollowingValue; y : Bool; again : MC_InterpolateCam;',
    `#again(Cam := "M", Execute := TRUE);
     #i(Cam := "C", Execute := #y);
     #f(Cam := "C", Execute := #i.Done, LeadingValue := 15.0, SlaveScaling := 2.0);
     #c(Master := "M", Slave := "S", Cam := "C", Execute := #x, SyncProfileReference := 2, ApplicationMode := 1);`,
  )
  scans(1, 'y')
  assert.equal(run.get('i.ErrorID'), 0x80aa)
  run.setBits('y', 0n)
  scans(1)
  for (const [i, x, y] of [
    [1, 0, 0],
    [2, 10, 40],
    [3, 20, 0],
  ] as const) {
    const pattern = (value: number) => new DataView(Float64Array.of(value).buffer).getBigUint64(0, true)
    run.setBits(`Point[${i}].x`, pattern(x), 'C')
    run.setBits(`Point[${i}].y`, pattern(y), 'C')
    run.setBits(`ValidPoint[${i}]`, 1n, 'C')
  }
  scans(1, 'y')
  assert.deepEqual([run.get('i.Done'), run.get('f.Value'), run.get('f.FirstDerivative')], [1, 40, -8])
  assert.equal(run.get('StatusCam.EndLeadingValue', 'C'), 20)
  scans(2, 'x', 'go')
  for (let i = 0; i < 40; i++) {
    scans(1)
    const part = axis('M') % 20
    assert.ok(Math.abs(axis('S') - (part < 10 ? 4 * part : 80 - 4 * part)) < 0.01)
  }
  assert.equal(run.get('c.InSync'), 1)
})

test('MC_GearOut stops the axis at a place; MC_Phasing shifts it', () => {
  const { run, scans, axis } = plant(
    'g : MC_GearIn; o : MC_GearOut; f : MC_PhasingRelative; y : Bool; z : Bool;',
    `#g(Master := "M", Slave := "S", Execute := #x, Acceleration := 1.0E9);
     #f(Master := "M", Slave := "S", Execute := #z, PhaseShift := 5.0, Velocity := 50.0);
     #o(Slave := "S", Execute := #y, SlavePosition := 300.0, SyncProfileReference := 0, Deceleration := 1000.0);`,
  )
  scans(3, 'x')
  scans(20, 'go')
  assert.equal(Math.round((axis('M') - axis('S')) * 1000), 0)
  scans(12, 'z')
  assert.deepEqual([run.get('f.Done'), Math.round(axis('S') - axis('M'))], [1, 5])
  scans(400, 'y')
  assert.deepEqual([run.get('o.Done'), axis('S'), run.get('StatusSynchronizedMotion.FunctionState', 'S')], [1, 300, 0])
})

test('torque limits exclude each other; measuring waits until it is aborted; control bits are checked', () => {
  const { run, scans } = plant(
    'l : MC_TorqueLimiting; r : MC_TorqueRange; m : MC_MeasuringInput; a : MC_AbortMeasuringInput; w : MC_SetAxisSTW; y : Bool;',
    `#l(Axis := "S", Enable := #x); #r(Axis := "S", Enable := TRUE, UpperLimit := 10.0, LowerLimit := -10.0);
     #m(MeasuringInput := "I", Execute := TRUE); #a(MeasuringInput := "I", Execute := #y);
     #w(Axis := "S", Execute := TRUE, STW1BitMask := 16#0001);`,
  )
  scans(2)
  assert.deepEqual([run.get('r.Busy'), run.get('m.Busy'), run.get('w.ErrorID')], [1, 1, 0x8055])
  scans(1, 'x')
  assert.deepEqual([run.get('l.Error'), run.get('l.ErrorID')], [1, 0x804e])
  scans(2, 'y')
  assert.deepEqual([run.get('m.CommandAborted'), run.get('a.Done')], [1, 1])
})
