/** Writes rows of tag tables (docs/formats.md#objects-and-attributes). */
import type { ConstantEntry, TagEntry, WatchEntry } from '../../model/object.ts'
import { commentXml } from './element-edit.ts'
import { XmlWriter } from './xml-write.ts'

const rowElements = { tag: 'SW.Tags.PlcTag', constant: 'SW.Tags.PlcUserConstant' } as const

/**
 * Writes a tag or a user constant as element of a table.
 * @param culture language of an empty comment
 */
export function tagRowXml(row: TagEntry | ConstantEntry, culture: string): string {
  const writer = new XmlWriter(3)
  const isTag = 'logicalAddress' in row
  const element = isTag ? rowElements.tag : rowElements.constant
  writer.element(element, { ID: '0', CompositionName: isTag ? 'Tags' : 'UserConstants' }, () => {
    writer.element('AttributeList', {}, () => {
      writer.leaf('DataTypeName', {}, row.dataType)
      if (isTag) {
        if (row.externalAccessible === false) writer.leaf('ExternalAccessible', {}, 'false')
        if (row.externalVisible === false) writer.leaf('ExternalVisible', {}, 'false')
        if (row.externalWritable === false) writer.leaf('ExternalWritable', {}, 'false')
        writer.leaf('LogicalAddress', {}, row.logicalAddress)
      }
      writer.leaf('Name', {}, row.name)
      if (!isTag) writer.leaf('Value', {}, row.value)
    })
    const comment = Object.keys(row.comment).length > 0 ? row.comment : { [culture]: '' }
    writer.element('ObjectList', {}, () => writer.raw(commentXml(comment)))
  })
  return writer.toString()
}

/** Puts rows into the root element of a table. */
export function tagTableElement(nameXml: string, rows: readonly string[]): string {
  const objects = rows.length === 0 ? '' : `\n    <ObjectList>\n      ${rows.join('\n      ')}\n    </ObjectList>`
  return `<SW.Tags.PlcTagTable ID="0">\n    ${nameXml}${objects}\n  </SW.Tags.PlcTagTable>`
}

/** Writes a watch or force table with its rows. */
export function watchTableElement(
  kind: 'WatchTable' | 'ForceTable',
  name: string,
  rows: readonly WatchEntry[],
): string {
  const element = `SW.WatchAndForceTables.Plc${kind}`
  const writer = new XmlWriter(1)
  writer.element(element, { ID: '0' }, () => {
    writer.element('AttributeList', {}, () => writer.leaf('Name', {}, name))
    if (rows.length === 0) return
    writer.element('ObjectList', {}, () => {
      for (const row of rows) writeWatchRow(writer, row.isComment ? commentEntry : `${element}Entry`, row)
    })
  })
  return writer.toString()
}

/** A row that is only a comment, of watch tables and of force tables. */
const commentEntry = 'SW.WatchAndForceTables.PlcTableCommentEntry'

function writeWatchRow(writer: XmlWriter, element: string, row: WatchEntry): void {
  writer.element(element, { ID: '0', CompositionName: 'Entries' }, () => {
    writer.element('AttributeList', {}, () => {
      const leaf = (name: string, value: string | boolean | undefined) => {
        if (value !== undefined && value !== '') writer.leaf(name, {}, String(value))
      }
      leaf('Address', row.address)
      leaf('DisplayFormat', row.displayFormat)
      leaf('ForceIntention', row.forceIntention)
      leaf('ForceValue', row.forceValue)
      leaf('ModifyIntention', row.modifyIntention)
      leaf('ModifyTrigger', row.modifyTrigger)
      leaf('ModifyValue', row.modifyValue)
      leaf('MonitorTrigger', row.monitorTrigger)
      leaf('Name', row.name)
    })
    if (Object.keys(row.comment).length > 0) writer.element('ObjectList', {}, () => writer.raw(commentXml(row.comment)))
  })
}
