/** What the page of a station does without drawing: its variables, screens, functions and the stream of the gateway. */
// In a process of its own: it makes globals of a browser.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ModelItem, StationModel } from '../../plugins/hmi/station-model.ts'
import { until } from '../../test/until.ts'

// The page draws by frames, and holds its streams while it is shown.
Object.assign(globalThis, {
  document: Object.assign(new EventTarget(), { hidden: false }),
  requestAnimationFrame: (draw: () => void) => setImmediate(draw),
})
const { Runtime } = await import('./runtime.ts')
const { fire, isOperable } = await import('./actions.ts')
const { box, paint, valuesOf } = await import('./drawing.ts')
const { useIdentity } = await import('../gateway.ts')
useIdentity({ 'X-API-Key': 'viewer-key' })

const item = (more: Partial<ModelItem> = {}): ModelItem => ({
  ...{ name: 'Thing', type: 'Rectangle', left: 10, top: 20, width: 30, height: 40 },
  ...{ properties: {}, texts: {}, links: {}, bindings: [], events: [] },
  ...more,
})

const actions = (event: string, ...list: readonly (readonly [string, Readonly<Record<string, string>>])[]): ModelItem =>
  item({ events: [{ event, actions: list.map(([name, parameters]) => ({ function: name, parameters })) }] })

const inner = item({ bindings: [{ property: 'processValue', variable: 5 }] })
const model = {
  version: '1',
  station: 'HMI 1',
  startScreen: 'Main',
  cultures: ['en-US', 'de-DE'],
  variables: [
    { name: 'On', dataType: 'Bool', isWritable: true, startValue: 'TRUE' },
    { name: 'Count', dataType: 'Int', isWritable: true, startValue: '7' },
    { name: 'Text', dataType: 'WString', isWritable: true, startValue: 'hello' },
    { name: 'Plain', dataType: 'Real', isWritable: true },
    { name: 'Off', dataType: 'bool', isWritable: true, startValue: '0' },
    { name: 'Speed', dataType: 'Int', isWritable: true, plc: 'PLC_1', path: 'Motor.speed' },
    { name: 'Run', dataType: 'Bool', isWritable: true, plc: 'PLC_1', path: 'Motor.run' },
    { name: 'Script', dataType: 'Int', isWritable: true },
  ],
  screens: [
    { name: 'Main', items: [item({ items: [inner] }), actions('Click', ['SetBit', { Tag: 'RUN' }])] },
    { name: 'Second', items: [] },
    { name: 'Third', items: [] },
  ],
  textLists: {},
  graphicLists: {},
  graphics: {},
  scripts: { Sum: { parameters: [], source: '', variables: [7] } },
  alarms: [],
} as unknown as StationModel

interface Sent {
  readonly path: string
  readonly method: string
  readonly key: string | undefined
  readonly body: unknown
}

/** A gateway that answers each request with the next of some responses, and is silent after the last. */
function gateway(t: TestContext, ...answers: readonly Response[]): Sent[] {
  const sent: Sent[] = []
  const left = [...answers]
  t.mock.method(globalThis, 'fetch', (path: string, { method, headers, body, signal }: RequestInit) => {
    sent.push({
      path,
      method: method ?? '',
      key: (headers as Record<string, string>)['X-API-Key'],
      body: body && JSON.parse(String(body)),
    })
    const answer = left.shift()
    if (answer !== undefined) return Promise.resolve(answer)
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
  })
  return sent
}

const stream = (...events: readonly (readonly [string, unknown])[]) =>
  new Response(events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })
const problem = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })

function opened(t: TestContext, culture?: string) {
  const runtime = new Runtime(model, culture)
  t.after(() => runtime.close())
  return runtime
}

const valuesIn = ({ values }: InstanceType<typeof Runtime>) => model.variables.map((_, i) => values.of(i).value)

test('internal variables begin with their start values, those of a PLC with none', (t) => {
  const runtime = opened(t)
  assert.deepEqual(valuesIn(runtime), [true, 7, 'hello', 0, false, null, null, 0])
  const faults = model.variables.map((_, i) => runtime.values.faultOf(i).value)
  assert.deepEqual(faults.slice(4), [undefined, 'No value yet.', 'No value yet.', undefined])
  assert.deepEqual([runtime.values.indexOf('COUNT'), runtime.values.indexOf('none')], [1, undefined])
  assert.equal(runtime.culture.value, 'en-US')
  assert.equal(opened(t, 'de-DE').culture.value, 'de-DE')
  assert.equal(opened(t, 'fr-FR').culture.value, 'en-US')
})

