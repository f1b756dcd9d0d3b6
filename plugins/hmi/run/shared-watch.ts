/** One watch of a controller for all viewers that follow the same variables. */
import { once } from 'node:events'
import { type Controller, type TagChange, watchTags } from '../../simulation/index.ts'

/** Called with each change and the place of its name in the list. */
export type OnChange = (place: number, change: TagChange) => void

class SharedWatch {
  readonly #viewers = new Set<OnChange>()
  readonly #last: (TagChange | undefined)[]
  readonly #ended = new AbortController()
  /** Ends with the last viewer, or with a fault of the controller. */
  readonly run: Promise<void>

  constructor(controller: Controller, names: readonly string[], intervalMs: number) {
    this.#last = new Array(names.length)
    this.run = this.#follow(controller, names, intervalMs)
  }

  async #follow(controller: Controller, names: readonly string[], intervalMs: number): Promise<void> {
    // Names come back as the program writes them: the first message has all, in the order asked for.
    const places = new Map<string, number>()
    let isFirst = true
    for await (const changes of watchTags(controller, names, { intervalMs }, this.#ended.signal)) {
      for (const [i, change] of changes.entries()) {
        const place = isFirst ? i : (places.get(change.name) ?? names.indexOf(change.name))
        if (isFirst) places.set(change.name, i)
        if (place < 0) continue
        this.#last[place] = change
        for (const tell of this.#viewers) tell(place, change)
      }
      isFirst = false
    }
  }

  /** A new viewer gets the present values first. */
  add(viewer: OnChange): void {
    for (const [place, change] of this.#last.entries()) if (change) viewer(place, change)
    this.#viewers.add(viewer)
  }

  /** @returns whether nobody is left; then the watch ends */
  remove(viewer: OnChange): boolean {
    this.#viewers.delete(viewer)
    if (this.#viewers.size > 0) return false
    this.#ended.abort()
    return true
  }
}

const watches = new WeakMap<Controller, Map<string, SharedWatch>>()

/**
 * Follows variables of a controller until the signal is aborted. All that follow the same names at the same interval
 * share one watch, so that a viewer more costs the controller nothing.
 * @param names each once
 * @throws what the watch fails with
 */
export async function followShared(
  controller: Controller,
  names: readonly string[],
  intervalMs: number,
  signal: AbortSignal,
  onChange: OnChange,
): Promise<void> {
  if (signal.aborted) return
  const own = watches.get(controller) ?? new Map<string, SharedWatch>()
  watches.set(controller, own)
  const key = `${intervalMs}\n${names.join('\n')}`
  const watch = own.get(key) ?? new SharedWatch(controller, names, intervalMs)
  own.set(key, watch)
  const forget = () => {
    if (own.get(key) === watch) own.delete(key)
  }
  watch.add(onChange)
  const left = new AbortController()
  try {
    await Promise.race([watch.run, once(signal, 'abort', { signal: left.signal })])
  } catch (error) {
    forget()
    throw error
  } finally {
    left.abort()
    if (watch.remove(onChange)) forget()
  }
}
