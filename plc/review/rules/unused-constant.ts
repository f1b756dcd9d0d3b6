/** Rule `unused-constant`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const unusedConstant: Rule = {
  code: 'unused-constant',
  group: 'data',
  severity: 'information',
  title: 'A constant is not used',
  why: 'Who changes its value expects an effect, and there is none: the number is written elsewhere.',
  fails: fc('#n := 10;', 'VAR CONSTANT\n  LIMIT_TOP : Int := 10;\nEND_VAR'),
  passes: fc('#n := #LIMIT_TOP;', 'VAR CONSTANT\n  LIMIT_TOP : Int := 10;\nEND_VAR'),
  check(program, report) {
    for (const object of program.code) {
      const types = object
        .members()
        .map(({ member }) => `${member.dataType} ${member.startValue ?? ''}`)
        .join(' ')
        .toLowerCase()
      for (const { member } of object.members('Constant'))
        if (!object.locals.has(member.name.toLowerCase()) && !types.includes(member.name.toLowerCase()))
          report(object, { member: member.name }, `The constant ${member.name} is not used.`, {
            hint: 'Use it where its value is written, or delete it.',
          })
    }
    if (!program.hasStart) return
    for (const table of program.tables)
      for (const { name } of table.object.constants ?? [])
        if (program.usesOf(name).length === 0)
          report(table, { member: name }, `The constant "${name}" is not used.`, {
            hint: 'Use it where its value is written, or delete it.',
          })
  },
}
