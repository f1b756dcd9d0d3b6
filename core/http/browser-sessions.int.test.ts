/** Sessions of browsers: by a key and by a link, their cookie, CSRF, and their end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { key, startServer } from '../../test/http-server.ts'

const add = '/api/counter/a/actions/add-sync'

/** A server with a clock, and a browser: requests with a cookie and without a key. */
async function browser(t: Parameters<typeof startServer>[0]) {
  const clock = { time: 1_000_000_000 }
  const server = await startServer(t, { sessions: { now: () => clock.time } })
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const signIn = async (credentials: object) => {
    const answer = await send('POST', '/api/session', {}, credentials)
    const setCookie = answer.headers.get('set-cookie') ?? ''
    const json = (await answer.json()) as { name: string; access: string; csrfToken: string; code?: string }
    return { status: answer.status, setCookie, cookie: setCookie.split(';')[0]!, ...json }
  }
  const refusal = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code]
  return { ...server, send, signIn, refusal, clock, sessions: server.app.sessions }
}

test('a key becomes a cookie session; changes need its token and the own origin', async (t) => {
  const { send, signIn, refusal, port, call } = await browser(t)
  const { cookie, setCookie, csrfToken, access, name } = await signIn({ key })
  assert.match(setCookie, new RegExp(`^gantry-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`))
  assert.deepEqual([name, access], ['admin', 'admin'])
  const csrf = { 'x-csrf-token': csrfToken }
  const who = (await (await send('GET', '/api/session', { cookie })).json()) as { csrfToken: string }
  assert.equal(who.csrfToken, csrfToken)
  assert.equal((await send('POST', add, { cookie, ...csrf }, { by: 1 })).status, 200)
  const own = { cookie, ...csrf, origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' }
  assert.equal((await send('POST', add, own, { by: 1 })).status, 200)

  const missing = [403, 'csrf_token_missing']
  assert.deepEqual(await refusal(await send('POST', add, { cookie }, { by: 1 })), missing)
  assert.deepEqual(await refusal(await send('POST', add, { cookie, 'x-csrf-token': 'x' }, { by: 1 })), missing)
  const foreign = [403, 'host_not_allowed']
  const evil = { cookie, ...csrf, origin: 'https://evil.example' }
  assert.deepEqual(await refusal(await send('POST', add, evil, { by: 1 })), foreign)
  const otherPort = { cookie, ...csrf, 'sec-fetch-site': 'same-site' }
  assert.deepEqual(await refusal(await send('GET', '/api/counter/a', otherPort)), foreign)
  // Nothing of it was done, and a key is as good as before: it needs no token and goes before the cookie.
  assert.equal((await call('/api/counter/a')).json.value, 2)
  assert.equal((await send('POST', add, { cookie, 'x-api-key': key }, { by: 1 })).status, 200)
  assert.deepEqual(await refusal(await send('POST', add, { cookie, 'x-api-key': 'wrong' }, { by: 1 })), [
    401,
    'unauthorized',
  ])
  assert.equal((await send('POST', add, { cookie: 'a=b', authorization: `Bearer ${key}` }, { by: 1 })).status, 200)
})

test('an origin of the settings may call with a key, never with the cookie', async (t) => {
  const { send, signIn, refusal, save } = await browser(t)
  await save({ security: { allowedOrigins: ['https://hmi.example'] } })
  const { cookie, csrfToken } = await signIn({ key })
  const origin = 'https://hmi.example'
  assert.equal((await send('POST', add, { origin, 'x-api-key': key }, { by: 1 })).status, 200)
  const withCookie = { origin, cookie, 'x-csrf-token': csrfToken }
  assert.deepEqual(await refusal(await send('POST', add, withCookie, { by: 1 })), [403, 'host_not_allowed'])
  assert.deepEqual(await refusal(await send('POST', '/api/session', { origin }, { key })), [403, 'host_not_allowed'])
})

test('the token of a link opens one session, for a while', async (t) => {
  const { send, signIn, sessions, clock } = await browser(t)
  const token = sessions.issueToken()
  const { cookie, access } = await signIn({ token })
  assert.equal(access, 'admin')
  assert.equal((await send('GET', '/api/session', { cookie })).status, 200)
  assert.deepEqual(await signIn({ token }).then((again) => [again.status, again.code, again.cookie]), [
    401,
    'unauthorized',
    '',
  ])
  const late = sessions.issueToken()
  clock.time += 600_000
  assert.equal((await signIn({ token: late })).status, 401)
  for (const wrong of [{}, { key: 3 }, { key, token }, { key: '' }])
    assert.deepEqual(await signIn(wrong).then(({ status, code }) => [status, code]), [400, 'invalid_input'])
})

test('a session ends by logging out, idleness, age, and with its key; streams keep it and end with it', async (t) => {
  const { send, signIn, refusal, save, clock, gateway, sessions } = await browser(t)
  const ended = [401, 'unauthorized']
  const get = (cookie: string) => send('GET', '/api/session', { cookie })
  const pass = async (ms: number, streams = 0) => {
    while (sessions.openAnswers > streams) await new Promise(setImmediate)
    clock.time += ms
  }
  const one = await signIn({ key })
  await pass(3_599_999)
  assert.equal((await get(one.cookie)).status, 200)
  await pass(3_600_000)
  assert.deepEqual(await refusal(await get(one.cookie)), ended)

  const two = await signIn({ key })
  const stream = await send('GET', '/api/probe/count?to=2', { cookie: two.cookie })
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  await pass(4_000_000, 1)
  assert.equal((await get(two.cookie)).status, 200, 'a stream is open')
  const csrf = { 'x-csrf-token': two.csrfToken }
  assert.deepEqual(await refusal(await send('DELETE', '/api/session', { cookie: two.cookie })), [
    403,
    'csrf_token_missing',
  ])
  const out = await send('DELETE', '/api/session', { cookie: two.cookie, ...csrf })
  assert.equal(out.status, 204)
  assert.match(out.headers.get('set-cookie') ?? '', /Max-Age=0/)
  await assert.rejects(stream.text(), 'the stream is cut')
  assert.deepEqual(await refusal(await get(two.cookie)), ended)

  const three = await signIn({ key })
  for (let hour = 0; hour < 23; hour++) {
    await pass(3_599_000)
    assert.equal((await get(three.cookie)).status, 200)
  }
  await pass(3_599_000)
  await pass(3_599_000)
  assert.deepEqual(await refusal(await get(three.cookie)), ended)

  const guest = { name: 'guest', access: 'viewer' as const, hash: gateway.keyring.handleOf('guest-key-of-a-viewer') }
  await save({ security: { apiKeys: [guest] } })
  const four = await signIn({ key: 'guest-key-of-a-viewer' })
  assert.deepEqual([four.name, four.access], ['guest', 'viewer'])
  const denied = await send('POST', add, { cookie: four.cookie, 'x-csrf-token': four.csrfToken }, { by: 1 })
  assert.deepEqual(await refusal(denied), [403, 'forbidden'])
  await save({ security: { apiKeys: [] } })
  assert.deepEqual(await refusal(await get(four.cookie)), ended)
})

test('wrong keys and tokens are limited', async (t) => {
  const { signIn } = await browser(t)
  const seen = new Set<number>()
  // 30 are heard in a minute by the clock; the turn of a minute begins anew.
  for (let i = 0; i < 62; i++) seen.add((await signIn(i % 2 ? { key: `wrong-key-${i}` } : { token: `no-${i}` })).status)
  assert.deepEqual([...seen], [401, 429])
  assert.equal((await signIn({ key })).status, 200, 'the right key is never refused')
})
