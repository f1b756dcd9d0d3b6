/** Rule `duplicate-condition`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const duplicateCondition: Rule = {
  code: 'duplicate-condition',
  group: 'logic',
  severity: 'warning',
  title: 'An ELSIF has a condition that was asked before',
  why: 'The branch never runs, since an earlier branch of the same IF has the same condition.',
  fails: fc('IF #a THEN\n    #n := 1;\n  ELSIF #b THEN\n    #n := 2;\n  ELSIF #a THEN\n    #n := 3;\n  END_IF;'),
  passes: fc('IF #a THEN\n    #n := 1;\n  ELSIF #b THEN\n    #n := 2;\n  END_IF;'),
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.statementsOf('if')) {
          if (node.branches.length < 2) continue
          const before = new Set<string>()
          for (const branch of node.branches) {
            const form = scl.formOf(branch.condition)
            if (before.has(form) && !form.includes('( '))
              report(
                object,
                scl.placeOf(branch.condition),
                `${scl.sourceOf(branch.condition)} was asked before in this IF.`,
                {
                  hint: 'Delete the branch or correct its condition.',
                },
              )
            before.add(form)
          }
        }
  },
}
