/** A station in its page without a browser: what it asks the gateway for, shows, writes and does. */
// In a process of its own: it makes globals of a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelItem, ModelVariable, StationModel } from '../../plugins/hmi/station-model.ts'
import { becomes, until } from '../../test/until.ts'

const shown = Object.assign(new EventTarget(), { hidden: false })
Object.assign(globalThis, { document: shown, requestAnimationFrame: (draw: () => void) => setTimeout(draw, 0) })
const { Runtime } = await import('./runtime.ts')
const { fire, isOperable, typed } = await import('./actions.ts')
const { box, paint, valuesOf } = await import('./drawing.ts')

interface Request {
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  send(event: string, data: unknown): void
  end(): void
}

/** Takes the place of the gateway. @param answer of calls; streams stay open */
function gateway(answer: (path: string, body: unknown) => Response = () => Response.json({})) {
  const requests: Request[] = []
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body))
    const { method = '', headers, signal } = init
    let stream!: ReadableStreamDefaultController<Uint8Array>
    const text = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = controller
      },
    })
    signal?.addEventListener('abort', () => stream.error(signal.reason))
    requests.push({
      ...{ path, method, body, headers: headers as Record<string, string> },
      send: (event, data) =>
        stream.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
      end: () => stream.close(),
    })
    return path.endsWith('/stream') ? new Response(text) : answer(path, body)
  }) as typeof fetch
  return requests
}

const item = (more: Partial<ModelItem> = {}): ModelItem => ({
  ...{
    name: 'Object',
    type: 'Rectangle',
    left: 1,
    top: 2,
    width: 30,
    height: 40,
    properties: {},
    texts: {},
    links: {},
  },
  ...{ bindings: [], events: [] },
  ...more,
})
const onEvent = (event: string, name: string, parameters: Readonly<Record<string, string>> = {}): ModelItem =>
  item({ events: [{ event, actions: [{ function: name, parameters }] }] })

const variable = (name: string, dataType: string, more: Partial<ModelVariable> = {}): ModelVariable => ({
  ...{ name, dataType, isWritable: true },
  ...more,
})
const plc = { plc: 'PLC_1', path: 'x' }
const screen = (name: string, items: readonly ModelItem[] = []) => ({
  ...{ name, number: 1, width: 800, height: 480, backColor: '', items },
})
const model: StationModel = {
  ...{ version: 'v1', station: 'Pump station/1', width: 800, height: 480, startScreen: 'Start' },
  cultures: ['en-US', 'de-DE', 'fr-FR'],
  variables: [
    variable('Level', 'Real', plc),
    variable('Pump', 'Bool', plc),
    variable('Lamp', 'Bool', { startValue: 'TRUE' }),
    variable('Count', 'Int', { startValue: '7' }),
    variable('Text', 'WString', { startValue: 'hello' }),
    variable('Dark', 'bool'),
    variable('Zero', 'DInt', { startValue: 'x' }),
    variable('Nothing', 'String'),
    variable('Used', 'Int', plc),
  ],
  screens: [
    screen('Start', [
      item({ bindings: [{ property: 'processValue', variable: 1 }] }),
      item({
        items: [item({ bindings: [{ property: 'left', variable: 0 }] }), onEvent('Click', 'SetBit', { Tag: 'lamp' })],
      }),
    ]),
    screen('Other', [onEvent('Click', 'ActivateScreen', { 'Screen name': 'start' })]),
    screen('Third'),
  ],
  ...{ textLists: {}, graphicLists: {}, graphics: {}, alarms: [] },
  scripts: { Show: { parameters: [], source: '', variables: [8] } },
}

test('variables begin with their start values, or without a value', () => {
  const { values } = new Runtime(model)
  assert.deepEqual(
    model.variables.map((_, i) => [values.of(i).value, values.faultOf(i).value]),
    [
      [null, 'No value yet.'],
      [null, 'No value yet.'],
      [true, undefined],
      [7, undefined],
      ['hello', undefined],
      [false, undefined],
      [0, undefined],
      ['', undefined],
      [null, 'No value yet.'],
    ],
  )
  assert.deepEqual([values.indexOf('LEVEL'), values.indexOf('none')], [0, undefined])
  assert.equal(values.path, '/api/hmi/stations/Pump%20station%2F1')
})

