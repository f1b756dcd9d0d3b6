/** Converters of bindings: from the value of a variable to that of a property. */
import type { CompiledConverter, StationModel } from '../../plugins/hmi/station-model.ts'

/** Whether a value counts as true; times are texts. */
export function isOn(value: unknown): boolean {
  return value === true || (typeof value === 'number' && value !== 0) || value === 'true' || value === '1'
}

/** A value as a number; a time such as `T#5s` is no number. */
export function numberOf(value: unknown): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' ? value : Number(value)
}

/** The text of a value. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(7)))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Decimal signs of cultures. */
const signs = new Map<string, string>()

/** The decimal sign of a culture: `,` of German. */
export function decimalSign(culture: string): string {
  let sign = signs.get(culture)
  if (sign === undefined) {
    const parts = new Intl.NumberFormat(culture).formatToParts(1.5)
    sign = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
    signs.set(culture, sign)
  }
  return sign
}

/** The text of a number with the decimal sign of a culture. */
export function inCulture(text: string, culture: string): string {
  return text.replace('.', decimalSign(culture))
}

/** The text of a multilingual one: of the language, else of any. */
export function inLanguage(texts: Readonly<Record<string, string>> | undefined, culture: string): string {
  return texts?.[culture] ?? Object.values(texts ?? {})[0] ?? ''
}

/** The entry of a list for a value. */
export function entryOf<T extends { readonly from: number; readonly to: number; readonly isDefault: boolean }>(
  entries: readonly T[] | undefined,
  value: unknown,
): T | undefined {
  const number = numberOf(value)
  return (
    entries?.find(({ from, to, isDefault }) => !isDefault && number >= from && number <= to) ??
    entries?.find(({ isDefault }) => isDefault)
  )
}

export function convert(
  converter: CompiledConverter | undefined,
  value: unknown,
  model: StationModel,
  culture: string,
): unknown {
  switch (converter?.kind) {
    case undefined:
      return value
    case 'switch': {
      const { bit } = converter
      // A negative number has the bits of its two's complement, and the remainder -1; what is no number has none.
      const lit = bit === undefined ? isOn(value) : Math.abs(Math.floor(numberOf(value) / 2 ** bit) % 2) === 1
      return lit ? converter.on : converter.off
    }
    case 'scale':
      return numberOf(value) * converter.factor + converter.offset
    case 'ranges': {
      const number = numberOf(value)
      return converter.ranges.find(({ from, to }) => number >= from && number <= to)?.value ?? converter.otherwise
    }
    case 'list':
      if (converter.of === 'text') return inLanguage(entryOf(model.textLists[converter.list], value)?.text, culture)
      return entryOf(model.graphicLists[converter.list], value)?.graphic
    case 'format': {
      const { decimals, prefix, suffix } = converter
      const text = decimals !== undefined && typeof value === 'number' ? value.toFixed(decimals) : textOf(value)
      return `${prefix}${typeof value === 'number' ? inCulture(text, culture) : text}${suffix}`
    }
  }
}

/** Colours of TIA Portal (`r, g, b`) as CSS takes them. */
export function colour(value: unknown, fallback: string): string {
  if (typeof value !== 'string' || value === '') return fallback
  const rgb = /^(\d{1,3}), ?(\d{1,3}), ?(\d{1,3})$/.exec(value)
  return rgb === null ? value : `rgb(${rgb[1]}, ${rgb[2]}, ${rgb[3]})`
}
