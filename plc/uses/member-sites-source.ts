/** Finds the places in external sources that name a declared member. */

import { singleBlock } from '../edit/edit.ts'
import type { StoredDocument } from '../edit/stored-document.ts'
import { statementNetworkStarts } from '../formats/source/body.ts'
import { lex } from '../languages/scl/lexer.ts'
import { nameOf } from '../languages/scl/syntax.ts'
import { TokenKind as K, type TokenList } from '../languages/scl/tokens.ts'
import { LineIndex } from '../model/fault.ts'
import { Keyword } from '../model/keywords.ts'
import type { Container, MemberLookup, MemberTarget } from './member-lookup.ts'
import type { MemberSite } from './member-site.ts'
import { type NameSite, nameSites, significantTokens, siteOf } from './member-sites-text.ts'
import type { UsePlace } from './use.ts'

/**
 * Finds the places in the source of one block.
 * @throws FormatError when it cannot be read
 */
export function sourceSites(
  { text, culture, name }: StoredDocument,
  lookup: MemberLookup,
  target: MemberTarget,
  newName?: string,
): MemberSite[] {
  const written = newName ?? target.path.at(-1) ?? ''
  const { object, layout } = singleBlock(text, { culture })
  const tokens = lex(text)
  const significant = significantTokens(tokens)
  const within = ([start, end]: readonly [number, number]): number[] =>
    significant.filter((token) => (tokens.start[token] as number) >= start && (tokens.start[token] as number) < end)
  const isDataBlock = object.kind.endsWith('DB')
  const local = object.kind === 'InstanceDB' ? lookup.global(name) : lookup.local(name)
  const sites: MemberSite[] = []
  const isOwn = name.toUpperCase() === target.owner.toUpperCase()
  if (isOwn && target.path.length === 1)
    for (const { member, ...site } of declarationSites(tokens, within(layout.declarations), local, lookup, written))
      sites.push({ edits: [site], place: { member }, canReplace: true, isDeclared: false })
  if (layout.body === undefined) return sites
  const body = within(layout.body)
  if (isDataBlock) {
    for (const site of valueSites(tokens, body, local, lookup, written))
      sites.push({ edits: [site], place: { member: target.path.join('.') }, canReplace: true, isDeclared: true })
    return sites
  }
  const isStatementList = object.language === 'STL'
  const placeOf = isStatementList ? statementPlaces(tokens, layout.body) : codePlaces(text, layout.body[0])
  const scope = { lookup, local, newName: written, isStatementList, withPositional: newName === undefined }
  for (const site of nameSites(tokens, body, scope))
    sites.push({ edits: [site], place: placeOf(site.start), canReplace: true, isDeclared: false })
  return sites
}

type Places = (offset: number) => UsePlace

/** SCL is one network; its lines count from the first after BEGIN. */
function codePlaces(text: string, bodyStart: number): Places {
  const lines = new LineIndex(text)
  const start = bodyStart + (/^[ \t]*\r?\n/.exec(text.slice(bodyStart, bodyStart + 1000))?.[0].length ?? 0)
  const first = lines.at(start).line
  return (offset) => ({ network: 1, line: lines.at(offset).line - first + 1 })
}

function statementPlaces(tokens: TokenList, [from, to]: readonly [number, number]): Places {
  const lines = new LineIndex(tokens.text)
  const tokenAt = (offset: number) => {
    let token = 0
    while (token < tokens.count - 1 && (tokens.start[token] as number) < offset) token++
    return token
  }
  const starts = statementNetworkStarts(tokens, tokenAt(from), tokenAt(to))
  return (offset) => {
    const at = starts.findLastIndex((start) => start <= offset)
    if (at === -1) return { network: 1 }
    return { network: at + 1, line: lines.at(offset).line - lines.at(starts[at] as number).line + 1 }
  }
}

/** `view AT name`, and local constants in the limits of arrays and in start values. */
function declarationSites(
  tokens: TokenList,
  significant: readonly number[],
  local: Container | undefined,
  lookup: MemberLookup,
  newName: string,
): (NameSite & { readonly member: string })[] {
  const sites: (NameSite & { readonly member: string })[] = []
  /** The name being declared. */
  let member = ''
  let isType = false
  let isValue = false
  let brackets = 0
  for (const [n, token] of significant.entries()) {
    const kind = tokens.kind[token] as number
    const before = significant[n - 1]
    if (kind === K.Semicolon || tokens.keyword[token] === Keyword.STRUCT) {
      isType = false
      isValue = false
      brackets = 0
    } else if (kind === K.Colon) isType = true
    else if (kind === K.Assign) isValue = isType
    else if (kind === K.LeftBracket) brackets++
    else if (kind === K.RightBracket) brackets--
    const behind = significant[n + 1]
    if (!isType && behind !== undefined && (tokens.kind[behind] === K.Colon || tokens.keyword[behind] === Keyword.AT))
      member = nameOf(
        tokens,
        before !== undefined && tokens.keyword[before] === Keyword.AT ? (significant[n - 2] ?? token) : token,
      )
    const isName = kind === K.Identifier || kind === K.LocalName || (kind === K.QuotedName && !isType)
    if (!isName) continue
    const isOverlaid = before !== undefined && tokens.keyword[before] === Keyword.AT
    const isConstant = isType && (isValue || brackets > 0)
    if ((isOverlaid || isConstant) && lookup.step(local, nameOf(tokens, token)).isTarget)
      sites.push({ ...siteOf(tokens, token, newName, !isOverlaid), member })
  }
  return sites
}

/** The names before `:=` of the values of a data block. */
function valueSites(
  tokens: TokenList,
  significant: readonly number[],
  local: Container | undefined,
  lookup: MemberLookup,
  newName: string,
): NameSite[] {
  const sites: NameSite[] = []
  let container = local
  let isValue = false
  let brackets = 0
  for (const token of significant) {
    const kind = tokens.kind[token] as number
    if (kind === K.Semicolon) {
      container = local
      isValue = false
      brackets = 0
    } else if (kind === K.Assign) isValue = true
    else if (kind === K.LeftBracket) brackets++
    else if (kind === K.RightBracket) brackets--
    else if (!isValue && brackets === 0 && kind !== K.Dot) {
      const { isTarget, inner } = lookup.step(container, nameOf(tokens, token))
      if (isTarget) sites.push(siteOf(tokens, token, newName))
      container = inner
    }
  }
  return sites
}
