/** Who uses a page: the session of the browser with its token, or a key of the tab; without a browser. */
// In a process of its own: it makes globals of a browser.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'

const kept = new Map<string, string>()
const shown = Object.assign(new EventTarget(), { hidden: false })
Object.assign(globalThis, {
  document: shown,
  sessionStorage: {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  },
})
const { CallError, call, messageOf, needsEntry, useClientId } = await import('./gateway.ts')
const session = await import('./session.ts')
const { allows, caller, enterAgain, enterWhenShown, enterWithKey, entered, forgetKey, resume } = session
useClientId('test/1')

/** The gateway's side: keys, the session of the cookie, and changes that need its token. */
function gateway(t: TestContext) {
  const state: { keys: Record<string, string>; token: string | undefined } = { keys: {}, token: undefined }
  const seen: string[] = []
  const refuse = (status: number, code: string) => Response.json({ code, detail: code }, { status })
  t.mock.method(globalThis, 'fetch', async (path: string, { method = 'GET', headers, body }: RequestInit) => {
    const { 'X-API-Key': key, 'X-CSRF-Token': token } = headers as Record<string, string>
    seen.push([method, path, key ?? '', token ?? ''].join(' ').trim())
    await new Promise(setImmediate)
    if (key !== undefined) {
      const access = state.keys[key]
      if (access === undefined) return refuse(401, 'unauthorized')
      return Response.json(path === '/api/session' ? { name: key, access } : {})
    }
    if (path === '/api/session' && method === 'POST') state.token = `token of ${String(body)}`
    else if (path === '/api/session' && method === 'DELETE') state.token = undefined
    if (state.token === undefined) return refuse(401, 'unauthorized')
    if (path === '/api/session') return Response.json({ name: 'admin', access: 'admin', csrfToken: state.token })
    return method === 'GET' || token === state.token ? Response.json({}) : refuse(403, 'csrf_token_missing')
  })
  t.after(() => {
    kept.clear()
    forgetKey()
    needsEntry.value = false
  })
  return { state, seen }
}

const refusalOf = (given: Promise<unknown>) =>
  given.then(
    () => undefined,
    (error: unknown) => {
      assert.ok(error instanceof CallError)
      return error.problem.status
    },
  )

test('the session of the browser is used with its token, and a key of the tab goes before it', async (t) => {
  const { state, seen } = gateway(t)
  assert.equal(await refusalOf(enterAgain()), 401)
  assert.equal(needsEntry.value, true)
  state.token = 'T1'
  const count = entered.value
  await enterAgain()
  assert.deepEqual([caller.value?.access, needsEntry.value, entered.value], ['admin', false, count + 1])
  await call('/api/change', { body: {} })
  assert.equal(seen.at(-1), 'POST /api/change  T1')
  state.keys = { K1: 'viewer' }
  await enterWithKey('K1')
  await call('/api/change', { body: {} })
  assert.equal(seen.at(-1), 'POST /api/change K1')
  assert.deepEqual([caller.value?.access, allows('viewer'), allows('operator')], ['viewer', true, false])
  assert.deepEqual([...kept.values()], ['K1'])
})

test('a token that another tab has replaced is fetched again, once for all that wait, and the change is made', async (t) => {
  const { state, seen } = gateway(t)
  state.token = 'T1'
  await resume()
  state.token = 'T2'
  seen.length = 0
  await Promise.all([call('/api/a', { body: {} }), call('/api/b', { body: {} })])
  assert.deepEqual(
    seen.map((one) => one.replace(/ +/g, ' ')),
    [...['POST /api/a T1', 'POST /api/b T1', 'GET /api/session T1', 'POST /api/a T2', 'POST /api/b T2']],
  )
  // The session has ended: that is what is said.
  state.token = undefined
  assert.equal(await refusalOf(call('/api/a', { body: {} })), 401)
  assert.equal(needsEntry.value, true)
})

test('a key that is refused changes nothing; one that is no longer valid gives way to the session', async (t) => {
  const { state } = gateway(t)
  state.token = 'T1'
  await resume()
  for (const wrong of ['nobody', 'schlüssel', 'a b', '']) assert.equal(await refusalOf(enterWithKey(wrong)), 401, wrong)
  assert.deepEqual([caller.value?.name, needsEntry.value, kept.size], ['admin', false, 0])
  state.keys = { K1: 'operator' }
  await enterWithKey('K1')
  state.keys = {}
  await enterAgain()
  assert.deepEqual([caller.value?.name, kept.size], ['admin', 0])
  state.token = undefined
  kept.set('gantry-key', 'K1')
  assert.equal(await refusalOf(enterAgain()), 401)
  assert.deepEqual([caller.value, needsEntry.value, kept.size], [undefined, true, 0])
})

test('a page that is shown again goes on when another tab has signed in', async (t) => {
  const { state, seen } = gateway(t)
  const tries: Promise<void>[] = []
  enterWhenShown(() => {
    const again = enterAgain()
    tries.push(again)
    return again
  })
  const show = async () => {
    shown.dispatchEvent(new Event('visibilitychange'))
    await Promise.allSettled(tries)
  }
  await show()
  assert.equal(seen.length, 0)
  await refusalOf(enterAgain())
  await show()
  assert.equal(needsEntry.value, true)
  state.token = 'T3'
  await show()
  assert.deepEqual([needsEntry.value, caller.value?.csrfToken], [false, 'T3'])
})

test('what is shown of an error is what is wrong and what would be right', () => {
  const problem = { status: 409, code: 'conflict', detail: 'Not so.' }
  assert.equal(messageOf(new CallError(problem)), 'Not so.')
  assert.equal(messageOf(new CallError({ ...problem, suggestion: 'But so.' })), 'Not so. But so.')
  assert.equal(messageOf(new Error('x')), 'x')
})
