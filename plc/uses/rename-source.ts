/**
 * Replaces a name of the whole program in the text of an external source: exactly the names, and nothing around them.
 * It works on tokens, so it also handles texts with faults.
 */

import { isStatementList as isStatementListBody } from '../formats/source/body.ts'
import { lex } from '../languages/scl/lexer.ts'
import { isStandardFunction } from '../languages/scl/standard-functions.ts'
import { nameOf } from '../languages/scl/syntax.ts'
import { TokenKind as K, type TokenList, tokenText } from '../languages/scl/tokens.ts'
import { Keyword } from '../model/keywords.ts'
import { isBuiltInType, memberName, quoted } from '../model/names.ts'

/** The part of a source that a token is in. */
type Region =
  /** Statements only: the text of a network. */
  | 'statements'
  | 'header'
  | 'declarations'
  /** After BEGIN of a code block. */
  | 'body'
  /** After BEGIN of a data block: `member := value;`. */
  | 'values'

interface Cursor {
  readonly tokens: TokenList
  readonly from: string
  readonly to: string
  /** Names that the block declares itself, in upper case. */
  readonly locals: ReadonlySet<string>
}

/**
 * Returns the source of one block with `from` (ignoring case) replaced by `to` wherever it is used; the block's own
 * name stays. When the block is the function `from` itself, `#from` is its result and is renamed too.
 */
export function renameInSource(text: string, from: string, to: string): string {
  return rename(text, from, to, 'header')
}

/**
 * Returns SCL statements with `from` replaced.
 * @param isResult the statements are those of the function `from`, which declares no such name: `#from` is its result
 */
export function renameInStatements(text: string, from: string, to: string, isResult = false): string {
  return rename(text, from, to, 'statements', isResult)
}

const declares = new Set([
  Keyword.VAR,
  Keyword.VAR_INPUT,
  Keyword.VAR_OUTPUT,
  Keyword.VAR_IN_OUT,
  Keyword.VAR_TEMP,
  Keyword.CONST,
  Keyword.STRUCT,
])
const opens = new Set([
  Keyword.FUNCTION,
  Keyword.FUNCTION_BLOCK,
  Keyword.ORGANIZATION_BLOCK,
  Keyword.DATA_BLOCK,
  Keyword.TYPE,
])
/** Tokens before a type, value or array limit; a member's name never follows them. */
const behindValue: ReadonlySet<number> = new Set([
  K.Assign,
  K.Range,
  K.LeftBracket,
  K.LeftParen,
  K.Plus,
  K.Minus,
  K.Star,
  K.Slash,
  K.Colon,
])

function rename(text: string, from: string, to: string, start: Region, isOwnResult = false): string {
  const tokens = lex(text)
  const significant: number[] = []
  for (let i = 0; i < tokens.count - 1; i++) if ((tokens.kind[i] as number) > K.Pragma) significant.push(i)
  const cursor: Cursor = {
    tokens,
    from: from.toUpperCase(),
    to,
    locals: start === 'statements' ? new Set() : declaredNames(tokens, significant),
  }
  const edits: { readonly token: number; readonly text: string }[] = []
  let region = start
  let isData = false
  let isStatementList = false
  let depth = 0
  /** In the header: number of the token that is the block's own name. */
  let own = -1
  /** `#from` is the result of the function that is renamed. */
  let isResult = isOwnResult
  /** In values: whether the token is after `:=`. */
  let isValue = false
  for (const [n, token] of significant.entries()) {
    const kind = tokens.kind[token] as number
    const keyword = tokens.keyword[token] as number
    if (kind === K.LeftParen || kind === K.LeftBracket) depth++
    else if (kind === K.RightParen || kind === K.RightBracket) depth = Math.max(0, depth - 1)
    if (kind === K.Semicolon) {
      isValue = false
      depth = 0
    } else if (kind === K.Assign) isValue = true
    if (keyword !== 0 && region !== 'statements') {
      if (opens.has(keyword) && region === 'header') {
        isData = keyword === Keyword.DATA_BLOCK
        own = significant[n + 1] ?? -1
        isResult =
          keyword === Keyword.FUNCTION &&
          own !== -1 &&
          nameOf(tokens, own).toUpperCase() === cursor.from &&
          !cursor.locals.has(cursor.from)
      } else if (declares.has(keyword) && (region === 'header' || region === 'declarations')) region = 'declarations'
      else if (keyword === Keyword.BEGIN) {
        region = isData ? 'values' : 'body'
        isStatementList = isStatementListBody(tokens, token + 1, tokens.count)
        depth = 0
      }
    }
    if (isResult && kind === K.LocalName && nameOf(tokens, token).toUpperCase() === cursor.from)
      edits.push({ token, text: `#${memberName(to)}` })
    if (kind === K.Identifier && tokenText(tokens, token) === '_') edits.push(...wholeNameEdits(cursor, significant, n))
    if (token === own || !mayBeName(kind)) continue
    const before = kindAt(tokens, significant[n - 1])
    const behind = kindAt(tokens, significant[n + 1])
    const place = { region, before, behind, depth, isValue, isStatementList }
    const isTyped =
      before === K.Colon ||
      tokens.keyword[significant[n - 1] ?? -1] === Keyword.OF ||
      tokens.keyword[significant[n - 1] ?? -1] === Keyword.REF_TO
    // AUTHOR : name; only a function has its type after a colon, directly after its name.
    const isHeaderEntry =
      region === 'header' && (before === K.Equal || (before === K.Colon && significant[n - 2] !== own))
    if (isHeaderEntry) continue
    if (before === K.Dot && region !== 'statements' && isNamespacedType(cursor, significant, n)) {
      edits.push({ token, text: memberName(to) })
      continue
    }
    const replaced = replacement(cursor, token, kind, place, isTyped)
    if (replaced !== undefined) edits.push({ token, text: replaced })
  }
  let result = ''
  let at = 0
  for (const edit of edits) {
    result += text.slice(at, tokens.start[edit.token]) + edit.text
    at = tokens.start[edit.token + 1] as number
  }
  return result + text.slice(at)
}

