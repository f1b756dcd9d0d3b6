/**
 * Reads and writes operands of STL as text. Besides the forms of TIA Portal (`%M0.0`, `#x`, `"DB".a[1]`;
 * plc/model/operand-text.ts) it reads those of STEP 7: without `%`, with blanks, with the German letters (`E 0.0`, `PEW
 * 256`, `DB5.DBX 2.0`, `DI 7`, `DBW [AR1,P#2.0]`, `M [MD 20]`, `P##name`, `BIE`). The operand is the same whatever form
 * the text has.
 */

import { defined } from '../../../lib/optional.ts'
import { escapeAttribute } from '../../../lib/xml-text.ts'
import { blockAddressSlice, readBlockAddress } from '../../model/block-address.ts'
import { quoted } from '../../model/names.ts'
import type { AddressOperand, IndirectOperand, Operand, PathComponent, SymbolOperand } from '../../model/operand.ts'
import { type OperandNames, scanOperand } from '../../model/operand-reader.ts'
import { operandText } from '../../model/operand-text.ts'

export interface StlNames extends OperandNames {
  /** Whether a name without `#` is declared in the block's own interface. */
  isLocal?(name: string): boolean
  /** Finds the built-in instruction (`TON`) that an instance in the block's own interface belongs to. */
  instructionOf?(path: readonly PathComponent[]): string | undefined
}

export interface ScannedOperand {
  readonly operand: Operand
  /** Offset after the operand. */
  readonly end: number
}

// ── Text -> operand ─────────────────────────────────────────────────────────────────────────────────────────────────

