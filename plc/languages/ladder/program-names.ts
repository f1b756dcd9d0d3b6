/** What the conversion of text to a network needs to know about the program around it. */

import type { CallParameter } from '../../model/logic-network.ts'
import type { ConstantOperand, PathComponent, SymbolOperand, SymbolScope } from '../../model/operand.ts'
import type { OperandNames } from '../../model/operand-reader.ts'

/** A block that can be called. */
export interface CallableBlock {
  readonly name: string
  readonly blockType: 'FB' | 'FC'
  readonly parameters: readonly CallParameter[]
}

/**
 * Lookups return `undefined` for what is not known; then the text must state it itself, or the network goes without.
 */
export interface ProgramNames extends OperandNames {
  /** Data type of a variable or constant, as TIA Portal spells it. */
  typeOf?(operand: SymbolOperand | ConstantOperand): string | undefined
  /** Finds a block by its name. */
  block?(name: string): CallableBlock | undefined
  /**
   * Finds the name of the function block that an instance belongs to: a data block, or a member that is a
   * multi-instance.
   */
  instanceOf?(scope: SymbolScope, path: readonly PathComponent[]): string | undefined
  /** Finds where a bare name (without `#` and quotes) is declared. */
  scopeOf?(name: string): 'GlobalVariable' | 'LocalVariable' | undefined
}
