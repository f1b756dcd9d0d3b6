/** Reads operands in the required type, and assigns to them. */

import type { Expression, Statement } from '../../ir/ir.ts'
import { type ConstantValue, constantFor, ownType } from '../../program/constants.ts'
import {
  Bool,
  Byte,
  DbAny,
  DInt,
  Int,
  LDateTime,
  LInt,
  SInt,
  UDInt,
  UInt,
  ULInt,
  USInt,
} from '../../program/scalars.ts'
import type { ScalarType, Type } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import type { BlockContext } from './block-context.ts'
import {
  converted,
  countConversion,
  explicitConversion,
  implicitConversion,
  narrowingConversion,
  pattern,
} from './conversions.ts'
import { lacksConversion, refusesConstant } from './family-checks.ts'
import { isTimeConvertible, isTimed, longMoment, momentKind } from './moments.ts'
import { textOf } from './operands.ts'
import type { SourceRange } from './source-range.ts'
import type { BlockName, Index, Operand, Variable } from './values.ts'

/**
 * Returns a scalar in its own type; `undefined`: it is no scalar, which is then reported.
 * @param wanted the type that is wanted, for the hint
 */
export function readScalar(
  context: BlockContext,
  operand: Operand,
  at: SourceRange,
  wanted?: ScalarType,
): { readonly type: ScalarType; readonly expression: Expression } | undefined {
  switch (operand.kind) {
    case 'wrong':
      return undefined
    case 'result':
      if (/^(TIMER|COUNTER)$/.test(operand.type.name) && wanted !== operand.type) {
        noValue(context, operand.type, at)
        return undefined
      }
      return operand
    case 'constant': {
      const type = ownType(operand)
      if (!type) {
        context.report('no-scalar', at, `${operand.text} cannot be used here: a single value is wanted.`)
        return undefined
      }
      if (operand.type !== undefined && refusesConstant(context, type, operand.text, at)) return undefined
      const fitting = constantFor(operand, type)
      if ('fault' in fitting) {
        context.report('constant-does-not-fit', at, `${fitting.fault}.`)
        return undefined
      }
      return { type, expression: { kind: 'constant', type, value: fitting.value } }
    }
    case 'block':
      context.report('no-scalar', at, `${operand.text} is a block, not a value.`)
      return undefined
    case 'variable': {
      if (isWriteOnly(operand)) {
        const hint = `${operand.text.replace(/:P$/i, '')} has what was written to the process image.`
        context.report('write-only', at, `${operand.text} is written to the output module: it cannot be read.`, hint)
        return undefined
      }
      const expression = load(operand)
      if (expression && operand.type.kind === 'scalar') {
        context.noted(wholeIn(expression), at, operand.text)
        return { type: operand.type, expression }
      }
      if (operand.partOf) fewerIndices(context, operand, operand.partOf, at)
      else if (operand.type.kind !== 'unknown')
        context.report(
          'no-scalar',
          at,
          `${operand.text} is of type ${typeName(operand.type)}: a single value is wanted.`,
          wanted &&
            (numberHint(operand.type, wanted, operand.text) ?? conversionHint(operand.type, wanted, operand.text)),
        )
      return undefined
    }
  }
}

/** Peripheral outputs have no value: output modules cannot be read (S7-1200 manual, "Q_:P"). */
function isWriteOnly({ at }: Variable): boolean {
  return at.kind === 'place' && at.place.base.kind === 'area' && at.place.base.area === 'PQ'
}

/** S5 timers and counters are given to parameters of their type only. */
function noValue(context: BlockContext, { name }: ScalarType, at: SourceRange): void {
  const [thing, hint] = name === 'TIMER' ? ['timer', 'S_ODT(T_NO := …)'] : ['counter', 'S_CU(C_NO := …)']
  context.report(
    'unsupported-address',
    at,
    `An S5 ${thing} cannot be used here: it is no value.`,
    `Ask it with ${hint}.`,
  )
}

/** Returns the hint to convert a text to the number that is wanted; `undefined` when it is something else. */
function numberHint(type: Type, wanted: ScalarType, text: string): string | undefined {
  if (type.kind !== 'string' || (wanted.family !== 'integer' && wanted.family !== 'real')) return undefined
  return `Convert it: ${type.isWide ? 'WSTRING' : 'STRING'}_TO_${wanted.name.toUpperCase()}(${text}).`
}

