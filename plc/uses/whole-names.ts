/**
 * Whole names of objects in namespaces. Names are unique in a program; when blocks of several software units have one
 * name, those of the units are stored under their whole names, `namespace.Name`. Exports have the bare names again.
 */

import { rename } from '../edit/edit.ts'
import { calleeOf, objectOf, type StoredDocument } from '../edit/stored-document.ts'
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
 * Returns an object read from its document after names were replaced: of what it uses, and its own.
 * @throws FormatError when the text cannot be read
 */
export function withNames(document: StoredDocument, own: string | undefined, used: readonly NewName[]): ImportedObject {
  const renameIn = document.format === 'simaticml' ? renameInXml : renameInSource
  const text = used.reduce((result, { from, to }) => renameIn(result, from, to), document.text)
  const object = objectOf({ ...document, text })
  return own === undefined || own === object.name ? object : rename(object, own, calleeOf(document))
}

/** Returns the document with the whole names of its own namespace made bare; the same one when it has none. */
export function withBareNames(document: StoredDocument): StoredDocument {
  const object = objectOf(document)
  const namespace = namespaceOf(object)
  if (namespace === '') return document
  const prefix = `${namespace}.`.toLowerCase()
  const isWhole = (name: string) => name.toLowerCase().startsWith(prefix) && name.length > prefix.length
  const names = new Map<string, NewName>()
  for (const { name } of usesOf(object).uses)
    if (isWhole(name)) names.set(name.toLowerCase(), { from: name, to: name.slice(prefix.length) })
  const own = isWhole(object.name) ? object.name.slice(prefix.length) : undefined
  // The result of a function has its name, and so does a block that calls itself.
  if (own !== undefined) names.set(object.name.toLowerCase(), { from: object.name, to: own })
  if (names.size === 0) return document
  const bare = withNames(document, own, [...names.values()])
  return { ...document, name: bare.name, text: bare.xml ?? bare.text ?? document.text }
}
