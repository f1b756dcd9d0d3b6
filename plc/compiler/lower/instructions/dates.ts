/** Date and time: T_ADD, T_SUB, T_DIFF, T_COMBINE, T_CONV, the clock, and conversions between points in time. */

import { address, and, binary, constant, convert, isFalse, local, setLocal, when } from '../../../ir/build.ts'
import type { Expression, Place, Statement } from '../../../ir/ir.ts'
import { familyRules } from '../../../program/cpu-family.ts'
import {
  Bool,
  DateType,
  Int,
  LDateTime,
  LInt,
  LReal,
  LTime,
  LTimeOfDay,
  S5Time,
  scalarNamed,
  Time,
  TimeOfDay,
} from '../../../program/scalars.ts'
import type { ScalarType, Type } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import { assign } from '../assignments.ts'
import type { Instruction } from '../instruction.ts'
import { fitsTime, momentType, newMoment, requireEno } from '../moment-arithmetic.ts'
import {
  holdsDate,
  isDuration,
  isPoint,
  isTimeConvertible,
  isTimed,
  momentKind,
  momentNanoseconds,
} from '../moments.ts'
import { wholeVariable } from '../operands.ts'
import { readScalar } from '../reading.ts'
import type { Called } from '../values.ts'
import {
  type BoundCall,
  effect,
  type Given,
  giveOut,
  instruction,
  nothing,
  number,
  routine,
  valueAs,
  valued,
} from './arguments.ts'

/** 1990-01-01, the beginning of DATE, in days since 1970. */
const dateEpoch = 7305n
const perDay = 86_400_000_000_000n
const perMillisecond = 1_000_000n

function long(
  operator: 'add' | 'subtract' | 'multiply' | 'divide' | 'modulo',
  left: Expression,
  right: Expression,
  setsEno = false,
): Expression {
  return binary(operator, LInt, left, right, setsEno)
}

function typeOfGiven({ context }: BoundCall, { operand, at }: Given): Type | undefined {
  // The type of a constant is DTL by name only; its members come from the program.
  if (operand.kind === 'constant')
    return momentKind(operand.type) === 'dtl' ? context.program.typeOf('DTL') : operand.type
  const variable = wholeVariable(operand)
  return variable?.type ?? readScalar(context, operand, at)?.type
}

/** Returns nanoseconds: since 1970, since midnight, or of a duration. */
function nanoseconds(bound: BoundCall, given: Given, type: Type): Expression | undefined {
  if (type.kind === 'scalar') {
    const value = valueAs(bound, given, type)
    if (!value) return undefined
    const wide = convert(
      type === S5Time ? routine(bound, 's5time.read', Time, value) : value,
      type === S5Time ? Time : type,
      LInt,
    )
    if (type === DateType) return long('multiply', long('add', wide, constant(LInt, dateEpoch)), constant(LInt, perDay))
    return type === Time || type === TimeOfDay || type === S5Time
      ? long('multiply', wide, constant(LInt, perMillisecond))
      : wide
  }
  const value = momentNanoseconds(wholeVariable(given.operand) ?? given.operand, bound.context.setsEno)
  if (!value)
    bound.context.report(
      'wrong-operand',
      given.at,
      `${bound.call.name} takes a variable of type ${typeName(type)} here.`,
    )
  return value
}

/** Returns a point in time as nanoseconds since 1970; `undefined`: it is no point in time, which is then reported. */
export function pointInTime(bound: BoundCall, given: Given): Expression | undefined {
  const type = typeOfGiven(bound, given)
  if (isTimed(type) && isPoint(type)) return nanoseconds(bound, given, type)
  refuse(bound, given.at, type)
  return undefined
}

