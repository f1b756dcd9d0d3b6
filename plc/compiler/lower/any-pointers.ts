/**
 * `P#DB10.DBX4.0 BYTE 20`: a range of absolute addresses as STEP 7 writes it. It means an array of the type in standard
 * layout, so that it can be passed as Any or Variant and moved like any array. Types: TIA Portal help, "Format of the
 * parameter type ANY".
 */

import type { Place } from '../../ir/ir.ts'
import { codeOfAny } from '../../program/any-codes.ts'
import { extentOf } from '../../program/layout.ts'
import { defaultAreas } from '../../program/memory-areas.ts'
import { Bool, scalarNamed } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { absolutePlace, blockData, holdsUnknown, moved } from './operands.ts'
import type { SourceRange } from './source-range.ts'
import { type Operand, type Variable, wrong } from './values.ts'

const pattern = /^P#\s*(?:DB(\d+)\.DB|(DB(?=X)|DI(?=X)|[IEQAM]))?X?\s*(\d+)\.([0-7])\s+([A-Za-z_]\w*)\s+(\d+)$/i

/** Returns the element type that a range names; `undefined`: there is none of this name. */
function elementType(name: string): Type | undefined {
  const upper = name.toUpperCase()
  if (upper === 'X') return Bool
  if (upper === 'DT' || upper === 'DATE_AND_TIME') return { kind: 'dateAndTime' }
  if (upper === 'STRING') return { kind: 'string', isWide: false, length: 254 }
  return scalarNamed(name)
}

/** Whether a constant is a range with type and count; plain pointers (`P#M4.0`) are numbers. */
export function isRangePointer(text: string): boolean {
  return /^P#.*\s\d+$/i.test(text.trim())
}

/** Returns the variable that the range means; faults are reported. */
export function rangePointer(context: BlockContext, text: string, at: SourceRange): Operand {
  const [, block, area = '', byte = '', bit = '', typeName = '', count = ''] = pattern.exec(text.trim()) ?? []
  const refuse = (message: string, hint: string): Operand => {
    context.report('unsupported-operand', at, message, hint)
    return wrong
  }
  const hint = 'Ranges look like P#DB10.DBX4.0 BYTE 20 or P#M0.0 WORD 4.'
  if (byte === '') return refuse(`${text} is no range of addresses.`, hint)
  const element = elementType(typeName)
  if (!element)
    return refuse(`${text}: there is no type ${typeName} for ranges.`, 'E.g. BOOL, BYTE, WORD, INT, DINT, REAL.')
  const number = Number(count)
  if (number < 1 || number > 65_535) return refuse(`${text}: a range has 1 to 65535 elements.`, hint)
  if (bit !== '0' && (element !== Bool || number > 1))
    return refuse(`${text}: ranges begin at bit 0; only a single BOOL has another bit.`, hint)
  const isSingleBit = element === Bool && number === 1
  const type: Type = isSingleBit ? Bool : { kind: 'array', dimensions: [{ low: 1, high: number }], element }
  const inByte = element === Bool ? { bit: Number(bit) } : {}
  const variable = (place: Place): Variable => ({
    kind: 'variable',
    type,
    at: { kind: 'place', place: { ...place, ...inByte } },
    text,
  })
  if (block === undefined) {
    const letter = { E: 'I', A: 'Q' }[area.toUpperCase()] ?? area.toUpperCase()
    if (letter !== 'I' && letter !== 'Q' && letter !== 'M')
      return refuse(`${text} needs a data block.`, 'Name it: P#DB10.DBX4.0 BYTE 20.')
    const bytes = element === Bool ? Math.ceil(number / 8) : number * extentOf(element, 'standard').size
    if (Number(byte) + bytes > defaultAreas[letter])
      return refuse(`${text} ends behind the ${defaultAreas[letter]} bytes that there are of ${letter}.`, hint)
    return variable(absolutePlace({ area: letter, byte: Number(byte), bits: 8 }))
  }
  // Whether the partner has such data is known only there.
  if (context.isForPartner) return partnerPointer(text, Number(block), Number(byte), Number(bit), element, number)
  const found = context.program.byNumber.get(`DB ${Number(block)}`)
  if (!found) {
    context.report('undeclared', at, `There is no data block DB ${block}.`)
    return wrong
  }
  const data = blockData(found)
  if (found.access === 'optimized' || !data) {
    context.report(
      'optimized-access',
      at,
      `"${found.name}" (DB ${block}) has optimized access: its data have no addresses.`,
      'Use the names of its members, or switch optimized access off.',
    )
    return wrong
  }
  const size = element === Bool ? Math.ceil((number + Number(bit)) / 8) : number * extentOf(element, 'standard').size
  const { size: available } = extentOf(data.type, 'standard')
  if (Number(byte) + size > available) {
    if (holdsUnknown(data.type)) return wrong
    const fitting = Math.floor((available - Number(byte)) / (size / number))
    if (fitting < 1 || isSingleBit) {
      context.report('address-outside', at, `${text} lies outside "${found.name}", which has ${available} bytes.`)
      return wrong
    }
    // TIA Portal does not look at the length; a CPU answers with an area length error when the block runs.
    context.report(
      'range-outside',
      at,
      `${text} ends behind "${found.name}", which has ${available} bytes: only the ${fitting} elements inside are used.`,
      'Name a range inside of the data block: a CPU refuses one that is longer when it runs.',
      'warning',
    )
    const inside: Type = { kind: 'array', dimensions: [{ low: 1, high: fitting }], element }
    return { ...variable(moved(data.place, Number(byte))), type: inside }
  }
  return variable(moved(data.place, Number(byte)))
}

/** The ten bytes of an ANY to a data block of a partner (TIA Portal help, "Format of the parameter type ANY"). */
function partnerPointer(text: string, block: number, byte: number, bit: number, element: Type, count: number): Operand {
  const code = codeOfAny(element)
  const bytes = new Uint8Array(10)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, 0x10)
  view.setUint8(1, code ?? 2)
  view.setUint16(2, code === undefined ? Math.min(count * extentOf(element, 'standard').size, 65_535) : count)
  view.setUint16(4, block)
  view.setUint32(6, ((0x84 << 24) | (byte << 3) | bit) >>> 0)
  const place: Place = { base: { kind: 'constant', bytes }, offset: 0, indices: [], isStandard: false }
  return { kind: 'variable', type: { kind: 'pointer', form: 'Any' }, at: { kind: 'place', place }, text }
}
