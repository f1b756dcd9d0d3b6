/** What fields show of a value, and what they read of a text that a person typed. */
import type { CompiledFormat } from '../../plugins/hmi/station-model.ts'
import { decimalSign, inCulture, numberOf, textOf } from './convert.ts'

/** The text of a value without a format; the decimal sign of numbers is that of the culture. */
export function plainText(value: unknown, culture: string): string {
  return typeof value === 'number' ? inCulture(textOf(value), culture) : textOf(value)
}

/** What a field shows; without a format the value as it is. */
export function shownText(format: CompiledFormat | undefined, value: unknown, culture: string): string {
  if (format === undefined) return plainText(value, culture)
  if (value === null || value === undefined || value === '') return ''
  return `${format.prefix}${formatted(format, value, culture)}${format.suffix}`
}

/** What a field offers to be edited: the value without texts around it, and all of its digits where it does not fit. */
export function editedText(format: CompiledFormat | undefined, value: unknown, culture: string): string {
  // The form that the controller takes: what a date looks like to people is not what it reads.
  if (format === undefined || format.kind === 'text' || format.kind === 'date' || format.kind === 'time')
    return plainText(value, culture)
  if (format.kind === 'dateTime' || value === null || value === undefined) return plainText(value, culture)
  const text = formatted(format, value, culture)
  if (!text.startsWith('#')) return text
  return format.kind === 'decimal' ? inCulture(String(numberOf(value) / 10 ** format.shift), culture) : text
}

function formatted(format: CompiledFormat, value: unknown, culture: string): string {
  switch (format.kind) {
    case 'decimal':
      return decimalText(format, value, culture)
    case 'radix':
      return radixText(format, value)
    case 'exponent': {
      const number = numberOf(value)
      return Number.isNaN(number) ? textOf(value) : inCulture(number.toExponential(format.decimals), culture)
    }
    case 'text': {
      const text = textOf(value)
      return format.length === undefined ? text : text.slice(0, format.length)
    }
    default:
      return dateText(format.kind, textOf(value), culture)
  }
}

/** Digits that do not fit are told by `#` in all places, as on a panel: a part of a number would be another number. */
function decimalText(
  { most, least = 1, decimals, isSigned, shift }: Extract<CompiledFormat, { kind: 'decimal' }>,
  value: unknown,
  culture: string,
): string {
  const number = numberOf(value)
  if (Number.isNaN(number)) return textOf(value)
  const scaled = number / 10 ** shift
  const whole = decimals === 0 ? exactText(value, number, shift) : undefined
  const text = whole ?? (decimals === undefined ? textOf(scaled) : scaled.toFixed(decimals))
  const isNegative = text.startsWith('-') && /[1-9]/.test(text)
  const [before = '', after] = text.replace('-', '').split('.')
  if ((most !== undefined && before.length > Math.max(1, most)) || (isNegative && !isSigned))
    return '#'.repeat((most ?? before.length) + (decimals ? decimals + 1 : 0) || 1)
  const points = after === undefined ? '' : `.${after}`
  return inCulture(`${isNegative ? '-' : ''}${before.padStart(least, '0')}${points}`, culture)
}

/** A whole number of 64 bits comes as a text, since a number would lose its last digits. */
function exactText(value: unknown, number: number, shift: number): string | undefined {
  if (typeof value === 'string' && /^-?\d+$/.test(value) && shift === 0) return value
  return Number.isInteger(number) && shift === 0 && Math.abs(number) < 1e21 ? String(number) : undefined
}

function bigOf(value: unknown): bigint | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : undefined
}

function radixText({ radix, digits, bits }: Extract<CompiledFormat, { kind: 'radix' }>, value: unknown): string {
  const whole = bigOf(value)
  if (whole === undefined) return textOf(value)
  const text = BigInt.asUintN(Math.max(1, bits), whole).toString(radix).toUpperCase()
  if (digits === undefined) return text
  return text.length > digits ? '#'.repeat(digits) : text.padStart(digits, '0')
}

