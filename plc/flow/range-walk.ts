/** Passes over the code of a block with the ranges that conditions and assignments give its variables. */
import type { Expression, Statement } from '../ir/ir.ts'
import { innerLists, type Visitor, visitAll, visitOwnExpressions } from '../ir/walk.ts'
import { placeKey, variableKey } from './guards.ts'
import {
  decided,
  type Interval,
  intervalOf,
  intervalOfType,
  joined,
  type Ranges,
  refined,
  withRange,
} from './intervals.ts'

/** What the walk finds. */
export interface RangeVisitor {
  /**
   * A condition whose value the ranges decide.
   * @param by what decides it: the condition beside it, or what came before
   */
  decided(node: Expression, value: boolean, by: 'beside' | 'before'): void
  /** Every expression, with the ranges of its variables. */
  expression(node: Expression, ranges: Ranges): void
}

/**
 * Walks over the body of a block.
 * @param isOfSource whether the source itself has a branch: tests that the compiler makes are no conditions
 */
export function walkRanges(
  body: readonly Statement[],
  visitor: RangeVisitor,
  isOfSource: (branching: Statement) => boolean,
): void {
  new Walk(visitor, isOfSource).list(body, new Map())
}

class Walk {
  readonly #visitor: RangeVisitor
  #ranges: Ranges = new Map()
  readonly #inside: Visitor
  readonly #isOfSource: (branching: Statement) => boolean

  constructor(visitor: RangeVisitor, isOfSource: (branching: Statement) => boolean) {
    this.#isOfSource = isOfSource
    this.#visitor = visitor
    this.#inside = {
      // Calls inside an expression: what they change is known no more.
      statement: (statement) => {
        this.#ranges = without(this.#ranges, assignedIn([statement]))
      },
      expression: (node) => {
        this.#visitor.expression(node, this.#ranges)
        if (node.kind === 'binary' && node.type.family === 'bool') this.#logic(node)
      },
    }
  }

  /** @returns the ranges behind the statements; `undefined` when nothing runs behind them */
  list(statements: readonly Statement[], before: Ranges): Ranges | undefined {
    let ranges: Ranges | undefined = before
    for (const statement of statements) {
      if (ranges === undefined) return undefined
      ranges = this.#statement(statement, ranges)
    }
    return ranges
  }

  #statement(statement: Statement, before: Ranges): Ranges | undefined {
    this.#ranges = before
    visitOwnExpressions(statement, this.#inside)
    const ranges = this.#ranges
    switch (statement.kind) {
      case 'if': {
        const { condition, whenTrue, otherwise } = statement
        if (this.#isOfSource(statement)) this.#leaf(condition, ranges, 'before')
        const one = this.list(whenTrue, refined(condition, true, ranges))
        const other = this.list(otherwise, refined(condition, false, ranges))
        return one && other ? common(one, other) : (one ?? other)
      }
      case 'switch': {
        const { selector, branches, otherwise } = statement
        const ends = branches.map(({ ranges: labels, body }) => {
          const chosen: Interval | undefined = labels
            .map(([low, high]) => ({ low: Number(low), high: Number(high) }))
            .reduce<Interval | undefined>((all, label) => (all ? joined(all, label) : label), undefined)
          return this.list(body, chosen ? withRange(selector, chosen, ranges) : ranges)
        })
        ends.push(this.list(otherwise, ranges))
        return ends.reduce((all, end) => (all && end ? common(all, end) : (all ?? end)), undefined)
      }
      case 'loop':
      case 'group':
      case 'sections': {
        const known = without(ranges, assignedIn([statement]))
        const isOnce = statement.kind === 'group'
        for (const list of innerLists(statement)) this.list(list, isOnce ? ranges : known)
        return known
      }
      case 'leave':
      case 'repeat':
      case 'goto':
      case 'return':
        return undefined
      case 'setLocal':
        return assigned(
          { kind: 'local', type: typeOf(statement.value), local: statement.local },
          statement.value,
          ranges,
        )
      case 'store':
        return assigned({ kind: 'load', type: statement.type, place: statement.place }, statement.value, ranges)
      default:
        return without(ranges, assignedIn([statement]))
    }
  }

  /** AND and OR: one side matters only where the other one has not decided. */
  #logic(node: Extract<Expression, { kind: 'binary' }>): void {
    const { operator, left, right } = node
    if (operator !== 'and' && operator !== 'or') return
    if (isLong(left)) return
    const ranges = this.#ranges
    this.#leaf(left, ranges, 'before')
    const beside = refined(left, operator === 'and', ranges)
    if (isComparing(right) && decided(right, ranges) === undefined) {
      const value = decided(right, beside)
      if (value === (operator === 'or')) this.#visitor.decided(right, value, 'beside')
    } else this.#leaf(right, ranges, 'before')
  }

  #leaf(node: Expression, ranges: Ranges, by: 'before'): void {
    if (!isLeaf(node)) return
    const value = decided(node, ranges)
    // By the range of its type alone: a rule of its own.
    if (value !== undefined && decided(node, new Map()) === undefined) this.#visitor.decided(node, value, by)
  }
}

