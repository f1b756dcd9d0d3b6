/**
 * Writes tables. Their SimaticML is changed in place, so that unknown content is kept. Small tables are edited in the
 * gateway, large ones on the engine.
 */

import { objectFromXml } from '../../plc/edit/edit.ts'
import { applyEdits, commentXml, elementEdits } from '../../plc/formats/simaticml/element-edit.ts'
import { child, parseXml } from '../../plc/formats/simaticml/xml.ts'
import { XmlWriter } from '../../plc/formats/simaticml/xml-write.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import type { WatchTableKind } from './watch-table.ts'

/** Attributes of a row, named as in SimaticML. Empty ones are omitted from new rows. */
export type RowAttributes = Readonly<Record<string, string>>

/** A row to add, or the changes to a row. */
export interface Row {
  readonly attributes: RowAttributes
  /** Maps a culture to a text. Undefined: the comment is not changed. */
  readonly comment?: Readonly<Record<string, string>>
}

/** The changes to a table and its rows. Indices count all rows before the change, including comment rows, from 0. */
export interface TableEdit {
  /** New name of the table. */
  readonly name?: string
  readonly add?: readonly Row[]
  readonly change?: readonly (Row & { readonly index: number })[]
  readonly remove?: readonly number[]
}

/** A table as stored: its kind and its SimaticML. */
export interface TableDocument {
  readonly kind: WatchTableKind
  readonly text: string
  readonly engineeringVersion?: string | undefined
}

const prefix = 'SW.WatchAndForceTables.Plc'

/** A new table without rows. */
export async function newTable({
  kind,
  name,
  engineeringVersion,
}: {
  kind: WatchTableKind
  name: string
  engineeringVersion: string
}) {
  const writer = new XmlWriter(1)
  writer.element(`${prefix}${kind}`, { ID: '0' }, () =>
    writer.element('AttributeList', {}, () => writer.leaf('Name', {}, name)),
  )
  return objectFromXml(writer.toString(), engineeringVersion)
}

/** Applies an edit to a table and reads the table again from its new text. */
export async function editTable({ table, edit }: { table: TableDocument; edit: TableEdit }): Promise<ImportedObject> {
  const { kind, text } = table
  const root = parseXml(text)
  const list = child(root, 'ObjectList')
  const rows = list?.children.filter(({ name }) => name.endsWith('Entry')) ?? []
  const gone = new Set(edit.remove ?? [])
  const edits = elementEdits(root, { attributes: { Name: edit.name } })
  for (const { index, attributes, comment } of edit.change ?? []) {
    const row = rows[index]
    if (!row || gone.has(index)) continue
    edits.push(...elementEdits(row, { attributes, comment }))
  }
  for (const index of gone) {
    const row = rows[index]
    if (row) edits.push({ start: startOfLine(text, row.start, list?.contentStart ?? 0), end: row.end, text: '' })
  }
  const added = (edit.add ?? []).map((row) => rowXml(kind, row))
  const last = list?.children.at(-1)
  if (added.length > 0 && last)
    edits.push({ start: last.end, end: last.end, text: added.map((row) => `\n      ${row}`).join('') })
  else if (added.length > 0) {
    const objects = `<ObjectList>\n      ${added.join('\n      ')}\n    </ObjectList>`
    const at = child(root, 'AttributeList')?.end ?? root.contentStart
    if (list) edits.push({ start: list.start, end: list.end, text: objects })
    else edits.push({ start: at, end: at, text: `\n    ${objects}` })
  }
  return objectFromXml(applyEdits(text, edits), table.engineeringVersion)
}

/** Offset of the white space before an element. */
function startOfLine(text: string, start: number, from: number): number {
  let at = start
  while (at > from && /\s/.test(text[at - 1] ?? '')) at--
  return at
}

function rowXml(kind: WatchTableKind, { attributes, comment }: Row): string {
  const writer = new XmlWriter(3)
  writer.element(`${prefix}${kind}Entry`, { ID: '0', CompositionName: 'Entries' }, () => {
    writer.element('AttributeList', {}, () => {
      for (const [name, value] of Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)))
        if (value !== '') writer.leaf(name, {}, value)
    })
    if (comment && Object.values(comment).some((text) => text !== ''))
      writer.element('ObjectList', {}, () => writer.raw(commentXml(comment)))
  })
  return writer.toString()
}
