/** Rule `block-comment-missing`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { hasText } from '../texts.ts'

export const blockCommentMissing: Rule = {
  code: 'block-comment-missing',
  group: 'documentation',
  severity: 'information',
  title: 'A block has neither title nor comment',
  why: 'Who calls the block has to read its code to learn what it does.',
  fails: fc('#n := 1;'),
  passes: fc('#n := 1;').replace('VAR_INPUT', 'TITLE = Conversion of the level\nVAR_INPUT'),
  check({ code }, report) {
    for (const object of code) {
      const { title, comment, text = '' } = object.object
      const [first = ''] = (object.scl[0]?.text ?? '').trimStart().split('\n')
      const isSaid =
        hasText(title) ||
        hasText(comment) ||
        /^(\/\/|\(\*|\/\*|REGION)/i.test(first) ||
        /^[^\n]*\n\s*(\/\/|\(\*)/.test(text)
      if (!isSaid)
        report(object, {}, `"${object.name}" has neither title nor comment.`, {
          hint: 'Say in a sentence what it does.',
        })
    }
  },
}
