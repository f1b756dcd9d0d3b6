/**
 * Reads the uses of stored documents and replaces used names; small inputs in the gateway, large ones on the engine.
 */

import { objectOf, type StoredDocument } from '../../../plc/edit/stored-document.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import { renameInSource } from '../../../plc/uses/rename-source.ts'
import { renameInXml } from '../../../plc/uses/rename-xml.ts'
import type { ObjectUses, Use } from '../../../plc/uses/use.ts'
import { usesOf } from '../../../plc/uses/uses-of.ts'
import type { ProgramObject } from './contributor.ts'

/** The uses of each document; `undefined` for one that cannot be read. */
export function readUses(documents: readonly StoredDocument[]): (ObjectUses | undefined)[] {
  return documents.map((document) => {
    try {
      return usesOf(objectOf(document))
    } catch (error) {
      if (error instanceof FormatError) return undefined
      throw error
    }
  })
}

/** The text of a document with new names, and the uses that could not be replaced (normally none). */
export function renameIn(input: { document: StoredDocument; from: string; to: string }): {
  text: string
  remaining: Use[]
} {
  const { document, from, to } = input
  const renamed =
    document.format === 'simaticml' ? renameInXml(document.text, from, to) : renameInSource(document.text, from, to)
  const wanted = from.toLowerCase()
  // A name that only changes its case is still "used" under the old one.
  if (wanted === to.toLowerCase()) return { text: renamed, remaining: [] }
  const { uses } = usesOf(objectOf({ ...document, text: renamed }))
  const remaining = uses.filter(({ name, isBare }) => isBare !== true && name.toLowerCase() === wanted)
  return { text: renamed, remaining }
}

const rowUses = new WeakMap<object, ObjectUses>()

/** Uses in the rows of an object that is kept as data; kept while the rows are the same. */
export function usesOfRows(rows: NonNullable<ProgramObject['rows']>): ObjectUses {
  const key = rows.tags ?? rows.entries ?? rows
  const remembered = rowUses.get(key)
  if (remembered !== undefined) return remembered
  const uses = usesOf({
    kind: 'TagTable',
    element: '',
    format: 'simaticml',
    name: '',
    language: '',
    title: {},
    comment: {},
    author: '',
    family: '',
    headerName: '',
    version: '',
    isKnowHowProtected: false,
    attributes: [],
    interface: [],
    networks: [],
    ...rows,
  })
  rowUses.set(key, uses)
  return uses
}
