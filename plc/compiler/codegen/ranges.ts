/**
 * Finds indices that cannot be outside their array, from the ranges of run variables and constants, and marks them:
 * they need no check. A check is three instructions at each access, and it prevents the engine from computing an
 * address only once.
 */
import type { BlockCode, Counter, Expression, Place, Statement } from '../../ir/ir.ts'
import { visitAll } from '../../ir/walk.ts'
import { rangeOf } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { type Rewriter, rewriteStatements } from './rewrite.ts'

type Range = readonly [low: bigint, high: bigint]
/** Ranges of registers: of run variables of the surrounding loops, and of earlier assignments. */
type Known = Map<number, Range>

/** Returns the block with the indices marked that need no check. */
export function withSafeIndices(block: BlockCode): BlockCode {
  return { ...block, body: mark(block.body, new Map()) }
}

/**
 * @param known the ranges before the statements; on return the ranges after them
 */
function mark(statements: readonly Statement[], known: Known): Statement[] {
  return statements.map((statement): Statement => {
    switch (statement.kind) {
      case 'loop':
        return markLoop(statement, known)
      case 'group': {
        const own = new Map(known)
        const body = mark(statement.body, own)
        keepCommon(known, [own])
        return { ...statement, body }
      }
      case 'if': {
        const marked = markOne(statement, known, ['condition'])
        const ends = [new Map(known), new Map(known)] as const
        const whenTrue = mark(statement.whenTrue, ends[0])
        const otherwise = mark(statement.otherwise, ends[1])
        keepCommon(known, ends)
        return { ...marked, whenTrue, otherwise }
      }
      case 'switch': {
        const marked = markOne(statement, known, ['selector'])
        const ends: Known[] = []
        const inner = (body: readonly Statement[]) => {
          const own = new Map(known)
          ends.push(own)
          return mark(body, own)
        }
        const branches = statement.branches.map((branch) => ({ ...branch, body: inner(branch.body) }))
        const otherwise = inner(statement.otherwise)
        keepCommon(known, ends)
        return { ...marked, branches, otherwise }
      }
      case 'sections':
        // A jump can lead from any section to any other.
        for (const local of assignments([statement]).keys()) known.delete(local)
        return { ...statement, sections: statement.sections.map((section) => mark(section, new Map(known))) }
      case 'setLocal': {
        const marked = rewritten(statement, known)
        const range = rangeOfExpression(statement.value, known)
        known.delete(statement.local)
        if (range && known.size < mostKnown) note(known, statement, range)
        return marked
      }
      default:
        return rewritten(statement, known)
    }
  })
}

/**
 * Limit of known ranges: maps of them are copied at every branch, and these are enough for blocks with many registers.
 */
const mostKnown = 64

function note(known: Known, { local, value }: Extract<Statement, { kind: 'setLocal' }>, [low, high]: Range): void {
  const all = 'type' in value ? whole(value.type) : undefined
  // A new array each time: `keepCommon` recognises assigned registers by it.
  if (all && (all[0] < low || high < all[1])) known.set(local, [low, high])
}

/** Keeps only the ranges that no branch has replaced. */
function keepCommon(known: Known, ends: readonly Known[]): void {
  for (const [local, range] of known) if (ends.some((end) => end.get(local) !== range)) known.delete(local)
}

type Loop = Extract<Statement, { kind: 'loop' }>

/**
 * Marks a loop with the ranges that are valid in its body, of its run variable and of those around it, and with its
 * largest number of rounds.
 */
function markLoop(loop: Loop, known: Known): Statement {
  const { body, counter, label } = loop
  const assigned = assignments(body)
  // A later round sees what an earlier one did.
  for (const local of assigned.keys()) known.delete(local)
  // When there is one assignment, it is the loop's own step.
  const range = counter && assigned.get(counter.local) === 1 ? counted(counter, known) : undefined
  const inner = new Map(known)
  if (counter && range) inner.set(counter.local, range)
  const marked = { ...loop, body: mark(body, inner) }
  if (!counter || !range || begins(body, label)) return marked
  const size = counter.step < 0n ? -counter.step : counter.step
  const rounds = (range[1] - range[0]) / size + 1n
  return rounds > mostCounted ? marked : { ...marked, atMost: Math.max(1, Number(rounds)) }
}

