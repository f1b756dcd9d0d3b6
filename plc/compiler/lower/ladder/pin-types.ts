/**
 * Values at the pins of boxes. Without the IEC check, LAD and FBD also accept integers as durations, as TIA Portal does
 * with a mark at the pin: a value that does not fit is cut off or rounded, and ENO shows it.
 */

import type { Expression } from '../../../ir/ir.ts'
import type { InstructionNode } from '../../../model/logic-network.ts'
import { type ConstantValue, constantFor } from '../../../program/constants.ts'
import { Char, S5Time, scalarNamed, WChar } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import type { BlockContext } from '../block-context.ts'
import { countConversion, implicitConversion, narrowingConversion } from '../conversions.ts'
import { lacksConversion } from '../family-checks.ts'
import { textOf } from '../operands.ts'
import { load, readAs } from '../reading.ts'
import type { SourceRange } from '../source-range.ts'
import { type Operand, wrong } from '../values.ts'

/**
 * Converts a value for a pin: with a warning where only LAD and FBD convert, else returns it unchanged.
 * @param isMove whether the box MOVE transfers it, which copies bits between any scalar types of its table
 */
export function loosely(
  context: BlockContext,
  value: Operand,
  type: ScalarType,
  at: SourceRange,
  what: string,
  isMove = false,
): Operand {
  if (context.block.isIecCheckOn) return value
  if (value.kind === 'constant') return fittingConstant(value, type)
  const from = value.kind === 'result' || value.kind === 'variable' ? value.type : undefined
  if (from?.kind !== 'scalar' || implicitConversion(from, type, false) !== undefined) return value
  if (countConversion(from, type) !== undefined || lacksConversion(context, from, type)) return value
  const mode = lossyConversion(from, type) ?? (isMove && isMoved(from, type) ? 'bits' : undefined)
  const operand = value.kind === 'variable' ? load(value) : value.kind === 'result' ? value.expression : undefined
  if (!mode || !operand) return value
  const expression: Expression = {
    kind: 'convert',
    from,
    type,
    operand,
    mode,
    setsEno: context.setsEno && mode !== 'bits',
  }
  if (isMove && mode === 'bits' && from.bits <= type.bits) return { kind: 'result', type, expression }
  const given = value.kind === 'variable' ? `${value.text}, of type ${from.name},` : textOf(value)
  const message = `${what} ${given} is converted to ${type.name}: what does not fit is lost.`
  context.report('lossy-conversion', at, message, undefined, 'warning')
  return { kind: 'result', type, expression }
}

/** Whether MOVE copies the bits from one type to another without the IEC check (TIA help V19, "MOVE", S7-1500). */
function isMoved(from: ScalarType, to: ScalarType): boolean {
  const isCount = ({ family }: ScalarType) => family === 'integer' || family === 'bits'
  const isTime = (type: ScalarType) =>
    type !== S5Time && ['duration', 'date', 'timeOfDay', 'dateTime'].includes(type.family)
  if (from.family === 'real' || to.family === 'real')
    return from.bits === to.bits && (from.family === 'bits' || to.family === 'bits')
  if (isCount(from)) return isTime(to) || (from.family === 'bits' && to.family === 'character')
  if (isTime(from)) return isCount(to)
  return from === WChar && to === Char
}

/** `W#16#1` at a Byte: a constant of another type is used as its number when that fits. */
function fittingConstant(value: ConstantValue, type: ScalarType): ConstantValue {
  const { type: own, ...plain } = value
  // `0.0` at an integer pin.
  if (typeof plain.value === 'number' && type.family === 'integer' && Number.isInteger(plain.value)) {
    const whole = { ...plain, value: BigInt(plain.value) }
    return 'value' in constantFor(whole, type) ? whole : value
  }
  if (own?.kind !== 'scalar' || implicitConversion(own, type, false) !== undefined) return value
  return lossyConversion(own, type) && 'value' in constantFor(plain, type) ? plain : value
}

function lossyConversion(from: ScalarType, to: ScalarType): 'value' | 'bits' | 'round' | undefined {
  const isCount = ({ family, name }: ScalarType) => family === 'integer' || (family === 'duration' && name !== 'S5Time')
  return isCount(from) && isCount(to) ? 'value' : narrowingConversion(from, to)
}

/** Returns the value in the type that a template of the box names; unchanged when there is no such template. */
export function inType(
  context: BlockContext,
  box: InstructionNode,
  operand: Operand,
  template: string,
  pin: string,
): Operand {
  const name = box.templates.find((one) => one.name.toLowerCase() === template.toLowerCase())?.value
  const type = name === undefined ? undefined : scalarNamed(name)
  if (!type || operand.kind === 'wrong') return operand
  const at = { uId: box.uId }
  const what = `At ${pin} of ${box.name}`
  const expression = readAs(context, loosely(context, operand, type, at, what), type, at, what)
  return expression ? { kind: 'result', type, expression } : wrong
}
