/** Rule `input-written`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const inputWritten: Rule = {
  code: 'input-written',
  group: 'data',
  severity: 'warning',
  title: 'A block writes its own input',
  why: 'The value that the caller supplied is lost, and in an instance the written one stays until the next call.',
  fails: fc('#x := #x + 1;\n  #n := #x;'),
  passes: fc('#n := #x + 1;'),
  check({ code }, report) {
    for (const object of code) {
      if (object.kind === 'OB') continue
      for (const { member } of object.members('Input'))
        for (const { access, place, isArgument } of object.locals.get(member.name.toLowerCase()) ?? [])
          if (access === 'Write' || (access === 'ReadWrite' && !isArgument)) {
            report(object, place, `The input ${member.name} is written.`, {
              hint: 'Use a temporary, or make it an in-out.',
            })
            break
          }
    }
  },
}
