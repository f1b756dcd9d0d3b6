/**
 * The tests that clients have defined in the open project, and how the last run ended. In the files of a project a test
 * is `tests/harness/<name>.json`.
 */
import {
  collection,
  domainEvent,
  type Fault,
  isObject,
  notFound,
  on,
  ownedBy,
  type Slice,
  type SliceReader,
} from '../../../core/index.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import {
  faultyFiles,
  fileNameOf,
  modifiesProject,
  type ProjectSection,
  project,
  readJsonFile,
} from '../../projects/index.ts'
import type { HarnessTest, TestResult } from './definition.ts'

/** The tests of the last run. */
export interface HarnessRun {
  readonly results: readonly TestResult[]
  readonly startedAt: string
  readonly completedAt: string
  /** Virtual time of all tests. */
  readonly durationMs: number
}

/** Key: name in lower case. */
export const harnessTests = collection<HarnessTest>('plc-tests.harness', {}, [ownedBy(project)])
/** At most one entry. */
const harnessRuns = collection<HarnessRun>('plc-tests.harness-run', {}, [ownedBy(project)], 'apart')

export const testSaved = domainEvent<HarnessTest>('plc-tests.harness-test-saved', 'A test of the harness was defined')
export const testDeleted = domainEvent<{ name: string }>(
  'plc-tests.harness-test-deleted',
  'A test of the harness was deleted',
)
export const testsRan = domainEvent<HarnessRun>('plc-tests.harness-ran', 'Tests of the harness were run')

const lastRun = 'last'
export const testKey = (name: string) => name.toLowerCase()

export const harnessSlice: Slice = {
  version: 1,
  collections: [harnessTests, harnessRuns],
  reductions: [
    on(testSaved, (write, test) => write(harnessTests).set(testKey(test.name), test)),
    on(testDeleted, (write, { name }) => write(harnessTests).delete(testKey(name))),
    on(testsRan, (write, run) => write(harnessRuns).set(lastRun, run)),
    ...modifiesProject(testSaved, testDeleted),
  ],
}

type Reader = { readonly read: SliceReader }

/** All tests, by name. */
export function allTests(ctx: Reader): HarnessTest[] {
  return [...ctx.read(harnessTests).values()].sort((a, b) => compareTexts(testKey(a.name), testKey(b.name)))
}

/** @throws GatewayError `not_found` */
export function requireTest(ctx: Reader, name: string): HarnessTest {
  const tests = ctx.read(harnessTests)
  const found = tests.get(testKey(name))
  if (found) return found
  throw notFound(
    'test',
    name,
    [...tests.values()].map((one) => one.name),
  )
}

/** How the last run ended; undefined when nothing has run. */
export function lastRunOf(ctx: Reader): HarnessRun | undefined {
  return ctx.read(harnessRuns).get(lastRun)
}

const folder = 'tests/harness'

function isTest(read: unknown): read is HarnessTest {
  return (
    isObject(read) &&
    typeof read.name === 'string' &&
    Array.isArray(read.steps) &&
    read.steps.every((step) => isObject(step) && (step.assert === undefined || isObject(step.assert)))
  )
}

/** A file for each test. */
export const harnessSection: ProjectSection = {
  name: 'test-harness',
  order: 70,
  folders: [`${folder}/*.json`],
  async save(ctx) {
    return allTests(ctx).map((test) => ({
      path: `${folder}/${fileNameOf(test.name)}.json`,
      content: `${JSON.stringify(test, null, 2)}\n`,
    }))
  },
  async load(ctx, _project, files) {
    const faults: Fault[] = []
    for (const path of files.list(`${folder}/`).filter((one) => one.endsWith('.json'))) {
      const test = await readJsonFile(files, path, faults)
      if (test === undefined) continue
      if (isTest(test)) ctx.emit(testSaved, test, `test/${test.name}`)
      else faults.push({ path, message: 'is no test: it needs name and steps { description, write, waitMs, assert }' })
    }
    if (faults.length > 0) throw faultyFiles('Tests of the project cannot be read', faults)
    return []
  },
}
