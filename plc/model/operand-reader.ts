/**
 * Reads operands from text: the inverse of operand-text.ts. Where the text does not contain all that the model does,
 * the plain case is chosen (variable; no literal type; `Bool`, `Byte`, `Word`, `DWord`, `LWord` by width) unless
 * `OperandNames` knows better.
 */

import { defined } from '../../lib/optional.ts'
import { isReservedWord } from './keywords.ts'
import { isIdentifierPart, isIdentifierStart } from './names.ts'
import type { IndirectOperand, LiteralOperand, Operand, PathComponent, StatusOperand } from './operand.ts'
import { blockTypes, indirectPrefix, statusNames } from './operand-text.ts'

/** What is known of the names around an operand. */
export interface OperandNames {
  /** Whether the name is a constant: a user constant of a tag table, or (`isLocal`) one declared in the block. */
  isConstant?(name: string, isLocal: boolean): boolean
}

/**
 * Parses the text of an operand, the inverse of `operandText`; returns `undefined` when the text is not one. Bare names
 * are `ENO`/`EN` (predefined), a status bit of STL (`OV`, `OS`, `UO`, `BR`), or a symbol with the scope `Undef`.
 */
export function parseOperand(text: string, names: OperandNames = {}): Operand | undefined {
  const status = statusNames.get(text)
  if (status !== undefined) return { kind: 'status', name: status } satisfies StatusOperand
  if ((text.startsWith('-') || text.startsWith('+')) && isDigit(text.charCodeAt(1))) {
    const number = new OperandScanner(text, 1, names).scan()
    if (number?.operand.kind !== 'literal' || number.end !== text.length) return undefined
    return { ...number.operand, value: text }
  }
  const found = scanOperand(text, 0, names)
  return found !== undefined && found.end === text.length ? found.operand : undefined
}

/**
 * Reads the operand that begins at `start` and returns where it ends; `undefined` when there is none. Numbers are read
 * without a sign.
 */
export function scanOperand(
  text: string,
  start: number,
  names: OperandNames = {},
): { readonly operand: Operand; readonly end: number } | undefined {
  return new OperandScanner(text, start, names).scan()
}

const areas: ReadonlyMap<string, string> = new Map([
  ['I', 'Input'],
  ['E', 'Input'],
  ['Q', 'Output'],
  ['A', 'Output'],
  ['M', 'Memory'],
  ['L', 'Local'],
  ['DB', 'DB'],
  ['DI', 'DI'],
  ['T', 'Timer'],
  ['C', 'Counter'],
  ['Z', 'Counter'],
  ['FB', 'FB'],
  ['FC', 'FC'],
])

/** Array indices may nest (`#a[#b[#c[0]]]`); text that is nested deeper is not an operand. */
const deepestIndex = 50

const addressPattern =
  /%(?:(DB|DI)(?:(\d{1,5})\.\1)?([XBWDL])(\d{1,8})(?:\.([0-7]))?|([IEQAML])([XBWDL]?)(\d{1,8})(?:\.([0-7]))?(:P(?![A-Za-z0-9_]))?|(DB|DI|T|C|Z|FB|FC)(\d{1,5}))(?![A-Za-z0-9_.])/iy
