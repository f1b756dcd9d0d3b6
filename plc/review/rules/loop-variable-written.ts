/** Rule `loop-variable-written`. */

import { forEachOperand } from '../../languages/scl/operands.ts'
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const loopVariableWritten: Rule = {
  code: 'loop-variable-written',
  group: 'logic',
  severity: 'warning',
  title: 'The variable of a FOR loop is written in the loop',
  why: 'The number of passes is no longer the one in the FOR line; the loop may never end and stop the controller.',
  fails: fc('FOR #i := 1 TO 10 DO\n    #i := #i + 1;\n  END_FOR;', 'VAR_TEMP\n  i : Int;\nEND_VAR'),
  passes: fc('FOR #i := 1 TO 10 BY 2 DO\n    #n := #n + #i;\n  END_FOR;', 'VAR_TEMP\n  i : Int;\nEND_VAR'),
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl) {
        if (scl.statementsOf('for').length === 0) continue
        const loops: { readonly form: string; readonly end: number }[] = []
        for (const { node } of scl.statements) {
          while (loops.length > 0 && loops.at(-1)!.end <= node.start) loops.pop()
          if (node.kind === 'for') loops.push({ form: scl.formOf(node.variable), end: node.end })
          if (
            loops.length === 0 ||
            (node.kind !== 'assignment' && node.kind !== 'callStatement' && node.kind !== 'for')
          )
            continue
          // A loop inside that has the same variable is such a write, too.
          const around = node.kind === 'for' ? loops.slice(0, -1) : loops
          const written = node.kind === 'for' ? [node.variable] : writtenIn(node)
          for (const target of written)
            if (around.some(({ form }) => form === scl.formOf(target)))
              report(
                object,
                scl.placeOf(target),
                `The loop variable ${scl.sourceOf(target)} is written inside its loop.`,
                {
                  hint: 'Use WHILE with a counter of its own, BY for another step, or EXIT to leave the loop.',
                },
              )
        }
      }
  },
}

function writtenIn(node: Parameters<typeof forEachOperand>[0][number]) {
  const found: Parameters<Parameters<typeof forEachOperand>[1]>[0][] = []
  forEachOperand([node], (operand, access) => {
    if (access === 'Write' || access === 'ReadWrite') found.push(operand)
  })
  return found
}
