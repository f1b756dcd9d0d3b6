/**
 * Instructions with operands of any type: MOVE_BLK_VARIANT, Serialize, VariantGet … Error codes as in the TIA Portal
 * help.
 */
import { extentOf } from '../../program/layout.ts'
import { Byte, Char } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { type Cell, copyCell, countElements, elementAt, isSameShape, partsOf, readBits, writeBits } from '../cells.ts'
import type { NumberedBlock, RoutineFamily } from '../context.ts'
import {
  copyElements,
  countFilled,
  elements,
  elementType,
  firstOf,
  meant,
  type Region,
  regionOf,
  typeOfAddress,
  whole,
} from './memory.ts'

/** RET_VAL is an Int: `16#80B4` is negative. */
function status(code: number): number {
  return (code << 16) >> 16
}

function hasTexts(type: Type): boolean {
  if (type.kind === 'string') return true
  if (type.kind === 'array') return hasTexts(type.element)
  return (type.kind === 'struct' || type.kind === 'instance') && type.members.some((member) => hasTexts(member.type))
}

const codes = {
  /** Serialize, Deserialize: source and target overlap. */
  overlap: 0x80b0,
  sourceIndex: 0x8382,
  sourceCount: 0x8383,
  targetIndex: 0x8482,
  targetCount: 0x8483,
  types: 0x80b4,
  /** MOVE_BLK_VARIANT moves no Bools (TIA help V19, "MOVE_BLK_VARIANT"). */
  boolSource: 0x8154,
  boolTarget: 0x8554,
  /** Serialize and similar: POS is outside the array. */
  position: 0x8382,
  /** READ_BIG and similar: the value ends after the array. */
  valueBeyond: 0x8383,
  noSource: 0x8150,
  noArrayToRead: 0x8154,
  arrayTooShortToRead: 0x8153,
  noTarget: 0x8250,
  noArrayToWrite: 0x8254,
  arrayTooShortToWrite: 0x8253,
} as const

function isBool(type: Type): boolean {
  return type.kind === 'scalar' && type.bits === 1
}

/**
 * Whether a position is outside an array of bytes; the position right after its end is outside too, since nothing fits
 * there.
 */
function isOutside(position: number, size: number): boolean {
  return position < 0 || position > size
}

/** Address of a type, number of the element, 1 for the type of the elements. */
type Asked = [number, number, number]

function isOfType({ typeName }: NumberedBlock, type: Type): boolean {
  const name = type.kind === 'struct' || type.kind === 'instance' ? type.name : undefined
  return name !== undefined && typeName?.toLowerCase() === name.toLowerCase()
}

