/** The alarms of a controller as the gateway knows them: those that are pending, and the log of the newest events. */
import type { AlarmBatch, AlarmEvent, PendingAlarm } from './alarm-messages.ts'

/** Entries that are kept. */
const most = 10_000

/** An entry of the log: an event, or the number of events that were too many to report. */
export type AlarmEntry =
  | (AlarmEvent & { readonly number: number })
  | { readonly number: number; readonly kind: 'lost'; readonly time: number; readonly count: number }

/** The alarms of one controller. */
export class AlarmLog {
  #entries: AlarmEntry[] = []
  #number = 0
  #pending = new Map<string, PendingAlarm>()

  /** Takes a batch. Returns its entries. */
  add({ events, lost, pending }: AlarmBatch): readonly AlarmEntry[] {
    const own: AlarmEntry[] = []
    if (lost > 0) own.push({ number: ++this.#number, kind: 'lost', time: events[0]?.time ?? 0, count: lost })
    for (const event of events) {
      own.push({ number: ++this.#number, ...event })
      if (pending === undefined) this.#apply(event)
    }
    if (pending !== undefined) this.#pending = new Map(pending.map((alarm) => [alarm.name, alarm]))
    this.#keep(own)
    return own
  }

  /** The controller is off: nothing is pending. Returns the entries for that. */
  clear(time: number, cause: string): readonly AlarmEntry[] {
    const own = [...this.#pending.values()].map((alarm): AlarmEntry => {
      return { number: ++this.#number, kind: 'removed', time, alarm, cause }
    })
    this.#pending.clear()
    this.#keep(own)
    return own
  }

  #apply({ kind, alarm }: AlarmEvent): void {
    const isPending = kind !== 'removed' && (alarm.isPresent || !alarm.isAcknowledged)
    // The order is that in which alarms came.
    if (kind === 'incoming' || !isPending) this.#pending.delete(alarm.name)
    if (isPending) this.#pending.set(alarm.name, alarm)
  }

  #keep(entries: readonly AlarmEntry[]): void {
    for (const entry of entries) this.#entries.push(entry)
    if (this.#entries.length > 2 * most) this.#entries = this.#entries.slice(-most)
  }

  /** Newest first. */
  get newestFirst(): readonly AlarmEntry[] {
    return this.#entries.slice(-most).reverse()
  }

  /** Newest first. */
  get pending(): readonly PendingAlarm[] {
    return [...this.#pending.values()].reverse()
  }
}
