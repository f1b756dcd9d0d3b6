/** Reads the interfaces of stored documents: a few in the gateway, many on the engine. */

import { interfaceFacts } from '../../../plc/compiler/interfaces.ts'
import { objectOf, type StoredDocument } from '../../../plc/edit/stored-document.ts'
import { FormatError } from '../../../plc/model/fault.ts'

/** A hash of the interface of each document; `undefined` for one that cannot be read. */
export function interfacesOf(documents: readonly StoredDocument[]): (string | undefined)[] {
  return documents.map((document) => {
    try {
      return interfaceFacts(objectOf(document)).hash
    } catch (error) {
      if (error instanceof FormatError) return undefined
      throw error
    }
  })
}
