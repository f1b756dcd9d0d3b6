/** Faults in network expressions, with their place. */

import type { FormatFault, LineIndex } from '../../model/fault.ts'

/** Place of a fault that concerns the whole statement. */
export const wholeStatement = -1

/** A fault that ends the compilation of one statement. */
export class ExpressionFault extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** Makes a fault with line and column. */
export function faultAt(lines: LineIndex, at: number, message: string): FormatFault {
  return { code: 'source-syntax', message, offset: at, ...lines.at(at) }
}
