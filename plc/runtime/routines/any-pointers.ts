/**
 * ANY and POINTER as bytes, so that programs can build and decode them (TIA Portal help, "Format of the parameter type
 * ANY", "POINTER"). An ANY is 16#10, the code of a type, a count, the number of a data block and an area pointer. Only
 * data of standard blocks and of I, Q and M have such an address. For other data (of optimized blocks, temporaries)
 * this project uses ten bytes of its own that begin with 16#11.
 */
import { anyCodes, codeOfAny, dateAndTimeCode, stringCode } from '../../program/any-codes.ts'
import { countOf } from '../../program/layout.ts'
import { Bool, Byte, scalarNamed } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import type { Cell } from '../cells.ts'
import type { RoutineFamily, RuntimeContext } from '../context.ts'
import { giveTypeAddress, meant, regionOf, whole } from './memory.ts'
import { sizeOfRegion } from './regions.ts'

const [s7Any, ownAny] = [0x10, 0x11]

const typesByCode = new Map(Object.entries(anyCodes).map(([name, code]) => [code, name]))

/** Area codes of pointers. */
const areaCodes = { PI: 0x80, I: 0x81, Q: 0x82, M: 0x83 } as const
const dataBlockCode = 0x84
const instanceCode = 0x85

interface Target {
  readonly block: number
  readonly area: number
  readonly byte: number
}

/** Standard data blocks, ascending by address. */
const blocks = new WeakMap<RuntimeContext, { address: number; size: number; number: number }[]>()

function standardBlocks(context: RuntimeContext) {
  let all = blocks.get(context)
  if (!all) {
    all = []
    for (let number = 1; number <= 65_535; number++) {
      const block = context.blockOfNumber(number)
      if (block?.access === 'standard' && block.size > 0) all.push({ address: block.address, size: block.size, number })
    }
    blocks.set(context, all)
  }
  return all
}

/** Returns the place of an address in S7 terms; `undefined`: it has none. */
function placeOf(context: RuntimeContext, address: number): Target | undefined {
  for (const [name, area] of Object.entries(areaCodes)) {
    const { address: start, size } = context.program.areas[name as keyof typeof areaCodes]
    if (address >= start && address < start + size) return { block: 0, area, byte: address - start }
  }
  const found = standardBlocks(context).find((one) => address >= one.address && address < one.address + one.size)
  return found && { block: found.number, area: dataBlockCode, byte: address - found.address }
}

/** Returns type code and count; types without a code count as bytes. */
function codeOf(cell: Cell): readonly [code: number, count: number] {
  const { type } = cell
  const code = codeOfAny(type.kind === 'array' ? type.element : type)
  if (code !== undefined) return [code, type.kind === 'array' ? countOf(type) : 1]
  if (type.kind === 'string' && !type.isWide) return [stringCode, 1]
  return [anyCodes.Byte ?? 2, sizeOfRegion(cell)]
}

function typeOf(code: number, count: number): Type | undefined {
  const name = typesByCode.get(code)
  const element: Type | undefined =
    code === dateAndTimeCode
      ? { kind: 'dateAndTime' }
      : code === stringCode
        ? { kind: 'string', isWide: false, length: 254 }
        : name === undefined
          ? undefined
          : scalarNamed(name)
  if (!element || count < 1) return undefined
  return count === 1 && element !== Byte ? element : { kind: 'array', dimensions: [{ low: 1, high: count }], element }
}

/** The memory that an area pointer refers to. */
function memoryOf(context: RuntimeContext, area: number, block: number): { address: number; size: number } | undefined {
  for (const [name, code] of Object.entries(areaCodes))
    if (code === area) return context.program.areas[name as keyof typeof areaCodes]
  if (area !== dataBlockCode && area !== instanceCode) return undefined
  const found = context.blockOfNumber(block)
  return found?.access === 'standard' ? found : undefined
}

type Four = [number, number, number, number]

