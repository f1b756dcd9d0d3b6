/** What the linker's files share: declarations, their places, and reports of their faults. */
import type { KnownCode } from '../diagnostics/codes.ts'
import type { InterfaceMember, InterfaceSection } from '../model/object.ts'
import type { Access, Member, Section } from './type.ts'

/** A member while its program is being linked. */
export type LinkedMember = { -readonly [Key in keyof Member]: Member[Key] }

/** A constant by its name in lower case. */
export type Constants = ReadonlyMap<string, { readonly name: string; readonly value: string }>

/** A PLC data type or function block that declarations can use as a type. */
export interface DeclaredType {
  readonly kind: 'UDT' | 'FB'
  readonly name: string
  /** Only for an FB. */
  readonly access?: Access
  readonly interface: readonly InterfaceSection[]
}

/** The place of a declaration. */
export interface Place {
  readonly object: string
  /** Local constants of the block. */
  readonly locals: Constants
  /** The declarations of a type of the system, as a file contains them. */
  readonly isSystem?: boolean
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
  /** There is an axis of S7-1200, so that technology objects have its members; known before any type is resolved. */
  readonly hasAxisOf1200: () => boolean
  readonly report: Report
}

/** Returns the local constants of a block. */
export function localConstants(interfaceOf: readonly InterfaceSection[]): Constants {
  const found = new Map<string, { name: string; value: string }>()
  for (const { section, members } of interfaceOf)
    if (section === 'Constant')
      for (const { name, startValue = '' } of members) found.set(name.toLowerCase(), { name, value: startValue })
  return found
}

/** Whether an instance stores the members of this section. */
export function isData(section: Section): boolean {
  return section === 'Input' || section === 'Output' || section === 'InOut' || section === 'Static'
}

/** The message for a start value that does not fit. */
export function startValueMessage(fault: string): string {
  return `The start value does not fit: ${fault}.`
}

/**
 * Returns the temporaries that share memory (AT), and those whose memory they share: in the frame they have the layout
 * of a standard block.
 */
export function overlaidTemporaries(members: readonly Member[]): Member[] {
  const temporary = members.filter(({ section }) => section === 'Temp')
  const overlays = new Set(temporary.flatMap(({ overlays: base }) => base?.toLowerCase() ?? []))
  return temporary.filter((one) => one.overlays !== undefined || overlays.has(one.name.toLowerCase()))
}

/** Where a type is used: what may be there, and how faults of it are told. */
export interface Use {
  readonly place: Place
  readonly section: Section
  /** Path of the member. */
  readonly path: string
  /** Reports nothing: for `typeOf`. */
  readonly isSilent: boolean
  readonly member: Pick<InterfaceMember, 'members' | 'sections' | 'startValue'>
  /** A text type without length accepts any length. */
  readonly takesAnyLength: boolean
  /** It is the type of elements, or of what a reference points to. */
  readonly isPart?: boolean
}
