/**
 * Ranges, scaling, single bits, block-wide functions: IN_RANGE, NORM_X, SCALE_X, SCALE, UNSCALE, DECO, ENCO, BITSUM,
 * EXPT, RE_TRIGR, STP …
 */

import { and, binary, constant, convert, local, not, setLocal } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { Bool, DWord, Int, LReal, LWord, Real, scalarNamed, UInt, Word } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import type { Instruction } from '../instruction.ts'
import { power } from '../operators.ts'
import type { Called } from '../values.ts'
import {
  type BoundCall,
  effect,
  type Given,
  giveOut,
  instruction,
  nothing,
  routine,
  valueAs,
  valued,
} from './arguments.ts'
import { bitStringOf, sharedNumberType, typeOfGiven } from './shared-type.ts'

/**
 * IN_RANGE(MIN, IN, MAX), OUT_RANGE: Bool. With NaN IN_RANGE is FALSE and OUT_RANGE TRUE (TIA help V19, "OUT_RANGE").
 */
function range(isInside: boolean): Instruction {
  return instruction('MIN IN MAX', (bound) => {
    const [low, value, high] = [bound.given('MIN'), bound.given('IN'), bound.given('MAX')]
    const type = sharedNumberType(bound.call, [low, value, high])
    if (!type) return nothing
    const [a, b, c] = [valueAs(bound, low, type), valueAs(bound, value, type), valueAs(bound, high, type)]
    if (!a || !b || !c) return nothing
    const register = bound.context.local(type)
    const read = local(type, register)
    const inside = and(binary('lessOrEqual', type, a, read), binary('lessOrEqual', type, read, c))
    return valued(Bool, isInside ? inside : not(inside), [setLocal(register, b)])
  })
}

/** The real type for calculations with values of a type without loss. */
function realFor(type: ScalarType): ScalarType {
  return type === LReal || (type.family !== 'real' && type.bits > 16) ? LReal : Real
}

/** Returns a number of any type as a real. */
function asReal(bound: BoundCall, given: Given, type: ScalarType, real: ScalarType): Expression | undefined {
  if (given.operand.kind === 'constant' && given.operand.type === undefined) return valueAs(bound, given, real)
  const value = valueAs(bound, given, type)
  return value && convert(value, type, real)
}

/** Puts MIN and MAX in registers; ENO is FALSE unless MIN < MAX. */
function keepOrdered(
  setsEno: boolean,
  type: ScalarType,
  [low, min]: readonly [register: number, value: Expression],
  [high, max]: readonly [register: number, value: Expression],
): Statement[] {
  const isOrdered = and({ kind: 'eno' }, binary('less', type, local(type, low), local(type, high)))
  return [setLocal(low, min), setLocal(high, max), ...(setsEno ? [{ kind: 'setEno' as const, value: isOrdered }] : [])]
}

/** NORM_X(MIN, VALUE, MAX): (VALUE - MIN) / (MAX - MIN) as Real or LReal; ENO is FALSE unless MIN < MAX. */
function normalize(result: ScalarType | undefined): Instruction {
  return instruction('MIN VALUE MAX', (bound) => {
    const all = [bound.given('MIN'), bound.given('VALUE'), bound.given('MAX')] as const
    const type = sharedNumberType(bound.call, all)
    if (!type) return nothing
    const real = result === LReal ? LReal : realFor(type)
    const out = result ?? (type === LReal ? LReal : Real)
    const [low, value, high] = all.map((one) => asReal(bound, one, type, real))
    if (!low || !value || !high) return nothing
    const [l, h] = [bound.context.local(real), bound.context.local(real)]
    const [a, b] = [local(real, l), local(real, h)]
    const { setsEno } = bound.context
    const quotient = binary('divide', real, binary('subtract', real, value, a), binary('subtract', real, b, a), setsEno)
    return valued(out, convert(quotient, real, out), keepOrdered(setsEno, real, [l, low], [h, high]))
  })
}

