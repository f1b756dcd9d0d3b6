/** The type that an instruction works in when it follows its arguments. */

import { ownType } from '../../../program/constants.ts'
import { Real, scalarNamed } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import { commonType } from '../conversions.ts'
import type { InstructionCall } from '../instruction.ts'
import { readScalar } from '../reading.ts'
import type { Given } from './arguments.ts'

/** The type of an argument; of an untyped number its own. Undefined: it has none, which was reported. */
export function typeOfGiven({ context }: Pick<InstructionCall, 'context'>, { operand, at }: Given) {
  const own = operand.kind === 'constant' && operand.type === undefined ? ownType(operand) : undefined
  return own ?? readScalar(context, operand, at)?.type
}

/**
 * The type that covers all arguments; constants without a type follow the others.
 * @param refusal what is wrong with an argument of the type `own` beside those before it, which have `others`; undefined: nothing
 */
function coveringType(
  call: InstructionCall,
  given: readonly Given[],
  refusal: (own: ScalarType, both: ScalarType | undefined, others: ScalarType) => string | undefined,
): ScalarType | undefined {
  const typed = given.filter(({ operand }) => !(operand.kind === 'constant' && operand.type === undefined))
  let type: ScalarType | undefined
  for (const one of typed.length > 0 ? typed : given) {
    const own = typeOfGiven(call, one)
    if (!own) return undefined
    const both = type === undefined ? own : commonType(type, own, call.context.block.isIecCheckOn)
    const message = refusal(own, both, type ?? own)
    if (message !== undefined) {
      call.context.report('wrong-operand', one.at, message)
      return undefined
    }
    type = both
  }
  return type
}

/** The type that covers all arguments. Undefined: there is none, which was reported. */
export function sharedType(call: InstructionCall, given: readonly Given[]): ScalarType | undefined {
  return coveringType(call, given, (own, both, others) =>
    both ? undefined : `${call.name} takes values of one type; ${typeName(own)} does not go with ${typeName(others)}.`,
  )
}

/** The type of numbers or durations that covers all arguments. Undefined: there is none, which was reported. */
export function sharedNumberType(call: InstructionCall, given: readonly Given[]): ScalarType | undefined {
  const type = coveringType(call, given, (own, both) =>
    both && /^(integer|real|duration)$/.test(both.family)
      ? undefined
      : `${call.name} takes numbers, not ${typeName(own)}.`,
  )
  // Whole numbers as limits of a real constant.
  const hasReal = given.some(({ operand }) => operand.kind === 'constant' && typeof operand.value === 'number')
  return type?.family === 'integer' && hasReal ? Real : type
}

/** The bit string of as many bits as the type has. */
export function bitStringOf({ bits }: ScalarType): ScalarType {
  return scalarNamed({ 8: 'Byte', 16: 'Word', 32: 'DWord', 64: 'LWord' }[bits as 8] ?? 'Byte') as ScalarType
}
