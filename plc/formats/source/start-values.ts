/** Reads start values assigned in the BEGIN part of a data block: `motor.list[3].speed := 1.5;`. */

import { TokenKind } from '../../languages/scl/tokens.ts'
import { unquoted } from '../../model/names.ts'
import type { Cursor } from './cursor.ts'
import { type MutableMember, readValue } from './declarations.ts'

/** An assignment: the names along the path, each with the indices after it. */
export interface AssignedPath {
  readonly steps: { readonly name: string; readonly indices: string[] }[]
}

/**
 * Reads assignments up to offset `end` and stores each value at its member. Paths into members whose type is declared
 * elsewhere (UDT, FB) cannot be placed; they stay in the block's text only.
 */
export function readStartValues(cursor: Cursor, end: number, members: readonly MutableMember[]): void {
  const names = new NameIndex()
  while (!cursor.atEnd && cursor.start < end) {
    if (cursor.accept(TokenKind.Semicolon)) continue
    const path = readPath(cursor)
    if (path === undefined || !cursor.accept(TokenKind.Assign)) {
      cursor.expected('an assignment "member := value;"')
      while (!cursor.atEnd && cursor.start < end && !cursor.accept(TokenKind.Semicolon)) cursor.next()
      continue
    }
    place(members, path, readValue(cursor), names)
    if (!cursor.accept(TokenKind.Semicolon) && cursor.start < end) cursor.expected('";" behind the value')
  }
}

/** Reads the left side of an assignment; `undefined` when it is not one. */
export function readPath(cursor: Cursor): AssignedPath | undefined {
  const steps: AssignedPath['steps'] = []
  let expectName = cursor.kind !== TokenKind.LeftBracket
  // The elements of an array DB have no name: `[3] := 5;`.
  if (!expectName) steps.push({ name: '', indices: [] })
  for (;;) {
    if (expectName) {
      const { kind, text } = cursor
      if (kind === TokenKind.LocalName) steps.push({ name: unquoted(text.slice(1)), indices: [] })
      else if (kind === TokenKind.Identifier || kind === TokenKind.Keyword || kind === TokenKind.QuotedName)
        steps.push({ name: unquoted(text), indices: [] })
      else return undefined
      cursor.next()
      expectName = false
    } else if (cursor.accept(TokenKind.Dot)) expectName = true
    else if (cursor.accept(TokenKind.LeftBracket)) {
      let index = ''
      while (!cursor.atEnd && cursor.kind !== TokenKind.RightBracket && cursor.kind !== TokenKind.Semicolon) {
        index += cursor.text
        cursor.next()
      }
      if (!cursor.accept(TokenKind.RightBracket)) return undefined
      steps.at(-1)?.indices.push(index)
    } else return { steps }
  }
}

/** Finds the member and sets its value; elements of arrays become subelements (`Path="1"`, nested `1;0`). */
function place(members: readonly MutableMember[], { steps }: AssignedPath, value: string, names: NameIndex): void {
  let level = members
  const indices: string[] = []
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] as AssignedPath['steps'][number]
    const member = step.name === '' ? level[0] : names.find(level, step.name)
    if (member === undefined) return
    indices.push(...step.indices)
    if (i < steps.length - 1) {
      level = member.members
      continue
    }
    if (indices.length === 0) member.startValue = value
    else {
      member.subelements ??= []
      member.subelements.push({ path: indices.join(';'), startValue: value })
    }
  }
}

/** Members by name, ignoring case; a map, because large data blocks assign thousands of values. */
class NameIndex {
  readonly #levels = new WeakMap<readonly MutableMember[], Map<string, MutableMember>>()

  find(level: readonly MutableMember[], name: string): MutableMember | undefined {
    let index = this.#levels.get(level)
    if (index === undefined) {
      index = new Map(level.map((member) => [member.name.toUpperCase(), member]))
      this.#levels.set(level, index)
    }
    return index.get(name.toUpperCase())
  }
}
