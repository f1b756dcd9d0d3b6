/** The report of a verification: made, listed and read again. */
import {
  type CommandContext,
  command,
  defined,
  get,
  type Operation,
  post,
  query,
  type SchemaBuilder,
} from '../../../core/index.ts'
import { findBlock } from '../../blocks/index.ts'
import { requirePlc } from '../../devices/index.ts'
import { exportFile } from '../../program-objects/index.ts'
import { currentProject } from '../../projects/index.ts'
import { unitTypesOf } from '../model/model.ts'
import { type LoadedSpec, requireSpec } from '../spec.ts'
import type { PhaseReport } from './report.ts'
import { findReport, type VerificationReport, verificationReported, verificationReports } from './reports.ts'
import { defaultScans, verifyFields } from './verify-fields.ts'

/** Checks that a report lists one by one, about: it stays a file that a browser opens and prints. */
const mostChecks = 50_000

const reportPath = '/api/design-spec/verification-reports'

const reportSchema = (t: SchemaBuilder) =>
  t.Object({
    id: t.String({ description: 'The id of the job that made it.' }),
    path: t.String({ description: 'GET it: the HTML file.' }),
    createdAt: t.DateTime(),
    actor: t.String(),
    project: t.String(),
    sourceName: t.String(),
    specHash: t.String({ description: 'SHA-256 of the spec.' }),
    programHash: t.String({ description: 'SHA-256 over the verified blocks.' }),
    result: t.String({ description: 'passed, incomplete (not all could be tested), or failed.' }),
    phases: t.Integer(),
    checks: t.Integer(),
    failed: t.Integer(),
    size: t.Integer({ description: 'Bytes of the HTML.' }),
  })

const viewOf = ({ html: _, createdAt, ...report }: VerificationReport) => ({
  ...report,
  path: `${reportPath}/${report.id}`,
  createdAt: new Date(createdAt).toISOString(),
})

const formatField = (t: SchemaBuilder) =>
  t.Optional(
    t.Enum(['html', 'summary'], { description: '`summary`: what it says in short, and its path. Default: html.' }),
  )

const htmlOrSummary = (t: SchemaBuilder) => t.Union([t.String({ description: 'HTML.' }), reportSchema(t)])

const text = (t: SchemaBuilder, description: string) =>
  t.Optional(t.String({ minLength: 1, maxLength: 200, description }))

const createReport = command({
  id: 'design-spec.create-verification-report',
  title: 'Check phases and write a report that can be signed',
  description: `Checks phases as \`design-spec.verify-phases\` does and answers one HTML file without scripts or other files: title page, summary, deviations, what was not tested, each requirement with stimulus, expected and observed values, and fields for signatures. It prints on A4. The newest 50 are kept: \`GET ${reportPath}/{reportId}\`, the id being that of the job (\`X-Job-Id\`). 409 when no spec is loaded.`,
  input: (t) =>
    t.Object({
      ...verifyFields(t),
      projectName: text(t, 'For the title page. Default: the open project, or the name of the spec.'),
      customer: text(t, 'For the title page and the signature.'),
      tester: text(t, 'For the title page and the signature.'),
      filePath: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 4096,
          description:
            'A file or folder of the workspace that it is written to as well. An existing file is refused (409) unless `overwrite` is true.',
        }),
      ),
      overwrite: t.Optional(t.Boolean({ description: 'Replace an existing file.' })),
      format: formatField(t),
    }),
  output: htmlOrSummary,
  http: [
    post('/api/design-spec/actions/verification-report-sync'),
    post('/api/design-spec/actions/verification-report', 'async'),
  ],
  mcp: { toolset: 'design-spec', destructive: true, defaults: { format: 'summary' } },
  produces: 'text/html',
  live: true,
  needsInstance: true,
  aliases: { deviceName: ['device'], phases: ['phaseNames'], projectName: ['project'] },
  example: { phases: ['Fill'], customer: 'Brewery Ltd' },
  async run({ phases: names, deviceName, maxScans = defaultScans, filePath, overwrite, format, ...titles }, ctx) {
    const spec = requireSpec(ctx)
    // Known before minutes of checks: a report that may be signed is not replaced by accident.
    const file =
      filePath === undefined
        ? undefined
        : await exportFile(ctx, `${ctx.jobId} verification`, '.html', filePath, overwrite ?? false)
    const { verifyPhases } = await import('./verify.ts')
    const device = deviceName === undefined ? undefined : requirePlc(ctx, deviceName)
    const reports = await verifyPhases(ctx, spec, names, maxScans, { record: { left: mostChecks } })
    const phases = reports.map((report) => {
      if (!device) return report
      return { ...report, deviceBlock: findBlock(ctx, device.id, report.blockName) ? 'present' : 'missing' }
    })
    const { html, report } = await writeReport(ctx, spec, phases, { ...titles, device: device?.name })
    if (file !== undefined) await ctx.files.write(file, html)
    ctx.emit(verificationReported, report, `design-spec/${spec.sourceName}`)
    return format === 'summary' ? viewOf(report) : html
  },
})

