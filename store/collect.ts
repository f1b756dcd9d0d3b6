/** Garbage collection of blobs, and the search for hashes in the log that it needs. */
import { type BlobStore, blobKey, hashBytes, pieceKey } from './blobs.ts'
import { decodeEntry } from './commit.ts'
import { type Database, keys, type Op, rangeOf } from './database.ts'
import type { Collected, CollectOptions } from './types.ts'

const reference = /sha256:[0-9a-f]{64}/g

/** The hashes named in a text. */
export function referencesIn(text: string): string[] {
  return text.match(reference) ?? []
}

/** Looks for hashes in every stored commit, also in those that `acceptLoss` set aside. */
export async function searchLog(
  database: Database,
  found: (hash: string) => void,
  o: { signal?: AbortSignal | undefined; onRecords?: (records: number) => void } = {},
): Promise<void> {
  let records = 0
  for (const range of [rangeOf(keys.log), rangeOf(keys.setAside)]) {
    for await (const chunk of database.chunks(range)) {
      o.signal?.throwIfAborted()
      for (const [key, value] of chunk) {
        if (key[0] === keys.log) {
          records += decodeEntry([key, value]).count
        }
        for (const hash of referencesIn(value.toString('latin1'))) found(hash)
      }
      o.onRecords?.(records)
    }
  }
}

/** The part of the log that a collection needs. */
export interface CollectedLog {
  /** Resolves when all that has been appended is durable. */
  settled(): Promise<void>
  /** From now on calls `listener` with the JSON text of every appended record; returns the unsubscriber. */
  watch(listener: (json: string) => void): () => void
  readonly records: number
}

/** Something that may be removed, and what that frees. */
interface Candidate {
  readonly storedBytes: number
  /** Hex of the upload id when it is stored in pieces. */
  readonly upload?: string
}

interface Upload {
  pieces: number
  storedBytes: number
}

/** Keys removed by one write: commits wait for one such write at most. */
const opsPerWrite = 500

/** See {@link Blobs.collect}. Removes only what was there at the start and is named neither by the log nor by `keep`, and is not pending. */
export async function collect(blobs: BlobStore, log: CollectedLog, o: CollectOptions): Promise<Collected> {
  const candidates = new Map<string, Candidate>()
  const stop = log.watch((json) => {
    for (const hash of referencesIn(json)) candidates.delete(hash)
  })
  try {
    const uploads = await listUploads(blobs)
    const abandoned = new Map(uploads)
    let examined = 0
    for await (const { hash, storedBytes, upload } of blobs.list()) {
      examined++
      const name = upload?.toString('hex')
      if (name !== undefined) abandoned.delete(name)
      if (!o.keep(hash)) candidates.set(hash, { storedBytes, ...(name === undefined ? {} : { upload: name }) })
    }
    await log.settled()
    await searchLog(blobs.database, (hash) => candidates.delete(hash), {
      signal: o.signal,
      onRecords: (records) => o.onProgress?.(records, log.records),
    })
    o.signal?.throwIfAborted()
    for (const hash of candidates.keys()) if (blobs.isPending(hash) || o.keep(hash)) candidates.delete(hash)
    const freedBytes = await remove(blobs, candidates, uploads, abandoned)
    return { examined, removed: candidates.size, freedBytes, kept: examined - candidates.size }
  } finally {
    stop()
  }
}

/** Uploads by hex id, without those that were pending at the moment of the snapshot: theirs become blobs later, or are abandoned later. */
async function listUploads(blobs: BlobStore): Promise<Map<string, Upload>> {
  const uploads = new Map<string, Upload>()
  const pending = blobs.pendingNames() // in the same turn as the iterator's snapshot
  for await (const chunk of blobs.database.chunks(rangeOf(keys.piece))) {
    for (const [key, value] of chunk) {
      const name = key.subarray(1, 17).toString('hex')
      if (pending.has(name)) continue
      const upload = uploads.get(name) ?? { pieces: 0, storedBytes: 0 }
      upload.pieces = Math.max(upload.pieces, key.readUInt32BE(17) + 1)
      upload.storedBytes += value.length
      uploads.set(name, upload)
    }
  }
  return uploads
}

async function remove(
  blobs: BlobStore,
  candidates: ReadonlyMap<string, Candidate>,
  uploads: ReadonlyMap<string, Upload>,
  abandoned: ReadonlyMap<string, Upload>,
): Promise<number> {
  const doomed = new Map(abandoned)
  const ops: Op[] = []
  let freedBytes = 0
  for (const [hash, { storedBytes, upload }] of candidates) {
    ops.push({ type: 'del', key: blobKey(hashBytes(hash)) })
    freedBytes += storedBytes
    const pieces = upload === undefined ? undefined : uploads.get(upload)
    if (pieces !== undefined) doomed.set(upload as string, pieces)
  }
  for (const [name, { pieces, storedBytes }] of doomed) {
    freedBytes += storedBytes
    for (let number = 0; number < pieces; number++)
      ops.push({ type: 'del', key: pieceKey(Buffer.from(name, 'hex'), number) })
  }
  await blobs.whileRemoving(new Set(candidates.keys()), async () => {
    for (let at = 0; at < ops.length; at += opsPerWrite) await blobs.lane.write(ops.slice(at, at + opsPerWrite))
  })
  return freedBytes
}
