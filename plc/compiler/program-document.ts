/** What the compiler receives for each object of a program. */

import type { ImportedObject } from '../model/object.ts'
import type { InterfaceFacts } from './interfaces.ts'

/** A block or PLC data type of the program. */
export interface ProgramDocument {
  readonly object: ImportedObject
  /** Hash of the document. */
  readonly document: string
  readonly facts: InterfaceFacts
}
