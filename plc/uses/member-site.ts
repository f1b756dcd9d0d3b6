/** A place in a stored text that names a declared member. */

import type { Edit } from '../formats/simaticml/element-edit.ts'
import type { UsePlace } from './use.ts'

/** One place. */
export interface MemberSite {
  /** Edits that write the new name; empty where an earlier edit has done that, or no edit can. */
  readonly edits: readonly Edit[]
  readonly canReplace: boolean
  readonly place: UsePlace
  /**
   * Whether it is in the declarations: a copy of the member in an instance data block or multi-instance, or its value
   * in a data block.
   */
  readonly isDeclared: boolean
}
