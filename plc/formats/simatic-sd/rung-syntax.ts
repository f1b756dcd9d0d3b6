/** Parses the text between NETWORK and END_NETWORK of a LAD or FBD network, before the model is made. */

import { defined } from '../../../lib/optional.ts'
import { TokenKind, type TokenKindValue } from '../../languages/scl/tokens.ts'
import { unquoted } from '../../model/names.ts'
import type { ObjectAttribute } from '../../model/object.ts'
import type { Operand } from '../../model/operand.ts'
import { parseOperand } from '../../model/operand-reader.ts'
import type { Cursor } from '../source/cursor.ts'
import { parsePragma } from '../source/pragma.ts'

export type Value =
  /** The name after `wire#`. */
  | { readonly kind: 'wire'; readonly name: string }
  | { readonly kind: 'operand'; readonly operand: Operand }
  /** Nothing is connected. */
  | { readonly kind: 'open' }

export interface Argument {
  /** Absent for the only operand of a contact or coil. */
  readonly name?: string
  readonly arrow: boolean
  readonly isNegated: boolean
  readonly value: Value
  readonly at: number
}

export interface Element {
  readonly kind: 'element'
  readonly at: number
  /** Name of an instruction; absent for a call through an operand. */
  readonly name?: string
  /** `"Block"`, `#instance`, `#timer.TON`: the text before the parentheses. */
  readonly target?: Operand
  readonly pragma: readonly ObjectAttribute[]
  /** `NOT` precedes it: its first input is negated. */
  readonly isNegated: boolean
  readonly arguments: readonly Argument[]
}

export interface WirePoint {
  readonly kind: 'wire'
  readonly name: string
  readonly at: number
}

export interface Rung {
  readonly at: number
  /** What the rung begins with: `wire#powerrail`, a wire, an operand (FBD) or nothing. */
  readonly start: Value
  readonly isStartNegated: boolean
  readonly items: readonly (Element | WirePoint)[]
  /** The wire it ends in. */
  readonly end?: { readonly name: string; readonly at: number }
}

export interface RungNetwork {
  readonly labels: readonly { readonly name: string; readonly at: number }[]
  readonly rungs: readonly Rung[]
}

/**
 * Reads labels and rungs up to END_NETWORK (not consumed) or up to what cannot belong to the network. Faults go to the
 * cursor.
 */
export function readRungs(cursor: Cursor): RungNetwork {
  const labels: { name: string; at: number }[] = []
  const rungs: Rung[] = []
  while (!endsNetwork(cursor)) {
    if (cursor.isWord('RUNG')) rungs.push(readRung(cursor))
    else if (cursor.isWord('LABEL') && cursor.peek() === TokenKind.LeftParen) {
      const at = cursor.start
      cursor.next()
      cursor.next()
      const name = nameHere(cursor)
      if (name !== undefined) labels.push({ name, at })
      if (!cursor.accept(TokenKind.RightParen)) cursor.expected('")" behind the name of the label')
    } else {
      cursor.expected('RUNG, Label( … ) or END_NETWORK')
      skipToRung(cursor)
    }
  }
  return { labels, rungs }
}

/** Whether the word ends a network whatever is open: without END_NETWORK something is missing before it. */
export function endsNetwork(cursor: Cursor): boolean {
  if (cursor.atEnd) return true
  if (cursor.kind !== TokenKind.Identifier && cursor.kind !== TokenKind.Keyword) return false
  // A parameter may be named Type or Function.
  const next = cursor.peek()
  if (next === TokenKind.Assign || next === TokenKind.OutputAssign) return false
  return /^(END_)?(NETWORK|FUNCTION|FUNCTION_BLOCK|ORGANIZATION_BLOCK|DATA_BLOCK|TYPE)$/i.test(cursor.text)
}

function skipToRung(cursor: Cursor): void {
  while (!endsNetwork(cursor) && !cursor.isWord('RUNG')) {
    const isEnd = cursor.isWord('END_RUNG')
    cursor.next()
    if (isEnd) {
      if (wireName(cursor) !== undefined) cursor.next()
      return
    }
  }
}

