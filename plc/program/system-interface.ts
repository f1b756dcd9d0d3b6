/** Interfaces of system types as SimaticML has them inside of members and instance data. */
import type { InterfaceMember, InterfaceSection, SectionName } from '../model/object.ts'
import { type SystemMember, systemTypeNamed } from './system-types.ts'

/** A system type with its interface. */
export interface SystemDeclaration {
  readonly name: string
  readonly kind: 'system'
  readonly interface: readonly InterfaceSection[]
}

/** The order of sections in the interface of a block. */
const order: readonly SectionName[] = ['None', 'Input', 'Output', 'InOut', 'Static']

/**
 * Returns a system type as a declaration of kind `system`, its name as TIA Portal spells it; `undefined` for other
 * names. Exports of TIA Portal have the members of timers, counters and structures in the section `None`, those of
 * function blocks by section, and no hidden ones.
 */
export function systemDeclaration(name: string): SystemDeclaration | undefined {
  const type = systemTypeNamed(name)
  if (type === undefined) return undefined
  const sections = new Map<SectionName, InterfaceMember[]>()
  for (const member of type.members) {
    if (member.isHidden || member.overlays !== undefined) continue
    const section = member.isJoined ? 'None' : member.section
    sections.set(section, [...(sections.get(section) ?? []), declared(member)])
  }
  return { name: type.name, kind: 'system', interface: order.flatMap((section) => listed(section, sections)) }
}

/** The same for lookups of interfaces. */
export function systemInterface(name: string) {
  const type = systemDeclaration(name)
  return type && { kind: type.kind, sections: type.interface }
}

function listed(section: SectionName, sections: ReadonlyMap<SectionName, InterfaceMember[]>): InterfaceSection[] {
  const members = sections.get(section)
  return members === undefined ? [] : [{ section, members }]
}

function declared({ name, dataType, startValue }: SystemMember): InterfaceMember {
  return {
    name,
    dataType,
    comment: {},
    attributes: [],
    members: [],
    ...(startValue === undefined ? {} : { startValue }),
  }
}
