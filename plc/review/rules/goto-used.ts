/** Rule `goto-used`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const gotoUsed: Rule = {
  code: 'goto-used',
  group: 'structure',
  severity: 'warning',
  title: 'SCL jumps with GOTO',
  why: 'The order of the program can no longer be read from its structure. IF, CASE, EXIT, CONTINUE and RETURN say the same.',
  fails: fc('IF #a THEN\n    GOTO done;\n  END_IF;\n  #n := 1;\n  done: ;'),
  passes: fc('IF NOT #a THEN\n    #n := 1;\n  END_IF;'),
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.statementsOf('goto'))
          report(object, scl.placeOf(node), `${scl.sourceOf(node)} leaves the structure of the program.`, {
            hint: 'Use IF, CASE, EXIT, CONTINUE or RETURN.',
          })
  },
}
