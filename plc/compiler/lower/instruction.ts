/** The form of a system instruction in the lowering: a function from a call to code. */

import type { BlockContext } from './block-context.ts'
import type { SourceRange } from './source-range.ts'
import type { CallArgument, Called } from './values.ts'

/** A call of an instruction. */
export interface InstructionCall {
  readonly context: BlockContext
  /** The name as it is written. */
  readonly name: string
  readonly at: SourceRange
  /** The arguments without EN and ENO. */
  readonly arguments: readonly CallArgument[]
}

/** Lowers a call; reports its faults, and then gives no value. */
export type Instruction = (call: InstructionCall) => Called
