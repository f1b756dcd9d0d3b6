/** Scalar types in registers: the WebAssembly type of each, and how values stay within their range. */
import type { Expression } from '../../ir/ir.ts'
import { Bool, LInt } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { Op, ValueType } from '../wasm/opcodes.ts'
import type { FunctionEmitter } from './emitter.ts'

/** The WebAssembly type of a value; types of up to 32 bits share `i32`, narrow integers are extended to it. */
export function registerOf(type: ScalarType | 'address'): ValueType {
  if (type === 'address') return ValueType.i32
  if (type.family === 'real') return type.bits === 64 ? ValueType.f64 : ValueType.f32
  return type.bits === 64 ? ValueType.i64 : ValueType.i32
}

/**
 * Keeps the low bits of the number on the stack, as the type requires: S7 arithmetic wraps
 * (docs/plc-semantics.md#arithmetic).
 */
export function emitWrap(out: FunctionEmitter, { bits, isSigned, family }: ScalarType): void {
  if (family === 'real' || bits >= 32) return
  if (bits === 1) {
    out.i32(1)
    out.op(Op.i32And)
  } else if (isSigned) out.op(bits === 8 ? Op.i32Extend8S : Op.i32Extend16S)
  else {
    out.i32(bits === 8 ? 0xff : 0xffff)
    out.op(Op.i32And)
  }
}

/** Pushes a constant of the type. */
export function emitConstant(out: FunctionEmitter, type: ScalarType, value: bigint | number): void {
  switch (registerOf(type)) {
    case ValueType.f32:
      out.f32(Number(value))
      return
    case ValueType.f64:
      out.f64(Number(value))
      return
    case ValueType.i64:
      out.i64(BigInt.asIntN(64, BigInt(value)))
      return
    default:
      out.i32(Number(BigInt.asIntN(32, BigInt(value))))
      return
  }
}

const comparing = new Set(['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual'])

/** Returns the type of an expression. */
export function typeOfExpression(expression: Expression): ScalarType | 'address' {
  switch (expression.kind) {
    case 'binary':
      return comparing.has(expression.operator) ? Bool : expression.type
    case 'address':
      return 'address'
    case 'eno':
    case 'calleeEno':
      return Bool
    case 'now':
      return LInt
    case 'sequence':
      return typeOfExpression(expression.value)
    default:
      return expression.type
  }
}
