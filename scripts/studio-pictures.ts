/**
 * Takes the pictures of the manual: every view of the studio, light and dark, of a plant that runs.
 *
 *   node --import tsx scripts/studio-pictures.ts [folder, docs/studio] [level of the key, admin] [language, en] [width]
 *
 * Look at each of them before they are committed. Needs Chromium (`CHROMIUM`, else /usr/bin/chromium).
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import { chromium } from 'playwright-core'
import { docsPlugin } from '../core/docs/operations.ts'
import { createServer, listen } from '../core/http/server.ts'
import { openTestGateway } from '../core/testing/index.ts'
import { startProviders } from '../plugins/assistant/fixtures/provider-server.ts'
import { newProject, plc, withController } from '../test/online.ts'
import { buildPage } from '../test/web-page.ts'

const [folder = 'docs/studio', level = 'admin', language = 'en', width = '1280'] = process.argv.slice(2)

const bool = (section: string, name: string, comment = '') => ({ section, name, dataType: 'Bool', comment })

const tank = `FUNCTION_BLOCK "TankLevel"
TITLE = Level of a tank
VERSION : 0.1
  VAR_INPUT
    inflow : Bool;         // the pump runs
    outflow : Bool;        // the valve is open
  END_VAR
  VAR_OUTPUT
    isFull : Bool;         // for two seconds
  END_VAR
  VAR_IN_OUT
    level : Real;          // per cent
  END_VAR
  VAR
    settled {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;
  END_VAR
BEGIN
  // What flows in one cycle
  IF #inflow THEN
    #level := #level + 0.01;
  END_IF;
  IF #outflow THEN
    #level := #level - 0.005;
  END_IF;
  #level := LIMIT(MN := 0.0, IN := #level, MX := 100.0);
  #settled(IN := #level >= 95.0, PT := T#2s, Q => #isFull);
END_FUNCTION_BLOCK
`
const data = `DATA_BLOCK "Tank"
VERSION : 0.1
  VAR
    level : Real := 40.0;    // per cent
    limit : Real := 95.0;
    isFull : Bool;
    batches : Int;
  END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "TankLevel_DB"
VERSION : 0.1
"TankLevel"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Pump_DB"
VERSION : 0.1
"Pump"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Filling_DB"
VERSION : 0.1
"Filling"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
TITLE = Filling station
VERSION : 0.1
BEGIN
  "Pump_DB"(start := "Start", stop := "Stop", isFull := "Tank".isFull, fault := "MotorFault");
  "PumpOn" := "Pump_DB".run;
  "TankLevel_DB"(inflow := "Pump_DB".run, outflow := "ValveOpen", isFull => "Tank".isFull, level := "Tank".level);
  "Filling_DB"(go := "Start", full := "Tank".isFull);
END_ORGANIZATION_BLOCK
`
const broken = `FUNCTION "Scale" : Real
VERSION : 0.1
  VAR_INPUT
    raw : Int;        // 0 to 27648
    low : Real;
    high : Real;
  END_VAR
  VAR_TEMP
    share : Real;
  END_VAR
BEGIN
  #share := INT_TO_REAL(#raw) / 27648.0;
  #Scale := #low + #shre * (#high - #low);
END_FUNCTION
`
const sequence = {
  name: 'Filling',
  interface: [{ section: 'Input', members: ['go', 'full'].map((name) => ({ name, dataType: 'Bool' })) }],
  steps: [{ name: 'Idle', initial: true }, { name: 'Fill' }, { name: 'Filled' }],
  transitions: [
    { name: 'begin', from: 'Idle', to: 'Fill', condition: '#go' },
    { name: 'isFilled', from: 'Fill', to: 'Filled', condition: '#full' },
    { name: 'again', from: 'Filled', to: 'Idle', condition: 'NOT #go' },
  ],
}

await buildPage('studio')
const at = await openTestGateway({ corePlugins: [docsPlugin] })
const { call, gateway } = at
await newProject(at, 'Filling station')
await call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', name: 'Panel' })
for (const [name, dataType, logicalAddress, comment] of [
  ['Start', 'Bool', '%I0.0', 'Push button, green'],
  ['Stop', 'Bool', '%I0.1', 'Push button, red'],
  ['MotorFault', 'Bool', '%I0.2', 'Motor protection has tripped'],
  ['ValveOpen', 'Bool', '%I0.3', 'Limit switch of the outlet'],
  ['LevelRaw', 'Int', '%IW64', 'Transmitter 4 to 20 mA'],
  ['PumpOn', 'Bool', '%Q0.0', 'Contactor of the pump'],
  ['HornOn', 'Bool', '%Q0.1', 'Horn'],
] as const)
  await call('tags.add', { ...plc, name, dataType, logicalAddress, comment })
await call('blocks.create', {
  ...plc,
  name: 'Pump',
  type: 'FB',
  language: 'LAD',
  folder: 'Motors',
  title: 'Pump with hold and interlock',
  interface: [
    bool('Input', 'start', 'begins'),
    bool('Input', 'stop', 'ends'),
    bool('Input', 'isFull', 'nothing more goes in'),
    bool('Input', 'fault', 'motor protection'),
    bool('Output', 'run', 'the contactor'),
    bool('Output', 'isLocked', 'it may not run'),
  ],
  networks: [
    {
      title: 'Run',
      comment: 'It holds itself until it is stopped, the tank is full, or the motor has a fault.',
      expressions: '#run := (#start OR #run) AND NOT #stop AND NOT #isLocked',
    },
    { title: 'Interlock', expressions: '#isLocked := #isFull OR #fault' },
  ],
})
await call('blocks.create', {
  ...plc,
  name: 'Horn',
  type: 'FC',
  language: 'FBD',
  folder: 'Motors',
  interface: [bool('Input', 'fault'), bool('Input', 'isQuiet'), bool('Input', 'isNight'), bool('Output', 'horn')],
  networks: [{ title: 'Horn', expressions: '#horn := #fault AND NOT #isQuiet' }],
})
await call('block-generation.generate-graph', { ...plc, specification: sequence })
for (const content of [tank, data]) await call('blocks.import', { ...plc, content })
for (const deviceName of ['PLC_1', 'Panel']) await call('devices.configure-network', { deviceName, subnet: 'PN/IE_1' })
await call('watch-tables.create', { ...plc, name: 'Filling' })
for (const [orderNumber, slot, name] of [
  ['6ES7 521-1BH00-0AB0', 2, 'DI 16'],
  ['6ES7 522-1BH00-0AB0', 3, 'DQ 16'],
  ['6ES7 531-7KF00-0AB0', 4, 'AI 8'],
] as const)
  await call('hardware.plug-module', { ...plc, orderNumber, slot, name })
await withController(at)
await call('online.download', { ...plc, compile: true })
await call('simulation.run', { name: 'Sim' })
await call('blocks.import', { ...plc, content: broken })
await call('simulation.write-tag', { name: 'Sim', tagName: 'Start', value: true })
await call('simulation.advance', { name: 'Sim', cycles: 5 })

await call('projects.index')
const ended: (() => unknown)[] = []
const provider = await startProviders({ after: (end: () => unknown) => void ended.push(end) } as TestContext)
const providers = [{ name: 'local', kind: 'openai-compatible', baseUrl: `${provider.url}/v1` }]
await call('assistant.save-settings', { model: 'local/model', providers })

const app = await createServer(gateway)
const url = await listen(app, { port: 0 })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(width) * 0.625 } })
page.setDefaultTimeout(120_000)
page.on('console', (message) => {
  if (message.type() === 'error') process.stderr.write(`${message.text()}\n`)
})
page.on('response', (answer) => {
  if (answer.status() >= 400) process.stderr.write(`${answer.status()} ${answer.request().method()} ${answer.url()}\n`)
})
if (level === 'admin') await page.goto(`${url}/#token=${app.sessions.issueToken()}`)
else {
  const key = 'a-secret-of-somebody-else'
  await call('settings.change', { security: { apiKeys: { add: [{ name: 'Somebody', access: level, key }] } } })
  await page.goto(url)
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
}
await page.getByRole('tree').waitFor()

await mkdir(folder, { recursive: true })
/** Takes a view in both themes, as WebP: a fraction of what a PNG takes. */
async function picture(name: string): Promise<void> {
  // The way to a view is told in English.
  await page.getByLabel('Language').selectOption(language, { force: true })
  for (const theme of ['light', 'dark']) {
    await page.getByLabel(/Theme|Farben/).selectOption(theme, { force: true })
    // The pointer is where it changes nothing.
    await page.mouse.move(640, 2)
    const session = await page.context().newCDPSession(page)
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
    await session.detach()
    await writeFile(`${folder}/${name}-${theme}.webp`, Buffer.from(data, 'base64'))
  }
  await page.getByLabel(/Language|Sprache/).selectOption('en', { force: true })
}

