/**
 * Tells when the log is ahead of the clock: the clock was ahead before, or is behind now. The times of the log never go
 * back (audit, states and archive find records by time), so all records carry its last time until the clock has reached
 * it. Their order is that of their numbers all the same.
 */
import { counted } from '../../lib/counted.ts'
import type { Store } from '../../store/index.ts'
import type { Logger } from '../contract/logger.ts'
import { iso } from '../log/job.ts'

/** A clock that is disciplined over the network goes back by less, ms. */
const unnoticedMs = 1000

/** See the head of this file. */
export class ClockWatch {
  readonly #store: Store
  readonly #clock: () => number
  readonly #log: Logger
  /** The time at which the log stands still, and the first record that carries it. */
  #stands: { readonly time: number; readonly first: Promise<number> } | undefined

  constructor(store: Store, clock: () => number, log: Logger) {
    this.#store = store
    this.#clock = clock
    this.#log = log
    this.check()
    store.log.onCommit(() => this.check())
  }

  /** How much later the last record is than the clock, ms; 0 when it is not. */
  get aheadMs(): number {
    const ahead = this.#store.log.lastTime - this.#clock()
    return ahead > unnoticedMs ? ahead : 0
  }

  /** Warns once when the log begins to be ahead, and says when it is not any more. */
  check(): void {
    const { aheadMs } = this
    if (aheadMs === 0) {
      if (this.#stands !== undefined) this.#log.info({}, 'the clock has reached the time of the log')
      this.#stands = undefined
      return
    }
    const time = this.#store.log.lastTime
    if (this.#stands?.time === time) return
    if (this.#stands === undefined)
      this.#log.warn(
        { aheadMs, lastTime: iso(time) },
        'the log is ahead of the clock: records carry its last time until the clock has reached it',
      )
    const first = this.#store.index.seqAt(time)
    first.catch(() => {})
    this.#stands = { time, first }
  }

  /** What health says: by how much the log is ahead, since which record, until when; undefined when it is not. */
  async trouble(): Promise<string | undefined> {
    this.check()
    const stands = this.#stands
    if (stands === undefined) return undefined
    const first = await stands.first.catch(() => undefined)
    return `clock: ${this.#sentence(stands.time, first === undefined ? '' : ` since record ${first}`)}`
  }

  /** The same for the notes of a start. */
  get note(): string | undefined {
    return this.#stands && this.#sentence(this.#stands.time, '')
  }

  #sentence(time: number, since: string): string {
    return `the log is ${lasting(this.aheadMs)} ahead of the clock: all records${since} carry ${iso(time)}, and will until the clock has reached it. Either the clock was ahead before, or it is behind now`
  }
}

/** E.g. `3 days 4 h`, `1 h 2 min`, `5 s`. */
function lasting(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  const parts = [
    days && counted(days, 'day'),
    hours && `${hours} h`,
    minutes && `${minutes} min`,
    seconds % 60 && `${seconds % 60} s`,
  ]
  return parts
    .filter((part) => part !== 0)
    .slice(0, 2)
    .join(' ')
}