/**
 * Edits that rename `_.ns.Name` from token `n` on, when the name after the root is the wanted one; members may follow.
 */
function wholeNameEdits({ tokens, from, to }: Cursor, significant: readonly number[], n: number) {
  const most = from.split('.').length
  let name = ''
  for (let at = n + 2; at <= n + 2 * most; at += 2) {
    const token = significant[at]
    if (kindAt(tokens, significant[at - 1]) !== K.Dot || token === undefined || !mayBeName(kindAt(tokens, token))) break
    name += `${name === '' ? '' : '.'}${nameOf(tokens, token).toUpperCase()}`
    if (name !== from) continue
    const [first, ...rest] = significant.slice(n + 2, at + 1)
    const text = to.split('.').map(memberName).join('.')
    return [{ token: first as number, text }, ...rest.map((one) => ({ token: one, text: '' }))]
  }
  return []
}

/** Whether token `n` is the wanted name at the end of a type with its namespace: `: hall.Motor`, `OF _.hall.Motor`. */
function isNamespacedType({ tokens, from }: Cursor, significant: readonly number[], n: number): boolean {
  const textAt = (at: number) => tokenText(tokens, significant[at] ?? tokens.count - 1)
  if (nameOf(tokens, significant[n] as number).toUpperCase() !== from) return false
  // `_.Motor` is found by its root.
  if (textAt(n - 2) === '_' || kindAt(tokens, significant[n + 1]) === K.Dot) return false
  let first = n
  while (kindAt(tokens, significant[first - 1]) === K.Dot) first -= 2
  const word = tokens.keyword[significant[first - 1] ?? -1]
  return kindAt(tokens, significant[first - 1]) === K.Colon || word === Keyword.OF || word === Keyword.REF_TO
}

function mayBeName(kind: number): boolean {
  return kind === K.QuotedName || kind === K.Identifier || kind === K.TypedLiteral
}

function kindAt(tokens: TokenList, token: number | undefined): number {
  return token === undefined ? K.EndOfFile : (tokens.kind[token] as number)
}

interface Place {
  readonly region: Region
  readonly before: number
  readonly behind: number
  readonly depth: number
  readonly isValue: boolean
  readonly isStatementList: boolean
}

function replacement(
  { tokens, from, to, locals }: Cursor,
  token: number,
  kind: number,
  place: Place,
  isTyped: boolean,
): string | undefined {
  if (kind === K.TypedLiteral) {
    // "colour"#RED
    const text = tokenText(tokens, token)
    const hash = text.lastIndexOf('#')
    const type = text.startsWith('"') ? text.slice(1, hash - 1) : text.slice(0, hash)
    return type.toUpperCase() === from && (text.startsWith('"') || place.before === K.Dot)
      ? `${text.startsWith('"') ? quoted(to) : to}${text.slice(hash)}`
      : undefined
  }
  const name = nameOf(tokens, token)
  if (name.toUpperCase() !== from) return undefined
  // `_.ns.Name` is the only name of the program that follows a dot.
  if (place.before === K.Dot) return undefined
  const isBare = kind === K.Identifier
  if (isBare && (place.isStatementList || (!isTyped && locals.has(from)))) return undefined
  switch (place.region) {
    case 'header':
      // A data block names its type on a line of its own.
      return isBare && (place.behind === K.Colon || place.behind === K.Equal) ? undefined : quoted(to)
    case 'declarations':
      if (isBare && isBuiltInType(name)) return undefined
      return isTyped || behindValue.has(place.before) || (place.before === K.Comma && place.depth > 0)
        ? quoted(to)
        : undefined
    case 'values':
      return place.isValue ? quoted(to) : undefined
    default: {
      const isParameter =
        place.depth > 0 &&
        (place.before === K.LeftParen || place.before === K.Comma) &&
        (place.behind === K.Assign || place.behind === K.OutputAssign)
      if (isParameter) return undefined
      // Jump labels and built-in functions have the same form as bare names.
      if (isBare && (place.behind === K.Colon || (place.behind === K.LeftParen && isStandardFunction(name))))
        return undefined
      return quoted(to)
    }
  }
}

/** Names before `:` and `,` in declarations, in upper case. */
function declaredNames(tokens: TokenList, significant: readonly number[]): Set<string> {
  const names = new Set<string>()
  let depth = 0
  let inside = false
  for (const [n, token] of significant.entries()) {
    const keyword = tokens.keyword[token] as number
    if (declares.has(keyword)) inside = true
    else if (keyword === Keyword.BEGIN) break
    const kind = tokens.kind[token] as number
    if (kind === K.LeftBracket || kind === K.LeftParen) depth++
    else if (kind === K.RightBracket || kind === K.RightParen) depth--
    if (!inside || depth > 0 || (kind !== K.Identifier && kind !== K.QuotedName)) continue
    const behind = kindAt(tokens, significant[n + 1])
    if (behind === K.Colon || behind === K.Comma) names.add(nameOf(tokens, token).toUpperCase())
  }
  return names
}
