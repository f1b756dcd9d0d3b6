/** Copies whole values from place to place, also between the layouts of standard and optimized blocks. */
import { defined } from '../../../lib/optional.ts'
import type { Place } from '../../ir/ir.ts'
import { accessInside, countOf, extentOf, layoutOf, strideOf } from '../../program/layout.ts'
import { Bool, Byte, Char, UInt, WChar } from '../../program/scalars.ts'
import type { Access, ArrayType, Type } from '../../program/type.ts'
import { Op, ValueType, VectorOp } from '../wasm/opcodes.ts'
import type { FunctionEmitter } from './emitter.ts'
import { isInRegisters } from './overlap.ts'
import { emitAddress, emitStore, type PlaceContext } from './places.ts'
import type { Swap } from './swaps.ts'

/** Arrays of at most this many elements are copied without a loop. */
const unrolled = 4

/**
 * Copies a value of the type. Indices of both places that are not checked yet are checked here; where one is wrong,
 * nothing is copied.
 */
export function emitCopy(context: PlaceContext, type: Type, from: Place, to: Place): void {
  if ([from, to].some(({ indices }) => indices.some(({ isSafe }) => isSafe !== true))) {
    emitChecked(context, type, from, to)
    return
  }
  if (from.isStandard !== to.isStandard) {
    emitPieces(context, type, from, to)
    return
  }
  const { size } = extentOf(type, accessOf(from))
  if (isInRegisters(size)) {
    emitSmall(context, size, from, to)
    return
  }
  const { out } = context
  emitAddress(context, to, true)
  emitAddress(context, from)
  out.i32(size)
  out.memoryCopy()
}

/** A wrong index gives the address of scratch memory, which is 0. */
function emitChecked(context: PlaceContext, type: Type, from: Place, to: Place): void {
  const { out } = context
  const [source, target] = takeAddresses(context, from, to)
  for (const register of [source, target]) {
    out.get(register)
    out.open(Op.if)
  }
  emitCopy(context, type, at(context, source, from), at(context, target, to))
  out.end()
  out.end()
  out.release(source)
  out.release(target)
}

/** Takes registers with the addresses of both places; the caller releases them. */
function takeAddresses(context: PlaceContext, from: Place, to: Place): readonly [source: number, target: number] {
  const { out } = context
  const [source, target] = [out.take(ValueType.i32), out.take(ValueType.i32)]
  emitAddress(context, from)
  out.set(source)
  emitAddress(context, to, true)
  out.set(target)
  return [source, target]
}

/** Reads everything before it writes, since the places may overlap (`AT`). */
function emitSmall(context: PlaceContext, size: number, from: Place, to: Place): void {
  const [source, target] = takeAddresses(context, from, to)
  const value = takeValue(context.out, size, source)
  putValue(context.out, value, target)
  for (const register of [source, target]) context.out.release(register)
  releaseValue(context.out, value)
}

/** Exchanges two values. Each is read once. */
export function emitSwap(context: PlaceContext, { type, a, b, held }: Swap): void {
  const { out } = context
  const { size } = extentOf(type, accessOf(a))
  const [first, second] = takeAddresses(context, a, b)
  const [valueOfA, valueOfB] = [takeValue(out, size, first), takeValue(out, size, second)]
  const third = out.take(ValueType.i32)
  emitAddress(context, held)
  out.set(third)
  putValue(out, valueOfA, third)
  putValue(out, valueOfB, first)
  putValue(out, valueOfA, second)
  for (const register of [first, second, third]) out.release(register)
  for (const value of [valueOfA, valueOfB]) releaseValue(out, value)
}

/** A value in registers. */
type HeldWords = readonly { readonly offset: number; readonly width: Width; readonly register: number }[]

/**
 * Reads a value into registers.
 * @param address register with the address of the value
 */
function takeValue(out: FunctionEmitter, size: number, address: number): HeldWords {
  const parts: { offset: number; width: Width; register: number }[] = []
  for (let offset = 0; offset < size; ) {
    const width = ([16, 8, 4, 2, 1] as const).find((bytes) => bytes <= size - offset) ?? 1
    parts.push({ offset, width, register: out.take(registers[width]) })
    offset += width
  }
  for (const { offset, width, register } of parts) {
    out.get(address)
    if (width === 16) out.vector(VectorOp.load, offset)
    else out.memory(loads[width], offset)
    out.set(register)
  }
  return parts
}

function putValue(out: FunctionEmitter, parts: HeldWords, address: number): void {
  for (const { offset, width, register } of parts) {
    out.get(address)
    out.get(register)
    if (width === 16) out.vector(VectorOp.store, offset)
    else out.memory(stores[width], offset)
  }
}

function releaseValue(out: FunctionEmitter, parts: HeldWords): void {
  for (const { register } of parts) out.release(register)
}

/** Bytes that one register copies at once. */
type Width = 1 | 2 | 4 | 8 | 16
const registers = {
  1: ValueType.i32,
  2: ValueType.i32,
  4: ValueType.i32,
  8: ValueType.i64,
  16: ValueType.v128,
} as const
const loads = { 1: Op.i32Load8U, 2: Op.i32Load16U, 4: Op.i32Load, 8: Op.i64Load } as const
const stores = { 1: Op.i32Store8, 2: Op.i32Store16, 4: Op.i32Store, 8: Op.i64Store } as const

