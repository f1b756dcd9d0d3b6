/**
 * Text of STL (AWL) to statements, in both sets of mnemonics. The way back: statements-write.ts.
 *
 * One line holds one statement; `;` ends it too, so several may share a line. Blank lines and comments are statements without an
 * instruction, as in SimaticML (`EMPTY_LINE`, `COMMENT`). A CALL may take its parameters from the lines that follow.
 *
 * A word that is no instruction is kept as a statement when what follows it is an operand or nothing: other devices have other
 * instructions, and the compiler tells which of them exist. Anything else is a fault, and reading goes on behind it.
 * Facts: STEP 7 "Programming with STEP 7" 13 (STL sources); formats.md section 5.
 */

import { isIdentifierPart, isIdentifierStart, isWideSpace } from '../model/names.ts'
import type { Instance, Kept, Operand, Statement, StatementCall, TemplateValue } from '../model/network.ts'
import { isReservedWord } from '../scl/keywords.ts'
import { lineCommentXml } from '../stl/comments.ts'
import { internationalMnemonic, type MnemonicSet, setOfMnemonic, stlInstruction } from '../stl/mnemonics.ts'
import { type ScannedOperand, type StlNames, scanStlOperand } from '../stl/operand.ts'
import { parsePragma } from './pragma.ts'

export interface StatementTextOptions {
  /** Part of the text to read; default all of it. */
  readonly from?: number
  readonly to?: number
  /** Default: what the text itself shows (`mnemonicSetOf`). */
  readonly mnemonics?: MnemonicSet
  readonly names?: StlNames
  /** Is told of everything that cannot be read, with its offset in the text. */
  readonly fault?: (message: string, offset: number) => void
}

/** Reads statements. Never throws; linear in the length of the text. */
export function readStatements(text: string, options: StatementTextOptions = {}): Statement[] {
  return new StatementReader(text, options).read()
}

/** Which mnemonics a text uses: the set of the first instruction that only one of them has; `undefined` when none tells. */
export function mnemonicSetOf(text: string, from = 0, to = text.length): MnemonicSet | undefined {
  return new StatementReader(text, { from, to, mnemonics: 'international' }).findSet()
}

