/**
 * Conversions between texts and numbers, as functions of texts. Rules: S7-1200 system manual, "String conversion
 * instructions" (tables 8-20 to 8-33); an S7-1500 does the same.
 */

/**
 * Returns the number at the beginning of a text, without an exponent: blanks before it are skipped, commas between
 * digits are separators.
 * @returns undefined when the text does not begin with a number
 */
export function numberText(text: string, exponents = false, decimal: '.' | ',' = '.'): string | undefined {
  const trimmed = text.replace(/^ +/, '')
  // A thousands separator may come first, too: '.00123' is 123 when the comma is the decimal point (help of STRG_VAL).
  const pattern = decimal === '.' ? /^[+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)/ : /^[+-]?(?:\.*\d[\d.]*(?:,\d*)?|,\d+)/
  const [head] = pattern.exec(trimmed) ?? []
  if (head === undefined) return undefined
  const plain = decimal === '.' ? head.replaceAll(',', '') : head.replaceAll('.', '').replace(',', '.')
  const [tail] = exponents ? (/^[eE][+-]?\d+/.exec(trimmed.slice(head.length)) ?? []) : []
  return plain + (tail ?? '')
}

/**
 * Returns the integer at the beginning of a text, digits after a point are cut off; `undefined`: there is none, or it
 * does not fit.
 */
export function toInteger(text: string, bits: number, isSigned: boolean): bigint | undefined {
  const part = numberText(text)
  const [, sign = '', digits = ''] = /^([+-]?)(\d*)/.exec(part ?? '') ?? []
  if (part === undefined) return undefined
  const value = BigInt(digits === '' ? '0' : digits) * (sign === '-' ? -1n : 1n)
  const limited = isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)
  return limited === value ? value : undefined
}

/** Returns the real number at the beginning of a text; `undefined`: there is none, or it is too large. */
export function toReal(text: string, bits: number): number | undefined {
  const part = numberText(text)
  if (part === undefined) return undefined
  const value = bits === 32 ? Math.fround(Number(part)) : Number(part)
  return Number.isFinite(value) ? value : undefined
}

/** Number of characters that S_CONV uses for an integer, by its size in bits. */
const places: Readonly<Record<number, number>> = { 8: 4, 16: 6, 32: 11, 64: 21 }

/**
 * Returns an integer right-justified in the width of its type, as S_CONV does. With 0 bits it follows the conversions
 * of SCL, INT_TO_STRING and similar: always with a sign, without blanks (TIA Portal help, "Explicit conversion of INT":
 * special features of SCL).
 */
export function fromInteger(value: bigint, bits: number): string {
  if (bits === 0) return `${value < 0n ? '' : '+'}${value}`
  return value.toString().padStart(places[bits] ?? 21)
}

/**
 * Returns a real number with an exponent of two or more digits, right-justified: `-1.175495E-38` in 14 characters,
 * LReal in 21.
 */
export function fromReal(value: number, bits: number): string {
  const [digits, width] = bits === 32 ? [6, 14] : [13, 21]
  if (Number.isNaN(value)) return 'NaN'.padStart(width)
  if (!Number.isFinite(value)) return (value > 0 ? '+Inf' : '-Inf').padStart(width)
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential(digits).split('e')
  const power = Number(exponent)
  const sign = value < 0 || Object.is(value, -0) ? '-' : '+'
  return `${sign}${mantissa}E${power < 0 ? '-' : '+'}${Math.abs(power).toString().padStart(2, '0')}`.padStart(width)
}

/** FORMAT of STRG_VAL and VAL_STRG: bit 0 decimal comma, bit 1 exponent, bit 2 always a sign. */
export interface NumberFormat {
  readonly comma: boolean
  readonly exponential: boolean
  readonly signed: boolean
}

/** Decodes a FORMAT; `undefined` for values above `highest`, which are not allowed. */
export function numberFormat(code: number, highest: number): NumberFormat | undefined {
  if (code > highest) return undefined
  return { comma: (code & 1) !== 0, exponential: (code & 2) !== 0, signed: (code & 4) !== 0 }
}

/**
 * VAL_STRG: returns the number in `size` characters (0: as many as it takes), right-justified, with `precision` digits
 * after the point; an invalid number is `-INF`, `+INF` or `NaN`. `undefined` when it does not fit.
 */
export function formatted(
  value: number | bigint,
  size: number,
  precision: number,
  { comma, exponential, signed }: NumberFormat,
): string | undefined {
  const isNegative = value < 0
  let digits: string
  if (typeof value === 'bigint') {
    // Integers count in units of the last digit.
    const all = (isNegative ? -value : value).toString().padStart(precision + 1, '0')
    digits = precision === 0 ? all : `${all.slice(0, -precision)}.${all.slice(-precision)}`
  } else if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : isNegative ? '-INF' : '+INF'
    return size > 0 && name.length > size ? undefined : name.padStart(size)
  } else if (exponential) {
    const [mantissa = '', power = '0'] = Math.abs(value).toExponential(Math.min(precision, 100)).split('e')
    digits = `${mantissa}E${Number(power) < 0 ? '-' : '+'}${Math.abs(Number(power))}`
  } else digits = Math.abs(value).toFixed(Math.min(precision, 100))
  if (comma) digits = digits.replace('.', ',')
  const text = `${isNegative ? '-' : signed ? '+' : ''}${digits}`
  return size > 0 && text.length > size ? undefined : text.padStart(size)
}
