/**
 * Parses data types of declarations: `Array[0..9, 1..#N] of "Motor"`, `String[#LEN]`, `REF_TO "T"`, `Struct`,
 * `TON_TIME`. Spelling: docs/formats.md#interface, docs/formats.md#external-sources. `TypeResolver` resolves the names.
 */
import { isIdentifierPart, isIdentifierStart } from '../model/names.ts'

/** A limit of an array or the length of a string: a number, or the name of a constant. */
export type LimitSyntax =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'constant'; readonly name: string; readonly scope: 'local' | 'global' | 'any' }

export interface DimensionSyntax {
  /** Both absent: `*`. */
  readonly low?: LimitSyntax
  readonly high?: LimitSyntax
}

export type TypeSyntax =
  | {
      readonly kind: 'name'
      /** Name without quotes; parts of a namespace are separated by dots. */
      readonly name: string
      readonly isQuoted: boolean
      /** `String[20]`. */
      readonly length?: LimitSyntax
    }
  | { readonly kind: 'array'; readonly dimensions: readonly DimensionSyntax[]; readonly element: TypeSyntax }
  | { readonly kind: 'reference'; readonly target: TypeSyntax }
  | { readonly kind: 'struct' }

/** The reason why a text is not a data type. */
export interface TypeTextFault {
  /** Column in the text, from 1. */
  readonly column: number
  readonly message: string
  readonly hint: string
}

/** Deepest `Array of Array of …`; TIA Portal allows fewer. */
const mostNested = 32

/** Parsed texts; programs use the same few types thousands of times. */
const known = new Map<string, TypeSyntax | TypeTextFault>()
const mostKnown = 10_000

/** Parses a data type. The case of keywords does not matter; names keep theirs. */
export function parseTypeText(text: string): TypeSyntax | TypeTextFault {
  const before = known.get(text)
  if (before) return before
  let result: TypeSyntax | TypeTextFault
  try {
    result = new TypeReader(text).whole()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    result = error.fault
  }
  if (known.size >= mostKnown) known.clear()
  known.set(text, result)
  return result
}

/** Whether the result is a fault. */
export function isTypeFault(result: TypeSyntax | TypeTextFault): result is TypeTextFault {
  return 'column' in result
}

class Stop extends Error {
  readonly fault: TypeTextFault
  constructor(fault: TypeTextFault) {
    super(fault.message)
    this.fault = fault
  }
}

class TypeReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): TypeSyntax {
    const type = this.#type(0)
    this.#skip()
    if (this.#at < this.#text.length) this.#stop('the type ends before this', 'Nothing may stand behind the type.')
    return type
  }

