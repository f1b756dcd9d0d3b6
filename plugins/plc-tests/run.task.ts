/** Runs the tests of a folder; on the engine for the gateway. */
import type { EngineTask } from '../../core/index.ts'
import { type BlockCoverage, mergedCoverage } from '../../plc/program-tests/coverage.ts'
import type { TestFault } from '../../plc/program-tests/model.ts'
import type { CaseResult } from '../../plc/program-tests/run-case.ts'
import { groupsOf } from '../../plc/program-tests/run-tests.ts'
import type { PlacedObject } from '../../plc/review/read-folder.ts'
import { type CoveredBlock, placedCoverage } from './coverage.ts'
import { nothingRan } from './nothing-ran.ts'
import { coveragePage } from './output/coverage-html.ts'
import { prepareRun, type Selection } from './prepare.ts'
import { runGroup } from './run-group.ts'
import type { TestContent } from './test-content.ts'

export interface RunTask {
  readonly content: TestContent
  readonly selection: Selection
  /** Whether the execution of the program is recorded; `page`: and shown as HTML. */
  readonly coverage?: 'data' | 'page'
  /** Threads; default 1. */
  readonly jobs?: number
}

/** Plain data. */
export interface TestRun {
  readonly results: readonly CaseResult[]
  /** Faults of test files; their cases did not run. */
  readonly faults: readonly TestFault[]
  /** Files of the program that cannot be read; why nothing ran. */
  readonly notes: readonly string[]
  /** Cases that were not selected. */
  readonly skipped: number
  /** What ran of the program, when it is recorded. */
  readonly coverage?: readonly CoveredBlock[]
  readonly coveragePage?: string
}

/** Runs the tests. CPU-heavy. */
export async function runFolder(
  { content, selection, coverage, jobs = 1 }: RunTask,
  onResult?: (result: CaseResult) => void,
): Promise<TestRun> {
  const { objects, tests, faults, notes, skipped, noTests, culture } = await prepareRun(content, selection)
  const place = placerOf(objects)
  const results: CaseResult[] = []
  const covered: BlockCoverage[][] = []
  const program = objects.map(({ object }) => object)
  for (const group of groupsOf(program, tests, coverage !== undefined)) {
    const ran = await runGroup(group, {
      jobs,
      onResult(result) {
        const placed = place(result)
        results.push(placed)
        onResult?.(placed)
      },
    })
    covered.push(...ran)
  }
  for (const one of noTests) onResult?.(one)
  results.push(...noTests)
  const ran = { results, faults, notes, skipped }
  const run = { ...ran, notes: [...notes, ...nothingRan(ran, selection)] }
  if (coverage === undefined) return run
  const blocks = placedCoverage(mergedCoverage(covered), objects)
  if (coverage === 'data') return { ...run, coverage: blocks }
  const page = {
    title: content.title,
    culture,
    objects: new Map(objects.map(({ object }) => [object.name, object])),
  }
  return { ...run, coverage: blocks, coveragePage: coveragePage(blocks, page) }
}

/** Puts assertions of blocks to their places in the files. */
function placerOf(objects: readonly PlacedObject[]) {
  const byName = new Map(objects.map((one) => [one.object.name.toLowerCase(), one]))
  return (result: CaseResult): CaseResult => {
    if (result.failures.every(({ inBlock }) => inBlock === undefined)) return result
    const failures = result.failures.map(({ inBlock, ...failure }) => {
      const found = inBlock && byName.get(inBlock.block.toLowerCase())
      const { line, column } = failure
      return found ? { ...failure, ...found.placeOf({ network: inBlock.network, line, column }) } : failure
    })
    return { ...result, failures }
  }
}

/** What the engine calls: it has no progress. */
export function runForGateway(input: RunTask): Promise<TestRun> {
  return runFolder(input)
}

/** The task. */
export function runTask(input: RunTask): EngineTask {
  return { module: import.meta.url, fn: 'runForGateway', input }
}
