/** What the line of Gantry before a block of a source says of it. */

import type { TokenList } from '../../languages/scl/tokens.ts'
import type { ObjectAttribute } from '../../model/object.ts'
import { type EventLine, readEventLine } from './event-line.ts'
import { gantryLineBefore } from './gantry-line.ts'
import { type NetworkLine, readNetworkLine } from './scl-networks.ts'

export interface BlockLine {
  /** Of organization blocks only. */
  readonly event: EventLine | undefined
  readonly networks: NetworkLine
  /** Entries that say nothing about a block of its kind. */
  readonly unknown: readonly ObjectAttribute[]
  readonly token: number
}

/** Reads the line before the token `keyword`, which begins a block with code; other blocks have none. */
export function readBlockLine(tokens: TokenList, keyword: number, kind: string): BlockLine | undefined {
  if (kind === 'DB' || kind === 'UDT') return undefined
  const found = gantryLineBefore(tokens, keyword)
  if (found === undefined) return undefined
  const networks = readNetworkLine(found.entries)
  const event = kind === 'OB' ? readEventLine(networks.unknown) : undefined
  return { event, networks, unknown: event?.unknown ?? networks.unknown, token: found.token }
}

/** Says what of a line has no meaning before a block with the keyword `element`. */
export function unknownInLine(
  line: BlockLine | undefined,
  { start }: TokenList,
  element: string,
): { readonly offset: number; readonly message: string }[] {
  if (line === undefined) return []
  const block = element.toLowerCase().replace('_', ' ')
  const noun = /^[aeiou]/.test(block) ? `an ${block}` : `a ${block}`
  return line.unknown.map(({ name, value }) => ({
    offset: start[line.token] as number,
    message: `${name} := ${JSON.stringify(value)} says nothing about ${noun}`,
  }))
}
