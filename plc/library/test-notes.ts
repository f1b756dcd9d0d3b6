/** What the compiler tells the controller of tests about an assertion of GantryTest. */

/** One value of an assertion. */
export interface AssertionSide {
  /** As it is written; empty for the result of an expression. */
  readonly text: string
  /** A constant, as it is written. */
  readonly value?: string
  /** Type of the value in memory. */
  readonly type?: string
  /** Of a text: its lengths are those of standard blocks. */
  readonly isStandard?: boolean
}

/** What the compiler tells of an assertion. */
export interface AssertionNote {
  readonly block: string
  readonly network: number
  /** In the text of the network, from 1. */
  readonly line: number
  readonly column: number
  readonly function: string
  /** `equal`, or `near` with the tolerance. */
  readonly rule: string
  /** Expected and actual. */
  readonly sides: readonly AssertionSide[]
  readonly message?: string
}
