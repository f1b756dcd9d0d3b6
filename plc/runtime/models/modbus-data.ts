/**
 * Data of Modbus blocks in memory: bits and registers of a variable. Bits of an array of Bool are its elements; those
 * of other data are the bits of their bytes, from the lowest on. A register is two bytes, high byte first.
 */
import { type Cell, countElements, elementAt, readBits, writeBits } from '../cells.ts'
import { fromWire, type Memory, toWire, wireSize } from '../wire-bytes.ts'

/** A place for data. */
export interface ModbusData {
  /** Number of bits, and of registers, that it has. */
  readonly bits: number
  readonly registers: number
  readBits(first: number, count: number): boolean[]
  writeBits(first: number, values: readonly boolean[]): void
  readRegisters(first: number, count: number): Uint8Array
  writeRegisters(first: number, bytes: Uint8Array): void
}

/** The data of a variable. */
export function dataOf(context: Memory, cell: Cell): ModbusData {
  const { type } = cell
  const isBool = type.kind === 'scalar' && type.bits === 1
  const element = type.kind === 'array' ? type.element : undefined
  const isBools = element?.kind === 'scalar' && element.bits === 1
  const size = wireSize(cell)
  const bytes = () => toWire(context, cell)
  const count = isBool || isBools ? countElements(cell) : size * 8
  const change = (edit: (all: Uint8Array) => void) => {
    const all = bytes()
    edit(all)
    fromWire(context, cell, all)
  }
  return {
    bits: count,
    registers: isBool || isBools ? 0 : size >> 1,
    readBits(first, many) {
      if (isBool) return [readBits(context.view, type, cell) !== 0n].slice(first, first + many)
      if (isBools && element?.kind === 'scalar') {
        return Array.from({ length: many }, (_one, i) => {
          return readBits(context.view, element, elementAt(cell, first + i)) !== 0n
        })
      }
      const all = bytes()
      return Array.from({ length: many }, (_one, i) => bitOf(all, first + i))
    },
    writeBits(first, values) {
      if (isBool) writeBits(context.view, type, cell, values[0] === true ? 1n : 0n)
      else if (isBools && element?.kind === 'scalar') {
        for (const [i, value] of values.entries())
          writeBits(context.view, element, elementAt(cell, first + i), value ? 1n : 0n)
      } else change((all) => setBits(all, first, values))
    },
    readRegisters: (first, many) => bytes().slice(2 * first, 2 * (first + many)),
    writeRegisters: (first, data) => change((all) => all.set(data, 2 * first)),
  }
}

/** A process image: the bytes from an address on. */
export function imageOf(context: Memory, { address, size }: { address: number; size: number }): ModbusData {
  const all = () => context.bytes.subarray(address, address + size)
  return {
    bits: size * 8,
    registers: size >> 1,
    readBits: (first, count) => Array.from({ length: count }, (_one, i) => bitOf(all(), first + i)),
    writeBits: (first, values) => setBits(all(), first, values),
    readRegisters: (first, count) => all().slice(2 * first, 2 * (first + count)),
    writeRegisters: (first, data) => all().set(data, 2 * first),
  }
}

function bitOf(bytes: Uint8Array, bit: number): boolean {
  return (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1
}

function setBits(bytes: Uint8Array, first: number, values: readonly boolean[]): void {
  for (const [i, value] of values.entries()) {
    const [at, mask] = [(first + i) >> 3, 1 << ((first + i) & 7)]
    bytes[at] = value ? (bytes[at] ?? 0) | mask : (bytes[at] ?? 0) & ~mask
  }
}

/** Bits as bytes, the first in the lowest bit. */
export function packBits(values: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8))
  setBits(bytes, 0, values)
  return bytes
}

export function unpackBits(bytes: Uint8Array, count: number): boolean[] {
  return Array.from({ length: count }, (_one, i) => bitOf(bytes, i))
}
