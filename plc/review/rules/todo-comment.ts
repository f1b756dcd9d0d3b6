/** Rule `todo-comment`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { commentsOf } from '../texts.ts'

export const todoComment: Rule = {
  code: 'todo-comment',
  group: 'documentation',
  severity: 'information',
  title: 'A comment says that something is to be done',
  why: 'Work that was put off is found again before delivery.',
  fails: fc('#n := 1; // TODO: limit'),
  passes: fc('#n := 1; // the limit of the drive'),
  options: {
    words: { value: ['TODO', 'FIXME', 'XXX', 'HACK'], description: 'Words that are looked for, in capitals.' },
  },
  check({ code }, report, options) {
    const words = new RegExp(
      `\\b(${options
        .list('words')
        .map((word) => word.replace(/[^\p{L}\p{N}_]/gu, '\\$&'))
        .join('|')})\\b`,
    )
    for (const object of code)
      for (const { text, place } of commentsOf(object))
        if (words.test(text))
          report(object, place, text.replace(/\s+/g, ' ').trim().slice(0, 120), {
            hint: 'Do it, or make an issue of it.',
          })
  },
}
