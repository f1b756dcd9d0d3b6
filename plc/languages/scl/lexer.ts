/**
 * Lexer of SCL and external sources: one pass over the char codes, no regular expression, no string per token. It never
 * fails: whatever it does not recognise becomes a token too, so the texts of all tokens joined are the input. Facts:
 * docs/formats.md#scl-and-stl-networks, docs/formats.md#external-sources, docs/plc-semantics.md#statements-and-names.
 */

import { Keyword, keywordAt } from '../../model/keywords.ts'
import { isIdentifierPart, isIdentifierStart, isWideSpace } from '../../model/names.ts'
import {
  apostropheCode,
  blankClass,
  calendarTypes,
  carriageReturnCode,
  charClasses,
  colonCode,
  digitClass,
  dollarCode,
  dotCode,
  equalCode,
  hashCode,
  isDigit,
  leftBraceCode,
  leftParenCode,
  lineFeedCode,
  minusCode,
  nameClass,
  pairKind,
  percentCode,
  plusCode,
  quoteCode,
  rightBraceCode,
  rightParenCode,
  singleKinds,
  slashCode,
  spaceCode,
  starCode,
  underscoreCode,
} from './chars.ts'
import { type LexFault, lastTrivia, TokenKind, type TokenList } from './tokens.ts'

const K = TokenKind

/** Splits `text` into tokens, in time linear in the length of the text. */
export function lex(text: string): TokenList {
  return new Lexer(text).run()
}

/** What is written in place of characters of other languages. */
const foreignCharacters: Readonly<Record<string, string>> = {
  '%': 'the remainder of a division is written MOD',
  '?': 'a choice is written SEL(G := …, IN0 := …, IN1 := …), or IF',
  '#': 'names of the block begin with #; a comment begins with //',
}

class Lexer {
  readonly #text: string
  #kind: Uint8Array
  #start: Uint32Array
  #keyword: Uint8Array
  #count = 0
  readonly #faults: LexFault[] = []
  /** Kind and end of the last token that is not trivia. */
  #last: number = K.NewLine
  #lastEnd = 0
  /** Whether only white space was seen on the current line. */
  #lineStart = true
  /**
   * Cleared after one nested comment, pragma or slash comment without an end: searching again would cost n² in total.
   */
  #nestedComments = true
  #pragmas = true

  constructor(text: string) {
    this.#text = text
    const size = (text.length >> 1) + 16
    this.#kind = new Uint8Array(size)
    this.#start = new Uint32Array(size)
    this.#keyword = new Uint8Array(size)
  }

  run(): TokenList {
    const text = this.#text
    const length = text.length
    let at = 0
    while (at < length) {
      const code = text.charCodeAt(at)
      switch (code < 128 ? charClasses[code] : isWideSpace(code) ? blankClass : nameClass) {
        case nameClass:
          at = this.#word(at)
          break
        case digitClass:
          at = this.#push(K.Integer, at, this.#number(at))
          break
        case blankClass: {
          let end = at + 1
          while (end < length) {
            const next = text.charCodeAt(end)
            if (next < 128 ? charClasses[next] !== blankClass : !isWideSpace(next)) break
            end++
          }
          at = this.#push(K.Whitespace, at, end)
          break
        }
        default:
          at = this.#symbol(code, at)
      }
    }
    this.#push(K.EndOfFile, length, length)
    const count = this.#count
    this.#grow()
    this.#start[count] = length
    return {
      text,
      count,
      kind: this.#kind.subarray(0, count),
      start: this.#start.subarray(0, count + 1),
      keyword: this.#keyword.subarray(0, count),
      faults: this.#faults,
    }
  }

