/** What an instruction of the system is to the lowering: a function from a call to code. */

import type { BlockContext } from './block-context.ts'
import type { SourceRange } from './source-range.ts'
import type { CallArgument, Called } from './values.ts'

/** A call of an instruction. */
export interface InstructionCall {
  readonly context: BlockContext
  /** As it is written. */
  readonly name: string
  readonly at: SourceRange
  /** Without EN and ENO. */
  readonly arguments: readonly CallArgument[]
}

/** Works a call out; what is wrong with it is reported, and no value given. */
export type Instruction = (call: InstructionCall) => Called
