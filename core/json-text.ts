/**
 * JSON text of answers. That of a value which never changes and is asked for again and again (a finished job that
 * clients poll) is made once.
 */
const kept = new WeakMap<object, string | undefined>()

/** Says that a value never changes any more. */
export function keepJsonText<T extends object>(value: T): T {
  kept.set(value, undefined)
  return value
}

/** The JSON text of a value; `undefined` where JSON has none. */
export function jsonText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !kept.has(value)) return JSON.stringify(value)
  let text = kept.get(value)
  if (text === undefined) {
    text = JSON.stringify(value)
    kept.set(value, text)
  }
  return text
}
