/**
 * Places of a block whose execution is recorded: for the coverage of tests. Each outcome of a place has a byte in a
 * memory of the block, which the code sets to 1.
 */

/**
 * `statement`: a statement of SCL or STL, a network, or an action of a step; `branch`: taken and not taken, or one way
 * of a CASE; `loop`: a FOR that had a round and one that had none, which constant borders decide themselves;
 * `condition`: a contact, comparison or gate that was TRUE and that was FALSE; `box`: it ran; `step`: it was active;
 * `transition`: it was passed.
 */
export type ProbeKind = 'statement' | 'branch' | 'loop' | 'condition' | 'box' | 'step' | 'transition'

export interface ProbePoint {
  readonly kind: ProbeKind
  readonly network: number
  /** Line and column in the text of the network, from 1. */
  readonly line?: number
  readonly column?: number
  readonly endLine?: number
  readonly uId?: number
  /** Step or transition that contains it, as messages name it. */
  readonly element?: string
  /** Action of the step: event, qualifier and text. */
  readonly action?: string
  /** Of each outcome its byte: TRUE or taken first, then FALSE or not taken. Several places may share one. */
  readonly bytes: readonly number[]
}

/** The places of a block. */
export interface BlockProbes {
  readonly points: readonly ProbePoint[]
  /** Bytes. */
  readonly size: number
}

/** Name of the memory of a block's places; no block of a program begins so. */
export function probesName(block: string): string {
  return `$probes ${block}`
}
