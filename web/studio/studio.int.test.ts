/** What the studio does without its components: addresses, texts, calls, streams. */
// In a process of its own: it makes globals of a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { becomes } from '../../test/until.ts'

const page = new EventTarget()
const state = { hash: '', isHidden: false }
const changed = (name: string) => page.dispatchEvent(new Event(name))
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  location: {
    get hash() {
      return state.hash
    },
    set hash(next: string) {
      state.hash = next
      changed('hashchange')
    },
  },
  history: { replaceState: (_: unknown, __: string, next: string) => Object.assign(state, { hash: next }) },
  localStorage: { getItem: () => 'en', setItem: () => {} },
  document: {
    documentElement: {},
    get hidden() {
      return state.isHidden
    },
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  },
})
const { go, link, route } = await import('./router.ts')
const { CallError, call, events, get, needsEntry, pathWith, post, queryOf, reached, tryOut, whileShown } = await import(
  './gateway.ts'
)
const { useClientId, useIdentity } = await import('../gateway.ts')
useClientId('gantry-studio/1')
const { language, number, t, useLanguage, word } = await import('./i18n.ts')
const { typedValue, valueText } = await import('./views/live/values.ts')

test('an address is read as it was made, whatever the names contain', () => {
  const cases: readonly [string, string[], Record<string, string>, string][] = [
    ['/program', ['PLC_1', 'Main'], { tab: 'calls' }, '#/program/PLC_1/Main?tab=calls'],
    ['/program', ['PLC/1', 'a?b#c %'], { line: '3', column: '1' }, '#/program/PLC%2F1/a%3Fb%23c%20%25?line=3&column=1'],
    ['/live', [], {}, '#/live'],
    ['/live', [], { name: 'a&b=c?' }, '#/live?name=a%26b%3Dc%3F'],
  ]
  for (const [view, parts, query, address] of cases) {
    assert.equal(link(view, parts, query), address)
    go(view, parts, query)
    assert.equal(state.hash, address)
    assert.deepEqual(route.value, { view, parts, query })
  }
  const before = route.value
  go('/live', [], { name: 'a&b=c?' })
  assert.equal(route.value, before, 'the same place is no new one')
  go('/jobs', [], {}, false)
  assert.deepEqual([state.hash, route.value.view], ['#/jobs', '/jobs'])
  for (const [hash, view, parts] of [
    ['', '/', []],
    ['#', '/', []],
    ['#/a//b/', '/a', ['b']],
    ['#/a/%E0%A4%A', '/a', ['%E0%A4%A']],
  ] as const) {
    location.hash = hash
    assert.deepEqual(route.value, { view, parts, query: {} }, hash)
  }
})

test('paths and queries are encoded, and have what is given', () => {
  assert.equal(pathWith('/api/{a}/x/{b}/{none}', { a: 'PLC/1', b: 'ä b' }), '/api/PLC%2F1/x/%C3%A4%20b/')
  assert.equal(queryOf({ a: 1, b: undefined, c: '', d: false, e: 'x y', f: 0 }), '?a=1&d=false&e=x+y&f=0')
  assert.equal(queryOf({ a: undefined }), '')
})

test('texts are those of the language, with their values', () => {
  assert.equal(language.value, 'en')
  assert.equal(t('live.cycles', 12), '12 cycles')
  assert.equal(number(1234.5), '1,234.5')
  useLanguage('de')
  assert.equal(t('live.cycles', 'x'), 'x Zyklen')
  assert.equal(t('live.cycles'), '{0} Zyklen')
  assert.equal(number(1234.5), '1.234,5')
  assert.equal(word('severity', 'error'), 'Fehler')
  assert.equal(word('severity', 'something else'), 'something else')
  assert.equal(word('toString', ''), '')
  useLanguage('en')
})

test('values are shown and typed as people write them', () => {
  const shown: readonly [unknown, string][] = [
    [undefined, '–'],
    [null, '–'],
    [true, 'TRUE'],
    [false, 'FALSE'],
    [12, '12'],
    [0.1 + 0.2, '0.3'],
    [1234567.891, '1234568'],
    ['T#5s', 'T#5s'],
    [{ a: [1] }, '{"a":[1]}'],
  ]
  for (const [value, text] of shown) assert.equal(valueText(value), text)
  const typed: readonly [string, unknown][] = [
    [' TRUE ', true],
    ['false', false],
    ['5', 5],
    ['-1.5', -1.5],
    ['', ''],
    ['T#2s', 'T#2s'],
    ['Infinity', 'Infinity'],
    ['truex', 'truex'],
  ]
  for (const [text, value] of typed) assert.equal(typedValue(text), value, text)
})

