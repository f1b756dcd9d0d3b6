/**
 * The lines of sources as TIA Portal writes them when it generates sources from blocks: three blanks for a level of
 * declarations, a blank behind the word of most sections, fixed empty lines, and a tab before each line of a body,
 * which is otherwise as its editor has it (docs/formats.md#external-sources).
 */
import { Keyword } from '../../model/keywords.ts'
import { blockEnds, blockWords, type FormatNesting, type IndentUnits, sectionWords } from './format-nesting.ts'

/** Where the last written line was. */
type Place = 'outside' | 'block end' | 'header' | 'section end' | 'static end' | 'section' | 'body'

/** Sections of static members: no empty line is between them. */
const staticSection = /^\s*VAR(\s+(RETAIN|NON_RETAIN|DB_SPECIFIC))?\s*$/i
/** Words of sections with a blank behind. */
const withBlank = /^ {3}VAR(_INPUT|_OUTPUT|_IN_OUT|_TEMP| CONSTANT)?$/i

export class TiaLayout implements IndentUnits {
  /** Blanks between a declaration and its comment. */
  readonly beforeComment = '   '
  readonly #nesting: FormatNesting
  #place: Place = 'outside'
  #isStatic = false
  #hadSection = false
  #depth = 0

  constructor(nesting: FormatNesting) {
    this.#nesting = nesting
  }

  /** Statements of a block; values of a data block are none. */
  get isBody(): boolean {
    const { block } = this.#nesting
    return block?.open === true && block.word !== Keyword.DATA_BLOCK
  }

  /** What is declared in a block, its head, and values of a data block. */
  get isDeclared(): boolean {
    return this.#nesting.block !== undefined && !this.isBody
  }

  get step(): string {
    return this.#nesting.isCode && !this.#isInData ? '    ' : '   '
  }

  of(level: number): string {
    if (this.#nesting.block === undefined) return this.step.repeat(level)
    return this.isBody && level > 0 ? `\t${'    '.repeat(level - 1)}` : '   '.repeat(level)
  }

  get #isInData(): boolean {
    return this.#nesting.block?.word === Keyword.DATA_BLOCK
  }

  /** The comment of a block is in its head. */
  isBlockComment(word: number): boolean {
    return word === 0 && this.#nesting.block?.open === false && this.#nesting.depth === 1 && !this.#hadSection
  }

  /**
   * Empty lines before a line; call it before the line is seen.
   * @param word its first keyword; 0: none
   * @param text the line as it will be
   */
  linesBefore(word: number, text: string): number {
    const { depth, block } = this.#nesting
    this.#depth = depth
    const place = this.#place
    const ended = place === 'section end' || place === 'static end'
    if (depth === 0) return place === 'block end' ? 1 : 0
    if (word === Keyword.BEGIN) return ended ? 2 : 1
    if (blockEnds.has(word)) return block?.word === Keyword.TYPE || this.#isInData ? 1 : 0
    if (depth > 1 || block?.open === true) return 0
    // A comment between sections is of the next one.
    if (word === 0 && ended) {
      this.#place = 'header'
      return 1
    }
    if (!this.#isSection(word)) return 0
    this.#isStatic = staticSection.test(text)
    return place === 'section end' || (place === 'static end' && !this.#isStatic) ? 1 : 0
  }

  #isSection(word: number): boolean {
    return sectionWords.has(word) || word === Keyword.STRUCT
  }

  /** Notes a line that has been seen. */
  lineSeen(word: number): void {
    const { depth, block } = this.#nesting
    if (depth === 0)
      this.#place = blockEnds.has(word) ? 'block end' : this.#place === 'block end' ? 'block end' : 'outside'
    else if (block?.open === true) this.#place = 'body'
    else if (blockWords.has(word) && this.#depth === 0) {
      this.#place = 'header'
      this.#hadSection = false
    } else if (depth > 1) this.#place = 'section'
    else if (this.#depth > 1 || this.#isSection(word)) this.#place = this.#isStatic ? 'static end' : 'section end'
    if (this.#place === 'section') this.#hadSection = true
  }

  /** The line with what TIA Portal has behind the word of a section. */
  withTail(text: string): string {
    if (this.#depth !== 1) return text
    return withBlank.test(text) || (this.#isInData && /^ {3}STRUCT$/i.test(text)) ? `${text} ` : text
  }

  /** Empty lines behind the last line. */
  get linesAtEnd(): number {
    return this.#place === 'block end' ? 1 : 0
  }
}
