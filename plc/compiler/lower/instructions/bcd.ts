/**
 * BCD_TO_INT and similar conversions, by their names in SCL; a Convert box with Bcd16 or Bcd32 uses them too. The sign
 * is the first digit: 0 or F (TIA Portal help, "Explicit conversion": a value that is no BCD number, or has more digits
 * than fit, sets OV, and ENO is FALSE).
 */

import { binary, constant, convert, isFalse, local, setLocal, when } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { DInt, DWord, Int, UDInt, Word } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import type { Instruction } from '../instruction.ts'
import { bcdDigits, hasWrongDigit, toBcdDigits } from '../s5.ts'
import { type BoundCall, instruction, nothing, valueAs, valued } from './arguments.ts'

interface Size {
  readonly digits: number
  readonly pattern: ScalarType
  readonly number: ScalarType
}

const bcd16: Size = { digits: 3, pattern: Word, number: Int }
const bcd32: Size = { digits: 7, pattern: DWord, number: DInt }

const zero = constant(DInt, 0n)

function choose(type: ScalarType, condition: Expression, whenTrue: Expression, otherwise: Expression): Expression {
  return { kind: 'select', type, condition, whenTrue, otherwise }
}

/** Stores a value that is read more than once in a register. */
function keep({ call: { context } }: BoundCall, type: ScalarType, value: Expression): [Statement, Expression] {
  const slot = context.local(type)
  return [setLocal(slot, value), local(type, slot)]
}

function fails({ call: { context } }: BoundCall, isWrong: Expression): Statement[] {
  return context.setsEno ? [when(isWrong, [{ kind: 'setEno', value: isFalse }])] : []
}

function fromBcd(size: Size): Instruction {
  return instruction('IN', (bound) => {
    const given = valueAs(bound, bound.given('IN'), size.pattern)
    if (!given) return nothing
    const [set, pattern] = keep(bound, UDInt, convert(given, size.pattern, UDInt, 'bits'))
    const [setNumber, number] = keep(bound, DInt, bcdDigits(pattern, size.digits))
    const sign = binary('and', UDInt, pattern, constant(UDInt, size.digits === 3 ? 0x8000n : 0x80000000n))
    const isNegative = binary('notEqual', UDInt, sign, constant(UDInt, 0n))
    const signed = choose(DInt, isNegative, binary('subtract', DInt, zero, number), number)
    const isWrong = hasWrongDigit(pattern, size.digits)
    const value = size.number === DInt ? signed : convert(signed, DInt, size.number, 'bits')
    return valued(size.number, value, [set, setNumber, ...fails(bound, isWrong)])
  })
}

function toBcd(size: Size): Instruction {
  return instruction('IN', (bound) => {
    const given = valueAs(bound, bound.given('IN'), size.number)
    if (!given) return nothing
    const [set, number] = keep(bound, DInt, size.number === DInt ? given : convert(given, size.number, DInt))
    const isNegative = binary('less', DInt, number, zero)
    const absolute = choose(DInt, isNegative, binary('subtract', DInt, zero, number), number)
    const [setAmount, amount] = keep(bound, UDInt, convert(absolute, DInt, UDInt, 'bits'))
    const isTooLong = binary('greaterOrEqual', UDInt, amount, constant(UDInt, 10n ** BigInt(size.digits)))
    const minus = constant(UDInt, size.digits === 3 ? 0xf000n : 0xf0000000n)
    const sign = choose(UDInt, isNegative, minus, constant(UDInt, 0n))
    const digits = binary('or', UDInt, toBcdDigits(amount, size.digits), sign)
    const kept = convert(number, DInt, UDInt, 'bits')
    const value = convert(choose(UDInt, isTooLong, kept, digits), UDInt, size.pattern, 'bits')
    return valued(size.pattern, value, [set, setAmount, ...fails(bound, isTooLong)])
  })
}

export const bcdInstructions: Readonly<Record<string, Instruction>> = {
  BCD16_TO_INT: fromBcd(bcd16),
  WORD_BCD16_TO_INT: fromBcd(bcd16),
  BCD32_TO_DINT: fromBcd(bcd32),
  DWORD_BCD32_TO_DINT: fromBcd(bcd32),
  INT_TO_BCD16: toBcd(bcd16),
  INT_TO_BCD16_WORD: toBcd(bcd16),
  DINT_TO_BCD32: toBcd(bcd32),
  DINT_TO_BCD32_DWORD: toBcd(bcd32),
}
