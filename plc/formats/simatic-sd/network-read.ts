/** Reads one network of a `.s7dcl` file: rungs of LAD and FBD, statements of SCL (docs/formats.md#simatic-sd). */

import { TokenKind, tokenText } from '../../languages/scl/tokens.ts'
import { Keyword } from '../../model/keywords.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { elementsOfNetwork } from '../../model/network-elements.ts'
import type { InterfaceMember, InterfaceSection, Network, ObjectAttribute } from '../../model/object.ts'
import { type Cursor, opensLine } from '../source/cursor.ts'
import type { SdPlaceRecorder } from './places.ts'
import type { ProgramAround } from './program.ts'
import { networkOfRungs } from './rung-read.ts'
import { readRungs } from './rung-syntax.ts'
import { withoutIndentation } from './scl-text.ts'

/** Limit for the elements of a network; the largest seen has about 200. */
const maxElements = 10_000

/** Where a text is in the block; elements of a network are found again by their text. */
export type TextPlace = string | ((text: MultilingualText) => string)

export interface NetworkContext {
  /** At the word NETWORK. */
  readonly cursor: Cursor
  readonly sections: readonly InterfaceSection[]
  readonly program: ProgramAround
  /** Ranges of SCL in the text; those of the network are added. */
  readonly statements: [number, number][]
  readonly warn: (message: string, offset: number) => void
  /** Like `warn`, but only once per block. */
  readonly warnOnce: (message: string, offset: number) => void
  /** Looks up the text of a resource id and records the id under its place. */
  readonly text: (id: string, place: TextPlace, offset: number) => MultilingualText
  readonly places: SdPlaceRecorder
  /** Whether the block ends at the cursor, or another one begins. */
  readonly endsBlock: () => boolean
}

/** Reads a network, including the attributes in braces before it, to after END_NETWORK. Faults go to the cursor. */
export function readNetwork(
  number: number,
  { entries, at }: { readonly entries: readonly ObjectAttribute[]; readonly at: number },
  context: NetworkContext,
): Network {
  const { cursor, sections, program, warn, warnOnce, places } = context
  let title: MultilingualText = {}
  let comment: MultilingualText = {}
  let language: string | undefined
  for (const { name, value } of entries) {
    const key = name.toUpperCase()
    if (key === 'S7_LANGUAGE') language = value.toUpperCase()
    else if (key === 'S7_NETWORKTITLE') title = context.text(value, `network:${number}.title`, at)
    else if (key === 'S7_NETWORKCOMMENT') comment = context.text(value, `network:${number}.comment`, at)
    else warn(`the attribute ${name} of network ${number} is not known and was left out`, at)
  }
  const start = cursor.start
  const behind = cursor.end
  cursor.next()
  const isRungs = cursor.isWord('RUNG') || (cursor.isWord('LABEL') && cursor.peek() === TokenKind.LeftParen)
  language ??= !isRungs ? 'SCL' : languageOfRungs(cursor)
  const base = { number, title, comment, language }
  if (language === 'SCL') return { ...base, parts: [], ...sclText(start, behind, context) }
  if (language !== 'LAD' && language !== 'FBD')
    cursor.fault(`network ${number} is in ${language}; this format has LAD, FBD and SCL`, 'unsupported', at)
  const before = cursor.faults.length
  const rungs = readRungs(cursor)
  const elements = rungs.rungs.reduce((count, { items }) => count + items.length + 1, 0)
  if (elements > maxElements)
    cursor.fault(`network ${number} has ${elements} elements, at most ${maxElements} are read`, 'source-limit', start)
  const faults = cursor.faults.length
  // Incomplete rungs would make a network that reports faults which are not in the file.
  if (faults > before) {
    if (cursor.isWord('END_NETWORK')) cursor.next()
    return { ...base, parts: [] }
  }
  const placed = networkOfRungs(rungs, {
    sections,
    program,
    constants: constantsOf(sections),
    fault: (message, offset) => cursor.fault(message, 'source-structure', offset),
    warn,
    warnOnce,
    text: (id, offset) => context.text(id, (text) => `network:${number}.element:${JSON.stringify(text)}`, offset),
  })
  const graph = placed?.graph
  places.network(start, undefined, placed?.places)
  if (cursor.isWord('END_NETWORK')) cursor.next()
  else if (cursor.faults.length === faults) {
    const found = cursor.atEnd ? 'the end of the file' : JSON.stringify(cursor.text)
    cursor.fault(`NETWORK ${number} is not closed: expected END_NETWORK, found ${found}`, 'source-structure', start)
  }
  if (graph === undefined || cursor.faults.length > faults) return { ...base, parts: [] }
  return { ...base, graph, parts: elementsOfNetwork(graph) }
}

/** LAD rungs begin with a wire, FBD rungs with an operand or nothing; labels before them are the same in both. */
function languageOfRungs({ tokens, index }: Cursor): 'LAD' | 'FBD' {
  let isInRung = false
  for (let i = index; i < tokens.count; i++) {
    const kind = tokens.kind[i]
    if (i > index && tokens.keyword[i] === Keyword.NETWORK) break
    isInRung ||= tokenText(tokens, i).toUpperCase() === 'RUNG'
    if (!isInRung) continue
    if (kind === TokenKind.TypedLiteral) return 'LAD'
    if (kind === TokenKind.LeftParen || kind === TokenKind.LocalName || kind === TokenKind.QuotedName) return 'FBD'
  }
  return 'LAD'
}

/** The statements up to END_NETWORK, without the indentation of the file. */
function sclText(
  start: number,
  from: number,
  { cursor, statements, endsBlock, places }: NetworkContext,
): { text?: string } {
  const { tokens } = cursor
  let isClosed = false
  while (!cursor.atEnd && !isClosed) {
    isClosed = cursor.isWord('END_NETWORK') && opensLine(tokens, cursor.index)
    if (isClosed || endsBlock()) break
    cursor.next()
  }
  const to = cursor.start
  statements.push([from, to])
  if (isClosed) cursor.next()
  else cursor.expected('END_NETWORK')
  const { text, at, indent } = withoutIndentation(tokens.text.slice(from, to))
  places.network(start, { start: from + at, indent }, undefined)
  return text === '' ? {} : { text }
}

function constantsOf(sections: readonly InterfaceSection[]): Set<string> {
  const constants: readonly InterfaceMember[] = sections
    .filter(({ section }) => section === 'Constant')
    .flatMap(({ members }) => members)
  return new Set(constants.map(({ name }) => name.toUpperCase()))
}
