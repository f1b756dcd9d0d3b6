/** Rule `double-negation`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { withoutGroups } from '../scl-code.ts'

export const doubleNegation: Rule = {
  code: 'double-negation',
  group: 'logic',
  severity: 'information',
  title: 'A condition is negated twice',
  why: 'Two NOT cancel each other and make the condition hard to read.',
  fails: fc('#q := NOT (NOT #a);'),
  passes: fc('#q := #a;'),
  fixes: true,
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.expressionsOf('unary')) {
          if (node.operator !== 'NOT') continue
          const inner = withoutGroups(node.operand)
          if (inner.kind !== 'unary' || inner.operator !== 'NOT') continue
          const text = scl.sourceOf(inner.operand)
          const edit = {
            network: scl.network,
            ...scl.extentOf(node),
            text: inner.operand.kind === 'binary' ? `(${text})` : text,
          }
          report(object, scl.placeOf(node), `${scl.sourceOf(node)} is ${text}.`, {
            hint: 'Leave both NOT out.',
            fix: { description: 'Leave both NOT out', edits: [edit] },
          })
        }
  },
}
