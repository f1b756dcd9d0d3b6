/** Rule `complexity`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const complexity: Rule = {
  code: 'complexity',
  group: 'structure',
  severity: 'information',
  title: 'A block has too many paths',
  why: 'Each decision needs a test of its own (cyclomatic complexity, McCabe 1976): a block with many cannot be tested.',
  fails: fc('IF #a THEN\n    #n := 1;\n  END_IF;\n'.repeat(30)),
  passes: fc('IF #a THEN\n    #n := 1;\n  END_IF;'),
  options: { most: { value: 25, description: 'Decisions in SCL: IF, ELSIF, branches of CASE, loops, plus one.' } },
  check({ code }, report, options) {
    const most = options.number('most')
    for (const object of code) {
      let paths = 1
      for (const scl of object.scl)
        for (const { node } of scl.statements) {
          if (node.kind === 'if' || node.kind === 'case') paths += node.branches.length
          else if (node.kind === 'for' || node.kind === 'while' || node.kind === 'repeat') paths++
        }
      if (paths > most)
        report(object, {}, `The block has a complexity of ${paths}; at most ${most} are testable.`, {
          hint: 'Divide it into blocks, or make a table of what the branches choose.',
        })
    }
  },
}
