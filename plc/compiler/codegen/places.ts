/** Reads and writes memory: addresses with checked indices, byte order, bits. */
import { type Base, type Expression, isBehindReference, type Place, type PlaceIndex } from '../../ir/ir.ts'
import { type FaultArea, packFault } from '../../library/faults.ts'
import type { ScalarType } from '../../program/type.ts'
import { Op, ValueType } from '../wasm/opcodes.ts'
import type { FunctionEmitter } from './emitter.ts'
import type { ImageUseCollector } from './image-use.ts'
import { emitConstant, registerOf, typeOfExpression } from './registers.ts'

/** What places need from the function that contains them. */
export interface PlaceContext {
  readonly out: FunctionEmitter
  /** Pushes the value of an expression. */
  expression(expression: Expression): void
  /** Register of the first local of the intermediate form. */
  readonly firstLocal: number
  /** Register with the address of the instance, and register with the address of the frame. */
  readonly instance: number
  readonly frame: number
  /** Collects the bytes of the process images that the block uses. */
  readonly image: ImageUseCollector
  /** Adds constant bytes and returns their symbol. */
  constant(bytes: Uint8Array): string
  /**
   * Reports a programming error to the host; leaves nothing on the stack.
   * @param what see `packFault` in library/faults.ts
   */
  fault(site: number, what: number, dataBlock: string | undefined): void
  /**
   * Reports an access to the periphery to the host; leaves nothing on the stack.
   * @param what see `packFault` in library/faults.ts
   */
  periphery(what: number, byte: number): void
}

/** Bytes of the widest scalar. */
const mostBytes = 8

/** Symbol of the scratch memory, which is read and written when an index is wrong but an address is needed. */
export const scratchSymbol = 'scratch'
/** Symbol of the start information of organization blocks. */
export const startInformationSymbol = 'start information'

/** Accesses past the process image are reported to the host, because the module can be missing (OB 122). */
function tellPeriphery(context: PlaceContext, type: ScalarType, { base, offset }: Place, isWrite: boolean): void {
  if (base.kind === 'area' && (base.area === 'PI' || base.area === 'PQ'))
    context.periphery(packFault(isWrite, false, base.area, type.bits), offset)
}

/** Pushes the value at a place; a wrong index gives 0. */
export function emitLoad(context: PlaceContext, type: ScalarType, place: Place): void {
  const { out } = context
  tellPeriphery(context, type, place, false)
  withIndices(context, place, {
    access: { isWrite: false, bits: type.bits },
    result: registerOf(type),
    body(indices) {
      if (isPacked(type, place)) loadBit(context, place, indices)
      else {
        pushDynamic(context, place, indices)
        loadBytes(out, type, place)
      }
    },
    otherwise: () => emitConstant(out, type, 0),
  })
}

/** Writes a value; a wrong index writes nothing. The value is evaluated first. */
export function emitStore(context: PlaceContext, type: ScalarType, place: Place, value: Expression): void {
  const { out } = context
  if (place.indices.length === 0 && !isPacked(type, place)) {
    pushDynamic(context, place, [])
    context.expression(value)
    storeBytes(out, type, place)
    tellPeriphery(context, type, place, true)
    return
  }
  const register = out.take(registerOf(type))
  context.expression(value)
  out.set(register)
  withIndices(context, place, {
    access: { isWrite: true, bits: type.bits },
    body(indices) {
      if (isPacked(type, place)) storeBit(context, place, indices, register)
      else {
        pushDynamic(context, place, indices)
        out.get(register)
        storeBytes(out, type, place)
      }
    },
  })
  out.release(register)
  tellPeriphery(context, type, place, true)
}

/**
 * Pushes the address of a place; a wrong index gives the address of scratch memory.
 * @param isWrite whether the address is for writing
 */
export function emitAddress(context: PlaceContext, place: Place, isWrite = false): void {
  const { out } = context
  context.image.add(place)
  withIndices(context, place, {
    access: { isWrite, bits: 8 },
    result: ValueType.i32,
    body(indices) {
      const symbol = pushDynamic(context, place, indices)
      if (symbol === undefined) {
        if (place.offset !== 0) {
          out.i32(place.offset)
          out.op(Op.i32Add)
        }
      } else {
        out.address(symbol, place.offset)
        out.op(Op.i32Add)
      }
    },
    otherwise: () => out.address(scratchSymbol, 0),
  })
}

