/** ABS, SQRT, MIN, MAX, LIMIT, SEL, MUX, trigonometry, shifts. */

import { binary, constant, convert, isFalse, local, setLocal, when } from '../../../ir/build.ts'
import type { BinaryOperator, Expression, Statement } from '../../../ir/ir.ts'
import { Bool, DInt, LReal, Real, UDInt, UInt } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import type { Instruction, InstructionCall } from '../instruction.ts'
import { readAs } from '../reading.ts'
import type { Called } from '../values.ts'
import { bindArguments, type Given, instruction, nothing, routine, valued } from './arguments.ts'
import { momentChoice } from './moment-selection.ts'
import { bitStringOf, sharedType, typeOfGiven } from './shared-type.ts'
import { textChoice } from './text-selection.ts'

/** Returns the values in the shared type; `undefined` when one of them is wrong. */
function readAll(call: InstructionCall, given: readonly Given[], type: ScalarType): Expression[] | undefined {
  const values = given.map(({ operand, at, name }) => readAs(call.context, operand, type, at, `For ${name}`))
  return values.every((value) => value !== undefined) ? values : undefined
}

/** A function of one real number; integers become Real. */
function real(routine: string | undefined, operator?: 'sqrt'): Instruction {
  return (call) => {
    const given = bindArguments(call, ['IN'])
    const [one] = given ?? []
    if (!one) return nothing
    const own = typeOfGiven(call, one)
    if (!own) return nothing
    const type = own === LReal ? LReal : Real
    if (own.family !== 'real' && own.family !== 'integer') return refuse(call, one, own, 'a real number')
    const value = readAs(call.context, one.operand, type, one.at, 'For IN')
    if (!value) return nothing
    if (operator) return valued(type, { kind: 'unary', operator, type, operand: value, setsEno: call.context.setsEno })
    const name = `${routine}.${type === LReal ? 'lreal' : 'real'}`
    return valued(type, {
      kind: 'routine',
      routine: name,
      type,
      arguments: [value],
      setsEno: call.context.setsEno,
    })
  }
}

function refuse({ context, name }: InstructionCall, { at }: Given, type: ScalarType, wanted: string): Called {
  context.report('wrong-operand', at, `${name} takes ${wanted}, not a value of type ${typeName(type)}.`)
  return nothing
}

/** An instruction whose only input is a number, and whose result has its type. */
const ofNumber =
  (result: (call: InstructionCall, value: Expression, type: ScalarType) => Called): Instruction =>
  (call) => {
    const [one] = bindArguments(call, ['IN']) ?? []
    const type = one && typeOfGiven(call, one)
    if (!one || !type) return nothing
    if (type.family !== 'integer' && type.family !== 'real') return refuse(call, one, type, 'a number')
    const value = readAs(call.context, one.operand, type, one.at, 'For IN')
    return value ? result(call, value, type) : nothing
  }

const abs = ofNumber((call, value, type) => {
  const { setsEno } = call.context
  return valued(type, type.isSigned ? { kind: 'unary', operator: 'abs', type, operand: value, setsEno } : value)
})

const square = ofNumber((call, value, type) => {
  const local = call.context.local(type)
  const read: Expression = { kind: 'local', type, local }
  return {
    statements: [{ kind: 'setLocal', local, value }],
    value: {
      kind: 'result',
      type,
      expression: {
        kind: 'binary',
        operator: 'multiply',
        type,
        left: read,
        right: read,
        setsEno: call.context.setsEno,
      },
    },
  }
})

/** MIN and MAX of two or more values; an invalid real number makes ENO FALSE (TIA help V19, "MIN", "MAX"). */
function extreme(operator: BinaryOperator): Instruction {
  return (call) => {
    const given = bindArguments(
      call,
      call.arguments.map((_one, i) => `IN${i + 1}`),
    )
    if (!given || given.length < 2) {
      if (given) call.context.report('missing-parameter', call.at, `${call.name} takes two values or more.`)
      return nothing
    }
    const moments = momentChoice(call, given)
    if (moments === 'wrong') return nothing
    if (moments) {
      const others = given
        .slice(1)
        .map((_one, i) => moments.takeWhen(operator === 'minimum' ? 'less' : 'greater', i + 1))
      return moments.called([moments.take(0), ...others])
    }
    const type = sharedType(call, given)
    const values = type && readAll(call, given, type)
    if (!type || !values) return nothing
    const setsEno = call.context.setsEno && type.family === 'real'
    const all = values.reduce((left, right): Expression => ({ kind: 'binary', operator, type, left, right, setsEno }))
    return valued(type, all)
  }
}

