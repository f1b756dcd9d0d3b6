/** The test harness that clients of this API family know: `/api/testharness`. What runs is loaded on first use. */
import {
  type CommandContext,
  command,
  defined,
  del,
  get,
  noInput,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
  type TSchema,
} from '../../../core/index.ts'
import { requirePlc } from '../../devices/index.ts'
import { tagValue } from '../../program-objects/index.ts'
import { requireProject } from '../../projects/index.ts'
import type { HarnessTest } from './definition.ts'
import { allTests, harnessTests, lastRunOf, requireTest, testDeleted, testKey, testSaved } from './state.ts'

const mcp = { toolset: 'review' }
const base = '/api/testharness'

const values = <V extends TSchema>(t: SchemaBuilder, value: V, description: string) =>
  t.Optional(t.Record(t.String(), value, { maxProperties: 1000, description }))
const text = (t: SchemaBuilder, description?: string) =>
  t.Optional(t.String({ maxLength: 10_000, ...defined({ description }) }))
const testName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the test; case does not matter.' })

/** @param value schema of a value: answers have a name for it, inputs take anything */
const testFields = <V extends TSchema>(t: SchemaBuilder, value: V) => ({
  name: testName(t),
  description: text(t),
  instanceName: text(
    t,
    'The PLC whose program is tested, or the controller with its address. Default: the only PLC of the project.',
  ),
  setup: values(t, value, 'Tags that are written first, by their paths: `Start`, `"Data".motor.speed`, `%MW10`.'),
  steps: t.Array(
    t.Object({
      description: text(t),
      write: values(t, value, 'Tags that are written.'),
      waitMs: t.Optional(
        t.Number({ minimum: 0, maximum: 86_400_000, description: 'Virtual time that runs then. Default: one cycle.' }),
      ),
      assert: t.Optional(
        t.Record(
          t.String(),
          t.Object({
            expected: t.Optional(value),
            tolerance: t.Optional(t.Number({ minimum: 0, description: 'How far from expected it may be.' })),
            min: t.Optional(t.Number()),
            max: t.Optional(t.Number()),
            notEqual: t.Optional(value),
          }),
          { maxProperties: 1000, description: 'What tags must be at the end of the step.' },
        ),
      ),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
  teardown: values(t, value, 'Tags that are written last. Each test begins from the start values all the same.'),
})

const suiteFields = (t: SchemaBuilder) => ({
  total: t.Integer(),
  passed: t.Integer(),
  failed: t.Integer(),
  results: t.Array(
    t.Object({
      testName: t.String(),
      description: t.String(),
      passed: t.Boolean(),
      error: t.Optional(t.String({ description: 'Step and reason.' })),
      steps: t.Array(
        t.Object({
          stepIndex: t.Integer({ description: 'From 0.' }),
          description: t.String(),
          passed: t.Boolean({ description: 'False too for steps behind the one that failed: they did not run.' }),
          assertions: t.Array(
            t.Object({
              tagName: t.String(),
              passed: t.Boolean(),
              message: t.String(),
              actualValue: t.Optional(tagValue(t)),
              expectedValue: tagValue(t),
            }),
          ),
        }),
      ),
      startedAt: t.DateTime(),
      completedAt: t.DateTime(),
      durationMs: t.Number({ description: 'Virtual time.' }),
    }),
  ),
  startedAt: t.DateTime(),
  completedAt: t.DateTime(),
  durationMs: t.Number(),
})

const list = query({
  id: 'plc-tests.list-harness-tests',
  title: 'List the tests of the test harness',
  description: 'Names of the tests that are defined in the open project, sorted.',
  input: noInput,
  output: (t) => t.Object({ tests: t.Array(t.String()), total: t.Integer() }),
  http: [get(`${base}/tests`)],
  mcp,
  run(_, ctx) {
    requireProject(ctx)
    const tests = allTests(ctx).map(({ name }) => name)
    return { tests, total: tests.length }
  },
})

const show = query({
  id: 'plc-tests.get-harness-test',
  title: 'Show a test of the test harness',
  input: (t) => t.Object({ name: testName(t) }),
  output: (t) => t.Object(testFields(t, tagValue(t))),
  http: [get(`${base}/tests/{name}`)],
  mcp,
  run({ name }, ctx) {
    requireProject(ctx)
    return requireTest(ctx, name)
  },
})

const save = command({
  id: 'plc-tests.save-harness-test',
  title: 'Define a test of the test harness, or replace it',
  description:
    'Setup, then steps that write tags, let time run and compare, then teardown. It is kept in the project (`tests/harness/<name>.json`).',
  input: (t) => t.Object(testFields(t, t.Any({ description: 'JSON value, or a constant as text: "T#2s".' }))),
  output: (t) => t.Object({ name: t.String(), steps: t.Integer(), created: t.Boolean() }),
  http: [post(`${base}/tests`)],
  mcp,
  aliases: { name: ['testName'] },
  example: {
    name: 'Lamp follows the button',
    setup: { Start: false },
    steps: [{ description: 'press', write: { Start: true }, waitMs: 100, assert: { Lamp: { expected: true } } }],
  },
  run(input, ctx) {
    requireProject(ctx)
    const test = input as HarnessTest
    requireSomething(test)
    const created = !ctx.read(harnessTests).has(testKey(test.name))
    ctx.emit(testSaved, test, `test/${test.name}`)
    return { name: test.name, steps: test.steps.length, created }
  },
})

/** @throws GatewayError `invalid_input` for an assertion that asserts nothing, a tolerance of nothing, a bad name */
function requireSomething({ name, steps }: HarnessTest): void {
  const wrong = (path: string, message: string) =>
    problem('invalid_input', `${path}: ${message}.`, { errors: [{ path, message }] })
  if (name === '*' || /[\\/]/.test(name)) throw wrong('/name', 'must not be * or have / or \\: it is part of addresses')
  for (const [i, step] of steps.entries())
    for (const [tag, assertion] of Object.entries(step.assert ?? {})) {
      const path = `/steps/${i}/assert/${tag.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (Object.keys(assertion).length === 0) throw wrong(path, 'needs expected, min, max or notEqual')
      if (assertion.tolerance !== undefined && typeof assertion.expected !== 'number')
        throw wrong(`${path}/tolerance`, 'is for an expected number')
    }
}

const remove = command({
  id: 'plc-tests.delete-harness-test',
  title: 'Delete a test of the test harness',
  input: (t) => t.Object({ name: testName(t) }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean() }),
  http: [del(`${base}/tests/{name}`)],
  mcp: { ...mcp, destructive: true },
  run(input, ctx) {
    requireProject(ctx)
    const { name } = requireTest(ctx, input.name)
    ctx.emit(testDeleted, { name }, `test/${name}`)
    return { name, deleted: true }
  },
})

const run = command({
  id: 'plc-tests.run-harness-tests',
  title: 'Run tests of the test harness on private virtual controllers',
  description:
    'Runs the program of the open project from its start values, in virtual time; running controllers and the project stay as they are. With `deviceName` all run the program of that PLC.',
  input: (t) =>
    t.Object({
      testName: t.Optional(
        t.String({ minLength: 1, maxLength: 200, description: 'A test; `*`: all of them. Default: *.' }),
      ),
      deviceName: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'The PLC.' })),
    }),
  output: (t) => t.Object(suiteFields(t)),
  http: [post(`${base}/run`, 'async'), post(`${base}/run-sync`), post('/api/tests/run')],
  mcp,
  aliases: { testName: ['name', 'test'], deviceName: ['device'] },
  run: async (input, ctx) => runWanted(ctx, input),
})

async function runWanted(ctx: CommandContext, input: { readonly testName?: string; readonly deviceName?: string }) {
  requireProject(ctx)
  const { testName: wanted = '*', deviceName } = input
  const tests = wanted === '*' ? allTests(ctx) : [requireTest(ctx, wanted)]
  if (tests.length === 0)
    throw problem('conflict', 'No test is defined in the project.', {
      suggestion: `POST ${base}/tests defines one.`,
    })
  const { runTests, suiteOf } = await import('./run.ts')
  return suiteOf(await runTests(ctx, tests, deviceName === undefined ? undefined : requirePlc(ctx, deviceName)))
}

const results = query({
  id: 'plc-tests.get-harness-results',
  title: 'Show how the last run of the test harness ended',
  description: '404 when nothing has run since the project was opened.',
  input: noInput,
  output: (t) => t.Object(suiteFields(t)),
  http: [get(`${base}/results`)],
  mcp,
  async run(_, ctx) {
    requireProject(ctx)
    const last = lastRunOf(ctx)
    if (last === undefined) throw problem('not_found', 'No test of the harness has run since the project was opened.')
    return (await import('./run.ts')).suiteOf(last)
  },
})

export const harnessOperations: readonly Operation[] = [list, show, save, remove, run, results]
