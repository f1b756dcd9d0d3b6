/**
 * Tests as clients of this API family define them: steps that write tags, wait and compare. One is translated into a
 * test file of `plc/program-tests`, and the result of its case back.
 */
import type { Condition, Expected, TestFile, TestStep, TestValue } from '../../../plc/program-tests/model.ts'
import { defaultCycle, defaultMaxCycles, defaultMaxSeconds } from '../../../plc/program-tests/read-tests.ts'
import type { CaseResult } from '../../../plc/program-tests/run-case.ts'

/** Values of tags by their paths. */
export type TagValues = Readonly<Record<string, unknown>>

/** What a tag must be: every part that is there. */
export interface TagAssertion {
  readonly expected?: unknown
  /** How far from `expected` it may be. */
  readonly tolerance?: number
  readonly min?: number
  readonly max?: number
  readonly notEqual?: unknown
}

export interface HarnessStep {
  readonly description?: string
  readonly write?: TagValues
  /** Virtual time, ms. */
  readonly waitMs?: number
  readonly assert?: Readonly<Record<string, TagAssertion>>
}

/** A test of the open project. */
export interface HarnessTest {
  readonly name: string
  readonly description?: string
  /** The controller, or the PLC, whose program is tested. */
  readonly instanceName?: string
  readonly setup?: TagValues
  readonly steps: readonly HarnessStep[]
  readonly teardown?: TagValues
}

/** Cases of definitions have this tag: what else is a test of the program does not run with them. */
export const harnessTag = 'test-harness'
const place = { line: 1, column: 1 }
const oneCycle = { cycles: 1 } as const

const value = (given: unknown) => given as TestValue
const assignments = (values: TagValues = {}) =>
  Object.entries(values).map(([path, given]) => ({ path, value: value(given), place }))

/** What a tag must be, as the runner takes it. */
function expectedOf({ expected, tolerance, min, max, notEqual }: TagAssertion): Expected[] {
  const found: Expected[] = []
  if (expected !== undefined)
    found.push(
      tolerance === undefined
        ? { kind: 'equal', value: value(expected) }
        : { kind: 'near', value: value(expected), by: tolerance },
    )
  if (min !== undefined) found.push({ kind: 'compare', operator: '>=', value: min })
  if (max !== undefined) found.push({ kind: 'compare', operator: '<=', value: max })
  if (notEqual !== undefined) found.push({ kind: 'not', value: value(notEqual) })
  return found
}

function conditionsOf(step: HarnessStep): Condition[] {
  return Object.entries(step.assert ?? {}).flatMap(([path, assertion]) =>
    expectedOf(assertion).map((expected) => ({ path, expected, place })),
  )
}

const plain = { place, events: [], never: [] }

/** Steps of the case: those of the definition are behind the one of the setup. */
function stepsOf({ setup, steps, teardown }: HarnessTest): TestStep[] {
  return [
    { ...plain, set: assignments(setup), expect: [], run: oneCycle },
    ...steps.map(
      (step): TestStep => ({
        ...plain,
        set: assignments(step.write),
        run: step.waitMs === undefined ? oneCycle : { nanoseconds: BigInt(Math.round(step.waitMs * 1e6)) },
        expect: conditionsOf(step),
      }),
    ),
    { ...plain, set: assignments(teardown), expect: [] },
  ]
}

/** The definition as a test file with one case, which runs the whole program. */
export function testFileOf(test: HarnessTest): TestFile {
  return {
    path: test.name,
    place,
    connections: [],
    cycle: defaultCycle,
    stubs: [],
    maxCycles: defaultMaxCycles,
    maxWallMs: defaultMaxSeconds * 1000,
    cases: [{ name: test.name, tags: [harnessTag], place, given: [], steps: stepsOf(test) }],
  }
}

/** A tag that was compared. */
export interface AssertionResult {
  readonly tagName: string
  readonly passed: boolean
  readonly message: string
  /** Absent where the runner does not tell it: of ranges that hold. */
  readonly actualValue?: unknown
  readonly expectedValue: unknown
}

export interface StepResult {
  /** From 0. */
  readonly stepIndex: number
  readonly description: string
  readonly passed: boolean
  readonly assertions: readonly AssertionResult[]
}

/** How a test ended. */
export interface TestResult {
  readonly testName: string
  readonly description: string
  readonly passed: boolean
  readonly error?: string
  readonly steps: readonly StepResult[]
  readonly startedAt: string
  readonly completedAt: string
  /** Virtual time. */
  readonly durationMs: number
}

/**
 * The result of a definition.
 * @param result of its case
 * @param now ms since 1970
 */
export function resultOf(test: HarnessTest, result: CaseResult, now: number): TestResult {
  const { description = '', name } = test
  const passed = result.status === 'passed'
  const [first] = result.failures
  // The setup is step 1 of the case.
  const failedAt = passed ? Number.POSITIVE_INFINITY : (first?.step ?? 0) - 2
  const steps = test.steps.map((step, stepIndex): StepResult => {
    const told = { stepIndex, description: step.description ?? '' }
    if (stepIndex > failedAt) return { ...told, passed: false, assertions: [] }
    return { ...told, passed: stepIndex < failedAt, assertions: assertionsOf(step, stepIndex === failedAt, result) }
  })
  return {
    testName: name,
    description,
    passed,
    ...(passed ? {} : { error: errorOf(result, failedAt, test) }),
    steps,
    startedAt: new Date(now).toISOString(),
    completedAt: new Date(now + Math.round(result.milliseconds)).toISOString(),
    durationMs: result.milliseconds,
  }
}

function errorOf({ failures }: CaseResult, failedAt: number, { steps }: HarnessTest): string {
  const names = ['Before the first step', 'Setup', ...steps.map((one, i) => one.description ?? `Step ${i + 1}`)]
  const where = names[failedAt + 2] ?? 'Teardown'
  return `${where}: ${failures.map(({ message }) => message).join(' ')}`
}

/** @param isFailed the step is the one that failed; the others before it have passed */
function assertionsOf(step: HarnessStep, isFailed: boolean, { failures, status }: CaseResult): AssertionResult[] {
  // What cannot be carried out has compared nothing.
  if (isFailed && status === 'error') return []
  return Object.entries(step.assert ?? {}).map(([tagName, assertion]) => {
    const failure = isFailed ? failures.find(({ path }) => path === tagName) : undefined
    const expectedValue = assertion.expected ?? assertion
    if (failure) {
      const { message, actual } = failure
      return { tagName, passed: false, message, actualValue: actual, expectedValue }
    }
    const isExact = assertion.expected !== undefined && assertion.tolerance === undefined
    return {
      tagName,
      passed: true,
      message: 'as expected',
      ...(isExact ? { actualValue: assertion.expected } : {}),
      expectedValue,
    }
  })
}
