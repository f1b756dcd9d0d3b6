/** The intermediate form of FOR: correct number of rounds for every integer type, also at the limits of the type. */

import { defined } from '../../../lib/optional.ts'
import { binary, constant, convert, local, not, setLocal } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import { Bool, DInt, LInt } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { load, storeScalar } from './reading.ts'
import type { SourceRange } from './source-range.ts'
import type { Operand, Variable } from './values.ts'

export interface ForLoop {
  /** The run variable; the loop calculates in its type. */
  readonly target: Variable
  readonly type: ScalarType
  readonly from: Expression
  readonly to: Expression
  readonly by: Expression
  readonly body: readonly Statement[]
  /** Runs when there is no round. */
  readonly skipped: readonly Statement[]
  /** Labels for EXIT and CONTINUE. */
  readonly exit: number
  readonly next: number
  readonly site: number
  readonly variableAt: Parameters<typeof storeScalar>[3]
}

export function forLoop(context: BlockContext, parts: ForLoop): Statement[] {
  const { target, type, from, to, by, body, skipped, exit, next, site, variableAt } = parts
  const run = load(target) as Expression
  // Types of up to 32 bits need a range larger by one; 64-bit values are compared before the step.
  const wide = type.bits < 64 ? (type.bits < 32 ? DInt : LInt) : type
  const widened = (value: Expression): Expression => convert(value, type, wide)
  const [end, step, sumLocal] = [context.local(wide), context.local(wide), context.local(wide)]
  const read = (number: number): Expression => local(wide, number)
  const constantStep = by.kind === 'constant' ? BigInt(by.value) : undefined
  const isUp = constantStep === undefined ? undefined : constantStep >= 0n
  const inside = (value: Expression): Expression => {
    const up = binary('lessOrEqual', wide, value, read(end))
    const down = binary('greaterOrEqual', wide, value, read(end))
    return byDirection(isUp, wide, read(step), up, down)
  }
  const put = (value: Expression): Statement[] => storeScalar(context, target, value, variableAt)
  const sum = binary('add', wide, widened(run), read(step))
  const leave: Statement = { kind: 'leave', label: exit }
  const leaveIf = (condition: Expression, before: readonly Statement[] = []): Statement => ({
    kind: 'if',
    condition,
    whenTrue: [...before, leave],
    otherwise: [],
    site,
  })
  const steps: Statement[] =
    wide === type
      ? [leaveIf(lastRound(type, run, read(end), read(step), isUp), put(sum)), ...put(sum)]
      : [setLocal(sumLocal, sum), ...put(convert(read(sumLocal), wide, type)), leaveIf(not(inside(read(sumLocal))))]
  const counter =
    target.at.kind === 'local' && target.slice === undefined && constantStep !== undefined && constantStep !== 0n
      ? { counter: { local: target.at.local, from, to, step: constantStep } }
      : {}
  const rounds: Statement = {
    kind: 'loop',
    label: exit,
    site,
    body: [{ kind: 'group', label: next, body }, ...steps],
    ...counter,
    ...defined({ step: constantStep === 0n ? undefined : constantStep }),
  }
  return [
    ...put(from),
    setLocal(end, widened(to)),
    setLocal(step, widened(by)),
    { kind: 'if', condition: inside(widened(run)), whenTrue: [rounds], otherwise: skipped, site },
  ]
}

/** Reports a limit of FOR that has a sign where the run variable has none, or the other way round (TIA help, "FOR"). */
export function hasOtherSign(
  context: BlockContext,
  operand: Operand,
  { name, isSigned }: ScalarType,
  at: SourceRange,
  what: string,
): boolean {
  const own = operand.kind === 'variable' || operand.kind === 'result' ? operand.type : undefined
  if (own?.kind !== 'scalar' || own.family !== 'integer' || own.isSigned === isSigned) return false
  context.report(
    'wrong-operand',
    at,
    `${what} this is of type ${own.name}, and the run variable of type ${name}: FOR does not combine whole numbers with and without a sign.`,
    `Convert it, or declare the run variable with${own.isSigned ? '' : 'out'} a sign.`,
  )
  return true
}

/** Selects the condition for counting up or down; a step that is not constant decides in each round. */
function byDirection(
  isUp: boolean | undefined,
  type: ScalarType,
  step: Expression,
  up: Expression,
  down: Expression,
): Expression {
  if (isUp !== undefined) return isUp ? up : down
  const condition = binary('greaterOrEqual', type, step, constant(type, 0n))
  return { kind: 'select', type: Bool, condition, whenTrue: up, otherwise: down }
}

/**
 * Whether another step would pass the end: up `end - run < step`, down `run - end < -step`, as unsigned distances.
 * Unlike the sum, a distance does not overflow.
 */
function lastRound(
  type: ScalarType,
  run: Expression,
  end: Expression,
  step: Expression,
  isUp: boolean | undefined,
): Expression {
  const unsigned: ScalarType = { ...type, isSigned: false }
  const distance = (left: Expression, right: Expression): Expression => binary('subtract', unsigned, left, right)
  const up = binary('less', unsigned, distance(end, run), step)
  const down = binary('less', unsigned, distance(run, end), distance(constant(type, 0n), step))
  return byDirection(isUp, type, step, up, down)
}
