/**
 * Which test executes which code: runs each test file on its own with V8's coverage and keeps what it has executed.
 * scripts/mutate.ts asks it for the tests of a change. Code is told by its place in the compiled module, so what is
 * known of a module holds as long as the module stays the same.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Places of a module, as pairs of a first character and the one behind the last. */
type Ranges = readonly number[]

interface TestRun {
  readonly seconds: number
  /** What it has executed of each module. */
  readonly executed: Readonly<Record<string, Ranges>>
}

/** What the tests execute. Modules and tests are paths in `dist-test/`. */
export interface TestCoverage {
  readonly tests: Readonly<Record<string, TestRun>>
  /** A digest of each module's code at that time. */
  readonly digests: Readonly<Record<string, string>>
}

const coverageFile = 'coverage/tests.json'

/** What was found the last time; undefined when it was never looked at. */
export function readCoverage(): TestCoverage | undefined {
  return existsSync(coverageFile) ? (JSON.parse(readFileSync(coverageFile, 'utf8')) as TestCoverage) : undefined
}

export const digestOf = (code: string): string => createHash('sha256').update(code).digest('base64').slice(0, 12)

export function executes(ranges: Ranges, at: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) if (at >= (ranges[i] ?? 0) && at < (ranges[i + 1] ?? 0)) return true
  return false
}

/** What the tests together execute of a module. */
export function executedByAny({ tests }: TestCoverage, module: string): Ranges {
  return Object.values(tests).reduce<Ranges>((found, { executed }) => union(found, executed[module] ?? []), [])
}

/**
 * Runs test files of `dist-test/` and writes what each of them executes. Known files that are not given stay as they
 * are.
 */
export async function measureCoverage(files: readonly string[]): Promise<void> {
  const tests: Record<string, TestRun> = { ...readCoverage()?.tests }
  const waiting = [...files]
  const run = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { passed, ...result } = await covered(file)
      // A test that fails without a change has nothing to tell.
      tests[file] = passed ? result : { seconds: result.seconds, executed: {} }
      const left = waiting.length === 0 ? '' : `, ${waiting.length} to go`
      console.log(`${passed ? 'ran   ' : 'FAILED'} ${file} ${result.seconds.toFixed(1)} s${left}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, run))
  const modules = new Set(Object.values(tests).flatMap(({ executed }) => Object.keys(executed)))
  const existing = [...modules].filter((module) => existsSync(join('dist-test', module)))
  const digests = Object.fromEntries(
    existing.map((module) => [module, digestOf(readFileSync(join('dist-test', module), 'utf8'))]),
  )
  mkdirSync(dirname(coverageFile), { recursive: true })
  writeFileSync(coverageFile, JSON.stringify({ tests, digests } satisfies TestCoverage))
}

async function covered(file: string): Promise<TestRun & { passed: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-coverage-'))
  const started = Date.now()
  const child = spawn(process.execPath, ['--import', './dist-test/test/seed.js', join('dist-test', file)], {
    stdio: 'ignore',
    env: { ...process.env, NODE_V8_COVERAGE: folder, TESTED_BUILD: 'dist-test' },
  })
  const code = await new Promise((ended) => child.on('exit', ended))
  const seconds = (Date.now() - started) / 1000
  const executed: Record<string, Ranges> = {}
  // A file for each process and thread that ended by itself.
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: ScriptCoverage[] }
    for (const script of result) {
      const module = moduleOf(script.url)
      if (module !== undefined) executed[module] = union(executed[module] ?? [], executedRanges(script))
    }
  }
  rmSync(folder, { recursive: true })
  return { seconds, executed, passed: code === 0 }
}

/** V8's coverage of one script, as `Profiler.takePreciseCoverage` of the DevTools protocol gives it. */
interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[]
  }[]
}

/** The module of `dist-test/` that a script is; undefined for all others and for tests. */
function moduleOf(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined
  const path = relative(resolve('dist-test'), fileURLToPath(url)).replaceAll('\\', '/')
  return path.startsWith('..') || !path.endsWith('.js') || path.endsWith('.test.js') ? undefined : path
}

/** What was executed: ranges nest, and the innermost around a place tells. */
function executedRanges({ functions }: ScriptCoverage): Ranges {
  const ranges = functions.flatMap((each) => each.ranges)
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const found: number[] = []
  const open: { end: number; count: number }[] = []
  let at = 0
  const upTo = (place: number) => {
    const inner = open.at(-1)
    if (inner && inner.count > 0 && place > at) {
      if (found.at(-1) === at) found[found.length - 1] = place
      else found.push(at, place)
    }
    at = Math.max(at, place)
  }
  for (const { startOffset, endOffset, count } of ranges) {
    for (let inner = open.at(-1); inner && inner.end <= startOffset; inner = open.at(-1)) {
      upTo(inner.end)
      open.pop()
    }
    upTo(startOffset)
    open.push({ end: endOffset, count })
  }
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    upTo(inner.end)
    open.pop()
  }
  return found
}

/** Both sets of ranges as one. */
function union(a: Ranges, b: Ranges): Ranges {
  const pairs: [number, number][] = []
  for (const ranges of [a, b])
    for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i] ?? 0, ranges[i + 1] ?? 0])
  pairs.sort((one, other) => one[0] - other[0])
  const found: number[] = []
  for (const [start, end] of pairs) {
    const last = found.at(-1)
    if (last !== undefined && start <= last) found[found.length - 1] = Math.max(last, end)
    else found.push(start, end)
  }
  return found
}
