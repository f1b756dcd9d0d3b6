/** The number of an operand that is known when the block is compiled. */
import type { Operand } from '../values.ts'

/** Returns the value of a constant, written or with the type of a pin in LAD and FBD; `undefined` for others. */
export function constantNumber(operand: Operand): bigint | number | undefined {
  if (operand.kind === 'result') return operand.expression.kind === 'constant' ? operand.expression.value : undefined
  return operand.kind === 'constant' && typeof operand.value !== 'string' ? operand.value : undefined
}
