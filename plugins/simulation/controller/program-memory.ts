/** Data of a program: start values, retentive data, data copied at a load. */
import type { Copy, RunnableProgram } from './messages.ts'

/** The memory of one program. */
export class ProgramMemory {
  readonly bytes: Uint8Array
  readonly #program: RunnableProgram
  readonly #images: ReadonlyMap<number, readonly { readonly address: number; readonly bytes: Uint8Array }[]>

  constructor(program: RunnableProgram) {
    this.#program = program
    this.bytes = new Uint8Array(program.memory.buffer)
    this.#images = imagesOf(program)
  }

  /** Warm restart: data that are not retentive get their start values; inputs and outputs are 0. */
  restart(retentiveFlags: number): void {
    const { areas } = this.#program.linked
    this.#clear(areas.M.address + Math.min(retentiveFlags, areas.M.size), areas.M.address + areas.M.size)
    for (const { address, size } of [areas.T, areas.C, areas.I, areas.Q, areas.PQ]) this.#clear(address, address + size)
    for (const block of this.#program.dataBlocks) {
      const kept = block.retentive.map(([address, size]) => this.bytes.slice(address, address + size))
      this.#startValues(block)
      for (const [i, [address]] of block.retentive.entries()) this.bytes.set(kept[i] ?? [], address)
    }
  }

  /** Memory reset: all data get the values of load memory. The periphery keeps its external values. */
  reset(): void {
    const { I, Q, M, T, C, PQ } = this.#program.linked.areas
    for (const { address, size } of [I, Q, M, T, C, PQ]) this.#clear(address, address + size)
    for (const block of this.#program.dataBlocks) this.#startValues(block)
  }

  /** Copies values from the memory of the old program. The places of the copies are from `begin` and `to` on. */
  takeOver(old: Uint8Array, copies: readonly Copy[], begin = 0, to = 0): void {
    for (const one of copies) {
      const [from, at] = [begin + one.from, to + one.to]
      if ('each' in one)
        for (let i = 0; i < one.count; i++)
          this.takeOver(old, one.each, from + i * one.fromStride, at + i * one.toStride)
      else if (one.fromBit === undefined || one.toBit === undefined)
        this.bytes.set(old.subarray(from, from + one.size), at)
      else {
        const bit = (old[from]! >> one.fromBit) & 1
        this.bytes[at] = (this.bytes[at]! & ~(1 << one.toBit)) | (bit << one.toBit)
      }
    }
  }

  #clear(from: number, to: number): void {
    this.bytes.fill(0, from, to)
  }

  #startValues({ address, size }: RunnableProgram['dataBlocks'][number]): void {
    this.#clear(address, address + size)
    for (const part of this.#images.get(address) ?? []) this.bytes.set(part.bytes, part.address)
  }
}

/** Parts of the start image by the address of their data block. */
function imagesOf({ image, dataBlocks }: RunnableProgram) {
  const starts = dataBlocks.map(({ address }) => address).sort((a, b) => a - b)
  const images = new Map<number, { readonly address: number; readonly bytes: Uint8Array }[]>()
  const ends = new Map(dataBlocks.map(({ address, size }) => [address, address + size]))
  for (const part of image) {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= part.address) low = middle + 1
      else high = middle
    }
    const start = starts[low - 1]
    if (start === undefined || part.address >= (ends.get(start) ?? 0)) continue
    const list = images.get(start)
    if (list) list.push(part)
    else images.set(start, [part])
  }
  return images
}
