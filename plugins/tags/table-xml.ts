/**
 * Tag tables as SimaticML (docs/formats.md#objects-and-attributes). A table that came from a file is written by
 * changing the changed parts of the file's element, so that unknown content is kept.
 */

import { escapeText } from '../../lib/xml-text.ts'
import { applyEdits, elementEdits } from '../../plc/formats/simaticml/element-edit.ts'
import { tagRowXml, tagTableElement } from '../../plc/formats/simaticml/table-write.ts'
import { child, childText, parseXml, type XmlElement } from '../../plc/formats/simaticml/xml.ts'
import type { Constant, Tag, TagTable } from './tag-table.ts'

/** The AttributeList of a row. `undefined`: the attribute is optional and is not added. */
type Attributes = Readonly<Record<string, string | undefined>>

/**
 * Writes the root element of a table.
 * @param document the element from which the table was read
 * @param culture language of an empty comment
 */
export async function tableXml(
  table: Pick<TagTable, 'name' | 'tags' | 'constants'>,
  document: string | undefined,
  culture: string,
): Promise<string> {
  const rows = document === undefined ? undefined : rowsOf(document)
  const writeRow = (row: Tag | Constant, kind: RowKind): string => {
    const present = rows?.find(kind, row.documentName ?? row.name)
    return present && document !== undefined ? editedRow(document, present, row) : tagRowXml(row, culture)
  }
  const lines = [
    ...table.tags.map((tag) => writeRow(tag, 'Tag')),
    ...table.constants.map((constant) => writeRow(constant, 'UserConstant')),
    ...(rows?.others ?? []),
  ]
  const objects = lines.length === 0 ? undefined : `<ObjectList>\n      ${lines.join('\n      ')}\n    </ObjectList>`
  if (document === undefined || !rows) {
    const name = `<AttributeList>\n      <Name>${escapeText(table.name)}</Name>\n    </AttributeList>`
    return tagTableElement(name, lines)
  }
  const edits = elementEdits(rows.root, { attributes: { Name: table.name } })
  const list = child(rows.root, 'ObjectList')
  if (list) edits.push({ start: list.start, end: list.end, text: objects ?? '<ObjectList />' })
  else if (objects !== undefined) {
    const attributes = child(rows.root, 'AttributeList')
    const at = attributes?.end ?? rows.root.contentEnd
    edits.push({ start: at, end: at, text: `\n    ${objects}` })
  }
  return applyEdits(document, edits)
}

type RowKind = 'Tag' | 'UserConstant'
const elements: Readonly<Record<RowKind, string>> = { Tag: 'SW.Tags.PlcTag', UserConstant: 'SW.Tags.PlcUserConstant' }

/** The rows of a document by name; `others`: elements that are neither tags nor user constants, as text. */
function rowsOf(document: string) {
  const root = parseXml(document)
  const children = child(root, 'ObjectList')?.children ?? []
  const byName = new Map<string, XmlElement>()
  const others: string[] = []
  for (const row of children) {
    const name = childText(child(row, 'AttributeList'), 'Name')
    if ((row.name === elements.Tag || row.name === elements.UserConstant) && name !== undefined)
      byName.set(`${row.name}/${name.toLowerCase()}`, row)
    else others.push(document.slice(row.start, row.end))
  }
  const find = (kind: RowKind, name: string) => byName.get(`${elements[kind]}/${name.toLowerCase()}`)
  return { root, find, others }
}

function isTag(row: Tag | Constant): row is Tag {
  return 'logicalAddress' in row
}

/** The existing row with the changed attributes. */
function editedRow(document: string, present: XmlElement, row: Tag | Constant): string {
  const list = child(present, 'AttributeList')
  const links = child(present, 'LinkList')
  // Older exports contain the name of the type in a link.
  const linked = childText(child(links, 'DataType'), 'Name')
  const isLinked = child(list, 'DataTypeName') === undefined && linked === row.dataType
  const flag = (name: string, value: boolean) => (child(list, name) === undefined && value ? undefined : String(value))
  const attributes: Attributes = isTag(row)
    ? {
        DataTypeName: isLinked ? undefined : row.dataType,
        ExternalAccessible: flag('ExternalAccessible', row.externalAccessible),
        ExternalVisible: flag('ExternalVisible', row.externalVisible),
        ExternalWritable: flag('ExternalWritable', row.externalWritable),
        LogicalAddress: row.logicalAddress,
        Name: row.name,
      }
    : { DataTypeName: isLinked ? undefined : row.dataType, Name: row.name, Value: row.value }
  const edits = elementEdits(present, { attributes, comment: row.comment })
  if (links && !isLinked && linked !== undefined) edits.push({ start: links.start, end: links.end, text: '' })
  return applyEdits(document.slice(present.start, present.end), edits, present.start)
}
