/**
 * WebAssembly code as bytes (WebAssembly Core Specification 2.0, chapter 5). What only the whole module determines
 * (indices of functions and globals, addresses of data) is left open in five bytes and recorded as a relocation, so
 * that the code of a block can be stored and linked again without generating it again.
 */

/** The symbol of a relocation: `function:<name>`, `global:<name>`, `address:<name>`. */
export interface Relocation {
  readonly at: number
  /**
   * `index`: unsigned index of a function or global. `offset`: unsigned, an address plus `addend`. `constant`: the
   * same, signed.
   */
  readonly kind: 'index' | 'offset' | 'constant'
  readonly symbol: string
  readonly addend: number
}

/** A growing buffer of bytes. */
export class CodeBuffer {
  readonly relocations: Relocation[] = []
  #bytes = new Uint8Array(256)
  #length = 0

  get length(): number {
    return this.#length
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Writes unsigned LEB128. */
  unsigned(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80)
      rest = Math.floor(rest / 128)
    }
    this.byte(rest)
  }

  /** Writes signed LEB128. */
  signed(value: bigint): void {
    let rest = value
    for (;;) {
      const low = Number(rest & 0x7fn)
      rest >>= 7n
      const isLast = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)
      this.byte(isLast ? low : low | 0x80)
      if (isLast) return
    }
  }

  /** Writes a 32-bit integer as signed LEB128. */
  signed32(value: number): void {
    let rest = value | 0
    for (;;) {
      const low = rest & 0x7f
      rest >>= 7
      const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
      this.byte(isLast ? low : low | 0x80)
      if (isLast) return
    }
  }

  f32(value: number): void {
    const view = new DataView(new ArrayBuffer(4))
    view.setFloat32(0, value, true)
    this.append(new Uint8Array(view.buffer))
  }

  f64(value: number): void {
    const view = new DataView(new ArrayBuffer(8))
    view.setFloat64(0, value, true)
    this.append(new Uint8Array(view.buffer))
  }

  /** Reserves five bytes that are filled in when the module is linked. */
  relocate(kind: Relocation['kind'], symbol: string, addend = 0): void {
    this.relocations.push({ at: this.#length, kind, symbol, addend })
    for (let i = 0; i < 5; i++) this.byte(0)
  }

  name(text: string): void {
    const bytes = new TextEncoder().encode(text)
    this.unsigned(bytes.length)
    this.append(bytes)
  }

  #grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/**
 * Writes a value into the five bytes of a relocation: LEB128 with all continuation bits, which is valid and of fixed
 * length.
 */
export function patch(bytes: Uint8Array, at: number, value: number, isSigned: boolean): void {
  let rest = isSigned ? value | 0 : value >>> 0
  for (let i = 0; i < 4; i++) {
    bytes[at + i] = (rest & 0x7f) | 0x80
    rest = isSigned ? rest >> 7 : rest >>> 7
  }
  bytes[at + 4] = rest & 0x7f
}

/** The length of a number as unsigned LEB128, in bytes. */
export function unsignedLength(value: number): number {
  let length = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) length++
  return length
}

/** Writes unsigned LEB128 and returns the position after it. */
export function writeUnsigned(bytes: Uint8Array, at: number, value: number): number {
  let place = at
  let rest = value
  while (rest >= 0x80) {
    bytes[place++] = (rest & 0x7f) | 0x80
    rest = Math.floor(rest / 128)
  }
  bytes[place++] = rest
  return place
}
