/**
 * Operators on values of any scalar types: the type of the operation, and operations on durations and dates
 * (docs/plc-semantics.md#arithmetic).
 */

import { constant, convert, local, realsDiffer, setLocal } from '../../ir/build.ts'
import type { Expression, BinaryOperator as IrOperator } from '../../ir/ir.ts'
import { ownType } from '../../program/constants.ts'
import * as scalars from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import type { BlockContext } from './block-context.ts'
import { checkComparison } from './checks/comparisons.ts'
import { checkDivisor } from './checks/divisors.ts'
import { commonType, converted, holdingConstant, implicitConversion, isCovering, pattern } from './conversions.ts'
import { refusesOrder, warnOfLongInteger } from './family-checks.ts'
import { compareNumbers, foldLogic, foldNumbers, negated } from './literal-arithmetic.ts'
import { momentArithmetic } from './moment-arithmetic.ts'
import { besideLongMoment, compareMoments, momentKind } from './moments.ts'
import { textOf } from './operands.ts'
import type { ArithmeticOperator, Comparison, LogicOperator } from './operator-names.ts'
import { conversionCall, readAs, readScalar } from './reading.ts'
import { compareReferences } from './references.ts'
import type { SourceRange } from './source-range.ts'
import { stringPlace, textFlags } from './text-places.ts'
import { withTimes } from './time-operators.ts'
import { type Operand, type Result, type Side, type Wrong, wrong } from './values.ts'
import { compareWhole } from './whole-values.ts'

/** Comparison operators of the intermediate form. */
const irComparisons: Readonly<Record<Comparison, IrOperator>> = {
  '=': 'equal',
  '<>': 'notEqual',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
}

const irOperators: Readonly<Record<ArithmeticOperator | LogicOperator | Comparison, IrOperator>> = {
  ...irComparisons,
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  MOD: 'modulo',
  AND: 'and',
  OR: 'or',
  XOR: 'xor',
}

function result(type: ScalarType, expression: Expression): Result {
  return { kind: 'result', type, expression }
}

function binary(
  operator: IrOperator,
  type: ScalarType,
  left: Expression,
  right: Expression,
  setsEno: boolean,
): Expression {
  return { kind: 'binary', operator, type, left, right, setsEno }
}

/** Returns the types of both sides: an untyped constant takes the type of the other side when it fits. */
function typesOf(context: BlockContext, left: Side, right: Side): readonly [ScalarType, ScalarType] | undefined {
  const character = characterBeside(left, right) ?? characterBeside(right, left)
  if (character) return [character, character]
  const [a, b] = [typeOf(context, left), typeOf(context, right)]
  return a && b ? [a, b] : undefined
}

/** `#char = 'F'`: a text of one character next to a character is a character. */
function characterBeside(text: Side, other: Side): ScalarType | undefined {
  if (!isUntyped(text) || text.operand.kind !== 'constant' || typeof text.operand.value !== 'string') return undefined
  const type = other.operand.kind === 'variable' || other.operand.kind === 'result' ? other.operand.type : undefined
  return type?.kind === 'scalar' && type.family === 'character' ? type : undefined
}

function typeOf(context: BlockContext, { operand, at }: Side): ScalarType | undefined {
  if (operand.kind === 'constant' && operand.type === undefined)
    return ownType(operand) ?? readScalar(context, operand, at)?.type
  return readScalar(context, operand, at)?.type
}

function isUntyped({ operand }: Side): boolean {
  return operand.kind === 'constant' && operand.type === undefined
}

/** Returns the type in which both sides are read. */
function sharedType(
  context: BlockContext,
  left: Side,
  right: Side,
  types: readonly [ScalarType, ScalarType],
): ScalarType | undefined {
  const [a, b] = types
  if (isUntyped(left) && !isUntyped(right)) return typeForConstant(left.operand, a, b, context)
  if (isUntyped(right) && !isUntyped(left)) return typeForConstant(right.operand, b, a, context)
  return commonType(a, b, context.block.isIecCheckOn)
}

/**
 * A number next to a variable takes its type, or the smallest one that holds both; a real number next to an integer
 * makes both real.
 */
function typeForConstant(
  operand: Operand,
  constant: ScalarType,
  other: ScalarType,
  context: BlockContext,
): ScalarType | undefined {
  if (constant.family === 'real' && other.family === 'integer')
    return commonType(other, constant, context.block.isIecCheckOn)
  if (constant.family !== 'integer') return other
  if (operand.kind === 'constant' && (other.family === 'integer' || other.family === 'bits'))
    return holdingConstant(other, operand, context.block.isIecCheckOn)
  // 0 and 1 are truth values too; an integer is a duration when the IEC check is off.
  if (other.family === 'bool')
    return operand.kind === 'constant' && (operand.value === 0n || operand.value === 1n) ? other : undefined
  return other.family === 'duration' && context.block.isIecCheckOn ? undefined : other
}

