/**
 * Conversions of values in registers: a value that does not fit keeps its low bits, and clears ENO where the program
 * requests it (docs/plc-semantics.md#explicit-conversion).
 */
import type { Expression } from '../../ir/ir.ts'
import type { ScalarType } from '../../program/type.ts'
import { Op, PrefixedOp, prefixed, ValueType } from '../wasm/opcodes.ts'
import { checkFinite, type OperatorContext } from './arithmetic.ts'
import type { FunctionEmitter } from './emitter.ts'
import { emitWrap } from './registers.ts'

type Convert = Extract<Expression, { kind: 'convert' }>

/** Pushes a value converted to another type. */
export function emitConvert(context: OperatorContext, expression: Convert): void {
  const { from, type, operand, mode } = expression
  context.expression(operand)
  if (mode === 'bits') {
    emitSameBits(context.out, from, type)
    return
  }
  if (from.family === 'real') {
    if (type.family === 'real') {
      emitRealToReal(context, expression)
      return
    }
    emitRealToInteger(context, expression)
    return
  }
  if (type.family === 'real') {
    emitIntegerToReal(context.out, from, type)
    return
  }
  emitIntegerToInteger(context, expression)
}

/**
 * Keeps the bits: a real becomes its bit pattern, a pattern becomes a real; integers are cut off or extended by zeros.
 */
function emitSameBits(out: FunctionEmitter, from: ScalarType, to: ScalarType): void {
  if (from.family === 'real' && to.family !== 'real') {
    out.op(from.bits === 64 ? Op.i64ReinterpretF64 : Op.i32ReinterpretF32)
    resize(out, from.bits === 64, to)
  } else if (from.family !== 'real' && to.family === 'real') {
    resizeRegister(out, from.bits === 64, to.bits === 64, false)
    out.op(to.bits === 64 ? Op.f64ReinterpretI64 : Op.f32ReinterpretI32)
  } else if (from.family !== 'real') {
    if (from.isSigned && from.bits < 32) {
      out.i32(from.bits === 8 ? 0xff : 0xffff)
      out.op(Op.i32And)
    }
    resize(out, from.bits === 64, to)
  }
}

function resize(out: FunctionEmitter, wasWide: boolean, to: ScalarType): void {
  resizeRegister(out, wasWide, to.bits === 64, false)
  if (to.bits < 32) emitWrap(out, to)
}

function resizeRegister(out: FunctionEmitter, wasWide: boolean, isWide: boolean, isSigned: boolean): void {
  if (wasWide && !isWide) out.op(Op.i32WrapI64)
  else if (!wasWide && isWide) out.op(isSigned ? Op.i64ExtendI32S : Op.i64ExtendI32U)
}

function emitRealToReal(context: OperatorContext, { from, type, mode, setsEno }: Convert): void {
  const { out } = context
  if (mode === 'round' || mode === 'truncate' || mode === 'ceiling' || mode === 'floor') {
    if (from.bits === 32) out.op(Op.f64PromoteF32)
    out.op(rounding[mode])
    if (type.bits === 32) out.op(Op.f32DemoteF64)
    if (setsEno) checkFinite(context, type)
    return
  }
  if (from.bits === type.bits) return
  out.op(type.bits === 64 ? Op.f64PromoteF32 : Op.f32DemoteF64)
  if (setsEno && type.bits === 32) checkFinite(context, type)
}

function emitIntegerToReal(out: FunctionEmitter, from: ScalarType, to: ScalarType): void {
  const [wideFrom, wideTo] = [from.bits === 64, to.bits === 64]
  const { isSigned } = from
  if (wideFrom)
    out.op(
      wideTo ? (isSigned ? Op.f64ConvertI64S : Op.f64ConvertI64U) : isSigned ? Op.f32ConvertI64S : Op.f32ConvertI64U,
    )
  else
    out.op(
      wideTo ? (isSigned ? Op.f64ConvertI32S : Op.f64ConvertI32U) : isSigned ? Op.f32ConvertI32S : Op.f32ConvertI32U,
    )
}

const rounding = {
  value: Op.f64Nearest,
  round: Op.f64Nearest,
  truncate: Op.f64Trunc,
  ceiling: Op.f64Ceil,
  floor: Op.f64Floor,
} as const

