/** Rule `constant-condition`. */
import { fc } from '../examples.ts'
import { everyContact } from '../graph.ts'
import type { Rule } from '../rule.ts'
import { withoutGroups } from '../scl-code.ts'

const isConstant = (text: string): boolean => /^(true|false|bool#(true|false|0|1))$/i.test(text)

export const constantCondition: Rule = {
  code: 'constant-condition',
  group: 'logic',
  severity: 'warning',
  title: 'A condition or contact is constantly TRUE or FALSE',
  why: 'Something was switched off or bridged for a test and not taken back: the rest of the condition has no effect.',
  fails: fc('#q := #a AND FALSE;'),
  passes: fc('#q := #a AND #b;'),
  check({ code }, report) {
    for (const object of code) {
      for (const scl of object.scl) {
        for (const { node } of scl.expressionsOf('binary')) {
          if (!['AND', 'OR', 'XOR'].includes(node.operator)) continue
          for (const side of [node.left, node.right])
            if (isConstant(scl.sourceOf(withoutGroups(side))))
              report(object, scl.placeOf(side), `${scl.sourceOf(side)} in ${scl.sourceOf(node)} never changes.`, {
                hint: 'Take the constant out, or the condition with it.',
              })
        }
        for (const { node } of scl.statementsOf('if'))
          for (const { condition } of node.branches)
            if (isConstant(scl.sourceOf(withoutGroups(condition))))
              report(object, scl.placeOf(condition), `The condition is always ${scl.sourceOf(condition)}.`, {
                hint: 'Delete the IF, or what never runs.',
              })
      }
      for (const { contact, operand, network } of everyContact(object))
        if (operand.kind === 'literal' && isConstant(operand.value))
          report(object, { network, uId: contact.uId }, `The contact is constantly ${operand.value}.`, {
            hint: 'Delete the contact, or the branch that it closes for ever.',
          })
    }
  },
}