/** Lowers `left operator right` whose result is a number, a duration or a point in time. */
export function arithmetic(
  context: BlockContext,
  operator: ArithmeticOperator,
  one: Side,
  other: Side,
  at: SourceRange,
): Operand {
  if (one.operand.kind === 'wrong' || other.operand.kind === 'wrong') return wrong
  if (operator === '/' || operator === 'MOD') checkDivisor(context, other)
  const folded = foldNumbers(operator, one, other)
  if (folded) return folded
  const moment = momentArithmetic(context, operator, one, other)
  if (moment) return moment
  const [left, right] = [besideLongMoment(one, other), besideLongMoment(other, one)]
  const text = [one, other].find(isText)
  if (text) {
    const hint = operator === '+' ? 'Join texts with CONCAT(IN1 := …, IN2 := …).' : undefined
    context.report('wrong-operand', text.at, `${operator} cannot be applied to texts.`, hint)
    return wrong
  }
  const types = typesOf(context, left, right)
  if (!types) return wrong
  const timed = withTimes(context, operator, left, right, types)
  if (timed) return timed
  const numbers = besideReals(context, left, right, types)
  if (numbers) return arithmetic(context, operator, ...numbers, at)
  const type = sharedType(context, left, right, types)
  if (
    !type ||
    !(type.family === 'integer' || (type.family === 'real' && operator !== 'MOD') || isBitSum(context, type))
  ) {
    refuse(context, operator, types, at)
    return wrong
  }
  // "Arithmetic expressions": numbers with and without sign only without the IEC check.
  if (context.block.isIecCheckOn && isCovering(...types) && !isUntyped(left) && !isUntyped(right)) {
    refuse(context, operator, types, at, true)
    return wrong
  }
  warnOfLongInteger(context, types, type, at, operator)
  const [a, b] = [readAs(context, left.operand, type, left.at), readAs(context, right.operand, type, right.at)]
  if (!a || !b) return wrong
  const written = `${textOf(left.operand)} ${operator} ${textOf(right.operand)}`
  return result(type, context.noted(binary(irOperators[operator], type, a, b, context.setsEno), at, written))
}

function truth(value: boolean): Result {
  return result(scalars.Bool, constant(scalars.Bool, value ? 1n : 0n))
}

const unsigned: Readonly<Record<number, ScalarType>> = {
  8: scalars.USInt,
  16: scalars.UInt,
  32: scalars.UDInt,
  64: scalars.ULInt,
}

/**
 * A bit string next to a real is the unsigned number of its size when the IEC check is off (TIA Portal help, "Overview
 * of data type conversion").
 */
function besideReals(
  context: BlockContext,
  left: Side,
  right: Side,
  [a, b]: readonly [ScalarType, ScalarType],
): [Side, Side] | undefined {
  const isMixed = (a.family === 'bits' && b.family === 'real') || (a.family === 'real' && b.family === 'bits')
  if (!isMixed || context.block.isIecCheckOn) return undefined
  const asNumber = (side: Side, own: ScalarType): Side => {
    const type = own.family === 'bits' ? unsigned[own.bits] : undefined
    const value = type && readScalar(context, side.operand, side.at)
    return value ? { ...side, operand: result(type, convert(value.expression, own, type, 'bits')) } : side
  }
  return [asNumber(left, a), asNumber(right, b)]
}

/**
 * S5Times are compared as durations, since one duration has several patterns; also with a Time, and without the IEC
 * check with a Word, which is then read as an S5Time (TIA help V19, "CMP ==", "Comparison of timers, date and time").
 */
function besideS5Times(
  context: BlockContext,
  left: Side,
  right: Side,
  types: readonly [ScalarType, ScalarType],
): [Side, Side] | undefined {
  const { S5Time, Word, Time, LTime } = scalars
  const isPattern = (type: ScalarType) => type === S5Time || (type === Word && !context.block.isIecCheckOn)
  const fits = types.every((type) => isPattern(type) || type === Time || type === LTime)
  if (!fits || !types.includes(S5Time)) return undefined
  const asDuration = (side: Side, own: ScalarType): Side => {
    const value = isPattern(own) ? readAs(context, side.operand, S5Time, side.at) : undefined
    if (!value) return side
    const read: Expression = { kind: 'routine', routine: 's5time.read', type: Time, arguments: [value], setsEno: false }
    return { ...side, operand: result(Time, read) }
  }
  return [asDuration(left, types[0]), asDuration(right, types[1])]
}

/** Bit strings count as unsigned numbers when the IEC check is off. */
function isBitSum(context: BlockContext, type: ScalarType): boolean {
  return type.family === 'bits' && !context.block.isIecCheckOn
}

