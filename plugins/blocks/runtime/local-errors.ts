/**
 * Errors that a block handles itself. A block that asks with GET_ERROR or GET_ERR_ID gets no OB121 for its programming errors: they are kept
 * here, the first one since it was asked last, until the next call of the block (TIA Portal help, "GET_ERROR"; plc-semantics.md 2.7).
 * The names of its routines say for which block they are: `error.id@Motor`.
 */
import type { LinkedProgram } from '../codegen/link.ts'
import type { Routine } from './context.ts'

/** Name of the routine that asks for the error of a block, or forgets it (`begin`, at the beginning of a call). */
export function errorRoutine(kind: 'id' | 'begin', block: string): string {
  return `error.${kind}@${block}`
}

/** 16#2522: an index outside its array, "area length error". The program is not told reading from writing. */
const areaLength = 0x2522

export class LocalErrors {
  /** By the name of the block in lower case. */
  readonly #pending = new Map<string, number>()
  readonly routines: Readonly<Record<string, Routine>>

  constructor({ routines }: Pick<LinkedProgram, 'routines'>) {
    const own: Record<string, Routine> = {}
    for (const { name } of routines) {
      const [, kind, block] = /^error\.(id|begin)@(.*)$/s.exec(name) ?? []
      if (kind === undefined || block === undefined) continue
      const key = block.toLowerCase()
      this.#pending.set(key, 0)
      own[name] = () => {
        const error = this.#pending.get(key) ?? 0
        this.#pending.set(key, 0)
        return kind === 'id' ? error : undefined
      }
    }
    this.routines = own
  }

  /** Keeps an error of the block; false when it is not one that handles its errors. */
  take(block: string): boolean {
    const key = block.toLowerCase()
    const pending = this.#pending.get(key)
    if (pending === undefined) return false
    if (pending === 0) this.#pending.set(key, areaLength)
    return true
  }
}
