/** S5 timers and counters as words for S7 clients: three BCD digits, and for timers the time base above them. */
import { s5CounterLayout, s5Counters, s5TimerLayout, s5Timers } from '../../../plc/library/s5-blocks.ts'
import type { MemoryWrite } from '../controller/contract.ts'
import { type ReturnCode, returnCode } from './codes.ts'

/** The memory layouts of timers and counters in the runtime. */
export interface S5Layouts {
  readonly timers: typeof s5Timers & { readonly layout: typeof s5TimerLayout }
  readonly counters: typeof s5Counters & { readonly layout: typeof s5CounterLayout }
}

/** Loads the layouts of S5 timers and counters. */
export async function loadS5Layouts(): Promise<S5Layouts> {
  return {
    timers: { ...s5Timers, layout: s5TimerLayout },
    counters: { ...s5Counters, layout: s5CounterLayout },
  }
}

const mostDigits = 999

function toBcd(value: number): number {
  return (Math.floor(value / 100) << 8) | (Math.floor((value % 100) / 10) << 4) | (value % 10)
}

/** Decodes three BCD digits; `undefined` when one is invalid. */
function fromBcd(word: number): number | undefined {
  const digits = [(word >> 8) & 15, (word >> 4) & 15, word & 15] as const
  return digits.some((digit) => digit > 9) ? undefined : digits[0] * 100 + digits[1] * 10 + digits[2]
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Time bases of S5TIME, nanoseconds: 10 ms, 100 ms, 1 s, 10 s. */
const bases = [10_000_000n, 100_000_000n, 1_000_000_000n, 10_000_000_000n]

/**
 * Returns the remaining time of each timer, as `LC` loads it.
 * @param clock the timers' clock when the bytes were read
 */
export function timerData(bytes: Uint8Array, { timers }: S5Layouts, clock: bigint | undefined): Buffer | ReturnCode {
  if (clock === undefined) return returnCode.notAvailable
  const { layout, size } = timers
  const view = viewOf(bytes)
  const data = Buffer.alloc((bytes.length / size) * 2)
  for (let at = 0; at < bytes.length; at += size) {
    const unit = view.getBigInt64(at + layout.unit, true)
    const isRunning = view.getUint8(at + layout.running) !== 0
    const rest = view.getBigInt64(at + layout.preset, true) - (clock - view.getBigInt64(at + layout.start, true))
    const left = isRunning && unit > 0n && rest > 0n ? (rest + unit - 1n) / unit : 0n
    const base = bases.filter((one) => one < unit).length
    data.writeUInt16BE((base << 12) | toBcd(Math.min(Number(left), mostDigits)), (at / size) * 2)
  }
  return data
}

/** Returns the count of each counter. */
export function counterData(bytes: Uint8Array, { counters }: S5Layouts): Buffer {
  const { layout, size } = counters
  const view = viewOf(bytes)
  const data = Buffer.alloc((bytes.length / size) * 2)
  for (let at = 0; at < bytes.length; at += size) {
    const count = view.getInt16(at + layout.value, true)
    data.writeUInt16BE(toBcd(Math.min(Math.max(count, 0), mostDigits)), (at / size) * 2)
  }
  return data
}

/**
 * Returns the writes that set counters to counts.
 * @param address of the first one's state
 */
export function counterWrites(
  address: number,
  data: Buffer,
  { counters }: S5Layouts,
): readonly MemoryWrite[] | ReturnCode {
  const writes: MemoryWrite[] = []
  for (let at = 0; at < data.length; at += 2) {
    const count = fromBcd(data.readUInt16BE(at))
    if (count === undefined) return returnCode.typeInconsistent
    const bytes = new Uint8Array(2)
    viewOf(bytes).setInt16(0, count, true)
    writes.push({ address: address + (at / 2) * counters.size + counters.layout.value, bytes })
  }
  return writes
}
