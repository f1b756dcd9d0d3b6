/** The page of HMI stations in tests: its program, a server, a browser. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { packageDir } from '../core/boot/running-code.ts'
import { openTestGateway, type TestGateway } from './harness.ts'
import { createServer, listen } from './http-server.ts'
import { buildPage } from './web-page.ts'

export const hmi = { deviceName: 'HMI_1' }
export const panels = { classic: '6AV2 124-0MC01-0AX0', unified: '6AV2 123-3GB32-0AW0' }

const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Whether the tests with a browser can run. */
export const hasBrowser = existsSync(browserPath)
if (!hasBrowser)
  process.stderr.write(
    `\nSKIPPED: the pages of HMI stations and the studio are not tested, ${browserPath} is not there.\n\n`,
  )

const built = (file: string) => join(packageDir, 'dist/web/hmi', file)

/** Makes the page's program as `npm run build` does, when it is not there. */
export async function bundlePage(): Promise<void> {
  if (!['hmi.js', 'script-frame.js', 'picture-program.js'].every((file) => existsSync(built(file))))
    await buildPage('hmi')
}

/** The gateway's address with a key. @param key of a gateway that was started before on the same data */
export async function served(
  t: TestContext,
  gateway: TestGateway['gateway'],
  key = gateway.createdKey ?? '',
): Promise<{ url: string; key: string; app: Awaited<ReturnType<typeof createServer>> }> {
  const app = await createServer(gateway)
  t.after(() => app.close())
  return { url: await listen(app, { port: 0 }), key, app }
}

/**
 * A page in a browser. `faults`: errors in it; `foreign`: requests to other places than the gateway; `calls`: the
 * others as `GET /api/jobs`.
 */
export interface OpenedPage {
  readonly page: Page
  readonly faults: readonly string[]
  readonly foreign: readonly string[]
  readonly calls: ReadonlySet<string>
  /** Writes a picture into the folder of the environment variable SCREENSHOTS. */
  picture(name: string): Promise<void>
}

/** Opens a page of the gateway in a browser of its own. */
export async function openPage(t: TestContext, url: string, path: string): Promise<OpenedPage> {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  t.after(() => browser.close())
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
  page.setDefaultTimeout(120_000)
  const faults: string[] = []
  page.on('pageerror', (error) => void faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/401/.test(message.text())) faults.push(message.text())
  })
  const foreign: string[] = []
  const calls = new Set<string>()
  page.on('request', (request) => {
    if (request.url().startsWith(url)) calls.add(`${request.method()} ${new URL(request.url()).pathname}`)
    else if (!/^(data|blob):/.test(request.url())) foreign.push(request.url())
  })
  await page.goto(`${url}${path}`)
  const picture = async (name: string) => {
    const folder = process.env.SCREENSHOTS
    // Hiding the caret would put a style into the page, which its policy forbids.
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, caret: 'initial' })
  }
  return { page, faults, foreign, calls, picture }
}

/** Opens the page of a station in a browser and enters a key. */
export async function openStation(
  t: TestContext,
  { url, key }: { readonly url: string; readonly key: string },
  station = 'HMI_1',
): Promise<OpenedPage> {
  const opened = await openPage(t, url, `/hmi/${encodeURIComponent(station)}/`)
  await opened.page.getByLabel('API key').fill(key)
  await opened.page.getByRole('button', { name: 'Open' }).click()
  return opened
}

/** Types a value into an input field and presses Enter. It becomes an input element when it is chosen. */
export async function enter(place: Page | Locator, label: string, text: string): Promise<void> {
  await place.getByLabel(label, { exact: true }).click()
  const input = place.locator(`input[aria-label="${label}"]`)
  await input.fill(text)
  await input.press('Enter')
  await input.waitFor({ state: 'detached' })
}

