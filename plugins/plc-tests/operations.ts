/** The operation of this plugin. What it does is loaded on first use. */
import {
  defined,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { fileFormat, tagValue } from '../program-objects/index.ts'
import type { TestRun } from './run.task.ts'

const share = (t: SchemaBuilder, description: string) =>
  t.Object({ covered: t.Integer(), all: t.Integer() }, { description })

const run = query({
  id: 'plc-tests.run',
  title: 'Run the tests of the project or of a folder of exports on private virtual controllers',
  description:
    'Compiles the program of a PLC of the open project (`deviceName`; default: the only one with tests), or that below a folder of the workspace (`path`), and runs its `*.test.yml` and blocks Test_… in virtual time, each case from the start image. The open project and its controllers stay as they are. `plc-tests.write` writes tests.',
  input: (t) =>
    t.Object({
      deviceName: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'A PLC of the open project.' })),
      path: t.Optional(t.String({ minLength: 1, maxLength: 4096, description: 'Instead: a folder of the workspace.' })),
      names: t.Optional(
        t.Array(t.String({ minLength: 1, maxLength: 500 }), {
          maxItems: 100,
          description: 'Only cases whose name has one of these texts, or matches it with *.',
        }),
      ),
      tags: t.Optional(
        t.Array(t.String({ minLength: 1, maxLength: 500 }), {
          maxItems: 100,
          description: 'Only cases with one of these tags.',
        }),
      ),
      show: t.Optional(t.Enum(['all', 'failed'], { description: 'Cases in `results`. Default: all.' })),
      coverage: t.Optional(
        t.Boolean({ description: 'Record what the tests run of the program: `coverage` of the answer.' }),
      ),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 100_000, description: 'Most `results`. Default: 1000.' })),
    }),
  output: (t) =>
    t.Object({
      passed: t.Boolean({ description: 'Cases ran, all passed, and no test file has faults.' }),
      counts: t.Object({
        ...{ passed: t.Integer(), failed: t.Integer(), error: t.Integer() },
        skipped: t.Integer({
          description: 'Blocks that only have the name of a test (Test_…): not one of their assertions can run.',
        }),
        notSelected: t.Integer(),
      }),
      results: t.Array(
        t.Object({
          file: t.String({ description: 'Relative to the folder.' }),
          name: t.String(),
          tags: t.Array(t.String()),
          line: t.Integer(),
          column: t.Integer(),
          status: t.Enum(['passed', 'failed', 'error', 'skipped'], {
            description:
              '`error`: it could not be carried out (the program traps, a limit, a wrong name, no assertion); `skipped`: it is no test.',
          }),
          failures: t.Array(
            t.Object({
              line: t.Integer({ description: 'In the test file, from 1.' }),
              column: t.Integer(),
              step: t.Integer({ description: 'From 1; 0: before the first.' }),
              message: t.String(),
              path: t.Optional(t.String()),
              expected: t.Optional(t.String()),
              actual: t.Optional(t.String()),
            }),
          ),
          cycles: t.Integer(),
          milliseconds: t.Number({ description: 'Virtual time.' }),
          wallMs: t.Number(),
          trace: t.Array(t.Object({ path: t.String(), values: t.Array(tagValue(t)) }), {
            description: 'Of a case that did not pass: involved variables over the last cycles, the newest last.',
          }),
        }),
      ),
      omitted: t.Integer({ description: 'Results that are not in the answer, because of `show` or `limit`.' }),
      faults: t.Array(t.Object({ file: t.String(), line: t.Integer(), column: t.Integer(), message: t.String() }), {
        description: 'Of test files; their cases did not run.',
      }),
      notes: t.Array(t.String(), {
        description: 'Files of the program that cannot be read; that no case is selected.',
      }),
      coverage: t.Optional(
        t.Array(
          t.Object({
            block: t.String(),
            file: t.String(),
            statements: share(t, 'Statements of texts, networks, boxes.'),
            branches: share(t, 'Ways of IF and CASE.'),
            conditions: share(t, 'TRUE and FALSE of contacts, comparisons, gates; steps and transitions.'),
          }),
        ),
      ),
    }),
  http: [post('/api/plc-tests/actions/run'), post('/api/devices/{deviceName}/plc-tests/actions/run')],
  mcp: { toolset: 'review' },
  aliases: { deviceName: ['device', 'plc'] },
  example: { path: 'plant/PLC_1' },
  async run({ deviceName, path, names, tags, show = 'all', limit = 1000, coverage = false }, ctx) {
    if (path !== undefined && deviceName !== undefined) {
      const message = 'cannot be given beside deviceName: the tests are those of the project or of a folder'
      throw problem('invalid_input', `/path: ${message}.`, { errors: [{ path: '/path', message }] })
    }
    const { projectTestContent, testedDevice } = await import('./project/content.ts')
    const device = path === undefined ? testedDevice(ctx, deviceName) : undefined
    const content = device ? await projectTestContent(ctx, device) : await folderContent(ctx, path!)
    const { runTask } = await import('./run.task.ts')
    const { totalsOf } = await import('./coverage.ts')
    const found = await ctx.engine.run<TestRun>(
      runTask({ content, selection: defined({ names, tags }), ...(coverage ? { coverage: 'data' } : {}) }),
    )
    if (found.results.length + found.faults.length + found.skipped === 0)
      throw problem(
        'unacceptable_content',
        `"${device?.name ?? path}" holds no tests: there is no file *.test.yml and no block Test_….`,
        device ? { suggestion: `POST /api/devices/${encodeURIComponent(device.name)}/plc-tests` } : {},
      )
    const count = (wanted: string) => found.results.filter(({ status }) => status === wanted).length
    const counts = {
      ...{ passed: count('passed'), failed: count('failed'), error: count('error'), skipped: count('skipped') },
      notSelected: found.skipped,
    }
    const shown = found.results.filter(({ status }) => show === 'all' || status !== 'passed').slice(0, limit)
    return {
      passed: found.faults.length === 0 && counts.passed > 0 && counts.passed + counts.skipped === found.results.length,
      counts,
      results: JSON.parse(JSON.stringify(shown)),
      omitted: found.results.length - shown.length,
      faults: [...found.faults],
      notes: [...found.notes],
      ...(found.coverage
        ? { coverage: found.coverage.map((one) => ({ block: one.block, file: one.file, ...totalsOf([one]) })) }
        : {}),
    }
  },
})

