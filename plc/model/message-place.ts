/** What a message is about, and how its place in the text of an object is found. */

/** As diagnostics say it. */
export interface MessagePlace {
  /** Of the diagnostic: one about a start value is where the value is assigned. */
  readonly code?: string
  /** Number of the network from 1. In its text, line and column from 1, or the UId of a node. */
  readonly network?: number
  readonly line?: number
  readonly column?: number
  readonly uId?: number
  /** Of a sequence program: `Step 3 "Fill"`, `Transition 2 "Full"`. */
  readonly element?: string
  /** Dotted path of a member of the interface, or the name of a tag. */
  readonly member?: string
}

/** Returns the offset of what a message is about; where that is not found, of what is around it. */
export type PlaceFinder = (place: MessagePlace) => number
