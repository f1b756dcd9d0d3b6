/**
 * Operands as text: `#run`, `"DB".list[#i, 2].x.%X3`, `%MW10`, `T#5s`, `"MAX"` (docs/formats.md#lad-and-fbd-networks,
 * docs/formats.md#scl-and-stl-networks).
 *
 * The text is what an engineer reads in TIA Portal. It does not say everything the model holds: the type of a literal and of an absolute
 * address (only its width), and whether a quoted or `#` name is a variable or a constant. Reading it back is the work of
 * operand-reader.ts.
 */

import { isReservedWord } from './keywords.ts'
import { isPlainIdentifier, memberName, quoted } from './names.ts'
import type { AddressOperand, IndirectOperand, Operand, PathComponent, SymbolScope } from './operand.ts'

/** Text of an operand. `other` operands give the text the file shows of them, labels and predefined variables their bare name. */
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
      return STATUS_TEXTS.get(operand.name) ?? operand.name
    case 'other':
      return operand.text
  }
}

/** Text of a symbol's or instance's path: global names in quotes, local ones behind `#`, the others bare where they can be. */
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

/** What stands before the bracket of an indirect access: an area with its width (`MD[…]`), or a width alone. */
export const INDIRECT_PREFIX = /^(?:([IQML])([BWDL]?)|(DB|DI)([XBWDL]?)|(T|C|FB|FC)|([BWDL]))$/

/** Whether a bare name means nothing but the symbol: no reserved word, status bit, EN or ENO; no area (`M[…]`) before an index. */
function canStandBare(name: string, isElement: boolean): boolean {
  if (!isPlainIdentifier(name) || isReservedWord(name) || STATUS_NAMES.has(name) || /^ENO?$/i.test(name)) return false
  return !(isElement && INDIRECT_PREFIX.test(name))
}

const AREA_LETTERS: Readonly<Record<string, string>> = {
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
/** What an indirect access to a whole timer, counter or block is of. */
export const BLOCK_TYPES: Readonly<Record<string, string>> = {
  Timer: 'Timer',
  Counter: 'Counter',
  FB: 'Block_FB',
  FC: 'Block_FC',
}

const STATUS_TEXTS: ReadonlyMap<string, string> = new Map([
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
/** Names of the status bits of STL by the text that stands for them. */
export const STATUS_NAMES: ReadonlyMap<string, string> = new Map([...STATUS_TEXTS].map(([name, text]) => [text, name]))

/** Letter of the width of an absolute address by its data type; one bit has none, what is not known is a double word. */
export function widthLetter(type: string): '' | 'B' | 'W' | 'D' | 'L' {
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
  const letter = AREA_LETTERS[area] ?? area
  if (area in BLOCK_TYPES) return `%${letter}${bitOffset ?? ''}`
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

const WIDTH_LETTERS = { Bit: '', Byte: 'B', Word: 'W', Double: 'D', Long: 'L', None: '' } as const

function indirectText(operand: IndirectOperand): string {
  const { area, width } = operand
  const isDataBlock = area === 'DB' || area === 'DI'
  const letter = isDataBlock && width === 'Bit' ? 'X' : WIDTH_LETTERS[width]
  const prefix = area === undefined ? letter : `${AREA_LETTERS[area] ?? area}${letter}`
  const suffix = area?.startsWith('Periphery') === true ? ':P' : ''
  if (operand.pointer !== undefined) return `${prefix}[${operandText(operand.pointer)}]${suffix}`
  return `${prefix}[${operand.register ?? 'AR1'},P#${pointerText(operand.bitOffset ?? 0)}]${suffix}`
}
