/** Rule `foreign-instance-written`. */
import { fb, ob } from '../examples.ts'
import { foreignStatics } from '../instances.ts'
import type { Rule } from '../rule.ts'

const motor = fb('VAR_INPUT\n  speed : Int;\nEND_VAR\nVAR\n  statLast : Int;\nEND_VAR', '#statLast := #speed;')
const instance = 'DATA_BLOCK "Motor_1"\n"Motor"\nBEGIN\nEND_DATA_BLOCK\n'

export const foreignInstanceWritten: Rule = {
  code: 'foreign-instance-written',
  group: 'structure',
  severity: 'warning',
  title: 'Static data of an instance are written from outside',
  why: 'Only the function block itself knows what its static data mean; a new version may have others. Inputs are there for this.',
  fails: motor + instance + ob('"Motor_1".statLast := 0;\n  "Motor_1"(speed := 1);'),
  passes: motor + instance + ob('"Motor_1"(speed := 1);'),
  check(program, report) {
    for (const { object, type, uses } of foreignStatics(program, 'Write')) {
      const [first] = uses
      const more = uses.length > 1 ? ` (and ${uses.length - 1} more)` : ''
      report(object, first!.place, `${first!.text}${more}: static data of "${type}".`, {
        hint: 'Give the function block an input or in-out for it.',
      })
    }
  },
}
