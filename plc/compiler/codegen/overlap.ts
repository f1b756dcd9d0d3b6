/**
 * Facts on memory that the optimising passes share: the memory of a place, how far it reaches, and which kinds of
 * memory may be the same.
 */
import type { Place } from '../../ir/ir.ts'
import { extentOf } from '../../program/layout.ts'
import type { ScalarType, Type } from '../../program/type.ts'

/** Returns a name for the memory of a place: `block motor_db`, `area M`, `instance`, `frame`, `pointer`, `constant`. */
export function memoryOf({ base }: Place): string {
  return base.kind === 'block'
    ? `block ${base.block.toLowerCase()}`
    : base.kind === 'area'
      ? `area ${base.area}`
      : base.kind
}

/**
 * Whether places in two memories with different names may share bytes: an instance is a data block, or a part of one.
 */
export function mayBeOne(a: string, b: string): boolean {
  return (a === 'instance' && isData(b)) || (b === 'instance' && isData(a))
}

/** The memory of the places of a block (program/probes.ts) is no data block. */
function isData(memory: string): boolean {
  return memory.startsWith('block ') && !memory.startsWith('block $')
}

/** Bytes from the offset to the end of the last element that the indices can reach. */
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

/** Whether a value of this many bytes is copied through registers. */
export function isInRegisters(size: number): boolean {
  return size <= inRegisters
}

/** Values of at most this many bytes are copied through registers: a bulk copy costs as much as twenty of these. */
const inRegisters = 128
