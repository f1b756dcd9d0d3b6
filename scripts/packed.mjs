/**
 * Installs the package as `npm pack` makes it in an empty folder and drives it once, on each major version of Node that is
 * named (default: those of the README). `npm run packed -- 20 24` for some. What it needs of the other versions of Node
 * comes from the npm registry, as the dependencies of the package do.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const majors = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24']
/** Variables of this process, without those that npm sets for scripts or that would configure the gateway. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(GANTRY_|npm_|NODE_OPTIONS$)/.test(name)),
)

const folder = await mkdtemp(join(tmpdir(), 'gantry-package-'))
try {
  const tarball = pack()
  for (const major of majors) {
    const site = join(folder, `node-${major}`)
    await mkdir(site)
    const node = await install(site, tarball, major)
    await drive(site, node)
    console.log(`packed: installed and driven on Node ${run(node, ['--version'], site).trim()}`)
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 20 }).catch(() => {}) // A gateway may still write.
}

/** Runs a command to its end. @returns its output; a failure ends the script with what the command said */
function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
  return stdout
}

/** @returns the path of the package file, made of the `dist/` that `npm run build` has made */
function pack() {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root),
  )
  return join(folder, filename)
}

/** Installs the package in an empty folder, and a Node of this version. @returns the path of that Node */
async function install(site, tarball, major) {
  const runtime = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const isOwn = process.versions.node.split('.', 1)[0] === major
  await writeFile(join(site, 'package.json'), '{ "private": true }\n')
  run('npm', ['install', '--no-audit', '--no-fund', tarball, ...(isOwn ? [] : [`${runtime}@${major}`])], site)
  return isOwn ? process.execPath : join(site, 'node_modules', runtime, 'bin', 'node')
}

/** What the README calls a first success, then a check of the same program, then an orderly end. */
async function drive(site, node) {
  const main = join(site, 'node_modules', 'gantry', 'core', 'cli', 'gantry.mjs')
  const workspace = join(site, 'plant')
  await mkdir(workspace)
  await copyFile(join(root, 'examples', 'tank.scl'), join(workspace, 'tank.scl'))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  assert.equal(run(node, [main, '--version'], site).trim(), version)
  run(node, [main, 'check', workspace], site)

  const data = join(site, 'data')
  const options = ['serve', '--port', '0', '--data-dir', data, '--workspace', workspace, '--log-level', 'warn']
  const gateway = spawn(node, [main, ...options], { cwd: site, env, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => gateway.kill('SIGKILL'))
  const ended = new Promise((resolve) => gateway.once('exit', resolve))
  const url = await new Promise((resolve, reject) => {
    let said = ''
    ended.then((code) => reject(new Error(`the gateway has ended with ${code}:\n${said}`)))
    gateway.stdout.on('data', (chunk) => {
      said += chunk
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (found) resolve(found)
    })
  })
  const headers = { 'X-API-Key': await readFile(join(data, 'api-key'), 'utf8'), 'Content-Type': 'application/json' }
  const api = async (method, path, body) => {
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  await attached(api)
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
  const page = await fetch(`${url}/`, { headers: { Accept: 'text/html' } })
  assert.match(await page.text(), /<script/)
  gateway.kill('SIGTERM')
  assert.equal(await ended, 0)
}

/** Waits until the engineering instance is there; the first answers come before it. */
async function attached(api) {
  for (let tries = 0; tries < 300; tries++) {
    const { engine } = await api('GET', '/api/health')
    if (engine.attached) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  assert.fail('there is no engineering instance after a minute')
}