  #grow(): void {
    if (this.#count < this.#kind.length) return
    const size = this.#kind.length * 2
    const kind = new Uint8Array(size)
    const start = new Uint32Array(size)
    const keyword = new Uint8Array(size)
    kind.set(this.#kind)
    start.set(this.#start)
    keyword.set(this.#keyword)
    this.#kind = kind
    this.#start = start
    this.#keyword = keyword
  }

  /** Appends a token and returns its end. `#number` passes a negative end for a real number. */
  #push(kind: number, start: number, signedEnd: number): number {
    let tokenKind = kind
    let end = signedEnd
    if (end < 0) {
      end = -end
      tokenKind = K.Real
    }
    this.#grow()
    this.#kind[this.#count] = tokenKind
    this.#start[this.#count] = start
    this.#count++
    if (tokenKind > lastTrivia) {
      this.#last = tokenKind
      this.#lastEnd = end
      this.#lineStart = false
    } else if (tokenKind === K.NewLine) this.#lineStart = true
    return end
  }

  #fault(offset: number, message: string): void {
    if (this.#faults.length < 100) this.#faults.push({ offset, message })
  }

  #identifierEnd(from: number): number {
    const text = this.#text
    let end = from
    for (;;) {
      const code = text.charCodeAt(end)
      if (code < 128) {
        const cls = charClasses[code]
        if (cls !== nameClass && cls !== digitClass) return end
      } else if (!isIdentifierPart(code)) return end
      end++
    }
  }

  /** A keyword, a name or a typed literal. */
  #word(start: number): number {
    const text = this.#text
    const end = this.#identifierEnd(start + 1)
    // After a dot every word is the name of a member.
    const keyword = this.#last === K.Dot ? 0 : keywordAt(text, start, end)
    const next = text.charCodeAt(end)
    if (keyword === 0) {
      if (next === hashCode) {
        const literalEnd = this.#typedLiteral(start, end)
        if (literalEnd !== 0) return this.#push(K.TypedLiteral, start, literalEnd)
      }
      if (this.#lineStart && end - start === 5 && isTitle(text, start)) return this.#title(start, end)
      return this.#push(K.Identifier, start, end)
    }
    this.#push(K.Keyword, start, end)
    this.#keyword[this.#count - 1] = keyword
    if (keyword === Keyword.REGION) return this.#restOfLine(end, false)
    if (keyword === Keyword.END_REGION) return this.#restOfLine(end, true)
    return end
  }

  /** `TITLE = any text`: the text is raw; it may contain apostrophes and brackets. */
  #title(start: number, end: number): number {
    let at = this.#push(K.Identifier, start, end)
    const text = this.#text
    let equal = at
    while (charClasses[text.charCodeAt(equal)] === blankClass) equal++
    if (text.charCodeAt(equal) !== equalCode) return at
    if (equal > at) this.#push(K.Whitespace, at, equal)
    at = this.#push(K.Equal, equal, equal + 1)
    return this.#restOfLine(at, false)
  }

