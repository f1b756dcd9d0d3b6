/** Places in the source of a block. */

/** A range in a network's text, or a node of a LAD or FBD network. */
export interface SourceRange {
  readonly line?: number
  readonly column?: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly uId?: number
  /** The step or transition of a sequence program. */
  readonly element?: string
}
