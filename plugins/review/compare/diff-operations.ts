/** What differs: of two programs, and by a job. What they do is loaded on first use. */
import { get, type Operation, post, query, type SchemaBuilder } from '../../../core/index.ts'
import { cultureOf } from '../../program-objects/index.ts'
import type { DiffAnswer } from './diff.task.ts'
import { sideContent } from './side-content.ts'

const networkSide = (t: SchemaBuilder) =>
  t.Object({
    number: t.Integer(),
    pictures: t.Optional(
      t.Array(t.String(), {
        description: 'SVG; of GRAPH each sequence. Elements that differ have the class added, removed or changed.',
      }),
    ),
    text: t.Optional(t.String({ description: 'Of a text language and of GRAPH.' })),
  })

const changeOf = (t: SchemaBuilder) => t.Enum(['added', 'removed', 'changed'])

/** An object that differs, with what does; the last two with `pictures`. */
const changedObjectFields = (t: SchemaBuilder, kinds: string) => ({
  name: t.String(),
  kind: t.String({ description: kinds }),
  change: t.Enum(['added', 'removed', 'changed', 'written'], {
    description: '`written`: it means the same, and only its notation differs (`16#FF` and 255, `#a` and `a`).',
  }),
  differences: t.Array(
    t.Object({
      aspect: t.String({
        description:
          'code, interface, startValues, comments, properties, tags, constants or rows; of hardware modules or addresses; text: only the notation differs.',
      }),
      path: t.String({ description: '`network 3`, `Static.motor.speed`, the name of a tag.' }),
      change: t.Enum(['added', 'removed', 'changed', 'moved']),
      left: t.Optional(t.String()),
      right: t.Optional(t.String()),
    }),
  ),
  more: t.Optional(t.Integer({ description: 'Differences that are not in `differences`: there are very many.' })),
  text: t.Optional(t.String({ description: 'Of an object of one side: its source, or its interface as text.' })),
  networks: t.Optional(
    t.Array(
      t.Object({
        change: changeOf(t),
        title: t.String(),
        left: t.Optional(networkSide(t)),
        right: t.Optional(networkSide(t)),
        sameElements: t.Optional(t.Boolean({ description: 'Only wires, labels or comments differ.' })),
      }),
      { description: 'Networks that differ, side by side.' },
    ),
  ),
})

const picturesField = (t: SchemaBuilder) =>
  t.Optional(t.Boolean({ description: 'With the networks that differ, drawn. Default: false.' }))

const cultureField = (t: SchemaBuilder) =>
  t.Optional(t.String({ maxLength: 20, description: 'Language of titles and comments. Default: en-US.' }))

const mostField = (t: SchemaBuilder) =>
  t.Optional(
    t.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Most objects in the answer and in its report. Default: 1000.',
    }),
  )

