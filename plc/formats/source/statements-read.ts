/**
 * Reads STL (AWL) text to statements, in both sets of mnemonics. statements-write.ts is the inverse.
 *
 * One line contains one statement; `;` ends a statement too, so several may share a line. Blank lines and comments are
 * statements without an instruction, as in SimaticML (`EMPTY_LINE`, `COMMENT`). The parameters of a CALL may follow on
 * the next lines.
 *
 * A word that is no instruction is kept as a statement when an operand or nothing follows it: other devices have other
 * instructions, and the compiler reports which of them exist. Anything else is a fault, and reading continues after it.
 * Facts: STEP 7 "Programming with STEP 7" 13 (STL sources); docs/formats.md#external-sources.
 */

import { defined } from '../../../lib/optional.ts'
import { lineCommentXml } from '../../languages/stl/comments.ts'
import {
  internationalMnemonic,
  type MnemonicSet,
  setOfMnemonic,
  stlInstruction,
} from '../../languages/stl/mnemonics.ts'
import { type ScannedOperand, type StlNames, scanStlOperand } from '../../languages/stl/operand.ts'
import type { Instance, TemplateValue } from '../../model/instance.ts'
import type { Kept } from '../../model/kept.ts'
import { isReservedWord } from '../../model/keywords.ts'
import { isIdentifierPart } from '../../model/names.ts'
import type { Operand } from '../../model/operand.ts'
import type { Statement, StatementCall } from '../../model/statement.ts'
import { parsePragma } from './pragma.ts'
import { StatementCursor } from './statement-cursor.ts'

export interface StatementTextOptions {
  /** Part of the text to read; default all of it. */
  readonly from?: number
  readonly to?: number
  /** Default: the set that the text itself shows (`mnemonicSetOf`). */
  readonly mnemonics?: MnemonicSet
  readonly names?: StlNames
  /** Gets the offset of each statement in the text. */
  readonly offsets?: number[]
  /** Called for everything that cannot be read, with its offset in the text. */
  readonly fault?: (message: string, offset: number) => void
}

/** Reads statements. Never throws; linear in the length of the text. */
export function readStatements(text: string, options: StatementTextOptions = {}): Statement[] {
  return new StatementReader(text, options).read()
}

/**
 * Returns the set of mnemonics of a text: that of the first instruction which only one set has; `undefined` when there
 * is none.
 */
export function mnemonicSetOf(text: string, from = 0, to = text.length): MnemonicSet | undefined {
  return new StatementReader(text, { from, to, mnemonics: 'international' }).findSet()
}

