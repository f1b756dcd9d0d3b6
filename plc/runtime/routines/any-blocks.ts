/**
 * Data blocks by a number that is known only at run time: DB_ANY_TO_VARIANT, VARIANT_TO_DB_ANY, ReadFromArrayDB … (TIA
 * Portal help of each; also the status numbers). The type of a data block is given by name; the controller does not
 * know a type that no instruction of the program names, and then DB_ANY_TO_VARIANT returns 16#8155.
 */

import { scalarNamed } from '../../program/scalars.ts'
import { isKindOf } from '../../program/technology-objects.ts'
import type { Type } from '../../program/type.ts'
import { typeAt } from '../../program/type-code.ts'
import { typeName } from '../../program/type-name.ts'
import { type Cell, copyCell, countElements, elementAt, isSameShape } from '../cells.ts'
import type { NumberedBlock, RoutineFamily, RuntimeContext } from '../context.ts'
import { giveTypeAddress, meant, regionOf, whole } from './memory.ts'

type Four = [number, number, number, number]

interface ArrayName {
  readonly low: number
  readonly high: number
  /** The element type as it is written. */
  readonly element: string
}

/** Parses `Array[0..9] of "Motor"`; `undefined` for any other text. */
function arrayName(text: string | undefined): ArrayName | undefined {
  const [, low, high, element] = /^Array\[(-?\d+)\.\.(-?\d+)\] of (.+)$/is.exec(text ?? '') ?? []
  return element === undefined ? undefined : { low: Number(low), high: Number(high), element }
}

/** The name of a type for comparisons: the length of a text is part of it, quotes and case do not matter. */
function plainName(type: Type): string {
  const own = type.kind === 'string' && type.length < 0 ? { ...type, length: 254 } : type
  return typeName(own).replaceAll('"', '').toLowerCase()
}

/** Types of the program by their plain name: those that its instructions use, among its constants. */
const known = new WeakMap<RuntimeContext['program'], ReadonlyMap<string, Type>>()

function typesOf({ program, bytes }: RuntimeContext): ReadonlyMap<string, Type> {
  const before = known.get(program)
  if (before) return before
  const found = new Map<string, Type>()
  const add = (type: Type): void => {
    if (type.kind === 'array') add(type.element)
    if (type.kind !== 'struct') return
    if (type.name !== undefined) found.set(plainName(type), type)
    for (const member of type.members) add(member.type)
  }
  for (const { address, bytes: code } of program.constants) {
    const text = code.length > 5 ? new DataView(code.buffer, code.byteOffset).getUint32(0, true) : 0
    // The type code of a structure or an array; other constants may begin the same by chance.
    if (text !== code.length - 4 || code[4] !== 0x7b) continue
    try {
      add(typeAt(bytes, address))
    } catch {
      // It is another constant.
    }
  }
  known.set(program, found)
  return found
}

function typeNamed(context: RuntimeContext, name: string): Type | undefined {
  const text = /^(W?)String\[(\d+)\]$/i.exec(name)
  if (text) return { kind: 'string', isWide: text[1] !== '', length: Number(text[2]) }
  return scalarNamed(name) ?? typesOf(context).get(name.replaceAll('"', '').toLowerCase())
}

function arrayCell({ address, access }: NumberedBlock, { low, high }: ArrayName, element: Type): Cell {
  return { type: { kind: 'array', dimensions: [{ low, high }], element }, address, isStandard: access === 'standard' }
}

function status(code: number): number {
  return (code << 16) >> 16
}

/**
 * Returns a data block as a value: of a PLC data type or system type, or an array. Otherwise the status number with the
 * reason why not.
 */
function valueOfBlock(context: RuntimeContext, number: number): Cell | number {
  if (number === 0) return 0x8130
  const block = context.blockOfNumber(number)
  if (!block) return 0x8131
  if (block.typeName === undefined) return 0x8154
  const array = arrayName(block.typeName)
  const type = typeNamed(context, array ? array.element : block.typeName)
  if (!type) return 0x8155
  if (array) return arrayCell(block, array, type)
  return { type, address: block.address, isStandard: block.access === 'standard' }
}

/** Numbers of data blocks by their address. */
const numbers = new WeakMap<RuntimeContext, Map<number, number>>()

function numberAt(context: RuntimeContext, address: number): number | undefined {
  let all = numbers.get(context)
  if (!all) {
    all = new Map()
    for (let number = 65_535; number > 0; number--) {
      const block = context.blockOfNumber(number)
      // An empty block has the same address as the next one.
      if (block && block.size > 0) all.set(block.address, number)
    }
    numbers.set(context, all)
  }
  return all.get(address)
}

/** Codes of an instruction on array data blocks. */
export interface ArrayBlockCodes {
  readonly noBlock: number
  readonly noArray: number
  readonly types: number
  readonly index: number
  readonly noValue: number
}

