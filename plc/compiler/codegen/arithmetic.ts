/**
 * Operators on values in registers, exact to the bit: integers wrap, a division by zero gives 0, reals are rounded once
 * after each operation, and a failed operation clears ENO where the program requests it
 * (docs/plc-semantics.md#explicit-conversion, docs/plc-semantics.md#arithmetic).
 */
import type { BinaryOperator, Expression } from '../../ir/ir.ts'
import type { ScalarType } from '../../program/type.ts'
import { Op, ValueType } from '../wasm/opcodes.ts'
import type { FunctionEmitter } from './emitter.ts'
import { integerOp, realOp, sums64 } from './operator-codes.ts'
import { emitWrap, registerOf } from './registers.ts'

/** What operators need from the function that contains them. */
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
  pushOperand(context, expression.left)
  pushOperand(context, expression.right)
  context.out.op(integerOp(operator, type))
  if (isSum && expression.isExact !== true) emitWrap(context.out, type)
}

/**
 * Pushes an operand. `NOT` of a Bool as a bit that changes: a comparison with 0 takes three instructions of the
 * processor where no branch follows it.
 */
function pushOperand(context: OperatorContext, operand: Expression): void {
  if (operand.kind !== 'unary' || operand.operator !== 'not' || operand.type.bits !== 1) {
    context.expression(operand)
    return
  }
  context.expression(operand.operand)
  context.out.i32(1)
  context.out.op(Op.i32Xor)
}

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
  out.op(realOp(operator, type))
  if (setsEno && !comparisons.has(operator)) checkFinite(context, type)
}

/**
 * Clears ENO when the number on the stack is infinite or NaN; the number stays on the stack. `x - x` is 0 for all
 * others.
 */
export function checkFinite(context: OperatorContext, type: ScalarType): void {
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

/**
 * Sum, difference or product that clears ENO when it does not fit. Types of up to 32 bits are calculated in 64 bits,
 * where nothing is lost.
 */
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

/** 64 bits: overflow follows from the signs or sizes of operands and result; for a product, from dividing it again. */
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
    // Overflow when b is not 0 and r / b is not a. -1 is handled separately, because dividing the smallest number by it
    // traps.
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

/**
 * Division truncates toward zero, MOD has the sign of the dividend; division by zero gives 0 in both and clears ENO.
 */
function emitDivision(
  context: OperatorContext,
  { operator, type, left, right, setsEno, isSafe = false }: Binary,
): void {
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
    // Engines do this themselves only for 32 bits.
    context.expression(left)
    const operand = isQuotient ? BigInt(constant.toString(2).length - 1) : constant - 1n
    if (isWide) out.i64(BigInt.asIntN(64, operand))
    else out.i32(Number(operand))
    out.op(isQuotient ? (isWide ? Op.i64ShrU : Op.i32ShrU) : isWide ? Op.i64And : Op.i32And)
    return
  }
  if (isSafe || (constant !== undefined && constant !== 0n && constant !== -1n)) {
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
    // The smallest number / -1 overflows and traps: negation instead wraps to the same number.
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

/**
 * Shifts by the number of bits or more give 0, or the sign; rotations count modulo the number of bits. The count is a
 * `UInt` or `UDInt`.
 */
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
      // Shift value * 2^bits + value by count modulo bits: both halves are the same value.
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
    // The count is too large: a right shift of a signed number leaves its sign, as a shift by all bits but one does.
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
    if (setsEno) checkFinite(context, type)
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

/** The smallest number has no positive counterpart: negated it stays the same. */
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
