/**
 * Statement lists, STL (SW.PlcBlocks.STL_v5.xsd; docs/formats.md#scl-and-stl-networks). Clients read these objects as
 * they are.
 */

import type { Instance, TemplateValue } from './instance.ts'
import type { Kept } from './kept.ts'
import type { Operand } from './operand.ts'

/** One line of a statement list. */
export interface Statement {
  readonly label?: string
  /**
   * International mnemonic as it is typed (`A`, `AN(`, `=`, `L`, `+I`, `CALL`); empty for a line that is empty or only
   * a comment.
   */
  readonly mnemonic: string
  readonly operand?: Operand
  /** Only for `CALL`, `UC` and `CC`. */
  readonly call?: StatementCall
  /** Text of the comment after `//`. */
  readonly comment?: string
  readonly kept?: Kept
}

export interface StatementCall {
  /** `instruction`: built in (`SFC`, `TON` …). `multiInstance`: `CALL #x`. */
  readonly target: 'block' | 'instruction' | 'multiInstance'
  readonly name: string
  readonly blockType?: string
  readonly blockNumber?: number
  readonly version?: string
  readonly instance?: Instance
  /** `time_type := Time` of a built-in instruction, in order. */
  readonly templates?: readonly TemplateValue[]
  readonly parameters: readonly { readonly name: string; readonly value?: Operand; readonly kept?: Kept }[]
  readonly kept?: Kept
}

/** Where a statement begins in the text of its network: line and column from 1. */
export interface StatementPlace {
  readonly line: number
  readonly column: number
}

/** What of a network tells the places of its statements. */
export interface PlacedStatements {
  readonly statements?: readonly Statement[]
  readonly statementPlaces?: readonly StatementPlace[]
}

/**
 * Returns where each statement of a network begins in its text. A text that was made of the statements has a line for
 * each, calls one more for each parameter.
 */
export function placesOfStatements({ statements = [], statementPlaces }: PlacedStatements): readonly StatementPlace[] {
  if (statementPlaces !== undefined) return statementPlaces
  let line = 1
  return statements.map(({ call }) => {
    const at = { line, column: 1 }
    line += linesOfStatement(call?.parameters.length ?? 0, call?.templates?.length ?? 0)
    return at
  })
}

/** How many lines a statement with these numbers of parameters and templates takes. */
export function linesOfStatement(parameters: number, templates: number): number {
  return 1 + (parameters > 0 ? parameters + 1 : 0) + (templates > 0 ? 1 : 0)
}