const symbols = /(?:==|<>|>=|<=|>|<)[IDR](?!\w)|\+AR[12](?!\w)|[-+*/][IDR](?!\w)|\)MCR(?!\w)|=(?!=)|\+|\)/iy
const wordPattern = /[A-Za-z_]\w*/y
/** Words that form one instruction with the next word. */
const secondWord = /[ \t]+(0|1|DBLG|DILG|DBNO|DINO|AR2)(?![\w.#"[])/iy
const twoWords: ReadonlySet<string> = new Set([
  'NOP 0',
  'NOP 1',
  'L DBLG',
  'L DILG',
  'L DBNO',
  'L DINO',
  'LAR1 AR2',
  'TAR1 AR2',
])
const opensBracket: ReadonlySet<string> = new Set(['A', 'AN', 'U', 'UN', 'O', 'ON', 'X', 'XN', 'MCR'])
const bracket = /[ \t]*\(/y
const dataInstance = /[ \t]+(?=%?DI(?![A-Za-z]))/iy
const blockTarget = /%?(SFB|SFC|FB|FC)[ \t]*(\d{1,5})(?![\w.#])/iy
const dataBlock = /%?DB[ \t]*(\d{1,5})(?![\w.#])/iy
const comma = /[ \t]*,[ \t]*/y
const assign = /[ \t]*(?::=|=>)[ \t]*/y
const editorParameter = /[ \t]*(?:"[^"\n]+"|[A-Za-z_]\w*)[ \t]*:=/y
/** The longest pragma after a call, in characters; a search for its end goes no further. */
const longestPragma = 4096
/** A German spelling in the schema's own notes, besides that of the manual. */
const otherSpellings: Readonly<Record<string, string>> = { SPBNI: 'SPBIN' }

class StatementReader {
  readonly #cursor: StatementCursor
  readonly #set: MnemonicSet
  /** While searching for the set: that of the first instruction which only one set has. */
  #search: { set?: MnemonicSet } | undefined
  readonly #names: StlNames
  readonly #fault: (message: string, offset: number) => void
  readonly #statements: Statement[] = []
  readonly #offsets: number[]
  /** Where what is read now begins, its label included. */
  #start = 0
  /** A label whose statement has not been read yet. */
  #label: string | undefined
  /** Whether the current line is blank so far, and the index of the statement that a comment on it belongs to. */
  #isBlank = true
  #onLine = -1

  constructor(text: string, options: StatementTextOptions) {
    const { from = 0, to = text.length, names = {}, offsets = [], fault = () => {} } = options
    this.#offsets = offsets
    this.#cursor = new StatementCursor(text, from, to, fault)
    this.#set = options.mnemonics ?? mnemonicSetOf(text, from, to) ?? 'international'
    this.#names = names
    this.#fault = fault
  }

  read(): Statement[] {
    while (this.#cursor.skipBlanks()) this.#next()
    if (this.#label !== undefined) this.#push({ mnemonic: '' })
    return this.#statements
  }

  /** Reads up to the first instruction that shows its set. */
  findSet(): MnemonicSet | undefined {
    this.#search = {}
    this.read()
    return this.#search.set
  }

  #next(): void {
    const text = this.#cursor.text
    const char = text[this.#cursor.at] as string
    if (this.#label === undefined) this.#start = this.#cursor.at
    if (char === '\n' || char === '\r') this.#newLine()
    else if (char === ';') {
      this.#cursor.at++
      this.#isBlank = false
      if (this.#label !== undefined) this.#push({ mnemonic: '' })
    } else if (this.#cursor.isCommentStart()) for (const comment of this.#cursor.comments()) this.#addComment(comment)
    else {
      this.#isBlank = false
      const start = this.#cursor.at
      const label = this.#readLabel()
      if (label === undefined) this.#statement()
      else if (this.#label !== undefined) this.#fail('a statement has one label', start)
      else this.#label = label
    }
  }

  #newLine(): void {
    if (this.#isBlank && this.#label === undefined) this.#append({ mnemonic: '' })
    this.#cursor.at += this.#cursor.text.startsWith('\r\n', this.#cursor.at) ? 2 : 1
    this.#isBlank = true
    this.#onLine = -1
  }

  #push(statement: Statement): void {
    const label = this.#label
    this.#label = undefined
    this.#onLine = this.#statements.length
    this.#append(label === undefined ? statement : { label, ...statement })
  }

  #append(statement: Statement): void {
    this.#statements.push(statement)
    this.#offsets.push(this.#start)
  }

  #addComment(comment: string): void {
    this.#isBlank = false
    const before = this.#statements[this.#onLine]
    if (before !== undefined && before.comment === undefined) this.#statements[this.#onLine] = { ...before, comment }
    else this.#append({ mnemonic: '', comment })
  }

  // ── Statements ──

  /** Records a fault and continues after the statement. */
  #fail(message: string, offset: number): void {
    this.#fault(message, offset)
    this.#label = undefined
    this.#cursor.skipStatement()
  }

  /** Reads `M001:`; `undefined` when there is no label. */
  #readLabel(): string | undefined {
    const text = this.#cursor.text
    let end = this.#cursor.at
    while (end < this.#cursor.to && isIdentifierPart(text.charCodeAt(end))) end++
    if (end === this.#cursor.at) return undefined
    const name = text.slice(this.#cursor.at, end)
    while (text[end] === ' ' || text[end] === '\t') end++
    if (end >= this.#cursor.to || text[end] !== ':' || text[end + 1] === '=') return undefined
    this.#cursor.at = end + 1
    return name
  }

  #statement(): void {
    const start = this.#cursor.at
    const mnemonic = this.#mnemonic()
    const typed = this.#cursor.text.slice(start, this.#cursor.at).replace(/[ \t]+\(/, '(')
    const set = setOfMnemonic(typed.toUpperCase())
    if (set !== undefined && set !== this.#set) {
      this.#fail(`${typed} is one of the ${set} mnemonics, but this text uses the ${this.#set} ones`, start)
      return
    }
    if (mnemonic === undefined) {
      this.#fail(`expected an instruction, found ${this.#cursor.found()}`, start)
      return
    }
    const statement = this.#operandOf(mnemonic, start)
    if (statement === undefined) return
    const end = this.#cursor.at
    this.#cursor.skipBlanks()
    if (this.#cursor.isLineEnd() || this.#cursor.text[this.#cursor.at] === ';' || this.#cursor.isCommentStart()) {
      if (this.#cursor.text[this.#cursor.at] === ';') this.#cursor.at++
      this.#push(statement)
    } else
      this.#fail(
        `expected ";" or the end of the line behind ${JSON.stringify(this.#cursor.text.slice(start, Math.min(end, start + 60)))}, found ${this.#cursor.found()}`,
        this.#cursor.at,
      )
  }

  /**
   * The instruction at the position, international and in upper case; a word that is no instruction stays as it is
   * typed.
   */
  #mnemonic(): string | undefined {
    const symbol = this.#cursor.match(symbols)?.[0]
    if (symbol !== undefined) return symbol.toUpperCase()
    const word = this.#cursor.match(wordPattern)?.[0]
    if (word === undefined) return undefined
    const typed = otherSpellings[word.toUpperCase()] ?? word.toUpperCase()
    const set = setOfMnemonic(typed)
    if (set !== undefined && this.#search !== undefined) {
      this.#search.set = set
      this.#cursor.to = this.#cursor.at
    }
    const back = this.#cursor.at
    if (opensBracket.has(typed) && this.#cursor.match(bracket) !== undefined) {
      const isComment = this.#cursor.text[this.#cursor.at] === '*'
      if (!isComment) return internationalMnemonic(`${typed}(`, this.#set) ?? `${typed}(`
      this.#cursor.at = back
    }
    if (typed === 'RND' && /[+-]/.test(this.#cursor.text[this.#cursor.at] ?? ''))
      return typed + this.#cursor.text[this.#cursor.at++]
    const second = this.#cursor.match(secondWord)?.[1]
    if (second !== undefined) {
      const words = `${typed} ${second.toUpperCase()}`
      if (twoWords.has(words)) return words
      this.#cursor.at = back
    }
    return internationalMnemonic(typed, this.#set) ?? word
  }

  #operandOf(mnemonic: string, start: number): Statement | undefined {
    const instruction = stlInstruction(mnemonic)
    const kind = instruction?.operands[0]
    if (kind === 'call') return this.#call(mnemonic)
    // `OPN DI 5` of STEP 7 is `OPNDI` of TIA Portal.
    const name = mnemonic === 'OPN' && this.#cursor.match(dataInstance) !== undefined ? 'OPNDI' : mnemonic
    this.#cursor.skipBlanks()
    const isAlone =
      this.#cursor.isLineEnd() || this.#cursor.text[this.#cursor.at] === ';' || this.#cursor.isCommentStart()
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
        ? `${JSON.stringify(mnemonic)} is no instruction of STL, and what follows is no operand: ${this.#cursor.found()}`
        : `expected an operand of ${mnemonic}, found ${this.#cursor.found()}`
      this.#fail(message, isWord ? start : this.#cursor.at)
      return undefined
    }
    if (instruction !== undefined && instruction.operands.length === 0) {
      this.#fail(`${mnemonic} takes no operand`, this.#cursor.at)
      return undefined
    }
    this.#cursor.at = found.end
    return { mnemonic: name, operand: found.operand }
  }

  #scan(): ScannedOperand | undefined {
    const found = scanStlOperand(this.#cursor.text, this.#cursor.at, this.#names)
    return found === undefined || found.end > this.#cursor.to ? undefined : found
  }

  #jump(mnemonic: string): Statement | undefined {
    const start = this.#cursor.at
    while (this.#cursor.at < this.#cursor.to && isIdentifierPart(this.#cursor.text.charCodeAt(this.#cursor.at)))
      this.#cursor.at++
    if (this.#cursor.at > start)
      return { mnemonic, operand: { kind: 'label', name: this.#cursor.text.slice(start, this.#cursor.at) } }
    this.#fail(`expected the label ${mnemonic} jumps to, found ${this.#cursor.found()}`, start)
    return undefined
  }

  // ── Calls ──

  #call(mnemonic: string): Statement | undefined {
    this.#cursor.skipBlanks()
    const start = this.#cursor.at
    const target = this.#callTarget(mnemonic)
    if (target === undefined) {
      this.#fail(`expected a block or an instruction behind ${mnemonic}, found ${this.#cursor.found()}`, start)
      return undefined
    }
    if ('operand' in target) return { mnemonic, operand: target.operand }
    let call = target.call
    if (call.instance === undefined && this.#cursor.match(comma) !== undefined) {
      const at = this.#cursor.at
      const instance = this.#instance()
      if (instance === undefined) {
        this.#fail(`expected the instance data block, found ${this.#cursor.found()}`, at)
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
    if (call.target === 'multiInstance') {
      const name = this.#names.instructionOf?.(call.instance?.path ?? [])
      // Only instructions have templates, also when their name is not known.
      if (name !== undefined || templates.length > 0) call = { ...call, target: 'instruction', name: name ?? '' }
    }
    return {
      mnemonic,
      call: { ...call, ...(templates.length === 0 ? {} : { templates }), parameters },
      ...defined({ comment }),
    }
  }

  #callTarget(mnemonic: string): { call: StatementCall } | { operand: Operand } | undefined {
    const text = this.#cursor.text
    const block = this.#cursor.match(blockTarget)
    if (block !== undefined) {
      const blockType = (block[1] as string).toUpperCase()
      const target = blockType.startsWith('S') ? 'instruction' : 'block'
      const name = `${blockType}${Number(block[2])}`
      return { call: { target, name, blockType, blockNumber: Number(block[2]), parameters: [] } }
    }
    if (text[this.#cursor.at] === '"') {
      const close = text.indexOf('"', this.#cursor.at + 1)
      const name = text.slice(this.#cursor.at + 1, close)
      if (close === -1 || close >= this.#cursor.to || name === '' || /[\r\n]/.test(name)) return undefined
      this.#cursor.at = close + 1
      // Without an instance data block it is a function.
      return { call: { target: 'block', name, blockType: 'FC', parameters: [] } }
    }
    const found = this.#scan()
    if (found === undefined) return undefined
    const { operand, end } = found
    if (mnemonic !== 'CALL') {
      this.#cursor.at = end
      return { operand }
    }
    if (operand.kind !== 'symbol') return undefined
    const { scope, path } = operand
    this.#cursor.at = end
    if (scope === 'LocalVariable') {
      const name = path.at(-1)?.name ?? ''
      return { call: { target: 'multiInstance', name, instance: { scope, path }, parameters: [] } }
    }
    if (scope !== 'Undef' || path.length !== 1) return undefined
    return { call: { target: 'instruction', name: path[0]?.name ?? '', parameters: [] } }
  }

  #instance(): Instance | undefined {
    const block = this.#cursor.match(dataBlock)
    if (block !== undefined) return { scope: 'GlobalVariable', path: [{ name: `DB${Number(block[1])}` }] }
    const found = this.#scan()
    if (found?.operand.kind !== 'symbol') return undefined
    this.#cursor.at = found.end
    return { scope: found.operand.scope, path: found.operand.path }
  }

  /**
   * Reads templates and parameters after a target, which may be on the following lines; `undefined` and a fault on
   * failure.
   */
  #parameters(): { comment?: string; templates: TemplateValue[]; parameters: StatementCall['parameters'] } | undefined {
    const back = this.#cursor.at
    let comments = this.#cursor.skipTrivia()
    let templates: TemplateValue[] = []
    if (this.#cursor.text[this.#cursor.at] === '{') {
      const start = this.#cursor.at
      const close = start + this.#cursor.text.slice(start, start + longestPragma).indexOf('}')
      if (close < start || close >= this.#cursor.to) {
        this.#fail('this pragma has no "}"', this.#cursor.at)
        return undefined
      }
      templates = parsePragma(this.#cursor.text.slice(this.#cursor.at, close + 1)).map(template)
      this.#cursor.at = close + 1
      comments = comments.concat(this.#cursor.skipTrivia())
    }
    const comment = comments.length === 0 ? {} : { comment: comments.join(' ') }
    if (this.#cursor.text[this.#cursor.at] === '(') {
      this.#cursor.at++
      const parameters = this.#parameterList(')')
      return parameters === undefined ? undefined : { ...comment, templates, parameters }
    }
    editorParameter.lastIndex = this.#cursor.at
    if (this.#cursor.at > back && this.#cursor.at < this.#cursor.to && editorParameter.test(this.#cursor.text)) {
      const parameters = this.#parameterList('')
      return parameters === undefined ? undefined : { ...comment, templates, parameters }
    }
    // Not part of the call: what was skipped is read as lines.
    if (templates.length === 0) this.#cursor.at = back
    return { ...(templates.length === 0 ? {} : comment), templates, parameters: [] }
  }

  /** Reads parameters up to `)`; with '' one per line without brackets, as the editor of TIA Portal shows them. */
  #parameterList(close: ')' | ''): StatementCall['parameters'] | undefined {
    const parameters: { name: string; value?: Operand; kept?: Kept }[] = []
    for (;;) {
      const comments = this.#cursor.skipTrivia()
      const last = parameters.at(-1)
      if (last !== undefined && comments.length > 0) last.kept = withComments(last.kept, last.value, comments)
      if (close !== '' && this.#cursor.text[this.#cursor.at] === close) {
        this.#cursor.at++
        return parameters
      }
      const name = this.#cursor.name()
      if (name === undefined || this.#cursor.match(assign) === undefined) {
        this.#cursor.skipBlanks()
        const what = close === '' ? 'a parameter' : 'a parameter or ")"'
        return this.#failList(`expected ${what} ("name := value"), found ${this.#cursor.found()}`)
      }
      const char = this.#cursor.text[this.#cursor.at]
      if (this.#cursor.isLineEnd() || char === ',' || char === ')' || this.#cursor.isCommentStart())
        parameters.push({ name })
      else {
        const found = this.#scan()
        if (found === undefined) return this.#failList(`expected the value of ${name}, found ${this.#cursor.found()}`)
        this.#cursor.at = found.end
        parameters.push({ name, value: found.operand })
      }
      if (close === '') {
        if (!this.#hasNextEditorParameter()) return parameters
        continue
      }
      const between = this.#cursor.skipTrivia()
      const added = parameters.at(-1)
      if (added !== undefined && between.length > 0) added.kept = withComments(added.kept, added.value, between)
      if (this.#cursor.text[this.#cursor.at] === ',') this.#cursor.at++
      else if (this.#cursor.text[this.#cursor.at] !== ')')
        return this.#failList(`expected "," or ")", found ${this.#cursor.found()}`)
    }
  }

  #hasNextEditorParameter(): boolean {
    const back = this.#cursor.at
    this.#cursor.match(comma)
    this.#cursor.skipTrivia()
    editorParameter.lastIndex = this.#cursor.at
    const isNext = this.#cursor.at < this.#cursor.to && editorParameter.test(this.#cursor.text)
    this.#cursor.at = back
    if (isNext) this.#cursor.match(comma)
    return isNext
  }

  /** After a fault inside a list, skips the rest of the list up to `)` or `;`, across line ends too. */
  #failList(message: string): undefined {
    this.#fault(message, this.#cursor.at)
    this.#label = undefined
    while (this.#cursor.at < this.#cursor.to) {
      const char = this.#cursor.text[this.#cursor.at] as string
      if (char === ';') return undefined
      this.#cursor.at++
      if (char === ')') return undefined
    }
    return undefined
  }
}

/**
 * A template from a pragma after a call. Counts are numbers, `relation` is an operator, everything else names a type.
 */
function template({ name, value }: { name: string; value: string }): TemplateValue {
  const type = /^\d+$/.test(value) ? 'Cardinality' : name.toLowerCase() === 'relation' ? 'Operation' : 'Type'
  return { name, type, value }
}

/** Keeps comments of a parameter as SimaticML does: after its value. */
function withComments(kept: Kept | undefined, value: Operand | undefined, comments: readonly string[]): Kept {
  const elements = [...(kept?.elements ?? [])]
  for (const comment of comments)
    elements.push({ at: elements.length + (value === undefined ? 0 : 1), xml: lineCommentXml(comment) })
  return { elements }
}