/**
 * SCALE_X(MIN, VALUE, MAX): VALUE * (MAX - MIN) + MIN in the type of the limits; integer results are rounded. ENO is
 * FALSE unless MIN < MAX (TIA help V19, "SCALE_X").
 */
function scale(result: ScalarType | undefined): Instruction {
  return instruction('MIN VALUE MAX', (bound) => {
    const [low, factor, high] = [bound.given('MIN'), bound.given('VALUE'), bound.given('MAX')]
    const limits = sharedNumberType(bound.call, [low, high])
    const own = typeOfGiven(bound, factor)
    if (!limits || !own) return nothing
    if (own.family !== 'real' && factor.operand.kind !== 'constant') {
      bound.context.report('wrong-operand', factor.at, `VALUE of ${bound.call.name} is a real number, not ${own.name}.`)
      return nothing
    }
    const real = own === LReal || result === LReal ? LReal : realFor(limits)
    const [a, b] = [asReal(bound, low, limits, real), asReal(bound, high, limits, real)]
    const value = own.family === 'real' ? asReal(bound, factor, own, real) : valueAs(bound, factor, real)
    if (!a || !b || !value) return nothing
    const [l, h] = [bound.context.local(real), bound.context.local(real)]
    const [first, last] = [local(real, l), local(real, h)]
    const { setsEno } = bound.context
    const product = binary('multiply', real, value, binary('subtract', real, last, first), setsEno)
    const sum = binary('add', real, product, first, setsEno)
    const out = result ?? limits
    const converted: Expression =
      out === real
        ? sum
        : {
            kind: 'convert',
            from: real,
            type: out,
            operand: sum,
            mode: out.family === 'real' ? 'value' : 'round',
            setsEno,
          }
    return valued(out, converted, keepOrdered(setsEno, real, [l, a], [h, b]))
  })
}

/** SCALE and UNSCALE: 0 or -27648 to 27648 and limits; the status is 8 when the input is outside. */
function analog(name: 'scale' | 'unscale', input: ScalarType, output: ScalarType): Instruction {
  return instruction('IN HI_LIM LO_LIM BIPOLAR >OUT', (bound): Called => {
    const value = valueAs(bound, bound.given('IN'), input)
    const [high, low] = [valueAs(bound, bound.given('HI_LIM'), Real), valueAs(bound, bound.given('LO_LIM'), Real)]
    const bipolar = valueAs(bound, bound.given('BIPOLAR'), Bool)
    if (!value || !high || !low || !bipolar) return nothing
    const { context } = bound
    const registers = [context.local(input), context.local(Real), context.local(Real), context.local(Bool)] as const
    const values = [value, high, low, bipolar]
    const read = [local(input, registers[0]), local(Real, registers[1]), local(Real, registers[2])]
    const all = [...read, local(Bool, registers[3])]
    const [out, status] = [context.local(output), context.local(Word)]
    return valued(Word, local(Word, status), [
      ...registers.map((register, i) => setLocal(register, values[i] as Expression)),
      setLocal(out, routine(bound, `${name}.value`, output, ...all)),
      setLocal(status, routine(bound, `${name}.status`, Word, ...all)),
      ...giveOut(bound, bound.given('OUT'), output, local(output, out)),
    ])
  })
}

/** DECO(IN): a value with the bit of this number set; numbers beyond the size wrap. */
function decode(type: ScalarType): Instruction {
  return instruction('IN', (bound) => {
    const value = valueAs(bound, bound.given('IN'), UInt)
    if (!value) return nothing
    const bit = binary('and', UInt, value, constant(UInt, BigInt(type.bits - 1)))
    return valued(type, binary('shiftLeft', type, constant(type, 1n), bit))
  })
}

function patternOf(bound: BoundCall): { readonly value: Expression; readonly type: ScalarType } | undefined {
  const given = bound.given('IN')
  const type = typeOfGiven(bound, given)
  if (!type) return undefined
  const value = valueAs(bound, given, type)
  if (!value) return undefined
  if (type.family === 'bits' || type.family === 'integer') return { value, type }
  bound.context.report('wrong-operand', given.at, `${bound.call.name} takes a bit string, not ${typeName(type)}.`)
  return undefined
}

