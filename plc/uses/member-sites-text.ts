/**
 * Finds the places in SCL and STL text that name a declared member. It works on tokens, so it also handles texts with
 * faults: a path is followed from its first name, and the parameters of a call are members of the called block.
 */

import { nameOf } from '../languages/scl/syntax.ts'
import { TokenKind as K, type TokenList, tokenText } from '../languages/scl/tokens.ts'
import { isPlainIdentifier, memberName } from '../model/names.ts'
import type { Container, MemberLookup } from './member-lookup.ts'

/** A name in a text, and the text that replaces it. */
export interface NameSite {
  readonly start: number
  readonly end: number
  readonly text: string
  /** A parameter that a call gives by its position; nothing is written there. */
  readonly isPositional?: true
}

export interface TextScope {
  readonly lookup: MemberLookup
  /** Where names without a path before them are looked up. */
  readonly local: Container | undefined
  readonly newName: string
  /** STL: bare words are instructions and labels, `CALL` opens a call. */
  readonly isStatementList?: boolean
  /** Also calls that give the member, or one behind it, by position: without the member they mean something else. */
  readonly withPositional?: boolean
}

/** Returns the numbers of the tokens that are not trivia. */
export function significantTokens(tokens: TokenList): number[] {
  const significant: number[] = []
  for (let i = 0; i < tokens.count - 1; i++) if ((tokens.kind[i] as number) > K.Pragma) significant.push(i)
  return significant
}

interface Frame {
  /** The members of the called block, or of the indexed array. */
  readonly container: Container | undefined
  readonly isCall: boolean
  /** Of a call: the first position whose argument depends on the member, and the position now. */
  dependsFrom?: number | undefined
  position: number
}

/**
 * Finds the places among tokens.
 * @param significant numbers of the tokens to look at
 */
export function nameSites(tokens: TokenList, significant: readonly number[], scope: TextScope): NameSite[] {
  const { lookup, local, newName, isStatementList = false, withPositional = false } = scope
  const sites: NameSite[] = []
  const stack: Frame[] = []
  /** The members that can follow the path so far, while it may continue. */
  let current: Container | undefined
  let isPath = false
  /** STL: the block that CALL names first. */
  let called: Container | undefined
  let isCalling = false

  const kindOf = (n: number): number =>
    n < significant.length ? (tokens.kind[significant[n] ?? -1] ?? K.EndOfFile) : K.EndOfFile
  const name = (container: Container | undefined, token: number): Container | undefined => {
    const step = lookup.step(container, nameOf(tokens, token))
    if (step.isTarget) sites.push(siteOf(tokens, token, newName, container === local))
    return step.inner
  }

  for (let n = 0; n < significant.length; n++) {
    const token = significant[n] as number
    const kind = kindOf(n)
    const before = kindOf(n - 1)
    const top = stack.at(-1)
    if (top?.isCall === true) positional(n, top)
    switch (kind) {
      case K.Dot:
      case K.Caret:
        continue
      case K.LeftBracket:
        stack.push({ container: isPath ? current : undefined, isCall: false, position: 0 })
        break
      case K.RightBracket:
        if (top !== undefined && !top.isCall) stack.pop()
        current = top?.isCall === false ? top.container : undefined
        isPath = current !== undefined
        continue
      case K.LeftParen: {
        const callee = isCalling && stack.length === 0 ? (called ?? current) : isPath ? current : undefined
        const dependsFrom = withPositional ? lookup.inputPosition(callee) : undefined
        stack.push({ container: callee, isCall: true, dependsFrom, position: 0 })
        break
      }
      case K.RightParen:
        while (stack.length > 0 && stack.pop()?.isCall === false);
        break
      case K.Comma:
        if (isCalling && stack.length === 0) called ??= current
        break
      case K.Semicolon:
        stack.length = 0
        isCalling = false
        called = undefined
        break
      case K.LocalName:
      case K.QuotedName:
      case K.Identifier:
      case K.Keyword: {
        if (before === K.Dot) {
          current = isPath ? name(current, token) : undefined
          continue
        }
        const behind = kindOf(n + 1)
        const isArgument =
          top?.isCall === true &&
          (before === K.LeftParen || before === K.Comma) &&
          (behind === K.Assign || behind === K.OutputAssign)
        if (isArgument) {
          name(top.container, token)
          break
        }
        if (isStatementList && kind !== K.LocalName && kind !== K.QuotedName) {
          const word = tokenText(tokens, token).toUpperCase()
          if (word === 'CALL' && stack.length === 0) isCalling = true
          else if (isCalling) {
            const number = /\d$/.test(word)
              ? word
              : `${word} ${behind === K.Integer ? tokenText(tokens, significant[n + 1] as number) : ''}`
            current = lookup.numbered(number)
            called ??= current
            continue
          }
          break
        }
        if (kind === K.Keyword) break
        current = root(kind, token)
        isPath = current !== undefined
        continue
      }
    }
    current = undefined
    isPath = false
  }
  return sites

  /** Sees an argument without name at the beginning of an argument; one place for each call. */
  function positional(n: number, call: Frame): void {
    const before = kindOf(n - 1)
    if (before !== K.LeftParen && before !== K.Comma) return
    if (before === K.Comma) call.position++
    const [kind, behind] = [kindOf(n), kindOf(n + 1)]
    if (kind === K.RightParen || behind === K.Assign || behind === K.OutputAssign) return
    if (call.dependsFrom === undefined || call.position < call.dependsFrom) return
    call.dependsFrom = undefined
    const token = significant[n] as number
    const [start, end] = [tokens.start[token] as number, tokens.start[token + 1] as number]
    sites.push({ start, end, text: tokens.text.slice(start, end), isPositional: true })
  }

  function root(kind: number, token: number): Container | undefined {
    const text = nameOf(tokens, token)
    if (kind === K.LocalName) return name(local, token)
    if (kind === K.Identifier && local?.members.some((member) => member.name.toUpperCase() === text.toUpperCase()))
      return name(local, token)
    return lookup.global(text)
  }
}

/**
 * Writes the new name in the form of the old one: unnecessary quotes stay.
 * @param isLocal a name without quotes and # belongs to the block: in quotes it would be one of the whole program
 */
export function siteOf(tokens: TokenList, token: number, newName: string, isLocal = false): NameSite {
  const start = tokens.start[token] as number
  const end = tokens.start[token + 1] as number
  const written = tokens.text.slice(start, end)
  return { start, end, text: writtenName(written, newName, isLocal && tokens.kind[token] === K.Identifier) }
}

function writtenName(written: string, newName: string, isBareLocal: boolean): string {
  const mark = written.startsWith('#') ? '#' : ''
  const quoted = `${mark}"${newName}"`
  if (written.charAt(mark.length) === '"' && !needsQuotes(written.slice(mark.length + 1, -1), mark)) return quoted
  if (needsQuotes(newName, mark)) return isBareLocal ? `#"${newName}"` : quoted
  return mark + newName
}

/** After # every word is a name; elsewhere reserved words need quotes. */
function needsQuotes(name: string, mark: string): boolean {
  return mark === '#' ? !isPlainIdentifier(name) : memberName(name) !== name
}
