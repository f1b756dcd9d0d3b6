/** What the expressions of a design spec may name. */

import type { DataType } from '../../plc/model/data-type.ts'
import { ALLOWED_LIMIT } from './faults.ts'

/** A variable that an expression may name. */
export interface ScopeVariable {
  readonly name: string
  readonly direction: 'In' | 'Out' | undefined
  /** undefined when the declaration is wrong: uses of it are not judged. */
  readonly dataType: DataType | undefined
}

/** A control-module type that an expression may name. */
export interface ScopeCmType {
  readonly name: string
  readonly variables: ReadonlyMap<string, ScopeVariable>
}

/** What the expressions of one unit type can see; keys are folded names. */
export interface Scope {
  readonly cmTypes: ReadonlyMap<string, ScopeCmType>
  /** Types of other units: folded name to the name of that unit, for a better fault. */
  readonly elsewhere?: ReadonlyMap<string, string>
  /** How many more unknown names are compared with the known ones. Absent: all are. */
  readonly proposals?: { left: number }
}

/** Things by their folded names. */
export type Named = ReadonlyMap<string, { readonly name: string }>

/** The names as they are written. */
export function* namesIn(known: Named): Generator<string> {
  for (const { name } of known.values()) yield name
}

/** Names for "allowed": as many as a fault shows, and one more, so that it shows that there are more. */
export function someNames(known: Named): string[] {
  const names: string[] = []
  for (const { name } of known.values()) if (names.push(name) > ALLOWED_LIMIT) break
  return names
}
