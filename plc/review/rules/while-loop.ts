/** Rule `while-loop`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const whileLoop: Rule = {
  code: 'while-loop',
  group: 'security',
  severity: 'information',
  title: 'The passes of a loop have no limit',
  why: 'WHILE and REPEAT run until data change. Damaged data make the cycle too long, and the controller stops.',
  fails: fc('WHILE #n < #x DO\n    #n := #n + 1;\n  END_WHILE;'),
  passes: fc(
    'FOR #i := 0 TO 100 DO\n    IF #n >= #x THEN EXIT; END_IF;\n    #n := #n + 1;\n  END_FOR;',
    'VAR_TEMP\n  i : Int;\nEND_VAR',
  ),
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.statements) {
          if (node.kind !== 'while' && node.kind !== 'repeat') continue
          report(object, scl.placeOf(node), `${node.kind === 'while' ? 'WHILE' : 'REPEAT'} has no limit of passes.`, {
            hint: 'Use FOR with the largest number that is plausible, and EXIT.',
          })
        }
  },
}
