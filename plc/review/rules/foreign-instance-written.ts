/** Rule `foreign-instance-written`. */
import { fb, ob } from '../examples.ts'
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
    for (const object of program.code)
      for (const { name, path, access, place, text } of object.uses) {
        if (access !== 'Write' || path.length === 0) continue
        const target = program.named(name)
        const type = target?.kind === 'InstanceDB' ? program.named(target.object.instanceOf ?? '') : undefined
        if (type?.kind !== 'FB' || type.name === object.name) continue
        const member = type.members('Static').find((one) => one.member.name.toLowerCase() === path[0]!.toLowerCase())
        if (member)
          report(object, place, `${text} belongs to the static data of "${type.name}".`, {
            hint: 'Give the function block an input or in-out for it.',
          })
      }
  },
}
