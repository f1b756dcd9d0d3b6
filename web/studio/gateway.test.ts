/** Calls, streams, live values and addresses of the studio, without a browser. */
// In a process of its own: it makes globals of a browser.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { until } from '../../test/until.ts'

class Page extends EventTarget {
  hidden = false
  show(isShown: boolean): void {
    this.hidden = !isShown
    this.dispatchEvent(new Event('visibilitychange'))
  }
}
const page = new Page()
const place = { hash: '#/program/PLC_1/M%C3%A4in%2FA?tab=calls&empty=' }
const gone = new EventTarget()
Object.assign(globalThis, {
  document: page,
  location: place,
  addEventListener: gone.addEventListener.bind(gone),
  history: {
    replaceState: (_: unknown, __: string, hash: string) => {
      place.hash = hash
    },
  },
  requestAnimationFrame: (draw: () => void) => {
    const drawn = setImmediate(draw)
    frames.set(++frame, drawn)
    return frame
  },
  cancelAnimationFrame: (one: number) => clearImmediate(frames.get(one)),
})
let frame = 0
const frames = new Map<number, NodeJS.Immediate>()

const gateway = await import('./gateway.ts')
const { useClientId, useIdentity } = await import('../gateway.ts')
const live = await import('./views/live/values.ts')
const router = await import('./router.ts')
const { CallError, call, events, get, needsEntry, pathWith, post, queryOf, reached, tryOut } = gateway
useClientId('gantry-studio/1')

interface Sent {
  readonly path: string
  readonly init: RequestInit
}

/** Answers each request with the next of some responses; after the last it is silent until it is aborted. */
function answers(t: TestContext, ...given: readonly (Response | Error)[]): Sent[] {
  const sent: Sent[] = []
  const left = [...given]
  t.mock.method(globalThis, 'fetch', (path: string, init: RequestInit) => {
    sent.push({ path, init })
    const next = left.shift()
    if (next instanceof Error) return Promise.reject(next)
    if (next !== undefined) return Promise.resolve(next)
    return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))))
  })
  return sent
}

const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { status, headers })
const stream = (...list: readonly (readonly [string, unknown])[]) =>
  new Response(list.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''))

test('paths and queries are encoded; what is not given is left out', () => {
  assert.equal(pathWith('/api/{a}/x/{b}/{c}', { a: 'Mäin/A', b: '..' }), '/api/M%C3%A4in%2FA/x/../')
  assert.equal(
    queryOf({ q: 'a b&c', limit: 0, all: false, none: undefined, empty: '' }),
    '?q=a+b%26c&limit=0&all=false',
  )
  assert.equal(queryOf({ none: undefined }), '')
})

test('a call sends JSON with who calls, and gives the answer', async (t) => {
  useIdentity({ 'X-API-Key': 'key' })
  const form = new FormData()
  const sent = answers(t, json({ a: 1 }), json({ b: 2 }), new Response(null, { status: 204 }), json({ c: 3 }), json(4))
  assert.deepEqual(await get('/one'), { a: 1 })
  assert.deepEqual(await post('/two', { x: 1 }), { b: 2 })
  assert.equal(await call('/three', { method: 'DELETE' }), undefined)
  assert.deepEqual(await call('/four', { body: form, headers: { Accept: 'text/plain' } }), { c: 3 })
  assert.equal(await post('/five'), 4)
  const own = { 'X-Client-Id': 'gantry-studio/1', 'X-API-Key': 'key', Accept: 'application/json' }
  const withBody = { 'Content-Type': 'application/json', ...own }
  const plain = { credentials: 'same-origin' }
  assert.deepEqual(
    sent.map(({ path, init }) => [path, init]),
    [
      ['/one', { ...plain, method: 'GET', headers: own }],
      ['/two', { ...plain, method: 'POST', headers: withBody, body: '{"x":1}' }],
      ['/three', { ...plain, method: 'DELETE', headers: own }],
      ['/four', { ...plain, method: 'POST', headers: { ...own, Accept: 'text/plain' }, body: form }],
      ['/five', { ...plain, method: 'POST', headers: withBody, body: '{}' }],
    ],
  )
})

