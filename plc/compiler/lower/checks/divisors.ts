/** Rule `division-by-zero`: the divisor is the constant 0. */
import type { BlockContext } from '../block-context.ts'
import type { Side } from '../values.ts'
import { constantNumber } from './constant-number.ts'

/** Reports a divisor that is 0 whenever the statement runs. */
export function checkDivisor(context: BlockContext, { operand, at }: Side): void {
  const value = constantNumber(operand)
  if (value === undefined || Number(value) !== 0) return
  context.report(
    'division-by-zero',
    at,
    `The divisor is 0: the division fails whenever it runs.`,
    'Divide by something else, or leave the statement out.',
    'warning',
  )
}