/** ENCO(IN): the number of the lowest set bit; ENO is FALSE when there is none. BITSUM(IN): the number of set bits. */
function counted(name: string): Instruction {
  return instruction('IN', (bound) => {
    const one = patternOf(bound)
    return one
      ? valued(
          Int,
          routine(
            bound,
            name,
            Int,
            convert(convert(one.value, one.type, bitStringOf(one.type), 'bits'), bitStringOf(one.type), LWord),
          ),
        )
      : nothing
  })
}

const exponent: Instruction = instruction('IN1 IN2', (bound) => {
  const [base, by] = [bound.given('IN1'), bound.given('IN2')]
  const value = power(bound.context, base, by, bound.call.at)
  return value.kind === 'wrong' ? nothing : { statements: [], value }
})

/** INC(x), DEC(x), NEG(IN), INV(IN). */
function step(by: bigint): Instruction {
  return instruction('*IN_OUT', (bound) => {
    const given = bound.given('IN_OUT')
    const type = typeOfGiven(bound, given)
    if (type && type.family !== 'integer') {
      bound.context.report('wrong-operand', given.at, `${bound.call.name} takes a whole number, not ${typeName(type)}.`)
      return nothing
    }
    const value = type && valueAs(bound, given, type)
    if (!type || !value) return nothing
    const operator = by > 0n ? 'add' : 'subtract'
    const next = binary(operator, type, value, constant(type, 1n), bound.context.setsEno)
    return { statements: giveOut(bound, given, type, next) }
  })
}

const invert = instruction('IN', (bound) => {
  const one = patternOf(bound)
  if (!one) return nothing
  const all = one.type.isSigned ? -1n : (1n << BigInt(one.type.bits)) - 1n
  return valued(one.type, binary('xor', one.type, one.value, constant(one.type, all)))
})

const negate = instruction('IN', (bound) => {
  const given = bound.given('IN')
  const type = typeOfGiven(bound, given)
  const value = type && valueAs(bound, given, type)
  if (!type || !value) return nothing
  if (type.isSigned)
    return valued(type, { kind: 'unary', operator: 'negate', type, operand: value, setsEno: bound.context.setsEno })
  bound.context.report('wrong-operand', given.at, `NEG takes a signed number, not ${typeName(type)}.`)
  return nothing
})

function control(name: string): Instruction {
  return instruction('?NONE', (bound) => ({ statements: [effect(bound, name)] }))
}

/** Returns an instruction whose name ends with the type of the result: SCALE_X_INT, NORM_X_LREAL, DECO_WORD. */
export function suffixedInstruction(name: string): Instruction | undefined {
  const [, head = '', tail = ''] = /^(SCALE_X|NORM_X|DECO)_([A-Z]+)$/.exec(name) ?? []
  const type = scalarNamed(tail)
  if (!type) return undefined
  if (head === 'DECO') return type.family === 'bits' ? decode(type) : undefined
  if (head === 'NORM_X') return type.family === 'real' ? normalize(type) : undefined
  return type.family === 'real' || type.family === 'integer' ? scale(type) : undefined
}

export const selectionInstructions: Readonly<Record<string, Instruction>> = {
  IN_RANGE: range(true),
  OUT_RANGE: range(false),
  NORM_X: normalize(undefined),
  SCALE_X: scale(undefined),
  SCALE: analog('scale', Int, Real),
  UNSCALE: analog('unscale', Real, Int),
  DECO: decode(DWord),
  ENCO: counted('bits.lowest'),
  BITSUM: counted('bits.count'),
  EXPT: exponent,
  INC: step(1n),
  DEC: step(-1n),
  INV: invert,
  NEG: negate,
  RE_TRIGR: control('control.retrigger'),
  STP: control('control.stop'),
}