function readRung(cursor: Cursor): Rung {
  const at = cursor.start
  cursor.next()
  const items: (Element | WirePoint)[] = []
  const isStartNegated = cursor.isWord('NOT') && startsOperand(cursor.peek()) && accept(cursor)
  const begin = readStart(cursor, isStartNegated)
  if (begin.element !== undefined) items.push(begin.element)
  while (!endsNetwork(cursor) && !cursor.isWord('RUNG')) {
    if (cursor.isWord('END_RUNG')) {
      cursor.next()
      const name = wireName(cursor)
      const end = name === undefined ? undefined : { name, at: cursor.start }
      if (end !== undefined) cursor.next()
      return { at, start: begin.value, isStartNegated, items, ...defined({ end }) }
    }
    const wire = wireName(cursor)
    if (wire !== undefined) {
      items.push({ kind: 'wire', name: wire, at: cursor.start })
      cursor.next()
      continue
    }
    const element = readElement(cursor)
    if (element === undefined) {
      skipToRung(cursor)
      return { at, start: begin.value, isStartNegated, items }
    }
    items.push(element)
  }
  cursor.expected('END_RUNG')
  return { at, start: begin.value, isStartNegated, items }
}

function accept(cursor: Cursor): boolean {
  cursor.next()
  return true
}

function startsOperand(kind: TokenKindValue): boolean {
  return kind === TokenKind.LocalName || kind === TokenKind.QuotedName || kind === TokenKind.Address
}

/** Reads what a rung begins with. `#x` alone is its first operand, `#x( … )` its first element. */
function readStart(cursor: Cursor, isNegated: boolean): { value: Value; element?: Element } {
  const wire = wireName(cursor)
  if (wire !== undefined) {
    cursor.next()
    return { value: { kind: 'wire', name: wire } }
  }
  if (!isNegated && !startsOperand(cursor.kind) && !startsLiteral(cursor)) return { value: { kind: 'open' } }
  const at = cursor.start
  const operand = readOperand(cursor)
  if (operand === undefined) return { value: { kind: 'open' } }
  if (opensArguments(cursor))
    return { value: { kind: 'open' }, element: readCall(cursor, { at, target: operand, pragma: [], isNegated }) }
  return { value: { kind: 'operand', operand } }
}

function startsLiteral(cursor: Cursor): boolean {
  const { kind } = cursor
  if (kind === TokenKind.Integer || kind === TokenKind.Real || kind === TokenKind.TypedLiteral) return true
  return cursor.isWord('TRUE') || cursor.isWord('FALSE')
}

/** `wire#w1` -> `w1`. */
function wireName(cursor: Cursor): string | undefined {
  if (cursor.kind !== TokenKind.TypedLiteral) return undefined
  return /^wire#(\S+)$/i.exec(cursor.text)?.[1]
}

function opensArguments(cursor: Cursor): boolean {
  return (
    cursor.kind === TokenKind.LeftParen || (cursor.kind === TokenKind.Pragma && cursor.peek() === TokenKind.LeftParen)
  )
}

/** Reads `{ … } NOT Name( … )`; reports a fault when there is none. */
function readElement(cursor: Cursor): Element | undefined {
  const at = cursor.start
  const pragma: ObjectAttribute[] = []
  let isNegated = false
  for (;;) {
    if (cursor.kind === TokenKind.Pragma) pragma.push(...readPragma(cursor))
    else if (cursor.isWord('NOT') && cursor.peek() !== TokenKind.LeftParen) {
      isNegated = !isNegated
      cursor.next()
    } else break
  }
  if (startsOperand(cursor.kind)) {
    const target = readOperand(cursor)
    if (target !== undefined && opensArguments(cursor)) return readCall(cursor, { at, target, pragma, isNegated })
    if (target !== undefined) cursor.expected('"(" and the parameters of the call')
    return undefined
  }
  const name = cursor.kind === TokenKind.Identifier || cursor.kind === TokenKind.Keyword ? readName(cursor) : undefined
  if (name === undefined) {
    cursor.expected('an instruction, a call, a wire or END_RUNG')
    return undefined
  }
  if (!opensArguments(cursor)) {
    cursor.expected(`"(" behind ${name}`)
    return undefined
  }
  return readCall(cursor, { at, name, pragma, isNegated })
}

/** Reads a name, or the older forms `CMP >=` and `CMP ==`. */
function readName(cursor: Cursor): string {
  let name = cursor.text
  const isComparison = cursor.isWord('CMP')
  cursor.next()
  if (!isComparison) return name
  name += ' '
  for (let i = 0; i < 2 && !isAt(cursor, TokenKind.LeftParen) && !endsArguments(cursor); i++) {
    name += cursor.text
    cursor.next()
  }
  return name
}

function readPragma(cursor: Cursor): ObjectAttribute[] {
  const entries = parsePragma(cursor.text)
  cursor.next()
  return entries
}