test('a station begins in the language that was chosen, else in its first one', () => {
  assert.equal(new Runtime(model).culture.value, 'en-US')
  assert.equal(new Runtime(model, 'de-DE').culture.value, 'de-DE')
  assert.equal(new Runtime(model, 'it-IT').culture.value, 'en-US')
  assert.equal(new Runtime({ ...model, cultures: [] }, 'it-IT').culture.value, 'en-US')
})

test('a screen follows its variables; values, faults, alarms and PLCs are shown as they are told', async () => {
  const requests = gateway()
  const runtime = new Runtime(model)
  const { values } = runtime
  runtime.show('START')
  await until(() => requests[0], 'the stream is asked for')
  // Those of scripts, of bindings, of inner objects and of parameters.
  assert.deepEqual([requests[0]?.path, requests[0]?.body], [`${values.path}/stream`, { variables: [0, 1, 2, 8] }])
  const { send } = requests[0]!
  const shown = () => [0, 1].map((i) => [values.of(i).value, values.faultOf(i).value])
  send('values', { v: [[0, 1.5]], bad: [[1, 'PLC_1 is not reached']] })
  await becomes(shown, [
    [1.5, undefined],
    [null, 'PLC_1 is not reached'],
  ])
  send('values', { v: [[1, true]], bad: [[0, 'gone']] })
  // The last value stays.
  await becomes(shown, [
    [1.5, 'gone'],
    [true, undefined],
  ])
  send('plc', { plc: 'PLC_1', isReached: false, reason: 'off' })
  send('plc', { plc: 'PLC_2', isReached: false })
  await becomes(
    () => [...values.plcs.value].map(([name, { isReached, reason }]) => [name, isReached, reason]),
    [
      ['PLC_1', false, 'off'],
      ['PLC_2', false, undefined],
    ],
  )
  for (const instance of ['sim', 'sim', 'other']) send('plc', { plc: 'PLC_1', isReached: true, instance })
  await becomes(() => values.instances.value, ['sim', 'other'])
  assert.equal(values.plcs.value.get('PLC_1')?.isReached, true)
  send('alarms', { pending: [{ name: 'High' }] })
  await becomes(() => values.alarms.value.map(({ name }) => name), ['High'])
  let outdated = 0
  values.onOutdated = () => outdated++
  send('station', { version: 'v1' })
  send('station', { version: 'v2' })
  await becomes(() => outdated, 1)
  runtime.close()
})

test('a stream that ends is opened again, and until then its values are no longer good', async () => {
  const requests = gateway()
  const runtime = new Runtime(model)
  runtime.show('Start')
  const { values } = runtime
  await until(() => requests[0], 'the stream is asked for')
  requests[0]!.send('values', { v: [[0, 2]] })
  requests[0]!.end()
  await becomes(() => [values.of(0).value, values.faultOf(0).value], [2, 'The stream has ended.'])
  // An internal variable is good whatever the stream does.
  assert.equal(values.faultOf(2).value, undefined)
  await until(() => requests[1], 'the stream is asked for again')
  requests[1]!.send('values', { v: [[0, 3]] })
  await becomes(() => [values.of(0).value, values.faultOf(0).value], [3, undefined])
  runtime.close()
})

test('a page that is hidden holds no stream, and has no values that it could take for present ones', async () => {
  const requests = gateway()
  const runtime = new Runtime(model)
  const { values } = runtime
  runtime.show('Start')
  await until(() => requests[0], 'the stream is asked for')
  requests[0]!.send('station', { version: 'v1' })
  requests[0]!.send('values', { v: [[0, 2]] })
  await becomes(() => values.of(0).value, 2)
  const hide = (hidden: boolean) => {
    shown.hidden = hidden
    shown.dispatchEvent(new Event('visibilitychange'))
  }
  hide(true)
  await becomes(
    () => [values.of(0).value, values.faultOf(0).value, values.fault.value],
    [2, 'The stream has ended.', ''],
  )
  assert.equal(requests.length, 1)
  hide(false)
  await until(() => requests[1], 'the stream is asked for again')
  assert.equal(values.gaps.value, 0)
  requests[1]!.send('station', { version: 'v1' })
  requests[1]!.send('values', { v: [[0, 3]] })
  await becomes(() => [values.of(0).value, values.faultOf(0).value, values.gaps.value], [3, undefined, 1])
  runtime.close()
})

