/** Values in memory with their type: their parts, reading, writing, copying between the layouts. */

import { countOf, extentOf, layoutOf, strideOf } from '../program/layout.ts'
import { Byte, UInt } from '../program/scalars.ts'
import type { Access, ScalarType, Type } from '../program/type.ts'
import { typeName } from '../program/type-name.ts'

/** A value in memory. */
export interface Cell {
  readonly type: Type
  readonly address: number
  /** Bit of a Bool in standard layout. */
  readonly bit?: number
  readonly isStandard: boolean
}

function accessOf({ isStandard }: Cell): Access {
  return isStandard ? 'standard' : 'optimized'
}

/** Returns the number of elements of an array; 1 for any other value. */
export function countElements({ type }: Cell): number {
  return type.kind === 'array' ? countOf(type) : 1
}

/**
 * Returns an element by its number from 0, over all dimensions; a value that is not an array is its own only element.
 */
export function elementAt(cell: Cell, number: number): Cell {
  const { type, address, isStandard } = cell
  if (type.kind !== 'array') return cell
  const { size, isBits } = strideOf(type, accessOf(cell))
  if (isBits) return { type: type.element, address: address + (number >> 3), bit: number & 7, isStandard }
  return { type: type.element, address: address + number * size, isStandard }
}

/** Returns members or elements in their order; none for a scalar. */
export function partsOf(cell: Cell): Cell[] {
  const { type, address, isStandard } = cell
  if (type.kind === 'array') return Array.from({ length: countOf(type) }, (_one, i) => elementAt(cell, i))
  if (type.kind !== 'struct' && type.kind !== 'instance') return []
  const { offsets } = layoutOf(type.members, accessOf(cell))
  return type.members.flatMap((member, i) => {
    const offset = offsets[i]
    if (!offset || member.overlays !== undefined) return []
    const bit = offset.bit === undefined ? {} : { bit: offset.bit }
    return [{ type: member.type, address: address + offset.byte, isStandard, ...bit }]
  })
}

/** Returns the bits of a scalar as an unsigned number. */
export function readBits(view: DataView, type: ScalarType, { address, bit, isStandard }: Cell): bigint {
  switch (type.bits) {
    case 1:
      return BigInt((view.getUint8(address) >> (bit ?? 0)) & 1)
    case 8:
      return BigInt(view.getUint8(address))
    case 16:
      return BigInt(view.getUint16(address, !isStandard))
    case 32:
      return BigInt(view.getUint32(address, !isStandard))
    case 64:
      return view.getBigUint64(address, !isStandard)
  }
}

export function writeBits(view: DataView, type: ScalarType, { address, bit, isStandard }: Cell, value: bigint): void {
  switch (type.bits) {
    case 1: {
      if (bit === undefined) {
        view.setUint8(address, Number(value & 1n))
        return
      }
      const others = view.getUint8(address) & ~(1 << bit)
      view.setUint8(address, others | (Number(value & 1n) << bit))
      return
    }
    case 8:
      view.setUint8(address, Number(BigInt.asUintN(8, value)))
      return
    case 16:
      view.setUint16(address, Number(BigInt.asUintN(16, value)), !isStandard)
      return
    case 32:
      view.setUint32(address, Number(BigInt.asUintN(32, value)), !isStandard)
      return
    case 64:
      view.setBigUint64(address, BigInt.asUintN(64, value), !isStandard)
  }
}

const scratch = new DataView(new ArrayBuffer(8))

/** Returns a scalar as a number: the bits of a real as the real, integers with their sign. */
export function decoded({ bits, family, isSigned }: ScalarType, pattern: bigint): number {
  if (family === 'real') {
    scratch.setBigUint64(0, bits === 64 ? pattern : pattern << 32n)
    return bits === 64 ? scratch.getFloat64(0) : scratch.getFloat32(0)
  }
  return Number(isSigned ? BigInt.asIntN(bits, pattern) : pattern)
}

/** Whether two values can be copied into one another: they have the same shape down to the last scalar. */
export function isSameShape(a: Type, b: Type): boolean {
  if (a.kind === 'scalar') return a === b
  if (a.kind === 'string') return b.kind === 'string' && a.isWide === b.isWide
  if (a.kind === 'array') return b.kind === 'array' && countOf(a) === countOf(b) && isSameShape(a.element, b.element)
  if (a.kind === 'struct' || a.kind === 'instance') {
    if (b.kind !== 'struct' && b.kind !== 'instance') return false
    if (a.name !== undefined && b.name !== undefined && a.name.toLowerCase() !== b.name.toLowerCase()) return false
    return (
      a.members.length === b.members.length &&
      a.members.every((member, i) => isSameShape(member.type, b.members[i]?.type ?? { kind: 'void' }))
    )
  }
  if (a.kind === 'reference') return b.kind === 'reference' && typeName(a.target) === typeName(b.target)
  return a.kind === b.kind && a.kind === 'dateAndTime'
}

/** Copies a value between cells of the same shape. Texts are cut to the length of their target. */
export function copyCell(view: DataView, from: Cell, to: Cell): void {
  const { type } = from
  const bytes = new Uint8Array(view.buffer)
  if (from.isStandard === to.isStandard && from.bit === undefined && to.bit === undefined && type.kind !== 'string') {
    const { size } = extentOf(type, accessOf(from))
    bytes.copyWithin(to.address, from.address, from.address + size)
    return
  }
  if (type.kind === 'scalar') writeBits(view, type, to, readBits(view, type, from))
  else if (type.kind === 'dateAndTime') bytes.copyWithin(to.address, from.address, from.address + 8)
  else if (type.kind === 'reference') bytes.copyWithin(to.address, from.address, from.address + 4)
  else if (type.kind === 'string') copyText(view, from, to, type.isWide)
  else {
    const targets = partsOf(to)
    for (const [i, part] of partsOf(from).entries()) {
      const target = targets[i]
      if (target) copyCell(view, part, target)
    }
  }
}

/** The target keeps its maximum length. */
function copyText(view: DataView, from: Cell, to: Cell, isWide: boolean): void {
  const unit = isWide ? UInt : Byte
  const width = isWide ? 2 : 1
  const at = (cell: Cell, index: number): Cell => ({ ...cell, address: cell.address + index * width })
  const room = readBits(view, unit, at(to, 0))
  const length = readBits(view, unit, at(from, 1))
  const count = length < room ? length : room
  for (let i = 0; i < Number(count); i++) writeBits(view, unit, at(to, 2 + i), readBits(view, unit, at(from, 2 + i)))
  writeBits(view, unit, at(to, 1), count)
}
