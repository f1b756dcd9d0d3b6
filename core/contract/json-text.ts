/**
 * JSON text of answers. For a value that never changes and is requested repeatedly (a finished job that clients poll)
 * the text is made once.
 */
const kept = new WeakMap<object, string | undefined>()

/** Declares that a value never changes again. */
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