/** Returns nanoseconds as a value of the type; from a point in time a Date takes the day, a time of day the rest. */
function fromNanoseconds(bound: BoundCall, type: Type, value: Expression, isPoint: boolean): Called {
  const { context } = bound
  if (type.kind === 'scalar') {
    const setsEno = context.setsEno
    const rest = isPoint && type.family === 'timeOfDay' ? routine(bound, 'day.time', LInt, value) : value
    if (type === DateType) {
      const day = long('subtract', routine(bound, 'day.number', LInt, value), constant(LInt, dateEpoch))
      return valued(type, convert(day, LInt, type, 'value', setsEno))
    }
    if (type === S5Time)
      return valued(type, routine(bound, 's5time.write', S5Time, long('divide', rest, constant(LInt, perMillisecond))))
    const scaled = type === Time || type === TimeOfDay ? long('divide', rest, constant(LInt, perMillisecond)) : rest
    return valued(type, convert(scaled, LInt, type, type.bits === 64 ? 'bits' : 'value', type.bits < 64 && setsEno))
  }
  const made = newMoment(context, type, value, `the value that ${bound.call.name} gives`)
  return { statements: [made.write], value: made.value }
}

function refuse({ context, call }: BoundCall, at: Given['at'], ...types: readonly (Type | undefined)[]): Called {
  const names = types.map((type) => (type ? typeName(type) : 'a value without a type'))
  context.report('wrong-operand', at, `${call.name} cannot be applied to ${names.join(' and ')}.`)
  return nothing
}

interface Pair {
  readonly types: readonly [Type, Type]
  /** Both inputs in nanoseconds. */
  readonly values: readonly [Expression, Expression]
  /** Whether each DTL and DATE_AND_TIME is a date; `undefined`: there is none. */
  readonly areDates: Expression | undefined
}

function two(bound: BoundCall): Pair | undefined {
  const [one, other] = [bound.given('IN1'), bound.given('IN2')]
  const [a, b] = [typeOfGiven(bound, one), typeOfGiven(bound, other)]
  if (!isTimed(a) || !isTimed(b)) {
    refuse(bound, isTimed(a) ? other.at : one.at, a, b)
    return undefined
  }
  const [x, y] = [nanoseconds(bound, one, a), nanoseconds(bound, other, b)]
  const dates = [one, other].flatMap(({ operand }) => holdsDate(wholeVariable(operand) ?? operand) ?? [])
  return x && y
    ? { types: [a, b], values: [x, y], areDates: dates.length > 0 ? dates.reduce(and) : undefined }
    : undefined
}

function selected(type: ScalarType, condition: Expression, whenTrue: Expression, otherwise: Expression): Expression {
  return { kind: 'select', type, condition, whenTrue, otherwise }
}

/**
 * T_ADD, T_SUB: IN2 is a duration, the result has the type of IN1. Beyond the range of the result ENO is FALSE; a
 * duration keeps its low bits, a time of day wraps at midnight, a date is the first one of its type
 * (docs/plc-semantics.md#sums-differences-and-conversions-of-times).
 */
function shifting(operator: 'add' | 'subtract'): Instruction {
  return instruction('IN1 IN2', (bound) => {
    const pair = two(bound)
    if (!pair) return nothing
    const { context } = bound
    const { setsEno } = context
    const [a, b] = pair.types
    const [x, y] = pair.values
    if (!isDuration(b)) return refuse(bound, bound.given('IN2').at, a, b)
    const register = context.local(LInt)
    const whole = local(LInt, register)
    if (a.kind === 'scalar' && a.family === 'timeOfDay') {
      const by = context.local(LInt)
      const inDay = long('modulo', local(LInt, by), constant(LInt, perDay))
      const isInside = [
        binary('equal', LInt, local(LInt, by), inDay),
        binary('greaterOrEqual', LInt, whole, constant(LInt, 0n)),
        binary('less', LInt, whole, constant(LInt, perDay)),
      ].reduce(and)
      const { statements, value } = fromNanoseconds(bound, a, routine(bound, 'day.time', LInt, whole), false)
      return {
        statements: [
          setLocal(by, y),
          setLocal(register, long(operator, x, inDay)),
          ...requireEno(bound.context, isInside),
          ...statements,
        ],
        ...(value ? { value } : {}),
      }
    }
    const sum = long(operator, x, y, setsEno)
    const { areDates } = pair
    const moved = areDates ? selected(LInt, areDates, sum, constant(LInt, 0n)) : sum
    const { statements, value } = fromNanoseconds(bound, a, whole, isPoint(a))
    const isLong = a === LDateTime
    return {
      statements: [
        setLocal(register, moved),
        ...(isLong ? requireEno(bound.context, binary('greaterOrEqual', LInt, whole, constant(LInt, 0n))) : []),
        ...statements,
      ],
      ...(value ? { value } : {}),
    }
  })
}

