/** The type of an instruction whose arguments determine it. */

import { ownType } from '../../../program/constants.ts'
import { Real, scalarNamed } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import { commonType, holdingConstant } from '../conversions.ts'
import { warnOfLongInteger } from '../family-checks.ts'
import type { InstructionCall } from '../instruction.ts'
import { readScalar } from '../reading.ts'
import type { Given } from './arguments.ts'

/**
 * Returns the type of an argument; for an untyped number its own type. `undefined`: it has none, which is then
 * reported.
 */
export function typeOfGiven({ context }: Pick<InstructionCall, 'context'>, { operand, at }: Given) {
  const own = operand.kind === 'constant' && operand.type === undefined ? ownType(operand) : undefined
  return own ?? readScalar(context, operand, at)?.type
}

/**
 * Returns the type that covers all arguments; constants without a type take the type of the others.
 * @param refusal returns the fault of an argument of type `own` after arguments of type `others`; undefined: there is
 *   none
 */
function coveringType(
  call: InstructionCall,
  given: readonly Given[],
  refusal: (own: ScalarType, both: ScalarType | undefined, others: ScalarType) => string | undefined,
): ScalarType | undefined {
  const typed = given.filter(({ operand }) => !(operand.kind === 'constant' && operand.type === undefined))
  const owns: ScalarType[] = []
  let type: ScalarType | undefined
  for (const one of typed.length > 0 ? typed : given) {
    const own = typeOfGiven(call, one)
    if (!own) return undefined
    owns.push(own)
    const both = type === undefined ? own : commonType(type, own, call.context.block.isIecCheckOn)
    const message = refusal(own, both, type ?? own)
    if (message !== undefined) {
      call.context.report('wrong-operand', one.at, message)
      return undefined
    }
    type = both
  }
  // A number beside a variable widens the type as it does beside an operator.
  if (typed.length > 0)
    for (const { operand } of given)
      if (type && operand.kind === 'constant' && operand.type === undefined && typeof operand.value === 'bigint')
        type = holdingConstant(type, operand, call.context.block.isIecCheckOn)
  if (type) warnOfLongInteger(call.context, owns, type, call.at, call.name)
  return type
}

/** Returns the type that covers all arguments. `undefined`: there is none, which is then reported. */
export function sharedType(call: InstructionCall, given: readonly Given[]): ScalarType | undefined {
  const type = coveringType(call, given, (own, both, others) =>
    both ? undefined : `${call.name} takes values of one type; ${typeName(own)} does not go with ${typeName(others)}.`,
  )
  if (type?.family !== 'integer' || !given.some(isRealConstant)) return type
  return commonType(type, Real, call.context.block.isIecCheckOn)
}

function isRealConstant({ operand }: Given): boolean {
  return operand.kind === 'constant' && operand.type === undefined && typeof operand.value === 'number'
}

/**
 * Returns the type of numbers or durations that covers all arguments. `undefined`: there is none, which is then
 * reported.
 */
export function sharedNumberType(call: InstructionCall, given: readonly Given[]): ScalarType | undefined {
  const type = coveringType(call, given, (own, both) =>
    both && /^(integer|real|duration)$/.test(both.family)
      ? undefined
      : `${call.name} takes numbers, not ${typeName(own)}.`,
  )
  // Integers can be limits of a real constant.
  return type?.family === 'integer' && given.some(isRealConstant) ? Real : type
}

/** Returns the bit string type of the same size. */
export function bitStringOf({ bits }: ScalarType): ScalarType {
  return scalarNamed({ 8: 'Byte', 16: 'Word', 32: 'DWord', 64: 'LWord' }[bits as 8] ?? 'Byte') as ScalarType
}
