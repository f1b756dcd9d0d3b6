/**
 * Errors that a block handles itself. A block that uses GET_ERROR or GET_ERR_ID causes no OB121 for its programming
 * errors: the first one since its last query is kept here until the next call of the block (TIA Portal help,
 * "GET_ERROR"; docs/plc-semantics.md#programming-errors). The names of its routines contain the block:
 * `error.id@Motor`.
 */
import type { LinkedProgram } from '../compiler/codegen/linked-program.ts'
import { areaCode, type ProgrammingFault, reactionCode } from '../library/faults.ts'
import type { ErrorQuestion } from '../library/routine-names.ts'
import type { Routine } from './context.ts'

interface BlockErrors {
  /** The first error since the last query. */
  pending?: ProgrammingFault | undefined
  /** The error that the last query returned. */
  asked?: ProgrammingFault | undefined
}

export class LocalErrors {
  /** Errors by the name of the block in lower case. */
  readonly #errors = new Map<string, BlockErrors>()
  readonly routines: Readonly<Record<string, Routine>>

  constructor({ routines }: Pick<LinkedProgram, 'routines'>) {
    const own: Record<string, Routine> = {}
    for (const { name } of routines) {
      const [, question, block] = /^error\.(id|reaction|area|begin)@(.*)$/s.exec(name) ?? []
      if (question === undefined || block === undefined) continue
      const key = block.toLowerCase()
      const errors = this.#errors.get(key) ?? {}
      this.#errors.set(key, errors)
      own[name] = answers[question as ErrorQuestion](errors)
    }
    this.routines = own
  }

  /** Keeps an error of the block; returns false when the block does not handle its errors. */
  take(block: string, fault: ProgrammingFault): boolean {
    const errors = this.#errors.get(block.toLowerCase())
    if (errors === undefined) return false
    errors.pending ??= fault
    return true
  }
}

const answers: Readonly<Record<ErrorQuestion, (errors: BlockErrors) => Routine>> = {
  id: (errors) => () => {
    errors.asked = errors.pending
    errors.pending = undefined
    return errors.asked?.id ?? 0
  },
  reaction: (errors) => () => (errors.asked ? reactionCode(errors.asked) : 0),
  area: (errors) => () => (errors.asked ? areaCode(errors.asked) : 0),
  begin: (errors) => () => {
    errors.pending = undefined
    return undefined
  },
}
