/** Watch tables and the force table. */
import type { MultilingualText } from '../../model/multilingual-text.ts'
import type { ImportedObject, WatchEntry } from '../../model/object.ts'
import { child, childrenOf, type XmlElement } from '../simaticml/xml.ts'
import { cultureTexts } from './cultures.ts'
import type { StoredObject } from './object.ts'
import { parsePayload } from './payload.ts'
import type { TiaStore } from './store.ts'

/** Types of tables, and what they are called in exports. */
export const watchTableTypes: Readonly<Record<string, 'WatchTable' | 'ForceTable'>> = {
  VarTableData: 'WatchTable',
  VarTableForceData: 'ForceTable',
}

/** Formats by the names of exports where those are others. */
const formats: Readonly<Record<string, string>> = { Real: 'Float', Char: 'Character' }
/** Tables of the basic mode have these two; exports have no such word, and `Permanent` is the nearest. */
const triggersOfBasicMode = new Set(['Smart', 'Now'])

/** Reads a table. Its rows come in the order of the file; empty ones are left out. */
export function readWatchTable(store: TiaStore, table: StoredObject): { object: ImportedObject; problems: string[] } {
  const kind = watchTableTypes[table.type]!
  const problems: string[] = []
  const basic = new Set<string>()
  const entries: WatchEntry[] = []
  for (const container of store.related(table, 'AggregatedVarItemContainer')) {
    // Texts of rows, by the number of the row.
    const comments = container.expandoTexts('LineComments')
    for (const part of [...store.sources('VarItemParent', container)].sort((a, b) => partOf(a) - partOf(b))) {
      const root = parsePayload(part.blob('IVarItemAttributes', 'ItemData'))
      for (const line of childrenOf(child(root, 'VarLines'), 'VarLine')) {
        const comment = cultureTexts(comments.get(line.attributes.UId ?? ''))
        const entry = readLine(line, kind, comment, problems, basic)
        if (entry) entries.push(entry)
      }
    }
  }
  if (basic.size > 0)
    problems.push(`triggers of the basic mode (${[...basic].sort().join(', ')}) are given as Permanent`)
  const object: ImportedObject = {
    kind,
    element: `SW.WatchAndForceTables.Plc${kind}`,
    format: 'simaticml',
    name: table.name,
    language: '',
    title: {},
    comment: cultureTexts(table.texts('ICoreAttributes', 'Comment')),
    author: '',
    family: '',
    headerName: '',
    version: '',
    isKnowHowProtected: false,
    attributes: [{ name: 'Name', value: table.name }],
    interface: [],
    networks: [],
    entries,
  }
  return { object, problems }
}

const partOf = (part: StoredObject): number => Number(part.value('IVarItemAttributes', 'PartId') ?? 0)

function readLine(
  line: XmlElement,
  kind: 'WatchTable' | 'ForceTable',
  comment: MultilingualText,
  problems: string[],
  basic: Set<string>,
): WatchEntry | undefined {
  const at = `row ${line.attributes.UId}`
  if (line.attributes.IsCommentLine === 'True')
    return { isComment: true, name: '', address: '', displayFormat: '', monitorTrigger: '', comment }
  const name = child(line, 'Name')?.text ?? ''
  const address = child(line, 'Address')?.text ?? ''
  if (name === '' && address === '') {
    if (Object.keys(comment).length > 0) problems.push(`${at}: a comment without a variable is left out`)
    return undefined
  }
  const format = line.attributes.Format ?? 'Undef'
  const value = child(line, 'UserValue')
  const trigger = (element: XmlElement | undefined): string => {
    const given = element?.attributes.TriggerName ?? 'Smart'
    if (triggersOfBasicMode.has(given)) basic.add(given)
    else problems.push(`${at}: the trigger ${given} is not understood`)
    return 'Permanent'
  }
  const isChecked = value?.attributes.Checked === 'True'
  const common = {
    name,
    address,
    displayFormat: formats[format] ?? format,
    monitorTrigger: trigger(child(line, 'MonitorValue')),
    comment,
  }
  return kind === 'ForceTable'
    ? { ...common, forceValue: value?.text ?? '', forceIntention: isChecked }
    : { ...common, modifyTrigger: trigger(value), modifyValue: value?.text ?? '', modifyIntention: isChecked }
}
