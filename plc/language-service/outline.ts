/**
 * The declarations of a text, from its tokens. Half-typed text gives what can be recognised of it: readers of formats
 * refuse such text, but an editor asks about it with every key.
 */
import { lex } from '../languages/scl/lexer.ts'
import { nameOf } from '../languages/scl/syntax.ts'
import { TokenKind as K, lastTrivia, type TokenList, tokenText } from '../languages/scl/tokens.ts'
import { Keyword } from '../model/keywords.ts'
import type { SectionName } from '../model/object.ts'
import { type Declared, type DeclaredKind, keyOf } from './declared.ts'

/** One object of a text. Indexes are those of `significant`, ends excluded. */
export interface Part {
  readonly object: Declared
  readonly from: number
  readonly to: number
  /** Where the code or the start values begin. */
  readonly body: number
  readonly isStatementList: boolean
}

/** A text and what it declares. */
export interface Outline {
  readonly tokens: TokenList
  /** Numbers of the tokens that are neither white space, comments nor attributes. */
  readonly significant: readonly number[]
  readonly parts: readonly Part[]
  /** What is declared, by the token of the name. */
  readonly declarations: ReadonlyMap<number, Declared>
}

const blockKinds = new Map<number, DeclaredKind>([
  [Keyword.FUNCTION_BLOCK, 'FB'],
  [Keyword.FUNCTION, 'FC'],
  [Keyword.ORGANIZATION_BLOCK, 'OB'],
  [Keyword.DATA_BLOCK, 'DB'],
  [Keyword.TYPE, 'UDT'],
])
const blockEnds = new Set<number>([
  Keyword.END_FUNCTION_BLOCK,
  Keyword.END_FUNCTION,
  Keyword.END_ORGANIZATION_BLOCK,
  Keyword.END_DATA_BLOCK,
  Keyword.END_TYPE,
])
const sectionWords = new Map<number, SectionName>([
  [Keyword.VAR, 'Static'],
  [Keyword.VAR_INPUT, 'Input'],
  [Keyword.VAR_OUTPUT, 'Output'],
  [Keyword.VAR_IN_OUT, 'InOut'],
  [Keyword.VAR_TEMP, 'Temp'],
  [Keyword.CONST, 'Constant'],
])
const modifiers = new Set<number>([Keyword.RETAIN, Keyword.NON_RETAIN, Keyword.DB_SPECIFIC, Keyword.CONSTANT])
/** Words of a data block's header that are no type. */
/** Deepest structures whose members are listed, as in the reader of sources. */
const deepest = 64

const headerWords = /^(KNOW_HOW_PROTECT|UNLINKED|READ_ONLY|STANDARD|AUTHOR|FAMILY|NAME|VERSION|TITLE)$/i

/** Reads the declarations of a text. Never throws; work grows in line with the text. */
export function outlineOf(text: string, file: string): Outline {
  return new Reader(lex(text), file).run()
}