async function folderContent(ctx: QueryContext, path: string) {
  const info = await ctx.files.stat(path)
  if (info === undefined) throw problem('not_found', `There is nothing at "${path}".`)
  if (!info.isDirectory) throw problem('unacceptable_content', `"${path}" is a file; name a folder with tests.`)
  const { readTestContent } = await import('./test-content.ts')
  return await readTestContent(ctx.files, await ctx.files.resolve(path), ctx.extensions(fileFormat)).catch(
    (error: Error) => {
      throw error.name === 'FolderError' ? problem('payload_too_large', error.message) : error
    },
  )
}

const generate = query({
  id: 'plc-tests.generate',
  title: 'Write tests from the loaded design spec, or from the recorded trace of a virtual controller',
  description:
    'With `from: design-spec`: cases for each row of the state table in each step of each phase (start, entry action, each condition both ways, Hold, Abort …). With `from: trace`: the inputs as they were recorded, and the other values as they must be. The answer has the test files; nothing is written. 409 when no spec is loaded or nothing is recorded.',
  live: true,
  input: (t) =>
    t.Object({
      from: t.Enum(['design-spec', 'trace']),
      phases: t.Optional(
        t.Array(t.String({ minLength: 1, maxLength: 200 }), {
          minItems: 1,
          maxItems: 10_000,
          description: 'Of the design spec. Default: all.',
        }),
      ),
      instanceName: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'The controller of the trace.' })),
      inputs: t.Optional(
        t.Array(t.String({ minLength: 1, maxLength: 500 }), {
          maxItems: 1000,
          description: 'Tags of the trace that come from outside, with *. Default: those with an input address.',
        }),
      ),
    }),
  output: (t) =>
    t.Object({
      files: t.Array(t.Object({ name: t.String(), content: t.String(), cases: t.Integer() })),
      warnings: t.Array(t.String(), { description: 'What the tests do not have, and why.' }),
    }),
  http: [post('/api/plc-tests/actions/generate')],
  mcp: { toolset: 'review' },
  example: { from: 'design-spec' },
  async run(input, ctx) {
    const { generatedTests } = await import('./generate-for-gateway.ts')
    const made = await generatedTests(ctx, input)
    return {
      files: made.map(({ name, content, cases }) => ({ name, content, cases })),
      warnings: made.flatMap(({ notes }) => [...notes]),
    }
  },
})

export const testOperations: readonly Operation[] = [run, generate]
