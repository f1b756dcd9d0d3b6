/**
 * Where the formatter is in a source: the open blocks, sections, statements and brackets. From it follow the
 * indentation of a line, whether a word is a keyword, and whether a colon ends a label.
 */
import { Keyword } from '../../model/keywords.ts'
import { isLabel, type Line } from './format-lines.ts'
import { isSign } from './format-spacing.ts'
import { lastTrivia, TokenKind, type TokenList } from './tokens.ts'

const K = TokenKind

export const blockWords = words('FUNCTION', 'FUNCTION_BLOCK', 'ORGANIZATION_BLOCK', 'DATA_BLOCK', 'TYPE')
export const blockEnds = words(
  'END_FUNCTION',
  'END_FUNCTION_BLOCK',
  'END_ORGANIZATION_BLOCK',
  'END_DATA_BLOCK',
  'END_TYPE',
)
export const sectionWords = words('VAR', 'VAR_INPUT', 'VAR_OUTPUT', 'VAR_IN_OUT', 'VAR_TEMP', 'CONST', 'LABEL')
const sectionEnds = words('END_VAR', 'END_CONST', 'END_LABEL')
const statementWords = words('IF', 'CASE', 'FOR', 'WHILE', 'REPEAT', 'REGION')
const statementEnds = words('END_IF', 'END_CASE', 'END_FOR', 'END_WHILE', 'END_REPEAT', 'END_REGION')
/** Behind these a statement or a list of statements begins. */
const beginners = words('THEN', 'DO', 'ELSE', 'REPEAT', 'BEGIN')
const sectionAttributes = words('CONSTANT', 'RETAIN', 'NON_RETAIN', 'DB_SPECIFIC')

function words(...texts: (keyof typeof Keyword)[]): ReadonlySet<number> {
  return new Set(texts.map((text) => Keyword[text]))
}

interface Frame {
  readonly word: number
  /** Level of the line that opens it, and of the one that closes it. */
  readonly level: number
  /** Of a block: BEGIN was seen. Of a CASE: OF was seen. */
  open: boolean
  /** Of a CASE: a label was seen. */
  inBranch: boolean
}

interface Bracket {
  /** Column behind it in the result. */
  readonly column: number
  /** What follows it on its line: nothing yet, something, or the end of the line. */
  next: 'open' | 'filled' | 'hanging'
  /** Brackets around and with this one that end their line. */
  levels: number
}

/** Deeper levels and columns are not indented further: the result stays in line with the text, whatever it nests. */
const deepestLevel = 40
const widestColumn = 200

/** What lines are indented with. */
export interface IndentUnits {
  /** Of a line at a level. */
  of(level: number): string
  /** Of one level more, for what goes on from a line above. */
  readonly step: string
}

/** See the head of this file. Call `prefix`, then `see` for each token of a line, then `endLine`. */
export class FormatNesting {
  readonly #frames: Frame[] = []
  #brackets: Bracket[] = []
  /** A statement or declaration has begun and not ended. */
  #isOpen = false
  /** Tokens of the statement until now; its first line has the level. */
  #level = 0
  #indent = ''
  #previous = -1
  #sign = -1
  #isList = false

  /** True between BEGIN and the end of a block, and in a text without blocks. */
  get isCode(): boolean {
    const block = this.#frames[0]
    return block === undefined || !blockWords.has(block.word) || block.open
  }

  /** The block that is open. `open`: its BEGIN was seen. */
  get block(): { readonly word: number; readonly open: boolean } | undefined {
    const block = this.#frames[0]
    return block !== undefined && blockWords.has(block.word) ? block : undefined
  }

  /** Blocks, sections and statements that are open. */
  get depth(): number {
    return this.#frames.length
  }

  /** True when the token is a sign that belongs to the operand behind it. */
  isSign(token: number): boolean {
    return this.#sign === token
  }

  /** True inside of a statement list (STL): its body begins with NETWORK. */
  isVerbatim(tokens: TokenList, { tokens: line }: Line): boolean {
    if (!this.isCode || this.#frames.length !== 1) return this.#isList && !this.#ends(tokens, line)
    const first = line.find((token) => (tokens.kind[token] as number) > lastTrivia)
    if (first !== undefined && tokens.keyword[first] === Keyword.NETWORK) this.#isList = true
    return this.#isList && !this.#ends(tokens, line)
  }

  #ends(tokens: TokenList, line: readonly number[]): boolean {
    const ends = line.some((token) => blockEnds.has(tokens.keyword[token] as number))
    if (ends) this.#isList = false
    return ends
  }

