/** Runs definitions on private controllers with the program of the open project. */
import { type CommandContext, problem, type QueryContext } from '../../../core/index.ts'
import type { CaseResult } from '../../../plc/program-tests/run-case.ts'
import { type Device, devices, findDevice, requirePlc } from '../../devices/index.ts'
import { requireProject } from '../../projects/index.ts'
import { deviceProgram } from '../../review/index.ts'
import { instances } from '../../simulation/index.ts'
import { runTask, type TestRun } from '../run.task.ts'
import { type HarnessTest, harnessTag, resultOf, type TestResult, testFileOf } from './definition.ts'
import { type HarnessRun, testsRan } from './state.ts'

/**
 * The PLC whose program a test runs: the one that it names, or that has the address of the controller that it names, or
 * the only one of the project.
 * @throws GatewayError `not_found`, `conflict` when that is not one
 */
export function deviceOf(ctx: Pick<QueryContext, 'read'>, { name, instanceName }: HarnessTest): Device {
  const plcs = [...ctx.read(devices).values()].filter(({ kind, unplaced }) => kind === 'PLC' && !unplaced)
  if (instanceName !== undefined && instanceName !== '') {
    const named = findDevice(ctx, instanceName)
    if (named) return requirePlc(ctx, named.name)
    const wanted = instanceName.toLowerCase()
    const instance = [...ctx.read(instances).values()].find((one) => one.name.toLowerCase() === wanted)
    const addresses = new Set(instance?.network.map(({ ipAddress }) => ipAddress))
    const reached = plcs.filter(({ network }) =>
      network?.interfaces.some(({ ipAddress }) => ipAddress !== undefined && addresses.has(ipAddress)),
    )
    if (reached.length === 1) return reached[0]!
    if (instance === undefined) return requirePlc(ctx, instanceName)
  }
  if (plcs.length === 1) return plcs[0]!
  throw problem('conflict', `Test "${name}" does not say which of the ${plcs.length} PLCs it tests.`, {
    suggestion: `Set instanceName to one of: ${plcs.map((one) => one.name).join(', ')}.`,
  })
}

/**
 * Runs tests and keeps how they ended.
 * @param device that all run on; absent: each on its own
 * @throws GatewayError as {@link deviceOf}
 */
export async function runTests(
  ctx: CommandContext,
  tests: readonly HarnessTest[],
  device?: Device,
): Promise<HarnessRun> {
  requireProject(ctx)
  const groups = new Map<Device, HarnessTest[]>()
  for (const test of tests) {
    const on = device ?? deviceOf(ctx, test)
    groups.set(on, [...(groups.get(on) ?? []), test])
  }
  const results = new Map<string, TestResult>()
  let done = 0
  for (const [on, own] of groups) {
    ctx.signal.throwIfAborted()
    ctx.progress((100 * done) / tests.length, `Testing ${on.name}`)
    const content = { title: on.name, program: await deviceProgram(ctx, on), files: own.map(testFileOf) }
    const ran = await ctx.engine.run<TestRun>(
      runTask({ content: { ...content, named: {}, faults: [] }, selection: { tags: [harnessTag] } }),
    )
    const byName = new Map(ran.results.map((one) => [one.file, one]))
    for (const test of own) results.set(test.name, resultOf(test, byName.get(test.name) ?? notRun(test, ran), ctx.now))
    done += own.length
  }
  const all = tests.map(({ name }) => results.get(name)!)
  const durationMs = all.reduce((sum, one) => sum + one.durationMs, 0)
  const startedAt = new Date(ctx.now).toISOString()
  const completedAt = new Date(ctx.now + Math.round(durationMs)).toISOString()
  const run = { results: all, startedAt, completedAt, durationMs }
  ctx.emit(testsRan, run)
  return run
}

/** A test of which the runner tells nothing. */
function notRun({ name }: HarnessTest, { notes, faults }: TestRun): CaseResult {
  const message = [...faults.map((one) => one.message), ...notes].join(' ') || 'It did not run.'
  const place = { line: 1, column: 1 }
  const failures = [{ ...place, step: 0, message }]
  return {
    file: name,
    name,
    tags: [],
    ...place,
    status: 'error',
    failures,
    cycles: 0,
    milliseconds: 0,
    wallMs: 0,
    trace: [],
  }
}

/** How a run ended, in numbers and whole. */
export function suiteOf({ results, ...times }: HarnessRun) {
  const passed = results.filter((one) => one.passed).length
  return { total: results.length, passed, failed: results.length - passed, results, ...times }
}
