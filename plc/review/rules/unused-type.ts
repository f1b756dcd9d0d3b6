/** Rule `unused-type`. */
import { fb } from '../examples.ts'
import type { Rule } from '../rule.ts'

const type = 'TYPE "typeDrive"\nSTRUCT\n  speed : Int;\nEND_STRUCT;\nEND_TYPE\n'

export const unusedType: Rule = {
  code: 'unused-type',
  group: 'data',
  severity: 'information',
  title: 'A PLC data type is not used',
  why: 'It is left over from a block that was deleted, or a block should use it and does not.',
  fails: type + fb('VAR\n  n : Int;\nEND_VAR', '#n := 1;'),
  passes: type + fb('VAR\n  drive : "typeDrive";\nEND_VAR', '#drive.speed := 1;'),
  check(program, report) {
    if (program.code.length === 0) return
    for (const object of program.objects)
      if (object.kind === 'UDT' && !program.isUsed(object.name))
        report(object, {}, `Nothing is declared with "${object.name}".`, { hint: 'Delete it, or use it.' })
  },
}
