/**
 * Replaces a conditional assignment of a simple value by an unconditional one: `IF c THEN x := y; END_IF` becomes
 * `x := SEL(c, x, y)`, which engines compile without a branch. A branch that is predicted wrongly costs as much as
 * twenty such assignments, one that is predicted rightly saves at most two.
 *
 * An assignment that would not have been made writes the value that is there. Nobody sees the difference: interrupts
 * come at safe points only, and readers from outside at scan boundaries.
 */
import type { BlockCode, Expression, Place, Statement } from '../../ir/ir.ts'
import type { ScalarType } from '../../program/type.ts'
import { rewriteStatements } from './rewrite.ts'

/** Largest number of parts of a value that is worked out although it may not be needed. */
const mostParts = 5

/** Returns the block with such assignments replaced. */
export function withSelects(block: BlockCode): BlockCode {
  const body = rewriteStatements(block.body, {
    statement: (statement) => [selectOf(statement, block.locals) ?? statement],
  })
  return { ...block, body }
}

type Assignment = Extract<Statement, { kind: 'store' | 'setLocal' }>

function selectOf(statement: Statement, locals: BlockCode['locals']): Statement | undefined {
  if (statement.kind !== 'if') return undefined
  const { condition, whenTrue, otherwise } = statement
  const [one] = whenTrue
  const [other] = otherwise
  if (whenTrue.length !== 1 || otherwise.length > 1 || !isAssignment(one) || !isPlain(condition)) return undefined
  const before = targetOf(one, locals)
  // Engines select numbers with a fraction by a branch.
  if (before === undefined || before.type === 'address' || before.type.family === 'real') return undefined
  const { type } = before
  let unchanged: Expression = before.value
  if (other !== undefined) {
    if (!isAssignment(other) || !isSameTarget(one, other)) return undefined
    unchanged = other.value
  }
  if (partsOf(one.value) + partsOf(unchanged) > mostParts) return undefined
  return { ...one, value: { kind: 'select', type, condition, whenTrue: one.value, otherwise: unchanged } }
}

function isAssignment(statement: Statement | undefined): statement is Assignment {
  return statement?.kind === 'store' || statement?.kind === 'setLocal'
}

/** The value and the type of what is assigned to; `undefined` when reading it is not simple. */
function targetOf(
  one: Assignment,
  locals: BlockCode['locals'],
): { readonly value: Expression; readonly type: ScalarType | 'address' } | undefined {
  if (one.kind === 'store')
    return isFixed(one.place)
      ? { value: { kind: 'load', type: one.type, place: one.place }, type: one.type }
      : undefined
  const type = locals[one.local]
  return type && { value: { kind: 'local', type, local: one.local }, type }
}

function isSameTarget(one: Assignment, other: Assignment): boolean {
  if (one.kind === 'setLocal') return other.kind === 'setLocal' && one.local === other.local
  if (other.kind !== 'store' || one.type !== other.type || !isFixed(other.place)) return false
  const [a, b] = [one.place, other.place]
  return a.offset === b.offset && a.isStandard === b.isStandard && isSameBase(a, b)
}

function isSameBase({ base: a }: Place, { base: b }: Place): boolean {
  if (a.kind === 'block') return b.kind === 'block' && a.block === b.block
  if (a.kind === 'area') return b.kind === 'area' && a.area === b.area
  return a.kind === b.kind
}

/** Whether the address is known when the block begins. A bit of a byte costs more than its branch. */
function isFixed({ base, bit, indices }: Place): boolean {
  return base.kind !== 'pointer' && bit === undefined && indices.length === 0
}

const simpleOperators = new Set(['add', 'subtract', 'and', 'or', 'xor'])
const comparisons = new Set(['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual'])

/** Number of parts of a value that has no effect and takes little time; infinite for any other. */
function partsOf(value: Expression): number {
  switch (value.kind) {
    case 'constant':
    case 'local':
      return 1
    case 'load':
      return isFixed(value.place) ? 1 : Number.POSITIVE_INFINITY
    case 'unary':
      return value.operator === 'not' ? 1 + partsOf(value.operand) : Number.POSITIVE_INFINITY
    case 'binary':
      return !value.setsEno && value.type.family !== 'real' && isSimple(value.operator)
        ? 1 + partsOf(value.left) + partsOf(value.right)
        : Number.POSITIVE_INFINITY
    case 'convert':
      return value.mode === 'value' && !value.setsEno && value.from.family !== 'real' && value.type.family !== 'real'
        ? 1 + partsOf(value.operand)
        : Number.POSITIVE_INFINITY
    default:
      return Number.POSITIVE_INFINITY
  }
}

function isSimple(operator: string): boolean {
  return simpleOperators.has(operator) || comparisons.has(operator)
}

/** Whether working out the condition changes nothing: it comes after the values in a selection. */
function isPlain(condition: Expression): boolean {
  switch (condition.kind) {
    case 'constant':
    case 'local':
    case 'now':
      return true
    case 'load':
      return (
        condition.place.base.kind !== 'pointer' &&
        condition.place.indices.every(({ value, isSafe }) => isSafe === true && isPlain(value))
      )
    case 'unary':
    case 'convert':
      return condition.setsEno !== true && isPlain(condition.operand)
    case 'binary':
      return !condition.setsEno && isPlain(condition.left) && isPlain(condition.right)
    case 'select':
      return isPlain(condition.condition) && isPlain(condition.whenTrue) && isPlain(condition.otherwise)
    default:
      return false
  }
}
