/** Which memory a place lies in, how far it reaches, and when two kinds of memory may be one. What the optimising passes must agree on. */
import type { Place } from '../../ir/ir.ts'
import { extentOf } from '../../program/layout.ts'
import type { ScalarType, Type } from '../../program/type.ts'

/** Names the memory of a place: `block motor_db`, `area M`, `instance`, `frame`, `pointer`, `constant`. */
export function memoryOf({ base }: Place): string {
  return base.kind === 'block'
    ? `block ${base.block.toLowerCase()}`
    : base.kind === 'area'
      ? `area ${base.area}`
      : base.kind
}

/** Whether places of two memories with different names may share bytes: an instance is a data block, or a part of one. */
export function mayBeOne(a: string, b: string): boolean {
  return (a === 'instance' && b.startsWith('block ')) || (b === 'instance' && a.startsWith('block '))
}

/** Bytes from the offset to the end of the last element that can be meant. */
export function reach({ indices, bit = 0 }: Place, size: number): number {
  if (indices.length === 0) return size
  let [bytes, bits] = [size, bit]
  for (const { low, high, stride, isBits } of indices) {
    if (typeof low !== 'number' || typeof high !== 'number') return Number.POSITIVE_INFINITY
    if (isBits) bits += (high - low) * stride
    else bytes += (high - low) * stride
  }
  return bytes + Math.ceil(bits / 8)
}

/** Bytes of a scalar; a Bool takes one. */
export function bytesOf({ bits }: ScalarType): number {
  return Math.ceil(bits / 8)
}

/** Bytes of a value of any type at a place. */
export function sizeAt(type: Type, { isStandard }: Place): number {
  return extentOf(type, isStandard ? 'standard' : 'optimized').size
}

/** Whether a value of this many bytes is copied over registers. */
export function isInRegisters(size: number): boolean {
  return size <= inRegisters
}

/** Values of at most this many bytes are copied over registers: a bulk copy costs as much as twenty of these. */
export const inRegisters = 128
