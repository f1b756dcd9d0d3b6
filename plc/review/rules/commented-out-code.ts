/** Rule `commented-out-code`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { commentsOf } from '../texts.ts'

/** A whole assignment, call or keyword with what ends it. */
const statement =
  /(^|\n)\s*("[^"\n]+"|#?[\p{L}_][\p{L}\p{N}_]*|%[IQM]\S+)([.[][^\n;:]*)?\s*:=[^\n;]+;\s*($|\n|\/\/)|(^|\n)\s*(END_IF|END_FOR|END_CASE|END_WHILE)\s*;/u

export const commentedOutCode: Rule = {
  code: 'commented-out-code',
  group: 'documentation',
  severity: 'information',
  title: 'Code is commented out',
  why: 'Nobody knows whether it is wanted again. The version control keeps what was.',
  fails: fc('#n := 1;\n  // #n := #x + 1;'),
  passes: fc('#n := 1;\n  // n counts from 1'),
  check({ code }, report) {
    for (const object of code) {
      let last: { network?: number; line?: number } = {}
      for (const { text, place } of commentsOf(object)) {
        const found = statement.exec(text)?.[0].trim()
        if (found === undefined) continue
        // Lines that follow each other are one piece.
        const isNext = place.network === last.network && place.line === (last.line ?? -9) + 1
        last = place
        if (!isNext)
          report(object, place, `This looks like code: ${found.split('\n')[0]!.slice(0, 80)}`, {
            hint: 'Delete it.',
          })
      }
    }
  },
}
