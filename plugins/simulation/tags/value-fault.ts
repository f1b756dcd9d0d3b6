/** Faults in single values, found before the tag in the request is known. */
import { shortened } from '../../../lib/shortened.ts'

/** A value in JSON. */
export type JsonValue = boolean | number | string | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/**
 * Thrown when a value does not fit a type. `path` is the path inside the value (`.list[2]`), empty for the value
 * itself.
 */
export class ValueFault extends Error {
  readonly path: string
  readonly value: unknown
  readonly allowed: string

  constructor(message: string, path: string, value: unknown, allowed: string) {
    super(message)
    this.name = 'ValueFault'
    this.path = path
    this.value = value
    this.allowed = allowed
  }
}

const longestShown = 60

/** Formats a value for a fault. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return shortened(text, longestShown)
}
