/** Gives objects of software units their whole names; runs on the engine. */
import { type Needs, needsOf } from '../../../plc/edit/import-order.ts'
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import { type NewName, withNames } from '../../../plc/uses/whole-names.ts'
import type { StorableObject } from '../files/targets.ts'

/** A document, its new name if it gets one, and the new names of objects that it can use. */
export interface Renaming {
  readonly document: StoredDocument
  readonly own?: string
  readonly used: readonly NewName[]
}

/** The object under its new name; undefined when its text cannot be read again. */
export interface Renamed {
  readonly object: StorableObject
  readonly needs: Needs
  readonly text: string
}

/** Renames a batch. */
export function renameAll(input: readonly Renaming[]): (Renamed | undefined)[] {
  return input.map(({ document, own, used }) => {
    try {
      const object = withNames(document, own, used)
      const { interface: _interface, networks: _networks, xml, text, ...header } = object
      return { object: header, needs: needsOf(object), text: xml ?? text ?? document.text }
    } catch (error) {
      if (error instanceof FormatError) return undefined
      throw error
    }
  })
}
