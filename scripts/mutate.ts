/**
 * Mutation test of a folder, a file or one of its lines: `npm run mutate -- plc/edit --sample 12 --seed 1` changes its
 * code at one place after the other and runs the tests near it; what no test notices is listed. Without `--sample` all
 * places are changed. What was found is in docs/mutation.md, with why this is not StrykerJS.
 *
 * With `--coverage` all tests run once, and what each of them executes is kept: from then on the tests of a change are
 * those that execute its place (scripts/test-coverage.ts), before that those that import its module.
 *
 * The code is changed in `dist-mutate-…/`, a copy of `dist-test/`, so that threads and processes of a test run the
 * changed code too.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Random, randomFrom } from '../test/random.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { digestOf, executedByAny, executes, measureCoverage, readCoverage } from './test-coverage.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    // How many test files are run for a change, the nearest first.
    tests: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '120' },
    coverage: { type: 'boolean', default: false },
    unexecuted: { type: 'boolean', default: false },
  },
})
const wanted = positionals.map((text) => {
  const [, place = '', line] = /^(.*?)\/*(?::(\d+))?$/.exec(text) ?? []
  return { place, line: line === undefined ? undefined : Number(line) }
})
if ((wanted.length === 0 && !values.coverage) || wanted.some(({ place }) => !existsSync(place))) {
  const options = '[--sample 12] [--seed 1] [--tests 8] [--seconds 120] [--unexecuted]'
  console.error(`usage: npm run mutate -- <folder, file or file:line>… ${options}, or --coverage [tests]`)
  process.exit(2)
}

if (spawnSync(process.execPath, ['scripts/build.mjs', '--tests'], { stdio: 'inherit' }).status !== 0) process.exit(1)
if (values.coverage) {
  const places = wanted.map(({ place }) => place.replace(/\.ts$/, '.js'))
  const tests = readdirSync('dist-test', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.js'))
    .filter((path) => places.length === 0 || places.some((place) => path === place || path.startsWith(`${place}/`)))
  await measureCoverage(tests.sort())
  process.exit()
}

const copy = `dist-mutate-${process.pid}`
rmSync(copy, { recursive: true, force: true })
cpSync('dist-test', copy, { recursive: true })
// What the tests write. Those that are ended leave it behind.
const scratch = mkdtempSync(join(tmpdir(), 'gantry-mutate-'))
let running: number | undefined
process.on('exit', () => {
  endGroup(running)
  for (const folder of [copy, scratch]) rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

/** A change with the place in the source that it stands for. */
interface Placed extends Mutant {
  /** The module, as a path from here. */
  file: string
  line: number
  column: number
  before: string
}

