/**
 * What the model does not interpret is kept as XML text in its place and written back. This works the same for the
 * whole model and for every form a block was imported in (SimaticML, SIMATIC SD, source text, JSON).
 */

/** What the model does not interpret of an element. Absent when there is nothing. */
export interface Kept {
  readonly attributes?: Readonly<Record<string, string>>
  /** Child elements as XML, each with its index among all children of its original parent. */
  readonly elements?: readonly { readonly at: number; readonly xml: string }[]
  /**
   * What was kept of the element around it, where the model combines two into one: `Access` and `Symbol`, `Call` and
   * `CallInfo`.
   */
  readonly outer?: Kept
  /** What was kept of inner elements that only group others, by name: `Actions` of a `Step`. */
  readonly inner?: Readonly<Record<string, Kept>>
}