function faultArea(base: Base): FaultArea {
  if (base.kind === 'area') return base.area === 'T' || base.area === 'C' ? 'other' : base.area
  return base.kind === 'block' || base.kind === 'instance' || base.kind === 'frame' ? base.kind : 'other'
}

interface Indexed {
  readonly result?: ValueType
  /** The access that programming errors report. */
  readonly access: { readonly isWrite: boolean; readonly bits: number }
  /** @param indices registers with the numbers of elements, from 0 */
  body(indices: readonly number[]): void
  otherwise?(): void
}

/** Evaluates and checks the indices, then emits `body`; a wrong index is a fault. */
function withIndices(context: PlaceContext, place: Place, { result, access, body, otherwise }: Indexed): void {
  const { out } = context
  const { base, indices } = place
  if (indices.length === 0) {
    body([])
    return
  }
  const registers = indices.map(() => out.take(ValueType.i32))
  // All indices are evaluated before any is checked: an error in the second clears ENO even when the first is outside.
  for (const [i, index] of indices.entries()) {
    pushNumber(context, index)
    out.set(registers[i] as number)
  }
  if (indices.every(({ isSafe }) => isSafe === true)) {
    body(registers)
    for (const register of registers) out.release(register)
    return
  }
  const done = out.open(Op.block, result)
  const wrong = out.open(Op.block)
  for (const [i, index] of indices.entries()) {
    if (index.isSafe === true) continue
    out.get(registers[i] as number)
    pushCount(context, index)
    out.op(Op.i32GeU)
    out.branchIf(wrong)
  }
  body(registers)
  out.branch(done)
  out.end()
  const what = packFault(access.isWrite, isBehindReference(place), faultArea(base), access.bits)
  context.fault(indices[0]?.site ?? 0, what, base.kind === 'block' ? base.block : undefined)
  otherwise?.()
  out.end()
  for (const register of registers) out.release(register)
}

/**
 * Pushes the number of the element, from 0. An index that does not fit in a signed number of 32 bits becomes a number
 * far outside: cut off it could be one of the elements.
 */
function pushNumber(context: PlaceContext, { value, low }: PlaceIndex): void {
  const { out } = context
  context.expression(value)
  const type = typeOfExpression(value)
  const register = registerOf(type)
  const isWide = register === ValueType.i64
  const isUnsigned = type !== 'address' && !type.isSigned
  // Without negative limits a large unsigned number is outside in any case.
  const mayNotFit = isWide || (isUnsigned && type.bits === 32 && (typeof low !== 'number' || low < 0))
  const index = mayNotFit ? out.take(register) : undefined
  if (index !== undefined) out.tee(index)
  if (isWide) out.op(Op.i32WrapI64)
  pushDifference(context, low)
  if (index === undefined) return
  out.i32(-1)
  out.get(index)
  if (!isWide) {
    out.i32(0)
    out.op(Op.i32GeS)
  } else if (isUnsigned) {
    out.i64(1n << 31n)
    out.op(Op.i64LtU)
  } else {
    out.get(index)
    out.op(Op.i32WrapI64)
    out.op(Op.i64ExtendI32S)
    out.op(Op.i64Eq)
  }
  out.op(Op.select)
  out.release(index)
}

/** Subtracts the lower limit from the number on the stack. */
function pushDifference(context: PlaceContext, low: number | Expression): void {
  const { out } = context
  if (low === 0) return
  pushBound(context, low)
  out.op(Op.i32Sub)
}

/** Pushes the number of elements. */
function pushCount(context: PlaceContext, { low, high }: PlaceIndex): void {
  const { out } = context
  if (typeof low === 'number' && typeof high === 'number') {
    out.i32(high - low + 1)
    return
  }
  pushBound(context, high)
  pushBound(context, low)
  out.op(Op.i32Sub)
  out.i32(1)
  out.op(Op.i32Add)
}

