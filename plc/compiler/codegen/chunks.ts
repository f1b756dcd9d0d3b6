/**
 * Lets loops whose number of rounds is only known at run time count them ahead, many at once: counting in memory in
 * each round takes as long as a short body. A loop becomes a loop around a loop: the outer one counts rounds with the
 * watchdog, and the inner one runs them without a look. A FOR knows how many are left. WHILE and REPEAT count 8, then
 * 16 and so on, so that a loop counts at most twice what it runs, and 8.
 */
import { binary, constant, convert, local, not, setLocal } from '../../ir/build.ts'
import type { BlockCode, Expression, Statement } from '../../ir/ir.ts'
import { visitAll } from '../../ir/walk.ts'
import { DInt } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { mostCounted } from './ranges.ts'
import { isPureRoutine, rewriteStatements } from './rewrite.ts'

type Loop = Extract<Statement, { kind: 'loop' }>
type Local = Extract<Expression, { kind: 'local' }>

/** Returns the block with its loops in chunks. Must be the last pass. */
export function withChunks(block: BlockCode): BlockCode {
  const locals = [...block.locals]
  let next: number | undefined
  const body = rewriteStatements(block.body, {
    statement(statement) {
      if (statement.kind !== 'loop' || statement.atMost !== undefined) return [statement]
      const loop = forLoopOf(statement)
      if (loop === undefined && !isInnermost(statement)) return [statement]
      next ??= firstFreeLabel(block.body)
      return loop ? chunked(loop, locals, next++) : blocked(statement, locals, next++)
    },
  })
  return next === undefined ? block : { ...block, locals, body }
}

/** A FOR loop that counts up or down by a constant, with its last three statements: step, assignment, end. */
interface ForLoop {
  readonly loop: Loop
  readonly step: bigint
  /** The run variable, as wide as the sums. */
  readonly run: Expression
  readonly sum: Local
  readonly end: Local
  readonly wide: ScalarType
  /** Sets the run variable to the sum. */
  readonly put: Extract<Statement, { kind: 'setLocal' }>
}

/** Finds the parts of a FOR loop whose body leaves its run variable alone (compiler/lower/scl-loops.ts). */
function forLoopOf(loop: Loop): ForLoop | undefined {
  const { body, step, label } = loop
  if (step === undefined) return undefined
  const [add, put, last] = body.slice(-3)
  if (add?.kind !== 'setLocal' || put?.kind !== 'setLocal' || last?.kind !== 'if') return undefined
  const [leave] = last.whenTrue
  if (leave?.kind !== 'leave' || leave.label !== label || last.whenTrue.length > 1) return undefined
  if (last.condition.kind !== 'unary' || last.condition.operator !== 'not') return undefined
  const { operand } = last.condition
  if (operand.kind !== 'binary' || operand.operator !== (step > 0n ? 'lessOrEqual' : 'greaterOrEqual')) return undefined
  const { left: sum, right: end, type: wide } = operand
  if (sum.kind !== 'local' || sum.local !== add.local || end.kind !== 'local') return undefined
  if (add.value.kind !== 'binary' || add.value.operator !== 'add') return undefined
  const run = add.value.left
  const inner = run.kind === 'convert' ? run.operand : run
  if (inner.kind !== 'local' || inner.local !== put.local || inner.type === 'address') return undefined
  if (isChanged(loop, put.local) || wide.bits <= inner.type.bits) return undefined
  if (put.value.kind !== 'convert' || put.value.mode !== 'value' || put.value.setsEno) return undefined
  return { loop, step, run, sum, end, wide, put }
}

/** Whether the body assigns the run variable too, or starts a round without the step. */
function isChanged({ body, label }: Loop, run: number): boolean {
  let count = 0
  visitAll(body, {
    statement(statement) {
      if (statement.kind === 'setLocal' && statement.local === run) count++
      else if (statement.kind === 'call' && statement.results.includes(run)) count++
      else if (statement.kind === 'repeat' && statement.label === label) count = 2
    },
  })
  return count !== 1
}

