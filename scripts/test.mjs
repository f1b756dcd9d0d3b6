/**
 * Runs the tests: every `*.test.ts`, or those below the given folders and files. Other arguments are passed to
 * node:test (`npm test -- --test-name-pattern=…`); `--random` uses new seeds (test/seed.ts).
 *
 * They run from `dist-test/`, where scripts/build.mjs compiles them: a loader would take more time than the tests, as
 * each of them starts a process and many start threads. The script is plain JavaScript for the same reason.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

function testFiles(path) {
  if (statSync(path).isFile()) return [path]
  const entries = readdirSync(path, { withFileTypes: true, recursive: true })
  return entries.filter((e) => e.isFile() && e.name.endsWith('.test.ts')).map((e) => join(e.parentPath, e.name))
}

const build = spawnSync(process.execPath, ['scripts/build.mjs', '--tests'], { stdio: 'inherit' })
if (build.status !== 0) process.exit(build.status ?? 1)

const given = process.argv.slice(2)
const paths = given.filter((arg) => !arg.startsWith('-') && existsSync(arg))
const options = given.filter((arg) => !paths.includes(arg) && arg !== '--random')
const roots = JSON.parse(readFileSync('tsconfig.test.json', 'utf8')).include
const files = (paths.length > 0 ? paths : roots).flatMap(testFiles).sort()

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
    ...files.map((file) => join('dist-test', file.replace(/\.ts$/, '.js'))),
  ],
  { stdio: 'inherit', env: given.includes('--random') ? { ...process.env, GANTRY_SEED: 'random' } : process.env },
)
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
