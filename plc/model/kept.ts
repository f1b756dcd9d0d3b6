/**
 * What the model does not interpret is kept as XML text where it was found, and written back. It is the same for all of
 * the model and whatever form a block came in (SimaticML, SIMATIC SD, source text, JSON).
 */

/** What the model does not interpret of an element. Absent when there is nothing. */
export interface Kept {
  readonly attributes?: Readonly<Record<string, string>>
  /** Child elements as XML, each with its index among all children of the element it was found in. */
  readonly elements?: readonly { readonly at: number; readonly xml: string }[]
  /** Of the element around it, where the model makes one of two: `Access` and `Symbol`, `Call` and `CallInfo`. */
  readonly outer?: Kept
  /** Of elements inside it that only hold others together, by name: `Actions` of a `Step`. */
  readonly inner?: Readonly<Record<string, Kept>>
}