/** Beside the modules of `web/` that tests import there are the bundles of its pages, which have no source map. */
const isCompiled = (path: string) => !path.startsWith('web') || existsSync(join(copy, `${path}.map`))
const modules = readdirSync(copy, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.js') && isCompiled(path))
  .map((path) => join(copy, path).replaceAll('\\', '/'))
  .sort()
const isTest = (file: string) => file.endsWith('.test.js')
const imports = new Map(modules.map((file) => [file, importsOf(file)]))
const coverage = readCoverage()
const seconds = (test: string) => coverage?.tests[relative(copy, test)]?.seconds

/**
 * The modules that a module imports. The tests of a plugin import it by way of the gateway, which loads it by its name.
 */
function importsOf(file: string): string[] {
  const names = readFileSync(file, 'utf8').matchAll(/(?:from|import|import\(|new URL\()\s*'(\.[^']+)\.(?:js|ts)'/g)
  const found = [...names].map(([, name = '']) => join(dirname(file), `${name}.js`).replaceAll('\\', '/'))
  const plugin = isTest(file) ? pluginOf(file) : undefined
  return plugin === undefined ? found : [...found, `${plugin}index.js`]
}

/** The folder of the plugin that a module belongs to. */
function pluginOf(file: string): string | undefined {
  return /^.*?\/plugins\/[^/]+\//.exec(file)?.[0]
}

/**
 * Whether a test executes a place, or some of its module when the module is another since then; undefined when nobody
 * has looked what the test executes.
 */
function isExecutedBy(test: string, { file, executedAt }: Placed, isAsMeasured: boolean): boolean | undefined {
  const run = coverage?.tests[relative(copy, test)]
  if (!run) return undefined
  const ranges = run.executed[relative(copy, file)]
  if (!ranges) return false
  return !isAsMeasured || executes(ranges, executedAt)
}

/**
 * The tests of a change: those that execute its place, or where nobody has looked or nothing is known, those that
 * import its module, also by way of others, and those of its plugin. The nearest and quickest first: that of the same
 * name, those beside it whose name begins that of the module or is that of its folder, those elsewhere with one of
 * these names, then by folder and by the number of imports between them.
 */
function testsOf(mutant: Placed): string[] {
  const { file } = mutant
  const isAsMeasured = coverage?.digests[relative(copy, file)] === digestOf(readFileSync(file, 'utf8'))
  const distance = new Map([[file, 0]])
  for (const [at, steps] of distance)
    for (const [importer, names] of imports)
      if (names.includes(at) && !distance.has(importer)) distance.set(importer, steps + 1)
  const folder = dirname(file)
  const stem = basename(file, '.js')
  const plugin = pluginOf(file)
  if (plugin !== undefined)
    for (const test of modules)
      if (isTest(test) && test.startsWith(plugin)) distance.set(test, Math.min(distance.get(test) ?? 4, 4))
  const rank = (test: string) => {
    const away = relative(folder, dirname(test)).split('/').filter(Boolean).length
    const subject = basename(test).split('.')[0] ?? ''
    if (away === 0 && subject === stem) return 0
    const isNamed = away === 0 && (stem.startsWith(`${subject}-`) || subject === basename(folder))
    const isNamedElsewhere = subject === stem || subject === basename(folder)
    const near = isNamed ? 0 : isNamedElsewhere ? 1 : 1 + away
    // However slow, a test beside the module comes before those that only pass through it from far away.
    const duration = Math.min(8, seconds(test) ?? (test.endsWith('.int.test.js') ? 2 : 1))
    return near + (distance.get(test) ?? 8) / 4 + duration / 4
  }
  const tests = modules.filter(isTest)
  const executing = tests.filter((test) => isExecutedBy(test, mutant, isAsMeasured) ?? distance.has(test))
  // What no test seems to execute may run in a process that is killed.
  return (executing.length > 0 ? executing : tests.filter((test) => distance.has(test)))
    .map((test) => ({ test, at: rank(test) }))
    .sort((a, b) => a.at - b.at || statSync(a.test).size - statSync(b.test).size)
    .map(({ test }) => test)
    .slice(0, Number(values.tests))
}

function placedMutants(file: string): Placed[] {
  const code = readFileSync(file, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload)
  return mutantsOf(code).map((mutant) => {
    const above = code.slice(0, mutant.start).split('\n')
    const entry = map.findEntry(above.length - 1, above.at(-1)?.length ?? 0)
    const [line, column] = 'originalLine' in entry ? [entry.originalLine + 1, entry.originalColumn + 1] : [0, 0]
    return { ...mutant, file, line, column, before: code.slice(mutant.start, mutant.end) }
  })
}

/** A sample of the changes, at most one in each file as long as there are files enough. */
function sampled(all: Placed[], size: number, random: Random): Placed[] {
  const order = all.map((mutant) => ({ mutant, at: random() })).sort((a, b) => a.at - b.at)
  const turns = new Map<string, number>()
  const dealt = order.map(({ mutant, at }) => {
    const turn = turns.get(mutant.file) ?? 0
    turns.set(mutant.file, turn + 1)
    return { mutant, at, turn }
  })
  const chosen: Placed[] = []
  for (const { mutant } of dealt.sort((a, b) => a.turn - b.turn || a.at - b.at)) {
    if (chosen.length >= size) break
    if (isProgram(mutant)) chosen.push(mutant)
  }
  return chosen
}

/** The module with a change. */
function changed({ file, start, end, text }: Placed): string {
  const code = readFileSync(file, 'utf8')
  return code.slice(0, start) + text + code.slice(end)
}

/** False for the few changes that are no JavaScript (`a && b ?? c`): any test would notice them. */
function isProgram(mutant: Placed): boolean {
  try {
    mutantsOf(changed(mutant))
    return true
  } catch {
    return false
  }
}

/**
 * True when the test file passes. It is ended at the first failure, and when it takes too long, for a change can make
 * an endless loop.
 */
function passes(test: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--test-reporter=tap', '--import', `./${copy}/test/seed.js`, test], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: scratch, TESTED_BUILD: copy },
    detached: true,
  })
  running = child.pid
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (/^ *not ok /m.test(text)) endGroup(child.pid)
  })
  return new Promise((resolve) => {
    // Twenty times as long as alone and unchanged is an endless loop too.
    const limit = Math.min(Number(values.seconds), 20 + 20 * (seconds(test) ?? Number(values.seconds)))
    const timer = setTimeout(() => endGroup(child.pid), limit * 1000)
    child.on('exit', (code) => {
      clearTimeout(timer)
      endGroup(child.pid)
      resolve(code === 0)
    })
  })
}