/** The first significant token at or behind an offset. */
export function firstAtOrBehind({ significant, tokens }: Outline, offset: number): number {
  let [low, high] = [0, significant.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tokens.start[significant[middle] as number] as number) < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** The object that a place is in, given as its first significant token. */
export function partAt({ parts }: Outline, n: number): Part | undefined {
  return parts.findLast((one) => one.from < n && n <= one.to)
}

class Reader {
  readonly #tokens: TokenList
  readonly #file: string
  readonly #significant: number[] = []
  readonly #declarations = new Map<number, Declared>()
  #at = 0

  constructor(tokens: TokenList, file: string) {
    this.#tokens = tokens
    this.#file = file
    for (let i = 0; i < tokens.count - 1; i++) {
      const kind = tokens.kind[i] as number
      if (kind > lastTrivia && kind !== K.Pragma) this.#significant.push(i)
    }
  }

  run(): Outline {
    const parts: Part[] = []
    while (this.#at < this.#significant.length) {
      const kind = blockKinds.get(this.#keyword())
      if (kind === undefined) this.#at++
      else parts.push(this.#object(kind))
    }
    return { tokens: this.#tokens, significant: this.#significant, parts, declarations: this.#declarations }
  }

  #kind(ahead = 0): number {
    const token = this.#significant[this.#at + ahead]
    return token === undefined ? K.EndOfFile : (this.#tokens.kind[token] as number)
  }

  #keyword(ahead = 0): number {
    const token = this.#significant[this.#at + ahead]
    return token === undefined ? 0 : (this.#tokens.keyword[token] as number)
  }

  #text(ahead = 0): string {
    const token = this.#significant[this.#at + ahead]
    return token === undefined ? '' : tokenText(this.#tokens, token)
  }

  #start(index = this.#at): number {
    return this.#tokens.start[this.#significant[index] ?? this.#tokens.count - 1] as number
  }

  /** Behind the token before `index`. */
  #end(index = this.#at): number {
    const token = this.#significant[index - 1]
    return token === undefined ? 0 : (this.#tokens.start[token + 1] as number)
  }

  #isName(): boolean {
    const kind = this.#kind()
    return kind === K.Identifier || kind === K.QuotedName
  }

  #object(kind: DeclaredKind): Part {
    const from = this.#at++
    let token: number | undefined
    let name = ''
    if (this.#isName() && this.#end() >= 0) {
      token = this.#significant[this.#at] as number
      name = nameOf(this.#tokens, token)
      this.#at++
      // FB 5: a block without a name.
      if (this.#kind() === K.Integer && /^(FB|FC|DB|OB|UDT)$/i.test(name)) {
        name += this.#text()
        this.#at++
      }
    }
    const members: Declared[] = []
    let dataType = ''
    let value = ''
    if (kind === 'FC') {
      dataType = 'Void'
      if (this.#kind() === K.Colon) {
        this.#at++
        dataType = this.#typeText()
      }
    }
    let body: number | undefined
    let isStatementList = false
    let afterSections: number | undefined
    while (this.#at < this.#significant.length) {
      const keyword = this.#keyword()
      if (blockEnds.has(keyword) || (blockKinds.has(keyword) && this.#startsLine())) break
      const section = sectionWords.get(keyword)
      if (body === undefined && section !== undefined) {
        members.push(...this.#section(section, [name]))
        afterSections = this.#at
      } else if (body === undefined && keyword === Keyword.STRUCT) {
        this.#at++
        members.push(...this.#members(kind === 'DB' ? 'Static' : 'None', [name], Keyword.END_STRUCT))
        afterSections = this.#at
      } else if (body === undefined && (keyword === Keyword.BEGIN || keyword === Keyword.NETWORK)) {
        body = keyword === Keyword.BEGIN ? this.#at + 1 : this.#at
        isStatementList = keyword === Keyword.BEGIN && this.#keyword(1) === Keyword.NETWORK
        this.#at++
      } else if (body === undefined && kind === 'DB' && dataType === '' && members.length === 0) {
        dataType = this.#headerType()
      } else if (body === undefined && kind === 'FC' && keyword === 0 && this.#kind() === K.Text) this.#at++
      else {
        if (keyword === Keyword.NETWORK && body !== undefined && body === this.#at) isStatementList = true
        this.#at++
      }
    }
    const to = Math.min(this.#at, this.#significant.length)
    if (blockEnds.has(this.#keyword())) this.#at++
    // SIMATIC SD writes the code of SCL blocks directly behind the declarations.
    body ??= afterSections ?? to
    if (/\.awl$/i.test(this.#file) && kind !== 'DB' && kind !== 'UDT') isStatementList = true
    if (/\.s7dcl$/i.test(this.#file)) isStatementList = false
    if (kind === 'DB' && /^array\b/i.test(dataType)) {
      value = dataType
      const key = keyOf([name, 'THIS'])
      members.push({ kind: 'Member', name: 'THIS', key, dataType, section: 'Static', ...this.#nothing() })
      dataType = ''
    }
    const object: Declared = {
      ...{ kind, name, key: keyOf([name]), dataType, members, file: this.#file },
      comment: value,
      range: [this.#start(from), Math.max(this.#end(), this.#start(from))],
      ...(token === undefined ? {} : { at: this.#rangeOf(token) }),
    }
    if (token !== undefined) this.#declarations.set(token, object)
    return { object, from, to, body, isStatementList }
  }

  #nothing() {
    return { comment: '', members: [], file: this.#file }
  }

  #rangeOf(token: number): readonly [number, number] {
    return [this.#tokens.start[token] as number, this.#tokens.start[token + 1] as number]
  }

  /** Whether only white space is before the token in its line: `type` in code begins no type. */
  #startsLine(): boolean {
    const { text } = this.#tokens
    let at = this.#start() - 1
    while (at >= 0 && (text[at] === ' ' || text[at] === '\t')) at--
    return at < 0 || text[at] === '\n' || text[at] === '\r'
  }

  /** The type of a data block, when the header has it here; else passes over what is here. */
  #headerType(): string {
    if (this.#keyword() === Keyword.ARRAY) return this.#typeText()
    if (this.#isName() && !headerWords.test(this.#text()) && !this.#isAttribute()) return this.#typeText()
    // VERSION : 0.1, TITLE = …: the value belongs to the word.
    if (this.#isAttribute()) this.#at += 3
    else this.#at++
    return ''
  }

  #isAttribute(): boolean {
    return this.#kind(1) === K.Colon || this.#kind(1) === K.Equal
  }

  #section(given: SectionName, path: readonly string[]): Declared[] {
    this.#at++
    let section = given
    while (modifiers.has(this.#keyword())) {
      if (this.#keyword() === Keyword.CONSTANT) section = 'Constant'
      this.#at++
    }
    return this.#members(section, path, Keyword.END_VAR)
  }

  /** Members up to a closing word, or to what cannot be among members. */
  #members(section: SectionName, path: readonly string[], closing: number): Declared[] {
    const members: Declared[] = []
    while (this.#at < this.#significant.length) {
      const keyword = this.#keyword()
      if (keyword === closing || keyword === Keyword.END_CONST) {
        this.#at++
        break
      }
      if (this.#endsMembers(keyword)) break
      const kind = this.#kind()
      if (kind === K.Identifier || kind === K.QuotedName || kind === K.Keyword)
        members.push(...this.#member(section, path))
      else this.#at++
    }
    return members
  }

  #endsMembers(keyword: number): boolean {
    if (keyword === 0) return false
    return (
      blockEnds.has(keyword) ||
      (sectionWords.has(keyword) && this.#kind(1) !== K.Colon) ||
      keyword === Keyword.BEGIN ||
      keyword === Keyword.END_VAR ||
      keyword === Keyword.END_STRUCT ||
      keyword === Keyword.NETWORK ||
      (blockKinds.has(keyword) && this.#kind(1) !== K.Colon && this.#startsLine())
    )
  }

  /** `a, b : Type := value;`, with structures inside. */
  #member(section: SectionName, path: readonly string[]): Declared[] {
    const first = this.#at
    const names = [this.#significant[this.#at++] as number]
    while (this.#kind() === K.Comma) {
      this.#at++
      if (this.#isName()) names.push(this.#significant[this.#at++] as number)
    }
    if (this.#keyword() === Keyword.AT) {
      this.#at++
      if (this.#kind() === K.Identifier || this.#kind() === K.QuotedName || this.#kind() === K.LocalName) this.#at++
    }
    if (this.#kind() !== K.Colon) return []
    this.#at++
    const dataType = this.#typeText()
    let members: Declared[] = []
    const own = [...path, nameOf(this.#tokens, names[0] as number)]
    if (this.#keyword() === Keyword.STRUCT) {
      this.#at++
      if (own.length < deepest) members = this.#members(section, own, Keyword.END_STRUCT)
      else this.#skipStructure()
    }
    const value = this.#kind() === K.Assign ? this.#value() : undefined
    if (this.#kind() === K.Semicolon) this.#at++
    const range = [this.#start(first), this.#end()] as const
    const comment = this.#commentBehind()
    return names.map((token) => {
      const name = nameOf(this.#tokens, token)
      const declared: Declared = {
        ...{ kind: 'Member', name, key: keyOf([...path, name]), dataType, section, comment, members },
        ...{ file: this.#file, at: this.#rangeOf(token), range },
        ...(value === undefined ? {} : { value }),
      }
      this.#declarations.set(token, declared)
      return declared
    })
  }

  /** Skips the members of a structure, up to its end. */
  #skipStructure(): void {
    for (let open = 1; open > 0 && this.#at < this.#significant.length; ) {
      const keyword = this.#keyword()
      if (keyword === Keyword.STRUCT) open++
      else if (keyword === Keyword.END_STRUCT) open--
      else if (this.#endsMembers(keyword)) return
      this.#at++
    }
  }

  /** The text of a type. A following `name :` begins the next member: the type is not typed yet. */
  #typeText(): string {
    const from = this.#at
    let brackets = 0
    while (this.#at < this.#significant.length) {
      const kind = this.#kind()
      const keyword = this.#keyword()
      if (kind === K.Semicolon || kind === K.Assign || this.#endsMembers(keyword) || modifiers.has(keyword)) break
      if (keyword === Keyword.STRUCT) return `${this.#written(from, this.#at)} Struct`.trim()
      if (kind === K.LeftBracket) brackets++
      if (kind === K.RightBracket) brackets--
      if (brackets <= 0 && this.#kind(1) === K.Colon && this.#at >= from) break
      const word = keyword === Keyword.OF || keyword === Keyword.ARRAY || keyword === Keyword.REF_TO
      this.#at++
      // A type is one name, behind ARRAY […] OF and REF_TO; namespaces have dots.
      const isDone = brackets <= 0 && !word && kind !== K.Dot && this.#kind() !== K.Dot
      if (isDone && kind !== K.RightBracket && this.#kind() !== K.LeftBracket) break
      if (isDone && kind === K.RightBracket && this.#keyword() !== Keyword.OF) break
    }
    return this.#written(from, this.#at)
  }

  #written(from: number, to: number): string {
    return to <= from
      ? ''
      : this.#tokens.text
          .slice(this.#start(from), this.#end(to))
          .replace(/\{[^}]*\}/g, '')
          .replace(/\s+/g, ' ')
          .trim()
  }

  #value(): string {
    const from = ++this.#at
    while (this.#at < this.#significant.length && this.#kind() !== K.Semicolon && !this.#endsMembers(this.#keyword())) {
      if (this.#kind(1) === K.Colon && this.#isName()) break
      this.#at++
    }
    return this.#written(from, this.#at)
  }

  /** The comment in the line of the token before. */
  #commentBehind(): string {
    const before = this.#significant[this.#at - 1]
    if (before === undefined) return ''
    for (let token = before + 1; token < this.#tokens.count - 1; token++) {
      const kind = this.#tokens.kind[token] as number
      if (kind === K.LineComment) return tokenText(this.#tokens, token).slice(2).trim()
      if (kind !== K.Whitespace) return ''
    }
    return ''
  }
}
