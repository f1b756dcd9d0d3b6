/** How events change collections: what a plugin declares with `on` and `endsOwner`. */
import type { SliceWriter } from './collection.ts'

/** What a reducer gets besides the event's data. */
export interface EventMeta {
  readonly type: string
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly jobId: string | undefined
  readonly actor: string | undefined
}

/** How an event changes collections. */
export type Reducer = (write: SliceWriter, data: unknown, meta: EventMeta) => void
/** The id of the owner that an event ends; undefined: every owner of the kind. */
export type EndedOwner = (data: unknown) => string | undefined