const readsWorkMemory: ArrayBlockCodes = {
  noBlock: 0x8132,
  noArray: 0x8154,
  types: 0x80b4,
  index: 0x8282,
  noValue: 0x8450,
}
const writesWorkMemory: ArrayBlockCodes = { ...readsWorkMemory, noArray: 0x8135, noValue: 0x8350 }

/**
 * Copies an element of an array data block to a value, or a value to the element. Returns 0, or the code of the fault.
 */
export function copyElement(
  context: RuntimeContext,
  [number, index]: readonly [number: number, index: number],
  value: Cell | undefined,
  isRead: boolean,
  codes: ArrayBlockCodes = isRead ? readsWorkMemory : writesWorkMemory,
): number {
  const block = context.blockOfNumber(number)
  if (!block) return codes.noBlock
  const array = arrayName(block.typeName)
  if (!array) return codes.noArray
  if (!value || value.type.kind === 'void') return codes.noValue
  const isType = plainName(value.type) === array.element.replaceAll('"', '').toLowerCase()
  // Texts of other lengths are cut.
  const own = isType ? value.type : typeNamed(context, array.element)
  if (!own || !isSameShape(own, value.type)) return codes.types
  if (index < array.low || index > array.high) return codes.index
  const element = elementAt(arrayCell(block, array, own), index - array.low)
  copyCell(context.view, isRead ? element : value, isRead ? value : element)
  return 0
}

export const anyBlockRoutines: RoutineFamily = (context) => {
  const { view, fail } = context
  const answer = (code: number): number => {
    if (code !== 0) fail()
    return status(code)
  }
  const copy =
    (isRead: boolean) =>
    (...[number, index, a, b, c, d]: [number, number, ...Four]) =>
      answer(copyElement(context, [number & 0xffff, index], meant(regionOf(context, a, b, c, d)), isRead))
  const standardBlock = (number: number) => {
    const block = context.blockOfNumber(number & 0xffff)
    return block?.access === 'standard' ? block : undefined
  }
  return {
    /** Writes a little-endian Variant to an address; NULL when there is none. Returns the status as an Int. */
    'anyBlock.toVariant': (number: number, target: number) => {
      const found = valueOfBlock(context, number & 0xffff)
      const isFound = typeof found !== 'number'
      view.setUint32(target, isFound ? found.address : 0, true)
      view.setUint32(target + 4, isFound ? giveTypeAddress(context, found.type) : 0, true)
      view.setUint32(target + 8, isFound && found.isStandard ? 1 : 0, true)
      view.setInt32(target + 12, whole, true)
      return answer(isFound ? 0 : found)
    },
    /**
     * Returns the address of the data block of this number, when it has the type and the layout; else `otherwise`, and
     * ENO is FALSE.
     */
    'anyBlock.address': (number: number, type: number, isStandard: number, otherwise: number) => {
      const block = context.blockOfNumber(number & 0xffff)
      const { type: wanted } = regionOf(context, otherwise, type, isStandard, whole).cell
      const isRight = isKindOf(block?.typeName ?? '', wanted.kind === 'struct' ? (wanted.name ?? '') : '')
      if (block && isRight && (block.access === 'standard') === (isStandard !== 0)) return block.address
      fail()
      return otherwise
    },
    /** Where the data block of this number begins; 0 when it does not exist or its data have no addresses. */
    'anyBlock.begin': (number: number) => standardBlock(number)?.address ?? 0,
    /** How many bytes the data block of this number has; 0 when it does not exist or its data have no addresses. */
    'anyBlock.bytes': (number: number) => standardBlock(number)?.size ?? 0,
    'anyBlock.bits': (number: number) => (standardBlock(number)?.size ?? 0) * 8,
    /**
     * Returns the number of the data block that a Variant points to in its lower half, the status in its upper half.
     */
    'anyBlock.ofVariant': (...[a, b, c, d]: Four) => {
      const cell = meant(regionOf(context, a, b, c, d))
      const failed = (code: number): number => {
        fail()
        return code << 16
      }
      if (!cell || cell.type.kind === 'void') return failed(0x8150)
      const number = numberAt(context, cell.address)
      const block = number === undefined ? undefined : context.blockOfNumber(number)
      if (number === undefined || !block) return failed(0x8131)
      const array = arrayName(block.typeName)
      if (!array)
        return cell.type.kind === 'struct' && plainName(cell.type) === block.typeName?.toLowerCase()
          ? number
          : failed(0x8154)
      if (cell.type.kind !== 'array' || countElements(cell) !== array.high - array.low + 1) return failed(0x8153)
      return plainName(cell.type.element) === array.element.replaceAll('"', '').toLowerCase() ? number : failed(0x80b4)
    },
    'anyBlock.read': copy(true),
    'anyBlock.write': copy(false),
  }
}
