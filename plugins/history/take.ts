/** Takes snapshots: of objects that a client names, and automatically of objects that a command changes or deletes. */

import type { CommandContext, DomainEvent, Hook, Operation } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import { type Block, blockChanged, blockDeleted, blockRenamed, blocksOf, findBlock } from '../blocks/index.ts'
import { type Device, deviceDeleted, devices } from '../devices/index.ts'
import { currentProject, type Project } from '../projects/index.ts'
import {
  constantAdded,
  constantChanged,
  constantDeleted,
  findTagTable,
  type TagTable,
  tagAdded,
  tagChanged,
  tagDeleted,
  tagTableDeleted,
  tagTableRenamed,
  tagTableReplaced,
  tagTablesOf,
} from '../tags/index.ts'
import {
  automaticLimit,
  automaticTotal,
  oldestAutomatic,
  type Snapshot,
  type SnapshotReason,
  snapshots,
  snapshotsDeleted,
  snapshotsOf,
  snapshotTaken,
} from './snapshot.ts'

/**
 * Edits of single rows of a tag table within this time (milliseconds) share one snapshot, taken before the first edit.
 */
const burstMs = 60_000

/** The project and device of an object. */
export interface Place {
  readonly project: Project
  readonly device: Device
}

/** Reason and origin of a snapshot. */
export interface Taking {
  readonly kind: Snapshot['kind']
  readonly reason: SnapshotReason
  /** Id of the operation. */
  readonly operation: string
  readonly label?: string | undefined
  readonly comment?: string | undefined
}

/**
 * Takes a snapshot of a block. When the newest one has the same content, an automatic snapshot is not taken: the newest
 * one is returned.
 * @param earlier the object's snapshots, newest first
 */
export function takeBlock(
  ctx: CommandContext,
  at: Place,
  block: Block,
  taking: Taking,
  earlier: readonly Snapshot[] = snapshotsOf(ctx, {
    ...placeOf(at),
    type: 'block',
    objectId: block.id,
    name: block.name,
  }),
): Snapshot {
  const { document: content, size, id: objectId, name } = block
  const [last] = earlier
  const isSame = last !== undefined && last.content === content
  if (isSame && taking.kind === 'automatic' && isAsPlace(last.block, block)) return last
  return take(ctx, at, { type: 'block', objectId, name, content, size, block, isSame, last }, taking)
}

/** Whether everything that a restore sets, other than the document, is equal. */
function isAsPlace(a: Block | undefined, b: Block): boolean {
  return a?.name === b.name && a.number === b.number && a.folder === b.folder
}

/** The content of a snapshot of a table: its rows, and other data for a restore. Equal rows give equal text. */
export type TableContent = Pick<
  TagTable,
  'name' | 'folder' | 'tags' | 'constants' | 'document' | 'isAsDocument' | 'engineeringVersion'
>

/** The content of a table as text. */
export function tableText(table: TagTable): string {
  const { name, folder, tags, constants, document, isAsDocument, engineeringVersion } = table
  const kept: TableContent = {
    name,
    folder,
    tags,
    constants,
    ...defined({ document, isAsDocument, engineeringVersion }),
  }
  return JSON.stringify(kept)
}

/** Takes a snapshot of a tag table; see `takeBlock`. */
export async function takeTable(
  ctx: CommandContext,
  at: Place,
  table: TagTable,
  taking: Taking,
  earlier: readonly Snapshot[] = snapshotsOf(ctx, {
    ...placeOf(at),
    type: 'tag-table',
    objectId: table.id,
    name: table.name,
  }),
): Promise<Snapshot> {
  const { id: objectId, name, folder, isDefault, tags, constants } = table
  const [last] = earlier
  if (taking.reason === 'edited' && last?.reason === 'edited' && ctx.now - last.createdAt < burstMs) return last
  const text = tableText(table)
  const content = await ctx.blobs.put(text)
  const isSame = last !== undefined && last.content === content
  if (isSame && taking.kind === 'automatic') return last
  const header = { folder, isDefault, tags: tags.length, constants: constants.length }
  const size = Buffer.byteLength(text)
  return take(ctx, at, { type: 'tag-table', objectId, name, content, size, table: header, isSame, last }, taking)
}

type Taken = Pick<Snapshot, 'type' | 'objectId' | 'name' | 'content' | 'size' | 'block' | 'table'> & {
  readonly isSame: boolean
  readonly last: Snapshot | undefined
}

function take(ctx: CommandContext, at: Place, { isSame, last, ...object }: Taken, taking: Taking): Snapshot {
  const { kind, reason, operation, label, comment } = taking
  const snapshot: Snapshot = {
    id: ctx.newId(),
    kind,
    reason,
    ...placeOf(at),
    projectName: at.project.name,
    ...object,
    createdAt: ctx.now,
    createdBy: ctx.actor.name,
    jobId: ctx.jobId,
    operation,
    ...defined({ label, comment }),
    ...(isSame && last ? { sameContentAs: last.id } : {}),
  }
  ctx.emit(snapshotTaken, snapshot, `snapshot/${snapshot.id}`)
  return snapshot
}

/** The project and device of an object, as stored in snapshots. */
export function placeOf({ project, device }: Place) {
  return { projectId: project.id, projectPath: project.path, deviceId: device.id, deviceName: device.name }
}

