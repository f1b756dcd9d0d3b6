/** What may be typed at a place of a text. */
import { standardFunctionNames } from '../languages/scl/standard-functions.ts'
import { TokenKind as K, tokenText } from '../languages/scl/tokens.ts'
import { dataTypeNames } from '../model/data-type.ts'
import { Keyword, keywordTexts } from '../model/keywords.ts'
import { memberName, quoted } from '../model/names.ts'
import { systemTypes } from '../program/system-types.ts'
import type { Declared } from './declared.ts'
import { head } from './describe.ts'
import { firstAtOrBehind, type Outline, type Part, partAt } from './outline.ts'
import type { ProgramFiles } from './program.ts'
import { localMembers, type Members, Walk } from './walk.ts'

/** One proposal. */
export interface CompletionItem {
  /** What is written; editors filter by it. */
  readonly text: string
  readonly kind: Declared['kind'] | 'Keyword' | 'Function' | 'Type'
  /** The declaration in one line. */
  readonly detail?: string
  readonly comment?: string
}

/** Proposals in the place of `start .. end`. */
export interface Completion {
  readonly start: number
  readonly end: number
  readonly items: readonly CompletionItem[]
  /** There are more: ask again when more is typed. */
  readonly isIncomplete: boolean
}

/** Longer lists help nobody, and slow editors down. */
const mostItems = 500

const sectionWords = [
  ...['VAR_INPUT', 'VAR_OUTPUT', 'VAR_IN_OUT', 'VAR', 'VAR CONSTANT', 'VAR_TEMP', 'END_VAR', 'STRUCT', 'END_STRUCT'],
  'BEGIN',
]
const blockWords = ['FUNCTION_BLOCK', 'FUNCTION', 'ORGANIZATION_BLOCK', 'DATA_BLOCK', 'TYPE']
const notInCode = new Set([...sectionWords, ...blockWords, '', 'RETAIN', 'NON_RETAIN', 'DB_SPECIFIC', 'AT'])
const codeWords = keywordTexts.filter(
  (word) => !notInCode.has(word) && !/^(VAR|END_VAR|CONST|LABEL|END_LABEL)/.test(word),
)
const standardFunctions = standardFunctionNames()

/** Proposals at an offset of a text; none in comments, texts and attributes. */
export function completionAt(files: ProgramFiles, path: string, offset: number): Completion {
  const outline = files.outline(path)
  if (outline === undefined) return { start: offset, end: offset, items: [], isIncomplete: false }
  const { tokens } = outline
  const token = tokenBefore(outline, offset)
  const kind = token < 0 ? K.Whitespace : (tokens.kind[token] as number)
  const start = token < 0 ? 0 : (tokens.start[token] as number)
  const isOpen = token >= 0 && (offset < (tokens.start[token + 1] as number) || offset === tokens.text.length)
  if (isInert(kind, isOpen, tokens.text.slice(start, offset)))
    return { start: offset, end: offset, items: [], isIncomplete: false }
  const isSharp = kind === K.Unknown && tokenText(tokens, token) === '#'
  const isWord = isSharp || [K.Identifier, K.Keyword, K.LocalName, K.QuotedName].includes(kind as 7)
  const from = isWord ? start : offset
  const typed = tokens.text.slice(from, offset)
  // Editors close a quotation mark that is opened: it is replaced with the name.
  const end = typed.includes('"') && tokens.text[offset] === '"' ? offset + 1 : offset
  const collector = new Collector(typed)
  collect(collector, files, outline, from, typed)
  return { start: from, end, items: collector.items, isIncomplete: collector.isFull }
}