test('a problem is the error of a call; a missing key asks for one, a missing gateway is told', async (t) => {
  const problem = { status: 404, code: 'not_found', detail: 'No block "X".', allowed: ['Main'] }
  answers(
    t,
    json(problem, 404),
    new Response('<html>', { status: 502 }),
    json({ ...problem, status: 401 }, 401),
    new TypeError('fetch failed'),
    json({}),
  )
  const failed = async () => {
    const error: unknown = await get('/x').catch((reason) => reason)
    assert.ok(error instanceof CallError)
    assert.equal(error.message, error.problem.detail)
    return [error.problem, needsEntry.value, reached.value]
  }
  assert.deepEqual(await failed(), [problem, false, true])
  assert.deepEqual(await failed(), [{ status: 502, code: 'unknown', detail: 'HTTP 502' }, false, true])
  assert.deepEqual(await failed(), [{ ...problem, status: 401 }, true, true])
  const unreached = { status: 0, code: 'unreachable', detail: 'The gateway does not answer.' }
  assert.deepEqual(await failed(), [unreached, true, false])
  await get('/x')
  assert.equal(reached.value, true)
  // Who gave up does not care whether the gateway is there.
  const end = new AbortController()
  const given = get('/x', end.signal)
  end.abort()
  await assert.rejects(given, { message: 'aborted' })
  assert.equal(reached.value, true)
})

test('a command is tried out as a dry run, whose job tells what it would change', async (t) => {
  const sent = answers(t, json({ events: [] }, 200, { 'X-Job-Id': 'J1' }), json({}))
  assert.deepEqual(await tryOut('/a?b=1', { c: 2 }, 'PUT'), { jobId: 'J1', answer: { events: [] } })
  assert.deepEqual(await tryOut('/a'), { jobId: '', answer: {} })
  assert.deepEqual(
    sent.map(({ path, init: { method, body } }) => [path, method, body]),
    [
      ['/a?b=1&dryRun=true', 'PUT', '{"c":2}'],
      ['/a?dryRun=true', 'POST', undefined],
    ],
  )
})

test('a stream tells when it is there, then its events', async (t) => {
  const sent = answers(t, stream(['one', 1], ['two', { b: 2 }]))
  const seen: unknown[] = []
  for await (const { event, data } of events('/s', { headers: { 'Last-Event-ID': '7' } }, () => seen.push('opened')))
    seen.push(event, data)
  assert.deepEqual(seen, ['opened', 'one', 1, 'two', { b: 2 }])
  const { Accept, 'Last-Event-ID': last } = (sent[0] as Sent).init.headers as Record<string, string>
  assert.deepEqual([Accept, last], ['text/event-stream', '7'])
})

test('what holds a stream ends while the page is hidden, and begins again', async () => {
  const end = new AbortController()
  const runs: AbortSignal[] = []
  page.show(false)
  const held = gateway.whileShown(end.signal, (signal) => {
    runs.push(signal)
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  })
  await new Promise(setImmediate)
  assert.equal(runs.length, 0)
  page.show(true)
  await until(() => runs.length === 1, 'it runs')
  page.show(false)
  await until(() => runs[0]?.aborted, 'it is ended')
  assert.equal(runs.length, 1)
  page.show(true)
  await until(() => runs.length === 2, 'it runs again')
  end.abort()
  await held
  assert.equal(runs.length, 2)
  // Nothing is run for who has gone already, or goes while the page is hidden; what ends by itself stays ended.
  await gateway.whileShown(AbortSignal.abort(), () => assert.fail('it ran'))
  page.show(false)
  const late = new AbortController()
  const waiting = gateway.whileShown(late.signal, () => assert.fail('it ran'))
  late.abort()
  await waiting
  page.show(true)
  let count = 0
  await gateway.whileShown(new AbortController().signal, async () => void count++)
  assert.equal(count, 1)
})

const value = (name: string, one: unknown) => ({ name, value: one, dataType: 'Int', quality: 'good', timestamp: '' })

test('live values are drawn once a frame, and all are told; a fault stays until values come', async (t) => {
  const sent = answers(
    t,
    stream(['tags', { tags: [value('a', 1), value('a', 2)] }], ['error', { detail: 'The controller is off.' }]),
    stream(['tags', { tags: [value('b', 3)] }]),
    json({ code: 'not_found', detail: 'No instance "S/1".' }, 404),
  )
  const tags = new live.LiveTags()
  const told: unknown[] = []
  tags.onValues = (values) => told.push(values.map((one) => one.value))
  const faults: string[] = []
  t.after(tags.fault.subscribe((fault) => void faults.push(fault)))
  const [a, b] = [tags.of('a'), tags.of('b')] as const
  assert.equal(tags.of('a'), a)
  assert.deepEqual([a.value, b.value], [undefined, undefined])
  const names = Array.from({ length: 1001 }, (_, i) => `t${i}`)
  tags.follow('S/1', names, 200)
  await until(() => tags.fault.value === 'No instance "S/1".', 'it is refused for good')
  await until(() => b.value !== undefined, 'it is drawn')
  assert.deepEqual([a.value?.value, b.value?.value], [2, 3])
  assert.deepEqual(told, [[1, 2], [3]])
  assert.deepEqual(faults, ['', 'The controller is off.', '', 'No instance "S/1".'])
  assert.equal(sent.length, 3)
  const [{ path, init } = { path: '', init: {} }] = sent
  assert.equal(path, '/api/simulation/instances/S%2F1/tags/stream')
  assert.deepEqual(JSON.parse(String(init.body)), { tags: names.slice(0, 1000), intervalMs: 200 })
})