test('a key that is not valid ends the stream; another refusal is shown and tried again', async () => {
  const requests = gateway()
  const opened = globalThis.fetch
  const refuse = (status: number, detail: string) => {
    globalThis.fetch = async (...given) => {
      await opened(...given)
      return Response.json({ detail }, { status })
    }
  }
  refuse(401, 'No key.')
  const { values } = new Runtime(model)
  await values.follow([0])
  assert.deepEqual([values.fault.value, requests.length], ['No key.', 1])
  refuse(503, 'Not yet.')
  void values.follow([0])
  await becomes(() => values.fault.value, 'Not yet.')
  globalThis.fetch = opened
  await until(() => requests[2], 'it is tried again')
  requests[2]!.send('values', { v: [] })
  await becomes(() => values.fault.value, '')
  values.close()
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'))
  void values.follow([0])
  await becomes(() => values.fault.value, 'The gateway does not answer.')
  values.close()
})

test('a variable of a PLC is written by the gateway, an internal one here; alarms are acknowledged', async () => {
  const requests = gateway((_, body) =>
    JSON.stringify(body).includes('Pump') ? Response.json({ detail: 'Locked.' }, { status: 409 }) : Response.json({}),
  )
  const { values } = new Runtime(model)
  await values.write(3, 8)
  assert.deepEqual([values.of(3).value, requests.length], [8, 0])
  await values.write(1, true)
  const told = () => values.notices.value.map(({ text }) => text)
  assert.deepEqual(told(), ['Locked.'])
  await values.write(0, 2.5)
  // A later success does not take it away.
  assert.deepEqual([told(), values.fault.value], [['Locked.'], ''])
  await values.acknowledge()
  await values.acknowledge(['High'])
  assert.deepEqual(
    requests.map(({ path, body }) => [path.slice(values.path.length), body]),
    [
      ['/actions/write', { variable: 'Pump', value: true }],
      ['/actions/write', { variable: 'Level', value: 2.5 }],
      ['/alarms/actions/acknowledge', { all: true }],
      ['/alarms/actions/acknowledge', { alarms: ['High'] }],
    ],
  )
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'))
  await values.write(0, 1)
  assert.deepEqual(told(), ['The gateway does not answer.', 'Locked.'])
})

test('a bit is held by the stream of the page, and let go even when its press is still under way', async () => {
  let answer: (response: Response) => void = () => undefined
  const requests = gateway((_, body) => {
    const { value } = body as { value: unknown }
    return Response.json({ value })
  })
  const runtime = new Runtime(model)
  runtime.show('Start')
  await until(() => requests[0], 'the stream is asked for')
  const button = onEvent('Press', 'SetBitWhileKeyPressed', { Tag: 'Pump' })
  // Without a stream nobody would let it go: it is not set.
  await fire(runtime, button, 'Press')
  await fire(runtime, button, 'Release')
  const writes = () => requests.flatMap(({ path, body }) => (path.endsWith('/write') ? [body] : []))
  assert.deepEqual(writes(), [])
  requests[0]!.send('station', { version: 'v1', viewer: 'me' })
  requests[0]!.send('values', { v: [[0, 1]] })
  await becomes(() => runtime.values.of(0).value, 1)
  const plain = globalThis.fetch
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    await plain(path, init)
    return new Promise<Response>((resolve) => {
      answer = resolve
    })
  }) as typeof fetch
  void fire(runtime, button, 'Press')
  await until(() => writes().length === 1, 'it is set')
  // The answer is still missing: the reset waits for it, since it must not overtake it.
  void fire(runtime, button, 'Release')
  assert.deepEqual(writes(), [{ variable: 'Pump', value: true, viewer: 'me', holdMs: 6000 }])
  globalThis.fetch = plain
  answer(Response.json({}))
  await becomes(() => writes().at(-1), { variable: 'Pump', value: false })
  // While it stays pressed, the page says so: the gateway lets go of what nobody renews.
  await fire(runtime, button, 'Press')
  const renewed = { variable: 'Pump', value: true, viewer: 'me', holdMs: 6000, renew: true }
  await becomes(() => writes().at(-1), renewed)
  await fire(runtime, button, 'Release')
  await becomes(() => writes().at(-1), { variable: 'Pump', value: false })
  // What comes before it in the event takes long, and the button is released meanwhile: it is not set any more.
  const slow = item({
    events: [
      {
        event: 'Press',
        actions: [
          { function: 'SetTag', parameters: { Tag: 'Level', Value: '1' } },
          { function: 'SetBitWhileKeyPressed', parameters: { Tag: 'Pump' } },
        ],
      },
    ],
  })
  const before = writes().length
  const pressing = fire(runtime, slow, 'Press')
  await fire(runtime, slow, 'Release')
  await pressing
  assert.deepEqual(writes().slice(before), [{ variable: 'Level', value: 1 }])
  runtime.close()
})

