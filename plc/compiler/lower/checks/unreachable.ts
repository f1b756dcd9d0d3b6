/** Rule `unreachable`: statements after a jump or return in the same list, up to the next label. */

import type { BlockContext } from '../block-context.ts'
import type { SourceRange } from '../source-range.ts'

/** A statement as this rule sees it. */
export interface ListedStatement {
  /** Control never continues after it: RETURN, EXIT, CONTINUE, GOTO, BEU, JU. */
  readonly leaves: boolean
  /** A jump may lead here. */
  readonly isTarget: boolean
  /** It does nothing: an empty statement, NOP. */
  readonly isEmpty: boolean
  /** Its place in the source, and its name in messages. */
  readonly at: () => SourceRange
  readonly text: string
}

/** Reports the first statement of each part of the list that is never reached. */
export function checkUnreachable(context: BlockContext, statements: Iterable<ListedStatement>): void {
  let left: string | undefined
  for (const { leaves, isTarget, isEmpty, at, text } of statements) {
    if (isTarget) left = undefined
    if (left !== undefined && !isEmpty) {
      if (left !== '')
        context.report(
          'unreachable',
          at(),
          `This is never reached: ${left} stands before it.`,
          'Remove it, or make the jump depend on a condition.',
          'warning',
        )
      // Report only once up to the next label.
      left = ''
    } else if (leaves) left = text
  }
}