/** LIMIT(MN, IN, MX): when MN is above MX, it gives IN and ENO is FALSE (TIA Portal help, "LIMIT"). */
const limit: Instruction = (call) => {
  const given = bindArguments(call, ['MN', 'IN', 'MX'])
  const moments = given && momentChoice(call, given)
  if (moments === 'wrong') return nothing
  if (moments) return moments.limited(1, 0, 2)
  const type = given && sharedType(call, given)
  const [low, value, high] = (given && type && readAll(call, given, type)) || []
  if (!type || !low || !value || !high) return nothing
  const { context } = call
  const registers = [low, value, high].map((one): [Statement, Expression] => {
    const register = context.local(type)
    return [setLocal(register, one), local(type, register)]
  })
  const [mn, input, mx] = registers.map(([, read]) => read) as [Expression, Expression, Expression]
  const isWrong = binary('greater', type, mn, mx)
  // An invalid real number makes ENO FALSE.
  const bounded = binary(
    'maximum',
    type,
    binary('minimum', type, input, mx),
    mn,
    context.setsEno && type.family === 'real',
  )
  return valued(type, { kind: 'select', type, condition: isWrong, whenTrue: input, otherwise: bounded }, [
    ...registers.map(([keep]) => keep),
    ...(context.setsEno ? [when(isWrong, [{ kind: 'setEno', value: isFalse }])] : []),
  ])
}

/** SEL(G, IN0, IN1). */
const select: Instruction = (call) => {
  const given = bindArguments(call, ['G', 'IN0', 'IN1'])
  const [selector, ...inputs] = given ?? []
  if (!selector || inputs.length !== 2) return nothing
  const condition = readAs(call.context, selector.operand, Bool, selector.at, 'For G')
  const moments = momentChoice(call, inputs)
  if (moments === 'wrong') return nothing
  if (moments) return condition ? moments.called([when(condition, [moments.take(1)], [moments.take(0)])]) : nothing
  const texts = condition && textChoice(call, inputs)
  if (texts === 'wrong') return nothing
  if (texts) return texts.called([when(condition, [texts.take(1)], [texts.take(0)])])
  const type = sharedType(call, inputs)
  const [otherwise, whenTrue] = (type && readAll(call, inputs, type)) || []
  if (!condition || !type || !whenTrue || !otherwise) return nothing
  return valued(type, { kind: 'select', type, condition, whenTrue, otherwise })
}

/**
 * MUX(K, IN0, IN1 …, INELSE): K out of range gives INELSE, and ENO is FALSE (S7-1200 manual, table 8-132). Without
 * INELSE the value is invalid (TIA help V19, "MUX" of SCL): 0 here; a box keeps its OUT (ladder/block-calls.ts).
 */
const multiplex: Instruction = (call) => {
  const others = call.arguments
    .slice(1)
    .map((argument, i) => (argument.name?.toUpperCase() === 'INELSE' ? 'INELSE' : `IN${i}`))
  const given = bindArguments(call, [...new Set(['K', 'IN0', 'IN1', ...others])])
  const [selector, ...inputs] = given ?? []
  if (!selector) return nothing
  const number = readAs(call.context, selector.operand, DInt, selector.at, 'For K')
  const moments = momentChoice(call, inputs)
  if (!number || moments === 'wrong') return nothing
  if (moments) return moments.called(chooseInput(call, inputs, number, (i) => moments.take(i)))
  const texts = textChoice(call, inputs)
  if (texts === 'wrong') return nothing
  if (texts) return texts.called(chooseInput(call, inputs, number, (i) => texts.take(i)))
  const type = sharedType(call, inputs)
  const values = type && readAll(call, inputs, type)
  if (!type || !values) return nothing
  const chosen = call.context.local(type)
  return {
    statements: chooseInput(call, inputs, number, (i) => setLocal(chosen, values[i] as Expression)),
    value: { kind: 'result', type, expression: { kind: 'local', type, local: chosen } },
  }
}

