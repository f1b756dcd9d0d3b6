/**
 * Lists the process diagnostics of a block as a table: supervisions (ProDiag) and the supervisions and interlocks of a
 * sequencer.
 */

import { stringify } from 'csv-stringify/sync'
import { readInlineComment } from '../formats/simaticml/texts.ts'
import { child, childrenOf, childText, parseXml, type XmlElement } from '../formats/simaticml/xml.ts'
import { networkExpression } from '../languages/ladder/expression.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import type { Condition } from '../model/sequence.ts'

const columns = [
  'Source',
  'Element',
  'Number',
  'Type',
  'Operand or condition',
  'Delay',
  'Category',
  'Subcategory 1',
  'Subcategory 2',
  'Trigger conditions',
  'Associated values',
  'Culture',
  'Text',
] as const
type Row = Partial<Record<(typeof columns)[number], string>>

export interface DiagnosticsTable {
  /** Number of supervisions and conditions; a text in several languages takes several rows of the table. */
  readonly entries: number
  /** Comma separated, one header row, CR LF. */
  readonly csv: string
}

/** Makes the table of a block; it has no entries when the block has no process diagnostics. */
export function processDiagnostics(object: ImportedObject): DiagnosticsTable {
  const groups = [...supervisions(object), ...assignments(object), ...sequencer(object)]
  const csv = stringify(groups.flat(), {
    header: true,
    columns: [...columns],
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
  })
  return { entries: groups.length, csv }
}

/** Supervisions in the block's attributes (SW.PlcBlocks.TypeSupervisions_v3 and InstanceSupervisions_v3.xsd). */
function supervisions({ xml, name }: ImportedObject): Row[][] {
  if (xml === undefined) return []
  const list = child(parseXml(xml), 'AttributeList')
  return childrenOf(list, 'Supervisions').flatMap((holder) =>
    descendants(holder)
      .filter(({ name: kind }) => kind === 'BlockTypeSupervision' || kind === 'BlockInstSupervision')
      .map((element) => withTexts(supervisionRow(element, name), textsIn(element))),
  )
}

function supervisionRow(element: XmlElement, block: string): Row {
  const all = descendants(element)
  const operand = (name: string) => all.find((inner) => inner.name === name)?.attributes.Name ?? ''
  const conditions = all
    .filter(({ name }) => name === 'Condition')
    .flatMap((condition) => {
      const of = child(condition, 'ConditionOperand')?.attributes.Name ?? ''
      return of === '' ? [] : `${of} = ${childText(condition, 'TriggeringStatus') ?? ''}`
    })
  const values = all
    .filter((inner) => inner.name === 'AssociatedValueOperand')
    .map(({ attributes }) => attributes.Name ?? '')
    .filter((text) => text !== '')
  const status = childText(element, 'SupervisedStatus')
  return {
    Source: 'Supervision',
    Element: block,
    Number: element.attributes.Number ?? childText(element, 'BlockTypeSupervisionNumber') ?? '',
    Type: element.attributes.Type ?? '',
    'Operand or condition': `${operand('SupervisedOperand')}${status === undefined ? '' : ` = ${status}`}`,
    Delay: operand('DelayOperand'),
    Category: childText(element, 'CategoryNumber') ?? '',
    'Subcategory 1': childText(element, 'SubCategory1Number') ?? '',
    'Subcategory 2': childText(element, 'SubCategory2Number') ?? '',
    'Trigger conditions': conditions.join('; '),
    'Associated values': values.join('; '),
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

/** Texts by culture anywhere inside the element. */
function textsIn(element: XmlElement): [string, string][] {
  return descendants(element)
    .filter((inner) => childrenOf(inner, 'MultiLanguageText').length > 0)
    .flatMap((inner) => Object.entries(readInlineComment(inner)))
    .map(([culture, text]): [string, string] => [culture, plainText(text)])
    .filter(([, text]) => text !== '')
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

/** One row for each text; one row without text when there is none. */
function withTexts(row: Row, texts: readonly (readonly [string, string])[]): Row[] {
  if (texts.length === 0) return [row]
  return texts.map(([culture, text]) => ({ ...row, Culture: culture, Text: text }))
}

/** Members that a ProDiag function block watches. */
function assignments({ interface: sections }: ImportedObject): Row[][] {
  const visit = (members: readonly InterfaceMember[], path: string): Row[][] =>
    members.flatMap((member) => {
      const name = path === '' ? member.name : `${path}.${member.name}`
      const row: Row = { Source: 'ProDiag FB', Element: name, 'Operand or condition': member.assignedProDiagFB ?? '' }
      return [...(member.assignedProDiagFB === undefined ? [] : [[row]]), ...visit(member.members, name)]
    })
  return sections.flatMap(({ members }) => visit(members, ''))
}

/** The supervision and interlock of every step that has a condition or an alarm text. */
function sequencer({ networks }: ImportedObject): Row[][] {
  return networks.flatMap(({ chart }) =>
    (chart?.sequences ?? []).flatMap(({ steps }) =>
      steps.flatMap((step) => {
        const times = [step.maximumTime, step.warningTime].filter((time) => time !== undefined).join(' / ')
        const place = { Element: step.name, Number: String(step.number), Delay: times }
        return [
          ...conditionRows({ ...place, Source: 'GRAPH', Type: 'Supervision' }, step.supervision),
          ...conditionRows({ ...place, Source: 'GRAPH', Type: 'Interlock' }, step.interlock),
        ]
      }),
    ),
  )
}

function conditionRows(row: Row, condition: Condition | undefined): Row[][] {
  if (condition === undefined) return []
  const { graph, language, alarmText = {} } = condition
  const texts = Object.entries(alarmText).filter(([, text]) => text !== '')
  const statements = graph === undefined ? [] : networkExpression(graph, { language }).statements
  const text = statements.join(' ').replace(/^\w+Coil\(\) := (.*);$/s, '$1')
  // TIA Portal gives every step an empty condition: the rail connected straight to the coil, or a coil with nothing
  // connected.
  if (texts.length === 0 && (text === '' || text === 'TRUE' || text === '???')) return []
  return [withTexts({ ...row, 'Operand or condition': text }, texts)]
}
