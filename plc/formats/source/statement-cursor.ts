/**
 * A position in the text of statements: blanks, line ends, comments, names. It never moves beyond the end of its part
 * of the text.
 */

import { isIdentifierPart, isIdentifierStart, isWideSpace } from '../../model/names.ts'

export class StatementCursor {
  readonly text: string
  readonly fault: (message: string, offset: number) => void
  at: number
  to: number

  /** `from .. to` is the part of the text to read. */
  constructor(text: string, from: number, to: number, fault: (message: string, offset: number) => void) {
    this.text = text
    this.at = from
    this.to = to
    this.fault = fault
  }

  /** Moves to the next character that is no blank; false at the end. */
  skipBlanks(): boolean {
    while (this.at < this.to) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 32 && code !== 9 && !isWideSpace(code)) return true
      this.at++
    }
    return false
  }

  /** Matches a sticky pattern at the position and moves after it. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found === null || pattern.lastIndex > this.to) return undefined
    this.at = pattern.lastIndex
    return found
  }

  /** Whether the line or the part ends here. */
  isLineEnd(): boolean {
    const char = this.text[this.at]
    return this.at >= this.to || char === '\n' || char === '\r'
  }

  isCommentStart(): boolean {
    const text = this.text
    return text.startsWith('//', this.at) || text.startsWith('/*', this.at) || text.startsWith('(*', this.at)
  }

  /** Reads the comment at the position, one text per line, and moves after it. */
  comments(): string[] {
    const text = this.text
    if (text.startsWith('//', this.at)) {
      const start = this.at + 2
      while (!this.isLineEnd()) this.at++
      return [text.slice(start, this.at)]
    }
    const start = this.at + 2
    const close = text.indexOf(text[this.at] === '(' ? '*)' : '*/', start)
    const isClosed = close !== -1 && close < this.to
    if (!isClosed) this.fault('this comment has no end', this.at)
    this.at = isClosed ? close + 2 : this.to
    return text.slice(start, isClosed ? close : this.to).split(/\r\n?|\n/)
  }

  /** Skips the rest of a statement, up to `;`, a comment or the end of the line. */
  skipStatement(): void {
    let quote = ''
    for (; !this.isLineEnd(); this.at++) {
      const char = this.text[this.at] as string
      if (quote !== '') quote = char === quote ? '' : quote
      else if (char === '"' || char === "'") quote = char
      else if (char === ';' || this.text.startsWith('//', this.at)) return
    }
  }

  /** Describes what is at the position, for faults. */
  found(): string {
    const { length } = (this.isLineEnd() ? '' : /^\S{1,40}/.exec(this.text.slice(this.at, this.at + 41))?.[0]) ?? ''
    return length === 0 ? 'the end of the line' : JSON.stringify(this.text.slice(this.at, this.at + length))
  }

  /** Skips blanks, line ends and comments; returns the texts of the comments. */
  skipTrivia(): string[] {
    const texts: string[] = []
    while (this.skipBlanks()) {
      if (this.isCommentStart()) for (const text of this.comments()) texts.push(text)
      else if (this.isLineEnd()) this.at++
      else break
    }
    return texts
  }

  /** Reads a name, quoted or not; returns it without its quotes. */
  name(): string | undefined {
    const text = this.text
    if (text[this.at] === '"') {
      const end = text.indexOf('"', this.at + 1)
      if (end === -1 || end >= this.to) return undefined
      const name = text.slice(this.at + 1, end)
      this.at = end + 1
      return /[\r\n]/.test(name) ? undefined : name
    }
    if (this.at >= this.to || !isIdentifierStart(text.charCodeAt(this.at))) return undefined
    const start = this.at
    while (this.at < this.to && isIdentifierPart(text.charCodeAt(this.at))) this.at++
    return text.slice(start, this.at)
  }
}
