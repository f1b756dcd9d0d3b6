/**
 * Mutation test of a folder or a file: `npm run mutate -- lib` changes its code at one place after the other with
 * StrykerJS and runs the tests beside it; what no test notices is listed. The score per folder is in docs/mutation.md.
 *
 * StrykerJS (73 MB with what it needs) is fetched by npx when it is used, it is no dependency. Version 9: 10 needs
 * Node 22. Its TAP runner runs each test file as `node --test` would, and only those that reach the changed line.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const version = '9.6.1'
const root = fileURLToPath(new URL('..', import.meta.url))

const wanted = process.argv[2]
if (wanted === undefined || !existsSync(join(root, wanted))) {
  console.error('usage: npm run mutate -- <folder or file>')
  process.exit(2)
}
const isFolder = statSync(join(root, wanted)).isDirectory()
const folder = isFolder ? wanted.replace(/\/+$/, '') : dirname(wanted)
const testFiles = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.int)\.test\.ts$/.test(path))
  .map((path) => join(folder, path).replaceAll('\\', '/'))
if (testFiles.length === 0) {
  console.error(`${folder} has no tests beside its code (*.test.ts)`)
  process.exit(2)
}

const work = mkdtempSync(join(tmpdir(), 'gantry-mutate-'))
const configuration = {
  testRunner: 'tap',
  tap: {
    testFiles,
    nodeArgs: ['--import', 'tsx', '-r', '{{hookFile}}', '--test-reporter', 'tap', '{{testFile}}'],
    forceBail: true,
  },
  mutate: isFolder ? [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/**/fixtures/**`] : [wanted],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  ignorePatterns: ['dist', 'data', 'docs', '/web', 'test/corpus/public', '*.log'],
  checkers: [],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: join(work, 'report.json') },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: join(work, 'sandbox'),
  disableTypeChecks: false,
  // It would be rewritten with the compiler's own package, and tsx needs nothing of it.
  tsconfigFile: 'none',
  plugins: ['@stryker-mutator/tap-runner'],
}
const file = join(work, 'stryker.config.json')
writeFileSync(file, JSON.stringify(configuration, undefined, 2))
const packages = ['core', 'tap-runner'].flatMap((name) => ['-p', `@stryker-mutator/${name}@${version}`])
const { status } = spawnSync('npx', ['--yes', ...packages, 'stryker', 'run', file], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (status === 0) console.log(`${relative(root, join(root, wanted))}: ${testFiles.length} test files`)
rmSync(work, { recursive: true, force: true })
process.exitCode = status ?? 1
