/** Waiting in tests: for a condition, however busy the computer is, and not for ever. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** What no condition takes, not even on a computer with other work: ms. */
const bound = 180_000

/**
 * Waits until `look` gives something else than `false`, `null` or `undefined`.
 *
 * @param what the end of "waited in vain until …"
 * @returns what it gave
 * @throws AssertionError after three minutes
 */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
): Promise<Exclude<T, false | null | undefined>> {
  const begin = performance.now()
  for (;;) {
    const seen = await look()
    if (seen !== false && seen !== null && seen !== undefined) return seen as Exclude<T, false | null | undefined>
    if (performance.now() - begin > bound) assert.fail(`waited in vain until ${what}`)
    await sleep(10)
  }
}

/**
 * Waits until what `read` gives equals `wanted`.
 *
 * @throws AssertionError after three minutes, with the difference
 */
export async function becomes<T>(read: () => T | Promise<T>, wanted: T): Promise<void> {
  const begin = performance.now()
  for (;;) {
    const seen = await read()
    if (isDeepStrictEqual(seen, wanted)) return
    if (performance.now() - begin > bound) assert.deepEqual(seen, wanted)
    await sleep(10)
  }
}

/**
 * A reader of a stream of text: each call waits until what came since the match of the last call matches.
 *
 * @throws AssertionError with what came, when the stream ends before or three minutes pass
 */
export function textUntil(response: Response): (pattern: RegExp) => Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async (pattern) => {
    const late = setTimeout(() => void reader?.cancel(), bound)
    while (!pattern.test(text)) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      text += value
    }
    clearTimeout(late)
    assert.match(text, pattern)
    const [found = ''] = pattern.exec(text) ?? []
    text = text.slice(text.indexOf(found) + found.length)
  }
}
