/** Rule `early-return`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const earlyReturn: Rule = {
  code: 'early-return',
  group: 'structure',
  severity: 'off',
  title: 'A block is left in the middle',
  why: 'Outputs that are assigned later keep old values when the block is left early. Some guides forbid it.',
  fails: fc('IF #a THEN\n    RETURN;\n  END_IF;\n  #n := 1;'),
  passes: fc('IF NOT #a THEN\n    #n := 1;\n  END_IF;'),
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.statementsOf('return'))
          report(object, scl.placeOf(node), 'The block is left here.', {
            hint: 'Put what comes after into an IF with the opposite condition.',
          })
  },
}
