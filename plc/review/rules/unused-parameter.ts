/** Rule `unused-parameter`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

const all = '#q := #a AND #b;\n  #n := #x + #y + REAL_TO_INT(#r);'

export const unusedParameter: Rule = {
  code: 'unused-parameter',
  group: 'data',
  severity: 'warning',
  title: 'A parameter is not used in its block',
  why: 'Callers supply an input that has no effect, or read an output that never gets a value.',
  fails: fc('#q := #a;\n  #n := #x + #y + REAL_TO_INT(#r);'),
  passes: fc(all),
  check({ code }, report) {
    for (const object of code) {
      if (object.kind === 'OB' || object.networks.some(({ chart }) => chart !== undefined)) continue
      // A block without code says it once, by the rule empty-block.
      if (object.locals.size === 0) continue
      const overlaid = new Set(
        object
          .members()
          .flatMap(({ member }) =>
            member.attributes.filter(({ name }) => name === 'At').map(({ value }) => value.toLowerCase()),
          ),
      )
      for (const { section, member } of object.members('Input', 'Output', 'InOut')) {
        const key = member.name.toLowerCase()
        if (object.locals.has(key) || overlaid.has(key) || member.attributes.some(({ name }) => name === 'At')) continue
        report(object, { member: member.name }, `The ${section} ${member.name} is not used in the block.`, {
          hint: 'Use it, or delete it and its arguments in the calls.',
        })
      }
    }
  },
}
