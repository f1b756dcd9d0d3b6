/**
 * Operators and conversions on values in registers, exact to the bit: integers wrap, a division by zero gives 0, reals are rounded once after
 * each operation, and what went wrong clears ENO where the program wants to know (plc-semantics.md 2.2, 2.3).
 */
import type { BinaryOperator, Expression } from '../program/ir.ts'
import type { ScalarType } from '../program/type.ts'
import { Op, PrefixedOp, prefixed, ValueType } from '../wasm/opcodes.ts'
import type { FunctionEmitter } from './emitter.ts'
import { emitWrap, registerOf } from './registers.ts'

/** What operators need of the function they stand in. */
export interface OperatorContext {
  readonly out: FunctionEmitter
  expression(expression: Expression): void
  /** Clears ENO when the number on the stack is not 0. */
  clearEnoIf(): void
}

type Binary = Extract<Expression, { kind: 'binary' }>

/** Pushes the result of an operator with two operands. */
export function emitBinary(context: OperatorContext, expression: Binary): void {
  const { operator, type } = expression
  if (type.family === 'real') {
    emitReal(context, expression)
    return
  }
  if (operator === 'divide' || operator === 'modulo') {
    emitDivision(context, expression)
    return
  }
  if (operator.startsWith('shift') || operator.startsWith('rotate')) {
    emitShift(context, expression)
    return
  }
  if (operator === 'minimum' || operator === 'maximum') {
    emitExtreme(context, expression)
    return
  }
  const isSum = operator === 'add' || operator === 'subtract' || operator === 'multiply'
  if (isSum && expression.setsEno) {
    emitCheckedSum(context, expression)
    return
  }
  context.expression(expression.left)
  context.expression(expression.right)
  context.out.op(integerOp(operator, type))
  if (isSum && expression.isExact !== true) emitWrap(context.out, type)
}

const sums32 = {
  add: Op.i32Add,
  subtract: Op.i32Sub,
  multiply: Op.i32Mul,
  and: Op.i32And,
  or: Op.i32Or,
  xor: Op.i32Xor,
} as const
const sums64 = {
  add: Op.i64Add,
  subtract: Op.i64Sub,
  multiply: Op.i64Mul,
  and: Op.i64And,
  or: Op.i64Or,
  xor: Op.i64Xor,
} as const

/** Opcode of an operator without traps. */
function integerOp(operator: BinaryOperator, type: ScalarType): number {
  const isWide = registerOf(type) === ValueType.i64
  const sum = (isWide ? sums64 : sums32)[operator as keyof typeof sums32]
  if (sum !== undefined) return sum
  const { isSigned } = type
  switch (operator) {
    case 'equal':
      return isWide ? Op.i64Eq : Op.i32Eq
    case 'notEqual':
      return isWide ? Op.i64Ne : Op.i32Ne
    case 'less':
      return isWide ? (isSigned ? Op.i64LtS : Op.i64LtU) : isSigned ? Op.i32LtS : Op.i32LtU
    case 'lessOrEqual':
      return isWide ? (isSigned ? Op.i64LeS : Op.i64LeU) : isSigned ? Op.i32LeS : Op.i32LeU
    case 'greater':
      return isWide ? (isSigned ? Op.i64GtS : Op.i64GtU) : isSigned ? Op.i32GtS : Op.i32GtU
    case 'greaterOrEqual':
      return isWide ? (isSigned ? Op.i64GeS : Op.i64GeU) : isSigned ? Op.i32GeS : Op.i32GeU
    default:
      throw new Error(`no integer operator ${operator}`)
  }
}

