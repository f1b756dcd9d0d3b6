/** Domain events: commands emit them, reducers fold them, the log keeps them. */
import type { Lazy, TSchema } from './schema.ts'

/** A kind of event. The type parameter is the shape of its `data`, plain JSON. */
export interface DomainEvent<T> {
  /** `<plugin>.<past-tense>`, e.g. `devices.added`. */
  readonly type: string
  readonly title: string
  readonly schema: Lazy<TSchema> | undefined
  /** Only for the type system. */
  readonly data?: T
}

/**
 * Declares a kind of event.
 *
 * @param type `<plugin>.<past-tense>`
 * @param title what happened, one line, for the docs
 * @param schema optional schema of `data`, for the docs of the event stream
 */
export function domainEvent<T>(type: string, title: string, schema?: Lazy<TSchema>): DomainEvent<T> {
  return { type, title, schema }
}
