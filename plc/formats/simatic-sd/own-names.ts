/** What a block itself shows of the program around it: its text can then be read where the program is not at hand. */
import { defined } from '../../../lib/optional.ts'
import type { CallNode } from '../../model/logic-network.ts'
import { userType } from '../../model/names.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, SectionName } from '../../model/object.ts'
import type { ProgramAround } from './program.ts'

/** Adds what the block itself shows: what the data blocks that it calls are instances of, and copies of types. */
export function withOwnNames(object: ImportedObject, program: ProgramAround): ProgramAround {
  const instances = new Map<string, string>()
  const types = new Map<string, { readonly kind: string; readonly sections: readonly InterfaceSection[] }>()
  for (const { graph } of object.networks)
    for (const node of graph?.nodes ?? []) {
      const [first, ...rest] = node.kind === 'call' ? (node.instance?.path ?? []) : []
      if (node.kind === 'call' && node.instance?.scope === 'GlobalVariable' && first !== undefined && rest.length === 0)
        instances.set(first.name, node.name)
      if (node.kind === 'call')
        types.set(node.name.toUpperCase(), { kind: node.blockType, sections: calledSections(node) })
    }
  const isOfType = object.attributes.some(({ name, value }) => name === 'InstanceOfType' && value === 'UDT')
  if (object.instanceOf !== undefined && object.interface.length > 0)
    types.set(object.instanceOf.toUpperCase(), { kind: isOfType ? 'UDT' : 'FB', sections: object.interface })
  const named = new Set(types.keys())
  const collect = (members: readonly InterfaceMember[]): void => {
    for (const member of members) {
      const name = userType(member.dataType)?.toUpperCase()
      const { sections } = member
      if (name !== undefined && sections !== undefined && !named.has(name))
        types.set(name, { kind: 'UDT', sections: withSections(types.get(name)?.sections ?? [], sections) })
      collect(member.members)
      for (const section of sections ?? []) collect(section.members)
    }
  }
  for (const { members } of object.interface) collect(members)
  return {
    ...program,
    instanceOf: (dataBlock) => instances.get(dataBlock) ?? program.instanceOf?.(dataBlock),
    interfaceOf: (name) => program.interfaceOf?.(name) ?? types.get(name.toUpperCase()),
    isDataType: (name) => program.isDataType?.(name) === true || types.get(name.toUpperCase())?.kind === 'UDT',
  }
}

/** One copy of a type with what another one shows of it: exports without defaults only hold members with own values. */
function withSections(known: readonly InterfaceSection[], found: readonly InterfaceSection[]): InterfaceSection[] {
  const more = found.filter(({ section }) => !known.some((one) => one.section === section))
  const merged = known.map((one) => {
    const same = found.find(({ section }) => section === one.section)
    return same === undefined ? one : { ...one, members: withMembers(one.members, same.members) }
  })
  return [...merged, ...more]
}

function withMembers(known: readonly InterfaceMember[], found: readonly InterfaceMember[]): InterfaceMember[] {
  const others = new Map(found.map((member) => [member.name.toUpperCase(), member]))
  const merged = known.map((one): InterfaceMember => {
    const same = others.get(one.name.toUpperCase())
    if (same === undefined) return one
    others.delete(one.name.toUpperCase())
    const sections = one.sections === undefined ? same.sections : withSections(one.sections, same.sections ?? [])
    return { ...one, members: withMembers(one.members, same.members), ...defined({ sections }) }
  })
  return [...merged, ...others.values()]
}

/** The interface of a called block, as far as the caller knows it. */
function calledSections({ parameters }: CallNode): InterfaceSection[] {
  return parameters.map(({ name, section, type = '' }) => ({
    section: (section ?? 'Input') as SectionName,
    members: [{ name, dataType: type, comment: {}, attributes: [], members: [] }],
  }))
}
