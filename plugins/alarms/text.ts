/**
 * Texts of alarms with their associated values: `Motor @1%d@ is at @2R%5.1f@ °C, @3%t#Modes@` (TIA Portal help,
 * "Inserting associated values in alarm texts").
 *
 * `@<number><element type>%<format>@`. Formats: `[i]d` signed, `[i]u` unsigned, `[i]X` hexadecimal, `[i]b` binary,
 * `[i][.y]f` fixed point, `s` text, `t#<name>` entry of a text list. Element types: B Bool, Y Byte, W Word, X DWord,
 * C Char, I Int, D DInt, R Real; without one the type of the value counts. Hexadecimal and binary numbers are filled
 * with zeros, others with blanks; what is longer is shown whole.
 */
import type { AlarmTextList, AlarmTexts, AlarmValueView } from '../simulation/index.ts'

/** The text of a culture, else of the first culture that has one. */
export function textIn(texts: AlarmTexts | undefined, cultures: readonly string[]): string | undefined {
  if (texts === undefined) return undefined
  for (const culture of cultures) {
    const found =
      texts[culture] ?? Object.entries(texts).find(([key]) => key.toLowerCase() === culture.toLowerCase())?.[1]
    if (found !== undefined && found !== '') return found
  }
  return Object.values(texts).find((text) => text !== '')
}

/** What a field shows when there is no such value, or the format does not fit it. */
const unknown = '###'

const field = /@(10|[1-9])([BYWXCIDR]?)%(?:(\d{0,3})(?:\.(\d{1,2}))?([duXbfs])|t#([^@]+))@/g

/** Puts the values into a text. */
export function formatAlarmText(
  text: string,
  values: readonly AlarmValueView[],
  textLists: readonly AlarmTextList[],
  cultures: readonly string[],
): string {
  const lists = new Map(textLists.map((list) => [list.name.toLowerCase(), list]))
  return text.replace(field, (_whole, number, element, width, decimals, format, list) => {
    const value = values[Number(number) - 1]
    if (!value || value.type === '') return unknown
    if (list !== undefined) return entryOf(lists.get(String(list).trim().toLowerCase()), value, cultures)
    return formatted(value, element, Number(width || 0), decimals === undefined ? undefined : Number(decimals), format)
  })
}

function entryOf(list: AlarmTextList | undefined, value: AlarmValueView, cultures: readonly string[]): string {
  const number = wholeOf(value, '')
  if (!list || number === undefined) return unknown
  const entry = list.entries.find(({ from, to }) => number >= BigInt(from) && number <= BigInt(to))
  return textIn(entry?.text, cultures) ?? unknown
}

/** Bits and sign of the element types. */
const elements: Readonly<Record<string, readonly [bits: number, isSigned: boolean]>> = {
  B: [1, false],
  Y: [8, false],
  C: [8, false],
  W: [16, false],
  X: [32, false],
  I: [16, true],
  D: [32, true],
}

/** The value as a whole number, as the element type sees its bits. */
function wholeOf({ raw }: AlarmValueView, element: string): bigint | undefined {
  const whole =
    typeof raw === 'boolean'
      ? BigInt(raw)
      : typeof raw === 'number'
        ? Number.isFinite(raw)
          ? BigInt(Math.round(raw))
          : undefined
        : /^-?\d+$/.test(raw)
          ? BigInt(raw)
          : undefined
  const [bits, isSigned] = elements[element] ?? []
  if (whole === undefined || bits === undefined) return whole
  return isSigned === true ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole)
}

/** Bits of a data type, for numbers that are shown unsigned. */
function bitsOf(type: string): number {
  if (/^(SInt|USInt|Byte|Char|Bool)$/i.test(type)) return 8
  if (/^(Int|UInt|Word|WChar|Date|S5Time)$/i.test(type)) return 16
  return /^L|^ULInt$/i.test(type) ? 64 : 32
}

function formatted(
  value: AlarmValueView,
  element: string,
  width: number,
  decimals: number | undefined,
  format: string,
): string {
  if (format === 's')
    return String(element === 'C' || typeof value.raw === 'string' ? value.raw : value.value).padStart(width)
  if (format === 'f') {
    const number = Number(value.raw)
    if (Number.isNaN(number) && value.raw !== 'NaN') return unknown
    return (decimals === undefined ? String(number) : number.toFixed(decimals)).padStart(width)
  }
  const whole = wholeOf(value, element)
  if (whole === undefined) return unknown
  if (format === 'd') return String(whole).padStart(width)
  const bits = elements[element]?.[0] ?? bitsOf(value.type)
  const unsigned = BigInt.asUintN(bits, whole)
  if (format === 'u') return String(unsigned).padStart(width)
  return unsigned
    .toString(format === 'X' ? 16 : 2)
    .toUpperCase()
    .padStart(width, '0')
}
