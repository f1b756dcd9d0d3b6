/**
 * Snapshots: their shape, their place in the state, the events that change them, and finding them.
 *
 * A snapshot is one small aggregate; its content is a blob, for a block the very blob of its document. Snapshots outlive the closing of
 * their project, and the object they are of: they are found by what the object was called and by what it is.
 */

import { collection, domainEvent, notFound, on, type Slice, type SliceReader } from '../../core/index.ts'
import type { Block } from '../blocks/index.ts'

export type SnapshotType = 'block' | 'tag-table'
export type SnapshotKind = 'manual' | 'automatic'
/** What was about to happen when an automatic snapshot was taken; `manual`: someone asked for it. */
export type SnapshotReason = 'manual' | 'changed' | 'edited' | 'renamed' | 'deleted' | 'device-deleted' | 'restored'

/** What is kept of a tag table beside its rows, which are in the content. */
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
  /** The snapshot before it that has the same content. */
  readonly sameContentAs?: string
  /** The block as it was; only of blocks. */
  readonly block?: Block
  /** Only of tag tables. */
  readonly table?: TableHeader
}

/** At most this many automatic snapshots of one object are kept; the oldest goes. Manual ones stay until they are deleted. */
export const automaticLimit = 100

/**
 * Key: the snapshot's id. Index `byObject`: what the object is and what it was called, see {@link namesOf}; `byOwner`: the object itself.
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
 * What an object of a name can be found by: the device it is on (also after that was renamed), the project with the device's name (also
 * after the device was made anew), and the project's folder (a folder of exported files is another project each time it is opened).
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

/** The snapshots of an object, newest first: those of the present object (`objectId`), and those of all that had its name. */
export function snapshotsOf(
  ctx: { read: SliceReader },
  object: Named & { readonly objectId?: string | undefined },
): Snapshot[] {
  const all = ctx.read(snapshots)
  const found = new Map<string, Snapshot>()
  const { objectId } = object
  if (objectId !== undefined)
    for (const snapshot of all.find('byOwner', ownerOf({ type: object.type, objectId })))
      found.set(snapshot.id, snapshot)
  for (const name of namesOf(object))
    for (const snapshot of all.find('byObject', name)) found.set(snapshot.id, snapshot)
  return [...found.values()].sort(newestFirst)
}

/** Order of lists. Ids tell apart what was taken in the same millisecond: they are `<job>.<n>`, and a job's id begins with a number to base 36. */
export function newestFirst(a: Pick<Snapshot, 'createdAt' | 'id'>, b: Pick<Snapshot, 'createdAt' | 'id'>): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  const [jobA, nA] = orderOf(a.id)
  const [jobB, nB] = orderOf(b.id)
  return jobB - jobA || nB - nA
}

function orderOf(id: string): [job: number, n: number] {
  const [, job = '0', n = '0'] = /^J([0-9a-z]+)-.*\.(\d+)$/.exec(id) ?? []
  return [Number.parseInt(job, 36), Number(n)]
}

/**
 * The snapshot of this id.
 * @throws GatewayError `not_found`
 */
export function requireSnapshot(ctx: { read: SliceReader }, id: string): Snapshot {
  const snapshot = ctx.read(snapshots).get(id)
  if (!snapshot) throw notFound('snapshot', id)
  return snapshot
}