/**
 * T_DIFF(IN1, IN2): the time between two points; LTime between 64-bit ones, else Time. What is longer than a Time, more
 * than 24 days, and what is no date gives 0 with ENO FALSE
 * (docs/plc-semantics.md#sums-differences-and-conversions-of-times).
 * @param result the type that the name ends with
 */
function difference(result?: ScalarType): Instruction {
  return instruction('IN1 IN2', (bound) => {
    const pair = two(bound)
    if (!pair) return nothing
    const [a, b] = pair.types
    const [x, y] = pair.values
    if (isDuration(a) || isDuration(b) || isPoint(a) !== isPoint(b)) return refuse(bound, bound.call.at, a, b)
    const isWide = [a, b].some((type) => type === LDateTime || type === LTimeOfDay)
    const type = result ?? (isWide ? LTime : Time)
    const { context } = bound
    const register = context.local(LInt)
    const between = local(LInt, register)
    const isRight = [...(pair.areDates ? [pair.areDates] : []), ...(type === Time ? [fitsTime(between)] : [])]
    const long64 = long('subtract', x, y)
    const before = setLocal(register, type === Time ? long('divide', long64, constant(LInt, perMillisecond)) : long64)
    const value = convert(between, LInt, type, type === Time ? 'value' : 'bits')
    if (isRight.length === 0) return valued(type, value, [before])
    const right = context.local(Bool)
    return valued(type, selected(type, local(Bool, right), value, constant(type, 0n)), [
      before,
      setLocal(right, isRight.reduce(and)),
      ...requireEno(bound.context, local(Bool, right)),
    ])
  })
}

/** T_DIFF_INT(IN1, IN2): the days between two dates, TIA Portal's name for T_DIFF with an Int result. */
const differenceInDays = instruction('IN1 IN2', (bound) => {
  const pair = two(bound)
  if (!pair) return nothing
  const [a, b] = pair.types
  const [x, y] = pair.values
  if (a !== DateType || b !== DateType) return refuse(bound, bound.call.at, a, b)
  const days = long('divide', long('subtract', x, y), constant(LInt, perDay))
  return valued(Int, convert(days, LInt, Int, 'value', bound.context.setsEno))
})

/** T_COMBINE, CONCAT_DATE_TOD …: combines a day and a time of day. */
function combine(target: (bound: BoundCall, wide: boolean) => Type): Instruction {
  return instruction('IN1 IN2', (bound) => {
    const pair = two(bound)
    if (!pair) return nothing
    const [a, b] = pair.types
    const [x, y] = pair.values
    if (a !== DateType || b.kind !== 'scalar' || b.family !== 'timeOfDay') return refuse(bound, bound.call.at, a, b)
    return fromNanoseconds(bound, target(bound, b === LTimeOfDay), long('add', x, y), true)
  })
}

const names: Readonly<Record<string, (bound: BoundCall) => Type>> = {
  DTL: ({ context }) => context.program.typeOf('DTL'),
  DT: () => ({ kind: 'dateAndTime' }),
  DATE_AND_TIME: () => ({ kind: 'dateAndTime' }),
}

