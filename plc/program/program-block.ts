/** What a block of the program takes from its object as it is. */

import { anyText } from '../model/multilingual-text.ts'
import { namespaceOf } from '../model/namespace.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import { isData } from './declarations.ts'
import type { ProgramNetwork } from './program.ts'
import type { Access, Section } from './type.ts'

/** Name, language, properties and networks of a block. */
export function blockFacts(object: ImportedObject, number: number, document: string) {
  const flag = (name: string) =>
    object.attributes.some((one) => one.name.toLowerCase() === name.toLowerCase() && /^true$/i.test(one.value))
  const namespace = namespaceOf(object)
  return {
    name: object.name,
    ...(namespace === '' ? {} : { namespace }),
    number,
    language: object.language,
    isIecCheckOn: flag('IsIECCheckEnabled') || flag('S7_IECCheck'),
    setsEno: flag('SetENOAutomatically') || flag('S7_SetENOAutomatically'),
    isKnowHowProtected: object.isKnowHowProtected,
    networks: networksOf(object),
    document,
  }
}

/** The code of a block as the compiler takes it: all of a program that depends on its code. */
export function networksOf({ networks }: ImportedObject): ProgramNetwork[] {
  return networks.map(({ number, title, language, text, graph, statements, chart }) => ({
    number,
    title: anyText(title),
    language,
    ...(text === undefined ? {} : { text }),
    ...(graph ? { graph } : {}),
    ...(statements ? { statements } : {}),
    ...(chart ? { chart } : {}),
  }))
}

/**
 * Sources that say nothing have what TIA Portal has: optimized access, but for STL. Data that share memory (AT) lie as in a standard block, so a
 * function block with optimized access that has some keeps all of its data so; from outside that cannot be told but by the size. A function that
 * shows its parameters otherwise takes them so.
 */
export function accessOf({ kind, memoryLayout, language, format, interface: sections }: ImportedObject): Access {
  const isOverlay = ({ attributes }: InterfaceMember) => attributes.some(({ name }) => name === 'At')
  const isCode = kind === 'FB' || kind === 'FC'
  if (isCode && sections.some(({ section, members }) => isData(section as Section) && members.some(isOverlay)))
    return 'standard'
  if (memoryLayout !== undefined) return memoryLayout === 'Standard' ? 'standard' : 'optimized'
  return format === 'source' && language === 'STL' ? 'standard' : 'optimized'
}
