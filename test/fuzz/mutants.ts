/** Changed copies of a text: what happens to files on their way, and what somebody does to them on purpose. */
import type { Random } from '../random.ts'
import { oneOf } from './values.ts'

const inserts = [
  '\u0000',
  '"',
  "'",
  '<',
  '&',
  '<!--',
  ']]>',
  '(*',
  '//',
  ';',
  ';;',
  '\r',
  '\n\n',
  '-1',
  '99999999999999999999',
  '../',
  '\uFEFF',
  '💥',
  '- ',
  ': ',
  '{',
  '[[',
  '%',
  '#',
  'NaN',
]

/** A copy with one to four changes. */
export function mutant(text: string, random: Random): string {
  let changed = text
  for (let n = 1 + Math.floor(random() * 4); n > 0; n--) {
    const at = Math.floor(random() * (changed.length + 1))
    const length = Math.floor(random() * Math.min(200, changed.length + 1))
    const kind = Math.floor(random() * 7)
    const [before, piece, after] = [changed.slice(0, at), changed.slice(at, at + length), changed.slice(at + length)]
    if (kind === 0) changed = before + after
    else if (kind === 1) changed = before + piece + piece + after
    else if (kind === 2) changed = before
    else if (kind === 3) changed = before + oneOf(random, inserts) + changed.slice(at)
    else if (kind === 4) changed = before + oneOf(random, inserts).repeat(300) + changed.slice(at)
    else if (kind === 5)
      changed = before + piece.replace(/\d+/g, () => String(Math.floor(random() * 1e6) - 5000)) + after
    else
      changed =
        before +
        piece.replace(/\w+/, () => /\w+/.exec(changed.slice(Math.floor(random() * changed.length)))?.[0] ?? 'x') +
        after
  }
  return changed
}
