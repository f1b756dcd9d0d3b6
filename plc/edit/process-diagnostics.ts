/**
 * Lists the process diagnostics of a block as a table: supervisions (ProDiag) and the supervisions and interlocks of a
 * sequencer.
 */

import { stringify } from 'csv-stringify/sync'
import { readSupervisions, type Supervision } from '../formats/simaticml/supervisions.ts'
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

/** Supervisions in the block's attributes. */
function supervisions({ xml, name }: ImportedObject): Row[][] {
  if (xml === undefined) return []
  return readSupervisions(xml).map((one) => withTexts(supervisionRow(one, name), Object.entries(one.texts)))
}

function supervisionRow(supervision: Supervision, block: string): Row {
  const { operand, status, conditions, values } = supervision
  return {
    Source: 'Supervision',
    Element: block,
    Number: supervision.number,
    Type: supervision.type,
    'Operand or condition': `${operand}${status === undefined ? '' : ` = ${status}`}`,
    Delay: supervision.delay,
    Category: supervision.category,
    'Subcategory 1': supervision.subcategory1,
    'Subcategory 2': supervision.subcategory2,
    'Trigger conditions': conditions.map((one) => `${one.operand} = ${one.status}`).join('; '),
    'Associated values': values.join('; '),
  }
}

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