const SYMBOLS = /(?:==|<>|>=|<=|>|<)[IDR](?!\w)|\+AR[12](?!\w)|[-+*/][IDR](?!\w)|\)MCR(?!\w)|=(?!=)|\+|\)/iy
const WORD = /[A-Za-z_]\w*/y
/** Words that take the next one with them. */
const SECOND_WORD = /[ \t]+(0|1|DBLG|DILG|DBNO|DINO|AR2)(?![\w.#"[])/iy
const TWO_WORDS: ReadonlySet<string> = new Set([
  'NOP 0',
  'NOP 1',
  'L DBLG',
  'L DILG',
  'L DBNO',
  'L DINO',
  'LAR1 AR2',
  'TAR1 AR2',
])
const OPENS_BRACKET: ReadonlySet<string> = new Set(['A', 'AN', 'U', 'UN', 'O', 'ON', 'X', 'XN', 'MCR'])
const BRACKET = /[ \t]*\(/y
const DATA_INSTANCE = /[ \t]+(?=%?DI(?![A-Za-z]))/iy
const BLOCK_TARGET = /%?(SFB|SFC|FB|FC)[ \t]*(\d{1,5})(?![\w.#])/iy
const DATA_BLOCK = /%?DB[ \t]*(\d{1,5})(?![\w.#])/iy
const COMMA = /[ \t]*,[ \t]*/y
const ASSIGN = /[ \t]*(?::=|=>)[ \t]*/y
const EDITOR_PARAMETER = /[ \t]*(?:"[^"\n]+"|[A-Za-z_]\w*)[ \t]*:=/y
/** German spelling in the schema's own notes beside the one of the manual. */
const ALSO: Readonly<Record<string, string>> = { SPBNI: 'SPBIN' }

class StatementReader {
  readonly #text: string
  #to: number
  readonly #set: MnemonicSet
  /** While the set is looked for: the one of the first instruction that only one set has. */
  #search: { set?: MnemonicSet } | undefined
  readonly #names: StlNames
  readonly #fault: (message: string, offset: number) => void
  readonly #statements: Statement[] = []
  #at: number
  /** A label that waits for its statement. */
  #label: string | undefined
  /** Whether something stands on the current line, and the index of the statement a comment there belongs to. */
  #isBlank = true
  #onLine = -1

  constructor(text: string, options: StatementTextOptions) {
    this.#text = text
    this.#at = options.from ?? 0
    this.#to = options.to ?? text.length
    this.#set = options.mnemonics ?? mnemonicSetOf(text, this.#at, this.#to) ?? 'international'
    this.#names = options.names ?? {}
    this.#fault = options.fault ?? (() => {})
  }

  read(): Statement[] {
    while (this.#skipBlanks()) this.#next()
    if (this.#label !== undefined) this.#push({ mnemonic: '' })
    return this.#statements
  }

  /** Reads up to the first instruction that tells its set. */
  findSet(): MnemonicSet | undefined {
    this.#search = {}
    this.read()
    return this.#search.set
  }

  #next(): void {
    const text = this.#text
    const char = text[this.#at] as string
    if (char === '\n' || char === '\r') this.#newLine()
    else if (char === ';') {
      this.#at++
      this.#isBlank = false
      if (this.#label !== undefined) this.#push({ mnemonic: '' })
    } else if (this.#isCommentStart()) for (const comment of this.#comments()) this.#addComment(comment)
    else {
      this.#isBlank = false
      const start = this.#at
      const label = this.#readLabel()
      if (label === undefined) this.#statement()
      else if (this.#label !== undefined) this.#fail('a statement has one label', start)
      else this.#label = label
    }
  }

  #newLine(): void {
    if (this.#isBlank && this.#label === undefined) this.#statements.push({ mnemonic: '' })
    this.#at += this.#text.startsWith('\r\n', this.#at) ? 2 : 1
    this.#isBlank = true
    this.#onLine = -1
  }

  #push(statement: Statement): void {
    const label = this.#label
    this.#label = undefined
    this.#onLine = this.#statements.length
    this.#statements.push(label === undefined ? statement : { label, ...statement })
  }

  #addComment(comment: string): void {
    this.#isBlank = false
    const before = this.#statements[this.#onLine]
    if (before !== undefined && before.comment === undefined) this.#statements[this.#onLine] = { ...before, comment }
    else this.#statements.push({ mnemonic: '', comment })
  }

  // ── Characters ──

  /** Moves to the next character that is no blank; false at the end. */
  #skipBlanks(): boolean {
    while (this.#at < this.#to) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 32 && code !== 9 && !isWideSpace(code)) return true
      this.#at++
    }
    return false
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null || pattern.lastIndex > this.#to) return undefined
    this.#at = pattern.lastIndex
    return found
  }

  #isLineEnd(): boolean {
    const char = this.#text[this.#at]
    return this.#at >= this.#to || char === '\n' || char === '\r'
  }

  #isCommentStart(): boolean {
    const text = this.#text
    return text.startsWith('//', this.#at) || text.startsWith('/*', this.#at) || text.startsWith('(*', this.#at)
  }

  /** The comment at the position, one text per line of it; behind it the position. */
  #comments(): string[] {
    const text = this.#text
    if (text.startsWith('//', this.#at)) {
      const start = this.#at + 2
      while (!this.#isLineEnd()) this.#at++
      return [text.slice(start, this.#at)]
    }
    const start = this.#at + 2
    const close = text.indexOf(text[this.#at] === '(' ? '*)' : '*/', start)
    const isClosed = close !== -1 && close < this.#to
    if (!isClosed) this.#fault('this comment has no end', this.#at)
    this.#at = isClosed ? close + 2 : this.#to
    return text.slice(start, isClosed ? close : this.#to).split(/\r\n?|\n/)
  }

  /** Records a fault and goes on behind the statement. */
  #fail(message: string, offset: number): void {
    this.#fault(message, offset)
    this.#label = undefined
    let quote = ''
    for (; !this.#isLineEnd(); this.#at++) {
      const char = this.#text[this.#at] as string
      if (quote !== '') quote = char === quote ? '' : quote
      else if (char === '"' || char === "'") quote = char
      else if (char === ';' || this.#text.startsWith('//', this.#at)) return
    }
  }

  #found(): string {
    const { length } = (this.#isLineEnd() ? '' : /^\S{1,40}/.exec(this.#text.slice(this.#at, this.#at + 41))?.[0]) ?? ''
    return length === 0 ? 'the end of the line' : JSON.stringify(this.#text.slice(this.#at, this.#at + length))
  }

  // ── Statements ──

  /** `M001:`; `undefined` when no label stands here. */
  #readLabel(): string | undefined {
    const text = this.#text
    let end = this.#at
    while (end < this.#to && isIdentifierPart(text.charCodeAt(end))) end++
    if (end === this.#at) return undefined
    const name = text.slice(this.#at, end)
    while (text[end] === ' ' || text[end] === '\t') end++
    if (end >= this.#to || text[end] !== ':' || text[end + 1] === '=') return undefined
    this.#at = end + 1
    return name
  }

  #statement(): void {
    const start = this.#at
    const mnemonic = this.#mnemonic()
    const typed = this.#text.slice(start, this.#at).replace(/[ \t]+\(/, '(')
    const set = setOfMnemonic(typed.toUpperCase())
    if (set !== undefined && set !== this.#set) {
      this.#fail(`${typed} is one of the ${set} mnemonics, but this text uses the ${this.#set} ones`, start)
      return
    }
    if (mnemonic === undefined) {
      this.#fail(`expected an instruction, found ${this.#found()}`, start)
      return
    }
    const statement = this.#operandOf(mnemonic, start)
    if (statement === undefined) return
    const end = this.#at
    this.#skipBlanks()
    if (this.#isLineEnd() || this.#text[this.#at] === ';' || this.#isCommentStart()) {
      if (this.#text[this.#at] === ';') this.#at++
      this.#push(statement)
    } else
      this.#fail(
        `expected ";" or the end of the line behind ${JSON.stringify(this.#text.slice(start, Math.min(end, start + 60)))}, found ${this.#found()}`,
        this.#at,
      )
  }

  /** The instruction at the position, international and in upper case; a word that is none as it is typed. */
  #mnemonic(): string | undefined {
    const symbol = this.#match(SYMBOLS)?.[0]
    if (symbol !== undefined) return symbol.toUpperCase()
    const word = this.#match(WORD)?.[0]
    if (word === undefined) return undefined
    const typed = ALSO[word.toUpperCase()] ?? word.toUpperCase()
    const set = setOfMnemonic(typed)
    if (set !== undefined && this.#search !== undefined) {
      this.#search.set = set
      this.#to = this.#at
    }
    const back = this.#at
    if (OPENS_BRACKET.has(typed) && this.#match(BRACKET) !== undefined) {
      const isComment = this.#text[this.#at] === '*'
      if (!isComment) return internationalMnemonic(`${typed}(`, this.#set) ?? `${typed}(`
      this.#at = back
    }
    if (typed === 'RND' && /[+-]/.test(this.#text[this.#at] ?? '')) return typed + this.#text[this.#at++]
    const second = this.#match(SECOND_WORD)?.[1]
    if (second !== undefined) {
      const words = `${typed} ${second.toUpperCase()}`
      if (TWO_WORDS.has(words)) return words
      this.#at = back
    }
    return internationalMnemonic(typed, this.#set) ?? word
  }

  #operandOf(mnemonic: string, start: number): Statement | undefined {
    const instruction = stlInstruction(mnemonic)
    const kind = instruction?.operands[0]
    if (kind === 'call') return this.#call(mnemonic)
    // `OPN DI 5` of STEP 7 is `OPNDI` of TIA Portal.
    const name = mnemonic === 'OPN' && this.#match(DATA_INSTANCE) !== undefined ? 'OPNDI' : mnemonic
    this.#skipBlanks()
    const isAlone = this.#isLineEnd() || this.#text[this.#at] === ';' || this.#isCommentStart()
    if (instruction === undefined && isReservedWord(mnemonic)) {
      this.#fail(`${JSON.stringify(mnemonic)} is no instruction of STL`, start)
      return undefined
    }
    if (isAlone) return { mnemonic: name }
    if (kind === 'label') return this.#jump(name)
    const found = this.#scan()
    if (found === undefined) {
      const isWord = instruction === undefined
      const message = isWord
        ? `${JSON.stringify(mnemonic)} is no instruction of STL, and what follows is no operand: ${this.#found()}`
        : `expected an operand of ${mnemonic}, found ${this.#found()}`
      this.#fail(message, isWord ? start : this.#at)
      return undefined
    }
    if (instruction !== undefined && instruction.operands.length === 0) {
      this.#fail(`${mnemonic} takes no operand`, this.#at)
      return undefined
    }
    this.#at = found.end
    return { mnemonic: name, operand: found.operand }
  }

  #scan(): ScannedOperand | undefined {
    const found = scanStlOperand(this.#text, this.#at, this.#names)
    return found === undefined || found.end > this.#to ? undefined : found
  }

  #jump(mnemonic: string): Statement | undefined {
    const start = this.#at
    while (this.#at < this.#to && isIdentifierPart(this.#text.charCodeAt(this.#at))) this.#at++
    if (this.#at > start) return { mnemonic, operand: { kind: 'label', name: this.#text.slice(start, this.#at) } }
    this.#fail(`expected the label ${mnemonic} jumps to, found ${this.#found()}`, start)
    return undefined
  }

  // ── Calls ──

  #call(mnemonic: string): Statement | undefined {
    this.#skipBlanks()
    const start = this.#at
    const target = this.#callTarget(mnemonic)
    if (target === undefined) {
      this.#fail(`expected a block or an instruction behind ${mnemonic}, found ${this.#found()}`, start)
      return undefined
    }
    if ('operand' in target) return { mnemonic, operand: target.operand }
    let call = target.call
    if (call.instance === undefined && this.#match(COMMA) !== undefined) {
      const at = this.#at
      const instance = this.#instance()
      if (instance === undefined) {
        this.#fail(`expected the instance data block, found ${this.#found()}`, at)
        return undefined
      }
      call = {
        ...call,
        ...(call.target === 'block' ? { blockType: call.blockType === 'SFB' ? 'SFB' : 'FB' } : {}),
        instance,
      }
    }
    const parts = this.#parameters()
    if (parts === undefined) return undefined
    const { comment, templates, parameters } = parts
    // Only instructions have templates: `CALL #timer` with some is one that the instance's type names.
    if (templates.length > 0 && call.target === 'multiInstance') call = { ...call, target: 'instruction', name: '' }
    return {
      mnemonic,
      call: { ...call, ...(templates.length === 0 ? {} : { templates }), parameters },
      ...(comment === undefined ? {} : { comment }),
    }
  }

  #callTarget(mnemonic: string): { call: StatementCall } | { operand: Operand } | undefined {
    const text = this.#text
    const block = this.#match(BLOCK_TARGET)
    if (block !== undefined) {
      const blockType = (block[1] as string).toUpperCase()
      const target = blockType.startsWith('S') ? 'instruction' : 'block'
      const name = `${blockType}${Number(block[2])}`
      return { call: { target, name, blockType, blockNumber: Number(block[2]), parameters: [] } }
    }
    if (text[this.#at] === '"') {
      const close = text.indexOf('"', this.#at + 1)
      const name = text.slice(this.#at + 1, close)
      if (close === -1 || close >= this.#to || name === '' || /[\r\n]/.test(name)) return undefined
      this.#at = close + 1
      // Without an instance data block it is a function.
      return { call: { target: 'block', name, blockType: 'FC', parameters: [] } }
    }
    const found = this.#scan()
    if (found === undefined) return undefined
    const { operand, end } = found
    if (mnemonic !== 'CALL') {
      this.#at = end
      return { operand }
    }
    if (operand.kind !== 'symbol') return undefined
    const { scope, path } = operand
    this.#at = end
    if (scope === 'LocalVariable') {
      const name = path.at(-1)?.name ?? ''
      return { call: { target: 'multiInstance', name, instance: { scope, path }, parameters: [] } }
    }
    if (scope !== 'Undef' || path.length !== 1) return undefined
    return { call: { target: 'instruction', name: path[0]?.name ?? '', parameters: [] } }
  }

  #instance(): Instance | undefined {
    const block = this.#match(DATA_BLOCK)
    if (block !== undefined) return { scope: 'GlobalVariable', path: [{ name: `DB${Number(block[1])}` }] }
    const found = this.#scan()
    if (found?.operand.kind !== 'symbol') return undefined
    this.#at = found.end
    return { scope: found.operand.scope, path: found.operand.path }
  }

  /** Templates and parameters behind a target, which may stand on the lines that follow; `undefined` beside a fault. */
  #parameters(): { comment?: string; templates: TemplateValue[]; parameters: StatementCall['parameters'] } | undefined {
    const back = this.#at
    const comments = this.#skipTrivia()
    let templates: TemplateValue[] = []
    if (this.#text[this.#at] === '{') {
      const close = this.#text.indexOf('}', this.#at)
      if (close === -1 || close >= this.#to) {
        this.#fail('this pragma has no "}"', this.#at)
        return undefined
      }
      templates = parsePragma(this.#text.slice(this.#at, close + 1)).map(template)
      this.#at = close + 1
      comments.push(...this.#skipTrivia())
    }
    const comment = comments.length === 0 ? {} : { comment: comments.join(' ') }
    if (this.#text[this.#at] === '(') {
      this.#at++
      const parameters = this.#parameterList(')')
      return parameters === undefined ? undefined : { ...comment, templates, parameters }
    }
    EDITOR_PARAMETER.lastIndex = this.#at
    if (this.#at > back && this.#at < this.#to && EDITOR_PARAMETER.test(this.#text)) {
      const parameters = this.#parameterList('')
      return parameters === undefined ? undefined : { ...comment, templates, parameters }
    }
    // Nothing of the call: what was passed over is read as lines.
    if (templates.length === 0) this.#at = back
    return { ...(templates.length === 0 ? {} : comment), templates, parameters: [] }
  }

  /** Passes over blanks, line ends and comments; their texts. */
  #skipTrivia(): string[] {
    const texts: string[] = []
    while (this.#skipBlanks()) {
      if (this.#isCommentStart()) texts.push(...this.#comments())
      else if (this.#isLineEnd()) this.#at++
      else break
    }
    return texts
  }

  /** Parameters up to `)`; with '' as the editor of TIA Portal shows them, one on each line without brackets. */
  #parameterList(close: ')' | ''): StatementCall['parameters'] | undefined {
    const parameters: { name: string; value?: Operand; kept?: Kept }[] = []
    for (;;) {
      const comments = this.#skipTrivia()
      const last = parameters.at(-1)
      if (last !== undefined && comments.length > 0) last.kept = withComments(last.kept, last.value, comments)
      if (close !== '' && this.#text[this.#at] === close) {
        this.#at++
        return parameters
      }
      const name = this.#parameterName()
      if (name === undefined || this.#match(ASSIGN) === undefined) {
        this.#skipBlanks()
        const what = close === '' ? 'a parameter' : 'a parameter or ")"'
        return this.#failList(`expected ${what} ("name := value"), found ${this.#found()}`)
      }
      const char = this.#text[this.#at]
      if (this.#isLineEnd() || char === ',' || char === ')' || this.#isCommentStart()) parameters.push({ name })
      else {
        const found = this.#scan()
        if (found === undefined) return this.#failList(`expected the value of ${name}, found ${this.#found()}`)
        this.#at = found.end
        parameters.push({ name, value: found.operand })
      }
      if (close === '') {
        if (!this.#hasNextEditorParameter()) return parameters
        continue
      }
      const between = this.#skipTrivia()
      const added = parameters.at(-1)
      if (added !== undefined && between.length > 0) added.kept = withComments(added.kept, added.value, between)
      if (this.#text[this.#at] === ',') this.#at++
      else if (this.#text[this.#at] !== ')') return this.#failList(`expected "," or ")", found ${this.#found()}`)
    }
  }

  #hasNextEditorParameter(): boolean {
    const back = this.#at
    this.#match(COMMA)
    this.#skipTrivia()
    EDITOR_PARAMETER.lastIndex = this.#at
    const isNext = this.#at < this.#to && EDITOR_PARAMETER.test(this.#text)
    this.#at = back
    if (isNext) this.#match(COMMA)
    return isNext
  }

  #parameterName(): string | undefined {
    const text = this.#text
    if (text[this.#at] === '"') {
      const end = text.indexOf('"', this.#at + 1)
      if (end === -1 || end >= this.#to) return undefined
      const name = text.slice(this.#at + 1, end)
      this.#at = end + 1
      return /[\r\n]/.test(name) ? undefined : name
    }
    if (this.#at >= this.#to || !isIdentifierStart(text.charCodeAt(this.#at))) return undefined
    const start = this.#at
    while (this.#at < this.#to && isIdentifierPart(text.charCodeAt(this.#at))) this.#at++
    return text.slice(start, this.#at)
  }

  /** A fault inside a list: the rest of the list up to `)` or `;` is passed over, over line ends too. */
  #failList(message: string): undefined {
    this.#fault(message, this.#at)
    this.#label = undefined
    while (this.#at < this.#to) {
      const char = this.#text[this.#at] as string
      if (char === ';') return undefined
      this.#at++
      if (char === ')') return undefined
    }
    return undefined
  }
}

/** Of a pragma behind a call. Counts are numbers, `relation` is an operator, everything else names a type. */
function template({ name, value }: { name: string; value: string }): TemplateValue {
  const type = /^\d+$/.test(value) ? 'Cardinality' : name.toLowerCase() === 'relation' ? 'Operation' : 'Type'
  return { name, type, value }
}

/** Comments of a parameter are kept as SimaticML has them: behind its value. */
function withComments(kept: Kept | undefined, value: Operand | undefined, comments: readonly string[]): Kept {
  const elements = [...(kept?.elements ?? [])]
  for (const comment of comments)
    elements.push({ at: elements.length + (value === undefined ? 0 : 1), xml: lineCommentXml(comment) })
  return { elements }
}
