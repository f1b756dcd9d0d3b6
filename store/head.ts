/** The head of the log: its last commit, under a key of its own that is written in the same batch. */
import { noHash } from './commit.ts'
import { metaKey } from './database.ts'

/** Last commit of the log. */
export interface Head {
  readonly seq: number
  readonly hash: string
  /** Time of its last record, ms. */
  readonly time: number
}

/** The head of an empty log. */
export const emptyHead: Head = { seq: 0, hash: noHash, time: 0 }

/** Key of the head. */
export const headKey: Buffer = metaKey('head')

/** The value of the head key, e.g. `1234 <64 hex>`. */
export function encodeHead(seq: number, hash: string): Buffer {
  return Buffer.from(`${seq} ${hash}`, 'latin1')
}

/** Reads a value written by {@link encodeHead}; `undefined` for anything else. */
export function decodeHead(value: Buffer | undefined): { seq: number; hash: string } | undefined {
  const found = /^(\d+) ([0-9a-f]{64})$/.exec(value?.toString('latin1') ?? '')
  return found === null ? undefined : { seq: Number(found[1]), hash: found[2] as string }
}
