/** Rule `foreign-instance-read`. */
import { fb, ob } from '../examples.ts'
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
    for (const object of program.code)
      for (const { name, path, access, place, text } of object.uses) {
        if (access !== 'Read' || path.length === 0) continue
        const target = program.named(name)
        const type = target?.kind === 'InstanceDB' ? program.named(target.object.instanceOf ?? '') : undefined
        if (type?.kind !== 'FB' || type.name === object.name) continue
        const member = type.members('Static').find((one) => one.member.name.toLowerCase() === path[0]!.toLowerCase())
        if (member)
          report(object, place, `${text} belongs to the static data of "${type.name}".`, {
            hint: 'Give the function block an output for it.',
          })
      }
  },
}
