/** Writes tables: their SimaticML is changed in place, so that what is not interpreted stays. Small ones in the gateway, large ones on the engine. */

import { objectFromXml } from '../../plc/edit/edit.ts'
import { applyEdits, commentXml, elementEdits } from '../../plc/formats/simaticml/element-edit.ts'
import { child, parseXml } from '../../plc/formats/simaticml/xml.ts'
import { XmlWriter } from '../../plc/formats/simaticml/xml-write.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import type { WatchTableKind } from './watch-table.ts'

/** Attributes of a row, in the words of SimaticML; empty ones are left out of new rows. */
export type RowAttributes = Readonly<Record<string, string>>

/** A row to add, or what shall change of one. */
export interface Row {
  readonly attributes: RowAttributes
  /** Culture to text. Undefined: it stays. */
  readonly comment?: Readonly<Record<string, string>>
}

/** What shall be done with a table and its rows. Indices count from 0 over all rows, comment rows too, before anything is done. */
export interface TableEdit {
  /** New name of the table. */
  readonly name?: string
  readonly add?: readonly Row[]
  readonly change?: readonly (Row & { readonly index: number })[]
  readonly remove?: readonly number[]
}

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

/** The table after an edit, read again from its new text. */
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

/** Where the white space before an element begins. */
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
