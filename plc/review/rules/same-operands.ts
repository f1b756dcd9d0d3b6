/** Rule `same-operands`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { withoutGroups } from '../scl-code.ts'

const pointless = new Set(['=', '<>', '<', '<=', '>', '>=', 'AND', 'OR', 'XOR', '-', '/', 'DIV', 'MOD'])

export const sameOperands: Rule = {
  code: 'same-operands',
  group: 'logic',
  severity: 'warning',
  title: 'Both sides of an operator are the same',
  why: 'The result is known beforehand (always TRUE, 0, the operand itself): one side was meant to be something else.',
  fails: fc('#q := #x > #x;'),
  passes: fc('#q := #x > #y;'),
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.expressionsOf('binary')) {
          if (!pointless.has(node.operator)) continue
          const [left, right] = [withoutGroups(node.left), withoutGroups(node.right)]
          // A function may give something else each time; constants are calculations of the author.
          if (left.kind === 'call' || left.kind === 'literal' || left.kind === 'missing') continue
          if (left.end - left.start !== right.end - right.start || scl.formOf(left) !== scl.formOf(right)) continue
          report(object, scl.placeOf(node), `${scl.sourceOf(node)}: both sides are the same.`, {
            hint: 'Name the variable that is meant on one side.',
          })
        }
  },
}
