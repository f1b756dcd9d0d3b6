/** The studio beside a running controller: live values, why, hardware, jobs, design spec, assistant, in a browser. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../harness.ts'
import { accessibilityFaults, hasBrowser } from '../hmi.ts'
import { type Answer, newProject, plc, withController } from '../online.ts'
import { until } from '../until.ts'
import { serveStudio, signedIn, undocumented } from './studio-page.ts'

const program = `
DATA_BLOCK "Pump_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Pump"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Plant"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    level : Real := 40.0;
    list : Array[0..499] of Int;
  END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_TEMP i : Int; END_VAR
BEGIN
  "Pump_DB"(start := "Start");
  "Motor" := "Pump_DB".run;
  "Plant".level := "Plant".level + 0.1;
  FOR #i := 0 TO 499 DO
    "Plant".list[#i] := "Plant".list[#i] + 1;
  END_FOR;
END_ORGANIZATION_BLOCK
`

const spec = `[CmTypes]
CmType;Variable;Direction;DataType;Description
Valve;Open;Out;Bool;Open command
Valve;Opened;In;Bool;Limit switch

[Phases]
PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep
Fill;1;OpenValve;TRUE;;"Valve.Open:=TRUE";"Valve.Opened=TRUE";2
Fill;2;Filled;;TRUE;;;
`

test('a person looks at a running plant, finds out why, changes it and reads what happened', {
  skip: !hasBrowser,
}, async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Plant')
  for (const [name, logicalAddress] of [
    ['Start', '%I0.0'],
    ['Motor', '%Q0.0'],
  ] as const)
    await call('tags.add', { ...plc, name, dataType: 'Bool', logicalAddress })
  const bool = (section: string, name: string) => ({ section, name, dataType: 'Bool' })
  await call('blocks.create', {
    ...plc,
    name: 'Pump',
    type: 'FB',
    language: 'LAD',
    interface: [bool('Input', 'start'), bool('Input', 'stop'), bool('Output', 'run')],
    networks: [{ title: 'Run', expressions: '#run := (#start OR #run) AND NOT #stop' }],
  })
  await call('blocks.import', { ...plc, content: program })
  await withController(at)
  await call('online.download', { ...plc, compile: true })
  await call('simulation.run', { name: 'Sim' })

  // The link of the start signs in once.
  const server = await serveStudio(t, at)
  const { url } = server
  const token = server.app.sessions.issueToken()
  const { page, faults, foreign, calls, picture } = await signedIn(t, { url, token })
  assert.ok(!page.url().includes('token'), 'the token is not in the history')
  const step = () => call('simulation.advance', { name: 'Sim', cycles: 3 })

  // Power flow: the contact closes, the line behind it and the coil are on.
  await page.goto(`${url}/#/live/PLC_1?block=Pump`)
  await step()
  await page.locator('svg.drawing .off').first().waitFor({ state: 'attached' })
  await call('simulation.write-tag', { name: 'Sim', tagName: 'Start', value: true })
  await step()
  await page.locator('svg.drawing g.true .name', { hasText: '#run' }).first().waitFor()
  for (const theme of ['light', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme)
    await picture(`live-${theme}`)
    assert.deepEqual(await accessibilityFaults(page), [], `code ${theme}`)
  }

  // Why is the motor on? The tree leads to the input.
  await page.goto(`${url}/#/live/PLC_1?tab=why&name=Motor`)
  await page.locator('.why summary', { hasText: 'written by Pump' }).waitFor()
  await page.getByText('An input of the process').first().waitFor()
  assert.deepEqual(await accessibilityFaults(page), [], 'why')

  // 500 values: only the rows to be seen are in the page, and they follow.
  const names = Array.from({ length: 500 }, (_, i) => `Plant.list[${i}]`)
  await page.evaluate(
    `localStorage.setItem('gantry-watch-PLC_1', ${JSON.stringify(JSON.stringify(['Start', 'Nowhere', 'plant.LEVEL', ...names]))})`,
  )
  await page.goto(`${url}/#/live/PLC_1?tab=watch`)
  const cell = page.locator('.row[data-name="Plant.list[3]"] .value')
  await cell.waitFor()
  const shown = async () => Number(await cell.textContent())
  await until(async () => !Number.isNaN(await shown()), 'a value is shown')
  const before = await shown()
  await step()
  await until(async () => (await shown()) > before, 'the value follows')
  assert.ok((await page.locator('.watch .row').count()) < 100)
  // A name that is not there says so in its row, and a tag is found however it is written; no row is old.
  await page.locator('.row[data-name="Nowhere"] .value.bad', { hasText: 'no tag or data block "Nowhere"' }).waitFor()
  await page.locator('.row[data-name="plant.LEVEL"] .value', { hasText: /^ *4\d/ }).waitFor()
  assert.equal(await page.locator('.watch .value.old').count(), 0)
  await picture('watch-unknown')

  // Modifying asks first.
  const start = page.locator('.row[data-name="Start"]')
  await start.getByRole('textbox').fill('FALSE')
  await start.getByRole('button', { name: 'Modify' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('Write FALSE to Start on Sim?').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await call<Answer>('simulation.read-tag', { name: 'Sim', tagName: 'Start' })).value, true)
  await start.getByRole('button', { name: 'Modify' }).click()
  await question.getByRole('button', { name: 'OK' }).click()
  const isStopped = async () =>
    (await call<Answer>('simulation.read-tag', { name: 'Sim', tagName: 'Start' })).value === false
  await until(async () => {
    await step()
    return isStopped()
  }, 'the value is written')
  assert.deepEqual(await accessibilityFaults(page), [], 'watch')

  // Virtual time: one cycle by a click; the curve goes on.
  const cycles = async () => (await call<Answer>('simulation.get-time', { name: 'Sim' })).cycles as number
  const first = await cycles()
  await page.getByRole('button', { name: 'One cycle' }).click()
  await until(async () => (await cycles()) > first, 'a cycle has gone by')
  await page.goto(`${url}/#/live/PLC_1?tab=trend&name=Plant.level`)
  await page.locator('.u-wrap canvas').waitFor()
  const saved = page.waitForEvent('download')
  await step()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: 'CSV' }).click()
  assert.match((await saved).suggestedFilename(), /Sim-trend\.csv/)
  // A tag that is not there takes no curve from the others, and says why it has none.
  await page.evaluate(`localStorage.setItem('gantry-trend-PLC_1', 'Plant.level\\nNowhere')`)
  await page.reload()
  await page.locator('.chip.bad', { hasText: 'Nowhere' }).waitFor()
  await page.locator('.notice', { hasText: 'no tag or data block "Nowhere"' }).waitFor()
  await page.locator('.trend:not(.old) canvas').waitFor()
  await picture('trend-unknown')
  assert.deepEqual(await accessibilityFaults(page), [], 'trend')
  await page.goto(`${url}/#/live/PLC_1?tab=diagnostics`)
  await page.getByRole('gridcell', { name: /STARTUP has ended/ }).waitFor()

  // A module is plugged with the keyboard.
  await page.goto(`${url}/#/hardware/PLC_1`)
  await page.getByPlaceholder('Order number or name').fill('6ES7 521-1BH00')
  await page.getByRole('button', { name: /6ES7 521-1BH00-0AB0/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(/is chosen/).waitFor()
  await page.getByRole('button', { name: 'Slot 2 free' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.module', { hasText: '6ES7 521-1BH00-0AB0' }).waitFor()
  for (const theme of ['light', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme)
    await picture(`hardware-${theme}`)
    assert.deepEqual(await accessibilityFaults(page), [], `hardware ${theme}`)
  }
  await page.getByRole('tab', { name: 'Network' }).click()
  await page.locator('svg .node').first().waitFor()

  // The job is in the log with its input, and is taken back.
  await page.goto(`${url}/#/jobs`)
  await page.locator('.rows .row', { hasText: 'hardware.plug-module' }).click()
  await page.locator('.detail pre', { hasText: '6ES7 521-1BH00-0AB0' }).first().waitFor()
  for (const theme of ['light', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme)
    await picture(`jobs-${theme}`)
    assert.deepEqual(await accessibilityFaults(page), [], `jobs ${theme}`)
  }
  await page.getByRole('button', { name: 'Take back …' }).click()
  await question.getByRole('button', { name: 'OK' }).click()
  await page.getByText('Taken back.').waitFor()
  assert.equal((await call<Answer>('hardware.modules', plc)).total, 1)

  // Time travel: before the program was imported there was no block.
  await page.goto(`${url}/#/jobs?tab=travel`)
  await page.locator('.then', { hasText: 'Pump_DB' }).waitFor()
  assert.deepEqual(await accessibilityFaults(page), [], 'travel')
  const { entries } = await call<{ entries: { seq: number }[] }>('audit.list', {
    operation: 'blocks.create',
    order: 'asc',
  })
  await page.getByRole('slider').fill(String(entries[0]!.seq - 1))
  await page.locator('.then', { hasText: 'PLC_1' }).waitFor()
  await page.locator('.then', { hasText: 'Pump' }).waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Sessions' }).click()
  await page.getByRole('gridcell', { name: 'running' }).waitFor()
  await page.getByRole('tab', { name: 'Approvals' }).click()
  await page.getByText('Nothing waits for a yes.').waitFor()

  // The design spec: loaded from a file, its chart, verified.
  await page.goto(`${url}/#/design`)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'fill.csv', mimeType: 'text/csv', buffer: Buffer.from(spec) })
  await page.getByRole('treeitem', { name: /Fill/ }).click()
  await page.locator('svg.chart [data-step="2"]').waitFor()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('Verified: passed, 2 of 2 steps reached').waitFor()
  for (const theme of ['light', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme)
    await picture(`design-${theme}`)
    assert.deepEqual(await accessibilityFaults(page), [], `design ${theme}`)
  }

  // The assistant answers, and its calls are shown.
  await page.goto(`${url}/#/assistant`)
  await page.getByLabel('Your question or task').fill('How is a watch table created?')
  await page.keyboard.press('Enter')
  await page.locator('.message.assistant p').first().waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  assert.deepEqual(await accessibilityFaults(page), [], 'assistant')
  await picture('assistant')

  // Only documented routes.
  assert.deepEqual([await undocumented(server, calls), foreign, faults], [[], [], []])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
})
