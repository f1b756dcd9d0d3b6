/** A place in a stored text where a declared member is named. */

import type { Edit } from '../formats/simaticml/element-edit.ts'
import type { UsePlace } from './use.ts'

/** One place. */
export interface MemberSite {
  /** What makes it the new name; empty where an edit before it has done that, or nothing can. */
  readonly edits: readonly Edit[]
  readonly canReplace: boolean
  readonly place: UsePlace
  /** Part of the declarations: a copy of the member in an instance data block or multi-instance, its value in a data block. */
  readonly isDeclared: boolean
}
