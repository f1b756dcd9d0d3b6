/** The facts that a block of the program takes from its object unchanged. */

import { defined } from '../../lib/optional.ts'
import { anyText } from '../model/multilingual-text.ts'
import { namespaceOf } from '../model/namespace.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import { isData } from './declarations.ts'
import type { ProgramNetwork, SequenceProperties } from './program.ts'
import type { Access, Section } from './type.ts'

/** Returns the name, language, properties and networks of a block. */
export function blockFacts(object: ImportedObject, number: number, document: string) {
  const flag = (name: string) =>
    object.attributes.some((one) => one.name.toLowerCase() === name.toLowerCase() && /^true$/i.test(one.value))
  const namespace = namespaceOf(object)
  const sequence: SequenceProperties = {
    ...(flag('SkipSteps') ? { skipsSteps: true } : {}),
    ...(flag('AcknowledgeErrorsRequired') ? { needsAcknowledgement: true } : {}),
    ...(flag('PermanentILProcessingInMANMode') ? { interlocksInManual: true } : {}),
  }
  return {
    name: object.name,
    ...(namespace === '' ? {} : { namespace }),
    number,
    language: object.language,
    isIecCheckOn: flag('IsIECCheckEnabled') || flag('S7_IECCheck'),
    setsEno: flag('SetENOAutomatically') || flag('S7_SetENOAutomatically'),
    isKnowHowProtected: object.isKnowHowProtected,
    isOnlyLoaded: flag('UNLINKED') || flag('IsOnlyStoredInLoadMemory'),
    isReadOnly: flag('READ_ONLY') || flag('IsWriteProtectedInAS'),
    ...(object.language === 'GRAPH' && Object.keys(sequence).length > 0 ? { sequence } : {}),
    networks: networksOf(object),
    document,
  }
}

/** Returns the code of a block as the compiler needs it; nothing else in a program depends on its code. */
export function networksOf({ networks }: ImportedObject): ProgramNetwork[] {
  return networks.map(({ number, title, language, text, graph, statements, statementPlaces, chart }) => ({
    number,
    title: anyText(title),
    language,
    ...defined({ text }),
    ...(graph ? { graph } : {}),
    ...defined({ statements, statementPlaces }),
    ...(chart ? { chart } : {}),
  }))
}

/**
 * Returns the access of a block. Sources that do not state it get the default of TIA Portal: optimized access, but
 * standard access for STL, and for data blocks that have a number in place of a name: only sources of STEP 7 classic
 * have such. Data that share memory (AT) have the layout of a standard block, so a function block with optimized access
 * and such data keeps all of its data in standard layout; from outside only the size shows it. A function with an
 * overlay of its parameters takes them in standard layout too.
 */
export function accessOf({ name, kind, memoryLayout, language, format, interface: sections }: ImportedObject): Access {
  const isOverlay = ({ attributes }: InterfaceMember) => attributes.some(({ name }) => name === 'At')
  const isCode = kind === 'FB' || kind === 'FC'
  if (isCode && sections.some(({ section, members }) => isData(section as Section) && members.some(isOverlay)))
    return 'standard'
  if (memoryLayout !== undefined) return memoryLayout === 'Standard' ? 'standard' : 'optimized'
  const isClassic = language === 'STL' || /^DB\s*\d+$/i.test(name)
  return format === 'source' && isClassic ? 'standard' : 'optimized'
}
