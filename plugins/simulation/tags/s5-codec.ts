/** S5 timers and counters: plc/library/s5-blocks.ts defines their state; their value is that of `L T1` and `L C1`. */
import { s5CounterLayout, s5TimerLayout } from '../../../plc/library/s5-blocks.ts'
import type { Codec } from './scalar-codec.ts'
import { durationText } from './time-text.ts'
import { shown, ValueFault } from './value-fault.ts'

/**
 * Remaining time, rounded up to the timer's unit; `null` when the clock is unknown. It cannot be written, because only
 * programs start timers.
 */
export const s5TimerCodec: Codec = {
  leaves: 1,
  decode(view, at, _bit, clock) {
    const { start, preset, unit, running } = s5TimerLayout
    if (view.getUint8(at + running) === 0) return 'S5T#0ms'
    if (clock === undefined) return null
    const size = view.getBigInt64(at + unit, true)
    const left = view.getBigInt64(at + preset, true) - (clock - view.getBigInt64(at + start, true))
    if (left <= 0n || size <= 0n) return 'S5T#0ms'
    return durationText('S5T', false, Number((((left + size - 1n) / size) * size) / 1_000_000n))
  },
  encode(_sink, _at, _bit, value, path) {
    throw new ValueFault('an S5 timer cannot be written: programs start it', path, value, 'nothing')
  },
}

const mostCounted = 999

/** Count, 0 to 999. */
export const s5CounterCodec: Codec = {
  leaves: 1,
  decode: (view, at) => view.getInt16(at + s5CounterLayout.value, true),
  encode(sink, at, _bit, value, path) {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > mostCounted) {
      const allowed = `0 to ${mostCounted}`
      throw new ValueFault(`${shown(value)} is no value of Counter (${allowed})`, path, value, allowed)
    }
    sink.bytes(at + s5CounterLayout.value, Uint8Array.of(value & 255, value >> 8))
  },
}
