/** Rule `foreign-instance-read`. */
import { fb, ob } from '../examples.ts'
import { foreignStatics } from '../instances.ts'
import type { Rule } from '../rule.ts'

const motor = fb(
  'VAR_OUTPUT\n  speed : Int;\nEND_VAR\nVAR\n  statLast : Int;\nEND_VAR',
  '#statLast := #statLast + 1;\n  #speed := #statLast;',
)
const instance = 'DATA_BLOCK "Motor_1"\n"Motor"\nBEGIN\nEND_DATA_BLOCK\n'
const temp = 'VAR_TEMP\n  n : Int;\nEND_VAR'

export const foreignInstanceRead: Rule = {
  code: 'foreign-instance-read',
  group: 'structure',
  severity: 'information',
  title: 'Static data of an instance are read from outside',
  why: 'Only outputs are promised to stay; a new version of the function block may have other static data.',
  fails: motor + instance + ob('"Motor_1"();\n  #n := "Motor_1".statLast;', temp),
  passes: motor + instance + ob('"Motor_1"();\n  #n := "Motor_1".speed;', temp),
  check(program, report) {
    for (const { object, type, uses } of foreignStatics(program, 'Read')) {
      const [first] = uses
      const more = uses.length > 1 ? ` (and ${uses.length - 1} more)` : ''
      report(object, first!.place, `${first!.text}${more}: static data of "${type}".`, {
        hint: 'Give the function block an output for it.',
      })
    }
  },
}