/** `D#2024-05-01`, `TOD#10:20:30.5`, `DTL#2024-05-01-10:20:30.5` as people of the culture write them. */
function dateText(kind: 'date' | 'time' | 'dateTime', text: string, culture: string): string {
  const bare = text.replace(/^[A-Z_]+#/i, '')
  const [, year, month, day, rest = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:-(.*))?$/.exec(bare) ?? []
  const clock = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?/.exec(year === undefined ? bare : rest)
  if (year === undefined && clock === null) return text
  const [hours, minutes, seconds] = [1, 2, 3].map((i) => Number(clock?.[i] ?? 0))
  const time = Date.UTC(Number(year ?? 2000), Number(month ?? 1) - 1, Number(day ?? 1), hours, minutes, seconds)
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const hour = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const wanted = {
    ...(kind === 'time' || year === undefined ? {} : date),
    ...(kind === 'date' || clock === null ? {} : hour),
  }
  if (Object.keys(wanted).length === 0) return text
  return new Intl.DateTimeFormat(culture, { ...wanted, timeZone: 'UTC' }).format(time)
}

/** A value to write, or why the text is none: words with the text that would be right. */
export type ReadText = { readonly value: unknown } | { readonly fault: string; readonly hint: string }

/**
 * The value that a person typed into a field.
 * @param dataType of the variable; numbers in another form (`16#FF`, `T#5s`) are for the gateway to read
 */
export function readText(
  format: CompiledFormat | undefined,
  typed: string,
  dataType: string,
  culture: string,
  unit = '',
): ReadText {
  const text = bareText(typed, [unit, format?.prefix ?? '', format?.suffix ?? ''])
  if (/^bool$/i.test(dataType)) {
    if (/^(1|true|on)$/i.test(text)) return { value: true }
    return /^(0|false|off)$/i.test(text) ? { value: false } : { fault: 'is no truth value', hint: '1, 0, TRUE, FALSE' }
  }
  if (text.includes('#')) return { value: text }
  if (format?.kind === 'radix') return readRadix(format, text)
  if (!/^(byte|[dl]?word|u?s?int|u?[dl]int|l?real)$/i.test(dataType)) return { value: text }
  const sign = decimalSign(culture)
  const plain = text.replace(sign, '.')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) {
    const other = text.replace(/[.,]/, sign)
    const isOther = /^[+-]?\d+[.,]\d+$/.test(text)
    return { fault: 'is no number', hint: isOther ? other : inCulture('12.5', culture) }
  }
  const shift = format?.kind === 'decimal' ? format.shift : 0
  // The last digits of a number of 64 bits are kept as they were typed.
  if (/^[+-]?\d{16,}$/.test(plain) && shift === 0) return { value: plain }
  return { value: shift === 0 ? Number(plain) : Number((Number(plain) * 10 ** shift).toPrecision(15)) }
}

/** The text without what stands around the value. */
function bareText(typed: string, around: readonly string[]): string {
  let text = typed.trim()
  for (const one of around.map((part) => part.trim()).filter((part) => part !== '')) {
    if (text.startsWith(one)) text = text.slice(one.length).trim()
    if (text.endsWith(one)) text = text.slice(0, text.length - one.length).trim()
  }
  return text
}

function readRadix({ radix, bits, isSigned }: Extract<CompiledFormat, { kind: 'radix' }>, text: string): ReadText {
  const digits = { 2: /^[01]+$/, 8: /^[0-7]+$/, 16: /^[0-9a-f]+$/i }[radix]
  const hint = { 2: '1010', 8: '17', 16: '1F' }[radix]
  if (!digits.test(text)) return { fault: 'has other digits', hint }
  const whole = BigInt(`${{ 2: '0b', 8: '0o', 16: '0x' }[radix]}${text}`)
  // More digits than the variable has are for the gateway to refuse.
  const value = isSigned && whole < 1n << BigInt(bits) ? BigInt.asIntN(bits, whole) : whole
  return { value: Number.isSafeInteger(Number(value)) ? Number(value) : String(value) }
}
