/** Rule `index-unguarded`. */
import { fb } from '../examples.ts'
import { guardedForms } from '../guards.ts'
import type { Rule } from '../rule.ts'
import { withoutGroups } from '../scl-code.ts'

const sections =
  'VAR_INPUT\n  pos : Int;\nEND_VAR\nVAR_OUTPUT\n  n : Int;\nEND_VAR\nVAR\n  list : Array[0..9] of Int;\nEND_VAR'

export const indexUnguarded: Rule = {
  code: 'index-unguarded',
  group: 'security',
  severity: 'warning',
  title: 'A parameter is an array index without being checked',
  why: 'An index outside the array stops an S7-1500 or writes somewhere else with standard access (Secure PLC Coding Practices, 9: validate indirections).',
  fails: fb(sections, '#n := #list[#pos];'),
  passes: fb(sections, 'IF #pos >= 0 AND #pos <= 9 THEN\n    #n := #list[#pos];\n  END_IF;'),
  check({ code }, report) {
    for (const object of code) {
      const parameters = new Set(object.members('Input', 'InOut').map(({ member }) => member.name.toLowerCase()))
      for (const scl of object.scl) {
        let guarded: ReadonlySet<string> | undefined
        const told = new Set<string>()
        for (const { node } of scl.expressionsOf('index'))
          for (const one of node.indices) {
            const index = withoutGroups(one)
            if (index.kind !== 'name' && index.kind !== 'member') continue
            if (!parameters.has(scl.nameAt(index.start).toLowerCase())) continue
            const form = scl.formOf(index)
            guarded ??= guardedForms(scl)
            if (guarded.has(form) || told.has(form)) continue
            told.add(form)
            report(
              object,
              scl.placeOf(one),
              `${scl.sourceOf(index)} comes from the caller and is used as an index without a check.`,
              {
                hint: 'Compare it with the limits of the array before, or use LIMIT.',
              },
            )
          }
      }
    }
  },
}
