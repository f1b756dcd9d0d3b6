/** Rule `nesting-depth`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

const nested = (depth: number): string => `${'IF #a THEN '.repeat(depth)}#n := 1; ${'END_IF; '.repeat(depth)}`.trim()

export const nestingDepth: Rule = {
  code: 'nesting-depth',
  group: 'structure',
  severity: 'warning',
  title: 'Statements are nested too deep',
  why: 'Nobody can tell under which conditions the innermost statement runs.',
  fails: fc(nested(6)),
  passes: fc(nested(3)),
  options: { most: { value: 5, description: 'Levels of IF, CASE and loops inside each other.' } },
  check({ code }, report, options) {
    const most = options.number('most')
    for (const object of code)
      for (const scl of object.scl) {
        let silentUntil = -1
        for (const { node, depth } of scl.statements) {
          if (depth <= most || node.start < silentUntil) continue
          report(object, scl.placeOf(node), `This is ${depth} levels deep; at most ${most} are readable.`, {
            hint: 'Put the inner part into a block of its own, or turn conditions round and RETURN early.',
          })
          // One message for a place: what is around it was reported already.
          silentUntil = node.end
        }
      }
  },
}