/** What axe-core finds wrong in a page. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const { default: axe } = await import('axe-core')
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const run = (
      globalThis as unknown as { axe?: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
    ).axe
    if (run === undefined) return ['axe-core is not in the page']
    return (await run.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

/** A pump station: a well that fills, two pumps, modes, limits. */
const pumpProgram = `
FUNCTION_BLOCK "Pump"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_INPUT
    start : Bool;
    stop : Bool;
    speed : Int := 50;   // per cent
  END_VAR
  VAR_OUTPUT
    running : Bool;
    flow : Real;
  END_VAR
BEGIN
  IF #start AND NOT #stop THEN
    #running := TRUE;
  ELSIF #stop THEN
    #running := FALSE;
  END_IF;
  IF #running THEN
    #flow := INT_TO_REAL(#speed) / 100.0;
  ELSE
    #flow := 0.0;
  END_IF;
END_FUNCTION_BLOCK

DATA_BLOCK "Station"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    level : Real := 40.0;
    inflow : Real := 0.5;
    mode : Int;
    alarms : Word;
    name : String[20] := 'Well 7';
    light : Bool;
  END_VAR
BEGIN
END_DATA_BLOCK

DATA_BLOCK "Pump_1"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Pump"
BEGIN
END_DATA_BLOCK

DATA_BLOCK "Pump_2"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Pump"
BEGIN
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
BEGIN
  IF "Station".mode = 2 THEN
    "Pump_1".start := "Station".level > 60.0;
    "Pump_1".stop := "Station".level < 30.0;
  END_IF;
  "Pump_1"();
  "Pump_2"();
  "Station".level := LIMIT(MN := 0.0, IN := "Station".level + "Station".inflow - "Pump_1".flow - "Pump_2".flow, MX := 100.0);
  "Station".alarms.%X0 := "Station".level > 90.0;
  "Station".alarms.%X1 := "Station".level < 5.0;
END_ORGANIZATION_BLOCK
`

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="18" fill="#3a7"/><path d="M20 4L34 30L6 30Z" fill="#fff"/></svg>`

const text = (en: string, de: string) => ({ 'en-US': en, 'de-DE': de })
const event = (name: string, action: string, parameters: Record<string, string>) => ({
  event: name,
  actions: [{ function: action, parameters }],
})

/**
 * A project in English and German with the pump station on a controller in stepped time (one cycle is 100 ms), in RUN,
 * and an HMI station with every kind of object, which is not compiled yet.
 */
export async function withPumpStation(t: TestContext, panel = panels.classic): Promise<TestGateway> {
  const at = await openTestGateway(t)
  const { call } = at
  await call('projects.create', { name: 'Water', path: `${at.dir}/workspace`, cultures: ['en-US', 'de-DE'] })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await call('projects.simulation-support', {})
  await call('blocks.import', { deviceName: 'PLC_1', content: pumpProgram })
  await call('projects.save', {})
  const config = { time: { mode: 'stepped', cycleTimeMs: 100 }, startup: 'Run' }
  await call('simulation.create-instance', { name: 'Sim', cpuType: 'CPU1515', ipAddress: '192.168.0.1', config })
  await call('simulation.power-on', { name: 'Sim' })
  await call('online.download', { deviceName: 'PLC_1', compile: true })
  await call('simulation.run', { name: 'Sim' })
  await call('devices.add', { orderNumber: panel, name: 'HMI_1' })
  await pumpScreens(at)
  return at
}

async function pumpScreens({ call, dir }: TestGateway): Promise<void> {
  await writeFile(join(dir, 'workspace', 'pump.svg'), svg)
  await call('hmi.import', { ...hmi, filePath: 'pump.svg' })
  await call('hmi.create-text-list', {
    ...hmi,
    name: 'Modes',
    entries: [
      { value: 0, text: text('Off', 'Aus') },
      { value: 1, text: text('Manual', 'Hand') },
      { value: 2, text: text('Automatic', 'Automatik') },
    ],
  })
  await call('hmi.create-graphic-list', {
    ...hmi,
    name: 'Signs',
    entries: [{ from: 1, to: 2, graphic: 'pump' }],
  })
  await call('hmi.create-tag-table', { ...hmi, name: 'Tags' })
  const tag = { ...hmi, tableName: 'Tags' }
  await call('hmi.add-tag', { ...tag, name: 'Level', plcTag: 'Station.level' })
  await call('hmi.add-tag', { ...tag, name: 'Clicks', dataType: 'Int' })
  for (const [name, more] of Object.entries({
    High: { alarmType: 'analog', limit: 90, tag: 'Station.level', text: text('Level high', 'Niveau hoch') },
    Low: { bit: 1, tag: 'Station.alarms', text: text('Level low', 'Niveau tief') },
    Light: { tag: 'Station.light', alarmClass: 'Warnings', text: text('Light is on', 'Licht ist an') },
  }))
    await call('hmi.create-alarm', { ...hmi, name, ...more })
  await call('hmi.create-library-type', {
    ...hmi,
    name: 'PumpFace',
    width: 200,
    height: 100,
    properties: [{ name: 'pump', dataType: 'Pump' }],
    items: [
      { type: 'Rectangle', name: 'Frame', width: 200, height: 100, properties: { backColor: '#f4f6f8' } },
      {
        type: 'Circle',
        name: 'Running',
        left: 10,
        top: 10,
        width: 40,
        height: 40,
        bindings: [
          {
            property: 'backColor',
            tag: 'pump.running',
            converter: 'BoolToColor',
            params: { on: '#00c040', off: '#a0a0a0' },
          },
        ],
      },
      {
        type: 'IOField',
        name: 'Speed',
        left: 60,
        top: 10,
        width: 120,
        height: 36,
        properties: { unit: ' %' },
        bindings: [{ property: 'processValue', tag: 'pump.speed' }],
      },
      {
        type: 'Button',
        name: 'Start',
        left: 10,
        top: 56,
        width: 80,
        height: 36,
        text: text('Start', 'Ein'),
        events: [event('Press', 'SetBit', { Tag: 'pump.start' }), event('Release', 'ResetBit', { Tag: 'pump.start' })],
      },
      {
        type: 'Button',
        name: 'Stop',
        left: 100,
        top: 56,
        width: 80,
        height: 36,
        text: text('Stop', 'Aus'),
        events: [event('Press', 'SetBit', { Tag: 'pump.stop' }), event('Release', 'ResetBit', { Tag: 'pump.stop' })],
      },
    ],
  })
  await call('hmi.create-screen', { ...hmi, name: 'Well', width: 1280, height: 800 })
  await call('hmi.create-screen', { ...hmi, name: 'Messages', width: 1280, height: 800 })
  const add = (screenName: string, object: object) => call('hmi.add-object', { screenName, ...object })
  const place = (left: number, top: number, width: number, height: number) => ({ left, top, width, height })
  const level = [{ property: 'processValue', tag: 'Level' }]
  await add('Well', {
    type: 'TextField',
    name: 'Title',
    ...place(20, 10, 300, 30),
    text: text('Pump station', 'Pumpwerk'),
  })
  await add('Well', { type: 'Bar', name: 'LevelBar', ...place(20, 60, 60, 300), bindings: level })
  await add('Well', { type: 'Gauge', name: 'LevelGauge', ...place(100, 60, 180, 180), bindings: level })
  await add('Well', {
    type: 'Slider',
    name: 'Inflow',
    ...place(100, 260, 200, 40),
    properties: { minimumValue: 0, maximumValue: 5 },
    bindings: [{ property: 'processValue', tag: 'Station.inflow' }],
  })
  await add('Well', {
    type: 'IOField',
    name: 'LevelText',
    ...place(100, 320, 160, 36),
    properties: { mode: 'Output' },
    bindings: [
      { property: 'processValue', tag: 'Level', converter: 'Format', params: { decimals: '1', suffix: ' %' } },
    ],
  })
  await add('Well', {
    type: 'SymbolicIOField',
    name: 'Mode',
    ...place(320, 20, 160, 36),
    links: { textList: 'Modes' },
    bindings: [{ property: 'processValue', tag: 'Station.mode' }],
  })
  await add('Well', {
    type: 'Switch',
    name: 'LightSwitch',
    ...place(320, 70, 80, 36),
    bindings: [{ property: 'processValue', tag: 'Station.light' }],
  })
  await add('Well', { type: 'GraphicView', name: 'Picture', ...place(500, 20, 80, 80), links: { picture: 'pump' } })
  await add('Well', {
    type: 'GraphicIOField',
    name: 'Sign',
    ...place(600, 20, 80, 80),
    links: { pictureList: 'Signs' },
    bindings: [{ property: 'processValue', tag: 'Station.mode' }],
  })
  await add('Well', {
    type: 'Polygon',
    name: 'Arrow',
    ...place(700, 20, 80, 80),
    properties: { points: '0,0 80,40 0,80', backColor: '#4080c0' },
    bindings: [{ property: 'visible', tag: 'Pump_1.running' }],
  })
  await add('Well', {
    type: 'Polyline',
    name: 'Pipe',
    ...place(100, 380, 200, 60),
    properties: { points: '0,0 100,60 200,0', borderWidth: 4 },
  })
  await add('Well', { type: 'Ellipse', name: 'Tank', ...place(820, 20, 120, 80) })
  await add('Well', { type: 'Line', name: 'Ground', ...place(20, 460, 700, 1) })
  for (const [i, pump] of ['Pump_1', 'Pump_2'].entries())
    await add('Well', {
      type: 'FaceplateInstance',
      name: pump,
      ...place(320 + i * 230, 140, 200, 100),
      links: { faceplate: 'PumpFace' },
      bindings: [{ property: 'pump', tag: pump }],
    })
  await add('Well', {
    type: 'TrendView',
    name: 'Curve',
    ...place(320, 260, 600, 260),
    bindings: [...level, { property: 'processValue2', tag: 'Pump_1.flow' }],
  })
  await add('Well', {
    type: 'TableView',
    name: 'Values',
    ...place(950, 120, 300, 300),
    bindings: [
      { property: 'value1', tag: 'Station.name' },
      { property: 'processValue2', tag: 'Level' },
      { property: 'processValue3', tag: 'Station.mode', converter: 'TextList', params: { list: 'Modes' } },
    ],
  })
  await add('Well', {
    type: 'Button',
    name: 'ToMessages',
    ...place(20, 480, 160, 44),
    text: text('Messages', 'Meldungen'),
    events: [event('Click', 'ActivateScreen', { 'Screen name': 'Messages' })],
  })
  await add('Messages', { type: 'AlarmView', name: 'Alarms', ...place(20, 20, 900, 400) })
  await add('Messages', {
    type: 'Button',
    name: 'Back',
    ...place(20, 440, 160, 44),
    text: text('Back', 'Zurück'),
    events: [event('Click', 'ActivatePreviousScreen', {})],
  })
}