const numberPattern = /\d[\d_]*(?:#[0-9A-Za-z_]+|(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)/y
const pointerPattern =
  /P#(?:(?:DB|DI)\d+\.)?(?:DB[XBWDL]|DI[XBWDL]|[A-Za-z]{1,2}\s?)?\d+\.[0-7](?:\s+[A-Za-z_]+\s+\d+)?/iy
/** Value after the `#` of a typed literal. */
const typedValue = /[+-]?(?:\d[\d_]*#)?[0-9A-Za-z_]+(?:\.[0-9A-Za-z_]+)*/y
const realValue = /[+-]?\d[\d_]*(?:#[0-9A-Za-z_]+|(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)/y
/** Times of day, dates, and both together. */
const calendarValue = /\d+(?:[-:.]\d+)*/y
const byteList = /\(\s*\d+(?:\s*,\s*\d+)*\s*\)/y
const registerPattern = /\[(AR[12])\s*,\s*P#(\d{1,7})\.([0-7])\](:P(?![A-Za-z0-9_]))?/iy
const slicePattern = /\.%([XBWD]\d{1,4}|DBX\d{1,7}\.[0-7]|DB[BWDL]\d{1,7})(?![A-Za-z0-9_])/iy
const accessPattern = /:(P|QI)(?![A-Za-z0-9_])/iy
const widths: Readonly<Record<string, IndirectOperand['width']>> = { B: 'Byte', W: 'Word', D: 'Double', L: 'Long' }

/**
 * Prefixes of typed literals: type names and the short forms (`T#`, `W#`, `S5T#` …). Any other prefix names a named
 * value type.
 */
const literalPrefixes: ReadonlySet<string> = new Set(
  (
    'BOOL BYTE WORD DWORD LWORD SINT INT DINT LINT USINT UINT UDINT ULINT REAL LREAL TIME LTIME S5TIME DATE TIME_OF_DAY ' +
    'LTIME_OF_DAY DATE_AND_TIME DATE_AND_LTIME LDT DTL CHAR WCHAR STRING WSTRING POINTER ANY ' +
    'T LT S5T D TOD LTOD DT B W DW LW C L P'
  ).split(' '),
)
const calendarPrefixes: ReadonlySet<string> = new Set(
  'DATE D TIME_OF_DAY TOD LTIME_OF_DAY LTOD DATE_AND_TIME DT DATE_AND_LTIME LDT DTL'.split(' '),
)

/** `B#(1, 2)`, `DW#16#0`. */
const bitStrings: ReadonlySet<string> = new Set(['B', 'W', 'DW', 'LW', 'BYTE', 'WORD', 'DWORD', 'LWORD'])

function valuePattern(prefix: string): RegExp {
  if (calendarPrefixes.has(prefix)) return calendarValue
  return prefix === 'REAL' || prefix === 'LREAL' ? realValue : typedValue
}

class OperandScanner {
  readonly #text: string
  readonly #names: OperandNames
  #at: number
  #depth = 0

  constructor(text: string, start: number, names: OperandNames) {
    this.#text = text
    this.#at = start
    this.#names = names
  }

  scan(): { operand: Operand; end: number } | undefined {
    const operand = this.#operand()
    return operand === undefined ? undefined : { operand, end: this.#at }
  }

  #operand(): Operand | undefined {
    const text = this.#text
    const code = text.charCodeAt(this.#at)
    if (code === hashCode) return this.#local()
    if (code === quoteCode) return this.#global()
    if (code === percentCode) return this.#address()
    if (code === apostropheCode) return this.#string(this.#at)
    if (code === leftBracketCode) return this.#indirect('')
    if (isDigit(code)) return this.#literal(this.#match(numberPattern)?.[0])
    return isIdentifierStart(code) ? this.#bare() : undefined
  }

  #local(): Operand | undefined {
    this.#at++
    const name = this.#name()
    if (name === undefined) return undefined
    const path = this.#path(name)
    if (path === undefined) return undefined
    if (isSingleName(path) && this.#names.isConstant?.(name, true) === true)
      return { kind: 'constant', scope: 'LocalConstant', name }
    return { kind: 'symbol', scope: 'LocalVariable', path }
  }

  #global(): Operand | undefined {
    const start = this.#at
    const name = this.#name()
    if (name === undefined) return undefined
    if (this.#text.charCodeAt(this.#at) === hashCode) return this.#namedValue(start)
    const path = this.#path(name)
    if (path === undefined) return undefined
    if (isSingleName(path) && this.#names.isConstant?.(name, false) === true)
      return { kind: 'constant', scope: 'GlobalConstant', name }
    return { kind: 'symbol', scope: 'GlobalVariable', path }
  }

  /**
   * A word without `#` and quotes: typed literal, TRUE, EN/ENO, status bit, indirect operand, named value, unresolved
   * symbol.
   */
  #bare(): Operand | undefined {
    const start = this.#at
    const word = this.#name() as string
    const upper = word.toUpperCase()
    const next = this.#text.charCodeAt(this.#at)
    if (next === hashCode)
      return literalPrefixes.has(upper) ? this.#typedLiteral(start, upper) : this.#namedValue(start)
    if (upper === 'TRUE' || upper === 'FALSE') return this.#literal(word)
    if (next === leftBracketCode && indirectPrefix.test(word)) return this.#indirect(word)
    if (word === '_' && next === dotCode) {
      const named = this.#namespaced(start)
      if (named !== undefined) return named
    }
    if (isReservedWord(word)) return undefined
    if (upper === 'ENO' || upper === 'EN')
      return { kind: 'symbol', scope: 'PredefinedVariable', path: [{ name: upper }] }
    const status = statusNames.get(word)
    if (status !== undefined) return { kind: 'status', name: status }
    const path = this.#path(word)
    return path === undefined ? undefined : { kind: 'symbol', scope: 'Undef', path }
  }

  /** `#VALUE` after a type's name: a named value. */
  #namedValue(start: number): Operand | undefined {
    this.#at++
    if (this.#name() === undefined) return undefined
    return { kind: 'constant', scope: 'NamedValueConstant', name: this.#text.slice(start, this.#at) }
  }

  /** `_.siemens.simatic.Colors#RED`; without a `#` it is a path, and the position stays. */
  #namespaced(start: number): Operand | undefined {
    const back = this.#at
    while (this.#text.charCodeAt(this.#at) === dotCode) {
      this.#at++
      if (this.#name() === undefined) break
    }
    if (this.#text.charCodeAt(this.#at) === hashCode) return this.#namedValue(start)
    this.#at = back
    return undefined
  }

  #path(first: string): PathComponent[] | undefined {
    const path: PathComponent[] = []
    for (let name: string | undefined = first; name !== undefined; ) {
      const component = this.#component(name)
      if (component === undefined) return undefined
      path.push(component)
      if (
        this.#text.charCodeAt(this.#at) !== dotCode ||
        component.slice !== undefined ||
        component.access !== undefined
      )
        return path
      this.#at++
      name = this.#name()
    }
    return undefined
  }

  #component(name: string): PathComponent | undefined {
    let indices: Operand[] | undefined
    if (this.#text.charCodeAt(this.#at) === leftBracketCode) {
      indices = this.#indices()
      if (indices === undefined) return undefined
    }
    const slice = this.#match(slicePattern)?.[1]?.toLowerCase()
    const access = this.#match(accessPattern)?.[1]?.toUpperCase()
    return {
      name,
      ...defined({ indices, slice }),
      ...(access === undefined ? {} : { access: access === 'P' ? 'Periphery' : 'QualityInformation' }),
    }
  }

  #indices(): Operand[] | undefined {
    if (++this.#depth > deepestIndex) return undefined
    const indices: Operand[] = []
    do {
      this.#at++
      this.#skipBlanks()
      const sign = this.#at
      const isNegative = this.#text.charCodeAt(sign) === minusCode
      if (isNegative) this.#at++
      const index = this.#operand()
      if (
        index === undefined ||
        (isNegative && (index.kind !== 'literal' || !isDigit(this.#text.charCodeAt(sign + 1))))
      )
        return undefined
      indices.push(isNegative ? { ...(index as LiteralOperand), value: this.#text.slice(sign, this.#at) } : index)
      this.#skipBlanks()
    } while (this.#text.charCodeAt(this.#at) === commaCode)
    if (this.#text.charCodeAt(this.#at) !== rightBracketCode) return undefined
    this.#at++
    this.#depth--
    return indices
  }

  #address(): Operand | undefined {
    const found = this.#match(addressPattern)
    if (found === undefined) return undefined
    if (found[11] !== undefined) {
      const area = areas.get(found[11].toUpperCase()) as string
      const number = Number(found[12])
      if (area === 'DB' || area === 'DI') return { kind: 'address', area, type: 'Block_DB', blockNumber: number }
      return { kind: 'address', area, type: blockTypes[area] as string, bitOffset: number }
    }
    const isDataBlock = found[1] !== undefined
    const area = areas.get((found[1] ?? found[6] ?? '').toUpperCase()) as string
    const width = ((isDataBlock ? found[3] : found[7]) ?? '').toUpperCase()
    const bit = isDataBlock ? found[5] : found[9]
    const isBit = width === '' || width === 'X'
    if (isBit !== (bit !== undefined)) return undefined
    const isPeriphery = found[10] !== undefined
    if (isPeriphery && area !== 'Input' && area !== 'Output') return undefined
    return {
      kind: 'address',
      area: isPeriphery ? `Periphery${area}` : area,
      type: isBit ? 'Bool' : (addressTypes[width] as string),
      ...(found[2] === undefined ? {} : { blockNumber: Number(found[2]) }),
      bitOffset: Number(isDataBlock ? found[4] : found[8]) * 8 + Number(bit ?? 0),
    }
  }

  /** `[AR1,P#0.0]` or `[pointer]` after the letters of area and width. */
  #indirect(prefix: string): Operand | undefined {
    const letters = indirectPrefix.exec(prefix)
    const area = areas.get(letters?.[1] ?? letters?.[3] ?? letters?.[5] ?? '')
    const letter = letters?.[2] ?? letters?.[4] ?? letters?.[6] ?? ''
    const isWhole = letters?.[5] !== undefined || (letters?.[3] !== undefined && letter === '')
    const width = isWhole ? 'None' : (widths[letter] ?? 'Bit')
    const register = this.#match(registerPattern)
    if (register !== undefined) {
      return {
        kind: 'indirect',
        width,
        ...indirectArea(area, register[4] !== undefined),
        register: (register[1] as string).toUpperCase() as 'AR1' | 'AR2',
        bitOffset: Number(register[2]) * 8 + Number(register[3]),
      }
    }
    const pointers = this.#indices()
    const pointer = pointers?.[0]
    if (pointer === undefined || pointers?.length !== 1) return undefined
    const isPeriphery = this.#match(accessPattern)?.[1]?.toUpperCase() === 'P'
    return { kind: 'indirect', width, ...indirectArea(area, isPeriphery), pointer }
  }

  #typedLiteral(start: number, prefix: string): Operand | undefined {
    if (prefix === 'P') {
      this.#at = start
      return this.#literal(this.#match(pointerPattern)?.[0])
    }
    this.#at++
    if (this.#text.charCodeAt(this.#at) === apostropheCode) return this.#string(start)
    const value = this.#match(valuePattern(prefix)) ?? (bitStrings.has(prefix) ? this.#match(byteList) : undefined)
    return value === undefined ? undefined : this.#literal(this.#text.slice(start, this.#at))
  }

  /** `'it$'s'` with the prefix before it, from `start` on. */
  #string(start: number): Operand | undefined {
    const text = this.#text
    for (let at = this.#at + 1; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === dollarCode) at++
      else if (code === lineFeedCode) return undefined
      else if (code === apostropheCode) {
        this.#at = at + 1
        return this.#literal(text.slice(start, at + 1))
      }
    }
    return undefined
  }

  #literal(value: string | undefined): Operand | undefined {
    if (value === undefined) return undefined
    return { kind: 'literal', scope: /^[A-Za-z]\w*#/.test(value) ? 'TypedConstant' : 'LiteralConstant', value }
  }

  /** The name at the position, quoted or plain, without its quotes. */
  #name(): string | undefined {
    const text = this.#text
    const start = this.#at
    if (text.charCodeAt(start) === quoteCode) {
      const end = text.indexOf('"', start + 1)
      if (end <= start + 1) return undefined
      const name = text.slice(start + 1, end)
      if (name.includes('\n')) return undefined
      this.#at = end + 1
      return name
    }
    if (!isIdentifierStart(text.charCodeAt(start))) return undefined
    let end = start + 1
    while (end < text.length && isIdentifierPart(text.charCodeAt(end))) end++
    this.#at = end
    return text.slice(start, end)
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return undefined
    this.#at = pattern.lastIndex
    return found
  }

  #skipBlanks(): void {
    while (this.#text.charCodeAt(this.#at) === blankCode || this.#text.charCodeAt(this.#at) === tabCode) this.#at++
  }
}

const hashCode = 35
const quoteCode = 34
const percentCode = 37
const apostropheCode = 39
const leftBracketCode = 91
const rightBracketCode = 93
const dotCode = 46
const commaCode = 44
const minusCode = 45
const dollarCode = 36
const blankCode = 32
const tabCode = 9
const lineFeedCode = 10

const addressTypes: Readonly<Record<string, string>> = { B: 'Byte', W: 'Word', D: 'DWord', L: 'LWord' }

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isSingleName(path: readonly PathComponent[]): boolean {
  const [first] = path
  return path.length === 1 && first?.indices === undefined && first?.slice === undefined && first?.access === undefined
}

function indirectArea(area: string | undefined, isPeriphery: boolean): { area?: string } {
  if (area === undefined) return {}
  return { area: isPeriphery && (area === 'Input' || area === 'Output') ? `Periphery${area}` : area }
}