/** Rounds by the mode, then keeps the low bits; a value that does not fit, infinity and NaN clear ENO (NaN gives 0). */
function emitRealToInteger(context: OperatorContext, { from, type, mode, setsEno }: Convert): void {
  const { out } = context
  if (from.bits === 32) out.op(Op.f64PromoteF32)
  out.op(rounding[mode as keyof typeof rounding])
  const rounded = out.take(ValueType.f64)
  out.set(rounded)
  emitTruncate(out, type, rounded)
  if (setsEno && type.bits > 1) {
    const size = 2 ** (type.isSigned ? type.bits - 1 : type.bits)
    // This form of the comparison treats NaN as outside too.
    out.get(rounded)
    out.f64(type.isSigned ? -size : 0)
    out.op(Op.f64Ge)
    out.get(rounded)
    out.f64(size)
    out.op(Op.f64Lt)
    out.op(Op.i32And)
    out.op(Op.i32Eqz)
    context.clearEnoIf()
  }
  out.release(rounded)
}

/**
 * Pushes the low bits of a rounded number. Engines need three times as long for 64 bits as for 32, so numbers that fit
 * in 32 bits go their own way.
 */
function emitTruncate(out: FunctionEmitter, type: ScalarType, rounded: number): void {
  if (type.bits === 64 && !type.isSigned) {
    out.get(rounded)
    out.prefixedOp(prefixed, PrefixedOp.i64TruncSatF64U)
    return
  }
  const isWide = type.bits === 64 || type.bits === 1
  out.get(rounded)
  out.op(Op.f64Abs)
  out.f64(2 ** 31)
  out.op(Op.f64Lt)
  out.open(Op.if, isWide ? ValueType.i64 : ValueType.i32)
  out.get(rounded)
  out.prefixedOp(prefixed, PrefixedOp.i32TruncSatF64S)
  if (isWide) out.op(Op.i64ExtendI32S)
  out.otherwise()
  out.get(rounded)
  out.prefixedOp(prefixed, PrefixedOp.i64TruncSatF64S)
  if (!isWide) out.op(Op.i32WrapI64)
  out.end()
  if (type.bits === 1) {
    out.i64(0n)
    out.op(Op.i64Ne)
  } else emitWrap(out, type)
}

/** Keeps the low bits; a number that does not fit clears ENO. For Bool anything but 0 is TRUE. */
function emitIntegerToInteger(context: OperatorContext, { from, type, setsEno, isExact }: Convert): void {
  const { out } = context
  const [wasWide, isWide] = [from.bits === 64, type.bits === 64]
  if (type.bits === 1) {
    if (from.bits === 1) return
    if (wasWide) out.i64(0n)
    else out.i32(0)
    out.op(wasWide ? Op.i64Ne : Op.i32Ne)
    return
  }
  const mayNotFit =
    type.bits < from.bits ||
    (type.bits === from.bits && type.isSigned !== from.isSigned) ||
    (from.isSigned && !type.isSigned)
  if (!setsEno || !mayNotFit) {
    resizeRegister(out, wasWide, isWide, from.isSigned)
    if (isExact !== true && (type.bits < from.bits || type.isSigned !== from.isSigned)) emitWrap(out, type)
    return
  }
  // Compare in 64 bits: the target converted back must be the source, with the same sign.
  const [before, after] = [out.take(ValueType.i64), out.take(isWide ? ValueType.i64 : ValueType.i32)]
  if (!wasWide) out.op(from.isSigned ? Op.i64ExtendI32S : Op.i64ExtendI32U)
  out.tee(before)
  if (!isWide) out.op(Op.i32WrapI64)
  emitWrap(out, type)
  out.tee(after)
  out.get(after)
  if (!isWide) out.op(type.isSigned ? Op.i64ExtendI32S : Op.i64ExtendI32U)
  out.get(before)
  out.op(Op.i64Ne)
  // The same 64 bits mean different numbers, signed and unsigned, when the highest is set.
  if ((isWide || wasWide) && type.isSigned !== from.isSigned && (isWide || type.isSigned)) {
    out.get(before)
    out.i64(0n)
    out.op(Op.i64LtS)
    out.op(Op.i32Or)
  }
  context.clearEnoIf()
  out.release(before)
  out.release(after)
}
