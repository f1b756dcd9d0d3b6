/**
 * Supervisions (ProDiag) in the attributes of a block or PLC data type (SW.PlcBlocks.TypeSupervisions_v3 and v4,
 * PLCDataTypeSupervisions_v2, InstanceSupervisions_v3.xsd). Texts of a field of an associated value are `{1}`, `{2}`,
 * `{3}`.
 */
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { readInlineComment } from './texts.ts'
import { child, childrenOf, childText, parseXml, type XmlElement } from './xml.ts'

/** A supervision; fields that the document does not have are empty. */
export interface Supervision {
  /** Of a type (function block or PLC data type), or of its use in an instance, which names the number of the type. */
  readonly isOfType: boolean
  readonly number: string
  /** From V21 on. */
  readonly name: string
  /** Operand, Interlock, Action, Reaction, Position, MessageText or MessageError. */
  readonly type: string
  /** As in programs: `#late`, `"Data".x`. */
  readonly operand: string
  /** The state of the operand that is an error, `true` or `false`. */
  readonly status: string | undefined
  readonly delay: string
  readonly conditions: readonly { readonly operand: string; readonly status: string }[]
  readonly category: string
  readonly subcategory1: string
  readonly subcategory2: string
  /** Operands of the associated values 1 to 3. */
  readonly values: readonly string[]
  readonly texts: MultilingualText
}

/** Reads the supervisions of a block. @param xml the element of the block, as documents keep it */
export function readSupervisions(xml: string): Supervision[] {
  // Few blocks have any; the others need not be parsed again.
  if (!xml.includes('Supervision ') && !xml.includes('Supervision>')) return []
  return descendants(parseXml(xml))
    .filter(({ name }) => name === 'Supervisions' || name === 'PLCDataTypeSupervisions')
    .flatMap(descendants)
    .filter(({ name }) => isTypeSupervision(name) || name === 'BlockInstSupervision')
    .map(readSupervision)
}

function isTypeSupervision(name: string): boolean {
  return name === 'BlockTypeSupervision' || name === 'PLCDataTypeSupervision'
}

function readSupervision(element: XmlElement): Supervision {
  const all = descendants(element)
  const operand = (name: string) => all.find((inner) => inner.name === name)?.attributes.Name ?? ''
  const conditions = all
    .filter(({ name }) => name === 'Condition')
    .flatMap((condition) => {
      const of = child(condition, 'ConditionOperand')?.attributes.Name ?? ''
      return of === '' ? [] : [{ operand: of, status: childText(condition, 'TriggeringStatus') ?? '' }]
    })
  return {
    isOfType: isTypeSupervision(element.name),
    number: element.attributes.Number ?? childText(element, 'BlockTypeSupervisionNumber') ?? '',
    name: childText(element, 'SupervisionName') ?? '',
    type: element.attributes.Type ?? '',
    operand: operand('SupervisedOperand'),
    status: childText(element, 'SupervisedStatus'),
    delay: operand('DelayOperand'),
    conditions,
    category: childText(element, 'CategoryNumber') ?? '',
    subcategory1: childText(element, 'SubCategory1Number') ?? '',
    subcategory2: childText(element, 'SubCategory2Number') ?? '',
    values: all
      .filter((inner) => inner.name === 'AssociatedValueOperand')
      .map(({ attributes }) => attributes.Name ?? '')
      .filter((text) => text !== ''),
    texts: textsIn(all),
  }
}

function descendants(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  const pending = [...element.children].reverse()
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    found.push(at)
    for (let i = at.children.length - 1; i >= 0; i--) pending.push(at.children[i] as XmlElement)
  }
  return found
}

/** Texts by culture in any of the elements. */
function textsIn(elements: readonly XmlElement[]): MultilingualText {
  const texts = elements
    .filter((inner) => childrenOf(inner, 'MultiLanguageText').length > 0)
    .flatMap((inner) => Object.entries(readInlineComment(inner)))
    .map(([culture, text]): [string, string] => [culture, plainText(text)])
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

/**
 * Texts with fields are documents of their own (`ProjectText`); a field is shown as the number of its associated value:
 * `{1}`.
 */
function plainText(text: string): string {
  const body = /<body>(.*)<\/body>/s.exec(text)?.[1]
  if (body === undefined) return text
  return body
    .replace(/<field\s+ref="([^"]*)"\s*\/>/g, '{$1}')
    .replace(/<\/p>(?=.)/gs, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '')
    .trim()
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
