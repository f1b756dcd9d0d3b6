/**
 * Conversions by name: `INT_TO_REAL`, `TO_INT`, ROUND, TRUNC, CEIL, FLOOR, CONVERT
 * (docs/plc-semantics.md#explicit-conversion).
 */

import type { Expression } from '../../../ir/ir.ts'
import * as scalars from '../../../program/scalars.ts'
import { scalarNamed } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { type ConversionMode, explicitConversion } from '../conversions.ts'
import type { Instruction } from '../instruction.ts'
import { readAs, type readScalar } from '../reading.ts'
import { bindArguments, nothing } from './arguments.ts'
import { dateConversion } from './dates.ts'
import { typeOfGiven } from './shared-type.ts'
import { textConversion } from './text-conversion.ts'

const roundings: Readonly<Record<string, ConversionMode>> = {
  ROUND: 'round',
  TRUNC: 'truncate',
  CEIL: 'ceiling',
  FLOOR: 'floor',
}

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

function convert(named: ScalarType | undefined, type: ScalarType, mode: ConversionMode): Instruction {
  return (call) => {
    const [one] = bindArguments(call, ['IN']) ?? []
    if (!one) return nothing
    const { context } = call
    const from = named ?? typeOfGiven(call, one)
    if (!from) return nothing
    const value = argumentOf(call, one, from)
    if (!value) return nothing
    const expression = explicitConversion(value, from, type, mode, context.setsEno)
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
