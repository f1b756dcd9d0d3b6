/**
 * Snapshots: their type, their collection in the state, their events, and finding them.
 *
 * A snapshot is one small aggregate. Its content is a blob, for a block the same blob as its document. Snapshots are
 * kept when their project is closed or their object is deleted: they are found by the name and by the id of the object.
 */

import { collection, domainEvent, notFound, on, type Slice, type SliceReader } from '../../core/index.ts'
import type { Block } from '../blocks/index.ts'

/** Kind of object of which snapshots are taken. */
export type SnapshotType = 'block' | 'tag-table'
/** Whether a user or the gateway took the snapshot. */
export type SnapshotKind = 'manual' | 'automatic'
/** The change before which an automatic snapshot was taken; `manual`: requested by a client. */
export type SnapshotReason = 'manual' | 'changed' | 'edited' | 'renamed' | 'deleted' | 'device-deleted' | 'restored'

/** Data of a tag table other than its rows, which are in the content. */
export interface TableHeader {
  readonly folder: string
  readonly isDefault: boolean
  readonly tags: number
  readonly constants: number
}

/** A snapshot of a block or a tag table. */
export interface Snapshot {
  readonly id: string
  readonly type: SnapshotType
  readonly kind: SnapshotKind
  readonly reason: SnapshotReason
  readonly projectId: string
  readonly projectName: string
  readonly projectPath: string
  readonly deviceId: string
  readonly deviceName: string
  /** Id of the block or table. */
  readonly objectId: string
  /** Name of the block or table. */
  readonly name: string
  /** Blob: the document of a block, the rows of a tag table as JSON. */
  readonly content: string
  /** Bytes of the content. */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly createdBy: string
  readonly jobId: string
  /** The operation that changed the object (automatic) or took the snapshot (manual). */
  readonly operation: string
  readonly label?: string
  readonly comment?: string
  /** The id of an earlier snapshot with the same content. */
  readonly sameContentAs?: string
  /** The block at that time; only for blocks. */
  readonly block?: Block
  /** Only for tag tables. */
  readonly table?: TableHeader
}

/**
 * Maximum number of automatic snapshots of one object; the oldest is deleted. Manual ones are kept until a client
 * deletes them.
 */
export const automaticLimit = 100
/**
 * Maximum number of automatic snapshots of all objects together, those that are gone too: each is a part of the state,
 * about 2 kB of memory. The oldest are deleted.
 */
export const automaticTotal = 50_000

/**
 * The key is the snapshot's id. Index `byObject`: type and name of the object, see {@link namesOf}; `byOwner`: its id.
 */
export const snapshots = collection<Snapshot>('history.snapshots', {
  byObject: (snapshot) => namesOf(snapshot),
  byOwner: (snapshot) => ownerOf(snapshot),
})

export const snapshotTaken = domainEvent<Snapshot>('history.snapshot-taken', 'A snapshot was taken')
export const snapshotsDeleted = domainEvent<{ ids: readonly string[] }>(
  'history.snapshots-deleted',
  'Snapshots were deleted',
)

/** The plugin's part of the state. */
export const snapshotSlice: Slice = {
  version: 1,
  collections: [snapshots],
  reductions: [
    on(snapshotTaken, (write, snapshot) => write(snapshots).set(snapshot.id, snapshot)),
    on(snapshotsDeleted, (write, { ids }) => {
      for (const id of ids) write(snapshots).delete(id)
    }),
  ],
}

type Owner = Pick<Snapshot, 'type' | 'objectId'>
type Named = Pick<Snapshot, 'type' | 'name' | 'deviceId' | 'deviceName' | 'projectId' | 'projectPath'>

function ownerOf({ type, objectId }: Owner): string {
  return `${type}:${objectId}`
}

/**
 * Keys by which the snapshots of an object are found: the id of its device (works after the device was renamed), the
 * project with the name of the device (works after the device was created again), and the path of the project (a folder
 * of exported files becomes a new project each time it is opened).
 */
function namesOf({ type, name, deviceId, deviceName, projectId, projectPath }: Named): string[] {
  const end = `/${name.toLowerCase()}`
  const device = deviceName.toLowerCase()
  return [
    `${type}:device:${deviceId}${end}`,
    `${type}:project:${projectId}/${device}${end}`,
    `${type}:folder:${projectPath}/${device}${end}`,
  ]
}

/**
 * The snapshots of an object, newest first: those with `objectId`, and those of all objects that had its name. Where
 * no object has the name now, those that had it are followed to their other names: the list of a renamed object is one.
 */
export function snapshotsOf(
  ctx: { read: SliceReader },
  object: Named & { readonly objectId?: string | undefined },
): Snapshot[] {
  const all = ctx.read(snapshots)
  const found = new Map<string, Snapshot>()
  const { type, objectId } = object
  const addOwner = (id: string): void => {
    for (const snapshot of all.find('byOwner', ownerOf({ type, objectId: id }))) found.set(snapshot.id, snapshot)
  }
  if (objectId !== undefined) addOwner(objectId)
  for (const name of namesOf(object))
    for (const snapshot of all.find('byObject', name)) found.set(snapshot.id, snapshot)
  if (objectId === undefined) for (const id of new Set([...found.values()].map((one) => one.objectId))) addOwner(id)
  return [...found.values()].sort(newestFirst)
}

/**
 * Order of lists, newest first. Ids order snapshots of the same millisecond: an id is `<job>.<n>`, and a job id begins
 * with a number in base 36.
 */
export function newestFirst(a: Pick<Snapshot, 'createdAt' | 'id'>, b: Pick<Snapshot, 'createdAt' | 'id'>): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  const [jobA, nA] = orderOf(a.id)
  const [jobB, nB] = orderOf(b.id)
  return jobB - jobA || nB - nA
}

/**
 * Ids of the oldest automatic snapshots when there are more than `most`: a hundredth more than that, so that they are
 * not looked for again with the next one.
 */
export function oldestAutomatic(all: Pick<ReadonlyMap<string, Snapshot>, 'size' | 'values'>, most: number): string[] {
  if (all.size <= most) return []
  // A collection is in the order of its entries' creation.
  const automatic = [...all.values()].filter(({ kind }) => kind === 'automatic')
  if (automatic.length <= most) return []
  return automatic.slice(0, automatic.length - Math.floor(0.99 * most)).map(({ id }) => id)
}

function orderOf(id: string): [job: number, n: number] {
  const [, job = '0', n = '0'] = /^J([0-9a-z]+)-.*\.(\d+)$/.exec(id) ?? []
  return [Number.parseInt(job, 36), Number(n)]
}

/**
 * Returns the snapshot with this id.
 * @throws GatewayError `not_found`
 */
export function requireSnapshot(ctx: { read: SliceReader }, id: string): Snapshot {
  const snapshot = ctx.read(snapshots).get(id)
  if (!snapshot) throw notFound('snapshot', id)
  return snapshot
}
