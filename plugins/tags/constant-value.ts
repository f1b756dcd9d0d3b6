/**
 * Values of user constants: `100`, `16#FF`, `T#5s`, `'abc'`, checked for their data type. Forms of literals:
 * plc/model/literal.ts.
 */

import { type DataType, parseElementaryType } from '../../plc/model/data-type.ts'
import {
  fitsReal,
  type Literal,
  type LiteralFault,
  parseNumber,
  parseText,
  parseTyped,
  prefixType,
  rangeText,
} from '../../plc/model/literal.ts'

/**
 * The fault in a value of a data type, or undefined. For types that are not elementary (hardware identifiers), any
 * integer from 0 to 65535 is allowed.
 */
export function constantFault(value: string, dataType: string): string | undefined {
  const text = value.trim()
  if (text === '') return 'must not be empty'
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters'
  const type = parseElementaryType(dataType)
  if (!type) {
    if (/^"|^array|^struct$/i.test(dataType)) return `cannot be given: a constant cannot be of data type ${dataType}`
    return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
      ? undefined
      : `is not a value of ${dataType}: a number from 0 to 65535 is`
  }
  const literal = literalOf(text, type)
  if ('message' in literal && isTextType(type) && !text.startsWith("'"))
    return `is not a value of ${type.name}: a text between apostrophes such as 'abc' is`
  if ('message' in literal) return `is not a value of ${type.name}: ${lowerFirst(literal.message)} (${literal.allowed})`
  return misfit(literal, type, text)
}

function isTextType({ family }: DataType): boolean {
  return family === 'character' || family === 'string'
}

/** Reads the value as a literal. */
function literalOf(text: string, type: DataType): Literal | LiteralFault {
  if (type.family === 'bool' && /^(true|false)$/i.test(text)) return { kind: 'integer', value: 1n, text }
  if (text.startsWith("'")) {
    if (text.length < 2 || !text.endsWith("'") || /(?<!\$)(\$\$)*'/.test(text.slice(1, -1)))
      return {
        code: 'literal_invalid',
        message: `${text} is not closed by one quote.`,
        allowed: "'text', $' for a quote",
      }
    return parseText(text, type.bits === 16)
  }
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  const body = text.slice(sign.length)
  const typed = /^([a-z_]\w*)#(.*)$/i.exec(body)
  if (typed) return typedLiteral(typed[1] ?? '', typed[2] ?? '', sign)
  const number = parseNumber(body)
  if (!('kind' in number) || sign !== '-') return number
  return number.kind === 'integer' || number.kind === 'real'
    ? ({ ...number, value: -number.value, text } as Literal)
    : number
}

/** `W#16#FF`, `T#-5s`, `B#(1,2)` and `C#55` of STEP 7 classic, `-T#5s`. */
function typedLiteral(prefix: string, body: string, sign: string): Literal | LiteralFault {
  const bytes = /^(?:b|byte)$/i.test(prefix) ? /^\((\d{1,3}(?:,\d{1,3}){1,3})\)$/.exec(body.replace(/\s/g, '')) : null
  if (bytes) {
    const parts = (bytes[1] ?? '').split(',').map(Number)
    if (parts.length !== 3 && parts.every((part) => part <= 255)) {
      const value = parts.reduce((all, part) => all * 256n + BigInt(part), 0n)
      return { kind: 'integer', value, text: `${prefix}#${body}` }
    }
  }
  if (/^c$/i.test(prefix) && /^\d{1,3}$/.test(body))
    return { kind: 'integer', value: BigInt(`0x${body}`), text: `C#${body}` }
  if (/^l$/i.test(prefix) && /^[+-]?\d+$/.test(body)) return { kind: 'integer', value: BigInt(body), text: `L#${body}` }
  return parseTyped(prefix, sign === '-' ? `-${body}` : body)
}

/** Why a literal is not a value of the type, or undefined. */
function misfit(literal: Literal, type: DataType, text: string): string | undefined {
  const no = (allowed: string) => `is not a value of ${type.name}: ${allowed}`
  switch (type.family) {
    case 'bool':
      return isBool(literal, text) ? undefined : no('TRUE, FALSE, 1 or 0 is')
    case 'integer':
    case 'bits': {
      const value = wholeOf(literal)
      if (value === undefined) return no(`a whole number is, ${rangeText(type)}, also as 16#…, 8#…, 2#…`)
      const [least, most] = type.range ?? [0n, 0n]
      // Bit strings also accept the signed numbers of their width (data type tables: Byte -128 to 255).
      const from = type.family === 'bits' ? -(most + 1n) / 2n : least
      return value < from || value > most ? `does not fit into ${type.name}: ${rangeText(type)}` : undefined
    }
    case 'real': {
      const value = literal.kind === 'integer' || literal.kind === 'real' ? Number(literal.value) : realOf(literal)
      if (value === undefined) return no('a number such as 1.5 or 1.0E-3 is')
      return fitsReal(value, type) ? undefined : `does not fit into ${type.name}: ${rangeText(type)}`
    }
    case 'duration':
    case 'date':
      return typedMisfit(literal, type, no)
    default:
      return textMisfit(literal, type, no)
  }
}

function isBool(literal: Literal, text: string): boolean {
  if (/^(true|false)$/i.test(text)) return true
  if (literal.kind === 'integer') return literal.value === 0n || literal.value === 1n
  return literal.kind === 'typed' && literal.type.family === 'bool'
}

/** The value of a literal that is an integer; undefined for others. */
function wholeOf(literal: Literal): bigint | undefined {
  if (literal.kind === 'integer') return literal.value
  if (literal.kind !== 'typed' || (literal.type.family !== 'integer' && literal.type.family !== 'bits'))
    return undefined
  return typeof literal.value === 'bigint' ? literal.value : undefined
}

function realOf(literal: Literal): number | undefined {
  return literal.kind === 'typed' && ['real', 'integer'].includes(literal.type.family) && literal.value !== undefined
    ? Number(literal.value)
    : undefined
}

const examples: Readonly<Record<string, string>> = {
  Time: 'T#5s',
  LTime: 'LT#5s10us',
  S5Time: 'S5T#5s',
  Date: 'D#2024-01-31',
  Time_Of_Day: 'TOD#14:30:00',
  LTime_Of_Day: 'LTOD#14:30:00',
  Date_And_Time: 'DT#2024-01-31-14:30:00',
  LDT: 'LDT#2024-01-31-14:30:00',
  DTL: 'DTL#2024-01-31-14:30:00',
}

/** Durations widen (`T#5s` is a value of LTime); dates must have the type itself. */
function typedMisfit(literal: Literal, type: DataType, no: (allowed: string) => string): string | undefined {
  const isWider = type.name === 'LTime' && literal.kind === 'typed' && literal.type.name === 'Time'
  if (literal.kind === 'typed' && (literal.type.name === type.name || isWider)) return undefined
  return no(`a constant such as ${examples[type.name]} is`)
}

function textMisfit(literal: Literal, type: DataType, no: (allowed: string) => string): string | undefined {
  const isCharacter = type.family === 'character'
  const wide = type.bits === 16 ? 'W' : ''
  if (literal.kind === 'integer' && isCharacter)
    return literal.value >= 0n && literal.value < 1n << BigInt(type.bits)
      ? undefined
      : no(`a code of ${type.bits} bits is`)
  const isTyped = literal.kind === 'typed' && literal.type.family === type.family && literal.type.bits <= type.bits
  const length = literal.kind === 'text' ? literal.length : isTyped ? (literal.type.length ?? 1) : undefined
  if (length === undefined)
    return no(isCharacter ? `one character is, such as ${wide}CHAR#'A'` : "a text in quotes is, such as 'abc'")
  if (isCharacter) return length === 1 ? undefined : no(`one character is, this has ${length}`)
  const most = type.length ?? 254
  return length > most ? `does not fit into ${type.name}: it has ${length} characters` : undefined
}

function lowerFirst(text: string): string {
  const plain = text.endsWith('.') ? text.slice(0, -1) : text
  return prefixType(plain.split('#')[0] ?? '') ? plain : plain.charAt(0).toLowerCase() + plain.slice(1)
}