/** The object of an event, with the name it had before. */
interface Changed {
  readonly type: Snapshot['type']
  readonly deviceId: string
  readonly name: string
  readonly reason: SnapshotReason
}

/** The events that change or delete existing objects. */
const followed = new Map<string, (data: unknown) => Changed>()

function follow<T>(event: DomainEvent<T>, changed: (data: T) => Changed) {
  followed.set(event.type, (data) => changed(data as T))
}

follow(blockChanged, ({ block: { deviceId, name } }) => ({ type: 'block', deviceId, name, reason: 'changed' }))
follow(blockRenamed, ({ deviceId, oldName: name }) => ({ type: 'block', deviceId, name, reason: 'renamed' }))
follow(blockDeleted, ({ deviceId, name }) => ({ type: 'block', deviceId, name, reason: 'deleted' }))
follow(tagTableReplaced, ({ table: { deviceId, name } }) => ({ type: 'tag-table', deviceId, name, reason: 'changed' }))
follow(tagTableRenamed, ({ deviceId, oldName: name }) => ({ type: 'tag-table', deviceId, name, reason: 'renamed' }))
follow(tagTableDeleted, ({ deviceId, name }) => ({ type: 'tag-table', deviceId, name, reason: 'deleted' }))
const rowEvents: readonly DomainEvent<{ readonly deviceId: string; readonly tableName: string }>[] = [
  tagAdded,
  tagChanged,
  tagDeleted,
  constantAdded,
  constantChanged,
  constantDeleted,
]
for (const event of rowEvents)
  follow(event, ({ deviceId, tableName: name }) => ({ type: 'tag-table', deviceId, name, reason: 'edited' }))

function isFollowed({ type }: { readonly type: string }): boolean {
  return followed.has(type) || type === deviceDeleted.type
}

/**
 * After a command, before its commit: takes a snapshot of each object that the command changed or deleted, in the state
 * before the command. One snapshot for each object, for any number of events. The state before is the committed one,
 * because no other command has run since.
 */
export const automaticSnapshots: Hook = {
  on: '*',
  perJob: true,
  after(_input, _result, ctx, operation) {
    // Most commands change no object with snapshots and need not wait.
    return 'emitted' in ctx && ctx.emitted.some(isFollowed) ? takeChanged(ctx, operation) : undefined
  },
}

async function takeChanged(ctx: CommandContext, operation: Operation): Promise<void> {
  const changed = new Map<string, Changed>()
  const gone = new Set<string>()
  const taken = new Set<string>()
  for (const { type, data } of ctx.emitted) {
    const object = followed.get(type)?.(data)
    if (object) {
      const key = `${object.type}:${object.deviceId}/${object.name.toLowerCase()}`
      if (!changed.has(key)) changed.set(key, object)
    } else if (type === deviceDeleted.type) gone.add((data as { id: string }).id)
    else if (type === snapshotTaken.type) taken.add((data as Snapshot).objectId)
  }
  if (changed.size === 0 && gone.size === 0) return
  const { state } = ctx.gateway
  const project = currentProject(state)
  if (!project) return
  const surplus: string[] = []
  const automatic = async (device: Device, object: Block | TagTable, reason: SnapshotReason) => {
    if (taken.has(object.id) || (isEnd(reason) && isEmptyTable(object))) return
    const at = { project, device }
    const type = 'tags' in object ? 'tag-table' : 'block'
    const taking: Taking = { kind: 'automatic', reason, operation: operation.id }
    // Uses the committed state, where the time of a look-up does not grow with the snapshots of this command.
    const earlier = snapshotsOf(state, { ...placeOf(at), type, objectId: object.id, name: object.name })
    if ('tags' in object) await takeTable(ctx, at, object, taking, earlier)
    else takeBlock(ctx, at, object, taking, earlier)
    const own = earlier.filter((snapshot) => snapshot.kind === 'automatic' && snapshot.objectId === object.id)
    for (const { id } of own.slice(automaticLimit - 1)) surplus.push(id)
  }
  for (const { type, deviceId, name, reason } of changed.values()) {
    const device = state.read(devices).get(deviceId)
    if (!device || gone.has(deviceId)) continue
    const object = type === 'block' ? findBlock(state, deviceId, name) : findTagTable(state, deviceId, name)
    if (object) await automatic(device, object, reason)
  }
  for (const deviceId of gone) {
    const device = state.read(devices).get(deviceId)
    if (!device) continue
    for (const block of blocksOf(state, deviceId)) await automatic(device, block, 'device-deleted')
    for (const table of tagTablesOf(state, deviceId)) await automatic(device, table, 'device-deleted')
  }
  surplus.push(...oldestAutomatic(state.read(snapshots), automaticTotal))
  if (surplus.length > 0) ctx.emit(snapshotsDeleted, { ids: [...new Set(surplus)] })
}

function isEnd(reason: SnapshotReason): boolean {
  return reason === 'deleted' || reason === 'device-deleted'
}

/** A table without rows is not worth restoring. */
function isEmptyTable(object: Block | TagTable): boolean {
  return 'tags' in object && object.tags.length + object.constants.length === 0
}