function pushBound(context: PlaceContext, bound: number | Expression): void {
  if (typeof bound === 'number') context.out.i32(bound)
  else context.expression(bound)
}

function isPacked(type: ScalarType, place: Place): boolean {
  return type.bits === 1 && (place.bit !== undefined || place.indices.some(({ isBits }) => isBits === true))
}

/**
 * Pushes base and indices in bytes. Returns the symbol whose address must still be added: `loadBytes` and `storeBytes`
 * do so.
 */
function pushDynamic(context: PlaceContext, place: Place, registers: readonly number[]): string | undefined {
  const { out } = context
  const { base, indices } = place
  context.image.add(place, mostBytes)
  let symbol: string | undefined
  switch (base.kind) {
    case 'instance':
      out.get(context.instance)
      break
    case 'frame':
      out.get(context.frame)
      break
    case 'pointer':
      context.expression(base.address)
      break
    case 'area':
      symbol = base.area
      break
    case 'startInformation':
      symbol = startInformationSymbol
      break
    case 'block':
      symbol = `block ${base.block.toLowerCase()}`
      break
    case 'constant':
      out.address(context.constant(base.bytes), 0)
      break
  }
  let isFirst = symbol !== undefined
  for (const [i, { stride, isBits }] of indices.entries()) {
    if (isBits === true) continue
    out.get(registers[i] as number)
    if (stride !== 1) {
      out.i32(stride)
      out.op(Op.i32Mul)
    }
    if (isFirst) isFirst = false
    else out.op(Op.i32Add)
  }
  if (isFirst) out.i32(0)
  return symbol
}

function access(out: FunctionEmitter, code: number, { base, offset }: Place): void {
  if (base.kind === 'area') out.memoryAt(code, base.area, offset)
  else if (base.kind === 'startInformation') out.memoryAt(code, startInformationSymbol, offset)
  else if (base.kind === 'block') out.memoryAt(code, `block ${base.block.toLowerCase()}`, offset)
  else out.memory(code, offset)
}

function loadBytes(out: FunctionEmitter, type: ScalarType, place: Place): void {
  const { bits, isSigned, family } = type
  const swaps = place.isStandard && bits > 8
  switch (bits) {
    case 1:
    case 8:
      access(out, isSigned ? Op.i32Load8S : Op.i32Load8U, place)
      return
    case 16:
      access(out, isSigned && !swaps ? Op.i32Load16S : Op.i32Load16U, place)
      if (swaps) swap16(out, isSigned)
      return
    case 32:
      if (family === 'real' && !swaps) {
        access(out, Op.f32Load, place)
        return
      }
      access(out, Op.i32Load, place)
      if (swaps) swap32(out)
      if (family === 'real') out.op(Op.f32ReinterpretI32)
      return
    case 64:
      if (family === 'real' && !swaps) {
        access(out, Op.f64Load, place)
        return
      }
      access(out, Op.i64Load, place)
      if (swaps) swap64(out)
      if (family === 'real') out.op(Op.f64ReinterpretI64)
  }
}

function storeBytes(out: FunctionEmitter, type: ScalarType, place: Place): void {
  const { bits, family } = type
  const swaps = place.isStandard && bits > 8
  switch (bits) {
    case 1:
    case 8:
      access(out, Op.i32Store8, place)
      return
    case 16:
      if (swaps) swap16(out, false)
      access(out, Op.i32Store16, place)
      return
    case 32:
      if (family === 'real' && !swaps) {
        access(out, Op.f32Store, place)
        return
      }
      if (family === 'real') out.op(Op.i32ReinterpretF32)
      if (swaps) swap32(out)
      access(out, Op.i32Store, place)
      return
    case 64:
      if (family === 'real' && !swaps) {
        access(out, Op.f64Store, place)
        return
      }
      if (family === 'real') out.op(Op.i64ReinterpretF64)
      if (swaps) swap64(out)
      access(out, Op.i64Store, place)
      return
  }
}

