/** Syntax faults of SCL statements that a client sends. */

import { parseScl } from '../languages/scl/parser.ts'
import { type FormatFault, LineIndex } from '../model/fault.ts'

/** Maximum number of reported faults of one text: one forgotten END_IF can make every following line a fault. */
const maxFaults = 50

/** Returns the syntax faults of statements with line and column in them; what their names mean is not checked. */
export function sclFaults(code: string, path: string): FormatFault[] {
  const { diagnostics } = parseScl(code)
  const lines = new LineIndex(code)
  return diagnostics.slice(0, maxFaults).map(({ message, start }) => ({
    code: 'source-syntax',
    message,
    ...lines.at(start),
    offset: start,
    path,
  }))
}