function readCall(cursor: Cursor, head: Omit<Element, 'kind' | 'arguments'>): Element {
  const pragma = [...head.pragma]
  while (cursor.kind === TokenKind.Pragma) pragma.push(...readPragma(cursor))
  cursor.next()
  const list: Argument[] = []
  while (!cursor.accept(TokenKind.RightParen)) {
    if (endsNetwork(cursor) || cursor.isWord('END_RUNG')) {
      cursor.expected('")" behind the parameters')
      break
    }
    const before = cursor.index
    list.push(readArgument(cursor))
    if (!isAt(cursor, TokenKind.RightParen) && !cursor.accept(TokenKind.Comma)) {
      cursor.expected('"," or ")" behind the parameter')
      while (!isAt(cursor, TokenKind.RightParen) && !isAt(cursor, TokenKind.Comma) && !endsArguments(cursor))
        cursor.next()
      cursor.accept(TokenKind.Comma)
      if (cursor.index === before) cursor.next()
    }
  }
  return { ...head, kind: 'element', pragma, arguments: list }
}

/** A function, because TypeScript would narrow `cursor.kind`, which changes as the cursor moves. */
export function isAt(cursor: Cursor, kind: TokenKindValue): boolean {
  return cursor.kind === kind
}

function endsArguments(cursor: Cursor): boolean {
  return endsNetwork(cursor) || cursor.isWord('END_RUNG') || cursor.isWord('RUNG')
}

function readArgument(cursor: Cursor): Argument {
  const at = cursor.start
  const next = cursor.peek()
  let name: string | undefined
  let arrow = false
  if (next === TokenKind.Assign || next === TokenKind.OutputAssign) {
    name = unquoted(cursor.text)
    cursor.next()
    arrow = cursor.kind === TokenKind.OutputAssign
    cursor.next()
  }
  let isNegated = false
  while (cursor.isWord('NOT')) {
    isNegated = !isNegated
    cursor.next()
  }
  return { ...defined({ name }), arrow, isNegated, value: readValue(cursor), at }
}

function readValue(cursor: Cursor): Value {
  if (cursor.kind === TokenKind.Comma || cursor.kind === TokenKind.RightParen) return { kind: 'open' }
  const wire = wireName(cursor)
  if (wire !== undefined) {
    cursor.next()
    return { kind: 'wire', name: wire }
  }
  const operand = readOperand(cursor)
  return operand === undefined ? { kind: 'open' } : { kind: 'operand', operand }
}

/** Reads the operand at the cursor; faults are reported. */
function readOperand(cursor: Cursor): Operand | undefined {
  const start = cursor.start
  let end = start
  let depth = 0
  for (let first = true; !cursor.atEnd; first = false) {
    const { kind } = cursor
    if (kind === TokenKind.LeftBracket) depth++
    else if (kind === TokenKind.RightBracket) depth--
    else if (depth === 0 && !first && !continuesOperand(cursor, end)) break
    else if (depth === 0 && first && !beginsOperand(cursor)) break
    else if (depth > 0 && endsArguments(cursor)) break
    end = cursor.end
    cursor.next()
    if (depth < 0) break
  }
  const text = cursor.tokens.text.slice(start, end)
  const operand = end === start ? undefined : parseOperand(text)
  if (operand !== undefined) return operand
  if (end === start) cursor.expected('an operand: #local, "global", an address, a literal or a wire')
  else
    cursor.fault(
      `${JSON.stringify(text)} is no operand; allowed: #local, "global".member, %address, a literal`,
      'source-syntax',
      start,
    )
  return undefined
}

function beginsOperand(cursor: Cursor): boolean {
  const { kind } = cursor
  return (
    startsOperand(kind) ||
    kind === TokenKind.Identifier ||
    kind === TokenKind.Keyword ||
    kind === TokenKind.Integer ||
    kind === TokenKind.Real ||
    kind === TokenKind.TypedLiteral ||
    kind === TokenKind.String ||
    kind === TokenKind.Minus ||
    kind === TokenKind.Plus
  )
}

/** Whether the token continues the operand before it: a dot, a bracket, or what follows a dot or a sign. */
function continuesOperand(cursor: Cursor, end: number): boolean {
  const { kind } = cursor
  if (kind === TokenKind.Dot || kind === TokenKind.Slice || kind === TokenKind.Periphery) return true
  const before = cursor.tokens.text[end - 1]
  if (before === '.' || before === '-' || before === '+') return beginsOperand(cursor)
  return false
}

function nameHere(cursor: Cursor): string | undefined {
  const { kind, text } = cursor
  if (kind === TokenKind.RightParen) return ''
  if (kind !== TokenKind.Identifier && kind !== TokenKind.Keyword && kind !== TokenKind.QuotedName) {
    cursor.expected('the name of a label')
    return undefined
  }
  cursor.next()
  return unquoted(text)
}
