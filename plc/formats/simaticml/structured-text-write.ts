/**
 * Converts SCL text to `StructuredText` (docs/formats.md#scl-and-stl-networks): flat tokens, blanks and line breaks,
 * operands as `Access`, calls with their parameters nested. Reading the result gives the same text again, byte for byte
 * (line ends as LF). UIds count from 21 in document order, nested elements included; an import only needs them to be
 * unique.
 */

import { lex } from '../../languages/scl/lexer.ts'
import { TokenKind as K, lastTrivia, type TokenList, tokenText } from '../../languages/scl/tokens.ts'
import { bitOffsetOf, readBlockAddress } from '../../model/block-address.ts'
import { Keyword } from '../../model/keywords.ts'
import { unquoted } from '../../model/names.ts'
import type { InterfaceMember, InterfaceSection } from '../../model/object.ts'
import { parseAddress } from './address-parse.ts'
import { type CalleeLookup, instanceInstructions, isSystemInstance } from './callee.ts'
import { namespacesOf, type TargetVersion, versionNumber } from './versions.ts'
import type { XmlAttributes, XmlWriter } from './xml-write.ts'

export interface StructuredTextOptions {
  readonly version: TargetVersion
  readonly interface: readonly InterfaceSection[]
  /** Culture of multilingual comments. */
  readonly culture: string
  readonly callee?: CalleeLookup
  /** Is given each name that `callee` does not know. */
  readonly onUnresolved?: (name: string) => void
}

/** Words of a statement behind which a value begins, so that `-` is a sign. */
const valueOpeners: ReadonlySet<number> = new Set(
  'AND OR XOR NOT MOD DIV IF THEN ELSE ELSIF CASE OF FOR TO BY DO WHILE REPEAT UNTIL RETURN BEGIN'
    .split(' ')
    .map((word) => Keyword[word as keyof typeof Keyword]),
)

/** Writes the `StructuredText` element for `code`. */
export function writeStructuredText(writer: XmlWriter, code: string, options: StructuredTextOptions): void {
  const text = code.replace(/\r\n?/g, '\n')
  writer.element('StructuredText', { xmlns: namespacesOf(options.version).structuredText }, () =>
    new PieceWriter(writer, lex(text), options).run(),
  )
}

/** Deepest nesting of calls and indices; deeper ones are written as plain tokens. */
const maxDepth = 100

class PieceWriter {
  readonly #writer: XmlWriter
  readonly #tokens: TokenList
  readonly #options: StructuredTextOptions
  readonly #locals = new Map<string, InterfaceMember>()
  readonly #constants = new Set<string>()
  readonly #labels = new Set<string>()
  #uId = 21
  #at = 0
  #depth = 0

  constructor(writer: XmlWriter, tokens: TokenList, options: StructuredTextOptions) {
    this.#writer = writer
    this.#tokens = tokens
    this.#options = options
    for (const { section, members } of options.interface)
      for (const member of members) {
        this.#locals.set(member.name.toUpperCase(), member)
        if (section === 'Constant') this.#constants.add(member.name.toUpperCase())
      }
    for (let i = 0; i < tokens.count; i++)
      if (tokens.keyword[i] === Keyword.GOTO)
        this.#labels.add(tokenText(tokens, this.#significant(i + 1)).toUpperCase())
  }