  #type(depth: number): TypeSyntax {
    if (depth > mostNested) this.#stop(`types are nested deeper than ${mostNested} levels`, 'Declare a PLC data type.')
    this.#skip()
    if (this.#text[this.#at] === '"') return this.#named(this.#quoted(), true)
    const start = this.#at
    const word = this.#word()
    if (word === '')
      this.#stop(
        this.#at < this.#text.length ? 'this begins no data type' : 'the data type is missing',
        'A type is e.g. Int, "UDT_Motor", Array[0..9] of Real, String[20].',
      )
    switch (word.toUpperCase()) {
      case 'ARRAY':
        return this.#array(depth)
      case 'STRUCT':
        return { kind: 'struct' }
      case 'REF_TO':
        return { kind: 'reference', target: this.#type(depth + 1) }
      default:
        break
    }
    // Classic sources name types by number with a blank between: `UDT 5`, `FB 10`.
    if (/^(UDT|S?FB)$/i.test(word)) {
      const [blank, digits = ''] = /^\s+(\d+)/.exec(this.#text.slice(this.#at)) ?? ['']
      if (digits !== '') {
        this.#at += blank.length
        return this.#named(word.toUpperCase() + digits, false)
      }
    }
    let name = word
    while (this.#text[this.#at] === '.') {
      this.#at++
      const part = this.#text[this.#at] === '"' ? this.#quoted() : this.#word()
      if (part === '')
        this.#stop('a name is missing behind the dot', 'A name in a namespace is written a.b.Type.', start)
      name += `.${part}`
    }
    return this.#named(name, false)
  }

  #named(name: string, isQuoted: boolean): TypeSyntax {
    this.#skip()
    const open = this.#text[this.#at]
    if (open !== '[' && open !== '(') return { kind: 'name', name, isQuoted }
    const start = this.#at
    if (isQuoted || !/^w?string$/i.test(name))
      this.#stop(`${name} has no length`, 'Only String and WString have one: String[20].')
    this.#at++
    const length = this.#limit()
    this.#skip()
    const close = open === '[' ? ']' : ')'
    if (this.#text[this.#at] !== close)
      this.#stop(`"${close}" is missing`, `A string with length is written ${name}[20].`, start)
    this.#at++
    return { kind: 'name', name, isQuoted: false, length }
  }

  #array(depth: number): TypeSyntax {
    this.#skip()
    if (this.#text[this.#at] !== '[') this.#stop('"[" is missing behind Array', 'Write Array[0..9] of Int.')
    this.#at++
    const dimensions: DimensionSyntax[] = []
    for (;;) {
      this.#skip()
      if (this.#text[this.#at] === '*') {
        this.#at++
        dimensions.push({})
      } else {
        const low = this.#limit()
        this.#skip()
        if (!this.#text.startsWith('..', this.#at))
          this.#stop('".." is missing between the limits', 'Limits are written 0..9.')
        this.#at += 2
        dimensions.push({ low, high: this.#limit() })
      }
      this.#skip()
      if (this.#text[this.#at] !== ',') break
      this.#at++
    }
    if (this.#text[this.#at] !== ']') this.#stop('"]" is missing behind the limits', 'Write Array[0..9, 1..2] of Int.')
    this.#at++
    if (dimensions.length > 6)
      this.#stop(`an array has at most 6 dimensions, these are ${dimensions.length}`, 'Use an array of arrays.')
    this.#skip()
    if (this.#word().toUpperCase() !== 'OF')
      this.#stop('"of" is missing behind the limits', 'Write Array[0..9] of Int.')
    return { kind: 'array', dimensions, element: this.#type(depth + 1) }
  }

  #limit(): LimitSyntax {
    this.#skip()
    const number = /^[+-]?\s*\d[\d_]*/.exec(this.#text.slice(this.#at))?.[0]
    if (number !== undefined) {
      this.#at += number.length
      return { kind: 'number', value: Number(number.replace(/[\s_]/g, '')) }
    }
    const isLocal = this.#text[this.#at] === '#'
    if (isLocal) this.#at++
    if (this.#text[this.#at] === '"')
      return { kind: 'constant', name: this.#quoted(), scope: isLocal ? 'local' : 'global' }
    const name = this.#word()
    if (name === '') this.#stop('a limit is missing', 'A limit is a whole number or a constant: 9, #LAST, "LAST".')
    return { kind: 'constant', name, scope: isLocal ? 'local' : 'any' }
  }

  #quoted(): string {
    const end = this.#text.indexOf('"', this.#at + 1)
    if (end < 0) this.#stop('the name is not closed by a quote', 'Names of the program stand in quotes: "Motor".')
    const name = this.#text.slice(this.#at + 1, end)
    if (name === '') this.#stop('there is no name between the quotes', 'Names of the program stand in quotes: "Motor".')
    this.#at = end + 1
    return name
  }

  #word(): string {
    const start = this.#at
    if (!isIdentifierStart(this.#text.charCodeAt(start))) return ''
    while (this.#at < this.#text.length && isIdentifierPart(this.#text.charCodeAt(this.#at))) this.#at++
    return this.#text.slice(start, this.#at)
  }

  #skip(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #stop(message: string, hint: string, at = this.#at): never {
    throw new Stop({ column: at + 1, message, hint })
  }
}
