/** Parts of calls and instructions that every language has: instance data and templates. */

import type { Kept } from './kept.ts'
import type { PathComponent, SymbolScope } from './operand.ts'

export interface TemplateValue {
  readonly name: string
  readonly type: 'Cardinality' | 'Type' | 'Operation' | (string & {})
  readonly value: string
}

/** Instance data of a call or instruction: a data block, a multi-instance or a parameter instance. */
export interface Instance {
  readonly uId?: number
  readonly scope: SymbolScope
  readonly path: readonly PathComponent[]
  readonly kept?: Kept
}
