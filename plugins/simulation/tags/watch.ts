/** Follows the values of tags while a program runs. */
import { setTimeout } from 'node:timers/promises'
import { isGatewayError } from '../../../core/index.ts'
import type { Controller } from '../controller/contract.ts'
import { bad, planOf, type ReadPlan, readPlanned, type Slot, slotValue, type TagValue } from './batch.ts'

/** Options of {@link watchTags}. */
export interface WatchOptions {
  /** Time between two messages, ms. */
  readonly intervalMs: number
  /** A number is reported again when it differs from the last reported value by more than this. */
  readonly deadband?: number
}

/** A changed value; all values in a message are from the same scan boundary. */
export interface TagChange extends TagValue {
  /** The name as it was asked for, where the tag is called otherwise. */
  readonly requested?: string
}

/**
 * Yields the values of tags: first all, then those that changed, at most one message per interval. When another program
 * is loaded the names are resolved again; a missing tag is reported once, as `Bad`, and the others go on. The same
 * applies while the controller cannot be read (it is off, or has no program). Ends when the signal is aborted.
 */
export async function* watchTags(
  controller: Controller,
  names: readonly string[],
  { intervalMs, deadband = 0 }: WatchOptions,
  signal: AbortSignal,
): AsyncGenerator<TagChange[], void> {
  let watch = new Watch(names, deadband)
  // The new program may have the same hash: all values are reported again.
  const forget = () => {
    watch = new Watch(names, deadband, watch)
  }
  controller.events.on('program', forget)
  try {
    while (!signal.aborted) {
      const changes = await watch.changes(controller)
      if (signal.aborted) return
      if (changes.length > 0) yield changes
      await setTimeout(intervalMs, undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    controller.events.off('program', forget)
  }
}

/** The values that were reported last. */
class Watch {
  readonly #names: readonly string[]
  readonly #deadband: number
  #plan: ReadPlan | undefined
  /** The bytes of the last read, by range. */
  #bytes: readonly Uint8Array[] = []
  readonly #told: (TagValue | undefined)[]

  constructor(names: readonly string[], deadband: number, before?: Watch) {
    this.#names = names
    this.#deadband = deadband
    this.#told = before ? before.#told : new Array(names.length)
  }

  async changes(controller: Controller): Promise<TagChange[]> {
    try {
      const { plan, snapshot } = await readPlanned(controller, (program) => planOf(program, this.#names))
      const views = snapshot.bytes.map((bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      const timestamp = new Date(snapshot.time).toISOString()
      const before = this.#plan === plan ? this.#bytes : []
      const isSame = snapshot.bytes.map((bytes, i) => areEqual(bytes, before[i]))
      this.#plan = plan
      this.#bytes = snapshot.bytes.map((bytes, i) => (isSame[i] ? (before[i] ?? bytes) : bytes.slice()))
      return plan.slots.flatMap((slot, i) => {
        // While a timer runs, its bytes stay the same but its value changes.
        const isTimer = 'tag' in slot && slot.tag.area === 'T'
        if (!('error' in slot) && !isTimer && isSame[slot.range]) return []
        if (!isTimer && isUnchanged(slot, snapshot.bytes, before) && this.#told[i]?.quality === 'Good') return []
        return this.#tell(i, slotValue(slot, views, timestamp, snapshot.clock))
      })
    } catch (error) {
      if (!isGatewayError(error)) throw error
      this.#plan = undefined
      const timestamp = new Date(controller.time).toISOString()
      return this.#names.flatMap((name, i) => this.#tell(i, bad(this.#told[i]?.name ?? name, error.message, timestamp)))
    }
  }

  /** Returns the value, unless it was the last one reported. */
  #tell(i: number, next: TagValue): TagChange[] {
    const last = this.#told[i]
    if (last && isTold(last, next, this.#deadband)) return []
    this.#told[i] = next
    const requested = this.#names[i]
    return [requested === undefined || requested === next.name ? next : { ...next, requested }]
  }
}

function areEqual(bytes: Uint8Array, before: Uint8Array | undefined): boolean {
  return before !== undefined && Buffer.compare(bytes, before) === 0
}

/** Whether the bytes of a tag are unchanged. */
function isUnchanged(slot: Slot, bytes: readonly Uint8Array[], before: readonly Uint8Array[]): boolean {
  if ('error' in slot) return false
  const { range, offset, tag } = slot
  const [now, then] = [bytes[range], before[range]]
  if (!now || !then) return false
  for (let i = offset; i < offset + tag.size; i++) if (now[i] !== then[i]) return false
  return true
}

function isTold(last: TagValue, next: TagValue, deadband: number): boolean {
  if (last.quality !== next.quality || last.error !== next.error || last.dataType !== next.dataType) return false
  const [was, is] = [last.value, next.value]
  if (typeof was === 'number' && typeof is === 'number') return was === is || Math.abs(is - was) <= deadband
  return was === is || (typeof is === 'object' && JSON.stringify(was) === JSON.stringify(is))
}