/** Parts of a chain of AND or OR that are looked at together: each is compared with all before it. */
const longest = 64

function isLong(node: Expression): boolean {
  let at = node
  for (let i = 0; i < longest; i++) {
    if (at.kind !== 'binary') return false
    at = at.left
  }
  return true
}

/** `a OR NOT a` is a usual way to get TRUE: with a Bool nothing is compared. */
function isComparing(node: Expression): boolean {
  if (node.kind === 'unary') return isComparing(node.operand)
  return node.kind === 'binary' && isLeaf(node)
}

/** A condition that is not made of others. */
function isLeaf(node: Expression): boolean {
  if (node.kind === 'unary') return isLeaf(node.operand)
  return node.kind !== 'binary' || (node.operator !== 'and' && node.operator !== 'or')
}

function typeOf(node: Expression) {
  return 'type' in node ? node.type : 'address'
}

function assigned(variable: Expression, value: Expression, ranges: Ranges): Ranges {
  const key = variableKey(variable)
  if (key === undefined) return ranges
  const range = intervalOf(value, ranges)
  const own = 'type' in value && value.type !== 'address' ? intervalOfType(value.type) : undefined
  const isNews = range && own && (range.low > own.low || range.high < own.high)
  if (isNews) return withRange(variable, range, ranges)
  if (!ranges.has(key)) return ranges
  const rest = new Map(ranges)
  rest.delete(key)
  return rest
}

/** What holds behind both. */
function common(one: Ranges, other: Ranges): Ranges {
  if (one === other) return one
  const both = new Map<string, Interval>()
  for (const [key, range] of one) {
    const second = other.get(key)
    if (second !== undefined) both.set(key, joined(range, second))
  }
  return both
}

interface Assigned {
  readonly keys: ReadonlySet<string>
  /** Any variable that is no register may have changed. */
  readonly all: boolean
}

function assignedIn(statements: readonly Statement[]): Assigned {
  const keys = new Set<string>()
  let all = false
  visitAll(statements, {
    statement: (one) => {
      if (one.kind === 'setLocal') keys.add(`#${one.local}`)
      else if (one.kind === 'store') {
        const key = placeKey(one.place)
        if (key === undefined) all = true
        else keys.add(key)
      } else if (one.kind === 'call') {
        all = true
        for (const local of one.results) keys.add(`#${local}`)
      } else if (one.kind === 'copy' || one.kind === 'clear' || one.kind === 'routine') all = true
    },
  })
  return { keys, all }
}

function without(ranges: Ranges, { keys, all }: Assigned): Ranges {
  if (ranges.size === 0) return ranges
  const left = new Map([...ranges].filter(([key]) => !keys.has(key) && !(all && !key.startsWith('#'))))
  return left.size === ranges.size ? ranges : left
}