test('values are live while they come, each under the name that was asked for; a lone name has its refusal', async (t) => {
  answers(
    t,
    stream(
      ['tags', { tags: [{ ...value('Data.a', 1), requested: 'DATA.A' }, value('b', 2)] }],
      ['error', { detail: 'Off.' }],
    ),
    json({ code: 'conflict', detail: 'No program.' }, 403),
    json({ code: 'not_found', detail: 'There is no tag "c".' }, 404),
  )
  const tags = new live.LiveTags()
  const states: boolean[] = []
  t.after(tags.isLive.subscribe((isLive) => void states.push(isLive)))
  tags.follow('S', ['DATA.A', 'b'], 100)
  await until(() => tags.fault.value === 'No program.', 'it is refused')
  assert.deepEqual(states, [false, true, false])
  assert.deepEqual([tags.of('DATA.A').value?.value, tags.of('Data.a').value], [1, undefined])
  assert.equal(tags.of('b').value?.error, undefined, 'the last value stays, and is not live')
  tags.follow('S', ['c'], 100)
  assert.equal(tags.fault.value, '')
  await until(() => tags.of('c').value?.error === 'There is no tag "c".', 'the row says so')
  assert.equal(tags.isLive.value, false)
})

test('nothing is followed without an instance or names; what is closed is drawn no more', async (t) => {
  const sent = answers(t, stream(['tags', { tags: [value('a', 1)] }]))
  const tags = new live.LiveTags()
  tags.follow('', ['a'], 100)
  tags.follow('S', [], 100)
  assert.equal(sent.length, 0)
  tags.onValues = () => queueMicrotask(() => tags.close())
  tags.follow('S', ['a'], 100)
  await until(() => sent[0]?.init.signal?.aborted, 'it is closed')
  await new Promise(setImmediate)
  assert.equal(tags.of('a').value, undefined)
})

test('values as texts, and what a person types as values', () => {
  const shown = [undefined, null, true, false, 3, 0.1 + 0.2, 123456.789, 'T#1s', [1, 'a']].map(live.valueText)
  assert.deepEqual(shown, ['–', '–', 'TRUE', 'FALSE', '3', '0.3', '123456.8', 'T#1s', '[1,"a"]'])
  const typed = [' True ', 'FALSE', '5', '-1.5e3', '', ' T#2s', '16#FF', '1,5'].map(live.typedValue)
  assert.deepEqual(typed, [true, false, 5, -1500, '', 'T#2s', '16#FF', '1,5'])
})

test('an address has a view, parts and parameters, and is read again when it changes', () => {
  const { route, link, go } = router
  assert.deepEqual(route.value, {
    view: '/program',
    parts: ['PLC_1', 'Mäin/A'],
    query: { tab: 'calls', empty: '' },
  })
  const change = (hash: string) => {
    place.hash = hash
    gone.dispatchEvent(new Event('hashchange'))
    return route.value
  }
  assert.deepEqual(change(''), { view: '/', parts: [], query: {} })
  assert.deepEqual(change('#/a//b/%E4'), { view: '/a', parts: ['b', '%E4'], query: {} })
  assert.equal(link('/program', ['PLC_1', 'Mäin/A'], { tab: 'a b' }), '#/program/PLC_1/M%C3%A4in%2FA?tab=a+b')
  assert.equal(link('/jobs'), '#/jobs')
  go('/jobs', ['1'])
  assert.deepEqual([place.hash, route.value.view], ['#/jobs/1', '/a'])
  go('/jobs', ['2'], { x: '1' }, false)
  assert.deepEqual([place.hash, route.value], ['#/jobs/2?x=1', { view: '/jobs', parts: ['2'], query: { x: '1' } }])
})