  /** Whether a keyword token is one, and no name of a member or data type in a declaration. */
  isKeyword(tokens: TokenList, token: number, previous: number): boolean {
    if (previous >= 0 && tokens.kind[previous] === K.Dot) return false
    if (this.isCode) return true
    const word = tokens.keyword[token] as number
    if (previous < 0) return blockWords.has(word) || isDeclarationWord(word)
    return sectionAttributes.has(word) && sectionWords.has(this.#frames.at(-1)?.word ?? 0)
  }

  /** The indentation of a line. */
  prefix(tokens: TokenList, line: readonly number[], next: Line | undefined, units: IndentUnits): string {
    const bracket = this.#brackets.at(-1)
    const first = line[0] as number
    if (bracket !== undefined) {
      const closes = tokens.kind[first] === K.RightParen || tokens.kind[first] === K.RightBracket
      if (bracket.next === 'filled')
        return this.#indent.padEnd(Math.min(bracket.column, widestColumn) - (closes ? 1 : 0))
      return this.#indent + units.step.repeat(Math.min(bracket.levels, deepestLevel) - (closes ? 1 : 0))
    }
    const starter = line.find((token) => (tokens.kind[token] as number) > lastTrivia && tokens.kind[token] !== K.Pragma)
    if (this.#isOpen && !this.#isCloser(tokens, starter)) return this.#indent + units.step
    const level = starter === undefined ? this.#commentLevel(tokens, line, next) : this.#levelOf(tokens, line, starter)
    const indent = units.of(Math.min(level, deepestLevel))
    if (starter !== undefined) {
      this.#level = level
      this.#indent = indent
    }
    return indent
  }

  #isCloser(tokens: TokenList, token: number | undefined): boolean {
    if (token === undefined) return false
    const word = tokens.keyword[token] as number
    return statementEnds.has(word) || blockEnds.has(word) || sectionEnds.has(word) || word === Keyword.END_STRUCT
  }

  /** A comment before a label, or before what ends a block or section, is of that. */
  #commentLevel(tokens: TokenList, line: readonly number[], next: Line | undefined): number {
    const frame = this.#frames.at(-1)
    const starter = next?.tokens.find((token) => (tokens.kind[token] as number) > lastTrivia)
    if (frame?.word === Keyword.CASE && next !== undefined && isLabel(tokens, next.tokens)) return frame.level + 1
    const nextWord = starter === undefined ? 0 : (tokens.keyword[starter] as number)
    // The author's own indentation says whether a comment before ELSE is of the branch above or of the one below.
    if (frame?.word === Keyword.IF && next !== undefined && (nextWord === Keyword.ELSE || nextWord === Keyword.ELSIF))
      if (columnOf(tokens, line) <= columnOf(tokens, next.tokens)) return frame.level
    if (starter !== undefined && frame !== undefined && blockWords.has(frame.word) && !frame.open) {
      const word = tokens.keyword[starter] as number
      if (sectionWords.has(word) || word === Keyword.STRUCT) return frame.level + 1
    }
    return this.#contentLevel()
  }