test('an internal variable is not written beyond the limits of its tag', async () => {
  gateway()
  const limited = [
    variable('Most', 'Int', { startValue: '20' }),
    variable('Value', 'Int', { low: { value: 5 }, high: { variable: 0 } }),
  ]
  const { values } = new Runtime({ ...model, variables: limited })
  const written: unknown[] = []
  for (const value of [5, 20, 21, 4]) written.push(await values.write(1, value))
  assert.deepEqual([written, values.of(1).value], [[true, true, false, false], 20])
  assert.deepEqual(
    values.notices.value.map(({ text }) => text),
    ['4 is below the lower limit 5 of "Value".', '21 is above the upper limit 20 of "Value".'],
  )
})

test('system functions set bits and values, count, change language and screen', async () => {
  gateway()
  const runtime = new Runtime(model)
  const { values } = runtime
  const done = async (name: string, parameters: Readonly<Record<string, string>>) => {
    await fire(runtime, onEvent('Click', name, parameters), 'click')
    return [values.of(2).value, values.of(3).value, values.of(4).value]
  }
  const lamp = { Tag: 'Lamp' }
  const count = { ' Variable ': 'count' }
  assert.deepEqual(await done('ResetBit', lamp), [false, 7, 'hello'])
  assert.deepEqual(await done('SetBit', lamp), [true, 7, 'hello'])
  assert.deepEqual(await done('InvertBit', lamp), [false, 7, 'hello'])
  assert.deepEqual(await done('INVERTBIT', lamp), [true, 7, 'hello'])
  assert.deepEqual(await done('IncreaseTag', { 'Tag name': 'Count' }), [true, 8, 'hello'])
  assert.deepEqual(await done('IncreaseTag', { ...count, Value: '10' }), [true, 18, 'hello'])
  assert.deepEqual(await done('DecreaseTag', { ...count, Summand: '3' }), [true, 15, 'hello'])
  assert.deepEqual(await done('DecreaseTag', count), [true, 14, 'hello'])
  assert.deepEqual(await done('SetTag', { 'Output value': 'Count', 'Input value': '5' }), [true, 5, 'hello'])
  assert.deepEqual(await done('SetValue', { Tag: 'Text', Value: '5' }), [true, 5, '5'])
  assert.deepEqual(await done('SetTag', { Tag: 'Lamp', Value: '0' }), [false, 5, '5'])
  // No such variable, and a function that neither the page nor the station has.
  assert.deepEqual(await done('SetBit', { Tag: 'none' }), [false, 5, '5'])
  assert.deepEqual(await done('NoSuchFunction', lamp), [false, 5, '5'])

  const language = async (parameters: Readonly<Record<string, string>>) => {
    await done('SetLanguage', parameters)
    return runtime.culture.value
  }
  assert.equal(await language({ Language: 'FR-fr' }), 'fr-FR')
  assert.equal(await language({ Language: 'toggle' }), 'en-US')
  assert.equal(await language({}), 'de-DE')
  runtime.close()
})

