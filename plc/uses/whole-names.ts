/**
 * Whole names of objects in namespaces. Names are unique in a program; when blocks of several software units have one
 * name, those of the units are stored under their whole names, `namespace.Name`. Exports have the bare names again.
 */

import { rename } from '../edit/edit.ts'
import { calleeOf, objectOf, type StoredDocument } from '../edit/stored-document.ts'
import { applyEdits } from '../formats/simaticml/element-edit.ts'
import { contentEdit } from '../formats/simaticml/value-edit.ts'
import { child, parseXml } from '../formats/simaticml/xml.ts'
import { namespaceOf } from '../model/namespace.ts'
import type { ImportedObject } from '../model/object.ts'
import { renameInSource } from './rename-source.ts'
import { renameInXml } from './rename-xml.ts'
import { usesOf } from './uses-of.ts'

/** Another name for an object. A function's own is among the names that it uses: its result has it. */
export interface NewName {
  readonly from: string
  readonly to: string
}

/**
 * Returns an object read from its document after names were replaced: of what it uses, its own, and those of its rows
 * when it is a tag table.
 * @throws FormatError when the text cannot be read
 */
export function withNames(
  document: StoredDocument,
  own: string | undefined,
  names: readonly NewName[],
): ImportedObject {
  const before = objectOf(document)
  const present = new Set(
    [before.name, ...usesOf(before).uses.map(({ name }) => name)].map((name) => name.toLowerCase()),
  )
  const used = names.filter(({ from }) => present.has(from.toLowerCase()))
  const renameIn = document.format === 'simaticml' ? renameInXml : renameInSource
  const text = used.reduce((result, { from, to }) => renameIn(result, from, to), document.text)
  const rows = before.kind === 'TagTable' ? renameRows(text, names) : text
  const object = objectOf({ ...document, text: rows })
  return own === undefined || own === object.name ? object : rename(object, own, calleeOf(document))
}

const rowElements: ReadonlySet<string> = new Set(['SW.Tags.PlcTag', 'SW.Tags.PlcUserConstant'])

/** Gives tags and constants of a table other names. */
function renameRows(xml: string, names: readonly NewName[]): string {
  const wanted = new Map(names.map(({ from, to }) => [from.toLowerCase(), to]))
  const edits = (child(parseXml(xml), 'ObjectList')?.children ?? []).flatMap((row) => {
    const name = rowElements.has(row.name) ? child(child(row, 'AttributeList'), 'Name') : undefined
    const to = name === undefined ? undefined : wanted.get(name.text.trim().toLowerCase())
    return name === undefined || to === undefined ? [] : [contentEdit(xml, name, to)]
  })
  return edits.length === 0 ? xml : applyEdits(xml, edits)
}

/**
 * Returns the document with the whole names of its own namespace, and of those around it, made bare; the same one when
 * it has none.
 * @param unit namespace of the software unit that the object is of: tag tables have none of their own
 */
export function withBareNames(document: StoredDocument, unit?: string): StoredDocument {
  const object = objectOf(document)
  const prefixes = prefixesOf(namespaceOf(object) || (unit ?? ''))
  if (prefixes.length === 0) return document
  const bareOf = (name: string): string | undefined => {
    const lower = name.toLowerCase()
    const prefix = prefixes.find((one) => lower.startsWith(one) && lower.length > one.length)
    return prefix === undefined ? undefined : name.slice(prefix.length)
  }
  const names = new Map<string, NewName>()
  const add = (name: string): void => {
    const to = bareOf(name)
    if (to !== undefined) names.set(name.toLowerCase(), { from: name, to })
  }
  for (const { name } of usesOf(object).uses) add(name)
  for (const { name } of [...(object.tags ?? []), ...(object.constants ?? [])]) add(name)
  // The result of a function has its name, and so does a block that calls itself.
  add(object.name)
  if (names.size === 0) return document
  const bare = withNames(document, bareOf(object.name), [...names.values()])
  return { ...document, name: bare.name, text: bare.xml ?? bare.text ?? document.text }
}

/** `a.b.` and `a.` of the namespace a.b, in lower case. */
function prefixesOf(namespace: string): string[] {
  const prefixes: string[] = []
  for (let at = namespace.length; at > 0; at = namespace.lastIndexOf('.', at - 1))
    prefixes.push(`${namespace.slice(0, at).toLowerCase()}.`)
  return prefixes
}
