/**
 * Writes operands as text: `#run`, `"DB".list[#i, 2].x.%X3`, `%MW10`, `T#5s`, `"MAX"`
 * (docs/formats.md#lad-and-fbd-networks, docs/formats.md#scl-and-stl-networks).
 *
 * The text is what an engineer reads in TIA Portal. It does not contain everything that the model does: not the type of
 * a literal or of an absolute address (only its width), nor whether a quoted or `#` name is a variable or a constant.
 * operand-reader.ts reads it back.
 */

import { isReservedWord } from './keywords.ts'
import { isPlainIdentifier, memberName, quoted } from './names.ts'
import type { AddressOperand, IndirectOperand, Operand, PathComponent, SymbolScope } from './operand.ts'

/**
 * Returns the text of an operand: for `other` operands the text that the file shows, for labels and predefined
 * variables the bare name.
 */
export function operandText(operand: Operand): string {
  switch (operand.kind) {
    case 'symbol':
      return pathText(operand.scope, operand.path)
    case 'literal':
      return operand.value
    case 'constant':
      if (operand.scope === 'GlobalConstant') return quoted(operand.name)
      return operand.scope === 'LocalConstant' ? `#${memberName(operand.name)}` : operand.name
    case 'address':
      return addressText(operand)
    case 'indirect':
      return indirectText(operand)
    case 'label':
      return operand.name
    case 'status':
      return statusTexts.get(operand.name) ?? operand.name
    case 'other':
      return operand.text
  }
}

/**
 * Returns the text of a symbol's or instance's path: global names in quotes, local ones after `#`, others bare where
 * possible.
 */
export function pathText(scope: SymbolScope, path: readonly PathComponent[]): string {
  let text = ''
  for (const [index, component] of path.entries()) {
    if (index === 0) text += firstName(scope, component.name, component.indices !== undefined)
    else if (component.name !== '' || component.slice === undefined) text += `.${memberName(component.name)}`
    if (component.indices !== undefined) text += `[${component.indices.map(operandText).join(', ')}]`
    if (component.slice !== undefined) text += `.%${component.slice.toUpperCase()}`
    if (component.access !== undefined) text += component.access === 'Periphery' ? ':P' : ':QI'
  }
  return text
}

function firstName(scope: SymbolScope, name: string, isElement: boolean): string {
  if (scope === 'LocalVariable') return `#${memberName(name)}`
  if (scope === 'GlobalVariable') return quoted(name)
  if (scope === 'PredefinedVariable' || canStandBare(name, isElement)) return name
  return quoted(name)
}

/** The text before the bracket of an indirect access: an area with its width (`MD[…]`), or a width alone. */
export const indirectPrefix = /^(?:([IQML])([BWDL]?)|(DB|DI)([XBWDL]?)|(T|C|FB|FC)|([BWDL]))$/

/**
 * Whether a bare name can only mean the symbol: no reserved word, status bit, EN or ENO; no area (`M[…]`) before an
 * index.
 */
function canStandBare(name: string, isElement: boolean): boolean {
  if (!isPlainIdentifier(name) || isReservedWord(name) || statusNames.has(name) || /^ENO?$/i.test(name)) return false
  return !(isElement && indirectPrefix.test(name))
}

const areaLetters: Readonly<Record<string, string>> = {
  Input: 'I',
  Output: 'Q',
  Memory: 'M',
  PeripheryInput: 'I',
  PeripheryOutput: 'Q',
  Local: 'L',
  DB: 'DB',
  DI: 'DI',
  Timer: 'T',
  Counter: 'C',
  FB: 'FB',
  FC: 'FC',
}
/** The block type of an indirect access to a whole timer, counter or block. */
export const blockTypes: Readonly<Record<string, string>> = {
  Timer: 'Timer',
  Counter: 'Counter',
  FB: 'Block_FB',
  FC: 'Block_FC',
}

const statusTexts: ReadonlyMap<string, string> = new Map([
  ['EQ', '==0'],
  ['NE', '<>0'],
  ['GT', '>0'],
  ['LT', '<0'],
  ['GE', '>=0'],
  ['LE', '<=0'],
  ['BR', 'BR'],
  ['OV', 'OV'],
  ['OS', 'OS'],
  ['UO', 'UO'],
])
/** Names of the status bits of STL by their text. */
export const statusNames: ReadonlyMap<string, string> = new Map([...statusTexts].map(([name, text]) => [text, name]))

/**
 * Returns the letter for the width of an absolute address by its data type: none for a bit, that of a double word for
 * unknown types.
 */
function widthLetter(type: string): '' | 'B' | 'W' | 'D' | 'L' {
  switch (type) {
    case 'Bool':
      return ''
    case 'Byte':
    case 'Char':
    case 'SInt':
    case 'USInt':
      return 'B'
    case 'Word':
    case 'Int':
    case 'UInt':
    case 'Date':
    case 'S5Time':
    case 'WChar':
      return 'W'
    case 'LReal':
    case 'LInt':
    case 'ULInt':
    case 'LWord':
    case 'LTime':
    case 'LDT':
    case 'LTime_Of_Day':
      return 'L'
    default:
      return 'D'
  }
}

function addressText(operand: AddressOperand): string {
  const { area, type, blockNumber, bitOffset } = operand
  if (area === 'DB' || area === 'DI') {
    if (bitOffset === undefined || type === 'Block_DB') return `%${area}${blockNumber ?? bitOffset ?? ''}`
    const width = widthLetter(type)
    const block = blockNumber === undefined ? '' : `${area}${blockNumber}.`
    return `%${block}${area}${width === '' ? 'X' : width}${byteText(bitOffset, width)}`
  }
  const letter = areaLetters[area] ?? area
  if (area in blockTypes) return `%${letter}${bitOffset ?? ''}`
  const width = widthLetter(type)
  return `%${letter}${width}${byteText(bitOffset ?? 0, width)}${area.startsWith('Periphery') ? ':P' : ''}`
}

function byteText(bits: number, width: string): string {
  return width === '' ? pointerText(bits) : String(Math.floor(bits / 8))
}

/** `2.0`: byte and bit of a bit offset. */
function pointerText(bits: number): string {
  return `${Math.floor(bits / 8)}.${bits % 8}`
}

const widthLetters = { Bit: '', Byte: 'B', Word: 'W', Double: 'D', Long: 'L', None: '' } as const

function indirectText(operand: IndirectOperand): string {
  const { area, width } = operand
  const isDataBlock = area === 'DB' || area === 'DI'
  const letter = isDataBlock && width === 'Bit' ? 'X' : widthLetters[width]
  const prefix = area === undefined ? letter : `${areaLetters[area] ?? area}${letter}`
  const suffix = area?.startsWith('Periphery') === true ? ':P' : ''
  if (operand.pointer !== undefined) return `${prefix}[${operandText(operand.pointer)}]${suffix}`
  return `${prefix}[${operand.register ?? 'AR1'},P#${pointerText(operand.bitOffset ?? 0)}]${suffix}`
}
