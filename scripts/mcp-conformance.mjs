/**
 * Runs the official conformance suite of MCP (modelcontextprotocol/conformance) against a gateway with the tools of
 * `test/mcp-conformance`: each revision that it knows requirements of. What Gantry has not is listed, with its reason, in
 * `test/mcp-conformance/<revision>.yaml`; anything else that fails, and anything listed that passes, ends it with 1.
 *
 * The suite needs Node 22 and is no dependency of the project: both are fetched from the npm registry into a folder that
 * is kept in the cache of npm. Without the registry it says so and checks nothing.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const revisions = process.argv.length > 2 ? process.argv.slice(2) : ['2025-11-25', '2026-07-28']
const root = fileURLToPath(new URL('..', import.meta.url))
const key = 'gty_key-of-the-conformance-suite'

const folder = await mkdtemp(join(tmpdir(), 'gantry-mcp-conformance-'))
/** The gateway's port. */
let target
let failed = false
try {
  const node = await fetchSuite()
  if (node) {
    const proxy = createServer(addKey)
    await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address()
    const gateway = await startGateway(port)
    const url = `http://localhost:${port}/mcp?toolsets=default,conformance`
    for (const revision of revisions) failed = !(await check(node, url, revision)) || failed
    proxy.close()
    gateway.kill('SIGTERM')
    await new Promise((resolve) => gateway.once('exit', resolve))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

/** Installs the suite, and a Node that runs it. @returns its path; undefined: there is no registry */
async function fetchSuite() {
  const major = Number(process.versions.node.split('.', 1)[0])
  const runtime = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const packages = major >= 22 ? [suite] : [suite, `${runtime}@22`]
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', ...options, ...packages], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) {
    console.error('The conformance suite of MCP could not be fetched: it is not run.')
    return undefined
  }
  return major >= 22 ? process.execPath : join(folder, 'node_modules', runtime, 'bin', 'node')
}

/** A gateway with the suite's tools, behind the proxy of this port. */
async function startGateway(proxyPort) {
  const plugins = join(root, 'test', 'mcp-conformance', 'plugins')
  const options = ['serve', '--port', '0', '--data-dir', join(folder, 'data'), '--plugins-dir', plugins]
  const child = spawn(process.execPath, [join(root, 'core', 'cli', 'gantry.mjs'), ...options, '--log-level', 'warn'], {
    env: {
      ...process.env,
      GANTRY_API_KEY: key,
      GANTRY_SECURITY_ALLOWED_HOSTS: `127.0.0.1:${proxyPort},localhost:${proxyPort}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  target = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the gateway has ended:\n${said}`)))
    child.stdout.on('data', (chunk) => {
      said += chunk
      const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? []
      if (port) resolve(port)
    })
  })
  return child
}

/** Sends a request on with a key, which the suite cannot send, as a proxy that takes tokens would. */
function addKey(incoming, response) {
  const headers = { ...incoming.headers, 'x-api-key': key }
  const to = { host: '127.0.0.1', port: target, path: incoming.url, method: incoming.method, headers }
  const onward = request(to, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

/** Runs the requirements of a revision. @returns whether nothing has failed that is not expected to */
async function check(node, url, revision) {
  const main = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
  const expected = join(root, 'test', 'mcp-conformance', `${revision}.yaml`)
  const results = join(folder, revision)
  const options = ['--requirements', revision, '--expected-failures', expected, '--output-dir', results]
  const run = spawn(node, [main, 'server', '--url', url, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of run.stdout) output += chunk
  const code = run.exitCode ?? (await new Promise((resolve) => run.once('exit', resolve)))
  console.log(`MCP ${revision}: ${/^Total: .*$/m.exec(output)?.[0] ?? output}`)
  if (code === 0) return true
  const summary = output.indexOf('=== SUMMARY ===')
  console.log(output.slice(Math.max(0, summary)))
  for (const path of await readdir(results, { recursive: true }))
    if (path.endsWith('checks.json'))
      for (const { id, status, errorMessage } of JSON.parse(await readFile(join(results, path), 'utf8')))
        if (status === 'FAILURE') console.log(`${dirname(path)}: ${id}: ${errorMessage}`)
  return false
}
