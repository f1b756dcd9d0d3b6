/**
 * EN and ENO of a call: whether it runs at all, and whether it succeeds. The same for blocks and instructions of all
 * languages.
 */

import { and, isFalse, isTrue, local, setLocal, when } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import { Bool } from '../../program/scalars.ts'
import { assign } from './assignments.ts'
import type { BlockContext } from './block-context.ts'
import { readAs } from './reading.ts'
import type { CallArgument, Called, Value } from './values.ts'

/**
 * Lowers a call whose arguments may contain `EN :=` and `ENO =>`.
 * @param isBlock whether a block is called, which sets its own ENO; an instruction clears the ENO of the block that
 *   contains it
 * @param run lowers the call with the remaining arguments
 */
export function withEnable(
  context: BlockContext,
  given: readonly CallArgument[],
  isBlock: boolean,
  run: (rest: readonly CallArgument[]) => Called,
): Called {
  const isNamed = (name: string) => (argument: CallArgument) => argument.name?.toUpperCase() === name
  const enable = given.find((argument) => isNamed('EN')(argument) && !argument.isOutput)
  const eno = given.find((argument) => isNamed('ENO')(argument) && argument.isOutput)
  if (!enable && !eno) return run(given)
  const before = context.setsEno
  if (eno && !isBlock) context.setsEno = true
  const called = run(given.filter((argument) => argument !== enable && argument !== eno))
  context.setsEno = before
  const condition = enable?.operand ? readAs(context, enable.operand, Bool, enable.at, 'For EN') : undefined
  const { statements, value } = settled(context, called)
  const [outer, own] = [context.local(Bool), context.local(Bool)]
  // A block has an ENO of its own; errors in its arguments belong to the caller.
  const watched: Statement[] = isBlock
    ? [...statements, setLocal(own, { kind: 'calleeEno' })]
    : [
        setLocal(outer, { kind: 'eno' }),
        { kind: 'setEno', value: isTrue },
        ...statements,
        setLocal(own, { kind: 'eno' }),
        { kind: 'setEno', value: before ? and(local(Bool, outer), local(Bool, own)) : local(Bool, outer) },
      ]
  const done = eno ? watched : statements
  const all = condition
    ? [context.noted(when(condition, done, eno ? [setLocal(own, isFalse)] : []), enable!.at, 'EN')]
    : done
  const after = eno?.operand
    ? assign(context, eno.operand, { kind: 'result', type: Bool, expression: local(Bool, own) }, eno.at, eno.at)
    : []
  return { statements: [...all, ...after], ...(value ? { value } : {}) }
}

/** Moves the value of a call to a register, so that its statements compute it. */
function settled(context: BlockContext, { statements, value }: Called): Called {
  if (value?.kind !== 'result' || value.expression.kind === 'local') return { statements, ...(value ? { value } : {}) }
  const register = context.local(value.type)
  const expression: Expression = local(value.type, register)
  const isGiven = value.isGiven && context.local(Bool)
  const kept: Value = {
    kind: 'result',
    type: value.type,
    expression,
    ...(isGiven === undefined ? {} : { isGiven: local(Bool, isGiven) }),
  }
  const settle = [
    setLocal(register, value.expression),
    ...(isGiven !== undefined && value.isGiven ? [setLocal(isGiven, value.isGiven)] : []),
  ]
  return { statements: [...statements, ...settle], value: kept }
}
