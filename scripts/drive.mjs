/**
 * Drives an installed package once: the first success of the README, a check of the same program, a kill and a restart, a
 * backup, MCP and the language server on standard input and output, and an orderly end.
 *
 *   node scripts/drive.mjs <folder whose node_modules/ has the package>
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const site = resolve(process.argv[2])
const main = join(site, 'node_modules', 'gantry', 'core', 'cli', 'gantry.mjs')
const workspace = join(site, 'plant')
const data = join(site, 'data')
/** Variables of this process, without those that npm sets for scripts or that would configure the gateway. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GANTRY_|npm_)/.test(name)))

await mkdir(workspace)
await copyFile(join(root, 'examples', 'tank.scl'), join(workspace, 'tank.scl'))
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
assert.equal((await gantry('--version')).trim(), version)
await gantry('check', workspace)

let gateway = await serve()
await firstSuccess()
console.log('first success')
await kill()
gateway = await serve()
await attached()
const { jobs } = await api('GET', '/api/jobs?limit=1000')
assert.ok(
  jobs.some(({ command }) => command === 'simulation.start'),
  'a killed gateway loses no command',
)
console.log('kill and restart')
await gantry('backup', join(site, 'backup.zip'), '--data-dir', data)
assert.ok((await stat(join(site, 'backup.zip'))).size > 1000)
console.log('backup')
await speak(['mcp', '--data-dir', data], lines, {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'drive', version: '1' } },
})
console.log('MCP')
await speak(['lsp'], frames, {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { processId: null, capabilities: {} },
})
console.log('language server')
await gantry('stop', '--data-dir', data)
assert.equal(await gateway.ended, 0)
await gantry('audit', 'verify', '--data-dir', data)
console.log('stop')

/**
 * Runs the command line to its end. Not in one step: a gateway that has ended is there until this process looks.
 * @returns its output; a failure ends the script with what it said
 */
async function gantry(...args) {
  const child = spawn(process.execPath, [main, ...args], { cwd: site, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [[code], stdout, stderr] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  assert.equal(code, 0, `gantry ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** Starts a gateway on the data directory. @returns its process, address and exit code */
async function serve() {
  const options = ['serve', '--port', '0', '--data-dir', data, '--workspace', workspace, '--log-level', 'warn']
  const child = spawn(process.execPath, [main, ...options], { cwd: site, env, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code)
  const url = await new Promise((found, failed) => {
    let said = ''
    ended.then((code) => failed(new Error(`the gateway has ended with ${code}:\n${said}`)))
    child.stdout.on('data', (chunk) => {
      said += chunk
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (address) found(address)
    })
  })
  return { child, ended, url, key: await readFile(join(data, 'api-key'), 'utf8') }
}

async function kill() {
  gateway.child.kill('SIGKILL')
  await gateway.ended
}

async function api(method, path, body) {
  const headers = { 'X-API-Key': gateway.key, 'Content-Type': 'application/json' }
  const answer = await fetch(gateway.url + path, { method, headers, body: body && JSON.stringify(body) })
  const said = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${said}`)
  return JSON.parse(said)
}

/** Waits until the engineering instance is there; the first answers come before it. */
async function attached() {
  for (let tries = 0; tries < 300; tries++) {
    const { engine } = await api('GET', '/api/health')
    if (engine.attached) return
    await new Promise((done) => setTimeout(done, 200))
  }
  assert.fail('there is no engineering instance after a minute')
}

async function firstSuccess() {
  await attached()
  await api('POST', '/api/projects/actions/create-sync', { name: 'First' })
  const orderNumber = '6ES7 515-2AM02-0AB0'
  await api('POST', '/api/projects/devices/actions/add-sync', { orderNumber, name: 'PLC_1' })
  await api('POST', '/api/devices/PLC_1/blocks/actions/import-sync', { filePath: 'tank.scl', compile: true })
  await api('POST', '/api/projects/actions/simulation-support')
  const instance = { name: 'sim', cpuType: '1515', ipAddress: '192.168.0.1' }
  await api('POST', '/api/simulation/instances/create', instance)
  await api('POST', '/api/simulation/start', { instanceName: 'sim', deviceName: 'PLC_1' })
  await api('PUT', '/api/simulation/tags/Tank.pump', { value: true })
  const { value } = await api('GET', '/api/simulation/tags/Tank.pump')
  assert.equal(value, true)
  const page = await fetch(`${gateway.url}/`, { headers: { Accept: 'text/html' } })
  assert.match(await page.text(), /<script/)
}

/** Sends one request to a command that speaks JSON-RPC, and waits for the result. */
async function speak(args, framing, request) {
  const child = spawn(process.execPath, [main, ...args], { cwd: site, env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(framing(JSON.stringify(request)))
  let said = ''
  for await (const chunk of child.stdout) {
    said += chunk
    if (/"id":1\b/.test(said) && said.includes('"result"')) break
  }
  assert.ok(said.includes('"result"'), `gantry ${args.join(' ')} says "${said}"`)
  child.kill('SIGKILL')
}

/** Messages of MCP are lines. */
function lines(message) {
  return `${message}\n`
}

/** Messages of the language server have a header. */
function frames(message) {
  return `Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`
}
