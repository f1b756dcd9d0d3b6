/**
 * SCL networks in sources. A source has one body in SCL and no networks; the line of Gantry says the rest, so that a
 * block comes back as it was: before the block its language and the title and comment of its one network, in the body
 * where each of several networks begins (docs/formats.md#external-sources).
 */

import { lex } from '../../languages/scl/lexer.ts'
import { TokenKind, tokenText } from '../../languages/scl/tokens.ts'
import { anyText } from '../../model/multilingual-text.ts'
import type { ImportedObject, Network, ObjectAttribute } from '../../model/object.ts'
import { regionOfCode } from './body.ts'
import { opensLine } from './cursor.ts'
import { textIn } from './declarations.ts'
import { entriesOfLine, gantryLine, valueOfLine } from './gantry-line.ts'

const titleName = 'NetworkTitle'
const commentName = 'NetworkComment'
const languageName = 'Language'

/** Languages of blocks that can have SCL networks beside others. */
const networkLanguages: readonly string[] = ['LAD', 'FBD', 'F_LAD', 'F_FBD']

/** What the line before a block says of its networks. Entries that say nothing about them are in `unknown`. */
export interface NetworkLine {
  readonly language?: string
  readonly title: string
  readonly comment: string
  readonly unknown: readonly ObjectAttribute[]
}

/** Reads what the entries of the line before a block say of its networks. */
export function readNetworkLine(entries: readonly ObjectAttribute[]): NetworkLine {
  const language = valueOfLine(entries, languageName)?.toUpperCase()
  const isLanguage = language !== undefined && networkLanguages.includes(language)
  const known = [...(isLanguage ? [languageName] : []), titleName, commentName].map((name) => name.toLowerCase())
  return {
    ...(isLanguage ? { language } : {}),
    title: valueOfLine(entries, titleName) ?? '',
    comment: valueOfLine(entries, commentName) ?? '',
    unknown: entries.filter(({ name }) => !known.includes(name.toLowerCase())),
  }
}

/** Returns what the line before a block in SCL text has to say of its networks; nothing for most blocks. */
export function networkEntries({
  language,
  networks,
}: Pick<ImportedObject, 'language' | 'networks'>): ObjectAttribute[] {
  const own = networkLanguages.includes(language) ? [{ name: languageName, value: language }] : []
  const [only] = networks
  return only === undefined || areMarked({ language, networks }) ? own : [...own, ...textsOf(only)]
}

function textsOf({ title, comment }: Network): ObjectAttribute[] {
  return [
    { name: titleName, value: anyText(title) },
    { name: commentName, value: anyText(comment) },
  ].filter(({ value }) => value !== '')
}

/**
 * Whether a block of a source is more than one body in SCL or networks in STL: its lines show it. It is stored as
 * SimaticML, in which its networks can be worked on.
 */
export function isMoreThanSource({ kind, language, networks }: ImportedObject): boolean {
  if (kind !== 'OB' && kind !== 'FB' && kind !== 'FC') return false
  return language !== 'STL' && (language !== 'SCL' || networks.length > 1)
}

/** Whether a line marks the beginning of each network: where there are several, or might be none. */
function areMarked({ language, networks }: Pick<ImportedObject, 'language' | 'networks'>): boolean {
  return networks.length > 1 || language !== 'SCL'
}

/** Returns the statements of a body in SCL. Of several networks each is a region of its title behind its line. */
export function codeOfNetworks(object: Pick<ImportedObject, 'language' | 'networks'>): string {
  const { networks } = object
  if (!areMarked(object)) return networks[0]?.text ?? ''
  return networks
    .map((network) => {
      const texts = textsOf(network)
      const line = gantryLine(texts.length === 0 ? [{ name: titleName, value: '' }] : texts)
      return `${line}\n${regionOfNetwork(anyText(network.title), anyText(network.comment), network.text ?? '')}`
    })
    .join('\n')
}

/** The region begins with the comment of the network. */
function regionOfNetwork(title: string, comment: string, text: string): string {
  const lines = comment === '' || title.trim() === '' ? '' : comment.replace(/^/gm, '// ').concat('\n')
  return regionOfCode(title, `${lines}${text}`)
}

/**
 * Returns the networks of a body in SCL: the inverse of `codeOfNetworks`, and one network for a body without lines of
 * Gantry. `line` is what the line before the block says.
 */
export function networksOfCode(code: string, line: NetworkLine | undefined, culture: string): Network[] {
  const base = { language: 'SCL', parts: [] }
  const marks = /gantry/i.test(code) ? marksIn(code) : []
  const [first] = marks
  if (first === undefined) {
    if (line?.language !== undefined && code.trim() === '') return []
    const texts = { title: textIn(culture, line?.title ?? ''), comment: textIn(culture, line?.comment ?? '') }
    return [{ number: 1, ...texts, ...base, text: code }]
  }
  const before = code.slice(0, first.start)
  const networks: Omit<Network, 'number'>[] =
    before.trim() === '' ? [] : [{ title: {}, comment: {}, ...base, text: before.replace(/\n$/, '') }]
  for (const [i, { entries, end }] of marks.entries()) {
    const next = marks[i + 1]
    const own = code.slice(Math.min(end + 1, code.length), next === undefined ? code.length : next.lineStart - 1)
    const title = valueOfLine(entries, titleName) ?? ''
    const comment = valueOfLine(entries, commentName) ?? ''
    const text = withoutRegion(own, title, comment)
    networks.push({ title: textIn(culture, title), comment: textIn(culture, comment), ...base, text })
  }
  return networks.map((network, i) => ({ number: i + 1, ...network }))
}

interface Mark {
  readonly entries: readonly ObjectAttribute[]
  readonly lineStart: number
  readonly start: number
  readonly end: number
}

function isNetworkText(name: string): boolean {
  return [titleName, commentName].some((known) => known.toLowerCase() === name.toLowerCase())
}

/** The lines of Gantry in a body, each alone on its line, that begin a network. */
function marksIn(code: string): Mark[] {
  const tokens = lex(code)
  const marks: Mark[] = []
  for (let i = 0; i < tokens.count; i++) {
    if (tokens.kind[i] !== TokenKind.LineComment || !opensLine(tokens, i)) continue
    const entries = entriesOfLine(tokenText(tokens, i))
    if (entries === undefined || !entries.some(({ name }) => isNetworkText(name))) continue
    const start = tokens.start[i] as number
    const lineStart = code.lastIndexOf('\n', start - 1) + 1
    marks.push({ entries, lineStart, start, end: tokens.start[i + 1] as number })
  }
  return marks
}

/** The statements inside the region that a network with a title was written as. Another region stays. */
function withoutRegion(code: string, title: string, comment: string): string {
  const [before = '', behind = ''] = regionOfNetwork(title, comment, '\0').split('\0')
  const isRegion = before !== '' && code.length >= before.length + behind.length
  return isRegion && code.startsWith(before) && code.endsWith(behind)
    ? code.slice(before.length, code.length - behind.length)
    : code
}
