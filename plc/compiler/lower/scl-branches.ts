/** Lowers IF with its ELSIF branches. */
import type { Expression as IrExpression, Statement as IrStatement } from '../../ir/ir.ts'
import type { Expression, If, IfBranch, Statement } from '../../languages/scl/syntax.ts'
import type { BlockContext } from './block-context.ts'
import type { SourceRange } from './source-range.ts'

/** What the lowering of a block gives for its branches. */
export interface BranchTools {
  condition(node: Expression): { readonly value: IrExpression; readonly before: readonly IrStatement[] }
  range(node: Expression | IfBranch): SourceRange
  /** The bytes that record whether a condition was TRUE and FALSE; none where the execution is not recorded. */
  outcomes(at: SourceRange): readonly (number | undefined)[]
  /** Lowers what a byte records. */
  branch(byte: number | undefined, lower: () => IrStatement[]): IrStatement[]
  body(statements: readonly Statement[]): IrStatement[]
}

/** Branches that are lowered as IF inside ELSE: each takes a part of the stack. */
const mostNested = 64

export function lowerIf(context: BlockContext, statement: If, tools: BranchTools): IrStatement[] {
  return statement.branches.length > mostNested
    ? inOneGroup(context, statement, tools)
    : nested(context, statement, 0, tools)
}

function nested(context: BlockContext, statement: If, index: number, tools: BranchTools): IrStatement[] {
  const branch = statement.branches[index]
  if (!branch) return statement.otherwise ? tools.body(statement.otherwise) : []
  const { value: condition, before } = tools.condition(branch.condition)
  const { watch } = context
  const [taken, missed] = tools.outcomes(tools.range(branch.condition))
  const whenTrue = watch.inBranch(() => tools.branch(taken, () => tools.body(branch.body)))
  const otherwise = watch.inBranch(() => tools.branch(missed, () => nested(context, statement, index + 1, tools)))
  const at = tools.range(branch)
  const lowered: IrStatement = { kind: 'if', condition, whenTrue, otherwise, site: context.site(at) }
  return [...before, context.noted(lowered, at, index === 0 ? 'IF' : 'ELSIF')]
}

/** One branch after the other, in a group that each taken branch leaves. */
function inOneGroup(context: BlockContext, { branches, otherwise = [] }: If, tools: BranchTools): IrStatement[] {
  const { watch, probes } = context
  const label = context.label()
  const run = probes?.run
  const body: IrStatement[] = []
  const add = (branch: IfBranch) => {
    const { value: condition, before } = tools.condition(branch.condition)
    const [taken, missed] = tools.outcomes(tools.range(branch.condition))
    const whenTrue = watch.inBranch(() => tools.branch(taken, () => tools.body(branch.body)))
    const at = tools.range(branch)
    const left: IrStatement[] = [...whenTrue, { kind: 'leave', label }]
    const lowered: IrStatement = { kind: 'if', condition, whenTrue: left, otherwise: [], site: context.site(at) }
    body.push(...before, context.noted(lowered, at, branch === first ? 'IF' : 'ELSIF'))
    // What follows runs where the condition was FALSE.
    if (probes) probes.run = missed
    if (probes && missed !== undefined) body.push(probes.mark(missed))
  }
  const [first, ...others] = branches
  add(first as IfBranch)
  watch.inBranch(() => {
    for (const branch of others) add(branch)
    for (const one of tools.body(otherwise)) body.push(one)
  })
  if (probes) probes.run = run
  return [{ kind: 'group', label, body }]
}
