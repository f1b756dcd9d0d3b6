/** Facts about the program around a SIMATIC SD file, which the file itself does not state. */

import { systemMember } from '../../languages/ladder/declared-names.ts'
import { sliceType } from '../../model/block-address.ts'
import { userType } from '../../model/names.ts'
import type { InterfaceMember, InterfaceSection } from '../../model/object.ts'
import type { PathComponent } from '../../model/operand.ts'
import type { InterfaceLookup } from '../source/value-place.ts'

/**
 * The program around a file. TIA Portal has it available when it imports a file. Without it, the types of call
 * parameters and literals, and the types of data blocks, are found by rules of thumb.
 */
export interface ProgramAround {
  readonly interfaceOf?: InterfaceLookup
  /** Finds the interface of a type of the system, which start values can be in. */
  readonly systemType?: InterfaceLookup
  /** Finds the name of the function block (or type) that an instance data block belongs to. */
  instanceOf?(dataBlock: string): string | undefined
  /** Whether a name is that of a PLC data type. */
  isDataType?(name: string): boolean
  /** Whether a name is that of a constant of the program. */
  isConstant?(name: string): boolean
  /** Finds the data type of a PLC tag. */
  tagType?(name: string): string | undefined
}

/** Finds the types that start values can be in; a type of the program counts where both have a name. */
export function valueTypes({ interfaceOf, systemType }: ProgramAround): InterfaceLookup {
  return (name) => interfaceOf?.(name) ?? systemType?.(name)
}

/** Returns the element type of an array type; any other type is returned as it is. */
export function elementType(dataType: string): string {
  return dataType.replace(/^Array\[[^\]]*\] of /i, '')
}

/** Returns the data type at the end of a path; `undefined` when a step of it is not known. */
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
    const system = index === path.length - 2 ? systemMemberType(dataType, path[index + 1] as PathComponent) : undefined
    if (system !== undefined) return system
    level = membersOf(member, dataType, program)
  }
  return dataType
}

function systemMemberType(dataType: string, { name, slice, indices }: PathComponent): string | undefined {
  const type = indices === undefined ? systemMember(dataType, name) : undefined
  return type === undefined || slice === undefined ? type : sliceType(slice)
}

function membersOf(member: InterfaceMember, dataType: string, program: ProgramAround): readonly InterfaceMember[] {
  if (member.members.length > 0) return member.members
  if (member.sections !== undefined) return member.sections.flatMap(({ members }) => members)
  const name = userType(dataType)
  return name === undefined ? [] : (program.interfaceOf?.(name)?.sections.flatMap(({ members }) => members) ?? [])
}

/** Returns the data type of a path that begins with a tag or a data block. */
export function typeOfGlobal(path: readonly PathComponent[], program: ProgramAround): string | undefined {
  const [first, ...rest] = path
  if (first === undefined) return undefined
  const tag = program.tagType?.(first.name)
  if (tag !== undefined) {
    const member = { name: first.name, dataType: tag, comment: {}, attributes: [], members: [] }
    return typeOfPath([{ section: 'None', members: [member] }], path, program)
  }
  if (rest.length === 0) return undefined
  const own = program.interfaceOf?.(first.name)?.sections
  const type = program.instanceOf?.(first.name)
  const sections = own === undefined || own.every(({ members }) => members.length === 0) ? undefined : own
  const known = sections ?? (type === undefined ? undefined : program.interfaceOf?.(type)?.sections)
  return known === undefined ? undefined : typeOfPath(known, rest, program)
}