/** Lowers AND, OR, XOR of Bool or of bit strings. */
export function logic(
  context: BlockContext,
  operator: LogicOperator,
  left: Side,
  right: Side,
  at: SourceRange,
): Operand {
  const folded = foldLogic(operator, left, right)
  if (folded) return folded
  const types = typesOf(context, left, right)
  if (!types) return wrong
  let type = mixedPatterns(context, left, right, types) ?? sharedType(context, left, right, types)
  // Integers count as bit patterns when the IEC check is off.
  const isNumber = type?.family === 'integer' && !context.block.isIecCheckOn
  if (!type || (type.family !== 'bool' && type.family !== 'bits' && !isNumber)) {
    const [a, b] = types
    const bits = [a, b].find(({ family }) => family === 'bits' || family === 'bool')
    const isClose =
      bits &&
      [a, b].every((one) => one === bits || implicitConversion(one, bits, context.block.isIecCheckOn) !== undefined)
    if (!isClose) {
      refuse(context, operator, types, at)
      return wrong
    }
    type = bits
  }
  const [a, b] = [readAs(context, left.operand, type, left.at), readAs(context, right.operand, type, right.at)]
  return a && b ? result(type, binary(irOperators[operator], type, a, b, false)) : wrong
}

/** Combines a bit string and an integer as bit strings of the longer one's size, where the IEC check allows it. */
function mixedPatterns(
  context: BlockContext,
  left: Side,
  right: Side,
  types: readonly [ScalarType, ScalarType],
): ScalarType | undefined {
  const families = types.map(({ family }) => family)
  if (context.block.isIecCheckOn || isUntyped(left) || isUntyped(right)) return undefined
  if (!families.includes('bits') || !families.includes('integer')) return undefined
  return pattern(types[0].bits >= types[1].bits ? types[0] : types[1])
}

/**
 * Lowers comparisons, also of texts; the result is Bool.
 * @param isChecked whether the rules about comparisons apply: not to those that the compiler itself makes
 */
export function comparison(
  context: BlockContext,
  operator: Comparison,
  one: Side,
  other: Side,
  at: SourceRange,
  isChecked = true,
): Result | Wrong {
  const [left, right] = [besideLongMoment(one, other), besideLongMoment(other, one)]
  if (left.operand.kind === 'wrong' || right.operand.kind === 'wrong') return wrong
  const references = compareReferences(context, operator, left, right, at)
  if (references) return references
  const moments = compareMoments(irComparisons[operator], left, right)
  if (moments) return moments
  const text = compareTexts(context, operator, left, right)
  if (text) return text
  const whole = compareWhole(context, operator, left, right, (a, b) => comparison(context, '=', a, b, at, false))
  if (whole) return whole
  const folded = compareNumbers(operator, left, right)
  if (folded !== undefined) return truth(folded)
  const types = typesOf(context, left, right)
  if (!types) return wrong
  const numbers = besideReals(context, left, right, types)
  if (numbers) return comparison(context, operator, ...numbers, at, isChecked)
  const durations = besideS5Times(context, left, right, types)
  if (durations) return comparison(context, operator, ...durations, at, isChecked)
  const known = isChecked ? checkComparison(context, operator, left, right, at) : undefined
  if (known !== undefined) return truth(known)
  const type = sharedType(context, left, right, types)
  if (!type || (type.family === 'bool' && operator !== '=' && operator !== '<>')) {
    refuse(context, operator, types, at)
    return wrong
  }
  if (isChecked && refusesOrder(context, operator, types, at)) return wrong
  const [a, b] = [readAs(context, left.operand, type, left.at), readAs(context, right.operand, type, right.at)]
  if (!a || !b) return wrong
  if (operator === '<>' && type.family === 'real') return result(scalars.Bool, unequalReals(context, type, a, b))
  const written = `${textOf(left.operand)} ${operator} ${textOf(right.operand)}`
  return result(scalars.Bool, context.noted(binary(irOperators[operator], type, a, b, false), at, written))
}

/** `<>` of real numbers; each side is evaluated once. */
function unequalReals(context: BlockContext, type: ScalarType, a: Expression, b: Expression): Expression {
  const [one, other] = [context.local(type), context.local(type)]
  const [left, right] = [local(type, one), local(type, other)]
  return {
    kind: 'sequence',
    statements: [setLocal(one, a), setLocal(other, b)],
    value: realsDiffer(type, left, right),
  }
}

function isText({ operand }: Side): boolean {
  return (
    (operand.kind === 'variable' && operand.type.kind === 'string') ||
    (operand.kind === 'constant' && typeof operand.value === 'string' && momentKind(operand.type) === undefined)
  )
}