/**
 * Loops of more rounds than this check the watchdog in each round: rounds that are counted ahead must take far less
 * time than the interval between looks at the clock.
 */
export const mostCounted = 4096n

/** Whether a statement in the loop repeats it directly, without its step. */
function begins(statements: readonly Statement[], label: number): boolean {
  let found = false
  visitAll(statements, {
    statement(statement) {
      if (statement.kind === 'repeat' && statement.label === label) found = true
    },
  })
  return found
}

/**
 * Rewrites a statement without inner statements, except those in its expressions: registers that they assign are
 * unknown in all of its parts.
 */
function rewritten(statement: Statement, known: Known): Statement {
  if (known.size > 0) {
    const counts = assignments([statement])
    // The statement's own assignment happens at its end.
    if (statement.kind === 'setLocal' && counts.get(statement.local) === 1) counts.delete(statement.local)
    for (const local of counts.keys()) known.delete(local)
  }
  const [one] = rewriteStatements([statement], new PlaceMarker(known))
  return one ?? statement
}

class PlaceMarker implements Rewriter {
  readonly #known: Known

  constructor(known: Known) {
    this.#known = known
  }

  place(place: Place): Place {
    return markPlace(place, this.#known)
  }

  expression(expression: Expression): Expression {
    if (expression.kind === 'binary' && isSafeDivision(expression, this.#known)) return { ...expression, isSafe: true }
    return isExact(expression, this.#known) ? { ...expression, isExact: true } : expression
  }
}

/**
 * Whether a sum of narrow integers, or a conversion to one, is within its type without wrapping. Covers only
 * expressions of registers and similar parts: run variables and indices. Examining the operands of every sum again
 * would take long where sums are nested deep.
 */
function isExact(
  expression: Expression,
  known: Known,
): expression is Extract<Expression, { kind: 'binary' | 'convert' }> {
  if (expression.kind === 'convert') {
    const { from, type, operand, mode, setsEno } = expression
    if (mode !== 'value' || setsEno || type.bits >= 32 || !isWholeNumber(from) || !isSimple(operand)) return false
    return fits(rangeOfExpression(operand, known), type)
  }
  if (expression.kind !== 'binary') return false
  const { type, setsEno, left, right } = expression
  if (setsEno || type.bits >= 32 || !isSimple(left) || !isSimple(right)) return false
  return fits(exactRange(expression, known), type)
}

/** Whether the divisor, a register or similar, can be neither 0 nor -1. */
function isSafeDivision({ operator, type, right }: Extract<Expression, { kind: 'binary' }>, known: Known): boolean {
  if ((operator !== 'divide' && operator !== 'modulo') || type.family === 'real' || !isSimple(right)) return false
  const range = right.kind === 'constant' ? undefined : rangeOfExpression(right, known)
  return range !== undefined && (range[0] > 0n || range[1] < -1n)
}

function isSimple(expression: Expression): boolean {
  const inner = expression.kind === 'convert' ? expression.operand : expression
  return inner.kind === 'local' || inner.kind === 'constant' || inner.kind === 'load'
}

function isWholeNumber({ family }: ScalarType): boolean {
  return family !== 'real' && family !== 'bool'
}

function fits(range: Range | undefined, type: ScalarType): boolean {
  const all = whole(type)
  return range !== undefined && all !== undefined && within(range, all)
}

/** Marks the expression of a statement that also has bodies, which are marked separately. */
function markOne<S extends Statement, K extends keyof S>(statement: S, known: Known, [key]: readonly [K]): S {
  const probe: Statement = { kind: 'setEno', value: statement[key] as Expression }
  const done = rewritten(probe, known) as Extract<Statement, { kind: 'setEno' }>
  return { ...statement, [key]: done.value }
}

function markPlace(place: Place, known: Known): Place {
  if (place.indices.length === 0) return place
  let isMarked = false
  const indices = place.indices.map((index) => {
    const { value, low, high } = index
    if (typeof low !== 'number' || typeof high !== 'number') return index
    const range = rangeOfExpression(value, known)
    if (!range || BigInt(low) > range[0] || range[1] > BigInt(high)) return index
    isMarked = true
    return { ...index, isSafe: true }
  })
  return isMarked ? { ...place, indices } : place
}

function counted({ from, to, step }: Counter, known: Known): Range | undefined {
  const [first, last] = [rangeOfExpression(from, known), rangeOfExpression(to, known)]
  if (!first || !last) return undefined
  return step > 0n ? [first[0], last[1]] : [last[0], first[1]]
}

/** Counts the assignments of each register. */
function assignments(statements: readonly Statement[]): Map<number, number> {
  const counts = new Map<number, number>()
  const count = (local: number) => counts.set(local, (counts.get(local) ?? 0) + 1)
  visitAll(statements, {
    statement(statement) {
      if (statement.kind === 'setLocal') count(statement.local)
      else if (statement.kind === 'call') for (const local of statement.results) count(local)
    },
  })
  return counts
}

/** The range of an integer expression; `undefined` for any other. */
function rangeOfExpression(expression: Expression, known: Known): Range | undefined {
  switch (expression.kind) {
    case 'constant':
      return typeof expression.value === 'bigint' ? [expression.value, expression.value] : undefined
    case 'local':
      return known.get(expression.local) ?? whole(expression.type)
    case 'load':
      return whole(expression.type)
    case 'convert': {
      const range = rangeOfExpression(expression.operand, known)
      const all = whole(expression.type)
      return isWholeNumber(expression.from) && range && all && within(range, all) ? range : all
    }
    case 'binary':
      return rangeOfBinary(expression, known)
    default:
      return 'type' in expression ? whole(expression.type) : undefined
  }
}

function rangeOfBinary(expression: Extract<Expression, { kind: 'binary' }>, known: Known): Range | undefined {
  const all = whole(expression.type)
  const exact = all && exactRange(expression, known)
  // A result that does not fit wraps.
  return exact && within(exact, all) ? exact : all
}

/** The range of the result before it wraps; `undefined` where it is not known. */
function exactRange(
  { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
  known: Known,
): Range | undefined {
  const [a, b] = [rangeOfExpression(left, known), rangeOfExpression(right, known)]
  if (!a || !b) return undefined
  switch (operator) {
    case 'add':
      return [a[0] + b[0], a[1] + b[1]]
    case 'subtract':
      return [a[0] - b[1], a[1] - b[0]]
    case 'multiply': {
      const products = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]]
      return [products.reduce((x, y) => (x < y ? x : y)), products.reduce((x, y) => (x > y ? x : y))]
    }
    case 'modulo': {
      // The result has the sign of the dividend and is smaller than the divisor; division by zero gives 0.
      if (b[0] <= 0n) return undefined
      return [a[0] < 0n ? 1n - b[1] : 0n, a[1] > 0n ? b[1] - 1n : 0n]
    }
    case 'divide':
      return b[0] === b[1] && b[0] > 0n ? [a[0] / b[0], a[1] / b[0]] : undefined
    case 'minimum':
      return [a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]]
    case 'maximum':
      return [a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]]
    case 'and':
      return b[0] === b[1] && b[0] >= 0n && a[0] >= 0n ? [0n, b[0]] : undefined
    default:
      return undefined
  }
}

function whole(type: ScalarType | 'address'): Range | undefined {
  return type === 'address' ? undefined : rangeOf(type)
}

function within([low, high]: Range, [from, to]: Range): boolean {
  return from <= low && high <= to
}
