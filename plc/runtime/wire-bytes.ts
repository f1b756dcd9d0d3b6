/** Values as bytes on the wire: in the order and byte order of standard access, whatever their layout in memory is. */
import { extentOf, strideOf } from '../program/layout.ts'
import { type Cell, countElements, elementAt, partsOf, readBits, writeBits } from './cells.ts'
import type { RuntimeContext } from './context.ts'
import { sizeOfRegion } from './routines/regions.ts'

/** The memory of a program. */
export type Memory = Pick<RuntimeContext, 'view' | 'bytes'>

/**
 * Bytes of a value on the wire; 0 for types that cannot be sent. An array ends with its last element, not on an even
 * byte.
 */
export function wireSize(cell: Cell): number {
  const { type } = cell
  if (type.kind === 'array' && type.dimensions.length === 1) {
    const [count, stride] = [countElements(cell), strideOf(type, 'standard')]
    if (stride.isBits) return Math.ceil(count / 8)
    return count === 0 ? 0 : (count - 1) * stride.size + extentOf(type.element, 'standard').size
  }
  return sizeOfRegion({ ...cell, isStandard: true })
}

/** Reads a value as it is sent. */
export function toWire(context: Memory, cell: Cell): Uint8Array {
  const size = wireSize(cell)
  if (cell.isStandard && cell.bit === undefined) return context.bytes.slice(cell.address, cell.address + size)
  const target = new Uint8Array(size)
  copy(context.view, cell, new DataView(target.buffer), standardTwin(cell), false)
  return target
}

/** Writes a value as it was received; fewer bytes change only its beginning. */
export function fromWire(context: Memory, cell: Cell, data: Uint8Array): void {
  const size = wireSize(cell)
  if (cell.isStandard && cell.bit === undefined) {
    context.bytes.set(data.subarray(0, size), cell.address)
    return
  }
  const whole = toWire(context, cell)
  whole.set(data.subarray(0, size))
  copy(context.view, cell, new DataView(whole.buffer), standardTwin(cell), true)
}

function standardTwin({ type, bit }: Cell): Cell {
  return { type, address: 0, isStandard: true, ...(bit === undefined ? {} : { bit: 0 }) }
}

/** Copies between memory and a buffer in standard layout. */
function copy(view: DataView, cell: Cell, buffer: DataView, twin: Cell, isToMemory: boolean): void {
  const { type } = cell
  if (type.kind === 'scalar') {
    if (isToMemory) writeBits(view, type, cell, readBits(buffer, type, twin))
    else writeBits(buffer, type, twin, readBits(view, type, cell))
    return
  }
  if (type.kind === 'string' || type.kind === 'dateAndTime') {
    const size = wireSize(cell)
    const isSwapped = type.kind === 'string' && type.isWide && !cell.isStandard
    for (let i = 0; i < size; i++) {
      const [there, here] = [cell.address + (isSwapped ? i ^ 1 : i), twin.address + i]
      if (isToMemory) view.setUint8(there, buffer.getUint8(here))
      else buffer.setUint8(here, view.getUint8(there))
    }
    return
  }
  if (type.kind === 'array') {
    for (let i = 0; i < countElements(cell); i++) copy(view, elementAt(cell, i), buffer, elementAt(twin, i), isToMemory)
    return
  }
  const twins = partsOf(twin)
  for (const [i, part] of partsOf(cell).entries()) {
    const other = twins[i]
    if (other) copy(view, part, buffer, other, isToMemory)
  }
}
