/** A value that a declaration or a data block gives to a variable or to some element of it. */

/**
 * A start value of a part, as a document gives it: names, and the indices of all arrays on the way, from the outermost
 * on. SimaticML writes `0,2` both for an element of an array in an element of an array and for an element of a
 * two-dimensional array: only the types distinguish them.
 */
export interface AssignedValue {
  readonly names: readonly string[]
  readonly indices: readonly number[]
  readonly value: string
}