const reals32 = {
  add: Op.f32Add,
  subtract: Op.f32Sub,
  multiply: Op.f32Mul,
  divide: Op.f32Div,
  equal: Op.f32Eq,
  notEqual: Op.f32Ne,
  less: Op.f32Lt,
  lessOrEqual: Op.f32Le,
  greater: Op.f32Gt,
  greaterOrEqual: Op.f32Ge,
  minimum: Op.f32Min,
  maximum: Op.f32Max,
} as const
const reals64 = {
  add: Op.f64Add,
  subtract: Op.f64Sub,
  multiply: Op.f64Mul,
  divide: Op.f64Div,
  equal: Op.f64Eq,
  notEqual: Op.f64Ne,
  less: Op.f64Lt,
  lessOrEqual: Op.f64Le,
  greater: Op.f64Gt,
  greaterOrEqual: Op.f64Ge,
  minimum: Op.f64Min,
  maximum: Op.f64Max,
} as const
const comparisons: ReadonlySet<BinaryOperator> = new Set([
  'equal',
  'notEqual',
  'less',
  'lessOrEqual',
  'greater',
  'greaterOrEqual',
])

function emitReal(context: OperatorContext, { operator, type, left, right, setsEno }: Binary): void {
  const { out } = context
  context.expression(left)
  context.expression(right)
  const code = (type.bits === 64 ? reals64 : reals32)[operator as keyof typeof reals32]
  if (code === undefined) throw new Error(`no operator ${operator} for ${type.name}`)
  out.op(code)
  if (setsEno && !comparisons.has(operator)) checkFinite(context, type)
}

/** Clears ENO when the number on the stack is infinite or not a number; it stays there. `x - x` is 0 for all others. */
function checkFinite(context: OperatorContext, type: ScalarType): void {
  const { out } = context
  const isWide = type.bits === 64
  const register = out.take(registerOf(type))
  out.tee(register)
  out.get(register)
  out.get(register)
  out.op(isWide ? Op.f64Sub : Op.f32Sub)
  if (isWide) out.f64(0)
  else out.f32(0)
  out.op(isWide ? Op.f64Ne : Op.f32Ne)
  context.clearEnoIf()
  out.release(register)
}

/** Sum, difference or product that clears ENO when it does not fit. Up to 32 bits in 64, where nothing is lost. */
function emitCheckedSum(context: OperatorContext, { operator, type, left, right }: Binary): void {
  const { out } = context
  const isWide = registerOf(type) === ValueType.i64
  if (isWide) {
    emitCheckedWide(context, { operator, type, left, right })
    return
  }
  const exact = out.take(ValueType.i64)
  const result = out.take(ValueType.i32)
  const extend = type.isSigned ? Op.i64ExtendI32S : Op.i64ExtendI32U
  context.expression(left)
  out.op(extend)
  context.expression(right)
  out.op(extend)
  out.op(sums64[operator as 'add'])
  out.tee(exact)
  out.op(Op.i32WrapI64)
  emitWrap(out, type)
  out.tee(result)
  out.get(result)
  out.op(extend)
  out.get(exact)
  out.op(Op.i64Ne)
  context.clearEnoIf()
  out.release(exact)
  out.release(result)
}

/** 64 bits: overflow is told from the signs or sizes of operands and result; of a product by dividing it again. */
function emitCheckedWide(
  context: OperatorContext,
  { operator, type, left, right }: Omit<Binary, 'kind' | 'setsEno'>,
): void {
  const { out } = context
  const [a, b, r] = [out.take(ValueType.i64), out.take(ValueType.i64), out.take(ValueType.i64)]
  context.expression(left)
  out.set(a)
  context.expression(right)
  out.set(b)
  out.get(a)
  out.get(b)
  out.op(sums64[operator as 'add'])
  out.tee(r)
  if (operator === 'multiply') {
    // Overflow when b is not 0 and r / b is not a; -1 is taken alone, for the division of the smallest number by it traps.
    const ended = out.open(Op.block, ValueType.i32)
    if (type.isSigned) {
      out.get(a)
      out.i64(-(1n << 63n))
      out.op(Op.i64Eq)
      out.get(b)
      out.i64(-1n)
      out.op(Op.i64Eq)
      out.op(Op.i32And)
      out.get(b)
      out.i64(-1n)
      out.op(Op.i64Eq)
      out.branchIf(ended)
      out.op(Op.drop)
    }
    out.i32(0)
    out.get(b)
    out.op(Op.i64Eqz)
    out.branchIf(ended)
    out.op(Op.drop)
    out.get(r)
    out.get(b)
    out.op(type.isSigned ? Op.i64DivS : Op.i64DivU)
    out.get(a)
    out.op(Op.i64Ne)
    out.end()
  } else if (type.isSigned) {
    // Signed: the result's sign differs from that of both operands (of a and the negated b for a difference).
    out.get(a)
    out.get(r)
    out.op(Op.i64Xor)
    if (operator === 'add') {
      out.get(b)
      out.get(r)
    } else {
      out.get(a)
      out.get(b)
    }
    out.op(Op.i64Xor)
    out.op(Op.i64And)
    out.i64(0n)
    out.op(Op.i64LtS)
  } else if (operator === 'add') {
    out.get(r)
    out.get(a)
    out.op(Op.i64LtU)
  } else {
    out.get(a)
    out.get(b)
    out.op(Op.i64LtU)
  }
  context.clearEnoIf()
  for (const register of [a, b, r]) out.release(register)
}