function chunked(
  { loop, step, run, sum, end, wide, put }: ForLoop,
  locals: BlockCode['locals'][number][],
  label: number,
) {
  const isUp = step > 0n
  const size = isUp ? step : -step
  const [last, rounds] = [locals.push(wide) - 1, locals.push(DInt) - 1]
  const distance = isUp ? binary('subtract', wide, end, run) : binary('subtract', wide, run, end)
  const span = constant(wide, (mostCounted - 1n) * size)
  const steps = size === 1n ? distance : binary('divide', wide, distance, constant(wide, size))
  const least = binary('minimum', wide, steps, constant(wide, mostCounted - 1n))
  const count = setLocal(rounds, binary('add', DInt, convert(least, wide, DInt), constant(DInt, 1n)))
  const setLast = setLocal(last, {
    kind: 'select',
    type: wide,
    condition: binary('greater', wide, distance, span),
    whenTrue: binary(isUp ? 'add' : 'subtract', wide, run, span),
    otherwise: end,
  })
  const isInside = binary(isUp ? 'lessOrEqual' : 'greaterOrEqual', wide, sum, local(wide, last))
  const exit: Statement = {
    kind: 'if',
    condition: not(isInside),
    whenTrue: [{ kind: 'leave', label }],
    otherwise: [],
    site: loop.site,
  }
  const { safePoint: _, ...bare } = loop
  // A sum up to `last` is within the type of the run variable; the one that ends the chunk may wrap.
  const exact: Statement = { ...put, value: put.value.kind === 'convert' ? { ...put.value, isExact: true } : put.value }
  const inner: Statement = { ...bare, label, atMost: 0, body: [...loop.body.slice(0, -2), exit, exact] }
  const outer: Statement = { ...loop, rounds, body: [setLast, inner, put, loop.body.at(-1) as Statement, count] }
  return [count, outer]
}

const blockSizes = { first: 8n, most: 1024n } as const

const longStatements: ReadonlySet<Statement['kind']> = new Set(['loop', 'sections', 'call', 'routine'])

/** Whether a loop is short in code: without other loops, calls and direct starts of its next round. */
function isInnermost({ body, label }: Loop): boolean {
  let isShort = true
  visitAll(body, {
    expression(expression) {
      if (expression.kind === 'routine' && !isPureRoutine(expression.routine)) isShort = false
    },
    statement(statement) {
      if (longStatements.has(statement.kind) || (statement.kind === 'repeat' && statement.label === label))
        isShort = false
    },
  })
  return isShort
}

function blocked(loop: Loop, locals: BlockCode['locals'][number][], label: number): Statement[] {
  const [left, rounds] = [locals.push(DInt) - 1, locals.push(DInt) - 1]
  const number = (value: bigint) => constant(DInt, value)
  const isOver: Statement = {
    kind: 'if',
    condition: binary('equal', DInt, local(DInt, left), number(0n)),
    whenTrue: [{ kind: 'leave', label }],
    otherwise: [],
    site: loop.site,
  }
  const count = setLocal(left, binary('subtract', DInt, local(DInt, left), number(1n)))
  const { safePoint: _, ...bare } = loop
  const inner: Statement = { ...bare, label, atMost: 0, body: [isOver, count, ...loop.body] }
  const twice = binary('add', DInt, local(DInt, rounds), local(DInt, rounds))
  const grow = setLocal(rounds, binary('minimum', DInt, twice, number(blockSizes.most)))
  const outer: Statement = { ...loop, rounds, body: [setLocal(left, local(DInt, rounds)), grow, inner] }
  return [setLocal(rounds, number(blockSizes.first)), outer]
}

function firstFreeLabel(body: readonly Statement[]): number {
  let most = -1
  visitAll(body, {
    statement(statement) {
      if ('label' in statement) most = Math.max(most, statement.label)
    },
  })
  return most + 1
}