interface Titles {
  readonly projectName?: string | undefined
  readonly customer?: string | undefined
  readonly tester?: string | undefined
  readonly device: string | undefined
}

async function writeReport(
  ctx: CommandContext,
  spec: LoadedSpec,
  phases: readonly PhaseReport[],
  { projectName, ...titles }: Titles,
): Promise<{ html: string; report: VerificationReport }> {
  const [{ modelOf }, { programHash, reportPage }, { countsOf, verdictOf }] = await Promise.all([
    import('../load/load.ts'),
    import('./html/page.ts'),
    import('./html/words.ts'),
  ])
  const model = await modelOf(ctx, spec)
  const verified = new Set(phases.map(({ phase }) => phase))
  const units = [...unitTypesOf(model)].filter(({ unit }) => unit.phases.some(({ name }) => verified.has(name)))
  const specHash = spec.source.replace(/^sha256:/, '')
  const project = projectName ?? currentProject(ctx)?.name ?? spec.sourceName.replace(/\.[^.]*$/, '')
  const facts = defined({
    ...titles,
    project,
    units: units.map(({ area, cell, unit }) => `${unit.name} (${cell.name}, ${area.name})`),
    specFile: spec.sourceName,
    specHash,
    gantryVersion: ctx.gateway.version,
    time: ctx.now,
    actor: ctx.actor.name,
    leftOut: [...unitTypesOf(model)]
      .flatMap(({ unit }) => unit.phases.map(({ name }) => name))
      .filter((name) => !verified.has(name)),
    id: ctx.jobId,
  })
  const html = reportPage(phases, facts)
  const { checks, failed } = countsOf(phases)
  const result = { good: 'passed', open: 'incomplete', bad: 'failed' } as const
  const report: VerificationReport = {
    id: ctx.jobId,
    createdAt: ctx.now,
    actor: ctx.actor.name,
    project,
    sourceName: spec.sourceName,
    specHash,
    programHash: programHash(phases),
    result: result[verdictOf(phases).kind],
    phases: phases.length,
    checks,
    failed,
    html: await ctx.blobs.put(html),
    size: Buffer.byteLength(html),
  }
  return { html, report }
}

const readReport = query({
  id: 'design-spec.get-verification-report',
  title: 'Read the report of a verification again',
  input: (t) =>
    t.Object({
      reportId: t.String({ minLength: 1, maxLength: 200, description: 'The id of the job that made it.' }),
      format: formatField(t),
    }),
  output: htmlOrSummary,
  http: [get(`${reportPath}/{reportId}`)],
  mcp: { toolset: 'design-spec', defaults: { format: 'summary' } },
  produces: 'text/html',
  aliases: { reportId: ['jobId', 'id'] },
  async run({ reportId, format }, ctx) {
    const report = findReport(ctx, reportId)
    return format === 'summary' ? viewOf(report) : ctx.blobs.text(report.html)
  },
})

const listReports = query({
  id: 'design-spec.list-verification-reports',
  title: 'List the reports of verifications, newest first',
  description: 'The newest 50 are kept.',
  input: (t) => t.Object({}),
  output: (t) => t.Object({ reports: t.Array(reportSchema(t)), total: t.Integer() }),
  http: [get(reportPath)],
  mcp: { toolset: 'design-spec' },
  run(_input, ctx) {
    const reports = [...ctx.read(verificationReports).values()].reverse().map(viewOf)
    return { reports, total: reports.length }
  },
})

export const reportOperations: readonly Operation[] = [createReport, readReport, listReports]
