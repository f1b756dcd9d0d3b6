/** Texts in memory: `String` with two lengths of a byte, `WString` with two of a word (docs/plc-semantics.md#texts). */

import { longestText } from '../library/text-limits.ts'
import type { RuntimeContext } from './context.ts'

/** The place and layout of a text. */
export interface TextPlace {
  readonly address: number
  readonly isWide: boolean
  /** Whether words are big-endian. */
  readonly isStandard: boolean
}

type Memory = Pick<RuntimeContext, 'view' | 'bytes'>

/** Returns the declared length; 0 when the bytes there are not the head of a text. */
export function maximumLength({ view }: Memory, { address, isWide, isStandard }: TextPlace): number {
  if (!isWide) return Math.min(view.getUint8(address), longestText.narrow)
  return Math.min(view.getUint16(address, !isStandard), longestText.wide)
}

/** Returns the number of characters in use, never more than declared. */
export function currentLength(memory: Memory, place: TextPlace): number {
  const { address, isWide, isStandard } = place
  const length = isWide ? memory.view.getUint16(address + 2, !isStandard) : memory.view.getUint8(address + 1)
  return Math.min(length, maximumLength(memory, place))
}

/** Returns the characters; each character of a `String` is one byte. */
export function readText(memory: Memory, place: TextPlace): string {
  const { address, isWide, isStandard } = place
  const length = currentLength(memory, place)
  let text = ''
  if (isWide) {
    for (let i = 0; i < length; i++)
      text += String.fromCharCode(memory.view.getUint16(address + 4 + 2 * i, !isStandard))
  } else for (let i = 0; i < length; i++) text += String.fromCharCode(memory.bytes[address + 2 + i] as number)
  return text
}

/** Writes the characters that fit; returns false when some do not. */
export function writeText(memory: Memory, place: TextPlace, text: string): boolean {
  const { address, isWide, isStandard } = place
  const { view } = memory
  const room = maximumLength(memory, place)
  const length = Math.min(room, text.length)
  if (isWide) {
    view.setUint16(address + 2, length, !isStandard)
    for (let i = 0; i < length; i++) view.setUint16(address + 4 + 2 * i, text.charCodeAt(i), !isStandard)
  } else {
    view.setUint8(address + 1, length)
    for (let i = 0; i < length; i++) view.setUint8(address + 2 + i, text.charCodeAt(i) & 0xff)
  }
  return length === text.length
}
