/**
 * The results of the string instructions, as functions of texts: the reference for the tests of library/text-blocks.ts.
 * Rules: S7-1200 system manual, "String operation instructions" (tables 8-54 to 8-66).
 */

/** A result, and whether ENO stays TRUE. */
export interface TextResult {
  readonly text: string
  readonly isRight: boolean
}

const right = (text: string): TextResult => ({ text, isRight: true })
const wrong = (text: string): TextResult => ({ text, isRight: false })

export function left(text: string, length: number): TextResult {
  return length < 0 ? wrong('') : right(text.slice(0, length))
}

export function rightPart(text: string, length: number): TextResult {
  return length < 0 ? wrong('') : right(length === 0 ? '' : text.slice(-length))
}

/** `length` characters from `position` (from 1) on; to the end when there are fewer. */
export function middle(text: string, length: number, position: number): TextResult {
  if (length < 0 || position < 1 || position > text.length) return wrong('')
  return right(text.slice(position - 1, position - 1 + length))
}

export function remove(text: string, length: number, position: number): TextResult {
  if (length < 0 || position < 1) return wrong('')
  if (position > text.length) return wrong(text)
  const result = text.slice(0, position - 1) + text.slice(position - 1 + length)
  return position - 1 + length > text.length ? wrong(result) : right(result)
}

/** Inserts `other` after the character at `position`; 0: before the first one. */
export function insert(text: string, other: string, position: number): TextResult {
  if (position < 0) return wrong('')
  if (position > text.length) return wrong(text + other)
  return right(text.slice(0, position) + other + text.slice(position))
}

export function replace(text: string, other: string, length: number, position: number): TextResult {
  if (length < 0 || position < 1) return wrong('')
  if (position > text.length) return wrong(text + other)
  const result = text.slice(0, position - 1) + other + text.slice(position - 1 + length)
  return position - 1 + length > text.length ? wrong(result) : right(result)
}

/** Position from 1 of the first match; 0: none. */
export function find(text: string, other: string): number {
  return other === '' ? 0 : text.indexOf(other) + 1
}