test('each system function does its work on variables, screens and the language', async (t) => {
  gateway(t)
  const runtime = opened(t)
  const did = async (name: string, parameters: Readonly<Record<string, string>>) => {
    await fire(runtime, actions('Click', [name, parameters]), 'click')
    return [...valuesIn(runtime).slice(0, 5), runtime.screenName.value, runtime.culture.value]
  }
  assert.deepEqual(await did('ResetBit', { Tag: 'On' }), [false, 7, 'hello', 0, false, 'Main', 'en-US'])
  assert.deepEqual(await did('InvertBit', { Variable: 'Off' }), [false, 7, 'hello', 0, true, 'Main', 'en-US'])
  assert.deepEqual(await did('InvertBit', { Tag: 'Off' }), [false, 7, 'hello', 0, false, 'Main', 'en-US'])
  assert.deepEqual(await did('SetBit', { 'Tag name': 'on' }), [true, 7, 'hello', 0, false, 'Main', 'en-US'])
  const set = { Tag: 'Count', Value: '12' }
  assert.deepEqual(await did('SetTag', set), [true, 12, 'hello', 0, false, 'Main', 'en-US'])
  const words = { 'Output value': 'Text', 'Input value': '12' }
  assert.deepEqual(await did('SetValue', words), [true, 12, '12', 0, false, 'Main', 'en-US'])
  assert.deepEqual(await did('IncreaseTag', { Tag: 'Count' }), [true, 13, '12', 0, false, 'Main', 'en-US'])
  const five = { Tag: 'Count', Value: '5' }
  assert.deepEqual(await did('DecreaseTag', five), [true, 8, '12', 0, false, 'Main', 'en-US'])
  assert.deepEqual(await did('SetTag', { Tag: 'On', Value: 'off' }), [false, 8, '12', 0, false, 'Main', 'en-US'])
  assert.deepEqual(await did('SetTag', { Tag: 'On', Value: ' ON ' }), [true, 8, '12', 0, false, 'Main', 'en-US'])
  const screen = (name: string) => did('ActivateScreen', { 'Screen name': name })
  assert.equal((await screen('second'))[5], 'Second')
  assert.equal((await screen('Third'))[5], 'Third')
  assert.equal((await screen('Third'))[5], 'Third')
  assert.equal((await screen('Nowhere'))[5], 'Third')
  const back = async () => (await did('ActivatePreviousScreen', {}))[5]
  assert.deepEqual([await back(), await back(), await back()], ['Second', 'Main', 'Main'])
  const language = async (name: string) => (await did('SetLanguage', { Language: name }))[6]
  assert.deepEqual(
    [await language('DE-de'), await language('toggle'), await language('toggle')],
    [...['de-DE', 'en-US', 'de-DE']],
  )
  // A function without its variable, and a script that the station does not have, do nothing.
  assert.deepEqual((await did('SetBit', {})).slice(0, 5), [true, 8, '12', 0, false])
  assert.deepEqual((await did('Unknown', { Tag: 'On' })).slice(0, 5), [true, 8, '12', 0, false])
})

test('a bit is set while a key is pressed; only the events that happen act', async (t) => {
  const runtime = opened(t)
  const held = actions('Press', ['SetBitWhileKeyPressed', { Tag: 'Off' }])
  const seen: unknown[] = []
  for (const event of ['press', 'release', 'click', 'down', 'release']) {
    await fire(runtime, held, event)
    seen.push(runtime.values.of(4).value)
  }
  assert.deepEqual(seen, [true, false, false, true, false])
  // Releasing ends only what holds a bit.
  await fire(runtime, actions('Press', ['SetBit', { Tag: 'Off' }]), 'release')
  assert.equal(runtime.values.of(4).value, false)
  assert.deepEqual([isOperable(held), isOperable(actions('Click')), isOperable(item())], [true, false, false])
})

test('the stream sets values, faults, controllers and alarms; another version is told', async (t) => {
  const alarm = { name: 'Hot', state: 'incoming' }
  const sent = gateway(
    t,
    stream(
      ['station', { version: '1' }],
      ['values', { v: [[5, 10]], bad: [[6, 'no such tag']] }],
      ['values', { v: [], bad: [[5, 'the controller is off']] }],
      ['plc', { plc: 'PLC_1', isReached: true, instance: 'Sim', state: 'Run' }],
      ['plc', { plc: 'PLC_1', isReached: true, instance: 'Sim', state: 'Stop' }],
      ['plc', { plc: 'PLC_2', isReached: false, reason: 'no controller' }],
      ['plc', { plc: 'PLC_3', isReached: false }],
      ['plc', { plc: 'PLC_3', isReached: true, instance: 'Sim' }],
      ['alarms', { pending: [alarm] }],
      ['station', { version: '2' }],
    ),
  )
  const { values } = opened(t)
  let outdated = 0
  values.onOutdated = () => {
    outdated++
  }
  await values.follow([5, 6])
  await until(() => values.of(5).value === 10, 'the values are drawn')
  assert.equal(outdated, 1)
  assert.deepEqual(
    [5, 6].map((i) => values.faultOf(i).value),
    ['the controller is off', 'no such tag'],
  )
  assert.deepEqual(Object.fromEntries(values.plcs.value), {
    PLC_1: { isReached: true, instance: 'Sim', state: 'Stop' },
    PLC_2: { isReached: false, reason: 'no controller' },
    PLC_3: { isReached: true, instance: 'Sim' },
  })
  assert.deepEqual([values.instances.value, values.alarms.value, values.fault.value], [['Sim'], [alarm], ''])
  // Beside the alarms of the controller's program.
  const ofStation = sent.filter(({ path }) => !path.startsWith('/api/simulation/'))
  assert.deepEqual(ofStation, [
    { path: '/api/hmi/stations/HMI%201/stream', method: 'POST', key: 'viewer-key', body: { variables: [5, 6] } },
  ])
})

