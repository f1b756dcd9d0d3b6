/** Reads what stored documents use, and gives used names other ones; runs in the gateway for little, on the engine for much. */

import { objectOf, type StoredDocument } from '../../../plc/edit/stored-document.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import { renameInSource } from '../../../plc/uses/rename-source.ts'
import { renameInXml } from '../../../plc/uses/rename-xml.ts'
import type { ObjectUses, Use } from '../../../plc/uses/use.ts'
import { usesOf } from '../../../plc/uses/uses-of.ts'

/** What each document uses; `undefined` for one that cannot be read. */
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

/** The text of a document with another name for what it uses, and the uses that could not be replaced (none, as a rule). */
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
