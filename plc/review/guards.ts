/** What a block checks before it uses it. */
import { type SclCode, withoutGroups } from './scl-code.ts'

const comparisons = new Set(['=', '<>', '<', '<=', '>', '>='])
const limiting = /^(limit|min|max|abs)$/i

/**
 * Forms of operands that some condition of the network compares, that a CASE chooses by, that a FOR loop counts, or
 * that get their value from LIMIT, MIN, MAX or a constant: they count as checked.
 */
export function guardedForms(scl: SclCode): ReadonlySet<string> {
  const guarded = new Set<string>()
  for (const { node } of scl.expressionsOf('binary')) {
    if (comparisons.has(node.operator))
      for (const side of [node.left, node.right]) guarded.add(scl.formOf(withoutGroups(side)))
  }
  for (const { node } of scl.statementsOf('case')) guarded.add(scl.formOf(node.selector))
  for (const { node } of scl.statementsOf('for')) guarded.add(scl.formOf(node.variable))
  for (const { node } of scl.statementsOf('assignment')) {
    if (node.value.kind !== 'assignment') {
      const value = withoutGroups(node.value)
      const isLimited = value.kind === 'call' && limiting.test(scl.sourceOf(value.callee))
      if (isLimited || value.kind === 'literal') guarded.add(scl.formOf(node.target))
    }
  }
  return guarded
}