/** Each view: where it is, and what is to be seen in it. */
const views: Readonly<Record<string, () => Promise<unknown>>> = {
  async project() {
    await page.goto(`${url}/#/project/PLC_1/blocks`)
    await page.getByRole('gridcell', { name: 'TankLevel', exact: true }).waitFor()
  },
  async import() {
    const files = [
      { name: 'Mixer.scl', text: tank.replaceAll('TankLevel', 'Mixer') },
      { name: 'Heater.scl', text: broken.replaceAll('Scale', 'Heater') },
    ]
    const transfer = await page.evaluateHandle(`(() => {
      const made = new DataTransfer()
      for (const { name, text } of ${JSON.stringify(files)}) made.items.add(new File([text], name))
      return made
    })()`)
    await page.dispatchEvent('.split', 'drop', { dataTransfer: transfer })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('#shre is not declared').waitFor()
  },
  async tags() {
    await page.goto(`${url}/#/project/PLC_1/tags/Default%20tag%20table`)
    await page.getByLabel('Name: Start').waitFor()
  },
  async networks() {
    await page.goto(`${url}/#/program/PLC_1/Pump`)
    await page.locator('svg.drawing').nth(1).waitFor()
  },
  async graph() {
    await page.goto(`${url}/#/program/PLC_1/Filling`)
    await page.locator('svg.drawing').first().waitFor()
  },
  async text() {
    await page.goto(`${url}/#/program/PLC_1/Scale`)
    await page
      .locator(level === 'viewer' ? '.cm-line' : '.cm-lintRange-error')
      .first()
      .waitFor()
  },
  async live() {
    await page.goto(`${url}/#/live/PLC_1?block=Pump`)
    await page.locator('svg.drawing g.true').first().waitFor()
    await call('simulation.advance', { name: 'Sim', cycles: 2 })
  },
  async watch() {
    const names = ['Start', 'Stop', 'PumpOn', 'Tank.level', 'Tank.isFull', 'Pump_DB.run', 'Pump_DB.isLocked']
    await page.evaluate(`localStorage.setItem('gantry-watch-PLC_1', ${JSON.stringify(JSON.stringify(names))})`)
    await page.goto(`${url}/#/live/PLC_1?tab=watch`)
    await page.locator('.row[data-name="Tank.level"] .value', { hasText: /\d/ }).waitFor()
  },
  async trend() {
    await page.goto(`${url}/#/live/PLC_1?tab=trend&name=Tank.level`)
    await page.locator('.u-wrap canvas').waitFor()
    await call('simulation.set-time', { name: 'Sim', mode: 'real', factor: 1 })
    await page.waitForTimeout(2500)
    await call('simulation.write-tag', { name: 'Sim', tagName: 'Stop', value: true })
    await page.waitForTimeout(1500)
    await call('simulation.write-tag', { name: 'Sim', tagName: 'Stop', value: false })
    await page.waitForTimeout(2500)
    await call('simulation.set-time', { name: 'Sim', mode: 'stepped' })
  },
  async why() {
    await page.goto(`${url}/#/live/PLC_1?tab=why&name=PumpOn`)
    await page.getByText('An input of the process').first().waitFor()
  },
  async hardware() {
    await page.goto(`${url}/#/hardware/PLC_1`)
    await page.locator('.module', { hasText: 'AI 8' }).first().waitFor()
  },
  async network() {
    await page.goto(`${url}/#/hardware/PLC_1`)
    await page.getByRole('tab', { name: 'Network' }).click()
    await page.locator('svg .node').first().waitFor()
  },
  async start() {
    await page.goto(`${url}/#/project/PLC_1`)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.waitForTimeout(2000)
  },
  async jobs() {
    await page.goto(`${url}/#/jobs`)
    await page.getByLabel('Command contains').fill('blocks')
    const { jobId } = await call<{ jobId: string }>(
      'blocks.update-network',
      { ...plc, blockName: 'Horn', number: 1, expressions: '#horn := #fault AND NOT (#isQuiet OR #isNight)' },
      { mode: 'async' },
    )
    await page.goto(`${url}/#/jobs?job=${jobId}`)
    await page.locator('.detail .pair svg').nth(1).waitFor()
  },
  async travel() {
    await page.goto(`${url}/#/jobs?tab=travel`)
    await page.locator('ol.log li').nth(1).waitFor()
    if (level !== 'viewer') await page.locator('.then', { hasText: 'Pump_DB' }).waitFor()
  },
  async design() {
    await page.goto(`${url}/#/design`)
    const buffer = await readFile('examples/mixer.csv')
    await page.locator('input[type=file]').setInputFiles({ name: 'mixer.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('treeitem', { name: /Mix/ }).first().click()
    await page.locator('svg.chart [data-step="20"]').waitFor()
    if (level !== 'admin') return
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText(/^Verified/).waitFor()
  },
  async approvals() {
    const input = {
      operation: 'blocks.update-network',
      input: {
        ...plc,
        blockName: 'Pump',
        number: 2,
        expressions: '#isLocked := #isFull OR #fault OR #start AND #stop',
      },
    }
    const text = ['Both buttons at once are a fault. The interlock of the pump gets one more branch.']
    provider.replies.push({ text, calls: [{ name: 'call_operation', input }] })
    await page.goto(`${url}/#/assistant`)
    await page.getByLabel('Your question or task').fill('Lock the pump when both buttons are pressed at once.')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Accept' }).waitFor()
  },
  async assistant() {
    await call('assistant.save-settings', { model: 'gantry/docs' })
    await page.goto(`${url}/#/project`)
    await page.goto(`${url}/#/assistant`)
    await page.getByLabel('Your question or task').fill('How is a watch table created?')
    await page.keyboard.press('Enter')
    await page.locator('.message.assistant p').first().waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
  },
  async commands() {
    await page.goto(`${url}/#/project/PLC_1/blocks`)
    await page.keyboard.press('Control+k')
    await page.getByLabel('Find an operation').fill('rename a block')
    await page.getByRole('option', { name: /^Rename a block/ }).click()
    await page.getByLabel('newName').waitFor()
  },
}
for (const [name, show] of Object.entries(views)) {
  await show().catch((error: unknown) => process.stderr.write(`${name}: ${error}\n`))
  await picture(name)
  if (name === 'commands' || name === 'import') await page.keyboard.press('Escape')
}
await browser.close()
await app.close()
for (const end of ended) await end()
await at.close()
