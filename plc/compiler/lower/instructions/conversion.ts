/**
 * Conversions by name: `INT_TO_REAL`, `TO_INT`, ROUND, TRUNC, CEIL, FLOOR, CONVERT
 * (docs/plc-semantics.md#explicit-conversion).
 */

import type { Expression } from '../../../ir/ir.ts'
import { ownType } from '../../../program/constants.ts'
import * as scalars from '../../../program/scalars.ts'
import { scalarNamed } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { implicitConversion } from '../conversions.ts'
import type { Instruction } from '../instruction.ts'
import { pattern, readAs, readScalar } from '../reading.ts'
import { bindArguments, nothing } from './arguments.ts'
import { dateConversion } from './dates.ts'
import { textConversion } from './text-conversion.ts'

type Mode = 'value' | 'round' | 'truncate' | 'ceiling' | 'floor'
const roundings: Readonly<Record<string, Mode>> = { ROUND: 'round', TRUNC: 'truncate', CEIL: 'ceiling', FLOOR: 'floor' }

/** Returns the conversion of this name (upper case); `undefined` when there is none. */
export function conversionInstruction(name: string): Instruction | undefined {
  const rounding = /^(ROUND|TRUNC|CEIL|FLOOR)(?:_([A-Z]+))?$/.exec(name)
  if (rounding) {
    const type = rounding[2] === undefined ? scalars.DInt : scalarNamed(rounding[2])
    return type && convert(undefined, type, roundings[rounding[1] as string] ?? 'round')
  }
  const numbers = numberConversion(name)
  return textConversion(name) ?? dateConversion(name, numbers) ?? numbers
}

/** Conversions between numbers, bit strings and counts. */
function numberConversion(name: string): Instruction | undefined {
  const named = /^(?:([A-Z][A-Z0-9_]*?)_)?TO_([A-Z][A-Z0-9_]*)$/.exec(name)
  const type = named && scalarNamed(short(named[2] ?? ''))
  if (!named || !type) return undefined
  if (named[1] === undefined) return convert(undefined, type, 'value')
  const from = scalarNamed(short(named[1]))
  return from && convert(from, type, 'value')
}

function short(name: string): string {
  return { TOD: 'TIME_OF_DAY', LTOD: 'LTIME_OF_DAY' }[name] ?? name
}

function convert(named: ScalarType | undefined, type: ScalarType, mode: Mode): Instruction {
  return (call) => {
    const [one] = bindArguments(call, ['IN']) ?? []
    if (!one) return nothing
    const { context } = call
    const from =
      named ?? (one.operand.kind === 'constant' ? ownType(one.operand) : readScalar(context, one.operand, one.at)?.type)
    if (!from) return nothing
    const value = argumentOf(call, one, from)
    if (!value) return nothing
    const expression = explicit(value, from, type, mode, context.setsEno)
    if (expression) return { statements: [], value: { kind: 'result', type, expression } }
    context.report('no-conversion', call.at, `There is no conversion from ${from.name} to ${type.name}.`)
    return nothing
  }
}

/**
 * Returns the argument in the type of the name; TIA Portal accepts values that convert to it implicitly, and any bit
 * string of the same size.
 */
function argumentOf(
  call: Parameters<Instruction>[0],
  { operand, at }: { operand: Parameters<typeof readScalar>[1]; at: Parameters<typeof readScalar>[2] },
  from: ScalarType,
): Expression | undefined {
  return readAs(call.context, operand, from, at, 'For IN')
}

/** Converts the value explicitly; `undefined` when no conversion between the two types exists. */
function explicit(
  value: Expression,
  from: ScalarType,
  type: ScalarType,
  mode: Mode,
  setsEno: boolean,
): Expression | undefined {
  const as = (how: Mode | 'bits', source = from, target = type, operand = value, fails = setsEno): Expression => ({
    kind: 'convert',
    from: source,
    type: target,
    operand,
    mode: how,
    setsEno: fails && how !== 'bits',
  })
  const isNumber = ({ family }: ScalarType) => family === 'integer' || family === 'real'
  // ROUND_REAL of a Real changes its value.
  const isSame = from === type && (mode === 'value' || from.family === 'integer')
  if (isNumber(from) && isNumber(type)) return isSame ? value : as(mode)
  if (mode !== 'value') return undefined
  if (from === type) return value
  const implicit = implicitConversion(from, type, true)
  if (implicit === 'scale') return undefined
  // Bit strings keep their bits: DWORD_TO_REAL differs from DINT_TO_REAL.
  if (from.family === 'bits' && type.family === 'real') return from.bits === type.bits ? as('bits') : undefined
  if (from.family === 'real' && type.family === 'bits') {
    if (from.bits === type.bits) return as('bits')
    return undefined
  }
  if (from.family === 'bool') {
    if (type.family === 'integer' || type.family === 'bits') return as('value')
    return undefined
  }
  if (type.family === 'bool') {
    // The lowest bit decides.
    if (from.family !== 'bits' && from.family !== 'integer') return undefined
    const bits = pattern(from)
    const one: Expression = { kind: 'constant', type: bits, value: 1n }
    const lowest: Expression = {
      kind: 'binary',
      operator: 'and',
      type: bits,
      left: as('bits', from, bits),
      right: one,
      setsEno: false,
    }
    return as('value', bits, type, lowest)
  }
  if (from.family === 'real' || type.family === 'real') return undefined
  // A signed number is extended by its sign: INT_TO_DWORD(-1) is 16#FFFF_FFFF.
  if (type.family === 'bits' && from.isSigned && from.bits < type.bits) return as('value', from, type, value, false)
  if (from.family === 'bits' || type.family === 'bits') return as('bits')
  const isCount = ({ family }: ScalarType) => family === 'integer' || family === 'hardware' || family === 'character'
  const isTime = ({ family, name }: ScalarType) =>
    (family === 'duration' && name !== 'S5Time') || family === 'date' || family === 'timeOfDay' || family === 'dateTime'
  if ((isCount(from) && isCount(type)) || (isCount(from) && isTime(type)) || (isTime(from) && isCount(type)))
    return as('value')
  if (from === scalars.Time && type === scalars.LTime) return undefined
  return undefined
}