function swap16(out: FunctionEmitter, isSigned: boolean): void {
  const value = out.take(ValueType.i32)
  out.tee(value)
  out.i32(8)
  out.op(Op.i32Shl)
  out.get(value)
  out.i32(8)
  out.op(Op.i32ShrU)
  out.i32(0xff)
  out.op(Op.i32And)
  out.op(Op.i32Or)
  if (isSigned) out.op(Op.i32Extend16S)
  else {
    out.i32(0xffff)
    out.op(Op.i32And)
  }
  out.release(value)
}

/** Two rotations: 0xAABBCCDD gives 0xDDCCBBAA. */
function swap32(out: FunctionEmitter): void {
  const value = out.take(ValueType.i32)
  out.tee(value)
  out.i32(0x00ff00ff)
  out.op(Op.i32And)
  out.i32(8)
  out.op(Op.i32Rotr)
  out.get(value)
  out.i32(8)
  out.op(Op.i32Rotl)
  out.i32(0x00ff00ff)
  out.op(Op.i32And)
  out.op(Op.i32Or)
  out.release(value)
}

function swap64(out: FunctionEmitter): void {
  const value = out.take(ValueType.i64)
  out.set(value)
  out.get(value)
  out.op(Op.i32WrapI64)
  swap32(out)
  out.op(Op.i64ExtendI32U)
  out.i64(32n)
  out.op(Op.i64Shl)
  out.get(value)
  out.i64(32n)
  out.op(Op.i64ShrU)
  out.op(Op.i32WrapI64)
  swap32(out)
  out.op(Op.i64ExtendI32U)
  out.op(Op.i64Or)
  out.release(value)
}

/**
 * Pushes the number of the bit, counted from bit 0 of the byte at the place: a constant, or computed from the indices
 * of bits.
 */
function pushBit(out: FunctionEmitter, { bit = 0, indices }: Place, registers: readonly number[]): boolean {
  let isDynamic = false
  for (const [i, { stride, isBits }] of indices.entries()) {
    if (isBits !== true) continue
    out.get(registers[i] as number)
    if (stride !== 1) {
      out.i32(stride)
      out.op(Op.i32Mul)
    }
    if (isDynamic) out.op(Op.i32Add)
    isDynamic = true
  }
  if (isDynamic && bit !== 0) {
    out.i32(bit)
    out.op(Op.i32Add)
  }
  return isDynamic
}

function loadBit(context: PlaceContext, place: Place, registers: readonly number[]): void {
  const { out } = context
  const number = out.take(ValueType.i32)
  const isDynamic = pushBit(out, place, registers)
  if (isDynamic) out.set(number)
  pushDynamic(context, place, registers)
  if (isDynamic) {
    out.get(number)
    out.i32(3)
    out.op(Op.i32ShrU)
    out.op(Op.i32Add)
  }
  access(out, Op.i32Load8U, place)
  if (isDynamic) {
    out.get(number)
    out.i32(7)
    out.op(Op.i32And)
    out.op(Op.i32ShrU)
  } else if (place.bit !== undefined && place.bit > 0) {
    out.i32(place.bit)
    out.op(Op.i32ShrU)
  }
  out.i32(1)
  out.op(Op.i32And)
  out.release(number)
}

function storeBit(context: PlaceContext, place: Place, registers: readonly number[], value: number): void {
  const { out } = context
  const number = out.take(ValueType.i32)
  const address = out.take(ValueType.i32)
  const isDynamic = pushBit(out, place, registers)
  if (isDynamic) out.set(number)
  pushDynamic(context, place, registers)
  if (isDynamic) {
    out.get(number)
    out.i32(3)
    out.op(Op.i32ShrU)
    out.op(Op.i32Add)
    out.get(number)
    out.i32(7)
    out.op(Op.i32And)
    out.set(number)
  } else {
    out.i32(place.bit ?? 0)
    out.set(number)
  }
  out.tee(address)
  // byte = byte & ~(1 << number) | value << number
  out.get(address)
  access(out, Op.i32Load8U, place)
  out.i32(1)
  out.get(number)
  out.op(Op.i32Shl)
  out.i32(-1)
  out.op(Op.i32Xor)
  out.op(Op.i32And)
  out.get(value)
  out.get(number)
  out.op(Op.i32Shl)
  out.op(Op.i32Or)
  access(out, Op.i32Store8, place)
  out.release(number)
  out.release(address)
}
