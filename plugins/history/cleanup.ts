/** Statistics of snapshots, and the choice of those to delete. */
import { newestFirst, type Snapshot } from './snapshot.ts'

/** Rules for deleting snapshots: a snapshot is deleted when all given rules allow it. */
export interface CleanupRules {
  /** Number of newest snapshots of each object that are kept. */
  readonly keepNewest?: number
  /** Snapshots younger than this number of days are kept. */
  readonly olderThanDays?: number
  readonly kind?: 'manual' | 'automatic' | 'all'
  readonly type?: Snapshot['type']
  readonly deviceName?: string
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Returns the snapshots to delete, and the number of content bytes that no other snapshot uses. Only snapshots that
 * match `kind`, `type` and `deviceName` are counted and deleted.
 */
export function outdated(
  all: readonly Snapshot[],
  rules: CleanupRules,
  now: number,
): { ids: string[]; freedBytes: number } {
  const { keepNewest = 0, olderThanDays, kind = 'all', type, deviceName } = rules
  const before = olderThanDays === undefined ? Number.POSITIVE_INFINITY : now - olderThanDays * dayMs
  const device = deviceName?.toLowerCase()
  const rank = new Map<string, number>()
  const gone = new Set<string>()
  for (const snapshot of [...all].sort(newestFirst)) {
    if (kind !== 'all' && snapshot.kind !== kind) continue
    if (type !== undefined && snapshot.type !== type) continue
    if (device !== undefined && snapshot.deviceName.toLowerCase() !== device) continue
    const owner = `${snapshot.type}:${snapshot.objectId}`
    const newer = rank.get(owner) ?? 0
    rank.set(owner, newer + 1)
    if (newer >= keepNewest && snapshot.createdAt <= before) gone.add(snapshot.id)
  }
  const kept = new Set(all.filter(({ id }) => !gone.has(id)).map(({ content }) => content))
  const freed = new Map(all.filter(({ content }) => !kept.has(content)).map(({ content, size }) => [content, size]))
  return { ids: [...gone], freedBytes: [...freed.values()].reduce((sum, size) => sum + size, 0) }
}

/** The number of snapshots and their size. */
export function statsOf(all: readonly Snapshot[]) {
  const contents = new Map(all.map(({ content, size }) => [content, size]))
  const count = (of: (snapshot: Snapshot) => boolean) => all.filter(of).length
  const objects = (type: Snapshot['type']) =>
    new Set(all.filter((one) => one.type === type).map(({ objectId }) => objectId)).size
  const sorted = [...all].sort(newestFirst)
  const iso = ({ createdAt }: Snapshot) => new Date(createdAt).toISOString()
  const devices = new Map<string, { projectName: string; deviceName: string; snapshots: number }>()
  for (const { projectId, projectName, deviceId, deviceName } of sorted) {
    const key = `${projectId}/${deviceId}`
    const entry = devices.get(key) ?? { projectName, deviceName, snapshots: 0 }
    entry.snapshots++
    devices.set(key, entry)
  }
  const [newest] = sorted
  const oldest = sorted.at(-1)
  return {
    totalSnapshots: all.length,
    manual: count(({ kind }) => kind === 'manual'),
    automatic: count(({ kind }) => kind === 'automatic'),
    blockSnapshots: count(({ type }) => type === 'block'),
    tagTableSnapshots: count(({ type }) => type === 'tag-table'),
    blocks: objects('block'),
    tagTables: objects('tag-table'),
    distinctContents: contents.size,
    totalSizeBytes: [...contents.values()].reduce((sum, size) => sum + size, 0),
    ...(oldest ? { oldest: iso(oldest) } : {}),
    ...(newest ? { newest: iso(newest) } : {}),
    devices: [...devices.values()],
  }
}