function typeNamed(name: string): ((bound: BoundCall) => Type) | undefined {
  const scalar = scalarNamed(name)
  if (scalar && isTimed(scalar)) return () => scalar
  return names[name]
}

function convertTo(bound: BoundCall, given: Given, from: Type, to: Type): Called {
  if (!isTimeConvertible(from, to)) return refuse(bound, given.at, from, to)
  const value = nanoseconds(bound, given, from)
  if (!value) return nothing
  const isClock = to.kind === 'scalar' && to.family === 'timeOfDay'
  // A time of day alone is one of the first day that the type has.
  const isTimeAlone = from.kind === 'scalar' && from.family === 'timeOfDay' && momentKind(to) === 'dt'
  if (isTimeAlone)
    return fromNanoseconds(bound, to, long('add', value, constant(LInt, dateEpoch * perDay)), isPoint(from))
  if (isDuration(from) && to === LDateTime) {
    const moment = bound.context.local(LInt)
    const isPositive = binary('greaterOrEqual', LInt, local(LInt, moment), constant(LInt, 0n))
    return valued(to, convert(local(LInt, moment), LInt, to, 'bits'), [
      setLocal(moment, value),
      ...requireEno(bound.context, isPositive),
    ])
  }
  if (!isDuration(from) || !(to === Time || isClock)) return fromNanoseconds(bound, to, value, isPoint(from))
  // What does not fit leaves the target as it is; in an expression it is 0.
  const [whole, fits] = [bound.context.local(LInt), bound.context.local(Bool)]
  const unit = to.bits === 64 ? 1n : perMillisecond
  const count = long('divide', local(LInt, whole), constant(LInt, unit))
  const isInDay = and(
    binary('greaterOrEqual', LInt, local(LInt, whole), constant(LInt, 0n)),
    binary('less', LInt, local(LInt, whole), constant(LInt, perDay)),
  )
  const chosen = selected(to, local(Bool, fits), convert(count, LInt, to, 'bits'), constant(to, 0n))
  return {
    statements: [
      setLocal(whole, value),
      setLocal(fits, isClock ? isInDay : fitsTime(count)),
      ...requireEno(bound.context, local(Bool, fits)),
    ],
    value: { kind: 'result', type: to, expression: chosen, isGiven: local(Bool, fits) },
  }
}

/**
 * Returns a conversion between two kinds of time, `DTL_TO_TOD`, `TO_DTL`; `undefined` when one side is no kind of time.
 * @param numbers conversion for `TO_LDT` of a value that is no time
 */
export function dateConversion(name: string, numbers?: Instruction): Instruction | undefined {
  const [, source, target = ''] = /^(?:([A-Z][A-Z0-9_]*?)_)?TO_([A-Z][A-Z0-9_]*)$/.exec(name) ?? []
  const to = typeNamed(target)
  if (source === undefined) return to && unnamedConversion(to, numbers)
  const from = typeNamed(source)
  if (!from || !to || source === target) return undefined
  return instruction('IN', (bound) => {
    const given = bound.given('IN')
    const own = typeOfGiven(bound, given)
    const wanted = from(bound)
    // A scalar is converted to the type in the name; any other value must have that type.
    if (wanted.kind !== 'scalar' && own?.kind !== wanted.kind) return refuse(bound, given.at, own)
    return convertTo(bound, given, wanted, to(bound))
  })
}

/** `TO_LDT`: the type of the value selects the conversion. */
function unnamedConversion(to: (bound: BoundCall) => Type, numbers: Instruction | undefined): Instruction {
  return instruction('IN', (bound) => {
    const given = bound.given('IN')
    const own = typeOfGiven(bound, given)
    if (own === undefined && given.operand.kind !== 'constant') return nothing
    if (isTimed(own)) return convertTo(bound, given, own, to(bound))
    return numbers ? numbers(bound.call) : refuse(bound, given.at, own, to(bound))
  })
}

