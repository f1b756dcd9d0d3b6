/** Rule `tag-comment-missing`. */
import { ob } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { hasText } from '../texts.ts'

export const tagCommentMissing: Rule = {
  code: 'tag-comment-missing',
  group: 'documentation',
  severity: 'information',
  title: 'Inputs and outputs have no comments',
  why: 'The comment of a tag leads from the program to the wiring diagram; the electrician has nothing else.',
  fails: { program: ob('"Motor" := "Start";'), tags: '"Start" Bool %I0.0 // start button\n"Motor" Bool %Q0.0' },
  passes: {
    program: ob('"Motor" := "Start";'),
    tags: '"Start" Bool %I0.0 // start button\n"Motor" Bool %Q0.0 // motor',
  },
  check({ tables }, report) {
    for (const table of tables) {
      const open = (table.object.tags ?? []).filter(
        ({ logicalAddress, comment }) => /^%[IQ]/.test(logicalAddress) && !hasText(comment),
      )
      const [first] = open
      if (!first) continue
      const names = open.slice(0, 5).map(({ name }) => `"${name}"`)
      report(
        table,
        { member: first.name },
        `${open.length} of ${table.object.tags!.length} tags have no comment: ${names.join(', ')}${open.length > 5 ? ' …' : ''}.`,
        {
          hint: 'Say what is wired there.',
        },
      )
    }
  },
}
