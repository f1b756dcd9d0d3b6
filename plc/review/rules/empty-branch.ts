/** Rule `empty-branch`. */

import type { Statement } from '../../languages/scl/syntax.ts'
import { lastTrivia, TokenKind } from '../../languages/scl/tokens.ts'
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'
import type { SclCode } from '../scl-code.ts'

const isEmpty = (body: readonly Statement[]): boolean => body.every(({ kind }) => kind === 'empty')

export const emptyBranch: Rule = {
  code: 'empty-branch',
  group: 'logic',
  severity: 'information',
  title: 'A branch or loop is empty',
  why: 'Nothing happens under a condition that someone wrote: it was forgotten, or it should be said in a comment that nothing is to happen.',
  fails: fc('IF #a THEN\n    ;\n  END_IF;'),
  passes: fc('IF #a THEN\n    ; // The value of the last cycle stays.\n  END_IF;'),
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.statements) {
          const bodies =
            node.kind === 'if' || node.kind === 'case'
              ? node.branches.map(({ body, start, end }) => ({ body, start, end }))
              : node.kind === 'for' || node.kind === 'while' || node.kind === 'repeat'
                ? [node]
                : []
          for (const { body, start, end } of bodies)
            if (isEmpty(body) && !hasComment(scl, start, end))
              report(object, scl.placeOf({ start }), 'Nothing happens here.', {
                hint: 'Delete the branch, or say in a comment why nothing is to happen.',
              })
        }
  },
}

/** A comment inside or on the lines after the last token, before the next one. */
function hasComment(scl: SclCode, start: number, end: number): boolean {
  for (let i = start; i < scl.tokens.count; i++) {
    const kind = scl.kindAt(i)
    if (kind > TokenKind.NewLine && kind <= lastTrivia) return true
    if (i >= end && kind > lastTrivia) return false
  }
  return false
}