/** T_CONV(IN, OUT): the type of the output selects the conversion. */
const timeConvert = instruction('IN >OUT', (bound) => {
  const [input, output] = [bound.given('IN'), bound.given('OUT')]
  const [from, to] = [typeOfGiven(bound, input), wholeVariable(output.operand)?.type]
  if (!from || !to || !(isTimed(from) || isTimed(to))) return refuse(bound, input.at, from, to)
  const give = ({ statements, value }: Called): Called =>
    value
      ? { statements: [...statements, ...assign(bound.context, output.operand, value, output.at, output.at)] }
      : { statements }
  if (isTimed(from) && isTimed(to)) return give(convertTo(bound, input, from, to))
  if (from.kind !== 'scalar' || to.kind !== 'scalar') return refuse(bound, input.at, from, to)
  const value = valueAs(bound, input, from)
  return value ? give(valued(to, convert(value, from, to, 'value', bound.context.setsEno))) : nothing
})

/**
 * RD_SYS_T, RD_LOC_T: return the status as Int and write the time to OUT in its type. READ_CLK names the output CDT.
 */
function readClock(name: 'clock.system' | 'clock.local', pin = 'OUT'): Instruction {
  // Older sources use CDT := …
  return instruction(`${pin === 'OUT' ? '>' : '='}${pin}`, (bound) => {
    const output = bound.given(pin)
    const type = wholeVariable(output.operand)?.type
    if (!isTimed(type) || !isPoint(type)) return refuse(bound, output.at, type)
    const { statements, value } = fromNanoseconds(bound, type, routine(bound, name, LInt), true)
    const give = value ? assign(bound.context, output.operand, value, output.at, output.at) : []
    const status = name === 'clock.local' ? routine(bound, 'clock.daylight', Int) : constant(Int, 0n)
    return valued(Int, status, [...statements, ...give])
  })
}

/** WR_SYS_T(IN), WR_LOC_T(LOCTIME, DST): DST says which hour is meant of one that comes twice. */
function writeClock(name: 'clock.setSystem' | 'clock.setLocal', parameters: string): Instruction {
  return instruction(parameters, (bound) => {
    const input = bound.given(parameters.split(' ')[0] as string)
    const type = typeOfGiven(bound, input)
    if (!isTimed(type) || !isPoint(type)) return refuse(bound, input.at, type)
    const value = nanoseconds(bound, input, type)
    if (!value) return nothing
    const moment = bound.context.local(LInt)
    const given = local(LInt, moment)
    const second = constant(LInt, 1_000_000_000n)
    // The milliseconds of a DATE_AND_TIME do not reach the clock (TIA Portal help of WR_SYS_T).
    const whole = binary('subtract', LInt, given, binary('modulo', LInt, given, second))
    const isLocal = name === 'clock.setLocal'
    const daylight = isLocal ? bound.optional('DST') : undefined
    const isFirst = daylight ? valueAs(bound, daylight, Bool) : isFalse
    if (!isFirst) return nothing
    const place = placeOfMoment(input)
    // A value that is no date, or beyond 2200, is not set.
    const status = bound.context.local(Int)
    const written = momentKind(type) === 'dt' ? whole : given
    const set = isLocal ? setLocal(status, routine(bound, name, Int, written, isFirst)) : effect(bound, name, written)
    const beyond = number(isLocal ? 0x8081 : 0x8080)
    const layout = place && momentKind(type) === 'dtl' ? [number(place.isStandard ? 1 : 0), beyond] : []
    const question = place
      ? routine(bound, `${momentKind(type)}.status`, Int, address(place), ...layout)
      : routine(bound, 'ldt.status', Int, given, beyond)
    return valued(Int, local(Int, status), [
      setLocal(moment, value),
      setLocal(status, question),
      when(binary('equal', Int, local(Int, status), constant(Int, 0n)), [set]),
    ])
  })
}

/** The place of a DTL or DATE_AND_TIME variable. */
function placeOfMoment({ operand }: Given): Place | undefined {
  const variable = wholeVariable(operand)
  return variable && momentKind(variable.type) && variable.at.kind === 'place' ? variable.at.place : undefined
}