/** Selects the input of MUX by its number. Beyond the last input ENO is FALSE, with or without INELSE. */
function chooseInput(
  call: InstructionCall,
  inputs: readonly Given[],
  number: Expression,
  take: (input: number) => Statement,
): Statement[] {
  const local = call.context.local(DInt)
  const otherwise = inputs.findIndex(({ name }) => name === 'INELSE')
  const branches = inputs.flatMap((_input, i) => {
    const range: [bigint, bigint] = [BigInt(i), BigInt(i)]
    return i === otherwise ? [] : [{ ranges: [range], body: [take(i)] }]
  })
  const fallback: Statement[] = [
    ...(otherwise < 0 ? [] : [take(otherwise)]),
    ...(call.context.setsEno ? [{ kind: 'setEno' as const, value: isFalse }] : []),
  ]
  return [
    setLocal(local, number),
    {
      kind: 'switch',
      selector: { kind: 'local', type: DInt, local },
      type: DInt,
      branches,
      otherwise: fallback,
      site: call.context.site(call.at),
    },
  ]
}

/** Random(): one of 2^32 numbers. */
const random: Instruction = instruction('?NONE', (bound) => valued(UDInt, routine(bound, 'number.random', UDInt)))

/** N of a shift or rotation, up to ULInt (TIA help V19, "SHR"); what does not fit in a UInt keeps its effect. */
function countOf(call: InstructionCall, count: Given, type: ScalarType, isRotation: boolean): Expression | undefined {
  const { operand, at } = count
  const own = operand.kind === 'constant' ? undefined : typeOfGiven(call, count)
  const isWide = own?.family === 'integer' && !own.isSigned && own.bits > UInt.bits
  const value = readAs(call.context, operand, isWide ? own : UInt, at, 'For N')
  if (!value || !isWide) return value
  const size = constant(own, BigInt(type.bits))
  return convert(binary(isRotation ? 'modulo' : 'minimum', own, value, size), own, UInt)
}

function shift(operator: BinaryOperator): Instruction {
  return (call) => {
    const [one, count] = bindArguments(call, ['IN', 'N']) ?? []
    if (!one || !count) return nothing
    const type = typeOfGiven(call, one)
    if (!type) return nothing
    const isRotation = operator.startsWith('rotate')
    if (type.family !== 'bits' && type.family !== 'integer') return refuse(call, one, type, 'a bit string')
    const value = readAs(call.context, one.operand, type, one.at, 'For IN')
    const by = value && countOf(call, count, type, isRotation)
    if (!value || !by) return nothing
    const done = (of: ScalarType, left: Expression): Expression => {
      return call.context.noted(
        { kind: 'binary', operator, type: of, left, right: by, setsEno: false },
        call.at,
        call.name,
      )
    }
    if (!isRotation || type.family === 'bits') return valued(type, done(type, value))
    // Rotation works on the bits of a number, including its sign.
    const pattern = bitStringOf(type)
    return valued(type, convert(done(pattern, convert(value, type, pattern, 'bits')), pattern, type, 'bits'))
  }
}

export const mathInstructions: Readonly<Record<string, Instruction>> = {
  ABS: abs,
  SQR: square,
  SQRT: real(undefined, 'sqrt'),
  LN: real('ln'),
  LOG: real('log'),
  EXP: real('exp'),
  SIN: real('sin'),
  COS: real('cos'),
  TAN: real('tan'),
  ASIN: real('asin'),
  ACOS: real('acos'),
  ATAN: real('atan'),
  FRAC: real('frac'),
  RANDOM: random,
  MIN: extreme('minimum'),
  MAX: extreme('maximum'),
  LIMIT: limit,
  SEL: select,
  MUX: multiplex,
  SHL: shift('shiftLeft'),
  SHR: shift('shiftRight'),
  ROL: shift('rotateLeft'),
  ROR: shift('rotateRight'),
}