/** The token that ends at or contains the character before an offset. */
function tokenBefore({ tokens }: Outline, offset: number): number {
  let [low, high] = [0, tokens.count - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tokens.start[middle] as number) < offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

function isInert(kind: number, isOpen: boolean, typed: string): boolean {
  if (kind === K.LineComment) return true
  if (kind === K.String) return isOpen || typed.length === 1
  if (kind === K.Integer || kind === K.Real || kind === K.TypedLiteral || kind === K.Address || kind === K.Text)
    return true
  return (
    isOpen &&
    (kind === K.BlockComment || kind === K.SlashComment || kind === K.MultilingualComment || kind === K.Pragma)
  )
}

function collect(into: Collector, files: ProgramFiles, outline: Outline, from: number, typed: string): void {
  const { significant, tokens } = outline
  const n = firstAtOrBehind(outline, from)
  const part = partAt(outline, n)
  if (part === undefined) {
    for (const word of blockWords) into.add({ text: word, kind: 'Keyword' })
    return
  }
  // Nothing may be in the body yet.
  const hasBody = part.body < part.to || tokens.keyword[significant[part.body - 1] ?? 0] === Keyword.BEGIN
  if (n < part.body || !(hasBody || hasCode(part))) {
    const before = significant[n - 1] ?? 0
    const word = tokens.keyword[before]
    const isType = tokens.kind[before] === K.Colon || word === Keyword.OF || word === Keyword.REF_TO
    if (isType || (part.object.kind === 'DB' && part.object.members.length === 0)) types(into, files)
    if (!isType) for (const section of sectionWords) into.add({ text: section, kind: 'Keyword' })
    return
  }
  const place = new Walk(outline, part, files, () => undefined).body(statementStart(outline, part, n), n)
  const isDot = tokens.kind[significant[n - 1] ?? 0] === K.Dot
  if (isDot) {
    const isProgram = tokenText(tokens, significant[n - 2] ?? 0) === '_'
    if (isProgram) for (const one of files.everyObject()) into.add(proposal(one, memberName(one.name)))
    for (const one of place.path?.values() ?? []) into.add(proposal(one, memberName(one.name)))
    return
  }
  if (place.call !== undefined) parameters(into, place.call)
  if (part.object.kind === 'DB') {
    for (const one of localMembers(part, files).values()) into.add(proposal(one, memberName(one.name)))
    return
  }
  if (!typed.startsWith('"'))
    for (const one of localMembers(part, files).values()) into.add(proposal(one, `#${memberName(one.name)}`))
  if (typed.startsWith('#')) return
  for (const one of files.everyObject())
    if (one.kind !== 'OB' && one.kind !== 'UDT' && one.kind !== 'FB') into.add(proposal(one, quoted(one.name)))
  if (typed.startsWith('"') || part.isStatementList) return
  for (const word of codeWords) into.add({ text: word, kind: 'Keyword' })
  for (const name of standardFunctions) into.add({ text: name, kind: 'Function' })
}

function hasCode({ object }: Part): boolean {
  return object.kind === 'FB' || object.kind === 'FC' || object.kind === 'OB'
}

/** Names are followed from the beginning of the statement: what is before it does not change their meaning. */
function statementStart({ significant, tokens }: Outline, { body }: Part, n: number): number {
  for (let at = n - 1; at >= body; at--) if (tokens.kind[significant[at] as number] === K.Semicolon) return at + 1
  return body
}

function types(into: Collector, files: ProgramFiles): void {
  for (const one of files.everyObject())
    if (one.kind === 'UDT' || one.kind === 'FB') into.add(proposal(one, quoted(one.name)))
  for (const name of dataTypeNames) into.add({ text: name.replace(/\[.*/, ''), kind: 'Type' })
  for (const { name } of systemTypes()) into.add({ text: name, kind: 'System' })
  into.add({ text: 'Array[0..9] of ', kind: 'Type' })
  into.add({ text: 'Struct', kind: 'Type' })
}

function parameters(into: Collector, members: Members): void {
  for (const one of members.values()) {
    const { section, name } = one
    if (section !== 'Input' && section !== 'Output' && section !== 'InOut') continue
    into.add(proposal(one, `${memberName(name)} ${section === 'Output' ? '=>' : ':='} `))
  }
}

function proposal(declared: Declared, text: string): CompletionItem {
  const { kind, comment } = declared
  return { text, kind, detail: head(declared), ...(comment === '' ? {} : { comment }) }
}

/** Proposals that contain what is typed, up to a number. */
class Collector {
  readonly items: CompletionItem[] = []
  isFull = false
  readonly #typed: string
  readonly #known = new Set<string>()

  constructor(typed: string) {
    this.#typed = typed.replace(/^[#"]+|"+$/g, '').toUpperCase()
  }

  add(item: CompletionItem): void {
    if (!item.text.toUpperCase().includes(this.#typed) || this.#known.has(item.text)) return
    if (this.items.length >= mostItems) {
      this.isFull = true
      return
    }
    this.#known.add(item.text)
    this.items.push(item)
  }
}
