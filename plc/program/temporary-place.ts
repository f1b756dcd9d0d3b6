/** Places of the temporaries of a block, for the symbols of a program. */

/** A temporary of a block: in its frame, or in a register (then it has no bytes). */
export interface TemporaryPlace {
  readonly name: string
  readonly byte?: number
  readonly bit?: number
}
