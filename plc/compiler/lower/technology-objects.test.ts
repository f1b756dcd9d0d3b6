/** Technology objects as parameters: passed by reference, also by their number, and their tags. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'

const axes = `DATA_BLOCK "X1"
TO_PositioningAxis
BEGIN
END_DATA_BLOCK
DATA_BLOCK "V1"
TO_SpeedAxis
BEGIN
END_DATA_BLOCK
`

const main = (declarations: string, body: string) =>
  `FUNCTION_BLOCK "Main"\nVAR ${declarations} END_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

const drive = `FUNCTION_BLOCK "Drive"
VAR_INPUT axis : TO_SpeedAxis; END_VAR
VAR_OUTPUT on : Bool; END_VAR
VAR power : MC_Power; END_VAR
BEGIN
#power(Axis := #axis, Enable := TRUE);
#on := #axis.StatusWord.%X0;
END_FUNCTION_BLOCK
FUNCTION "Tag" : LReal
VAR_INPUT axis : TO_Axis; END_VAR
BEGIN
#Tag := #axis.Override.Velocity;
END_FUNCTION
`

test('a block gets the axis itself, also one of a more special kind', () => {
  const run = runSource(
    axes +
      drive +
      main('a : "Drive"; b : "Drive"; t : LReal;', '#a(axis := "X1"); #b(axis := "V1"); #t := "Tag"("X1");'),
  )
  run.scan()
  assert.deepEqual([run.get('a.on'), run.get('b.on'), run.get('t')], [1, 1, 100])
  assert.equal((run.get('StatusWord', 'X1') as number) & 1, 1)
})

test('a kind that is too general is refused', () => {
  const source = `${axes}${drive}FUNCTION_BLOCK "Place"
VAR_INPUT axis : TO_PositioningAxis; END_VAR
BEGIN
END_FUNCTION_BLOCK
${main('p : "Place";', '#p(axis := "V1");')}`
  assert.deepEqual(
    diagnosticsOf(source).map(({ code }) => code),
    ['type-mismatch'],
  )
})

test('DB_ANY names an axis by its number; a number of no axis moves nothing', () => {
  const started = (numbers: string) => {
    const run = runSource(
      axes +
        drive +
        main(
          'n : DB_ANY; m : DB_ANY; a : "Drive"; power : MC_Power;',
          `${numbers} #a(axis := #n); #power(Axis := #m, Enable := TRUE);`,
        ),
    )
    run.scan()
    const isOn = (name: string) => (run.get('StatusWord', name) as number) & 1
    return [isOn('X1'), isOn('V1'), run.get('power.Status'), run.get('power.ErrorID')]
  }
  assert.deepEqual(started('#n := "X1"; #m := "V1";'), [1, 1, 1, 0])
  assert.deepEqual(started(''), [0, 0, 0, 0x8002])
})

test('tags of axes, cams and encoders have the types of the help', () => {
  const source = `FUNCTION "Tags" : Void
VAR_INPUT s : TO_SynchronousAxis; e : TO_ExternalEncoder; c : TO_Cam; l : TO_LeadingAxisProxy; END_VAR
VAR_TEMP d : DInt; r : LReal; b : Bool; u : UDInt; END_VAR
BEGIN
#d := #s.StatusSynchronizedMotion.FunctionState + #s.Sensor[1].ActiveHoming.Direction + #s.StatusDrive.AdaptionState;
#r := #s.Actor.DriveParameter.ReferenceTorque + #c.Segment[50].a6 + #l.StatusExternalLeadingValue.ModuloLength;
#b := #s.Simulation.Mode = 1 OR #s.VirtualAxis.Mode = 1 OR #e.Modulo.Enable OR #c.ValidPoint[1000] OR #e.StatusSensor.Control;
#u := #s.LoadGear.Numerator + #s.OperativeSensor + #e.Units.VelocityUnit;
END_FUNCTION
`
  assert.deepEqual(
    diagnosticsOf(source).filter(({ severity }) => severity === 'error'),
    [],
  )
})
