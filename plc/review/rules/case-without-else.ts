/** Rule `case-without-else`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const caseWithoutElse: Rule = {
  code: 'case-without-else',
  group: 'logic',
  severity: 'warning',
  title: 'A CASE has no ELSE',
  why: 'A value that no branch has (a damaged step number, a new mode) is passed over in silence, and the machine stays as it is.',
  fails: fc('CASE #x OF\n    1: #n := 10;\n    2: #n := 20;\n  END_CASE;'),
  passes: fc('CASE #x OF\n    1: #n := 10;\n    2: #n := 20;\n    ELSE #n := 0;\n  END_CASE;'),
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.statementsOf('case'))
          if (node.otherwise === undefined && node.branches.length > 0)
            report(object, scl.placeOf(node), `The CASE over ${scl.sourceOf(node.selector)} has no ELSE.`, {
              hint: 'Add ELSE with what is to happen for any other value, e.g. an error status.',
            })
  },
}
