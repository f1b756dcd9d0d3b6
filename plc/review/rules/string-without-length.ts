/** Rule `string-without-length`. */
import { fb } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const stringWithoutLength: Rule = {
  code: 'string-without-length',
  group: 'data',
  severity: 'information',
  title: 'A string has no length',
  why: 'Without a length each String takes 256 bytes and each WString 512, and temporaries of this size fill the stack.',
  fails: fb('VAR\n  text : String;\nEND_VAR', "#text := 'a';"),
  passes: fb('VAR\n  text : String[40];\nEND_VAR', "#text := 'a';"),
  check({ objects }, report) {
    for (const object of objects) {
      if (object.kind === 'InstanceDB') continue
      for (const { member } of object.members('Static', 'Temp', 'None'))
        if (/^(Array\s*\[.*\]\s*of\s+)?W?String$/i.test(member.dataType))
          report(object, { member: member.name }, `${member.name} takes the greatest length.`, {
            hint: `Write ${member.dataType}[40], as long as the texts are.`,
          })
    }
  },
}
