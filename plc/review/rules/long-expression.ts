/** Rule `long-expression`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const longExpression: Rule = {
  code: 'long-expression',
  group: 'structure',
  severity: 'information',
  title: 'An expression has too many operators',
  why: 'Steps in between with names say what is calculated, and can be watched online.',
  fails: fc(`#n := ${'#x + '.repeat(20)}1;`),
  passes: fc('#n := #x + #y + 1;'),
  options: { most: { value: 15, description: 'Operators in one expression.' } },
  check({ code }, report, options) {
    const most = options.number('most')
    for (const object of code)
      for (const scl of object.scl) {
        const counts = new Map<object, { count: number; start: number }>()
        for (const { node, statement } of scl.expressionsOf('binary')) {
          const known = counts.get(statement)
          if (known) known.count++
          else counts.set(statement, { count: 1, start: node.start })
        }
        for (const [statement, { count, start }] of counts)
          if (count > most && (statement as { kind: string }).kind === 'assignment')
            report(
              object,
              scl.placeOf({ start }),
              `The expression has ${count} operators; at most ${most} are readable.`,
              {
                hint: 'Put parts of it into temporaries with names.',
              },
            )
      }
  },
}
