/** Tag tables with their tags and user constants. */
import type { ConstantEntry, ImportedObject, TagEntry } from '../../model/object.ts'
import { cultureTexts } from './cultures.ts'
import type { StoredObject } from './object.ts'
import type { TiaStore } from './store.ts'
import { systemConstantType } from './system-constants.ts'

export const tagTableType = 'EAMTZTagTableData'
const tagType = 'EAMTZTagData'
/** Reads a table. Rows come in the order of the file. */
export function readTagTable(store: TiaStore, table: StoredObject): { object: ImportedObject; problems: string[] } {
  const tags: TagEntry[] = []
  const constants: ConstantEntry[] = []
  const problems: string[] = []
  for (const row of store.sources('TagTable', table)) {
    if (row.type === systemConstantType) continue
    const dataType = row.text('IStructureItem', 'DisplayTypeName') ?? ''
    const comment = cultureTexts(row.texts('ICoreAttributes', 'Comment'))
    if (row.type === tagType) {
      tags.push({
        name: row.name,
        dataType,
        logicalAddress: row.text('ITagAddress', 'LogicalAddress') ?? '',
        comment,
        ...(row.flag('IStructureItem', 'HmiVisible') === false ? { externalVisible: false } : {}),
        ...(row.flag('IStructureItem', 'HmiReadOnly') ? { externalWritable: false } : {}),
      })
      continue
    }
    const value = row.text('IDefaultStrategyData', 'DefaultValue')
    if (value === undefined) problems.push(`"${row.name}" is of the kind ${row.type}, which is not read`)
    else constants.push({ name: row.name, dataType, value, comment })
  }
  return { object: tagTable(table.name, tags, constants), problems }
}

/** A table as an export has it. */
export function tagTable(name: string, tags: readonly TagEntry[], constants: readonly ConstantEntry[]): ImportedObject {
  return {
    kind: 'TagTable',
    element: 'SW.Tags.PlcTagTable',
    format: 'simaticml',
    name,
    language: '',
    title: {},
    comment: {},
    author: '',
    family: '',
    headerName: '',
    version: '',
    isKnowHowProtected: false,
    attributes: [{ name: 'Name', value: name }],
    interface: [],
    networks: [],
    tags,
    constants,
  }
}
