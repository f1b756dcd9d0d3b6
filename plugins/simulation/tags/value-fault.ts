/** Faults of single values, before it is known which tag of a request they belong to. */

/** A value as JSON has it. */
export type JsonValue = boolean | number | string | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** A value does not fit a type. `path` is the way inside the value (`.list[2]`), empty for the value itself. */
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

/** A value as faults show it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
