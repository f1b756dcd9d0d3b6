/**
 * Finds where the members of a block's declarations are in an external source, so that one can be changed and the
 * others stay as they are.
 */

import { defined } from '../../../lib/optional.ts'
import { lex } from '../../languages/scl/lexer.ts'
import { lastTrivia, TokenKind, type TokenList, tokenText } from '../../languages/scl/tokens.ts'
import { Keyword } from '../../model/keywords.ts'
import { unquoted } from '../../model/names.ts'
import type { Remanence, SectionName } from '../../model/object.ts'
import { isSectionKeyword } from './declarations.ts'

export interface MemberPlace {
  /** Names, from the outermost member inwards. */
  readonly path: readonly string[]
  readonly section: SectionName
  readonly remanence?: Remanence
  /** From the start of its first line to after its last one, when nothing else is on these lines. */
  readonly start: number
  readonly end: number
  /** All names in its declaration: `a, b : Int`; usually the member alone. */
  readonly names: readonly NamePlace[]
  /** Index of the member among them. */
  readonly nameIndex: number
  /** Offset after the semicolon, or where the semicolon should be. */
  readonly declarationEnd: number
  /** Structures only: where the last member ends, which is the line of END_STRUCT. */
  readonly innerEnd?: number
}

/** A name in a declaration. */
export interface NamePlace {
  readonly start: number
  readonly nameEnd: number
  /** Offset after the attributes of the name, when it has any. */
  readonly end: number
}

export interface SectionPlace {
  readonly section: SectionName
  readonly remanence?: Remanence
  /** Start of the line of its END. */
  readonly end: number
}

/**
 * Finds the members in `text` between two offsets (`SourceLayout.declarations`).
 * @param plainVar the section that `VAR` without an addition means
 */
export function memberPlaces(
  text: string,
  [from, to]: readonly [number, number],
  plainVar: SectionName,
): { readonly sections: readonly SectionPlace[]; readonly members: readonly MemberPlace[] } {
  return new PlaceReader(text, from, to, plainVar).read()
}

class PlaceReader {
  readonly #text: string
  readonly #tokens: TokenList
  readonly #plainVar: SectionName
  readonly #sections: SectionPlace[] = []
  readonly #members: MemberPlace[] = []
  #index = 0
  #section: SectionName = 'Static'
  #remanence: Remanence | undefined

