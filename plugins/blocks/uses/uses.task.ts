/** Reads what stored documents use; runs in the gateway for little, on the engine for much. */
import { objectOf, type StoredDocument } from '../document.task.ts'
import { FormatError } from '../model/fault.ts'
import type { ObjectUses } from './use.ts'
import { usesOf } from './uses-of.ts'

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