/** Message for `#grid[1]` where one element of several dimensions is required. */
export function fewerIndices(
  context: BlockContext,
  { text }: Variable,
  { type, indices }: NonNullable<Variable['partOf']>,
  at: SourceRange,
): void {
  const given = indices === 1 ? '1 index is' : `${indices} indices are`
  const message = `${text.replace(/\[…\]$/, '')} has ${type.dimensions.length} dimensions, ${given} given: a single value is wanted.`
  context.report('wrong-dimensions', at, message, `Its type is ${typeName(type)}.`)
}

/** Returns an operand as an index; `undefined`: it is no integer, which is then reported. */
export function readIndex(context: BlockContext, operand: Operand, at: SourceRange): Index | undefined {
  const value = readScalar(context, operand, at)
  if (!value) return undefined
  const { type, expression } = value
  if (type.family !== 'integer' && type.family !== 'bits') {
    const message = `An index is a whole number; ${named(operand, type)} is of type ${typeName(type)}.`
    context.report('wrong-index', at, message)
    return undefined
  }
  const isKnown = operand.kind === 'constant' && expression.kind === 'constant'
  return { expression, at, ...(isKnown ? { constant: BigInt(expression.value) } : {}) }
}

/** The variable in the value that `load` gives. */
function wholeIn(value: Expression): Expression {
  let inner = value
  for (;;) {
    if (inner.kind === 'convert') inner = inner.operand
    else if (inner.kind === 'binary') inner = inner.left
    else if (inner.kind === 'sequence') inner = inner.value
    else return inner
  }
}

/** Returns the value of a scalar variable. */
export function load({ type, at, slice, refresh }: Variable): Expression | undefined {
  if (type.kind !== 'scalar') return undefined
  const whole = slice?.of ?? type
  const plain: Expression =
    at.kind === 'local'
      ? { kind: 'local', type: whole, local: at.local }
      : { kind: 'load', type: whole, place: at.place }
  const value: Expression = refresh ? { kind: 'sequence', statements: [refresh], value: plain } : plain
  if (!slice) return value
  const shifted: Expression =
    slice.shift === 0
      ? value
      : {
          kind: 'binary',
          operator: 'shiftRight',
          type: pattern(whole),
          left: { kind: 'convert', from: whole, type: pattern(whole), operand: value, mode: 'bits', setsEno: false },
          right: { kind: 'constant', type: UInt, value: BigInt(slice.shift) },
          setsEno: false,
        }
  const bits: Expression = {
    kind: 'convert',
    from: pattern(whole),
    type: type === Bool ? Byte : type,
    operand: shifted,
    mode: 'bits',
    setsEno: false,
  }
  if (type !== Bool) return bits
  const lowest: Expression = {
    kind: 'binary',
    operator: 'and',
    type: Byte,
    left: bits,
    right: { kind: 'constant', type: Byte, value: 1n },
    setsEno: false,
  }
  return { kind: 'convert', from: Byte, type: Bool, operand: lowest, mode: 'value', setsEno: false }
}

/**
 * Returns the value in the required type, converted when the rules allow it; `undefined`: they do not, which is then
 * reported.
 */
export function readAs(
  context: BlockContext,
  given: Operand,
  type: ScalarType,
  at: SourceRange,
  what = 'Here',
): Expression | undefined {
  const operand = type === LDateTime ? longMoment(given) : given
  if (operand.kind === 'constant') {
    const own = operand.type
    if (own === undefined || own === type || own.kind !== 'scalar') {
      if (own !== undefined && own !== type) return mismatch(context, own, type, operand.text, at, what)
      const fitting = constantFor(operand, type)
      if ('value' in fitting) return { kind: 'constant', type, value: fitting.value }
      const wrapped = wrappedResult(operand, type)
      const hint = wrapped === undefined ? undefined : `The result is cut to ${wrapped}.`
      context.report(
        'constant-does-not-fit',
        at,
        `${fitting.fault}.`,
        hint,
        wrapped === undefined ? 'error' : 'warning',
      )
      return wrapped === undefined ? undefined : { kind: 'constant', type, value: wrapped }
    }
  }
  // The name of a data block means its number.
  if (operand.kind === 'block' && type === DbAny && operand.block.kind.endsWith('DB'))
    return { kind: 'constant', type, value: BigInt(operand.block.number) }
  const value = readScalar(context, operand, at, type)
  if (!value) return undefined
  if (operand.kind !== 'constant' && lacksConversion(context, value.type, type))
    return mismatch(context, value.type, type, textOf(operand), at, what)
  const isCounted = !context.block.isIecCheckOn && operand.kind !== 'constant'
  const how =
    implicitConversion(value.type, type, context.block.isIecCheckOn) ??
    (isCounted ? countConversion(value.type, type) : undefined)
  const fitting = how === undefined ? fittingConstant(context, operand, type) : undefined
  if (fitting) return fitting
  if (how !== undefined) return converted(value.expression, value.type, type, how)
  const isChecked = context.block.isIecCheckOn || operand.kind === 'constant'
  const mode = isChecked ? undefined : narrowingConversion(value.type, type)
  // Only the pins of LAD and FBD accept a real as an integer (ladder/pin-types.ts).
  if (!mode || mode === 'round') return mismatch(context, value.type, type, textOf(operand), at, what)
  const text = textOf(operand)
  const shown = text === unnamed(value.type) ? 'this' : text
  const message = `${what} a value of type ${type.name} is wanted; ${shown}, of type ${value.type.name}, is converted: what does not fit is lost.`
  context.report(
    'lossy-conversion',
    at,
    message,
    conversionHint(value.type, type, shown === 'this' ? '…' : text),
    'warning',
  )
  const setsEno = context.setsEno && mode !== 'bits'
  return { kind: 'convert', from: value.type, type, operand: value.expression, mode, setsEno }
}

