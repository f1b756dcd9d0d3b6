/** Values of tags of a running controller: one stream for a list of names, shown at most once in a frame. */
import { batch, type Signal, signal } from '@preact/signals'
import { type Answer, CallError, type CallOptions, events, pathWith, whileShown } from '../../gateway.ts'

export type TagValue = Answer<'simulation.read-tags'>['tags'][number] & {
  /** The name as it was asked for, where the tag is called otherwise. */
  readonly requested?: string
}

/** Names in one stream. */
export const mostFollowed = 1000

/** A refusal that is the same a second later: what is asked for is not there, is wrong, or not allowed. */
const isFinal = (error: unknown) => error instanceof CallError && [400, 403, 404, 422].includes(error.problem.status)

/**
 * Follows a stream while the page is shown, and begins again a second after it broke, until it is aborted or refused
 * for good.
 * @param expected the event with values; any other says why there are none
 * @param onFault why there are no values, and whether it stays so; empty when there are again
 * @param onPause the stream has ended, or the page is hidden: no values come until it begins again
 */
export function followStream(
  path: string,
  options: CallOptions & { readonly signal: AbortSignal },
  expected: string,
  onData: (data: unknown) => void,
  onFault: (fault: string, isForGood: boolean) => void,
  onPause?: () => void,
): Promise<void> {
  return whileShown(options.signal, async (signal) => {
    while (!signal.aborted) {
      try {
        for await (const { event, data } of events(path, { ...options, signal })) {
          if (event !== expected) throw new Error((data as { detail?: string }).detail ?? event)
          onFault('', false)
          onData(data)
        }
      } catch (error) {
        if (signal.aborted) return onPause?.()
        onFault(error instanceof Error ? error.message : String(error), isFinal(error))
        if (isFinal(error)) return
      }
      onPause?.()
      if (signal.aborted) return
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  })
}

/** Virtual time of the controller that is shown, as it was told last: ISO 8601. */
export const clockTime = signal('')

/** What tells the values of one list of names. */
export class LiveTags {
  readonly #signals = new Map<string, Signal<TagValue | undefined>>()
  #end: AbortController | undefined
  #waiting: TagValue[] = []
  #frame = 0
  /** Why there are no more values; empty while there are. */
  readonly fault = signal('')
  /** Whether values come now; what was told before is old. */
  readonly isLive = signal(false)
  /** Every message, for curves. */
  onValues: ((values: readonly TagValue[]) => void) | undefined

  /** The value of a name, undefined until it is told. */
  of(name: string): Signal<TagValue | undefined> {
    let one = this.#signals.get(name)
    if (one === undefined) {
      one = signal(undefined)
      this.#signals.set(name, one)
    }
    return one
  }

  /** Follows these names of an instance; what was followed before ends. */
  follow(instance: string, names: readonly string[], intervalMs: number): void {
    this.close()
    this.fault.value = ''
    if (instance === '' || names.length === 0) return
    const end = new AbortController()
    this.#end = end
    void followStream(
      pathWith('/api/simulation/instances/{name}/tags/stream', { name: instance }),
      { body: { tags: names.slice(0, mostFollowed), intervalMs }, signal: end.signal },
      'tags',
      (data) => {
        const { tags } = data as { tags: readonly TagValue[] }
        this.#take(tags.map(({ requested, ...one }) => ({ ...one, name: requested ?? one.name })))
        this.isLive.value = true
      },
      (fault, isForGood) => {
        this.fault.value = fault
        if (fault !== '') this.isLive.value = false
        // Of a list with one name the refusal is about this name.
        const [only, ...others] = names
        if (!isForGood || only === undefined || others.length > 0) return
        this.of(only).value = { name: only, value: null, dataType: '', quality: 'Bad', timestamp: '', error: fault }
      },
      () => {
        this.isLive.value = false
      },
    )
  }

  #take(values: readonly TagValue[]): void {
    this.onValues?.(values)
    this.#waiting.push(...values)
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#show())
  }

  #show(): void {
    this.#frame = 0
    const values = this.#waiting
    this.#waiting = []
    batch(() => {
      for (const value of values) this.of(value.name).value = value
    })
  }

  close(): void {
    this.#end?.abort()
    this.#end = undefined
    this.isLive.value = false
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    this.#waiting = []
  }
}

/** A value as it is shown in a cell. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What a person typed as JSON: TRUE, 5, 1.5; else a constant as text, which the gateway reads (T#2s). */
export function typedValue(text: string): unknown {
  const bare = text.trim()
  if (/^(true|false)$/i.test(bare)) return bare.toLowerCase() === 'true'
  return bare !== '' && Number.isFinite(Number(bare)) ? Number(bare) : bare
}
