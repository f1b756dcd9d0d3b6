/** The operations on snapshots. Their implementation is loaded on first use. */

import {
  command,
  defined,
  del,
  get,
  notFound,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { blocksOf, findBlock, requireBlock } from '../blocks/index.ts'
import { findDevice, requireDevice } from '../devices/index.ts'
import { contentNetwork, interfaceMember } from '../program-objects/index.ts'
import { requireProject } from '../projects/index.ts'
import { findTagTable, requireTagTable, tagTablesOf } from '../tags/index.ts'
import {
  newestFirst,
  requireSnapshot,
  type Snapshot,
  type SnapshotType,
  snapshots,
  snapshotsDeleted,
  snapshotsOf,
} from './snapshot.ts'
import { snapshotFields, snapshotView } from './views.ts'

const objectName = (t: SchemaBuilder, description: string) => t.String({ minLength: 1, maxLength: 250, description })
const remarks = (t: SchemaBuilder) => ({
  label: t.Optional(t.String({ maxLength: 200, description: 'A short name for it.' })),
  comment: t.Optional(t.String({ maxLength: 10_000 })),
})
const kindField = (t: SchemaBuilder) =>
  t.Optional(t.Union([t.Literal('manual'), t.Literal('automatic'), t.Literal('all')], { description: 'Default: all.' }))
const listOutput = (t: SchemaBuilder) =>
  t.Object({
    snapshots: t.Array(t.Object(snapshotFields(t))),
    total: t.Integer(),
    nextCursor: t.Optional(t.String()),
  })

interface Page {
  readonly limit?: number
  readonly cursor?: string
  readonly q?: string
  readonly kind?: 'manual' | 'automatic' | 'all'
}

/**
 * A page of snapshots, sorted newest first. The cursor is the id of the last one, which may have been deleted since.
 */
function pageOf(all: readonly Snapshot[], { limit, cursor, q = '', kind = 'all' }: Page) {
  const wanted = q.toLowerCase()
  const matching = all.filter(
    (one) =>
      (kind === 'all' || one.kind === kind) &&
      (wanted === '' || [one.name, one.label, one.comment].some((text) => text?.toLowerCase().includes(wanted))),
  )
  const after = cursor === undefined ? undefined : splitCursor(cursor)
  const rest = after === undefined ? matching : matching.filter((one) => newestFirst(after, one) < 0)
  const page = limit === undefined ? rest : rest.slice(0, limit)
  const last = page.at(-1)
  return {
    snapshots: page.map(snapshotView),
    total: matching.length,
    ...(last && page.length < rest.length ? { nextCursor: `${last.createdAt}:${last.id}` } : {}),
  }
}

function splitCursor(cursor: string): Pick<Snapshot, 'createdAt' | 'id'> {
  const [, time, id] = /^(\d{1,16}):(.+)$/.exec(cursor) ?? []
  if (time === undefined || id === undefined)
    throw problem('invalid_input', '/cursor: is not a nextCursor of this list.', {
      errors: [{ path: '/cursor', message: 'must be the nextCursor of the page before', value: cursor }],
    })
  return { createdAt: Number(time), id }
}

/** The snapshots of the object with this name, which may exist or have been deleted. */
function snapshotsByName(ctx: QueryContext, type: SnapshotType, deviceName: string, name: string): Snapshot[] {
  const project = requireProject(ctx)
  const device = findDevice(ctx, deviceName)
  const object = device && (type === 'block' ? findBlock(ctx, device.id, name) : findTagTable(ctx, device.id, name))
  const found = snapshotsOf(ctx, {
    type,
    name,
    objectId: object?.id,
    projectId: project.id,
    projectPath: project.path,
    deviceId: device?.id ?? '',
    deviceName,
  })
  if (object || found.length > 0) return found
  const { id } = requireDevice(ctx, deviceName)
  const present = type === 'block' ? blocksOf(ctx, id) : tagTablesOf(ctx, id)
  const kept = [...ctx.read(snapshots).values()].filter((one) => one.type === type && one.deviceId === id)
  throw notFound(
    type === 'block' ? 'block' : 'tag table',
    name,
    [...present, ...kept].map((one) => one.name),
  )
}

const stats = query({
  id: 'history.stats',
  title: 'Show how many snapshots there are and what they take',
  description: 'Of all projects. Snapshots of the same content share it, so the size counts each content once.',
  input: (t) => t.Object({}),
  output: (t) =>
    t.Object({
      totalSnapshots: t.Integer(),
      manual: t.Integer(),
      automatic: t.Integer(),
      blockSnapshots: t.Integer(),
      tagTableSnapshots: t.Integer(),
      blocks: t.Integer({ description: 'Blocks with snapshots.' }),
      tagTables: t.Integer({ description: 'Tag tables with snapshots.' }),
      distinctContents: t.Integer(),
      totalSizeBytes: t.Integer({ description: 'Bytes of the contents, before they are compressed.' }),
      oldest: t.Optional(t.DateTime()),
      newest: t.Optional(t.DateTime()),
      devices: t.Array(t.Object({ projectName: t.String(), deviceName: t.String(), snapshots: t.Integer() })),
    }),
  http: [get('/api/history/stats')],
  mcp: { toolset: 'history' },
  async run(_input, ctx) {
    return (await import('./cleanup.ts')).statsOf([...ctx.read(snapshots).values()])
  },
})

const list = query({
  id: 'history.list',
  title: 'List all snapshots, newest first',
  description: 'Of all projects, also of what was deleted meanwhile.',
  input: (t) =>
    t.Object({
      type: t.Optional(t.Union([t.Literal('block'), t.Literal('tag-table')])),
      kind: kindField(t),
      deviceName: t.Optional(t.String()),
      ...t.paging(),
    }),
  output: listOutput,
  http: [get('/api/history/snapshots')],
  mcp: { toolset: 'history' },
  run({ type, deviceName, ...page }, ctx) {
    const device = deviceName?.toLowerCase()
    const all = [...ctx.read(snapshots).values()].filter(
      (one) =>
        (type === undefined || one.type === type) && (device === undefined || one.deviceName.toLowerCase() === device),
    )
    return pageOf(all.sort(newestFirst), page)
  },
})

const listBlock = query({
  id: 'history.list-block',
  title: 'List the snapshots of a block, newest first',
  description: 'Also of a block that was deleted, and of a renamed one under its earlier names.',
  input: (t) =>
    t.Object({
      deviceName: objectName(t, 'Name of the PLC.'),
      blockName: objectName(t, 'Name of the block, now or earlier.'),
      kind: kindField(t),
      ...t.paging(),
    }),
  output: listOutput,
  http: [get('/api/history/blocks/{deviceName}/{blockName}')],
  mcp: { toolset: 'history', essential: true },
  run: ({ deviceName, blockName, ...page }, ctx) => pageOf(snapshotsByName(ctx, 'block', deviceName, blockName), page),
})

const listTable = query({
  id: 'history.list-tags',
  title: 'List the snapshots of a tag table, newest first',
  description: 'Also of a table that was deleted, and of a renamed one under its earlier names.',
  input: (t) =>
    t.Object({
      deviceName: objectName(t, 'Name of the PLC.'),
      tableName: objectName(t, 'Name of the tag table, now or earlier.'),
      kind: kindField(t),
      ...t.paging(),
    }),
  output: listOutput,
  http: [get('/api/history/tags/{deviceName}/{tableName}')],
  mcp: { toolset: 'history' },
  run: ({ deviceName, tableName, ...page }, ctx) =>
    pageOf(snapshotsByName(ctx, 'tag-table', deviceName, tableName), page),
})

const sameRule = 'When the newest snapshot has the same content, `sameContentAs` names it.'

const takeBlockSnapshot = command({
  id: 'history.snapshot-block',
  title: 'Take a snapshot of a block',
  description: `Keeps the block as it is now. ${sameRule}`,
  input: (t) =>
    t.Object({
      deviceName: objectName(t, 'Name of the PLC.'),
      blockName: objectName(t, 'Name of the block.'),
      ...remarks(t),
    }),
  output: (t) => t.Object({ success: t.Boolean(), ...snapshotFields(t) }),
  http: [
    post('/api/history/blocks/{deviceName}/{blockName}/actions/snapshot'),
    post('/api/devices/{deviceName}/blocks/{blockName}/actions/create-snapshot'),
  ],
  mcp: { toolset: 'history', essential: true },
  aliases: { comment: ['description'], label: ['snapshotName', 'tag'] },
  example: { deviceName: 'PLC_1', blockName: 'Main', label: 'before the change' },
  async run({ deviceName, blockName, label, comment }, ctx) {
    const { takeBlock } = await import('./take.ts')
    const block = requireBlock(ctx, deviceName, blockName)
    const at = { project: requireProject(ctx), device: requireDevice(ctx, deviceName) }
    const how = { kind: 'manual', reason: 'manual', operation: 'history.snapshot-block', label, comment } as const
    return { success: true, ...snapshotView(takeBlock(ctx, at, block, how)) }
  },
})

const takeTableSnapshot = command({
  id: 'history.snapshot-tags',
  title: 'Take a snapshot of a tag table',
  description: `Keeps the tags and constants of the table as they are now. ${sameRule}`,
  input: (t) =>
    t.Object({
      deviceName: objectName(t, 'Name of the PLC.'),
      tableName: objectName(t, 'Name of the tag table.'),
      ...remarks(t),
    }),
  output: (t) => t.Object({ success: t.Boolean(), ...snapshotFields(t) }),
  http: [post('/api/history/tags/{deviceName}/{tableName}/actions/snapshot')],
  mcp: { toolset: 'history' },
  aliases: { comment: ['description'], label: ['snapshotName', 'tag'] },
  async run({ deviceName, tableName, label, comment }, ctx) {
    const { takeTable } = await import('./take.ts')
    const table = requireTagTable(ctx, deviceName, tableName)
    const at = { project: requireProject(ctx), device: requireDevice(ctx, deviceName) }
    const how = { kind: 'manual', reason: 'manual', operation: 'history.snapshot-tags', label, comment } as const
    return { success: true, ...snapshotView(await takeTable(ctx, at, table, how)) }
  },
})

const snapshotId = (t: SchemaBuilder) => t.String({ minLength: 1, maxLength: 200, description: 'Id of the snapshot.' })

const details = query({
  id: 'history.details',
  title: 'Show a snapshot',
  description:
    '`exists`: there is a block or table of that name now; `isCurrent`: it has the content of the snapshot. Both are false while another project, or none, is open.',
  input: (t) => t.Object({ snapshotId: snapshotId(t) }),
  output: (t) => t.Object({ ...snapshotFields(t), exists: t.Boolean(), isCurrent: t.Boolean() }),
  http: [get('/api/history/snapshots/{snapshotId}')],
  mcp: { toolset: 'history' },
  async run(input, ctx) {
    const snapshot = requireSnapshot(ctx, input.snapshotId)
    return { ...snapshotView(snapshot), ...(await import('./content.ts')).presence(ctx, snapshot) }
  },
})

const content = query({
  id: 'history.content',
  title: 'Show the content of a snapshot',
  description:
    '`text` is what is kept: the source or SimaticML of a block, the rows of a tag table. Beside it what it says: interface and networks of a block, tags and constants of a table.',
  input: (t) => t.Object({ snapshotId: snapshotId(t) }),
  output: (t) =>
    t.Object({
      ...snapshotFields(t),
      format: t.String({ description: 'simaticml, source, or tag-table.' }),
      text: t.String(),
      title: t.Optional(t.String()),
      author: t.Optional(t.String()),
      sourceText: t.Optional(t.String()),
      rawXml: t.Optional(t.String()),
      interface: t.Optional(t.Array(interfaceMember(t))),
      networks: t.Optional(t.Array(contentNetwork(t))),
      blockComment: t.Optional(t.String()),
      tags: t.Optional(
        t.Array(
          t.Object({
            name: t.String(),
            dataType: t.String(),
            logicalAddress: t.String(),
            comment: t.String(),
            externalAccessible: t.Boolean(),
            externalVisible: t.Boolean(),
            externalWritable: t.Boolean(),
          }),
        ),
      ),
      constants: t.Optional(
        t.Array(t.Object({ name: t.String(), dataType: t.String(), value: t.String(), comment: t.String() })),
      ),
    }),
  http: [get('/api/history/snapshots/{snapshotId}/content')],
  mcp: { toolset: 'history' },
  async run(input, ctx) {
    const snapshot = requireSnapshot(ctx, input.snapshotId)
    return { ...snapshotView(snapshot), ...(await (await import('./content.ts')).snapshotContent(ctx, snapshot)) }
  },
})

const diff = query({
  id: 'history.diff',
  title: 'Compare a snapshot with another one, or with what there is now',
  description:
    'A unified text diff: of the sources of a block where both have one, else of its SimaticML; of the rows of a tag table. Line ends do not count.',
  input: (t) =>
    t.Object({
      snapshotId: snapshotId(t),
      to: t.Optional(t.String({ description: 'Id of the other snapshot, or current (the default).' })),
      context: t.Optional(
        t.Integer({ minimum: 0, maximum: 1000, description: 'Lines around each change. Default: 3.' }),
      ),
    }),
  output: (t) =>
    t.Object({
      from: t.String(),
      to: t.String(),
      identical: t.Boolean(),
      format: t.String({ description: 'source, simaticml, or rows.' }),
      aspects: t.Optional(
        t.Array(t.String(), {
          description:
            'Of blocks, what differs by meaning: code, interface, startValues, comments, properties; text: only how it is written.',
        }),
      ),
      diff: t.Optional(t.String({ description: 'Unified diff; empty: no difference.' })),
      tooDifferent: t.Optional(t.Boolean({ description: 'More than 20000 lines differ; there is no diff.' })),
      added: t.Integer({ description: 'Lines.' }),
      removed: t.Integer({ description: 'Lines.' }),
    }),
  http: [get('/api/history/snapshots/{snapshotId}/diff')],
  mcp: { toolset: 'history' },
  aliases: { to: ['with', 'other', 'compareTo'] },
  async run(input, ctx) {
    const from = requireSnapshot(ctx, input.snapshotId)
    const to = input.to === undefined || input.to === 'current' ? undefined : requireSnapshot(ctx, input.to)
    return (await import('./diff.ts')).diffSnapshot(ctx, from, to, input.context ?? 3)
  },
})

const remove = command({
  id: 'history.delete',
  title: 'Delete a snapshot',
  description: '404 when it does not exist. The content stays as long as the log refers to it.',
  input: (t) => t.Object({ snapshotId: snapshotId(t) }),
  output: (t) => t.Object({ success: t.Boolean(), snapshotId: t.String() }),
  http: [del('/api/history/snapshots/{snapshotId}')],
  mcp: { toolset: 'history', destructive: true },
  run(input, ctx) {
    const { id } = requireSnapshot(ctx, input.snapshotId)
    ctx.emit(snapshotsDeleted, { ids: [id] }, `snapshot/${id}`)
    return { success: true, snapshotId: id }
  },
})

const cleanup = command({
  id: 'history.cleanup',
  title: 'Clean up old snapshots',
  description:
    'Deletes snapshots that are not among the newest `keepNewest` of their block or tag table and are older than `olderThanDays`; a rule that is not given does not count. Without any rule: keepNewest 10 and olderThanDays 30. `dryRun` shows what would go.',
  input: (t) =>
    t.Object({
      keepNewest: t.Optional(
        t.Integer({ minimum: 0, maximum: 1_000_000, description: 'Of each block and tag table, so many stay.' }),
      ),
      olderThanDays: t.Optional(
        t.Number({ minimum: 0, maximum: 100_000, description: 'Only those older than this go.' }),
      ),
      kind: kindField(t),
      type: t.Optional(t.Union([t.Literal('block'), t.Literal('tag-table')])),
      deviceName: t.Optional(t.String({ description: 'Only snapshots of this device.' })),
    }),
  output: (t) =>
    t.Object({
      success: t.Boolean(),
      deleted: t.Integer(),
      remaining: t.Integer(),
      freedBytes: t.Integer({ description: 'Bytes of contents that no snapshot has any more.' }),
      snapshotIds: t.Array(t.String()),
    }),
  http: [post('/api/history/actions/cleanup')],
  mcp: { toolset: 'history', destructive: true },
  changes: '/api/history/snapshots',
  aliases: {
    keepNewest: ['keep', 'keepLast', 'keepPerObject', 'maxPerObject', 'maxSnapshots', 'keepCount'],
    olderThanDays: ['days', 'maxAgeDays', 'retentionDays', 'olderThan', 'daysToKeep'],
  },
  example: { keepNewest: 10, olderThanDays: 30 },
  async run(input, ctx) {
    const { outdated } = await import('./cleanup.ts')
    const all = [...ctx.read(snapshots).values()]
    const rules =
      input.keepNewest === undefined && input.olderThanDays === undefined
        ? { ...input, keepNewest: 10, olderThanDays: 30 }
        : input
    const { ids, freedBytes } = outdated(all, rules, ctx.now)
    if (ids.length > 0) ctx.emit(snapshotsDeleted, { ids })
    return { success: true, deleted: ids.length, remaining: all.length - ids.length, freedBytes, snapshotIds: ids }
  },
})

const restoredFields = (t: SchemaBuilder) => ({
  success: t.Boolean(),
  snapshotId: t.String(),
  type: t.String({ description: 'block or tag-table.' }),
  deviceName: t.String(),
  name: t.String(),
  action: t.String({ description: 'replaced, recreated (it was deleted or renamed), or unchanged.' }),
  number: t.Optional(t.Integer({ description: 'Number of the block.' })),
  safetySnapshotId: t.Optional(t.String({ description: 'The snapshot of what was replaced: restore it to undo.' })),
  warnings: t.Array(t.String()),
})

async function restored(
  ctx: Parameters<typeof import('./restore.ts').restoreSnapshot>[0],
  snapshot: Snapshot,
  operation: string,
  deviceName?: string,
) {
  const { restoreSnapshot } = await import('./restore.ts')
  const { action, device, name, number, safety, warnings } = await restoreSnapshot(ctx, snapshot, operation, deviceName)
  return {
    success: true,
    snapshotId: snapshot.id,
    type: snapshot.type,
    deviceName: device.name,
    name,
    action,
    ...defined({ number }),
    ...(safety ? { safetySnapshotId: safety.id } : {}),
    warnings: [...warnings],
  }
}

const restore = command({
  id: 'history.restore',
  title: 'Restore a snapshot',
  description:
    'Replaces the present block or tag table of that name; one that was deleted or renamed meanwhile is made anew. What is replaced is kept in an automatic snapshot.',
  input: (t) =>
    t.Object({
      snapshotId: snapshotId(t),
      deviceName: t.Optional(t.String({ description: 'Restore it into this device instead of its own.' })),
    }),
  output: (t) => t.Object(restoredFields(t)),
  http: [
    post('/api/history/snapshots/{snapshotId}/actions/restore-sync'),
    post('/api/history/snapshots/{snapshotId}/actions/restore', 'async'),
  ],
  mcp: { toolset: 'history', essential: true, destructive: true },
  needsInstance: true,
  aliases: { deviceName: ['device', 'targetDevice'] },
  run: (input, ctx) => restored(ctx, requireSnapshot(ctx, input.snapshotId), 'history.restore', input.deviceName),
})

const loadSnapshot = command({
  id: 'history.load-snapshot',
  title: 'Restore a block from one of its snapshots',
  description:
    'Without `snapshotId`: from the newest manual snapshot, or the newest automatic one when there is no manual one. What is replaced is kept in an automatic snapshot.',
  input: (t) =>
    t.Object({
      deviceName: objectName(t, 'Name of the PLC.'),
      blockName: objectName(t, 'Name of the block, now or earlier.'),
      snapshotId: t.Optional(snapshotId(t)),
    }),
  output: (t) => t.Object(restoredFields(t)),
  http: [post('/api/devices/{deviceName}/blocks/{blockName}/actions/load-snapshot')],
  mcp: { toolset: 'history', destructive: true },
  needsInstance: true,
  run({ deviceName, blockName, snapshotId: id }, ctx) {
    const own = snapshotsByName(ctx, 'block', deviceName, blockName)
    const newest = own.find(({ kind }) => kind === 'manual') ?? own[0]
    const snapshot = id === undefined ? newest : own.find((one) => one.id === id)
    if (snapshot) return restored(ctx, snapshot, 'history.load-snapshot')
    if (id === undefined) throw problem('not_found', `Block "${blockName}" of "${deviceName}" has no snapshot.`)
    const other = requireSnapshot(ctx, id)
    throw problem(
      'conflict',
      `Snapshot ${id} is of ${other.type} "${other.name}" of "${other.deviceName}", not of block "${blockName}" of "${deviceName}".`,
    )
  },
})

export const snapshotOperations: readonly Operation[] = [
  stats,
  list,
  listBlock,
  listTable,
  takeBlockSnapshot,
  takeTableSnapshot,
  details,
  content,
  diff,
  remove,
  cleanup,
  restore,
  loadSnapshot,
]