test('screens are shown by their name, and the way back leads through them', async () => {
  gateway()
  const runtime = new Runtime(model)
  const go = async (name: string, wanted = '') => {
    await fire(runtime, onEvent('Click', name, { 'Screen name': wanted }), 'Click')
    return runtime.screen?.name
  }
  assert.equal(await go('ActivatePreviousScreen'), 'Start')
  assert.equal(await go('ActivateScreen', 'other'), 'Other')
  assert.equal(await go('ActivateScreen', 'Third'), 'Third')
  assert.equal(await go('ActivateScreen', 'Third'), 'Third')
  assert.equal(await go('ActivateScreen', 'none'), 'Third')
  assert.equal(await go('ActivatePreviousScreen'), 'Other')
  assert.equal(await go('ActivatePreviousScreen'), 'Start')
  assert.equal(await go('ActivatePreviousScreen'), 'Start')
  runtime.close()
})

test('what holds a bit on pressing lets it go on releasing; other events do nothing', async () => {
  gateway()
  const runtime = new Runtime(model)
  const lamp = () => runtime.values.of(2).value
  for (const event of ['Press', 'Down', 'KeyDown']) {
    const button = onEvent(event, 'SetBitWhileKeyPressed', { Tag: 'Lamp' })
    await runtime.values.write(2, false)
    await fire(runtime, button, 'Click')
    assert.equal(lamp(), false)
    await fire(runtime, button, 'Press', 'Down', 'KeyDown')
    assert.equal(lamp(), true)
    await fire(runtime, button, 'Release', 'Up', 'KeyUp')
    assert.equal(lamp(), false)
  }
  const plain = onEvent('Press', 'SetBit', { Tag: 'Lamp' })
  await fire(runtime, plain, 'Release')
  assert.equal(lamp(), false)
  await fire(runtime, onEvent('Release', 'SetBit', { Tag: 'Lamp' }), 'Release')
  assert.equal(lamp(), true)
  assert.deepEqual([isOperable(plain), isOperable(item())], [true, false])
  assert.equal(isOperable(item({ events: [{ event: 'Click', actions: [] }] })), false)
})

test('a text becomes a value of the kind that the variable has', () => {
  const cases: readonly [string, unknown, unknown][] = [
    ['1', true, true],
    [' TRUE ', false, true],
    ['on', false, true],
    ['0', true, false],
    ['11', true, false],
    ['5', 1, 5],
    [' -1.5e3 ', 1, -1500],
    ['', 1, ''],
    [' ', 1, ' '],
    ['Infinity', 1, 'Infinity'],
    ['T#5s', 1, 'T#5s'],
    ['5', 'text', '5'],
    ['5', null, '5'],
  ]
  for (const [text, current, expected] of cases) assert.equal(typed(text, current), expected, `${text} for ${current}`)
})

test('an object has the values of its bindings, else its own', () => {
  const runtime = new Runtime(model)
  const bound = item({
    properties: { left: 5, backColor: '1, 2, 3', borderWidth: 2 },
    bindings: [
      { property: 'left', variable: 3, converter: { kind: 'scale', factor: 2, offset: 1 } },
      { property: 'width', variable: 3, converter: { kind: 'scale', factor: -1, offset: 0 } },
      { property: 'top', variable: 0 },
      { property: 'processValue', variable: 1 },
      { property: 'processValue2', variable: 2 },
    ],
  })
  assert.deepEqual(box(runtime, bound), { left: 15, top: 2, width: 0, height: 40 })
  assert.deepEqual(box(runtime, item()), { left: 1, top: 2, width: 30, height: 40 })
  assert.deepEqual(
    valuesOf(bound).map(({ variable }) => variable),
    [1, 2],
  )
  assert.deepEqual(paint(runtime, bound), { fill: 'rgb(1, 2, 3)', stroke: '#333333', 'stroke-width': 2 })
  assert.deepEqual(paint(runtime, item(), 'blue'), { fill: 'blue', stroke: '#333333', 'stroke-width': 1 })
  const clear = item({ properties: { backFillStyle: 'Transparent', backColor: '1, 2, 3', borderColor: 'red' } })
  assert.deepEqual(paint(runtime, clear), { fill: 'none', stroke: 'red', 'stroke-width': 1 })
  // The first of its variables that has no value, in the language of the station.
  assert.equal(runtime.fault(bound), 'Level: No value yet.')
  runtime.culture.value = 'de-DE'
  assert.equal(runtime.fault(bound), 'Level: Noch kein Wert.')
  assert.equal(runtime.fault(item({ bindings: [{ property: 'left', variable: 3 }] })), undefined)
})
