/**
 * The formats of I/O fields. Classic: `DataFormat` (Decimal, Hexadecimal, Binary, Date, Time, DateTime, String) with
 * `FormatPattern` (`999.99`, `s999`: with a sign), `ShiftDecimalPoint`, `ShowLeadingZeros`, `FieldLength`. WinCC
 * Unified: `OutputFormat` with a letter and a number in braces, `{F2}`, `{H4}`, `{I}`, and texts around them.
 */
import { defined } from '../../../core/index.ts'
import type { PropertyValue } from '../../../plc/formats/hmi/model.ts'
import { parseElementaryType } from '../../../plc/model/data-type.ts'
import type { CompiledFormat } from '../station-model.ts'

type Properties = Readonly<Record<string, PropertyValue>>

/** A format, or what is wrong with it; both absent: the field has none. */
export interface ReadFormat {
  readonly format?: CompiledFormat
  readonly fault?: string
}

/** What patterns there are, for messages. */
export const formatHint =
  'Patterns: 999.99, s999 (with a sign), FFFF (hexadecimal), 1111 (binary); of WinCC Unified {I}, {F2}, {E3}, {H4}, {B8}, {O}, {S}, {D}, {T}.'

/**
 * The format of a field.
 * @param dataType of the variable that it shows
 */
export function formatOf(properties: Properties, dataType: string): ReadFormat {
  const pattern = String(properties.outputFormat ?? properties.formatPattern ?? '').trim()
  const type = parseElementaryType(dataType)
  const read = /[{}]/.test(pattern) ? unified(pattern) : classic(properties, pattern)
  if (read.format === undefined) return read
  const made = fitted(read.format, type)
  return made === undefined
    ? { fault: `The format ${shown(properties, pattern)} does not fit ${dataType}: the value is shown as it is` }
    : { format: made }
}

const shown = ({ dataFormat }: Properties, pattern: string) =>
  [dataFormat, pattern && `"${pattern}"`].filter((one) => one !== undefined && one !== '').join(' ')

/** The format with what it needs of the type of the variable; undefined when it does not fit. */
function fitted(format: CompiledFormat, type: ReturnType<typeof parseElementaryType>): CompiledFormat | undefined {
  // A structure or an array is a text here.
  const family = type?.family ?? ''
  const isNumber = /^(integer|bits|real|bool)$/.test(family)
  switch (format.kind) {
    case 'decimal':
    case 'exponent':
      return isNumber ? format : undefined
    case 'radix': {
      if (type === undefined || !/^(integer|bits|bool)$/.test(family)) return undefined
      return { ...format, bits: type.bits, isSigned: /^(s|d|l)?int$/i.test(type.name) }
    }
    case 'text':
      return /^(string|character)$/.test(family) ? format : undefined
    default:
      return /^(date|duration)$/.test(family) ? format : undefined
  }
}

const around = { prefix: '', suffix: '' }
const decimal = { kind: 'decimal', ...around, isSigned: true, shift: 0 } as const
const radix = { kind: 'radix', ...around, bits: 0, isSigned: false } as const

const unknown = (pattern: string): ReadFormat => ({
  fault: `The format "${pattern}" is not known: the value is shown as it is`,
})

/** `{F2}`, `{F,2}`, `{H4} h`. */
function unified(pattern: string): ReadFormat {
  const [, prefix, letter = '', count = '', suffix] = /^([^{}]*)\{([a-z]),?(\d{0,2})\}([^{}]*)$/i.exec(pattern) ?? []
  if (prefix === undefined || suffix === undefined) return unknown(pattern)
  const texts = { prefix, suffix }
  const number = count === '' ? undefined : Number(count)
  const digits = defined({ digits: number })
  switch (letter.toUpperCase()) {
    case 'I':
      return { format: { ...decimal, ...texts, ...defined({ least: number }), decimals: 0 } }
    case 'F':
      return { format: { ...decimal, ...texts, ...defined({ decimals: number }) } }
    case 'E':
      return { format: { kind: 'exponent', ...texts, ...defined({ decimals: number }) } }
    case 'H':
      return { format: { ...radix, ...texts, radix: 16, ...digits } }
    case 'O':
      return { format: { ...radix, ...texts, radix: 8, ...digits } }
    case 'B':
      return { format: { ...radix, ...texts, radix: 2, ...digits } }
    case 'S':
      return { format: { kind: 'text', ...texts, ...defined({ length: number }) } }
    case 'D':
      return { format: { kind: 'date', ...texts } }
    case 'T':
      return { format: { kind: 'time', ...texts } }
    default:
      return unknown(pattern)
  }
}

function classic(properties: Properties, pattern: string): ReadFormat {
  const name = String(properties.dataFormat ?? properties.displayFormat ?? '')
  const shift = Number(properties.shiftDecimalPoint ?? 0) || 0
  const hasZeros = properties.showLeadingZeros === true
  const length = Number(properties.fieldLength ?? 0) || 0
  switch (name.toLowerCase().replace(/[^a-z]/g, '')) {
    case '':
    case 'decimal':
      if (pattern === '' && shift === 0) return {}
      return decimalOf(pattern, shift, hasZeros)
    case 'hexadecimal':
    case 'hex':
      if (!/^[hfx0-9a-e]*$/i.test(pattern)) return unknown(pattern)
      return { format: { ...radix, radix: 16, ...digitsOf(pattern) } }
    case 'binary':
      if (!/^[b019]*$/i.test(pattern)) return unknown(pattern)
      return { format: { ...radix, radix: 2, ...digitsOf(pattern) } }
    case 'date':
      return { format: { kind: 'date', ...around } }
    case 'time':
      return { format: { kind: 'time', ...around } }
    case 'datetime':
      return { format: { kind: 'dateTime', ...around } }
    case 'string':
      return { format: { kind: 'text', ...around, ...(length > 0 ? { length } : {}) } }
    default:
      return unknown(name)
  }
}

const digitsOf = (pattern: string) => (pattern === '' ? {} : { digits: pattern.length })

/** `s99.9`: a sign, two digits before the point and one behind it. */
function decimalOf(pattern: string, shift: number, hasZeros: boolean): ReadFormat {
  if (pattern === '') return { format: { ...decimal, decimals: Math.max(0, shift), shift } }
  const [, sign, before, after = ''] = /^([s+-]?)([09#]*)(?:[.,]([09#]*))?$/i.exec(pattern) ?? []
  if (before === undefined || before.length + after.length === 0) return unknown(pattern)
  return {
    format: {
      ...decimal,
      most: before.length,
      ...(hasZeros || before.startsWith('0') ? { least: before.length } : {}),
      decimals: after.length,
      isSigned: sign !== '',
      shift,
    },
  }
}
