/**
 * Lists of values for rows of watch and force tables: display formats and triggers (enumerations
 * PlcWatchAndForceTableDisplayFormat and PlcWatchAndForceTablePreDefinedTrigger of Openness), and the format for each
 * data type.
 */
import { nearest, problem } from '../../core/index.ts'

/** Display formats of a value. */
export const displayFormats = [
  'Undef',
  'Any_pointer',
  'BCD',
  'Bin',
  'Block_number',
  'Bool',
  'Character',
  'Character_sequence',
  'Counter',
  'Date',
  'DATE_AND_TIME',
  'DEC_sequence',
  'DEC_signed',
  'DEC_unsigned',
  'Float',
  'Hex',
  'Octal',
  'Pointer',
  'SIMATIC_Time',
  'String',
  'Time',
  'TIME_OF_DAY',
  'Unicode_character',
  'Unicode_character_sequence',
  'Unicode_string',
] as const
/** Name of a display format. */
export type DisplayFormat = (typeof displayFormats)[number]

/** When a value is read or written: in every cycle or once, at its start, its end, or when the CPU goes to STOP. */
export const triggers = [
  'Permanent',
  'PermanentAtStart',
  'OnceOnlyAtStart',
  'PermanentAtEnd',
  'OnceOnlyAtEnd',
  'PermanentAtStop',
  'OnceOnlyAtStop',
  'Undef',
] as const

/** Maps names of the user interface of TIA Portal to those of the enumeration. */
const shownFormats: ReadonlyMap<string, DisplayFormat> = new Map([
  ['dec', 'DEC_unsigned'],
  ['dec+/-', 'DEC_signed'],
  ['floating-point number', 'Float'],
  ['hexadecimal', 'Hex'],
  ['binary', 'Bin'],
  ['simatic time', 'SIMATIC_Time'],
  ['date and time', 'DATE_AND_TIME'],
  ['time of day', 'TIME_OF_DAY'],
])

/** Data types (lower case) by the format that displays them. */
const typesOfFormat: Readonly<Partial<Record<DisplayFormat, readonly string[]>>> = {
  Bool: ['bool'],
  Hex: ['byte', 'word', 'dword', 'lword'],
  DEC_signed: ['sint', 'int', 'dint', 'lint'],
  DEC_unsigned: ['usint', 'uint', 'udint', 'ulint'],
  Float: ['real', 'lreal'],
  Character: ['char'],
  Unicode_character: ['wchar'],
  String: ['string'],
  Unicode_string: ['wstring'],
  Time: ['time', 'ltime'],
  SIMATIC_Time: ['s5time', 'timer'],
  Date: ['date'],
  TIME_OF_DAY: ['time_of_day', 'tod', 'ltime_of_day', 'ltod'],
  DATE_AND_TIME: ['date_and_time', 'dt', 'ldt', 'date_and_ltime', 'dtl'],
  Counter: ['counter'],
  Pointer: ['pointer'],
  Any_pointer: ['any'],
  Block_number: ['block_db', 'block_fb', 'block_fc'],
}
const formatOfType = new Map(
  Object.entries(typesOfFormat).flatMap(([format, types]) => types.map((type) => [type, format as DisplayFormat])),
)

/** The format for values of a data type; `Undef` when the type is unknown or has no single value. */
export function formatFor(dataType: string | undefined): DisplayFormat {
  const name = dataType?.trim().toLowerCase().replace(/\[.*$/s, '') ?? ''
  return formatOfType.get(name) ?? 'Undef'
}

/** The widest data types that a format can display. */
const widest: ReadonlyMap<string, readonly string[]> = new Map([
  ['Bool', ['Bool']],
  ['DEC_signed', ['LInt']],
  ['DEC_unsigned', ['ULInt']],
  ['Hex', ['LWord']],
  ['Bin', ['LWord']],
  ['Octal', ['LWord']],
  ['Float', ['LReal']],
  ['Character', ['Char']],
  ['Unicode_character', ['WChar']],
  ['String', ['String[254]']],
  ['Unicode_string', ['WString[254]']],
  ['Time', ['Time', 'LTime']],
  ['SIMATIC_Time', ['S5Time']],
  ['Date', ['Date']],
  ['TIME_OF_DAY', ['Time_Of_Day', 'LTime_Of_Day']],
  ['DATE_AND_TIME', ['Date_And_Time', 'LDT', 'DTL']],
])

/** Signed and unsigned integers by the width of an address. */
const wholeTypes: ReadonlyMap<string, readonly [signed: string, unsigned: string]> = new Map([
  ['Byte', ['SInt', 'USInt']],
  ['Word', ['Int', 'UInt']],
  ['DWord', ['DInt', 'UDInt']],
  ['LWord', ['LInt', 'ULInt']],
])

/**
 * The data types whose values fit a format; empty when any text is allowed as a value.
 * @param width width of the address (`Bool`, `Byte`, `Word`, `DWord`, `LWord`), when nothing else is known about it
 */
export function typesShown(format: string, width?: string): readonly string[] {
  const whole = wholeTypes.get(width ?? '')
  if (whole && format === 'DEC_signed') return [whole[0]]
  if (whole && format === 'DEC_unsigned') return [whole[1]]
  const isBits = format === 'Hex' || format === 'Bin' || format === 'Octal'
  if (width !== undefined && whole && isBits) return [width]
  if (width === 'DWord' && format === 'Float') return ['Real']
  return widest.get(format) ?? []
}

/**
 * Returns the display format with this name, ignoring case. Names of the user interface (`DEC+/-`) are accepted too.
 * @throws GatewayError `invalid_input` with all names
 */
export function requireFormat(text: string, field: string): DisplayFormat {
  return shownFormats.get(text.trim().toLowerCase()) ?? oneOf(displayFormats, text, field, 'display format')
}

/**
 * Returns the trigger with this name, ignoring case.
 * @throws GatewayError `invalid_input` with all names
 */
export function requireTrigger(text: string, field: string): string {
  return oneOf(triggers, text, field, 'trigger')
}

function oneOf<T extends string>(all: readonly T[], text: string, field: string, what: string): T {
  const plain = (value: string) => value.toLowerCase().replace(/[\s_-]/g, '')
  const found = all.find((one) => plain(one) === plain(text))
  if (found !== undefined) return found
  const near = nearest(text, all)
  const message = `is no ${what}; there are ${all.join(', ')}`
  throw problem('invalid_input', `${field}: ${JSON.stringify(text)} ${message}.`, {
    errors: [{ path: field, message, value: text, allowed: all }],
    ...(near === undefined ? {} : { suggestion: `Did you mean "${near}"?` }),
  })
}