  #levelOf(tokens: TokenList, line: readonly number[], starter: number): number {
    const word = tokens.keyword[starter] as number
    const frame = this.#frames.at(-1)
    if (word !== 0) {
      if (blockWords.has(word) && (frame === undefined || !this.isCode))
        return frame === undefined ? 0 : this.#contentLevel()
      if (word === Keyword.BEGIN || blockEnds.has(word)) return this.#frames[0]?.level ?? 0
      if (statementEnds.has(word) || sectionEnds.has(word) || word === Keyword.END_STRUCT) return frame?.level ?? 0
      if (word === Keyword.UNTIL) return frame?.level ?? 0
      if (word === Keyword.ELSIF) return frame?.level ?? 0
      if (word === Keyword.ELSE) return (frame?.level ?? 0) + (frame?.word === Keyword.CASE ? 1 : 0)
      if (frame !== undefined && blockWords.has(frame.word) && (sectionWords.has(word) || word === Keyword.STRUCT))
        return frame.level + 1
    }
    if (frame?.word === Keyword.CASE && frame.open && isLabel(tokens, line, line.indexOf(starter)))
      return frame.level + 1
    return this.#contentLevel()
  }

  #contentLevel(): number {
    const frame = this.#frames.at(-1)
    if (frame === undefined) return 0
    if (blockWords.has(frame.word)) return frame.level + (frame.open ? 1 : 0)
    return frame.level + (frame.word === Keyword.CASE && frame.inBranch ? 2 : 1)
  }

  /** Notes a token. @param column of its end in the result */
  see(tokens: TokenList, token: number, column: number): void {
    const kind = tokens.kind[token] as number
    if (kind <= lastTrivia || kind === K.Pragma) return
    const isInBrackets = this.#brackets.length > 0
    const bracket = this.#brackets.at(-1)
    if (bracket?.next === 'open') bracket.next = 'filled'
    this.#sign = isSign(tokens, token, this.#previous) ? token : -1
    const isStart = !this.#isOpen
    if (kind === K.LeftParen || kind === K.LeftBracket)
      this.#brackets.push({ column, next: 'open', levels: this.#brackets.at(-1)?.levels ?? 0 })
    else if (kind === K.RightParen || kind === K.RightBracket) this.#brackets.pop()
    else if (kind === K.Keyword && !isInBrackets && tokens.kind[this.#previous] !== K.Dot)
      this.#keyword(tokens.keyword[token] as number, isStart)
    else if (kind === K.Semicolon && !isInBrackets) this.#end()
    else if (kind === K.Colon && this.isCode && !isInBrackets) this.#label()
    else if (kind === K.Text) this.#end()
    else this.#isOpen = true
    if (kind === K.LeftParen || kind === K.LeftBracket) this.#isOpen = true
    this.#previous = this.#isOpen ? token : -1
  }

  #keyword(word: number, isStart: boolean): void {
    const frame = this.#frames.at(-1)
    this.#isOpen = true
    if (blockWords.has(word) && isStart && frame === undefined) this.#push(word, 0)
    else if (sectionWords.has(word) && frame !== undefined && blockWords.has(frame.word) && !frame.open)
      this.#push(word, frame.level + 1)
    else if (word === Keyword.STRUCT && !this.isCode) {
      this.#push(word, this.#level)
      this.#end()
    } else if (word === Keyword.BEGIN) {
      if (frame !== undefined) frame.open = true
      this.#end()
    } else if (blockEnds.has(word)) {
      this.#frames.length = 0
      this.#isList = false
      this.#end()
    } else if (sectionEnds.has(word) || word === Keyword.END_STRUCT || (statementEnds.has(word) && this.isCode)) {
      if (this.#frames.length > 0 && !blockWords.has(frame?.word ?? 0)) this.#frames.pop()
      this.#end()
    } else if (statementWords.has(word) && this.isCode && isStart) {
      this.#push(word, this.#level)
      if (word === Keyword.REPEAT) this.#end()
    } else if (word === Keyword.OF && frame?.word === Keyword.CASE && !frame.open) {
      frame.open = true
      this.#end()
    } else if (beginners.has(word) && this.isCode) {
      if (word === Keyword.ELSE && frame?.word === Keyword.CASE) frame.inBranch = true
      this.#end()
    }
  }

  #push(word: number, level: number): void {
    this.#frames.push({ word, level, open: false, inBranch: false })
  }

  #label(): void {
    const frame = this.#frames.at(-1)
    if (frame?.word === Keyword.CASE) frame.inBranch = true
    this.#end()
  }

  #end(): void {
    this.#isOpen = false
  }

  /** Lines of headers and of sections end with the line; statements and declarations with a semicolon. */
  endLine(): void {
    const frame = this.#frames.at(-1)
    const last = this.#brackets.at(-1)
    if (last?.next === 'open') {
      last.next = 'hanging'
      last.levels++
    }
    if (this.#brackets.length > 0) return
    const isHeader = frame !== undefined && blockWords.has(frame.word) && !frame.open
    const isSection = frame !== undefined && sectionWords.has(frame.word) && !this.#sectionOpen(frame)
    if (isHeader || isSection || frame?.word === Keyword.REGION || frame === undefined) {
      if (isHeader || isSection || !this.#isOpen || frame === undefined) this.#end()
      this.#previous = this.#isOpen ? this.#previous : -1
    }
  }

  /** Notes that the line of a section's first word has ended. */
  #sectionOpen(frame: Frame): boolean {
    const was = frame.open
    frame.open = true
    return was
  }
}

const declarationWords = new Set([
  ...sectionWords,
  ...sectionEnds,
  ...blockEnds,
  Keyword.BEGIN,
  Keyword.END_STRUCT,
  Keyword.STRUCT,
])
const isDeclarationWord = (word: number) => declarationWords.has(word)

/** Column of the first token of a line, in characters. */
function columnOf(tokens: TokenList, line: readonly number[]): number {
  const start = tokens.start[line[0] as number] as number
  return start - (tokens.text.lastIndexOf('\n', start - 1) + 1)
}
