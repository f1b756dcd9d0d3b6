/**
 * Tag tables as TIA Portal's editor exports them to XML, `<Tagtable name='…'>`; not the SimaticML of Openness
 * (docs/formats.md#tag-tables-as-files). Several tables are in `<Tagtables>`.
 */
import { childrenOf, readXml, textOf, type XmlNode } from '../../../plc/formats/xml/tree.ts'
import {
  type ConstantRow,
  type ExchangeContent,
  maxRows,
  type RowFaults,
  type RowPlace,
  type RowProgress,
  splitPath,
  type TableRow,
  type TagRow,
  tooManyRows,
} from './content.ts'

/** True for a text whose root element is that of such a file. */
export function isTagtableXml(text: string): boolean {
  return /^\s*(<\?[^>]*\?>\s*)?(<!--[\s\S]*?-->\s*)*<Tagtables?[\s>/]/.test(text)
}

/**
 * Reads the rows.
 * @throws FormatError for a text that is no well-formed XML
 */
export function readTagtableXml(text: string, faults: RowFaults, progress: RowProgress): ExchangeContent {
  const root = readXml(text)
  const tags: TagRow[] = []
  const constants: ConstantRow[] = []
  const tables: TableRow[] = []
  const warnings: string[] = []
  let rows = 0
  for (const table of root.name === 'Tagtable' ? [root] : childrenOf(root, 'Tagtable')) {
    const into = splitPath(table.attributes.name ?? '')
    if (into.table !== undefined) tables.push({ place: { line: table.line }, ...into, table: into.table })
    for (const row of childrenOf(table)) {
      rows += 1
      if (rows > maxRows) throw tooManyRows()
      if (rows % 1000 === 0) progress(rows)
      faults.begin()
      const place: RowPlace = { line: row.line }
      const common = { place, ...into, ...commonOf(row) }
      if (common.name === '') faults.add(place, undefined, 'the name is missing', '')
      else if (row.name === 'Tag') tags.push({ ...common, ...tagOf(row) })
      else if (row.name === 'Constant') constants.push({ ...common, value: row.attributes.value ?? '' })
      else warnings.push(`line ${row.line}: <${row.name}> is neither a tag nor a constant; it was left out`)
    }
  }
  const { faults: found, omitted, failed } = faults
  return { tags, constants, tables, faults: found, omitted, failed, warnings }
}

function commonOf(row: XmlNode) {
  const { type = '', remark = '' } = row.attributes
  return { name: textOf(row).trim(), dataType: type, comments: { '': remark } }
}

function tagOf({ attributes }: XmlNode): Partial<TagRow> {
  const flag = (name: string) => attributes[name]?.trim().toLowerCase() !== 'false'
  return {
    logicalAddress: attributes.addr ?? '',
    externalAccessible: flag('hmiAccessible'),
    externalVisible: flag('hmiVisible'),
    externalWritable: flag('hmiWriteable'),
  }
}