/** The result of calculated numbers that does not fit wraps, as it does when the controller calculates it. */
function wrappedResult({ isComputed, value }: ConstantValue, type: ScalarType): bigint | undefined {
  if (isComputed !== true || typeof value !== 'bigint' || type.family !== 'integer') return undefined
  return type.isSigned ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value)
}

/**
 * A constant of the program, `"MODES"`, whose number fits in a shorter integer: TIA Portal accepts it when the IEC
 * check is off.
 */
function fittingConstant(context: BlockContext, operand: Operand, type: ScalarType): Expression | undefined {
  if (context.block.isIecCheckOn || operand.kind !== 'constant' || type.family !== 'integer') return undefined
  if (operand.type?.kind !== 'scalar' || operand.type.family !== 'integer' || !/^[#"]/.test(operand.text))
    return undefined
  const { type: _own, ...plain } = operand
  const fitting = constantFor(plain, type)
  return 'value' in fitting ? { kind: 'constant', type, value: fitting.value } : undefined
}

/** The text of an operand; a computed value has none: its place identifies it. */
export function named(operand: Operand, type: Type): string {
  const text = textOf(operand)
  return text === unnamed(type) ? 'this' : text
}

function unnamed(type: Type): string | undefined {
  return type.kind === 'scalar' ? textOf({ kind: 'result', type, expression: { kind: 'eno' } }) : undefined
}

/** Returns a hint how to convert from one type to the other; `undefined` when there is no way. */
export function conversionHint(from: Type, to: Type, text: string): string | undefined {
  if (from.kind === 'scalar' && to.kind === 'scalar' && to.family === 'bool') {
    const isNumber = from.family === 'integer' || from.family === 'real' || from.family === 'bits'
    return isNumber ? `Compare it, e.g. ${text} <> 0.` : undefined
  }
  const call = conversionCall(from, to, text)
  return call && `Convert it: ${call}.`
}

/** Returns the call that converts a text from one type to the other by name; `undefined` when there is no way. */
export function conversionCall(from: Type, to: Type, text: string): string | undefined {
  const shown = text.includes(' ') ? '…' : text
  if (isTimed(from) && isTimed(to))
    return isTimeConvertible(from, to) ? `${nameIn(from)}_TO_${nameIn(to)}(${shown})` : undefined
  if (from.kind !== 'scalar' || to.kind !== 'scalar') return undefined
  const isPossible = (one: ScalarType, other: ScalarType) =>
    explicitConversion({ kind: 'eno' }, one, other, 'value', false) !== undefined
  if (isPossible(from, to)) return `${nameIn(from)}_TO_${nameIn(to)}(${shown})`
  // By way of a whole number of the size of one of the two.
  const others = [from, to].filter(({ family }) => family !== 'real')
  const between = others.map(countOf).find((one) => isPossible(from, one) && isPossible(one, to))
  return between && `${nameIn(between)}_TO_${nameIn(to)}(${nameIn(from)}_TO_${nameIn(between)}(${shown}))`
}

/** The name of a type in the name of a conversion: `DTL_TO_LDT`. */
function nameIn(type: Type): string {
  return (momentKind(type) ?? typeName(type)).toUpperCase()
}

/** The whole number of the size of a scalar. */
function countOf({ family, bits }: ScalarType): ScalarType {
  const isUnsigned = family === 'bits'
  if (bits === 64) return isUnsigned ? ULInt : LInt
  if (bits === 32) return isUnsigned ? UDInt : DInt
  if (bits === 16) return isUnsigned ? UInt : Int
  return isUnsigned ? USInt : SInt
}

export function mismatch(
  context: BlockContext,
  from: Type,
  to: Type,
  text: string,
  at: SourceRange,
  what: string,
): undefined {
  // A computed value has no name: its place identifies it.
  const isNamed = text !== unnamed(from)
  context.report(
    'type-mismatch',
    at,
    `${what} a value of type ${typeName(to)} is wanted; ${isNamed ? text : 'this'} is of type ${typeName(from)}.`,
    conversionHint(from, to, isNamed ? text : '…'),
  )
  return undefined
}

/** Writes a scalar into a variable. */
export function storeScalar(context: BlockContext, target: Variable, value: Expression, at: SourceRange): Statement[] {
  const { type, slice } = target
  if (slice) context.notePartlyWritten(target)
  if (type.kind !== 'scalar') throw new Error(`${target.text} is no scalar`)
  const whole = slice ? withSlice(context, target, value, slice) : value
  const stored = slice?.of ?? type
  const stores: Statement =
    target.at.kind === 'local'
      ? { kind: 'setLocal', local: target.at.local, value: whole }
      : { kind: 'store', place: target.at.place, type: stored, value: whole, site: context.site(at) }
  return [context.noted(stores, at, target.text)]
}

/** Returns the whole value with some of its bits replaced. */
function withSlice(
  context: BlockContext,
  target: Variable,
  value: Expression,
  slice: { readonly of: ScalarType; readonly shift: number },
): Expression {
  const { of, shift } = slice
  const type = target.type as ScalarType
  const bits = pattern(of)
  const { slice: _slice, ...all } = target
  const old = load({ ...all, type: of }) as Expression
  context.watch.kept.add(wholeIn(old))
  const cast = (operand: Expression, from: ScalarType, to: ScalarType): Expression => ({
    kind: 'convert',
    from,
    type: to,
    operand,
    mode: 'bits',
    setsEno: false,
  })
  const mask = ((1n << BigInt(type.bits)) - 1n) << BigInt(shift)
  const full = (1n << BigInt(of.bits)) - 1n
  const constant = (number: bigint): Expression => ({ kind: 'constant', type: bits, value: number })
  const binary = (operator: 'and' | 'or' | 'shiftLeft', left: Expression, right: Expression): Expression => ({
    kind: 'binary',
    operator,
    type: bits,
    left,
    right,
    setsEno: false,
  })
  const kept = binary('and', cast(old, of, bits), constant(full & ~mask))
  const widened: Expression =
    type === Bool
      ? { kind: 'convert', from: Bool, type: bits, operand: value, mode: 'value', setsEno: false }
      : cast(value, type, bits)
  const placed = binary('shiftLeft', widened, { kind: 'constant', type: UInt, value: BigInt(shift) })
  return cast(binary('or', kept, placed), bits, of)
}

/** Whether the variable may be written; reports it otherwise. */
export function requireWritable(context: BlockContext, target: Operand, at: SourceRange): target is Variable {
  if (target.kind === 'wrong') return false
  if (target.kind === 'variable') {
    if (target.at.kind === 'place' && target.at.place.base.kind === 'area' && target.at.place.base.area === 'PI') {
      context.report(
        'not-assignable',
        at,
        `${target.text} is read from the input module: nothing can be assigned to it.`,
        'Write to the process image of the inputs, or to an output.',
      )
      return false
    }
    if (target.readOnly === undefined) return true
    if (target.readOnly === 'in') {
      context.report(
        'input-assigned',
        at,
        `${target.text} is an input of the block.`,
        'The next call overwrites it.',
        'warning',
      )
      return true
    }
    const hint = target.readOnly === 'input' ? 'Copy it to a temporary first.' : undefined
    context.report(
      'not-assignable',
      at,
      `${target.text} is ${target.readOnly === 'input' ? 'an input' : 'a constant'}: nothing can be assigned to it.`,
      hint,
    )
    return false
  }
  const refusal = target.kind === 'block' ? unassignableBlock(target) : undefined
  const message = refusal?.message ?? `Nothing can be assigned to ${textOf(target)}.`
  context.report('not-assignable', at, message, refusal?.hint)
  return false
}

/** Why a block is neither assigned nor read as a whole. */
export function unassignableBlock({ block, text }: BlockName): { readonly message: string; readonly hint?: string } {
  if (!block.kind.endsWith('DB'))
    return { message: `${text} is a block, not a variable: nothing can be assigned to it.` }
  const hint =
    block.type?.kind === 'array' ? `Write ${text}.THIS for its array, or an index.` : 'Assign its members one by one.'
  const message = `${text} is no data block of a PLC data type: only those are assigned and read as a whole.`
  return { message, hint }
}
