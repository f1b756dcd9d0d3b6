/** Rules about loops: `endless-loop`, and the ranges of run variables for `loop-leaves-array`. */
import type { Expression as IrExpression, Statement as IrStatement } from '../../../ir/ir.ts'
import { visitAll } from '../../../ir/walk.ts'
import type { Statement } from '../../../languages/scl/syntax.ts'
import type { BlockContext } from '../block-context.ts'
import type { SourceRange } from '../source-range.ts'
import { type Interval, variableKey } from './watch.ts'

/** How the statements of a loop can be left before its condition ends it. */
export type Leaving = 'exit' | 'any'

/**
 * Whether statements leave the loop that they are the body of.
 * @param how `exit`: EXIT of this loop, RETURN, GOTO; `any`: CONTINUE too
 */
export function leavesLoop(statements: readonly Statement[], how: Leaving, isInner = false): boolean {
  return statements.some((statement) => {
    switch (statement.kind) {
      case 'return':
      case 'goto':
        return true
      case 'exit':
        return !isInner
      case 'continue':
        return how === 'any' && !isInner
      case 'if':
        return (
          statement.branches.some(({ body }) => leavesLoop(body, how, isInner)) ||
          leavesLoop(statement.otherwise ?? [], how, isInner)
        )
      case 'case':
        return (
          statement.branches.some(({ body }) => leavesLoop(body, how, isInner)) ||
          leavesLoop(statement.otherwise ?? [], how, isInner)
        )
      case 'for':
      case 'while':
      case 'repeat':
        return leavesLoop(statement.body, how, true)
      case 'region':
        return leavesLoop(statement.body, how, isInner)
      default:
        return false
    }
  })
}

/**
 * Reports a WHILE or REPEAT that nothing ends: its condition is a constant, or nothing in the body changes what it
 * depends on. Call it only when the body has no way out.
 * @param goesOn whether the loop goes on while the condition is TRUE (WHILE) or FALSE (REPEAT)
 * @param before statements that the condition needs in each round
 */
export function checkEndless(
  context: BlockContext,
  condition: IrExpression,
  goesOn: boolean,
  before: readonly IrStatement[],
  body: readonly IrStatement[],
  at: SourceRange,
): void {
  if (condition.kind === 'constant') {
    if ((BigInt(condition.value) !== 0n) === goesOn)
      context.report(
        'endless-loop',
        at,
        'The condition never ends the loop, and nothing in it leaves it.',
        'Leave it with EXIT, or use a condition that changes.',
        'warning',
      )
    return
  }
  if (before.length > 0 || body.length === 0 || !dependsOnlyOnRegisters(condition)) return
  const read = new Set<number>()
  visitAll([{ kind: 'setEno', value: condition }], {
    expression: (one) => {
      if (one.kind === 'local') read.add(one.local)
    },
  })
  let isChanged = false
  visitAll(body, {
    statement: (one) => {
      if (one.kind === 'setLocal' && read.has(one.local)) isChanged = true
      if (one.kind === 'call' && one.results.some((local) => read.has(local))) isChanged = true
      if (one.kind === 'return' || one.kind === 'goto') isChanged = true
    },
  })
  if (!isChanged)
    context.report(
      'endless-loop',
      at,
      'Nothing in the loop changes what its condition depends on: once it runs, it does not end.',
      'Change one of the variables of the condition, or leave the loop with EXIT.',
      'warning',
    )
}

/** Temporaries and parameters change only where the block itself assigns them. */
function dependsOnlyOnRegisters(condition: IrExpression): boolean {
  let count = 0
  let isOnly = true
  visitAll([{ kind: 'setEno', value: condition }], {
    statement: ({ kind }) => {
      if (kind !== 'setEno') isOnly = false
    },
    expression: ({ kind }) => {
      if (kind === 'local') count++
      else if (kind !== 'constant' && kind !== 'binary' && kind !== 'unary' && kind !== 'convert' && kind !== 'select')
        isOnly = false
    },
  })
  return isOnly && count > 0
}

/** The limits and step of a FOR. */
export interface ForRange {
  readonly run: IrExpression | undefined
  readonly from: IrExpression
  readonly to: IrExpression
  readonly by: IrExpression
}

/**
 * Returns the values that the run variable of a FOR with constant limits takes, and reports limits that give no round
 * or too many; `undefined` when they are not known.
 */
export function checkedRange(context: BlockContext, { from, to, by }: ForRange, at: SourceRange): Interval | undefined {
  const [first, last, step] = [from, to, by].map((one) => (one.kind === 'constant' ? BigInt(one.value) : undefined))
  if (step === 0n)
    context.report(
      'endless-loop',
      at,
      'The increment is 0: the run variable never reaches the end.',
      'Count with BY 1 or BY -1.',
      'warning',
    )
  if (first === undefined || last === undefined || step === undefined || step === 0n) return undefined
  if (step > 0n ? first > last : first < last) {
    context.report(
      'empty-range',
      at,
      `From ${first} to ${last} by ${step} there is no round.`,
      step > 0n ? 'Count down with BY -1.' : 'Count up with BY 1.',
      'warning',
    )
    return undefined
  }
  const end = first + ((last - first) / step) * step
  return step > 0n ? [first, end] : [end, first]
}

/** The key of a run variable in `Watch.ranges`. */
export function runKey(run: IrExpression | undefined): string | undefined {
  return run && variableKey(run)
}