/** Division truncates toward zero, MOD has the sign of the dividend; by zero both give 0 and clear ENO. */
function emitDivision(context: OperatorContext, { operator, type, left, right, setsEno }: Binary): void {
  const { out } = context
  const isWide = registerOf(type) === ValueType.i64
  const { isSigned } = type
  const isQuotient = operator === 'divide'
  const code = isWide
    ? isQuotient
      ? isSigned
        ? Op.i64DivS
        : Op.i64DivU
      : isSigned
        ? Op.i64RemS
        : Op.i64RemU
    : isQuotient
      ? isSigned
        ? Op.i32DivS
        : Op.i32DivU
      : isSigned
        ? Op.i32RemS
        : Op.i32RemU
  const constant = right.kind === 'constant' ? BigInt(right.value) : undefined
  if (constant !== undefined && !isSigned && constant > 0n && (constant & (constant - 1n)) === 0n) {
    // Engines do this for 32 bits only.
    context.expression(left)
    const operand = isQuotient ? BigInt(constant.toString(2).length - 1) : constant - 1n
    if (isWide) out.i64(BigInt.asIntN(64, operand))
    else out.i32(Number(operand))
    out.op(isQuotient ? (isWide ? Op.i64ShrU : Op.i32ShrU) : isWide ? Op.i64And : Op.i32And)
    return
  }
  if (constant !== undefined && constant !== 0n && constant !== -1n) {
    context.expression(left)
    context.expression(right)
    out.op(code)
    return
  }
  const register = isWide ? ValueType.i64 : ValueType.i32
  const [a, b] = [out.take(register), out.take(register)]
  context.expression(left)
  out.set(a)
  context.expression(right)
  out.set(b)
  const ended = out.open(Op.block, register)
  if (isWide) out.i64(0n)
  else out.i32(0)
  out.get(b)
  out.op(isWide ? Op.i64Eqz : Op.i32Eqz)
  out.branchIf(ended)
  out.op(Op.drop)
  if (isSigned && isQuotient) {
    // The smallest number / -1 overflows, and the machine traps on it: the negative wraps to the same number.
    if (isWide) out.i64(0n)
    else out.i32(0)
    out.get(a)
    out.op(isWide ? Op.i64Sub : Op.i32Sub)
    emitWrap(out, type)
    out.get(b)
    if (isWide) out.i64(-1n)
    else out.i32(-1)
    out.op(isWide ? Op.i64Eq : Op.i32Eq)
    out.branchIf(ended)
    out.op(Op.drop)
  }
  out.get(a)
  out.get(b)
  out.op(code)
  out.end()
  if (setsEno) {
    out.get(b)
    out.op(isWide ? Op.i64Eqz : Op.i32Eqz)
    context.clearEnoIf()
    if (isSigned && isQuotient) clearEnoOnSmallest(context, type, a, b)
  }
  out.release(a)
  out.release(b)
}