/** DT_DAY(IN): the day of the week, 1 for Sunday. */
const weekday = instruction('IN', (bound) => {
  const value = pointInTime(bound, bound.given('IN'))
  if (!value) return nothing
  // 1970-01-01 was a Thursday.
  const days = long('add', routine(bound, 'day.number', LInt, value), constant(LInt, 4n))
  const number = long('add', binary('modulo', LInt, days, constant(LInt, 7n)), constant(LInt, 1n))
  return valued(Int, convert(number, LInt, Int))
})

/** A conversion under another name: DT_TOD of the IEC library is DT_TO_TOD. */
function converting(name: string): Instruction {
  return (call) => dateConversion(name)?.(call) ?? nothing
}

/** RUNTIME(MEM): seconds since the last call; the first call gives 0. */
const runtime = instruction('*MEM', (bound) => {
  const given = bound.given('MEM')
  const before = valueAs(bound, given, LReal)
  if (!before) return nothing
  const [now, last] = [bound.context.local(LReal), bound.context.local(LReal)]
  const seconds = binary('divide', LReal, convert({ kind: 'now' }, LInt, LReal), constant(LReal, 1e9))
  const isFirst = binary('equal', LReal, local(LReal, last), constant(LReal, 0))
  const since = binary('subtract', LReal, local(LReal, now), local(LReal, last))
  const statements: Statement[] = [
    setLocal(last, before),
    setLocal(now, seconds),
    ...giveOut(bound, given, LReal, local(LReal, now)),
  ]
  return valued(LReal, selected(LReal, isFirst, constant(LReal, 0), since), statements)
})

/** TIME_TCK(): milliseconds since the last warm restart; wraps to 0 after 24.8 days. */
const tick: Instruction = (call) =>
  instruction('?NONE', (bound) => {
    const since = long('subtract', { kind: 'now' }, routine(bound, 'clock.restartedAt', LInt))
    const milliseconds = long('divide', since, constant(LInt, perMillisecond))
    return valued(Time, convert(binary('and', LInt, milliseconds, constant(LInt, 0x7fff_ffffn)), LInt, Time))
  })(call)

/** The result has the type that the family of the CPU gives it. */
function byFamily(row: 'dateWithTime' | 'concatDateTod'): (bound: BoundCall) => Type {
  return (bound) => momentType(bound.context.program, familyRules[bound.context.program.family][row])
}

const scalarOf = (type: ScalarType) => (): Type => type

export const dateInstructions: Readonly<Record<string, Instruction>> = {
  T_ADD: shifting('add'),
  T_SUB: shifting('subtract'),
  T_DIFF: difference(),
  T_DIFF_TIME: difference(Time),
  T_DIFF_LTIME: difference(LTime),
  T_DIFF_INT: differenceInDays,
  T_COMBINE: combine(byFamily('dateWithTime')),
  CONCAT_DATE_TOD: combine((bound, wide) => (wide ? LDateTime : byFamily('concatDateTod')(bound))),
  CONCAT_DATE_LTOD: combine(scalarOf(LDateTime)),
  T_CONV: timeConvert,
  RD_SYS_T: readClock('clock.system'),
  RD_LOC_T: readClock('clock.local'),
  READ_CLK: readClock('clock.system', 'CDT'),
  SET_CLK: writeClock('clock.setSystem', 'PDT'),
  DT_DAY: weekday,
  DT_TOD: converting('DT_TO_TOD'),
  DT_DATE: converting('DT_TO_DATE'),
  D_TOD_DT: combine(() => ({ kind: 'dateAndTime' })),
  WR_SYS_T: writeClock('clock.setSystem', 'IN'),
  WR_LOC_T: writeClock('clock.setLocal', 'LOCTIME ?DST'),
  RUNTIME: runtime,
  TIME_TCK: tick,
}
