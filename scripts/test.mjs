/**
 * Runs the tests: every `*.test.ts`, or those below the given folders and files. Other arguments are passed to
 * node:test (`npm test -- --test-name-pattern=…`); `--random` uses new seeds (test/seed.ts), `--built` takes `dist-test/`
 * as it is.
 *
 * They run from `dist-test/`, where scripts/build.mjs compiles them: a loader would take more time than the tests, as
 * each of them starts a process and many start threads. The script is plain JavaScript for the same reason.
 *
 * Neighbours share a process: starting one, loading the modules and compiling them takes longer than most tests do. A
 * file that cannot share says so in a line of its own: `// In a process of its own: ` and why. A failure names its own
 * file, also one while it is loaded.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

function testFiles(path) {
  if (statSync(path).isFile()) return [path]
  const entries = readdirSync(path, { withFileTypes: true, recursive: true })
  return entries.filter((e) => e.isFile() && e.name.endsWith('.test.ts')).map((e) => join(e.parentPath, e.name))
}

/** How many files share a process at the most: fewer leave more to load, with more the last process ends alone. */
const groupSize = 12

const hasOwnProcess = (file) => /^\/\/ In a process of its own: /m.test(readFileSync(file, 'utf8'))

/** The files that node:test runs: for each group of neighbours one that imports them, and the others as they are. */
function processesFor(files, folder) {
  const compiled = (file) => join('dist-test', file.replace(/\.ts$/, '.js'))
  const sharing = files.filter((file) => !hasOwnProcess(file))
  const isPlain = (file) => !file.endsWith('.int.test.ts')
  // The plain ones are quick and run last: a processor that has nothing left to do waits less for the other.
  const groups = [...inGroups(sharing.filter((file) => !isPlain(file))), ...inGroups(sharing.filter(isPlain))]
  const shared = groups.map((group, n) => {
    const path = join(folder, `group-${String(n + 1).padStart(3, '0')}.test.mjs`)
    const urls = group.map((file) => pathToFileURL(resolve(compiled(file))).href)
    // A file that cannot be loaded is a failed test of its name; the others run.
    const load = (url) => `await import('${url}').catch((error) => test('${url}', () => { throw error }))\n`
    writeFileSync(path, `import { test } from 'node:test'\n${urls.map(load).join('')}`)
    return path
  })
  return [...files.filter(hasOwnProcess).map(compiled), ...shared]
}

function inGroups(files) {
  const starts = [...files.keys()].filter((at) => at % groupSize === 0)
  return starts.map((at) => files.slice(at, at + groupSize))
}

const own = ['--random', '--built']
const given = process.argv.slice(2)
if (!given.includes('--built')) {
  const build = spawnSync(process.execPath, ['scripts/build.mjs', '--tests'], { stdio: 'inherit' })
  if (build.status !== 0) process.exit(build.status ?? 1)
}
const paths = given.filter((arg) => !arg.startsWith('-') && existsSync(arg))
const options = given.filter((arg) => !paths.includes(arg) && !own.includes(arg))
// Of `web/` only the tests and what they import are compiled: the pages themselves are bundled.
const roots = JSON.parse(readFileSync('tsconfig.test.json', 'utf8')).include.map((path) => path.split('/')[0])
const files = (paths.length > 0 ? paths : roots).flatMap(testFiles).sort()
const folder = mkdtempSync(join(tmpdir(), 'gantry-groups-'))

const child = spawn(
  process.execPath,
  [
    '--enable-source-maps',
    '--import',
    './dist-test/test/seed.js',
    '--test',
    // One more than there are processors: many tests wait for processes and clocks.
    `--test-concurrency=${availableParallelism() + 1}`,
    '--test-reporter=spec',
    // A test that waits in vain fails, and the rest goes on. No file takes a quarter of that.
    '--test-timeout=1200000',
    ...options,
    ...processesFor(files, folder),
  ],
  { stdio: 'inherit', env: given.includes('--random') ? { ...process.env, GANTRY_SEED: 'random' } : process.env },
)
// Ctrl+C ends the child; what is left is done behind it.
process.on('SIGINT', () => {})
child.on('exit', (code, signal) => {
  rmSync(folder, { recursive: true })
  process.exit(code ?? (signal ? 1 : 0))
})