const statusPattern = /(==0|<>0|>=0|<=0|>0|<0|(?:BIE|BR|OV|OS|UO|NU|STW)(?![\w.[]))/iy
const statusNames: Readonly<Record<string, string>> = {
  '==0': 'EQ',
  '<>0': 'NE',
  '>0': 'GT',
  '<0': 'LT',
  '>=0': 'GE',
  '<=0': 'LE',
  BIE: 'BR',
}

/** Areas by their letters in both sets; `V` is the local data of the caller, which only pointers can name. */
const areas: Readonly<Record<string, string>> = {
  I: 'Input',
  E: 'Input',
  Q: 'Output',
  A: 'Output',
  M: 'Memory',
  L: 'Local',
  PI: 'PeripheryInput',
  PE: 'PeripheryInput',
  PQ: 'PeripheryOutput',
  PA: 'PeripheryOutput',
  DB: 'DB',
  DI: 'DI',
  T: 'Timer',
  C: 'Counter',
  Z: 'Counter',
  FB: 'FB',
  FC: 'FC',
}
const international: Readonly<Record<string, string>> = { E: 'I', A: 'Q', PE: 'PI', PA: 'PQ', Z: 'C' }
const types: Readonly<Record<string, string>> = { B: 'Byte', W: 'Word', D: 'DWord', L: 'LWord' }
const widths: Readonly<Record<string, IndirectOperand['width']>> = { B: 'Byte', W: 'Word', D: 'Double', L: 'Long' }

/** `DB5.DBX 2.0`, `DBW 4`, `E 0.0`, `PEW 256`; only single bits have a bit number. */
const addressPattern =
  /%?(?:(?:(DB|DI)[ \t]*(\d{1,5})[ \t]*\.[ \t]*)?(DB|DI)([XBWDL])|(PI|PE|PQ|PA|I|E|Q|A|M|L)([XBWDL]?))[ \t]*(\d{1,7})(?:\.([0-7]))?(?![\w.#])(?!:P)/iy
const blockPattern = /%?(DB|DI|FB|FC|T|C|Z)[ \t]*(\d{1,5})(?![\w.#])/iy
const registerPattern =
  /(?:(DB|DI)([XBWDL])|(PI|PE|PQ|PA|I|E|Q|A|M|L)([XBWDL]?)|([BWDL]?))[ \t]*\[[ \t]*(AR[12])[ \t]*,[ \t]*P#[ \t]*(\d{1,7})\.([0-7])[ \t]*\]/iy
const memoryPattern = /(?:(DB|DI)([XBWDL]?)|(PI|PE|PQ|PA|I|E|Q|A|M|L)([XBWDL]?)|(T|C|Z|FB|FC))[ \t]*\[[ \t]*/iy
/** `"Recipes".DBW 4`: a part of a data block with a name. */
const inNamedBlock = /"([^"\n]+)"[ \t]*\.[ \t]*%?DB([XBWDL])[ \t]*(\d{1,7})(?:\.([0-7]))?(?![\w.#])/iy
/** Runs of blanks are bounded: with two adjacent runs, the expression would try every split. */
const pointerPattern =
  /P#[ \t]{0,9}((?:DB|DI)[ \t]{0,9}\d{1,5}[ \t]{0,9}\.[ \t]{0,9})?(D[BI]X|PE|PA|PI|PQ|[EIAQMLVTZC])?([ \t]{0,9})(\d{1,7})(?:\.([0-7]))?([ \t]{1,9}[A-Za-z_]+[ \t]{1,9}\d+)?(?![\w.#])/iy
const pointerToName = /P#[ \t]*(?=[#"A-Za-z_])/iy
const close = /[ \t]*\]/y

/**
 * Reads the operand that begins at `start`; returns `undefined` when there is none. Signs belong to numbers.
 *
 * @param names what is known of the names around it
 */
export function scanStlOperand(text: string, start: number, names: StlNames = {}): ScannedOperand | undefined {
  return scan(text, start, names, 0)
}

/** A pointer may itself be indirect; text that is nested deeper is not an operand. */
const deepestPointer = 8

function scan(text: string, start: number, names: StlNames, depth: number): ScannedOperand | undefined {
  const found = matchAt(statusPattern, text, start)
  if (found !== null) {
    const word = (found[1] as string).toUpperCase()
    // A variable may have the name of a status bit.
    if (names.isLocal?.(found[1] as string) !== true)
      return { operand: { kind: 'status', name: statusNames[word] ?? word }, end: statusPattern.lastIndex }
  }
  return (
    scanAddress(text, start) ??
    scanIndirect(text, start, names, depth) ??
    scanPointer(text, start, names) ??
    scanNumber(text, start, names) ??
    scanSymbol(text, start, names)
  )
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function areaOf(letters: string | undefined): string | undefined {
  return letters === undefined || letters === '' ? undefined : areas[letters.toUpperCase()]
}

function bits(byte: string | undefined, bit: string | undefined): number {
  return Number(byte) * 8 + Number(bit ?? 0)
}

function scanAddress(text: string, start: number): ScannedOperand | undefined {
  const found = matchAt(addressPattern, text, start)
  if (found !== null) {
    const [, , block, dataArea, dataWidth, area, width, byte, bit] = found
    const letter = (dataWidth ?? width ?? '').toUpperCase()
    const isBit = letter === '' || letter === 'X'
    if (isBit !== (bit !== undefined)) return undefined
    const operand: AddressOperand = {
      kind: 'address',
      area: areaOf(dataArea ?? area) as string,
      type: isBit ? 'Bool' : (types[letter] as string),
      ...(block === undefined ? {} : { blockNumber: Number(block) }),
      bitOffset: bits(byte, bit),
    }
    return { operand, end: addressPattern.lastIndex }
  }
  const named = matchAt(inNamedBlock, text, start)
  if (named !== null) {
    const [, name = '', width = '', byte, bit] = named
    const isBit = width.toUpperCase() === 'X'
    if (isBit !== (bit !== undefined)) return undefined
    const type = isBit ? 'Bool' : (types[width.toUpperCase()] as string)
    const operand: SymbolOperand = {
      kind: 'symbol',
      scope: 'GlobalVariable',
      path: [{ name, ...defined({ slice: blockAddressSlice(type, bits(byte, bit)) }) }],
    }
    return { operand, end: inNamedBlock.lastIndex }
  }
  const block = matchAt(blockPattern, text, start)
  if (block === null) return undefined
  const area = areaOf(block[1]) as string
  const number = Number(block[2])
  const end = blockPattern.lastIndex
  if (area === 'Timer' || area === 'Counter')
    return { operand: { kind: 'address', area, type: area, bitOffset: number }, end }
  const type = area === 'FB' || area === 'FC' ? `Block_${area}` : 'Block_DB'
  return { operand: { kind: 'address', area, type, blockNumber: number }, end }
}

function scanIndirect(text: string, start: number, names: StlNames, depth: number): ScannedOperand | undefined {
  const register = matchAt(registerPattern, text, start)
  if (register !== null) {
    const [, dataArea, dataWidth, area, areaWidth, width, name = '', byte, bit] = register
    const letters = dataArea ?? area
    const known = areaOf(letters)
    // `L[AR1,P#0.0]` is a bit of the local data, not 64 bits without an area.
    const isLocalBit = known === undefined && width?.toUpperCase() === 'L'
    const operand: IndirectOperand = {
      kind: 'indirect',
      width: isLocalBit ? 'Bit' : (widths[(dataWidth ?? areaWidth ?? width ?? '').toUpperCase()] ?? 'Bit'),
      ...(isLocalBit ? { area: 'Local' } : known === undefined ? {} : { area: known }),
      register: name.toUpperCase() as 'AR1' | 'AR2',
      bitOffset: bits(byte, bit),
    }
    return { operand, end: registerPattern.lastIndex }
  }
  const memory = matchAt(memoryPattern, text, start)
  if (memory === null || depth >= deepestPointer) return undefined
  const [, dataArea, dataWidth, area, areaWidth, whole] = memory
  const pointer = scan(text, memoryPattern.lastIndex, names, depth + 1)
  if (pointer === undefined || matchAt(close, text, pointer.end) === null) return undefined
  const isWhole = whole !== undefined || (dataArea !== undefined && dataWidth === '')
  const operand: IndirectOperand = {
    kind: 'indirect',
    width: isWhole ? 'None' : (widths[(dataWidth ?? areaWidth ?? '').toUpperCase()] ?? 'Bit'),
    area: areaOf(dataArea ?? area ?? whole) as string,
    pointer: pointer.operand,
  }
  return { operand, end: close.lastIndex }
}

/**
 * `P#M 10.0`, `P#DB1.DBX 0.0 BYTE 4`: a literal with the letters of the international set; `P##x`: the address of a
 * variable.
 */
function scanPointer(text: string, start: number, names: StlNames): ScannedOperand | undefined {
  const found = matchAt(pointerPattern, text, start)
  if (found !== null) {
    const [, block = '', area = '', blanks = '', byte = '', bit, length = ''] = found
    const letters = area.toUpperCase()
    const value = `P#${block.toUpperCase()}${international[letters] ?? letters}${blanks}${byte}${bit === undefined ? '' : `.${bit}`}${length}`
    return { operand: { kind: 'literal', scope: 'TypedConstant', value }, end: pointerPattern.lastIndex }
  }
  if (matchAt(pointerToName, text, start) === null) return undefined
  const target = scanOperand(text, pointerToName.lastIndex, names)
  if (target?.operand.kind !== 'symbol') return undefined
  const symbol = withScope(target.operand, names)
  const name = operandText(symbol)
    .replace(/^#/, '')
    .replace(/^"([^"]*)"$/, '$1')
  const xml = `<Access Scope="AddressConstant"><Constant Name="${escapeAttribute(name)}" /></Access>`
  return {
    operand: { kind: 'other', scope: 'AddressConstant', text: `P#${operandText(symbol)}`, xml },
    end: target.end,
  }
}

function scanNumber(text: string, start: number, names: StlNames): ScannedOperand | undefined {
  if (!/[+-]/.test(text[start] ?? '') || !/\d/.test(text[start + 1] ?? '')) return undefined
  const number = scanOperand(text, start + 1, names)
  if (number?.operand.kind !== 'literal') return undefined
  return { operand: { ...number.operand, value: text.slice(start, number.end) }, end: number.end }
}

function scanSymbol(text: string, start: number, names: StlNames): ScannedOperand | undefined {
  const found = scanOperand(text, start, names)
  if (found?.operand.kind !== 'symbol') return found
  return { operand: withScope(found.operand, names), end: found.end }
}

/** Classic sources write the block's own variables without `#`. */
function withScope(operand: SymbolOperand, names: StlNames): SymbolOperand {
  const isLocal = operand.scope === 'Undef' && names.isLocal?.(operand.path[0]?.name ?? '') === true
  return isLocal ? { ...operand, scope: 'LocalVariable' } : operand
}

// ── Operand -> text ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Returns the text of an operand in the international form of TIA Portal, the inverse of `scanStlOperand`. */
export function stlOperandText(operand: Operand): string {
  if (operand.kind === 'address' && (operand.area === 'FB' || operand.area === 'FC'))
    return `%${operand.area}${operand.blockNumber ?? operand.bitOffset ?? ''}`
  if (operand.kind === 'symbol') {
    const [block] = operand.path
    const isBlock = operand.path.length === 1 && operand.scope === 'GlobalVariable' && block?.indices === undefined
    if (isBlock && readBlockAddress(block?.slice ?? ''))
      return `${quoted(block?.name ?? '')}.${block?.slice?.toUpperCase()}`
  }
  // Files contain only the name of the variable.
  if (operand.kind === 'other' && operand.scope === 'AddressConstant' && !operand.text.startsWith('P#'))
    return `P#${operand.text}`
  return operandText(operand)
}
