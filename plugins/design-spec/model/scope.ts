/** The names that expressions of a design spec may use. */

import type { DataType } from '../../../plc/model/data-type.ts'
import { ALLOWED_LIMIT } from './faults.ts'
import { foldName } from './names.ts'

/** A variable that an expression may use. */
export interface ScopeVariable {
  readonly name: string
  readonly direction: 'In' | 'Out' | undefined
  /** undefined when the declaration is wrong: then its uses are not checked. */
  readonly dataType: DataType | undefined
}

/** A control-module type that an expression may use. */
export interface ScopeCmType {
  readonly name: string
  readonly variables: ReadonlyMap<string, ScopeVariable>
}

/** The names that expressions of one unit type may use; the keys are folded names. */
export interface Scope {
  readonly cmTypes: ReadonlyMap<string, ScopeCmType>
  /** Parameters of the phase. */
  readonly parameters?: ReadonlyMap<string, ScopeVariable>
  /**
   * Members of the block that hold what the phase wants of a variable that has an interlock, by {@link variableKey}:
   * actions write them instead of the variable.
   */
  readonly requests?: ReadonlyMap<string, string>
  /** Types of other units, for a better fault: maps a folded name to the name of that unit. */
  readonly elsewhere?: ReadonlyMap<string, string>
  /** How many more unknown names are compared with the known names. Absent: no limit. */
  readonly proposals?: { left: number }
}

/** Key of a variable of a control module. */
export function variableKey(cmType: string, variable: string): string {
  return `${foldName(cmType)}.${foldName(variable)}`
}

/** Objects by their folded names. */
export type Named = ReadonlyMap<string, { readonly name: string }>

/** The names as written. */
export function* namesIn(known: Named): Generator<string> {
  for (const { name } of known.values()) yield name
}

/** Names for `allowed` of a fault: one more than a fault lists, so that it shows that there are more. */
export function someNames(known: Named): string[] {
  const names: string[] = []
  for (const { name } of known.values()) if (names.push(name) > ALLOWED_LIMIT) break
  return names
}
