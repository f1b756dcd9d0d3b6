/**
 * Uses in supervisions (ProDiag): operands that they watch, wait for and show. SW.PlcBlocks.TypeSupervisions_v3,
 * InstanceSupervisions_v3.
 */

import { child, childrenOf, parseXml, type XmlElement } from '../formats/simaticml/xml.ts'
import type { ImportedObject } from '../model/object.ts'
import { parseOperand } from '../model/operand-reader.ts'
import { addOperand } from './operand-uses.ts'
import type { Use } from './use.ts'

const operands: ReadonlySet<string> = new Set([
  'SupervisedOperand',
  'DelayOperand',
  'ConditionOperand',
  'AssociatedValueOperand',
])

/**
 * Whether the attribute `Name` of an element is an operand of a supervision, written as in a program: `#late`,
 * `"Data".x`, `T#5s`.
 */
export function isSupervisionOperand({ name }: XmlElement): boolean {
  return operands.has(name)
}

/** Adds what the supervisions of a block use of the whole program. */
export function addSupervisions(into: Use[], { xml }: ImportedObject): void {
  // Few blocks have any; the others need not be parsed again.
  if (xml === undefined || !xml.includes('Operand ')) return
  for (const holder of childrenOf(child(parseXml(xml), 'AttributeList'), 'Supervisions')) addOperands(into, holder, '')
}

function addOperands(into: Use[], element: XmlElement, around: string): void {
  const number = /^Block(Type|Inst)Supervision$/.test(element.name) ? element.attributes.Number : undefined
  const place = number === undefined ? around : `Supervision ${number}`
  const operand = isSupervisionOperand(element) ? parseOperand((element.attributes.Name ?? '').trim()) : undefined
  if (operand !== undefined)
    addOperand(into, operand, { access: 'Read', place: place === '' ? {} : { element: place } })
  for (const inner of element.children) addOperands(into, inner, place)
}
