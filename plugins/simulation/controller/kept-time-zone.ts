/**
 * The time zone that the program set, on the memory card: SET_TIMEZONE writes it to load memory, so a CPU keeps it over
 * power-off (docs/plc-semantics.md#cycle).
 */
import { join } from 'node:path'
import { type Changeover, type TimeZone, timeZoneOf } from '../../../plc/runtime/time-zone.ts'
import { readIfThere, replaceFile } from './files.ts'

/** As SET_TIMEZONE takes it: minutes. */
interface Kept {
  readonly utcOffsetMinutes: number
  readonly bias: number
  readonly daylightBias: number
  readonly start: Changeover
  readonly end: Changeover
}

const perMinute = 60_000_000_000n

/** Stores the time zone of one controller. */
export class KeptTimeZone {
  readonly #path: string
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#path = join(folder, 'time-zone.json')
  }

  /** @param utcOffsetMinutes of the configuration: another one replaces what the program set */
  save({ bias, daylight }: TimeZone, utcOffsetMinutes: number): void {
    const minutes = (nanoseconds = 0n) => Number(nanoseconds / perMinute)
    const { start = {}, end = {} } = daylight ?? {}
    const rule = { bias: minutes(bias), daylightBias: minutes(daylight?.bias), start, end }
    this.#writing = this.#writing
      .then(() => replaceFile(this.#path, JSON.stringify({ utcOffsetMinutes, ...rule }), false))
      .catch(() => undefined)
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#writing
  }

  /** The zone that was saved under this configuration; undefined without one, or when the file is damaged. */
  async read(utcOffsetMinutes: number): Promise<TimeZone | undefined> {
    await this.settled()
    const file = await readIfThere(this.#path)
    if (file === undefined) return undefined
    try {
      const kept = JSON.parse(Buffer.from(file).toString('utf8')) as Kept
      if (kept.utcOffsetMinutes !== utcOffsetMinutes) return undefined
      return timeZoneOf(kept.bias, kept.daylightBias, kept.start, kept.end)
    } catch {
      return undefined
    }
  }
}
