/**
 * Synchronous errors that the program masks with MSK_FLT (TIA Portal help, "Mask synchronous error events"): a masked
 * error calls no OB and is kept in a register until READ_ERR or DMSK_FLT. Masks hold for one priority class: until the
 * organization block that masks has ended. The number of a bit is the event minus 16#2520 for programming errors, and
 * the event minus 16#2940 for access errors; the pages give the bits only as pictures, and the order of their tables.
 */
import type { ProgrammingFault } from '../library/faults.ts'

/** Bits of errors that exist: 2521 to 2525, 2528, 2529, 2530 to 2535, 253A, 253C to 253F; 2942 and 2943. */
const known = { program: 0xf43f_033en, access: 0x0000_000cn }

export type ErrorKind = keyof typeof known

interface Level {
  masked: Record<ErrorKind, bigint>
  occurred: Record<ErrorKind, bigint>
}

const kinds: readonly ErrorKind[] = ['program', 'access']

function fresh(): Level {
  return { masked: { program: 0n, access: 0n }, occurred: { program: 0n, access: 0n } }
}

/** Result of an instruction: RET_VAL, and both double words. */
export interface MaskAnswer {
  readonly status: 0 | 1
  readonly outputs: readonly [bigint, bigint]
}

export class ErrorMasks {
  readonly #levels: Level[] = []

  /** An organization block begins: nothing is masked in it. */
  enter(): void {
    this.#levels.push(fresh())
  }

  leave(): void {
    this.#levels.pop()
  }

  get #level(): Level {
    return this.#levels.at(-1) ?? fresh()
  }

  /** Notes an error that is masked; returns false when it is not. */
  take({ id }: ProgrammingFault): boolean {
    const bit = 1n << BigInt((id - 0x2520) & 31)
    const { masked, occurred } = this.#level
    if ((masked.program & bit) === 0n) return false
    occurred.program |= bit
    return true
  }

  /** MSK_FLT: RET_VAL 1 when one of them was masked already. */
  mask(...wanted: readonly bigint[]): MaskAnswer {
    const { masked } = this.#level
    let status: 0 | 1 = 0
    for (const [i, kind] of kinds.entries()) {
      const bits = (wanted[i] ?? 0n) & known[kind]
      if ((masked[kind] & bits) !== 0n) status = 1
      masked[kind] |= bits
    }
    return { status, outputs: [masked.program, masked.access] }
  }

  /** DMSK_FLT: RET_VAL 1 when one of them was not masked; their register entries are cleared. */
  unmask(...wanted: readonly bigint[]): MaskAnswer {
    const { masked, occurred } = this.#level
    let status: 0 | 1 = 0
    for (const [i, kind] of kinds.entries()) {
      const bits = (wanted[i] ?? 0n) & known[kind]
      if ((masked[kind] & bits) !== bits) status = 1
      masked[kind] &= ~bits
      occurred[kind] &= ~bits
    }
    return { status, outputs: [masked.program, masked.access] }
  }

  /** READ_ERR: which of the errors occurred, and clears them; RET_VAL 1 when one of them is not masked. */
  read(...asked: readonly bigint[]): MaskAnswer {
    const { masked, occurred } = this.#level
    let status: 0 | 1 = 0
    const seen = kinds.map((kind, i) => {
      const bits = (asked[i] ?? 0n) & known[kind]
      if ((masked[kind] & bits) !== bits) status = 1
      const found = occurred[kind] & bits
      occurred[kind] &= ~bits
      return found
    })
    return { status, outputs: [seen[0] ?? 0n, seen[1] ?? 0n] }
  }
}