/** Compares texts by their characters, then by their length: `string.compare` gives -1, 0 or 1. */
function compareTexts(
  context: BlockContext,
  operator: Comparison,
  left: Side,
  right: Side,
): Result | Wrong | undefined {
  const isVariable = ({ operand }: Side) => operand.kind === 'variable' && operand.type.kind === 'string'
  if (!isText(left) || !isText(right) || !(isVariable(left) || isVariable(right) || (isText(left) && isText(right))))
    return undefined
  const isWide = [left, right].some(
    ({ operand }) => operand.kind === 'variable' && operand.type.kind === 'string' && operand.type.isWide,
  )
  const a = stringPlace(context, left.operand, isWide, left.at, 'Here')
  const b = stringPlace(context, right.operand, isWide, right.at, 'Here')
  if (!a || !b) return wrong
  const order: Expression = {
    kind: 'routine',
    routine: 'string.compare',
    type: scalars.DInt,
    arguments: [{ kind: 'address', place: a }, { kind: 'address', place: b }, textFlags([a, isWide], [b, isWide])],
    setsEno: false,
  }
  const zero: Expression = { kind: 'constant', type: scalars.DInt, value: 0n }
  return result(scalars.Bool, binary(irOperators[operator], scalars.DInt, order, zero, false))
}

/** Lowers `-x` and `NOT x`. */
export function unary(context: BlockContext, operator: '-' | '+' | 'NOT', side: Side, at: SourceRange): Operand {
  const { operand } = side
  if (
    operand.kind === 'constant' &&
    operator !== 'NOT' &&
    typeof operand.value !== 'string' &&
    operand.type === undefined
  ) {
    return operator === '+' ? operand : negated(operand)
  }
  const value = readScalar(context, operand, side.at)
  if (!value) return wrong
  const { type, expression } = value
  const isRight =
    operator === 'NOT'
      ? type.family === 'bool' || type.family === 'bits' || (type.family === 'integer' && !context.block.isIecCheckOn)
      : type.family === 'integer' || type.family === 'real' || (type.family === 'duration' && type !== scalars.S5Time)
  if (!isRight) {
    context.report('wrong-operand', at, `${operator} cannot be applied to a value of type ${typeName(type)}.`)
    return wrong
  }
  if (operator === '+') return result(type, expression)
  if (operator === 'NOT' && type.family === 'integer') {
    const bits = { kind: 'constant', type, value: type.isSigned ? -1n : (1n << BigInt(type.bits)) - 1n } as const
    return result(type, binary('xor', type, expression, bits, false))
  }
  if (operator === 'NOT') return result(type, { kind: 'unary', operator: 'not', type, operand: expression })
  return result(type, { kind: 'unary', operator: 'negate', type, operand: expression, setsEno: context.setsEno })
}

/** Lowers `base ** exponent`: the result is Real, or LReal when one side is. */
export function power(context: BlockContext, left: Side, right: Side, at: SourceRange): Result | Wrong {
  const types = typesOf(context, left, right)
  if (!types) return wrong
  const type = types.includes(scalars.LReal) ? scalars.LReal : scalars.Real
  const read = ({ operand, at: place }: Side, own: ScalarType): Expression | undefined => {
    if (own.family !== 'integer' && own.family !== 'real') return undefined
    if (operand.kind === 'constant') return readAs(context, operand, type, place)
    const value = readScalar(context, operand, place)
    return value && converted(value.expression, value.type, type, value.type === type ? 'same' : 'value')
  }
  const [a, b] = [read(left, types[0]), read(right, types[1])]
  if (!a || !b) {
    refuse(context, '**', types, at)
    return wrong
  }
  return result(type, {
    kind: 'routine',
    routine: type === scalars.Real ? 'power.real' : 'power.lreal',
    type,
    arguments: [a, b],
    setsEno: context.setsEno,
  })
}

function refuse(
  context: BlockContext,
  operator: string,
  [a, b]: readonly [ScalarType, ScalarType],
  at: SourceRange,
  isOfCheck = false,
): void {
  const isTruth = [a, b].some(({ family }) => family === 'bool')
  const isChain = a.family === 'bool' && /^[<>]/.test(operator)
  const call = conversionCall(a, b, '…')
  const hint = isChain
    ? 'Comparisons are joined with AND: 0 < #x AND #x < 10.'
    : a.family === b.family && !isOfCheck
      ? undefined
      : isTruth
        ? 'A number becomes a Bool by a comparison, e.g. … <> 0.'
        : call && `Convert one of the two by name, e.g. ${call}.`
  const where = isOfCheck ? ' with the IEC check' : ''
  const message = `${operator} cannot be applied to values of types ${a.name} and ${b.name}${where}.`
  context.report('wrong-operand', at, message, hint)
}