const diff = query({
  id: 'review.diff',
  title: 'Compare two programs by meaning: folders of exports, devices, snapshots',
  description:
    'Compares the programs of two sides: files or folders of the workspace (or .zapNN, .apNN), the open project (`project:`), a device (`device:PLC_1`) or an object of it (`device:PLC_1/Motor`), each also as it was (`device:PLC_1@2026-03-01T08:00:00Z`, or @ and the number of a record), a snapshot of a block or tag table (`snapshot:<id>`). What differs: objects, members, start values, comments, properties, tags, networks and statements; of AML files, projects and devices also stations, modules, addresses and attributes. Programs of several controllers are compared controller by controller. Layout and ids do not count; an object whose notation alone differs is `written`. HTML is one page that loads nothing from elsewhere, with networks side by side and changed elements marked.',
  input: (t) =>
    t.Object({
      left: t.String({
        minLength: 1,
        maxLength: 4096,
        description: 'Before: a path of the workspace, `project:`, `device:…` or `snapshot:…`.',
      }),
      right: t.String({ minLength: 1, maxLength: 4096, description: 'After: the same.' }),
      format: t.Optional(
        t.Enum(['json', 'text', 'html'], { description: 'text and html give the report as `text`. Default: json.' }),
      ),
      culture: cultureField(t),
      pictures: picturesField(t),
      mostObjects: mostField(t),
    }),
  output: (t) =>
    t.Object({
      objects: t.Array(
        t.Object({
          ...changedObjectFields(t, 'FB, FC, OB, GlobalDB, UDT, TagTable …; Device and Subnet of hardware.'),
          device: t.Optional(t.String({ description: 'Its controller, when the sides have several.' })),
          leftFile: t.Optional(
            t.String({ description: 'Relative to the folder; of the project: where an export would have it.' }),
          ),
          rightFile: t.Optional(t.String()),
        }),
        { description: 'By name.' },
      ),
      counts: t.Object({
        added: t.Integer(),
        removed: t.Integer(),
        changed: t.Integer(),
        written: t.Integer({ description: 'Objects that mean the same and are written differently.' }),
        same: t.Integer(),
      }),
      omitted: t.Integer({ description: 'Objects that differ and are not in the answer, because of `mostObjects`.' }),
      unread: t.Array(
        t.Object({
          side: t.Enum(['left', 'right']),
          file: t.String(),
          line: t.Integer(),
          column: t.Integer(),
          message: t.String(),
        }),
        { description: 'Files that could not be read: their objects count as absent.' },
      ),
      text: t.Optional(t.String({ description: 'The report.' })),
    }),
  http: [post('/api/review/actions/diff')],
  mcp: { toolset: 'review' },
  example: { left: 'plant/PLC_1', right: 'plant-new/PLC_1' },
  async run({ left, right, format = 'json', culture = 'en-US', mostObjects = 1000, pictures = false }, ctx) {
    const [a, b] = [await sideContent(ctx, left), await sideContent(ctx, right)]
    const { diffTask } = await import('./diff.task.ts')
    const {
      diff: found,
      pictures: drawn,
      ...report
    } = await ctx.engine.run<DiffAnswer>(
      diffTask({ left: a, right: b, names: { left, right }, format, culture, pictures, mostObjects }),
    )
    const count = (wanted: string) => found.objects.filter(({ change }) => change === wanted).length
    const objects = found.objects.slice(0, mostObjects)
    return {
      objects: objects.map((one, i) => ({ ...one, ...drawn?.[i] })),
      counts: {
        added: count('added'),
        removed: count('removed'),
        changed: count('changed'),
        written: count('written'),
        same: found.same,
      },
      omitted: found.objects.length - objects.length,
      unread: found.unread.map(({ side, file, line, column, message }) => ({ side, file, line, column, message })),
      ...report,
    }
  },
})

const jobChanges = query({
  id: 'review.job-changes',
  title: 'Show what a job changed, or a dry run would change',
  description:
    'Of a finished job what it changed, of a dry run what it would have changed in the project as it was then: object by object, before and after. Blocks, types and tag tables are compared by meaning, as `review.diff` does; everything else of the project field by field. A job that failed, or changed nothing in the project, has no objects; files are in the answer of a dry run. 409 while the job has not ended.',
  input: (t) =>
    t.Object({
      jobId: t.String({ minLength: 1, maxLength: 60 }),
      culture: t.Optional(
        t.String({ maxLength: 20, description: 'Language of titles and comments. Default: that of the project.' }),
      ),
      pictures: picturesField(t),
      mostObjects: mostField(t),
    }),
  output: (t) =>
    t.Object({
      command: t.String({ description: 'Operation id.' }),
      dryRun: t.Boolean(),
      objects: t.Array(
        t.Object({
          ...changedObjectFields(t, 'FB, FC, OB, GlobalDB, UDT, TagTable …; of other things: device, watch table …'),
          device: t.Optional(t.String()),
        }),
      ),
      counts: t.Object({
        added: t.Integer(),
        removed: t.Integer(),
        changed: t.Integer(),
        written: t.Integer({ description: 'Objects that mean the same and are written differently.' }),
      }),
      omitted: t.Integer({ description: 'Objects that are not in the answer, because of `mostObjects`.' }),
    }),
  http: [get('/api/review/jobs/{jobId}/changes')],
  mcp: { toolset: 'review' },
  live: true,
  async run({ jobId, culture, pictures = false, mostObjects = 1000 }, ctx) {
    const { jobChanges: read } = await import('./job-changes.ts')
    const { command, dryRun, objects } = await read(ctx, jobId, { culture: culture ?? cultureOf(ctx), pictures })
    const count = (wanted: string) => objects.filter(({ change }) => change === wanted).length
    return {
      command,
      dryRun,
      objects: objects.slice(0, mostObjects),
      counts: {
        added: count('added'),
        removed: count('removed'),
        changed: count('changed'),
        written: count('written'),
      },
      omitted: Math.max(0, objects.length - mostObjects),
    }
  },
})

export const diffOperations: readonly Operation[] = [diff, jobChanges]
