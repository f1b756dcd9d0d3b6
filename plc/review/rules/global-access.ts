/** Rule `global-access`. */

import type { Use } from '../../uses/use.ts'
import { db, fb } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const globalAccess: Rule = {
  code: 'global-access',
  group: 'structure',
  severity: 'information',
  title: 'A function or function block uses global data',
  why: 'A block that reads and writes global data cannot be used twice or tested alone. Siemens: pass data by parameters.',
  fails: db('  speed : Int;') + fb('VAR_OUTPUT\n  n : Int;\nEND_VAR', '#n := "Data".speed;'),
  passes: fb('VAR_INPUT\n  speed : Int;\nEND_VAR\nVAR_OUTPUT\n  n : Int;\nEND_VAR', '#n := #speed;'),
  check(program, report) {
    const tags = new Set<string>()
    for (const { object } of program.tables) for (const { name } of object.tags ?? []) tags.add(name.toLowerCase())
    for (const object of program.code) {
      // A function block without parameters, as the areas of a plant have one each, is a part of the program itself.
      if (object.kind === 'OB' || object.members('Input', 'Output', 'InOut').length === 0) continue
      const found = new Map<string, Use>()
      for (const use of object.uses) {
        const { name, access } = use
        if (access !== 'Read' && access !== 'Write' && access !== 'ReadWrite') continue
        const key = name.toLowerCase()
        if (!found.has(key) && (program.named(name)?.kind === 'GlobalDB' || tags.has(key))) found.set(key, use)
      }
      const [first] = found.values()
      if (!first) continue
      const more = found.size > 1 ? ` and ${found.size - 1} other global name${found.size === 2 ? '' : 's'}` : ''
      report(object, first.place, `The block depends on this program: it uses ${first.text}${more}.`, {
        hint: 'Make parameters of them.',
      })
    }
  },
}
