/** Rule `bool-compared`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

const constants: Readonly<Record<string, boolean>> = { true: true, false: false }

export const boolCompared: Rule = {
  code: 'bool-compared',
  group: 'logic',
  severity: 'information',
  title: 'A Bool is compared with TRUE or FALSE',
  why: 'The Bool itself is the condition; the comparison only makes it longer.',
  fails: fc('#q := #a = TRUE;'),
  passes: fc('#q := #a;'),
  fixes: true,
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.expressionsOf('binary')) {
          if (node.operator !== '=' && node.operator !== '<>') continue
          const value = constants[scl.sourceOf(node.right).toLowerCase()]
          if (value === undefined) continue
          const operand = scl.sourceOf(node.left)
          const isPlain = !['binary', 'unary'].includes(node.left.kind)
          const isNegated = value === (node.operator === '<>')
          const text = `${isNegated ? 'NOT ' : ''}${isPlain ? operand : `(${operand})`}`
          report(object, scl.placeOf(node), `${scl.sourceOf(node)} is the same as ${text}.`, {
            hint: `Write ${text}.`,
            fix: { description: `Write ${text}`, edits: [{ network: scl.network, ...scl.extentOf(node), text }] },
          })
        }
  },
}
