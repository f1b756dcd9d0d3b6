/**
 * Ring buffer of samples in shared memory. The controller's thread writes one sample after a given number of cycles and
 * a given time; the gateway reads without blocking it. Layout: number of samples written so far (64 bits), then for
 * each slot of the ring cycle and time (doubles) and the bytes.
 */
import type { MemoryRange, TraceOptions, TraceSample } from './contract.ts'

const head = 8
const stamps = 16

/** Bytes of one sample without cycle and time. */
function sampleSize(ranges: readonly MemoryRange[]): number {
  return ranges.reduce((sum, { size }) => sum + size, 0)
}

/** Returns the bytes that a trace takes. */
export function traceSize({ ranges, samples }: TraceOptions): number {
  return head + samples * (stamps + sampleSize(ranges))
}

/** The samples of a trace. */
export class TraceBuffer {
  readonly buffer: SharedArrayBuffer
  readonly options: TraceOptions
  readonly #count: BigInt64Array
  readonly #view: DataView
  readonly #bytes: Uint8Array
  readonly #size: number
  #skipped = 0
  /** Virtual time of the last sample, ms. */
  #sampledAt = Number.NEGATIVE_INFINITY

  constructor(options: TraceOptions, buffer?: SharedArrayBuffer) {
    this.options = options
    this.#size = stamps + sampleSize(options.ranges)
    this.buffer = buffer ?? new SharedArrayBuffer(traceSize(options))
    this.#count = new BigInt64Array(this.buffer, 0, 1)
    this.#view = new DataView(this.buffer)
    this.#bytes = new Uint8Array(this.buffer)
  }

  /** Called at the end of each cycle. */
  endOfCycle(memory: Uint8Array, cycle: number, time: number): void {
    const { everyCycles, everyMs = 0 } = this.options
    if (this.#skipped++ % everyCycles !== 0) return
    // The clock may be set back.
    const passed = time - this.#sampledAt
    if (passed >= 0 && passed < everyMs) return
    this.#sampledAt = time
    const written = Atomics.load(this.#count, 0)
    let at = head + Number(written % BigInt(this.options.samples)) * this.#size
    this.#view.setFloat64(at, cycle)
    this.#view.setFloat64(at + 8, time)
    at += stamps
    for (const { address, size } of this.options.ranges) {
      this.#bytes.set(memory.subarray(address, address + size), at)
      at += size
    }
    Atomics.store(this.#count, 0, written + 1n)
  }

  /** Returns all samples, oldest first, without those overwritten during the copy. */
  samples(): TraceSample[] {
    const { samples, ranges } = this.options
    const end = Atomics.load(this.#count, 0)
    const copy = this.#bytes.slice()
    // The slot of the next sample may be partly written.
    const now = Atomics.load(this.#count, 0) + (Atomics.load(this.#count, 0) === end ? 0n : 1n)
    const first = now > BigInt(samples) ? now - BigInt(samples) : 0n
    const view = new DataView(copy.buffer)
    const result: TraceSample[] = []
    for (let i = first; i < end; i++) {
      let at = head + Number(i % BigInt(samples)) * this.#size
      const [cycle, time] = [view.getFloat64(at), view.getFloat64(at + 8)]
      at += stamps
      const bytes = ranges.map(({ size }) => {
        at += size
        return copy.subarray(at - size, at)
      })
      result.push({ cycle, time, bytes })
    }
    return result
  }
}