function clearEnoOnSmallest(context: OperatorContext, type: ScalarType, a: number, b: number): void {
  const { out } = context
  const isWide = registerOf(type) === ValueType.i64
  const smallest = -(1n << BigInt(type.bits - 1))
  for (const [register, value] of [
    [a, smallest],
    [b, -1n],
  ] as const) {
    out.get(register)
    if (isWide) out.i64(value)
    else out.i32(Number(value))
    out.op(isWide ? Op.i64Eq : Op.i32Eq)
  }
  out.op(Op.i32And)
  context.clearEnoIf()
}

/** Shifts by as many bits as there are, or more, leave 0, or the sign; rotations count modulo the bits. The count is a `UInt` or `UDInt`. */
function emitShift(context: OperatorContext, { operator, type, left, right }: Binary): void {
  const { out } = context
  const isWide = registerOf(type) === ValueType.i64
  const { bits, isSigned } = type
  const register = isWide ? ValueType.i64 : ValueType.i32
  const [value, count] = [out.take(register), out.take(ValueType.i32)]
  context.expression(left)
  out.set(value)
  context.expression(right)
  out.set(count)
  const pushCount = () => {
    out.get(count)
    if (isWide) out.op(Op.i64ExtendI32U)
  }
  if (operator.startsWith('rotate')) {
    const isLeft = operator === 'rotateLeft'
    if (bits >= 32) {
      out.get(value)
      pushCount()
      out.op(isWide ? (isLeft ? Op.i64Rotl : Op.i64Rotr) : isLeft ? Op.i32Rotl : Op.i32Rotr)
    } else {
      // Both halves of value * 2^bits + value, moved by count modulo bits.
      out.get(count)
      out.i32(bits - 1)
      out.op(Op.i32And)
      out.set(count)
      out.get(value)
      out.i32(bits === 8 ? 0xff : 0xffff)
      out.op(Op.i32And)
      out.tee(value)
      out.get(value)
      out.i32(bits)
      out.op(Op.i32Shl)
      out.op(Op.i32Or)
      if (isLeft) {
        out.i32(bits)
        out.get(count)
        out.op(Op.i32Sub)
      } else out.get(count)
      out.op(Op.i32ShrU)
      emitWrap(out, type)
    }
  } else {
    const isLeft = operator === 'shiftLeft'
    // Too far: signed numbers to the right keep their sign, as a shift by all bits but one.
    out.get(value)
    if (!isLeft && isSigned) {
      out.get(count)
      out.i32(bits - 1)
      out.get(count)
      out.i32(bits)
      out.op(Op.i32LtU)
      out.op(Op.select)
      if (isWide) out.op(Op.i64ExtendI32U)
      out.op(isWide ? Op.i64ShrS : Op.i32ShrS)
    } else {
      pushCount()
      out.op(isWide ? (isLeft ? Op.i64Shl : Op.i64ShrU) : isLeft ? Op.i32Shl : Op.i32ShrU)
      emitWrap(out, type)
      if (isWide) out.i64(0n)
      else out.i32(0)
      out.get(count)
      out.i32(bits)
      out.op(Op.i32LtU)
      out.op(Op.select)
    }
  }
  out.release(value)
  out.release(count)
}

function emitExtreme(context: OperatorContext, { operator, type, left, right }: Binary): void {
  const { out } = context
  const register = registerOf(type)
  const [a, b] = [out.take(register), out.take(register)]
  context.expression(left)
  out.tee(a)
  context.expression(right)
  out.tee(b)
  out.get(a)
  out.get(b)
  out.op(integerOp(operator === 'minimum' ? 'less' : 'greater', type))
  out.op(Op.select)
  out.release(a)
  out.release(b)
}

