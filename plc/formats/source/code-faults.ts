/**
 * Finds faults in the statements of SCL blocks in source text. Reading keeps such statements as they are; generating
 * blocks checks them.
 */

import { parseScl } from '../../languages/scl/parser.ts'
import { type FormatFault, LineIndex } from '../../model/fault.ts'
import type { SourceBlock } from './read.ts'

/** The most faults that are reported: one forgotten END_IF can make a fault of every following line. */
const maxFaults = 100

/**
 * Finds the syntax faults between BEGIN and the end of each SCL block, with their places in the whole text. The
 * compiler checks what the names mean. Faults of STL statements are already among those of reading.
 * @param text the file that `blocks` were read from
 */
export function codeFaults(text: string, blocks: readonly SourceBlock[]): FormatFault[] {
  const faults: FormatFault[] = []
  let lines: LineIndex | undefined
  for (const { object, layout, place, ahead } of blocks) {
    const own = object.text ?? ''
    if (object.language === 'SCL' && layout.body !== undefined) {
      const { diagnostics } = parseScl(own.slice(...layout.body))
      for (const diagnostic of diagnostics.slice(0, maxFaults - faults.length)) {
        const offset = place[0] - ahead + layout.body[0] + diagnostic.start
        lines ??= new LineIndex(text)
        faults.push({
          code: 'source-syntax',
          message: diagnostic.message,
          ...lines.at(offset),
          offset,
          path: object.name,
        })
      }
    }
  }
  return faults
}
