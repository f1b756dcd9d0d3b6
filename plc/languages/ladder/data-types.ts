/** Data types of operands and boxes in a network, from which `SrcType` and the types of literals follow. */

import type { Operand } from '../../model/operand.ts'
import type { ProgramNames } from './program-names.ts'

/** Numbers from narrow to wide: a box works with the widest of its operands. */
const integers = ['SInt', 'USInt', 'Int', 'UInt', 'DInt', 'UDInt', 'LInt', 'ULInt']
const reals = ['Real', 'LReal']
const bitStrings = ['Byte', 'Word', 'DWord', 'LWord']
/** Identifiers of hardware, organization blocks, connections … are numbers. */
const hardwareType = /^(HW|OB|CONN|EVENT|DB|PIP|PORT|RTM|AOM)_/
const widths: readonly (readonly string[])[] = [[...integers, ...reals], bitStrings]

const prefixTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    T: 'Time',
    TIME: 'Time',
    LT: 'LTime',
    LTIME: 'LTime',
    S5T: 'S5Time',
    S5TIME: 'S5Time',
    D: 'Date',
    DATE: 'Date',
    TOD: 'Time_Of_Day',
    TIME_OF_DAY: 'Time_Of_Day',
    LTOD: 'LTime_Of_Day',
    DT: 'Date_And_Time',
    DATE_AND_TIME: 'Date_And_Time',
    LDT: 'LDT',
    DTL: 'DTL',
    B: 'Byte',
    W: 'Word',
    DW: 'DWord',
    LW: 'LWord',
    BYTE: 'Byte',
    WORD: 'Word',
    DWORD: 'DWord',
    LWORD: 'LWord',
    SINT: 'SInt',
    USINT: 'USInt',
    INT: 'Int',
    UINT: 'UInt',
    DINT: 'DInt',
    UDINT: 'UDInt',
    LINT: 'LInt',
    ULINT: 'ULInt',
    REAL: 'Real',
    LREAL: 'LReal',
    BOOL: 'Bool',
    CHAR: 'Char',
    WCHAR: 'WChar',
    STRING: 'String',
    WSTRING: 'WString',
    L: 'DInt',
  }),
)

/** The kind of a literal; `undefined` when its prefix names a type. */
export type LiteralShape = 'integer' | 'real' | 'boolean' | 'text'

export function literalShape(value: string): LiteralShape | undefined {
  if (/^(TRUE|FALSE)$/i.test(value)) return 'boolean'
  if (value.startsWith("'")) return 'text'
  if (/^[+-]?\d[\d_]*(#\w+)?$/.test(value)) return 'integer'
  return /^[+-]?\d[\d_]*(\.\d[\d_]*)?([eE][+-]?\d+)?$/.test(value) ? 'real' : undefined
}

/**
 * Returns the type of a literal where its place requires no other: `Int` or the narrowest integer that fits, `Real`,
 * `Bool`, `String`.
 */
export function literalType(value: string): string | undefined {
  switch (literalShape(value)) {
    case 'boolean':
      return 'Bool'
    case 'text':
      return 'String'
    case 'real':
      return 'Real'
    case 'integer': {
      const number = Number(value.replace(/_/g, '').replace(/^([+-]?\d+)#(.*)$/, basedNumber))
      if (Number.isNaN(number) || (number >= -32_768 && number <= 32_767)) return 'Int'
      if (number >= -2_147_483_648 && number <= 2_147_483_647) return 'DInt'
      return number >= 2 ** 63 ? 'ULInt' : 'LInt'
    }
    default:
      return prefixTypes.get(value.slice(0, Math.max(0, value.indexOf('#'))).toUpperCase())
  }
}

function basedNumber(_: string, base: string, digits: string): string {
  return String(Number.parseInt(digits, Math.min(36, Math.max(2, Math.abs(Number(base))))))
}

/** Whether a literal may have that type: `5` as `DInt`, `1.5` as `LReal`, `16#FF` as `Word`. */
export function fitsLiteral(value: string, type: string): boolean {
  const name = type.replace(/\[.*$/, '')
  switch (literalShape(value)) {
    case 'boolean':
      return name === 'Bool'
    case 'text':
      return ['String', 'WString', 'Char', 'WChar'].includes(name)
    case 'real':
      return reals.includes(name)
    case 'integer':
      return integers.includes(name) || bitStrings.includes(name) || reals.includes(name) || hardwareType.test(name)
    default:
      return false
  }
}

/** Type of an operand as far as it is known. A literal without a prefix has none of its own. */
export function operandType(operand: Operand, names: ProgramNames): string | undefined {
  switch (operand.kind) {
    case 'symbol':
    case 'constant':
      return names.typeOf?.(operand)
    case 'literal':
      return literalShape(operand.value) === undefined ? literalType(operand.value) : undefined
    case 'address':
      return operand.type
    default:
      return undefined
  }
}

/**
 * Returns the type of a box with operands of these types: their common type, or the widest number among them;
 * `undefined` when they do not fit together.
 */
export function commonType(types: readonly string[]): string | undefined {
  const [first] = types
  if (first === undefined || types.every((type) => type === first)) return first
  const family = widths.find((names) => types.every((type) => names.includes(type)))
  if (family === undefined) {
    const texts = types.map((type) => type.replace(/\[.*$/, ''))
    return texts.every((type) => type === 'String') ? 'String' : undefined
  }
  return types.reduce((widest, type) => (family.indexOf(type) > family.indexOf(widest) ? type : widest))
}
