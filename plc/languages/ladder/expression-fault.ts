/** Faults in network expressions, with their place. */

import type { FormatFault, LineIndex } from '../../model/fault.ts'

/** Place of a fault that concerns the statement and no certain part of it. */
export const WHOLE_STATEMENT = -1

/** What stops one statement. */
export class ExpressionFault extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** A fault with its place. */
export function faultAt(lines: LineIndex, at: number, message: string): FormatFault {
  return { code: 'source-syntax', message, offset: at, ...lines.at(at) }
}
