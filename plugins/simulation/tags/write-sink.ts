/** Collects the writes of a value, as few as possible. */
import type { MemoryWrite } from '../controller/contract.ts'

/** Merges adjacent bytes to one write, and bits of one byte to one mask. The order is kept. */
export class WriteSink {
  readonly #writes: MemoryWrite[] = []
  #start = 0
  #length = 0
  #buffer = new Uint8Array(64)
  #bits: { address: number; value: number; mask: number } | undefined

  bytes(address: number, bytes: Uint8Array): void {
    if (this.#bits || (this.#length > 0 && address !== this.#start + this.#length)) this.#flush()
    if (this.#length === 0) this.#start = address
    const needed = this.#length + bytes.length
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2))
      larger.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = larger
    }
    this.#buffer.set(bytes, this.#length)
    this.#length = needed
  }

  bit(address: number, bit: number, isOn: boolean): void {
    if (this.#bits?.address !== address) {
      this.#flush()
      this.#bits = { address, value: 0, mask: 0 }
    }
    const mask = 1 << bit
    this.#bits.mask |= mask
    this.#bits.value = isOn ? this.#bits.value | mask : this.#bits.value & ~mask
  }

  finish(): MemoryWrite[] {
    this.#flush()
    return this.#writes
  }

  #flush(): void {
    if (this.#bits) {
      const { address, value, mask } = this.#bits
      this.#writes.push({ address, bytes: Uint8Array.of(value), mask })
      this.#bits = undefined
    }
    if (this.#length > 0) {
      this.#writes.push({ address: this.#start, bytes: this.#buffer.slice(0, this.#length) })
      this.#length = 0
    }
  }
}
