/** Rule `self-assignment`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const selfAssignment: Rule = {
  code: 'self-assignment',
  group: 'logic',
  severity: 'warning',
  title: 'A variable is assigned to itself',
  why: 'The statement does nothing. Mostly one of the two names was meant to be another.',
  fails: fc('#n := #n;'),
  passes: fc('#n := #x;'),
  fixes: true,
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.statementsOf('assignment')) {
          if (node.operator !== ':=') continue
          if (node.value.kind !== node.target.kind || scl.formOf(node.target) !== scl.formOf(node.value)) continue
          const edit = { network: scl.network, ...scl.extentOf(node), text: ';' }
          report(object, scl.placeOf(node), `${scl.sourceOf(node.target)} is assigned to itself.`, {
            hint: 'Delete the statement, or name the variable that is meant.',
            fix: { description: 'Delete the statement', edits: [edit] },
          })
        }
  },
}
