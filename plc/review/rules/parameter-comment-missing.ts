/** Rule `parameter-comment-missing`. */
import { fb } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { hasText } from '../texts.ts'

export const parameterCommentMissing: Rule = {
  code: 'parameter-comment-missing',
  group: 'documentation',
  severity: 'information',
  title: 'Parameters have no comments',
  why: 'Unit, range and meaning of a parameter are seen by callers only in its comment.',
  fails: fb('VAR_INPUT\n  speed : Int;\nEND_VAR'),
  passes: fb('VAR_INPUT\n  speed : Int; // 1/min, 0 to 3000\nEND_VAR'),
  check({ code }, report) {
    for (const object of code) {
      if (object.kind === 'OB') continue
      const all = object.members('Input', 'Output', 'InOut')
      const open = all.filter(({ member }) => !hasText(member.comment))
      const [first] = open
      if (!first) continue
      const names = open.slice(0, 5).map(({ member }) => member.name)
      report(
        object,
        { member: first.member.name },
        `${open.length} of ${all.length} parameters have no comment: ${names.join(', ')}${open.length > 5 ? ' …' : ''}.`,
        {
          hint: 'Say meaning, unit and range.',
        },
      )
    }
  },
}