function accessOf({ isStandard }: Place): Access {
  return isStandard ? 'standard' : 'optimized'
}

/** Copies piece by piece. The addresses are computed once; all pieces are relative to them. */
function emitPieces(context: PlaceContext, type: Type, from: Place, to: Place): void {
  const { out } = context
  const [source, target] = takeAddresses(context, from, to)
  emitPiece(context, type, at(context, source, from), at(context, target, to))
  out.release(source)
  out.release(target)
}

/** A place at the address in a register of the function. */
function at({ firstLocal }: PlaceContext, register: number, { isStandard }: Place): Place {
  const address = { kind: 'local', type: 'address', local: register - firstLocal } as const
  return { base: { kind: 'pointer', address }, offset: 0, indices: [], isStandard }
}

function moved(place: Place, bytes: number, bit?: number): Place {
  const { bit: _bit, ...rest } = place
  return { ...rest, offset: place.offset + bytes, ...defined({ bit }) }
}

function emitPiece(context: PlaceContext, type: Type, from: Place, to: Place): void {
  switch (type.kind) {
    case 'scalar':
      emitStore(context, type, to, { kind: 'load', type, place: from })
      return
    case 'string': {
      const characters = type.length < 0 ? 254 : type.length
      const header = type.isWide ? UInt : Byte
      const width = type.isWide ? 2 : 1
      for (const i of [0, 1]) emitPiece(context, header, moved(from, i * width), moved(to, i * width))
      emitElements(context, type.isWide ? WChar : Char, characters, moved(from, 2 * width), moved(to, 2 * width), [
        width,
        width,
      ])
      return
    }
    case 'dateAndTime':
      // BCD bytes: the same in both layouts.
      for (let i = 0; i < 8; i++) emitPiece(context, Byte, moved(from, i), moved(to, i))
      return
    case 'struct':
    case 'instance': {
      if (accessInside(type, 'standard') === accessInside(type, 'optimized')) {
        // An instance of an FB has the layout of its block in both places.
        const access = accessInside(type, 'standard')
        const { size } = extentOf(type, access)
        for (let i = 0; i < size; i++) emitPiece(context, Byte, moved(from, i), moved(to, i))
        return
      }
      const [source, target] = [layoutOf(type.members, accessOf(from)), layoutOf(type.members, accessOf(to))]
      for (const [i, member] of type.members.entries()) {
        if (member.overlays !== undefined) continue
        const [a, b] = [source.offsets[i], target.offsets[i]]
        if (a && b) emitPiece(context, member.type, moved(from, a.byte, a.bit), moved(to, b.byte, b.bit))
      }
      return
    }
    case 'array':
      emitArray(context, type, from, to)
      return
    default: {
      const size = Math.min(extentOf(type, accessOf(from)).size, extentOf(type, accessOf(to)).size)
      for (let i = 0; i < size; i++) emitPiece(context, Byte, moved(from, i), moved(to, i))
    }
  }
}

function emitArray(context: PlaceContext, type: ArrayType, from: Place, to: Place): void {
  const count = countOf(type)
  const [source, target] = [strideOf(type, accessOf(from)), strideOf(type, accessOf(to))]
  if (source.isBits || target.isBits) emitBits(context, count, from, to)
  else emitElements(context, type.element, count, from, to, [source.size, target.size])
}

function emitElements(
  context: PlaceContext,
  element: Type,
  count: number,
  from: Place,
  to: Place,
  [fromStride, toStride]: readonly [number, number],
): void {
  if (count <= unrolled) {
    for (let i = 0; i < count; i++) emitPiece(context, element, moved(from, i * fromStride), moved(to, i * toStride))
    return
  }
  const { out } = context
  const [source, target] = takeAddresses(context, from, to)
  const rest = out.take(ValueType.i32)
  out.i32(count)
  out.set(rest)
  const loop = out.open(Op.loop)
  emitPiece(context, element, at(context, source, from), at(context, target, to))
  for (const [register, stride] of [
    [source, fromStride],
    [target, toStride],
    [rest, -1],
  ] as const) {
    out.get(register)
    out.i32(stride)
    out.op(Op.i32Add)
    if (register === rest) out.tee(register)
    else out.set(register)
  }
  out.branchIf(loop)
  out.end()
  for (const register of [source, target, rest]) out.release(register)
}

/** Copies an array of Bool: one side has a bit for each element, the other a byte. */
function emitBits(context: PlaceContext, count: number, from: Place, to: Place): void {
  const { out } = context
  const number = out.take(ValueType.i32)
  out.i32(0)
  out.set(number)
  const loop = out.open(Op.loop)
  const element = (place: Place): Place => ({
    ...place,
    indices: [
      {
        value: { kind: 'local', type: 'address', local: number - context.firstLocal },
        low: 0,
        high: count - 1,
        stride: 1,
        site: 0,
        ...(place.isStandard ? { isBits: true } : {}),
      },
    ],
  })
  emitStore(context, Bool, element(to), { kind: 'load', type: Bool, place: element(from) })
  out.get(number)
  out.i32(1)
  out.op(Op.i32Add)
  out.tee(number)
  out.i32(count)
  out.op(Op.i32LtU)
  out.branchIf(loop)
  out.end()
  out.release(number)
}
