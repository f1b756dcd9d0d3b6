/** Rule `identical-branches`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const identicalBranches: Rule = {
  code: 'identical-branches',
  group: 'logic',
  severity: 'warning',
  title: 'IF and ELSE do the same',
  why: 'The condition decides nothing. One of the branches was copied and not changed.',
  fails: fc('IF #a THEN\n    #n := #x;\n  ELSE\n    #n := #x;\n  END_IF;'),
  passes: fc('IF #a THEN\n    #n := #x;\n  ELSE\n    #n := #y;\n  END_IF;'),
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.statementsOf('if')) {
          const last = node.branches.at(-1)!
          // Most branches differ in their number of statements.
          if (node.otherwise === undefined || node.otherwise.length !== last.body.length) continue
          const formOf = (body: readonly { readonly start: number; readonly end: number }[]) =>
            body.map((one) => scl.formOf(one)).join('')
          const form = formOf(last.body)
          if (form === '' || form !== formOf(node.otherwise)) continue
          report(object, scl.placeOf(last), 'This branch and the ELSE branch do the same.', {
            hint: 'Leave the condition out, or correct one of the branches.',
          })
        }
  },
}
