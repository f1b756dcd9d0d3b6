/** Garbage collection of blobs, and the search for hashes in the log that it needs. */
import type { Archive } from './archive.ts'
import { blobKey, hashBytes, pieceKey } from './blob-format.ts'
import type { BlobStore, ListedBlob } from './blobs.ts'
import { decodeEntry, logKey } from './commit.ts'
import { type Database, keys, type Op, rangeOf } from './database.ts'
import type { Collected, CollectOptions } from './types.ts'

const reference = /sha256:[0-9a-f]{64}/g

/** The blob hashes named in a text. */
export function referencesIn(text: string): string[] {
  return text.match(reference) ?? []
}

/**
 * Searches every stored commit for hashes, including those that an earlier version's recovery set aside. A malformed
 * commit ends the search with `store_corrupt`, since a hash in it may be unreadable; `damaged: 'read'` searches it like
 * any other text. A file of the archive that is not in its place ends it with `log_archived`.
 */
export async function searchLog(
  database: Database,
  archive: Archive,
  found: (hash: string) => void,
  o: { signal?: AbortSignal | undefined; onRecords?: (records: number) => void; damaged?: 'refuse' | 'read' } = {},
): Promise<void> {
  let records = 0
  for (const segment of archive.segments) {
    o.signal?.throwIfAborted()
    for (const text of await archive.texts(segment)) for (const hash of referencesIn(text)) found(hash)
    records = segment.last
    o.onRecords?.(records)
  }
  for (const range of [{ ...rangeOf(keys.log), gte: logKey(archive.through + 1) }, rangeOf(keys.setAside)]) {
    for await (const chunk of database.chunks(range)) {
      o.signal?.throwIfAborted()
      for (const [key, value] of chunk) {
        if (key[0] === keys.log && o.damaged !== 'read') records += decodeEntry([key, value]).count
        for (const hash of referencesIn(value.toString('latin1'))) found(hash)
      }
      o.onRecords?.(records)
    }
  }
}

/** The part of the log that a collection needs. */
export interface CollectedLog {
  /** Resolves when everything appended is durable. */
  settled(): Promise<void>
  /** Calls `listener` with the JSON text of every record appended from now on; returns the unsubscriber. */
  watch(listener: (json: string) => void): () => void
  readonly records: number
}

/** Keys removed by one write: a commit waits for at most one such write. */
const opsPerWrite = 500

/**
 * See {@link Blobs.collect}. Removes only blobs that existed at the start, are named neither by the log nor by `keep`,
 * and are not pending.
 */
export async function collect(
  blobs: BlobStore,
  log: CollectedLog,
  archive: Archive,
  o: CollectOptions,
): Promise<Collected> {
  const candidates = new Map<string, ListedBlob>()
  const stop = log.watch((json) => {
    for (const hash of referencesIn(json)) candidates.delete(hash)
  })
  try {
    const abandoned = await listUploads(blobs)
    let examined = 0
    for await (const blob of blobs.list()) {
      examined++
      if (blob.upload !== undefined) abandoned.delete(blob.upload)
      if (!o.keep(blob.hash)) candidates.set(blob.hash, blob)
    }
    await log.settled()
    await searchLog(blobs.database, archive, (hash) => candidates.delete(hash), {
      signal: o.signal,
      onRecords: (records) => o.onProgress?.(records, log.records),
    })
    o.signal?.throwIfAborted()
    const freedByUploads = await storedBytesOf(blobs, abandoned)
    for (const hash of candidates.keys()) if (blobs.isPending(hash) || o.keep(hash)) candidates.delete(hash)
    const ops = [...candidates.values()].flatMap(removalOf)
    for (const [name, pieces] of abandoned) ops.push(...removalOfPieces(name, pieces))
    const freedBytes = freedByUploads + [...candidates.values()].reduce((sum, { storedBytes }) => sum + storedBytes, 0)
    await blobs.whileRemoving(new Set(candidates.keys()), async () => {
      for (let at = 0; at < ops.length; at += opsPerWrite) await blobs.lane.write(ops.slice(at, at + opsPerWrite))
    })
    return { examined, removed: candidates.size, freedBytes, kept: examined - candidates.size }
  } finally {
    stop()
  }
}

/**
 * Pieces of each upload, by hex id, without those that were pending at the moment of the snapshot: these become blobs
 * or are abandoned later.
 */
async function listUploads(blobs: BlobStore): Promise<Map<string, number>> {
  const uploads = new Map<string, number>()
  const pending = blobs.pendingNames() // in the same turn of the event loop as the snapshot of the iterator
  for await (const chunk of blobs.database.chunks(rangeOf(keys.piece), { values: false })) {
    for (const [key] of chunk) {
      const name = key.subarray(1, 17).toString('hex')
      if (!pending.has(name)) uploads.set(name, Math.max(uploads.get(name) ?? 0, key.readUInt32BE(17) + 1))
    }
  }
  return uploads
}

async function storedBytesOf(blobs: BlobStore, uploads: ReadonlyMap<string, number>): Promise<number> {
  let total = 0
  for (const name of uploads.keys()) {
    const range = rangeOf(keys.piece, Buffer.from(name, 'hex'))
    for await (const chunk of blobs.database.chunks(range)) for (const [, value] of chunk) total += value.length
  }
  return total
}

function removalOf({ hash, upload, pieces }: ListedBlob): Op[] {
  return [
    { type: 'del', key: blobKey(hashBytes(hash)) },
    ...(upload === undefined ? [] : removalOfPieces(upload, pieces)),
  ]
}

function removalOfPieces(upload: string, pieces: number): Op[] {
  const id = Buffer.from(upload, 'hex')
  return Array.from({ length: pieces }, (_, number) => ({ type: 'del', key: pieceKey(id, number) }))
}
