/**
 * The time zone that the program set, on the memory card: SET_TIMEZONE writes it to load memory, so a CPU keeps it over
 * power-off (docs/plc-semantics.md#cycle).
 */
import { type Changeover, type TimeZone, timeZoneOf } from '../../../plc/runtime/time-zone.ts'
import { CardText } from './files.ts'

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
  readonly #file: CardText

  constructor(folder: string) {
    this.#file = new CardText(folder, 'time-zone.json')
  }

  /** @param utcOffsetMinutes of the configuration: another one replaces what the program set */
  save({ bias, daylight }: TimeZone, utcOffsetMinutes: number): void {
    const minutes = (nanoseconds = 0n) => Number(nanoseconds / perMinute)
    const { start = {}, end = {} } = daylight ?? {}
    const rule = { bias: minutes(bias), daylightBias: minutes(daylight?.bias), start, end }
    this.#file.save(JSON.stringify({ utcOffsetMinutes, ...rule }))
  }

  /** Resolves when everything is written. */
  settled(): Promise<void> {
    return this.#file.settled()
  }

  /** The zone that was saved under this configuration; undefined without one, or when the file is damaged. */
  async read(utcOffsetMinutes: number): Promise<TimeZone | undefined> {
    const text = await this.#file.read()
    if (text === undefined) return undefined
    try {
      const kept = JSON.parse(text) as Kept
      if (kept.utcOffsetMinutes !== utcOffsetMinutes) return undefined
      return timeZoneOf(kept.bias, kept.daylightBias, kept.start, kept.end)
    } catch {
      return undefined
    }
  }
}
