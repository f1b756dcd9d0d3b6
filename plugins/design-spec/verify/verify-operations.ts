/** The operation that checks phases on a virtual controller. */

import { type Operation, post, query, type SchemaBuilder } from '../../../core/index.ts'
import { findBlock } from '../../blocks/index.ts'
import { requirePlc } from '../../devices/index.ts'
import { tagValue } from '../../program-objects/index.ts'
import { requireSpec } from '../spec.ts'
import { reportOperations } from './report-operations.ts'
import { defaultScans, verifyFields } from './verify-fields.ts'

const rowSchema = (t: SchemaBuilder) =>
  t.Object({
    row: t.String({
      description:
        'idle, start, entry-action, wait, transition, final, hold, abort, restart, unknown-step, and what the spec adds (timeout, interlock, states, …); `rule` says what it asks for.',
    }),
    rule: t.String(),
    result: t.String({ description: 'passed, failed, incomplete (see `missing`) or notChecked.' }),
    checks: t.Integer({ description: 'Scans that were compared.' }),
    failed: t.Integer(),
    missing: t.Array(t.Object({ step: t.Integer(), reason: t.String() }), {
      description: 'Steps in which it was not checked.',
    }),
  })

const failureSchema = (t: SchemaBuilder) =>
  t.Object({
    row: t.String(),
    step: t.Integer({ description: 'Active before the scan; 0: idle.' }),
    scan: t.Integer(),
    message: t.String(),
    differences: t.Array(t.Object({ variable: t.String(), expected: tagValue(t), actual: tagValue(t) })),
    trace: t.Array(
      t.Object({
        scan: t.Integer(),
        row: t.String(),
        written: t.Record(t.String(), tagValue(t), { description: 'Before the scan.' }),
        state: t.Record(t.String(), tagValue(t), { description: 'After it.' }),
      }),
      { description: 'The last scans, oldest first; the one that failed stands last.' },
    ),
  })

const verifyPhases = query({
  id: 'design-spec.verify-phases',
  title: 'Check the phases of the design spec on a virtual controller',
  description: `Generates the blocks of the phases into a scratch program, compiles it and runs it on a private controller in stepped time; neither the project nor an instance is touched. Each phase is driven by its commands and the In variables of its control modules through every row of the state table, in every step, and the whole instance is compared after every scan. Inputs that make a condition TRUE or FALSE are searched for; where none are found the step is told as not reached, with the reason. When only Out variables can make a condition TRUE they are set and told as \`presets\`. 409 when no spec is loaded.`,
  input: (t) => t.Object(verifyFields(t)),
  output: (t) => {
    const inputs = t.Record(t.String(), tagValue(t), { description: 'What was written so that the condition held.' })
    return t.Object({
      success: t.Boolean({ description: 'No phase failed and all compile.' }),
      complete: t.Boolean({ description: 'Every row was checked in every step of every phase.' }),
      sourceName: t.String(),
      scans: t.Integer(),
      phases: t.Array(
        t.Object({
          phase: t.String(),
          blockName: t.String(),
          blockHash: t.Optional(t.String({ description: 'SHA-256 of its source; absent when it does not compile.' })),
          deviceBlock: t.Optional(t.String({ description: 'present or missing; only with `deviceName`.' })),
          result: t.String({
            description:
              'passed; incomplete: what was checked holds, but not all could be checked; failed; notCompiled.',
          }),
          scans: t.Integer(),
          coverage: t.Object(
            { reached: t.Integer(), total: t.Integer(), percent: t.Number() },
            { description: 'Steps that were active.' },
          ),
          rows: t.Array(rowSchema(t)),
          steps: t.Array(t.Object({ number: t.Integer(), name: t.String(), reached: t.Boolean() })),
          transitions: t.Array(
            t.Object({
              from: t.Integer(),
              to: t.Integer(),
              condition: t.String(),
              taken: t.Boolean(),
              inputs,
              presets: t.Array(t.String(), { description: 'Those among them that are no In variables.' }),
            }),
          ),
          unreachable: t.Array(t.Object({ number: t.Integer(), name: t.String(), reason: t.String() })),
          failures: t.Array(failureSchema(t)),
          errors: t.Array(
            t.Object({
              code: t.String(),
              object: t.String(),
              message: t.String(),
              line: t.Optional(t.Integer()),
              column: t.Optional(t.Integer()),
            }),
            { description: 'Of the compiler.' },
          ),
          limited: t.Boolean({ description: 'The limit of scans ended the check.' }),
        }),
      ),
    })
  },
  http: [post('/api/design-spec/actions/verify-phases-sync'), post('/api/design-spec/actions/verify-phases', 'async')],
  mcp: { toolset: 'design-spec' },
  access: 'engineer',
  live: true,
  needsInstance: true,
  aliases: { deviceName: ['device'], phases: ['phaseNames'] },
  example: { phases: ['Fill'] },
  async run({ phases: names, deviceName, maxScans = defaultScans }, ctx) {
    const spec = requireSpec(ctx)
    const { verifyPhases: verify } = await import('./verify.ts')
    const device = deviceName === undefined ? undefined : requirePlc(ctx, deviceName)
    const reports = await verify(ctx, spec, names, maxScans)
    return {
      success: reports.every(({ result }) => result === 'passed' || result === 'incomplete'),
      complete: reports.every(({ result }) => result === 'passed'),
      sourceName: spec.sourceName,
      scans: reports.reduce((sum, { scans }) => sum + scans, 0),
      phases: reports.map((report) => {
        if (!device) return report
        return { ...report, deviceBlock: findBlock(ctx, device.id, report.blockName) ? 'present' : 'missing' }
      }),
    }
  },
})

export const verifyOperations: readonly Operation[] = [verifyPhases, ...reportOperations]
