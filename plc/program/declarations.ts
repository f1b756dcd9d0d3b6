/** What the parts of the linker have in common: declarations, where they stand, and how faults of them are told. */
import type { KnownCode } from '../diagnostics/codes.ts'
import type { InterfaceSection } from '../model/object.ts'
import type { Access, Member, Section } from './type.ts'

/** A member while its program is being linked. */
export type LinkedMember = { -readonly [Key in keyof Member]: Member[Key] }

/** A constant by its name in lower case. */
export type Constants = ReadonlyMap<string, { readonly name: string; readonly value: string }>

/** A PLC data type or function block that types may name. */
export interface DeclaredType {
  readonly kind: 'UDT' | 'FB'
  readonly name: string
  /** Of an FB. */
  readonly access?: Access
  readonly interface: readonly InterfaceSection[]
}

/** Where a declaration stands. */
export interface Place {
  readonly object: string
  /** Constants of the block itself. */
  readonly locals: Constants
}

/** Faults of declarations; `member` is the path of the member. */
export type Report = (
  code: KnownCode,
  object: string,
  member: string | undefined,
  message: string,
  hint?: string,
) => void

export interface Surroundings {
  /** PLC data types and FBs by name in lower case. */
  readonly declared: ReadonlyMap<string, DeclaredType>
  readonly constants: Constants
  readonly report: Report
}

/** Constants of a block. */
export function localConstants(interfaceOf: readonly InterfaceSection[]): Constants {
  const found = new Map<string, { name: string; value: string }>()
  for (const { section, members } of interfaceOf)
    if (section === 'Constant')
      for (const { name, startValue = '' } of members) found.set(name.toLowerCase(), { name, value: startValue })
  return found
}

/** Members that an instance keeps. */
export function isData(section: Section): boolean {
  return section === 'Input' || section === 'Output' || section === 'InOut' || section === 'Static'
}

/** What is said of a start value that does not fit. */
export function startValueMessage(fault: string): string {
  return `The start value does not fit: ${fault}.`
}

/** Temporaries that share memory (AT), and those whose memory it is: they lie in the frame as in a standard block. */
export function overlaidTemporaries(members: readonly Member[]): Member[] {
  const temporary = members.filter(({ section }) => section === 'Temp')
  const overlays = new Set(temporary.flatMap(({ overlays: base }) => base?.toLowerCase() ?? []))
  return temporary.filter((one) => one.overlays !== undefined || overlays.has(one.name.toLowerCase()))
}