/** The four values of the target of an ANY's ten bytes (routines/memory.ts); `undefined` when they point to nothing. */
function resolved(context: RuntimeContext, bytes: Uint8Array): Four | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes[0] === ownAny) {
    const flags = view.getUint8(1)
    // The number of a bit of its byte, from 1 on.
    const bit = flags >> 1
    return [view.getUint32(2, true), view.getUint32(6, true), flags & 1, bit === 0 ? whole : bit - 1]
  }
  if (bytes[0] !== s7Any) return undefined
  const pointer = view.getUint32(6)
  const memory = memoryOf(context, pointer >>> 24, view.getUint16(4))
  const type = typeOf(view.getUint8(1), view.getUint16(2))
  const [byte, bit] = [(pointer & 0x7ffff) >>> 3, pointer & 7]
  const size = type ? sizeOfRegion({ type, address: 0, isStandard: true }) : 0
  if (!memory || !type || byte + size > memory.size || (bit !== 0 && type !== Bool)) return undefined
  // A single bit is given as one of the eight of its byte.
  if (type === Bool) {
    const bits: Type = { kind: 'array', dimensions: [{ low: 0, high: 7 }], element: Bool }
    return [memory.address + byte, giveTypeAddress(context, bits), 1, bit]
  }
  return [memory.address + byte, giveTypeAddress(context, type), 1, whole]
}

/** The value that the ten bytes of an ANY point to. */
export function anyTarget(context: RuntimeContext, bytes: Uint8Array): Cell | undefined {
  const found = resolved(context, bytes)
  const cell = found && meant(regionOf(context, ...found))
  return cell && cell.type.kind !== 'void' ? cell : undefined
}

export const anyPointerRoutines: RoutineFamily = (context) => {
  const { view, fail } = context
  const writePointer = (target: number, { block, area, byte }: Target, bit: number) => {
    view.setUint16(target, block)
    view.setUint32(target + 2, ((area << 24) | (byte << 3) | bit) >>> 0)
  }
  return {
    /** Makes the ten bytes at `target` point to a value. */
    'any.store': (target: number, ...[a, b, c, d]: Four) => {
      for (let i = 0; i < 10; i++) view.setUint8(target + i, 0)
      const cell = meant(regionOf(context, a, b, c, d))
      if (!cell || cell.type.kind === 'void') return undefined
      const place = cell.isStandard ? placeOf(context, cell.address) : undefined
      if (place) {
        const [code, count] = codeOf(cell)
        view.setUint8(target, s7Any)
        view.setUint8(target + 1, code)
        view.setUint16(target + 2, Math.min(count, 65_535))
        writePointer(target + 4, place, cell.bit ?? 0)
        return undefined
      }
      view.setUint8(target, ownAny)
      view.setUint8(target + 1, c | (d === whole ? 0 : (d + 1) << 1))
      view.setUint32(target + 2, cell.address, true)
      view.setUint32(target + 6, b, true)
      return undefined
    },
    /** Writes the target of the ten bytes at `source` as a Variant; NULL when they point to nothing. */
    'any.resolve': (source: number, target: number) => {
      const bytes = context.bytes.slice(source, source + 10)
      const found = resolved(context, bytes)
      if (!found && bytes[0] === s7Any) fail()
      const [address, type, isStandard, number] = found ?? [0, 0, 0, whole]
      view.setUint32(target, address, true)
      view.setUint32(target + 4, type, true)
      view.setUint32(target + 8, isStandard, true)
      view.setInt32(target + 12, number, true)
      return undefined
    },
    /** Makes the six bytes at `target` a POINTER to a value; ENO is FALSE when it has no such address. */
    'pointer.store': (target: number, bit: number, ...[a, b, c, d]: Four) => {
      const cell = meant(regionOf(context, a, b, c, d))
      const place = cell?.isStandard === true ? placeOf(context, cell.address) : undefined
      if (place) writePointer(target, place, cell?.bit ?? bit)
      else {
        for (let i = 0; i < 6; i++) view.setUint8(target + i, 0)
        fail()
      }
      return undefined
    },
  }
}