/** Ends a test with the processes that it has started. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const unchanged = new Map<string, boolean>()
async function passesUnchanged(test: string): Promise<boolean> {
  const known = unchanged.get(test)
  if (known !== undefined) return known
  const result = await passes(test)
  unchanged.set(test, result)
  if (!result) console.log(`no use   ${inSource(test)} fails without a change, or takes more than ${values.seconds} s`)
  return result
}

/** The first of the tests that notices the change; undefined when none does. */
async function killerOf(mutant: Placed, tests: readonly string[]): Promise<string | undefined> {
  const { file } = mutant
  const code = readFileSync(file, 'utf8')
  for (const test of tests) {
    writeFileSync(file, changed(mutant))
    const passed = await passes(test)
    writeFileSync(file, code)
    // A test that fails without the change too has noticed nothing.
    if (!passed && (await passesUnchanged(test))) return test
  }
  return undefined
}

const inSource = (file: string) => relative(copy, file).replace(/\.js$/, '.ts').replaceAll('\\', '/')
const oneLine = (text: string) => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 89)}…` : line
}

for (const { place, line } of wanted)
  if (values.unexecuted) listUnexecuted(place)
  else await mutate(place, line)

/** The modules of a folder, or the one of a file. */
function productModules(place: string): string[] {
  return modules
    .filter((file) => !isTest(file) && !/\/(?:fixtures|test|plc\/testing)\//.test(file) && existsSync(inSource(file)))
    .filter((file) => inSource(file) === place || inSource(file).startsWith(`${place}/`))
}

/**
 * Lists the lines that no test executes, by the coverage that was measured. Parts that are only killed may be among
 * them.
 */
function listUnexecuted(place: string): void {
  let [places, missed] = [0, 0]
  for (const file of productModules(place)) {
    const mutants = placedMutants(file)
    const ranges = coverage ? executedByAny(coverage, relative(copy, file)) : []
    const unexecuted = mutants.filter(({ executedAt }) => !executes(ranges, executedAt))
    places += mutants.length
    missed += unexecuted.length
    const lines = [...new Set(unexecuted.map(({ line }) => line))].sort((a, b) => a - b)
    if (lines.length > 0) console.log(`${inSource(file)} ${unexecuted.length} of ${mutants.length}: ${lines.join(' ')}`)
  }
  console.log(`${place}: ${missed} of ${places} places are executed by no test`)
}

/** Tries the changes of a folder or a file, or of one of its lines. */
async function mutate(place: string, onlyLine: number | undefined): Promise<void> {
  const all = productModules(place)
    .flatMap(placedMutants)
    .filter(({ line }) => onlyLine === undefined || line === onlyLine)
  const { sample, seed } = values
  const chosen = sample ? sampled(all, Number(sample), randomFrom(Number(seed))) : all.filter(isProgram)
  let noticed = 0
  for (const mutant of chosen) {
    const near = testsOf(mutant)
    const killer = await killerOf(mutant, near)
    if (killer !== undefined) noticed++
    const at = `${inSource(mutant.file)}:${mutant.line}:${mutant.column}`
    const change = `${oneLine(mutant.before)}  →  ${oneLine(mutant.text)}`
    console.log(`${killer === undefined ? 'SURVIVED' : 'noticed '} ${at}  ${change}`)
    const tests = killer === undefined ? near : [killer]
    console.log(`         ${tests.map(inSource).join(' ') || 'no test near it'}`)
  }
  console.log(`${place}: ${noticed} of ${chosen.length} noticed (${all.length} places, seed ${values.seed})`)
}