  /**
   * White space, then the rest of the line as one Text token, with trailing white space as a separate token. After
   * END_REGION a `;` or a comment is read as usual.
   */
  #restOfLine(from: number, allowTokens: boolean): number {
    const text = this.#text
    let at = from
    while (charClasses[text.charCodeAt(at)] === blankClass) at++
    if (at > from) this.#push(K.Whitespace, from, at)
    let end = at
    for (
      let code = text.charCodeAt(end);
      end < text.length && code !== lineFeedCode && code !== carriageReturnCode;
      code = text.charCodeAt(end)
    )
      end++
    while (end > at && charClasses[text.charCodeAt(end - 1)] === blankClass) end--
    if (end === at) return at
    if (allowTokens) {
      const code = text.charCodeAt(at)
      const next = text.charCodeAt(at + 1)
      if (code === 59 || (code === slashCode && (next === slashCode || next === starCode))) return at
      if (code === leftParenCode && (next === starCode || next === slashCode)) return at
    }
    return this.#push(K.Text, at, end)
  }

  /** End of a literal whose type name ends at the `#` at `hash`; 0 when no valid value follows. */
  #typedLiteral(start: number, hash: number): number {
    const text = this.#text
    const first = text.charCodeAt(hash + 1)
    if (first === apostropheCode) return this.#stringEnd(hash + 1)
    const type = hash - start > 16 ? '' : text.slice(start, hash).toUpperCase()
    let at = hash + 1
    const calendar = calendarTypes.has(type)
    const pointer = type === 'P'
    // `P# M4.0`: TIA Portal keeps the blank.
    if (pointer) while (text.charCodeAt(at) === spaceCode) at++
    if (first === minusCode || first === plusCode) at++
    if (!isIdentifierPart(text.charCodeAt(at))) return 0
    for (; ; at++) {
      const code = text.charCodeAt(at)
      if (isIdentifierPart(code) || code === hashCode) continue
      if (
        code === dotCode &&
        (isDigit(text.charCodeAt(at + 1)) || (pointer && isIdentifierPart(text.charCodeAt(at + 1))))
      )
        continue
      if (calendar && (code === minusCode || code === colonCode) && isDigit(text.charCodeAt(at + 1))) continue
      // The sign of an exponent: REAL#1.0E-3.
      if (
        (code === minusCode || code === plusCode) &&
        (type === 'REAL' || type === 'LREAL') &&
        (text.charCodeAt(at - 1) | 0x20) === 101 &&
        isDigit(text.charCodeAt(at + 1))
      )
        continue
      break
    }
    return pointer ? this.#pointerLength(at) : at
  }

  /** `P#DB1.DBX0.0 BYTE 10`: type and count after the address belong to the pointer. */
  #pointerLength(end: number): number {
    const text = this.#text
    let at = end
    while (text.charCodeAt(at) === spaceCode) at++
    const typeEnd = this.#identifierEnd(at)
    if (at === end || typeEnd === at || isDigit(text.charCodeAt(at))) return end
    let number = typeEnd
    while (text.charCodeAt(number) === spaceCode) number++
    if (number === typeEnd || !isDigit(text.charCodeAt(number))) return end
    while (isDigit(text.charCodeAt(number))) number++
    return number
  }

  /** End of the number at `start`, negative for a real number. */
  #number(start: number): number {
    const text = this.#text
    let at = start + 1
    while (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === underscoreCode) at++
    if (text.charCodeAt(at) === hashCode) {
      let end = at + 1
      while (isIdentifierPart(text.charCodeAt(end))) end++
      return end === at + 1 ? at : end
    }
    let real = false
    if (text.charCodeAt(at) === dotCode && isDigit(text.charCodeAt(at + 1))) {
      real = true
      at += 2
      while (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === underscoreCode) at++
    }
    if ((text.charCodeAt(at) | 0x20) === 101) {
      const sign = text.charCodeAt(at + 1)
      const digits = sign === plusCode || sign === minusCode ? at + 2 : at + 1
      if (isDigit(text.charCodeAt(digits))) {
        real = true
        at = digits + 1
        while (isDigit(text.charCodeAt(at))) at++
      }
    }
    return real ? -at : at
  }

  /** End of the string that begins at the apostrophe `start`; at the latest the end of its line. */
  #stringEnd(start: number): number {
    const text = this.#text
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === apostropheCode) return at + 1
      if (
        code === dollarCode &&
        text.charCodeAt(at + 1) !== lineFeedCode &&
        text.charCodeAt(at + 1) !== carriageReturnCode
      )
        at++
      else if (code === lineFeedCode || code === carriageReturnCode) {
        this.#fault(start, "string without closing apostrophe (') on its line")
        return at
      }
    }
    this.#fault(start, "string without closing apostrophe (')")
    return text.length
  }

  /** End of the quoted name at `start`; at the latest the end of its line. */
  #quotedEnd(start: number): number {
    const text = this.#text
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === quoteCode) return at + 1
      if (code === lineFeedCode || code === carriageReturnCode) {
        this.#fault(start, 'name without closing quote (") on its line')
        return at
      }
    }
    this.#fault(start, 'name without closing quote (")')
    return text.length
  }

  #symbol(code: number, start: number): number {
    const text = this.#text
    const next = text.charCodeAt(start + 1)
    switch (code) {
      case lineFeedCode:
        return this.#push(K.NewLine, start, start + 1)
      case carriageReturnCode:
        return this.#push(K.NewLine, start, next === lineFeedCode ? start + 2 : start + 1)
      case apostropheCode:
        return this.#push(K.String, start, this.#stringEnd(start))
      case quoteCode: {
        const end = this.#quotedEnd(start)
        // "type"#VALUE: a named value of a user type.
        if (text.charCodeAt(end) === hashCode && isIdentifierStart(text.charCodeAt(end + 1)))
          return this.#push(K.TypedLiteral, start, this.#identifierEnd(end + 1))
        return this.#push(K.QuotedName, start, end)
      }
      case hashCode:
        if (next === quoteCode) return this.#push(K.LocalName, start, this.#quotedEnd(start + 1))
        if (isIdentifierStart(next)) return this.#push(K.LocalName, start, this.#identifierEnd(start + 1))
        return this.#unknown(start)
      case percentCode:
        return this.#address(start)
      case leftBraceCode:
        return this.#pragma(start)
      case slashCode:
        if (next === slashCode) {
          let end = start + 2
          while (
            end < text.length &&
            text.charCodeAt(end) !== lineFeedCode &&
            text.charCodeAt(end) !== carriageReturnCode
          )
            end++
          return this.#push(K.LineComment, start, end)
        }
        if (next === starCode) {
          const end = text.indexOf('*/', start + 2)
          if (end !== -1) return this.#push(K.SlashComment, start, end + 2)
          this.#fault(start, 'comment without its end (*/)')
          return this.#push(K.SlashComment, start, text.length)
        }
        break
      case leftParenCode:
        if (next === starCode) return this.#push(K.BlockComment, start, this.#blockCommentEnd(start))
        if (next === slashCode && text.charCodeAt(start + 2) === starCode) {
          const end = text.indexOf('*/', start + 3)
          if (end !== -1 && text.charCodeAt(end + 2) === rightParenCode)
            return this.#push(K.MultilingualComment, start, end + 3)
        }
        break
      case colonCode:
        if ((next | 0x20) === 112 && this.#isPeriphery(start)) return this.#push(K.Periphery, start, start + 2)
        break
    }
    const pair = pairKind(code, next)
    if (pair !== 0) return this.#push(pair, start, start + 2)
    const single = code < 128 ? (singleKinds[code] as number) : 0
    return single === 0 ? this.#unknown(start) : this.#push(single, start, start + 1)
  }

  #unknown(start: number): number {
    const char = this.#text[start] as string
    const hint = foreignCharacters[char]
    this.#fault(start, `character ${JSON.stringify(char)} is not part of the language${hint ? `: ${hint}` : ''}`)
    return this.#push(K.Unknown, start, start + 1)
  }

  /** Whether `:P` directly follows an operand and is not the beginning of a longer word. */
  #isPeriphery(start: number): boolean {
    return (
      this.#lastEnd === start &&
      (this.#last === K.QuotedName || this.#last === K.Address || this.#last === K.Identifier) &&
      !isIdentifierPart(this.#text.charCodeAt(start + 2)) &&
      this.#text.charCodeAt(start + 2) !== hashCode
    )
  }

  /** `%I0.0`, `%DB1.DBX0.0`; after a dot, a slice such as `%X0` or `%DBX2.0`. */
  #address(start: number): number {
    const text = this.#text
    let at = start + 1
    while (isAsciiLetter(text.charCodeAt(at))) at++
    const digits = at
    while (isDigit(text.charCodeAt(at))) at++
    if (at === digits) return this.#unknown(start)
    if (this.#last === K.Dot && this.#lastEnd === start) {
      // `#db.%DBX2.0`: the bit of an address in a data block.
      const isBit = /^%DBX/i.test(text.slice(start, start + 4)) && text.charCodeAt(at) === dotCode
      return this.#push(K.Slice, start, isBit && isDigit(text.charCodeAt(at + 1)) ? at + 2 : at)
    }
    while (text.charCodeAt(at) === dotCode) {
      let end = at + 1
      while (isAsciiLetter(text.charCodeAt(end))) end++
      if (!isDigit(text.charCodeAt(end))) break
      while (isDigit(text.charCodeAt(end))) end++
      at = end
    }
    return this.#push(K.Address, start, at)
  }

  #pragma(start: number): number {
    const text = this.#text
    if (this.#pragmas) {
      let values = true
      for (let at = start + 1; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code === rightBraceCode) return this.#push(K.Pragma, start, at + 1)
        if (code === apostropheCode && values) {
          const close = pragmaValueEnd(text, at)
          if (close === -1) values = false
          else at = close
        }
      }
      this.#pragmas = false
    }
    this.#fault(start, 'attributes without their end (})')
    return this.#push(K.Unknown, start, start + 1)
  }

  /** Comments nest; when the outer one is never closed, it ends at the first end mark. */
  #blockCommentEnd(start: number): number {
    const text = this.#text
    if (this.#nestedComments) {
      let depth = 1
      for (let at = start + 2; at < text.length - 1; at++) {
        const code = text.charCodeAt(at)
        if (code === starCode && text.charCodeAt(at + 1) === rightParenCode) {
          at++
          if (--depth === 0) return at + 1
        } else if (
          code === leftParenCode &&
          text.charCodeAt(at + 1) === starCode &&
          text.charCodeAt(at + 2) !== rightParenCode
        ) {
          at++
          depth++
        }
      }
      this.#nestedComments = false
    }
    const end = text.indexOf('*)', start + 2)
    if (end !== -1) return end + 2
    this.#fault(start, 'comment without its end (*))')
    return text.length
  }
}

function isAsciiLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** Offset of the apostrophe that closes the pragma value opened at `start`, -1 when its line has none. */
function pragmaValueEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === apostropheCode) return at
    if (code === lineFeedCode || code === carriageReturnCode) return -1
    if (code === dollarCode) at++
  }
  return -1
}

function isTitle(text: string, start: number): boolean {
  return text.slice(start, start + 5).toUpperCase() === 'TITLE'
}
