/** Stations made from a design spec: a screen for each unit, control modules as faceplates, phases as step charts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../../../test/harness.ts'
import { bundlePage, hasBrowser, hmi, openStation, panels, served } from '../../../test/hmi.ts'
import { type Answer, newProject, plc, withController } from '../../../test/online.ts'
import { fails } from '../../../test/plant.ts'
import { becomes } from '../../../test/until.ts'

const spec = `
[CmTypes]
CmType;Variable;Direction;DataType;Description
Valve;Open;Out;Bool;Open command
Valve;Opened;In;Bool;Limit switch open
Valve;Closed;In;Bool;Limit switch closed
Heater;Enable;Out;Bool;Release
Heater;Setpoint;Out;Real;Setpoint in degC
Tank;Level;In;Real;Level in %
Tank;Temperature;In;Real;Temperature in degC

[PhaseTypes]
PhaseType;States;Description
Fill;Basic;Fills the tank to a level
Heat;ISA88;Heats the tank

[Parameters]
PhaseType;Parameter;DataType;Unit;Default;Min;Max;Description
Fill;TargetLevel;Real;%;80.0;10.0;95.0;Level after filling
Heat;TargetTemperature;Real;degC;65.0;20.0;90.0;Temperature to be kept

[Phases]
PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep;ExitAction
Fill;1;OpenInlet;TRUE;;"Valve.Open:=TRUE";"Valve.Opened";2;
Fill;2;WaitLevel;;;;"Tank.Level>=TargetLevel";3;"Valve.Open:=FALSE"
Fill;3;Filled;;TRUE;;;;
Heat;1;HeatUp;TRUE;;"Heater.Enable:=TRUE; Heater.Setpoint:=TargetTemperature";"Tank.Temperature>=TargetTemperature";2;"Heater.Enable:=FALSE"
Heat;2;Heated;;TRUE;;;;
`

const program = `
DATA_BLOCK "Fill_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"FB_Fill"
BEGIN
END_DATA_BLOCK

DATA_BLOCK "Heat_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"FB_Heat"
BEGIN
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
BEGIN
  "Fill_DB"();
  "Heat_DB"();
END_ORGANIZATION_BLOCK
`

test('from a design spec: it compiles, and the page runs a phase', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Cell')
  await call('devices.add', { orderNumber: panels.classic, name: 'HMI_1' })
  await fails(call('hmi.generate', { from: 'design-spec' }), 'conflict', /No design spec is loaded/)
  await call('design-spec.load', { file: { fileName: 'cell.csv', content: spec } })
  // Without instances of phases the folders of blocks count.
  assert.equal((await call<Answer>('hmi.generate', {})).from, 'folders')
  const none = await call<Answer>('hmi.generate', { from: 'design-spec' })
  assert.deepEqual([none.screens, none.objects], [[], 0])
  assert.match(none.warnings.join('\n'), /"Fill" of unit "cell" has no instance data block/)

  for (const phase of ['Fill', 'Heat']) await call('design-spec.generate-and-import', { phase, device: 'PLC_1' })
  await call('blocks.import', { ...plc, content: program })
  const made = await call<Answer>('hmi.generate', {})
  assert.deepEqual(
    [made.from, made.screens, made.warnings.filter((one: string) => !/pixels high/.test(one))],
    ['design-spec', ['cell'], []],
  )
  assert.deepEqual(made.libraryTypes, ['Phase Fill', 'cell Valve', 'cell Tank', 'Phase Heat', 'cell Heater'])
  const again = await call<Answer>('hmi.generate', {})
  assert.match(again.warnings[0], /Screen "cell" exists: it was left as it is/)
  assert.deepEqual((await call<Answer>('hmi.generate', { overwrite: true })).screens, ['cell'])
  const compiled = await call<Answer>('hmi.compile', {})
  assert.deepEqual([compiled.success, compiled.messages], [true, []])
  if (!hasBrowser) return

  await bundlePage()
  await withController(at)
  await call('online.download', { ...plc, compile: true })
  await call('simulation.run', { name: 'Sim' })
  const { page, faults, picture } = await openStation(t, await served(t, at.gateway))
  const step = (number: number) => page.locator(`[data-name="Fill"] [data-name="Step ${number}"] rect[fill="#5ad35a"]`)
  const advance = () => call('simulation.advance', { name: 'Sim', cycles: 2 })
  await page.locator('[data-name="Fill"] [data-name="Step 1"][data-quality=good]').waitFor()
  assert.equal(await step(1).count(), 0)
  await page.locator('[data-name="Fill"]').getByRole('button', { name: 'Execute' }).hover()
  await page.mouse.down()
  const tag = async (tagName: string) => (await call<Answer>('simulation.read-tag', { name: 'Sim', tagName })).value
  await becomes(() => tag('Fill_DB.Execute'), true)
  await advance()
  await page.mouse.up()
  // The bit is held only as long as the button is pressed.
  await becomes(() => tag('Fill_DB.Execute'), false)
  await step(1).waitFor()
  await page.locator('[data-name="Valve (Fill)"] [data-name="Open"] ellipse[fill="#1fa84a"]').waitFor()
  await call('simulation.write-tag', { name: 'Sim', tagName: 'Fill_DB.Valve.Opened', value: true })
  await advance()
  await step(2).waitFor()
  assert.equal(await step(1).count(), 0)
  await picture('unit')
  assert.deepEqual(faults, [])
  assert.equal((await call<Answer>('hmi.show-screen', { ...hmi, screenName: 'cell' })).name, 'cell')
})