test('a screen follows the variables of its objects, of what they contain, of its functions and of scripts', (t) => {
  const sent = gateway(t)
  const runtime = opened(t)
  runtime.show('main')
  runtime.show('Second')
  assert.deepEqual(
    sent.map(({ body }) => body),
    [{ variables: [5, 6, 7] }, { variables: [7] }],
  )
  assert.deepEqual([runtime.screen?.name, runtime.screenName.value], ['Second', 'Second'])
})

test('a stream that ends or is refused says so; a wrong key is not tried again', async (t) => {
  gateway(t, stream(), problem(401, { detail: 'No such key.', suggestion: 'Ask for one.' }))
  const { values } = opened(t)
  const followed = values.follow([0, 5])
  await until(() => values.faultOf(5).value === 'The stream has ended.', 'the end is told')
  assert.equal(values.faultOf(0).value, undefined)
  await followed
  assert.equal(values.fault.value, 'No such key. Ask for one.')
})

test('writing goes to the gateway, and what it refuses is shown until it was seen', async (t) => {
  const ok = () => new Response('{}')
  const sent = gateway(t, problem(409, { detail: 'Motor.speed is read only.' }), ok(), problem(500, 'x'), ok(), ok())
  const { values } = opened(t)
  const told = () => values.notices.value.map(({ text }) => text)
  const faults: number[] = []
  const done = async (what: Promise<unknown>) => {
    await what
    faults.push(told().length)
  }
  await done(values.write(5, 3))
  await done(values.write(6, true))
  await done(values.acknowledge())
  useIdentity({ 'X-API-Key': 'other' })
  await done(values.acknowledge(['Hot']))
  await done(values.write(1, 9))
  assert.deepEqual(faults, [1, 1, 2, 2, 2])
  assert.deepEqual([told(), values.fault.value], [['HTTP 500', 'Motor.speed is read only.'], ''])
  values.note('Motor.speed is read only.')
  assert.deepEqual(told(), ['Motor.speed is read only.', 'HTTP 500'])
  values.seen()
  assert.deepEqual(told(), [])
  const base = '/api/hmi/stations/HMI%201'
  assert.deepEqual(sent, [
    { path: `${base}/actions/write`, method: 'POST', key: 'viewer-key', body: { variable: 'Speed', value: 3 } },
    { path: `${base}/actions/write`, method: 'POST', key: 'viewer-key', body: { variable: 'Run', value: true } },
    { path: `${base}/alarms/actions/acknowledge`, method: 'POST', key: 'viewer-key', body: { all: true } },
    { path: `${base}/alarms/actions/acknowledge`, method: 'POST', key: 'other', body: { alarms: ['Hot'] } },
  ])
  t.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('fetch failed')))
  assert.equal(await values.write(5, 3), false)
  assert.deepEqual(told(), ['The gateway does not answer.'])
})

test('place, fill and line of an object are those of its bindings once they have values', async (t) => {
  const runtime = opened(t)
  const moved = item({
    properties: { backColor: '1, 2, 3', borderWidth: 2, borderColor: 'red' },
    bindings: [
      { property: 'left', variable: 1 },
      { property: 'width', variable: 3, converter: { kind: 'scale', factor: 1, offset: -5 } },
      { property: 'height', variable: 5 },
      { property: 'processValue', variable: 5 },
      { property: 'processValue2', variable: 6 },
    ],
  })
  assert.deepEqual(box(runtime, moved), { left: 7, top: 20, width: 0, height: 40 })
  assert.deepEqual(box(runtime, item()), { left: 10, top: 20, width: 30, height: 40 })
  assert.deepEqual(paint(runtime, moved), { fill: 'rgb(1, 2, 3)', stroke: 'red', 'stroke-width': 2 })
  assert.deepEqual(paint(runtime, item(), 'blue'), { fill: 'blue', stroke: '#333333', 'stroke-width': 1 })
  const clear = item({ properties: { backFillStyle: 'Transparent', borderWidth: 0 } })
  assert.deepEqual(paint(runtime, clear), { fill: 'none', stroke: '#333333', 'stroke-width': 0 })
  assert.deepEqual(
    valuesOf(moved).map(({ variable }) => variable),
    [5, 6],
  )
  assert.equal(runtime.fault(moved), 'Speed: No value yet.')
  assert.equal(runtime.fault(item()), undefined)
})
