/**
 * The time zone that the program set, on the memory card: SET_TIMEZONE writes it to load memory, so a CPU keeps it over
 * power-off (docs/plc-semantics.md#cycle).
 */
import { join } from 'node:path'
import type { TimeZone } from '../../../plc/runtime/time-zone.ts'
import { readIfThere, replaceFile } from './files.ts'

/** Stores the time zone of one controller. */
export class KeptTimeZone {
  readonly #path: string
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#path = join(folder, 'time-zone.json')
  }

  /** @param utcOffsetMinutes of the configuration: another one replaces what the program set */
  save(zone: TimeZone, utcOffsetMinutes: number): void {
    const text = JSON.stringify({ utcOffsetMinutes, zone }, (_name, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    this.#writing = this.#writing.then(() => replaceFile(this.#path, text, false)).catch(() => undefined)
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
      const kept = JSON.parse(Buffer.from(file).toString('utf8'), (name, value) =>
        name === 'bias' ? BigInt(value) : value,
      ) as { readonly utcOffsetMinutes: number; readonly zone: TimeZone }
      return kept.utcOffsetMinutes === utcOffsetMinutes && typeof kept.zone.bias === 'bigint' ? kept.zone : undefined
    } catch {
      return undefined
    }
  }
}
