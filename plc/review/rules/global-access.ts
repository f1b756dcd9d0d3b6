/** Rule `global-access`. */
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
      const told = new Set<string>()
      for (const { name, access, place, text } of object.uses) {
        if (access !== 'Read' && access !== 'Write' && access !== 'ReadWrite') continue
        const key = name.toLowerCase()
        const isData = program.named(name)?.kind === 'GlobalDB' || tags.has(key)
        if (!isData || told.has(key)) continue
        told.add(key)
        report(object, place, `${text} is global: the block depends on this program.`, { hint: 'Make it a parameter.' })
      }
    }
  },
}