/** Pushes the result of an operator with one operand. */
export function emitUnary(
  context: OperatorContext,
  { operator, type, operand, setsEno = false }: Extract<Expression, { kind: 'unary' }>,
): void {
  const { out } = context
  const register = registerOf(type)
  const isWide = type.bits === 64
  if (type.family === 'real') {
    context.expression(operand)
    const codes = {
      negate: isWide ? Op.f64Neg : Op.f32Neg,
      abs: isWide ? Op.f64Abs : Op.f32Abs,
      sqrt: isWide ? Op.f64Sqrt : Op.f32Sqrt,
      not: undefined,
    }
    const code = codes[operator]
    if (code === undefined) throw new Error(`no operator ${operator} for ${type.name}`)
    out.op(code)
    // A sign is only a bit: nothing goes wrong with it.
    if (setsEno && operator === 'sqrt') checkFinite(context, type)
    return
  }
  if (operator === 'not') {
    context.expression(operand)
    if (type.bits === 1) out.op(Op.i32Eqz)
    else {
      if (isWide) out.i64(-1n)
      else out.i32(-1)
      out.op(isWide ? Op.i64Xor : Op.i32Xor)
      emitWrap(out, type)
    }
    return
  }
  if (operator === 'negate') {
    if (isWide) out.i64(0n)
    else out.i32(0)
    context.expression(operand)
    out.op(isWide ? Op.i64Sub : Op.i32Sub)
    emitWrap(out, type)
    if (setsEno) clearEnoIfSmallest(context, type)
    return
  }
  if (operator !== 'abs') throw new Error(`no operator ${operator} for ${type.name}`)
  const value = out.take(register)
  context.expression(operand)
  out.set(value)
  if (isWide) out.i64(0n)
  else out.i32(0)
  out.get(value)
  out.op(isWide ? Op.i64Sub : Op.i32Sub)
  emitWrap(out, type)
  out.get(value)
  out.get(value)
  if (isWide) out.i64(0n)
  else out.i32(0)
  out.op(isWide ? Op.i64LtS : Op.i32LtS)
  out.op(Op.select)
  out.release(value)
  if (setsEno) clearEnoIfSmallest(context, type)
}

/** The smallest number has no positive one: negated it is itself. */
function clearEnoIfSmallest(context: OperatorContext, type: ScalarType): void {
  const { out } = context
  const isWide = registerOf(type) === ValueType.i64
  const result = out.take(registerOf(type))
  out.tee(result)
  out.get(result)
  const smallest = -(1n << BigInt(type.bits - 1))
  if (isWide) out.i64(smallest)
  else out.i32(Number(smallest))
  out.op(isWide ? Op.i64Eq : Op.i32Eq)
  context.clearEnoIf()
  out.release(result)
}

type Convert = Extract<Expression, { kind: 'convert' }>

/** Pushes a value in another type. */
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

/** The same bits: a real becomes its pattern, a pattern a real; integers are cut off or extended by zeros. */
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

function emitRealToReal(context: OperatorContext, { from, type, setsEno }: Convert): void {
  if (from.bits === type.bits) return
  context.out.op(type.bits === 64 ? Op.f64PromoteF32 : Op.f32DemoteF64)
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

/** Rounds as the mode says, then keeps the low bits; what does not fit, infinity and NaN clear ENO (NaN gives 0). */
function emitRealToInteger(context: OperatorContext, { from, type, mode, setsEno }: Convert): void {
  const { out } = context
  if (from.bits === 32) out.op(Op.f64PromoteF32)
  out.op(rounding[mode as keyof typeof rounding])
  const rounded = out.take(ValueType.f64)
  out.tee(rounded)
  const isUnsignedWide = type.bits === 64 && !type.isSigned
  out.prefixedOp(prefixed, isUnsignedWide ? PrefixedOp.i64TruncSatF64U : PrefixedOp.i64TruncSatF64S)
  if (type.bits === 1) {
    out.i64(0n)
    out.op(Op.i64Ne)
  } else resize(out, true, type)
  if (setsEno && type.bits > 1) {
    const size = 2 ** (type.isSigned ? type.bits - 1 : type.bits)
    // Written so that NaN is outside too.
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

/** Keeps the low bits; a number that does not fit clears ENO. Anything but 0 is TRUE. */
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
  // Compared in 64 bits: what comes back from the target must be what went in, and of the same sign.
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
