/** What a SIMATIC SD file does not say about the program around it, and others may know. */

import type { InterfaceMember, InterfaceSection } from '../../model/object.ts'
import type { PathComponent } from '../../model/operand.ts'

/**
 * The program around a file. TIA Portal has it at hand when it imports one; without it types of call parameters, of literals and of what a
 * data block belongs to are found by rules of thumb.
 */
export interface ProgramAround {
  /** Interface of a block or type by its name. */
  interfaceOf?(name: string): { readonly kind: string; readonly sections: readonly InterfaceSection[] } | undefined
  /** Name of the function block (or type) an instance data block belongs to. */
  instanceOf?(dataBlock: string): string | undefined
  /** Whether a name is one of a PLC data type. */
  isDataType?(name: string): boolean
  /** Data type of a tag of the PLC. */
  tagType?(name: string): string | undefined
}

/** `"X"` of `Array[0..3] of "X"`, without quotes; `undefined` for types that are not of the program. */
export function userType(dataType: string): string | undefined {
  return /(?:^| of )"([^"]*)"$/.exec(dataType)?.[1]
}

/** Type of an element of an array type, the type itself when it is none. */
export function elementType(dataType: string): string {
  return dataType.replace(/^Array\[[^\]]*\] of /i, '')
}

/** Data type at the end of a path; `undefined` when a step of it is not known. */
export function typeOfPath(
  sections: readonly InterfaceSection[],
  path: readonly PathComponent[],
  program: ProgramAround,
): string | undefined {
  let level: readonly InterfaceMember[] = sections.flatMap(({ members }) => members)
  let dataType: string | undefined
  for (const [index, component] of path.entries()) {
    if (component.slice !== undefined) return sliceType(component.slice)
    const wanted = component.name.toUpperCase()
    const member = level.find(({ name }) => name.toUpperCase() === wanted)
    if (member === undefined) return undefined
    dataType = component.indices === undefined ? member.dataType : elementType(member.dataType)
    if (index === path.length - 1) return dataType
    level = membersOf(member, dataType, program)
  }
  return dataType
}

function membersOf(member: InterfaceMember, dataType: string, program: ProgramAround): readonly InterfaceMember[] {
  if (member.members.length > 0) return member.members
  if (member.sections !== undefined) return member.sections.flatMap(({ members }) => members)
  const name = userType(dataType)
  return name === undefined ? [] : (program.interfaceOf?.(name)?.sections.flatMap(({ members }) => members) ?? [])
}

function sliceType(slice: string): string {
  return { x: 'Bool', b: 'Byte', w: 'Word', d: 'DWord' }[slice[0] as 'x'] ?? 'Bool'
}

/** Data type of a path that begins with a tag or a data block. */
export function typeOfGlobal(path: readonly PathComponent[], program: ProgramAround): string | undefined {
  const [first, ...rest] = path
  if (first === undefined) return undefined
  if (rest.length === 0) {
    const tag = program.tagType?.(first.name)
    return tag === undefined || first.slice === undefined ? tag : sliceType(first.slice)
  }
  const own = program.interfaceOf?.(first.name)?.sections
  const type = program.instanceOf?.(first.name)
  const sections = own === undefined || own.every(({ members }) => members.length === 0) ? undefined : own
  const known = sections ?? (type === undefined ? undefined : program.interfaceOf?.(type)?.sections)
  return known === undefined ? undefined : typeOfPath(known, rest, program)
}
