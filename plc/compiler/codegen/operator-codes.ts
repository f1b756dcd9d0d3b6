/** WebAssembly opcodes of operators with two operands. */
import type { BinaryOperator } from '../../ir/ir.ts'
import type { ScalarType } from '../../program/type.ts'
import { Op, ValueType } from '../wasm/opcodes.ts'
import { registerOf } from './registers.ts'

const sums32 = {
  add: Op.i32Add,
  subtract: Op.i32Sub,
  multiply: Op.i32Mul,
  and: Op.i32And,
  or: Op.i32Or,
  xor: Op.i32Xor,
} as const
export const sums64 = {
  add: Op.i64Add,
  subtract: Op.i64Sub,
  multiply: Op.i64Mul,
  and: Op.i64And,
  or: Op.i64Or,
  xor: Op.i64Xor,
} as const

/** Opcode of an operator on integers that never traps. */
export function integerOp(operator: BinaryOperator, type: ScalarType): number {
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
/** Opcode of an operator on reals. */
export function realOp(operator: BinaryOperator, type: ScalarType): number {
  const code = (type.bits === 64 ? reals64 : reals32)[operator as keyof typeof reals32]
  if (code === undefined) throw new Error(`no operator ${operator} for ${type.name}`)
  return code
}