  constructor(text: string, from: number, to: number, plainVar: SectionName) {
    this.#text = text
    // What follows the declarations is most of a block.
    this.#tokens = lex(text.slice(0, to))
    this.#plainVar = plainVar
    while (this.#start < from && !this.#atEnd) this.#index++
    this.#skipTrivia()
  }

  read() {
    while (!this.#atEnd) {
      if (this.#keyword === Keyword.LABEL) this.#skipLabels()
      else if (isSectionKeyword(this.#keyword)) this.#readSection()
      else if (this.#keyword === Keyword.STRUCT) {
        this.#section = this.#plainVar
        this.#remanence = undefined
        this.#next()
        this.#list(Keyword.END_STRUCT)
      } else this.#next()
    }
    return { sections: this.#sections, members: this.#members }
  }

  /** Names of labels are no members. */
  #skipLabels(): void {
    for (this.#next(); !this.#atEnd && this.#keyword !== Keyword.END_LABEL; this.#next())
      if (isSectionKeyword(this.#keyword)) return
    this.#next()
  }

  #readSection(): void {
    const sections: Readonly<Record<number, SectionName>> = {
      [Keyword.VAR_INPUT]: 'Input',
      [Keyword.VAR_OUTPUT]: 'Output',
      [Keyword.VAR_IN_OUT]: 'InOut',
      [Keyword.VAR_TEMP]: 'Temp',
      [Keyword.CONST]: 'Constant',
    }
    const end = this.#keyword === Keyword.CONST ? Keyword.END_CONST : Keyword.END_VAR
    this.#section = sections[this.#keyword] ?? this.#plainVar
    this.#remanence = undefined
    for (this.#next(); ; this.#next()) {
      if (this.#keyword === Keyword.CONSTANT) this.#section = 'Constant'
      else if (this.#keyword === Keyword.RETAIN) this.#remanence = 'Retain'
      else if (this.#keyword === Keyword.NON_RETAIN) this.#remanence = 'NonRetain'
      else if (this.#keyword === Keyword.DB_SPECIFIC) this.#remanence = 'SetInIDB'
      else break
    }
    this.#list(end)
  }

  #list(end: number): void {
    this.#readMembers(end, [])
    this.#sections.push({
      section: this.#section,
      ...defined({ remanence: this.#remanence }),
      end: this.#lineStart(this.#start),
    })
    this.#next()
  }

  #readMembers(end: number, path: readonly string[]): void {
    while (!this.#atEnd && this.#keyword !== end && !isSectionKeyword(this.#keyword)) this.#readMember(path)
  }

  #readMember(parent: readonly string[]): void {
    const start = this.#start
    const first = this.#index
    const names: string[] = []
    const places: { start: number; nameEnd: number; end: number }[] = []
    let isName = true
    for (; !this.#atEnd && this.#kind !== TokenKind.Colon && this.#kind !== TokenKind.Assign; this.#next()) {
      if (this.#kind === TokenKind.Semicolon || this.#keyword === Keyword.END_VAR) break
      if (this.#kind === TokenKind.Comma) isName = true
      else if (isName && this.#kind !== TokenKind.Pragma) {
        names.push(unquoted(this.#textHere.replace(/^#/, '')))
        places.push({ start: this.#start, nameEnd: this.#end, end: this.#end })
        isName = false
      } else if (this.#kind === TokenKind.Pragma) {
        const last = places.at(-1)
        if (last !== undefined) last.end = this.#end
      }
    }
    const at = this.#members.length
    let innerEnd: number | undefined
    const path = [...parent, names[0] ?? '']
    for (; !this.#atEnd && this.#kind !== TokenKind.Semicolon; this.#next()) {
      if (this.#keyword === Keyword.STRUCT) {
        this.#next()
        this.#readMembers(Keyword.END_STRUCT, path)
        innerEnd = this.#lineStart(this.#start)
      } else if (this.#keyword === Keyword.END_VAR || isSectionKeyword(this.#keyword)) break
    }
    const declarationEnd = this.#kind === TokenKind.Semicolon ? this.#start + 1 : this.#start
    const end = this.#lineEnd(declarationEnd)
    // A word that begins no member, in a text with faults, is passed over.
    if (this.#kind === TokenKind.Semicolon || this.#index === first) this.#next()
    const members = names.map(
      (name, nameIndex): MemberPlace => ({
        path: [...parent, name],
        section: this.#section,
        ...defined({ remanence: this.#remanence }),
        start: this.#lineStart(start),
        end,
        names: places,
        nameIndex,
        declarationEnd,
        ...defined({ innerEnd }),
      }),
    )
    this.#members.splice(at, 0, ...members)
  }

  /** Start of the line when only white space precedes the offset, otherwise the offset itself. */
  #lineStart(offset: number): number {
    const line = this.#text.lastIndexOf('\n', offset - 1) + 1
    return this.#text.slice(line, offset).trim() === '' ? line : offset
  }

  /** Offset after the line when only white space and comments follow, otherwise the offset itself. */
  #lineEnd(offset: number): number {
    const line = /^[^\S\n]*(?:\/\/[^\n]*|\(\*[^\n]*?\*\)[^\S\n]*)?(?:\n|$)/.exec(
      this.#text.slice(offset, offset + 2000),
    )
    return line === null ? offset : offset + line[0].length
  }

  get #start(): number {
    return this.#tokens.start[this.#index] as number
  }
  get #end(): number {
    return this.#tokens.start[this.#index + 1] as number
  }
  get #kind(): number {
    return this.#tokens.kind[this.#index] as number
  }
  get #keyword(): number {
    return this.#tokens.keyword[this.#index] as number
  }
  get #textHere(): string {
    return tokenText(this.#tokens, this.#index)
  }
  get #atEnd(): boolean {
    return this.#index >= this.#tokens.count - 1
  }

  #next(): void {
    if (this.#index < this.#tokens.count - 1) this.#index++
    this.#skipTrivia()
  }

  #skipTrivia(): void {
    while (this.#index < this.#tokens.count - 1 && this.#kind <= lastTrivia) this.#index++
  }
}