test('calls send what they have, and a refusal is thrown with its problem', async () => {
  const sent: unknown[] = []
  let answer = () => Response.json({ a: 1 })
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    const { method, headers, body, credentials } = init
    sent.push([method, path, headers, body instanceof FormData ? 'form' : body])
    assert.equal(credentials, 'same-origin')
    return answer()
  }) as typeof fetch
  const client = { 'X-Client-Id': 'gantry-studio/1' }
  const json = { Accept: 'application/json' }
  const body = { 'Content-Type': 'application/json' }
  assert.deepEqual(await get('/a'), { a: 1 })
  useIdentity({ 'X-CSRF-Token': 'token' })
  const own = { ...client, 'X-CSRF-Token': 'token', ...json }
  await post('/b')
  await call('/c', { method: 'PUT', body: { x: 1 }, headers: { 'If-Match': '"1"' } })
  await call('/d', { body: new FormData() })
  answer = () => new Response(null, { status: 204 })
  assert.equal(await call('/e', { method: 'DELETE' }), undefined)
  answer = () => Response.json({ b: 2 }, { headers: { 'X-Job-Id': 'J1' } })
  assert.deepEqual(await tryOut('/f', { x: 1 }), { jobId: 'J1', answer: { b: 2 } })
  await tryOut('/g?h=1', undefined, 'DELETE')
  assert.deepEqual(sent, [
    ['GET', '/a', { ...client, ...json }, undefined],
    ['POST', '/b', { ...body, ...own }, '{}'],
    ['PUT', '/c', { ...body, ...own, 'If-Match': '"1"' }, '{"x":1}'],
    ['POST', '/d', own, 'form'],
    ['DELETE', '/e', own, undefined],
    ['POST', '/f?dryRun=true', { ...body, ...own }, '{"x":1}'],
    ['DELETE', '/g?h=1&dryRun=true', own, undefined],
  ])

  const problemOf = (path: string) =>
    get(path).catch((error: unknown) => {
      assert.ok(error instanceof CallError)
      assert.equal(error.message, error.problem.detail)
      return error.problem
    })
  const problem = { code: 'not_found', detail: 'Not there.', suggestion: 'Look elsewhere.' }
  answer = () => Response.json({ ...problem, status: 7 }, { status: 404 })
  assert.deepEqual(await problemOf('/h'), { ...problem, status: 404 })
  answer = () => new Response('<html>', { status: 502 })
  assert.deepEqual(await problemOf('/i'), { code: 'unknown', detail: 'HTTP 502', status: 502 })
  assert.equal(needsEntry.value, false)
  answer = () => Response.json({}, { status: 401 })
  await problemOf('/j')
  assert.deepEqual([needsEntry.value, reached.value], [true, true])
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'))
  const unreachable = { status: 0, code: 'unreachable', detail: 'The gateway does not answer.' }
  assert.deepEqual([await problemOf('/k'), reached.value], [unreachable, false])
  // Who does not wait any more is told so, not that the gateway is away.
  reached.value = true
  await assert.rejects(get('/l', AbortSignal.abort()), new TypeError('fetch failed'))
  assert.equal(reached.value, true)
})

test('a stream tells when it is there, then its events', async () => {
  globalThis.fetch = (async (_: string, { headers }: RequestInit) => {
    assert.equal((headers as Record<string, string>).Accept, 'text/event-stream')
    return new Response('data: 1\n\ndata: 2\n\n')
  }) as typeof fetch
  const seen: unknown[] = []
  for await (const { data } of events('/api/events', {}, () => seen.push('opened'))) seen.push(data)
  assert.deepEqual(seen, ['opened', 1, 2])
})

test('what holds a stream ends while the page is hidden, and begins again when it is shown', async () => {
  const show = (isShown: boolean) => {
    state.isHidden = !isShown
    changed('visibilitychange')
  }
  const log: string[] = []
  const end = new AbortController()
  const run = (until: AbortSignal) =>
    new Promise<void>((resolve) => {
      log.push('begun')
      until.addEventListener('abort', () => {
        log.push('ended')
        resolve()
      })
    })
  show(false)
  const running = whileShown(end.signal, run)
  assert.equal(log.length, 0)
  show(true)
  await becomes(() => log, ['begun'])
  show(true)
  show(false)
  await becomes(() => log, ['begun', 'ended'])
  show(true)
  await becomes(() => log, ['begun', 'ended', 'begun'])
  end.abort()
  await running
  assert.deepEqual([...log], ['begun', 'ended', 'begun', 'ended'])
  // What ends by itself is not begun again; what is not waited for does not begin.
  await whileShown(new AbortController().signal, async () => {
    log.push('once')
  })
  await whileShown(AbortSignal.abort(), async () => {
    log.push('never')
  })
  assert.equal(log.at(-1), 'once')
})