  run(): void {
    while (this.#kind() !== K.EndOfFile) this.#piece()
  }

  #kind(index = this.#at): number {
    return this.#tokens.kind[index] ?? K.EndOfFile
  }
  #text(index = this.#at): string {
    return tokenText(this.#tokens, index)
  }
  /** Index of the first token from `index` on that is neither white space nor comment. */
  #significant(index: number): number {
    let at = index
    while (at < this.#tokens.count - 1 && this.#kind(at) <= lastTrivia) at++
    return at
  }
  #id(): number {
    return this.#uId++
  }

  #leaf(name: string, attributes: XmlAttributes, text = ''): void {
    this.#writer.leaf(name, { ...attributes, UId: this.#id() }, text)
  }
  #element(name: string, attributes: XmlAttributes, content: () => void): void {
    this.#writer.element(name, { ...attributes, UId: this.#id() }, content)
  }
  #token(text: string): void {
    this.#leaf('Token', { Text: text })
  }
  /** Writes the current token as it is. */
  #plain(): void {
    this.#token(this.#text())
    this.#at++
  }

  /** Writes one token, operand or call at the current position; always advances. */
  #piece(): void {
    const kind = this.#kind()
    if (kind <= lastTrivia) this.#trivia()
    else if (kind === K.LocalName || kind === K.QuotedName) this.#name()
    else if (kind === K.Identifier) this.#identifier()
    else if (kind === K.Minus && this.#isSign()) this.#literal('LiteralConstant', 2)
    else if (kind === K.Integer || kind === K.Real || kind === K.String || this.#isTruthValue())
      this.#literal('LiteralConstant')
    else if (kind === K.TypedLiteral) this.#literal(this.#typedScope())
    else if (kind === K.Address) this.#address()
    else if (kind === K.Text) {
      this.#leaf('Text', {}, this.#text())
      this.#at++
    } else this.#plain()
  }

  #isTruthValue(): boolean {
    const keyword = this.#tokens.keyword[this.#at]
    return keyword === Keyword.TRUE || keyword === Keyword.FALSE
  }

  /** Named values (`"type"#NAME`) have a scope of their own from V19 on. */
  #typedScope(): string {
    const named = this.#text().startsWith('"') && versionNumber(this.#options.version) >= 19
    return named ? 'NamedValueConstant' : 'TypedConstant'
  }

  /** Writes white space and comments up to the next meaningful token. */
  #triviaRun(): void {
    while (this.#kind() <= lastTrivia) this.#trivia()
  }

  #trivia(): void {
    const kind = this.#kind()
    if (kind === K.NewLine) this.#newLines()
    else if (kind === K.Whitespace) this.#blanks()
    else if (kind === K.LineComment || kind === K.BlockComment) this.#lineComment()
    else this.#multilingualComment()
  }

  /** Consecutive line breaks are one element. */
  #newLines(): void {
    let count = 0
    for (; this.#kind() === K.NewLine; this.#at++) count++
    this.#leaf('NewLine', { Num: count > 1 ? count : undefined })
  }

  /** TABs and other white space have no element of their own and become tokens. */
  #blanks(): void {
    const text = this.#text()
    this.#at++
    for (const run of text.match(/ +|[^ ]+/g) ?? []) {
      if (run.startsWith(' ')) this.#leaf('Blank', { Num: run.length > 1 ? run.length : undefined })
      else this.#token(run)
    }
  }

  #lineComment(): void {
    const text = this.#text()
    const inserted = this.#kind() === K.BlockComment
    const closed = inserted && text.length >= 4 && text.endsWith('*)')
    this.#at++
    const attributes = inserted ? { Inserted: 'true', NoClosingBracket: closed ? undefined : 'true' } : {}
    this.#element('LineComment', attributes, () => this.#leaf('Text', {}, closed ? text.slice(2, -2) : text.slice(2)))
  }

  #multilingualComment(): void {
    const text = this.#text()
    const inserted = this.#kind() === K.MultilingualComment
    const open = inserted ? 3 : 2
    if (text.length < 2 * open || !text.endsWith(inserted ? '*/)' : '*/')) {
      this.#plain()
      return
    }
    this.#at++
    this.#element('Comment', { Inserted: inserted ? 'true' : undefined }, () =>
      this.#leaf('MultiLanguageText', { Lang: this.#options.culture }, text.slice(open, -open)),
    )
  }

  /** Whether `-` belongs to the number behind it, with which TIA Portal writes it as one literal. */
  #isSign(): boolean {
    const number = this.#kind(this.#at + 1)
    if (number !== K.Integer && number !== K.Real) return false
    let before = this.#at - 1
    while (before >= 0 && this.#kind(before) <= lastTrivia) before--
    if (before < 0) return true
    const kind = this.#kind(before)
    if (kind === K.Keyword) return valueOpeners.has(this.#tokens.keyword[before] as number)
    return !endsOperand.has(kind)
  }

  /** Writes a literal of one token, or of two: a sign and its number. */
  #literal(scope: string, tokens = 1): void {
    const text = tokens === 1 ? this.#text() : this.#text() + this.#text(this.#at + 1)
    this.#at += tokens
    this.#element('Access', { Scope: scope }, () => {
      if (scope === 'NamedValueConstant') this.#leaf('Constant', { Name: text })
      else this.#element('Constant', {}, () => this.#leaf('ConstantValue', {}, text))
    })
  }

  #address(): void {
    const text = this.#text()
    const address = parseAddress(text)
    // Addresses that would come back in another spelling (%ix0.0) stay tokens.
    if (address === undefined || spelling(address) !== text) {
      this.#plain()
      return
    }
    this.#at++
    this.#element('Access', { Scope: 'Address' }, () => this.#leaf('Address', { ...address }))
    if (this.#kind() === K.Periphery) this.#plain()
  }

  /** `#x` or `"x"`: a call, a constant or the beginning of a path. */
  #name(): void {
    const local = this.#kind() === K.LocalName
    const text = this.#text()
    const written = local ? text.slice(1) : text
    const name = unquoted(written)
    const opensCall = this.#opensCall(this.#at + 1)
    // Unterminated names cannot be written as names.
    if (name === '' || name.includes('"')) this.#plain()
    else if (!local && opensCall) this.#blockCall(name)
    else if (!local && this.#isInstanceInstruction()) this.#instructionWithInstance(name)
    else if (local && opensCall && this.#isUserInstance(name)) this.#userInstanceCall(name, written !== name)
    else if (local && this.#constants.has(name.toUpperCase())) this.#localConstant(name, true, written !== name)
    else this.#symbol(local ? 'LocalVariable' : 'GlobalVariable', name, written !== name, true)
  }

  #identifier(): void {
    const name = this.#text()
    const upper = name.toUpperCase()
    const next = this.#kind(this.#at + 1)
    const local = this.#locals.has(upper)
    if (this.#labels.has(upper) && (next === K.Colon || this.#followsGoto())) this.#label(name, next === K.Colon)
    // A constant cannot be called: without # it is the instruction of that name.
    else if ((!local || this.#constants.has(upper)) && this.#opensCall(this.#at + 1)) this.#instruction(name)
    else if (upper === 'ENO') {
      this.#at++
      this.#element('Access', { Scope: 'PredefinedVariable' }, () => this.#leaf('PredefinedVariable', { Name: name }))
    } else if (upper === 'NULL') this.#plain()
    else if (this.#constants.has(upper)) this.#localConstant(name, false, false)
    else this.#symbol(local ? 'LocalVariable' : 'GlobalVariable', name, false, false)
  }

  /** Whether a list of arguments begins at that token, with blanks before it or without. */
  #opensCall(index: number): boolean {
    return this.#kind(this.#significant(index)) === K.LeftParen && this.#depth < maxDepth
  }

  #followsGoto(): boolean {
    let at = this.#at - 1
    while (at >= 0 && this.#kind(at) <= lastTrivia) at--
    return at >= 0 && this.#tokens.keyword[at] === Keyword.GOTO
  }

  #label(name: string, declared: boolean): void {
    this.#at++
    this.#element('Access', { Scope: 'Label' }, () =>
      this.#element('Label', { Name: name }, () => {
        if (declared && this.#kind() === K.Colon) this.#plain()
      }),
    )
  }

  #localConstant(name: string, hash: boolean, quotes: boolean): void {
    this.#at++
    this.#element('Access', { Scope: 'LocalConstant' }, () =>
      this.#element('Constant', { Name: name }, () => {
        if (!hash) this.#flag('HasHash', false)
        if (quotes) this.#flag('HasQuotes', true)
      }),
    )
  }

  #flag(name: 'HasHash' | 'HasQuotes', value: boolean): void {
    this.#leaf('BooleanAttribute', { Name: name }, String(value))
  }

  /** Writes a path: name, then as many `.member`, `[index]`, slices, `:P` and `^` as follow. */
  #symbol(scope: 'LocalVariable' | 'GlobalVariable', name: string, quotes: boolean, marked: boolean): void {
    this.#at++
    this.#element('Access', { Scope: scope }, () =>
      this.#element('Symbol', {}, () => {
        this.#component(name, () => {
          if (scope === 'LocalVariable') {
            if (!marked) this.#flag('HasHash', false)
            if (quotes) this.#flag('HasQuotes', true)
          } else this.#flag('HasQuotes', quotes)
        })
        this.#pathRest()
      }),
    )
    this.#namelessCall()
  }

  #pathRest(): void {
    for (;;) {
      const next = this.#significant(this.#at)
      const kind = this.#kind(next)
      if (kind === K.Dot && this.#isComponent(this.#significant(next + 1))) {
        this.#triviaRun()
        this.#plain()
        this.#triviaRun()
        const offset = this.#kind() === K.Slice ? readBlockAddress(this.#text()) : undefined
        if (offset) {
          this.#at++
          this.#leaf('AbsoluteOffset', { BitOffset: bitOffsetOf(offset), Type: offset.type })
        } else if (this.#kind() === K.Slice) this.#plain()
        else {
          const text = this.#text()
          this.#at++
          this.#component(unquoted(text), () => {
            if (text.startsWith('"')) this.#flag('HasQuotes', true)
          })
        }
      } else if (next === this.#at && (kind === K.Periphery || kind === K.Caret)) this.#plain()
      else return
    }
  }

  #isComponent(index: number): boolean {
    const kind = this.#kind(index)
    return kind === K.Identifier || kind === K.Keyword || kind === K.Slice || this.#isClosedName(index)
  }

  /** Whether a quoted name has both its quotes. */
  #isClosedName(index: number): boolean {
    if (this.#kind(index) !== K.QuotedName) return false
    const text = this.#text(index)
    return text.length >= 2 && text.endsWith('"')
  }

  /** Writes a component with its indices: the brackets and the text between them are its children. */
  #component(name: string, flags: () => void): void {
    this.#element('Component', { Name: name }, () => {
      flags()
      while (this.#depth < maxDepth && this.#kind() === K.LeftBracket) {
        this.#plain()
        this.#depth++
        while (this.#kind() !== K.RightBracket && !this.#isEndOfPath()) this.#piece()
        this.#depth--
        if (this.#kind() !== K.RightBracket) return
        this.#plain()
      }
    })
  }

  /** Whether an index or argument list must have ended here, closed or not. */
  #isEndOfPath(): boolean {
    const kind = this.#kind()
    return kind === K.Semicolon || kind === K.EndOfFile || kind === K.Text
  }

  /** `#instance.timer(…)`: the operand, then a call of an instruction without a name. */
  #namelessCall(): void {
    if (!this.#opensCall(this.#at)) return
    this.#element('Access', { Scope: 'Call' }, () => this.#element('Instruction', {}, () => this.#argumentList()))
  }

  #instruction(name: string): void {
    this.#at++
    this.#element('Access', { Scope: 'Call' }, () =>
      this.#element('Instruction', { Name: name }, () => this.#argumentList()),
    )
  }

  /** Whether `"X".TON(` follows. */
  #isInstanceInstruction(): boolean {
    return (
      this.#kind(this.#at + 1) === K.Dot &&
      this.#kind(this.#at + 2) === K.Identifier &&
      this.#kind(this.#at + 3) === K.LeftParen &&
      this.#depth < maxDepth &&
      instanceInstructions.has(this.#text(this.#at + 2))
    )
  }

  /** The data block as an operand, the point, and the call without an instance, as TIA Portal exports it. */
  #instructionWithInstance(instance: string): void {
    this.#at++
    this.#dataBlock(instance)
    this.#plain()
    this.#instruction(this.#text())
  }

  #dataBlock(name: string): void {
    this.#element('Access', { Scope: 'GlobalVariable' }, () =>
      this.#element('Symbol', {}, () => this.#component(name, () => this.#flag('HasQuotes', true))),
    )
  }

  #instance(scope: 'LocalVariable' | 'GlobalVariable', name: string, quotes: boolean): void {
    this.#element('Instance', { Scope: scope }, () =>
      this.#element('Component', { Name: name }, () => {
        if (quotes) this.#flag('HasQuotes', true)
      }),
    )
  }

  #blockCall(name: string): void {
    const callee = this.#options.callee?.(name)
    this.#at++
    if (callee?.kind === 'FB' && isSystemInstance(callee.name)) {
      this.#dataBlock(name)
      this.#namelessCall()
      return
    }
    this.#element('Access', { Scope: 'Call' }, () => {
      if (callee?.kind === 'FC') {
        this.#element('CallInfo', { Name: name, BlockType: 'FC' }, () => this.#argumentList())
        return
      }
      if (callee === undefined) this.#options.onUnresolved?.(name)
      const called = callee === undefined ? { BlockType: 'FC' } : { Name: callee.name, BlockType: 'FB' }
      this.#element('CallInfo', called, () => {
        this.#instance('GlobalVariable', name, true)
        this.#argumentList()
      })
    })
  }

  /** Whether the local name is an instance of a block of the program (its type is a quoted name). */
  #isUserInstance(name: string): boolean {
    return this.#locals.get(name.toUpperCase())?.dataType.startsWith('"') === true
  }

  #userInstanceCall(name: string, quotes: boolean): void {
    const type = unquoted(this.#locals.get(name.toUpperCase())?.dataType ?? '')
    this.#at++
    this.#element('Access', { Scope: 'Call' }, () =>
      this.#element('CallInfo', { Name: type, BlockType: 'FB' }, () => {
        this.#instance('LocalVariable', name, quotes)
        this.#argumentList()
      }),
    )
  }

  /** From `(` to `)`: named and unnamed parameters, and the text between them. */
  #argumentList(): void {
    this.#depth++
    this.#triviaRun()
    this.#plain()
    for (;;) {
      this.#triviaRun()
      if (this.#isEndOfPath()) break
      if (this.#kind() === K.RightParen) {
        this.#plain()
        break
      }
      if (this.#kind() === K.Comma || this.#kind() === K.Pragma) this.#plain()
      else this.#argument()
    }
    this.#depth--
  }

  #argument(): void {
    const kind = this.#kind()
    const operator = this.#kind(this.#significant(this.#at + 1))
    const named = kind === K.Identifier || kind === K.Keyword || this.#isClosedName(this.#at)
    if (named && (operator === K.Assign || operator === K.OutputAssign)) {
      const text = this.#text()
      this.#at++
      this.#element('Parameter', { Name: unquoted(text) }, () => {
        if (text.startsWith('"')) this.#flag('HasQuotes', true)
        this.#triviaRun()
        this.#plain()
        this.#argumentValue()
      })
    } else this.#element('NamelessParameter', {}, () => this.#argumentValue())
  }

  /** Pieces up to the `,` or `)` that ends the argument, including nested brackets. */
  #argumentValue(): void {
    let open = 0
    while (!this.#isEndOfPath()) {
      const kind = this.#kind()
      if (open === 0 && (kind === K.Comma || kind === K.RightParen)) return
      if (kind === K.LeftParen || kind === K.LeftBracket) open++
      else if (kind === K.RightParen || kind === K.RightBracket) open--
      this.#piece()
    }
  }
}

/** Tokens that end an operand: `-` behind one is an operator. */
const endsOperand: ReadonlySet<number> = new Set([
  K.Identifier,
  K.LocalName,
  K.QuotedName,
  K.Integer,
  K.Real,
  K.String,
  K.TypedLiteral,
  K.Address,
  K.Slice,
  K.Periphery,
  K.Caret,
  K.RightParen,
  K.RightBracket,
])

/** The spelling in which an address comes back from SimaticML. */
function spelling(address: { Area: string; Type: string; BlockNumber?: number; BitOffset: number }): string {
  const widths: Readonly<Record<string, string>> = { Bool: '', Byte: 'B', Word: 'W', DWord: 'D', LWord: 'L' }
  const width = widths[address.Type] ?? ''
  const byte = Math.floor(address.BitOffset / 8)
  const position = width === '' ? `${byte}.${address.BitOffset % 8}` : String(byte)
  if (address.Area === 'DB') return `%DB${address.BlockNumber}.DB${width === '' ? 'X' : width}${position}`
  return `%${address.Area === 'Input' ? 'I' : address.Area === 'Output' ? 'Q' : 'M'}${width}${position}`
}