export const variantRoutines: RoutineFamily = (context) => {
  let blocks: { readonly address: number; readonly size: number }[] | undefined
  const { view, bytes, fail } = context
  type Four = [number, number, number, number]
  const failed = (code: number): number => {
    fail()
    return status(code)
  }
  /** Returns the bytes of an array of Byte or Char, as one piece of memory. */
  const byteArray = ({ cell, number }: Region): { address: number; size: number } | undefined => {
    const { type } = cell
    if (type.kind !== 'array' || (type.element !== Byte && type.element !== Char)) return undefined
    const first = firstOf(number)
    if (first < 0) return undefined
    return { address: elementAt(cell, first).address, size: countElements(cell) - first }
  }
  const sizeOf = ({ type }: Cell): number => {
    const { size, isBit } = extentOf(type, 'standard')
    return isBit ? 1 : size
  }
  const overlaps = ({ type, address, isStandard }: Cell, list: { address: number; size: number }): boolean => {
    const { size } = extentOf(type, isStandard ? 'standard' : 'optimized')
    return address < list.address + list.size && list.address < address + size
  }
  const inStandard = (cell: Cell, address: number): Cell => ({
    type: cell.type,
    address,
    isStandard: true,
    ...(cell.type.kind === 'scalar' && cell.type.bits === 1 ? { bit: 0 } : {}),
  })
  return {
    'variant.move': (...[a, b, c, d, count, skip, target, e, f, g, h]: [...Four, number, number, number, ...Four]) => {
      const [from, to] = [regionOf(context, a, b, c, d), regionOf(context, e, f, g, h)]
      if (isBool(elementType(from))) return failed(codes.boolSource)
      if (isBool(elementType(to))) return failed(codes.boolTarget)
      if (!isSameShape(elementType(from), elementType(to))) return failed(codes.types)
      if (skip < 0 || skip >= countElements(from.cell)) return failed(codes.sourceIndex)
      if (target < 0 || target >= countElements(to.cell)) return failed(codes.targetIndex)
      const wanted = count >>> 0
      const [source, place] = [elements(from, wanted, skip), elements(to, wanted, target)]
      if (!source) return failed(codes.sourceCount)
      if (!place) return failed(codes.targetCount)
      copyElements(view, source, place)
      return 0
    },
    /** BLKMOV: copies as many bytes as the smaller of the two has. */
    'variant.bytes': (...[a, b, c, d, e, f, g, h]: [...Four, ...Four]) => {
      const [from, to] = [meant(regionOf(context, a, b, c, d)), meant(regionOf(context, e, f, g, h))]
      if (!from || !to) return failed(codes.types)
      const size = (cell: Cell) => extentOf(cell.type, cell.isStandard ? 'standard' : 'optimized').size
      const count = Math.min(size(from), size(to))
      if (from.isStandard !== to.isStandard && !isSameShape(from.type, to.type)) return failed(codes.types)
      if (isSameShape(from.type, to.type)) copyCell(view, from, to)
      else bytes.copyWithin(to.address, from.address, from.address + count)
      return 0
    },
    /** Writes the value in standard layout, from byte `position` on. Returns the new position, or -1 with ENO FALSE. */
    'variant.serialize': (...[a, b, c, d, e, f, g, h, position]: [...Four, ...Four, number]) => {
      const source = meant(regionOf(context, a, b, c, d))
      const target = byteArray(regionOf(context, e, f, g, h))
      if (!source || source.type.kind === 'void') return failed(codes.noSource)
      if (!target) return failed(codes.noArrayToWrite)
      const size = sizeOf(source)
      if (isOutside(position, target.size)) return failed(codes.position)
      if (position + size > target.size) return failed(codes.arrayTooShortToWrite)
      if (overlaps(source, target)) return failed(codes.overlap)
      bytes.fill(0, target.address + position, target.address + position + size)
      headTexts(source, target.address + position)
      copyCell(view, source, inStandard(source, target.address + position))
      return size
    },
    'variant.deserialize': (...[a, b, c, d, e, f, g, h, position]: [...Four, ...Four, number]) => {
      const source = byteArray(regionOf(context, a, b, c, d))
      const target = meant(regionOf(context, e, f, g, h))
      if (!source) return failed(codes.noArrayToRead)
      if (!target || target.type.kind === 'void') return failed(codes.noTarget)
      const size = sizeOf(target)
      if (isOutside(position, source.size)) return failed(codes.position)
      if (position + size > source.size) return failed(codes.arrayTooShortToRead)
      if (overlaps(target, source)) return failed(codes.overlap)
      copyCell(view, inStandard(target, source.address + position), target)
      return size
    },
    'variant.readBig': (...given: [...Four, ...Four, number]) => ordered(given, true, true),
    'variant.readLittle': (...given: [...Four, ...Four, number]) => ordered(given, true, false),
    'variant.writeBig': (...given: [...Four, ...Four, number]) => ordered(given, false, true),
    'variant.writeLittle': (...given: [...Four, ...Four, number]) => ordered(given, false, false),
    /** FILL: repeats the bytes of the first value. */
    'variant.fill': (...[a, b, c, d, e, f, g, h]: [...Four, ...Four]) => {
      const [from, to] = [meant(regionOf(context, a, b, c, d)), meant(regionOf(context, e, f, g, h))]
      const size = (cell: Cell) => extentOf(cell.type, cell.isStandard ? 'standard' : 'optimized').size
      if (!from || !to || size(from) === 0) return failed(codes.types)
      if (from.isStandard !== to.isStandard) return failed(codes.types)
      const pattern = bytes.slice(from.address, from.address + size(from))
      for (let i = 0; i < size(to); i++) bytes[to.address + i] = pattern[i % pattern.length] as number
      return 0
    },
    'variant.get': (...[a, b, c, d, e, f, g, h]: [...Four, ...Four]) => {
      const [from, to] = [meant(regionOf(context, a, b, c, d)), meant(regionOf(context, e, f, g, h))]
      if (!from || !to || !isSameShape(from.type, to.type)) fail()
      else copyCell(view, from, to)
      return undefined
    },
    'variant.count': (...[a, b, c, d]: Four) => {
      const { cell, number } = regionOf(context, a, b, c, d)
      const count = number === whole ? countFilled(cell.type) : 0
      if (count === 0) fail()
      return count
    },
    /**
     * Returns the address of a Variant's target when it has the type and may be referred to: data of blocks with
     * optimized access. Else 0.
     */
    'variant.reference': (...[a, b, c, d, type]: [...Four, number]) => {
      const found = meant(regionOf(context, a, b, c, d))
      if (!found || found.isStandard || !isSameShape(found.type, typeOfAddress(context, type))) return 0
      return isInBlocks(found.address) ? found.address : 0
    },
    /** The same for a data block by its number. */
    'block.reference': (number: number, type: number) => {
      const found = context.blockOfNumber(number & 0xffff)
      return found && found.access === 'optimized' && isOfType(found, typeOfAddress(context, type)) ? found.address : 0
    },
    'type.ofBlock': (number: number, ...other: Asked) => {
      const found = context.blockOfNumber(number & 0xffff)
      const type = askedType(...other)
      return found && type && isOfType(found, type) ? 1 : 0
    },
    'type.equal': (...[a, b, c, d, e, f]: [...Asked, ...Asked]) => {
      const [one, other] = [askedType(a, b, c), askedType(d, e, f)]
      return one && other && isSameShape(one, other) ? 1 : 0
    },
    'variant.isNull': (...[, type]: Four) => (type === 0 ? 1 : 0),
    'variant.isArray': (...[a, b, c, d]: Four) => {
      const { cell, number } = regionOf(context, a, b, c, d)
      return number === whole && cell.type.kind === 'array' ? 1 : 0
    },
  }

  /**
   * READ_BIG, WRITE_LITTLE …: reads or writes a scalar in an array of bytes, in either byte order. Returns the number
   * of its bytes.
   */
  function ordered(
    [a, b, c, d, e, f, g, h, position]: [...Four, ...Four, number],
    isRead: boolean,
    isBig: boolean,
  ): number {
    const [first, second] = [regionOf(context, a, b, c, d), regionOf(context, e, f, g, h)]
    const list = byteArray(isRead ? first : second)
    const cell = meant(isRead ? second : first)
    if (!list || cell?.type.kind !== 'scalar' || cell.type.bits === 1) return failed(codes.types)
    const size = cell.type.bits / 8
    if (isOutside(position, list.size)) return failed(codes.position)
    if (position + size > list.size) return failed(codes.valueBeyond)
    const place: Cell = { type: cell.type, address: list.address + position, isStandard: isBig }
    if (isRead) writeBits(view, cell.type, cell, readBits(view, cell.type, place))
    else writeBits(view, cell.type, place, readBits(view, cell.type, cell))
    return size
  }

  /**
   * Returns the type of a value, of an element, or of its elements; `undefined` when there is none. What is no array
   * has elements of its own type (TIA help V19, "EQ_ElemType", "TypeOfElements").
   */
  function askedType(type: number, number: number, ofElements: number): Type | undefined {
    if (type === 0) return undefined
    const own = typeOfAddress(context, type)
    const one = number !== whole && own.kind === 'array' ? own.element : own
    return ofElements !== 0 && one.kind === 'array' ? one.element : one
  }

  function isInBlocks(address: number): boolean {
    blocks ??= [...context.program.dataBlocks.values()].sort((a, b) => a.address - b.address)
    const [first, last] = [blocks[0], blocks.at(-1)]
    return first !== undefined && last !== undefined && address >= first.address && address < last.address + last.size
  }

  /** Texts need their length in the target before they are copied. */
  function headTexts({ type, isStandard, address }: Cell, target: number): void {
    if (type.kind === 'scalar') return
    const from: Cell = { type, address, isStandard }
    const to = inStandard(from, target)
    if (type.kind === 'string') {
      const length = type.length < 0 ? 254 : type.length
      if (type.isWide) view.setUint16(to.address, length)
      else view.setUint8(to.address, length)
      return
    }
    if (!hasTexts(type)) return
    const targets = partsOf(to)
    for (const [i, part] of partsOf(from).entries()) headTexts(part, targets[i]?.address ?? target)
  }
}
