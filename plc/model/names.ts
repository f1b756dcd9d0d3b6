/**
 * Spelling of names, operands and data types in SCL and SimaticML (docs/formats.md#interface,
 * docs/formats.md#scl-and-stl-networks).
 */

import { isReservedWord } from './keywords.ts'

/** Whether `name` is valid in a program text without quotes: a letter or `_`, then letters, digits, `_`. */
export function isPlainIdentifier(name: string): boolean {
  if (name.length === 0 || !isIdentifierStart(name.charCodeAt(0))) return false
  for (let i = 1; i < name.length; i++) if (!isIdentifierPart(name.charCodeAt(i))) return false
  return true
}

/** Returns `name` in double quotes, as every name of the whole program is written. */
export function quoted(name: string): string {
  return `"${name}"`
}

/** Returns the name of a member or local variable behind `#` or `.`, quoted only where necessary. */
export function memberName(name: string): string {
  return isPlainIdentifier(name) && !isReservedWord(name) ? name : `"${name}"`
}

/**
 * Whether a name is a word of the language: a keyword, or a data type. Without quotes it would be read as that word.
 */
export function isLanguageWord(name: string): boolean {
  return isReservedWord(name) || canonicalTypes.has(name.toUpperCase())
}

/** Returns a name as a declaration or an assignment begins with it: data types as names are quoted too. */
export function declaredName(name: string): string {
  return isLanguageWord(name) ? `"${name}"` : memberName(name)
}

/** Returns `text` without one pair of surrounding double quotes. */
export function unquoted(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

/** Whether a character can begin a name: letters, `_`, and every character outside ASCII except white space. */
export function isIdentifierStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code >= 128 && !isWideSpace(code))
}

/** Whether a character can be inside a name. */
export function isIdentifierPart(code: number): boolean {
  return isIdentifierStart(code) || (code >= 48 && code <= 57)
}

/**
 * Whether a character is white space outside ASCII: no-break space, the spaces of U+2000-U+200A, separators,
 * ideographic space, BOM.
 */
export function isWideSpace(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  )
}

/**
 * Elementary and system types in TIA Portal's own spelling (docs/formats.md#interface), found by their upper-case form.
 */
const canonicalTypes: ReadonlyMap<string, string> = new Map(
  (
    'Bool Byte Word DWord LWord SInt Int DInt LInt USInt UInt UDInt ULInt Real LReal Time LTime S5Time Date ' +
    'Time_Of_Day LTime_Of_Day Date_And_Time LDT DTL Char WChar String WString Variant Any Pointer Void Struct ' +
    'Timer Counter Block_FB Block_FC Block_DB'
  )
    .split(' ')
    .map((name): [string, string] => [name.toUpperCase(), name])
    .concat([
      ['TOD', 'Time_Of_Day'],
      ['LTOD', 'LTime_Of_Day'],
      ['DT', 'Date_And_Time'],
      ['DATE_AND_LTIME', 'LDT'],
    ]),
)

/** Names of these types. */
export const builtInTypes: readonly string[] = [...new Set(canonicalTypes.values())]

/** Returns the type's name as TIA Portal writes it (`BOOL` -> `Bool`, `TOD` -> `Time_Of_Day`); unknown names stay. */
export function canonicalTypeName(name: string): string {
  return canonicalTypes.get(name.toUpperCase()) ?? name
}

/** Whether `name` is an elementary type or one of the types built into the language. */
export function isBuiltInType(name: string): boolean {
  return canonicalTypes.has(name.toUpperCase())
}

/** Returns `X` for `Array[0..3] of "X"`, without quotes; `undefined` for types that are not of the program. */
export function userType(dataType: string): string | undefined {
  return /(?:^| of )"([^"]*)"$/.exec(dataType)?.[1]
}

/** Returns `DTL` for `Array[0..3] of DTL`; `undefined` for types of the program and those with a length. */
export function plainType(dataType: string): string | undefined {
  return /(?:^| )(\w+)$/.exec(dataType)?.[1]
}
