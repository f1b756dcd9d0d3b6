/**
 * Searches for values of variables that make a condition TRUE or FALSE. It follows the operators of the condition down
 * to the comparisons. For each comparison it tries the constants of the condition and their neighbours, then the limits
 * of the types and the point where both sides are equal. It does not find every solution, but each answer is correct,
 * because it has been evaluated.
 */
import type { DataType } from '../../../plc/model/data-type.ts'
import { assignedValue, type Effort, type Environment, isTrue, TooMuchEffort } from '../expressions/evaluate.ts'
import type { Expression, VariableNode } from '../expressions/expression.ts'
import { isComparison } from '../expressions/type-rules.ts'
import { fitted, rangeOfType, Unpredictable, type Value } from '../expressions/value.ts'

/** Values by the key of their variable. */
export type Values = ReadonlyMap<string, Value>

/** The variables of a condition, and which of them may be chosen. */
export interface Question {
  readonly condition: Expression
  readonly want: boolean
  readonly env: Environment
  keyOf(variable: VariableNode): string
  isFree(variable: VariableNode): boolean
}

/** Maximum number of nodes evaluated in one search. */
const effortOfSearch = 2_000_000
/** Maximum number of candidates of one comparison that are tried together with the rest of the condition. */
const mostCandidates = 24

/**
 * Finds values to write so that the condition has the wanted value; an empty map when it already has it.
 * @param budget effort of all searches together; one search uses a part of it
 * @returns undefined when nothing was found
 */
export function solve(question: Question, budget: Effort): Values | undefined {
  const effort = { left: Math.min(effortOfSearch, budget.left) }
  const before = effort.left
  try {
    const search = new Search(question, effort)
    for (const values of search.solutions(question.condition, question.want, new Map()))
      if (search.holds(question.condition, question.want, values)) return values
    return undefined
  } catch (error) {
    if (error instanceof TooMuchEffort) return undefined
    throw error
  } finally {
    budget.left -= before - Math.max(0, effort.left)
  }
}

class Search {
  readonly #question: Question
  readonly #effort: Effort
  readonly #constants: readonly Expression[]

  constructor(question: Question, effort: Effort) {
    this.#question = question
    this.#effort = effort
    this.#constants = constantsOf(question.condition)
  }

  holds(node: Expression, want: boolean, values: Values): boolean {
    try {
      return isTrue(node, this.#with(values), this.#effort) === want
    } catch (error) {
      if (error instanceof Unpredictable) return false
      throw error
    }
  }

  *solutions(node: Expression, want: boolean, values: Values): Generator<Values> {
    if (this.holds(node, want, values)) yield values
    if (node.kind === 'bool') return
    if (node.kind === 'variable') {
      if (this.#canSet(node, values)) yield this.#set(values, node, want)
      return
    }
    if (node.kind === 'unary') {
      if (node.operator === 'NOT') yield* this.solutions(node.operand, !want, values)
      return
    }
    if (node.kind !== 'binary') return
    const { operator, left, right } = node
    if (operator === 'AND' || operator === 'OR') {
      if (want === (operator === 'AND')) yield* this.#both(left, want, right, want, values)
      else {
        yield* this.solutions(left, want, values)
        yield* this.solutions(right, want, values)
      }
      return
    }
    const isEqual = operator === '='
    if (operator === 'XOR' || ((isEqual || operator === '<>') && this.#isBool(left))) {
      const isSame = isEqual === want
      for (const first of [true, false]) yield* this.#both(left, first, right, isSame ? first : !first, values)
      return
    }
    if (isComparison(operator)) yield* this.#comparison(node, want, values)
  }

  *#both(left: Expression, a: boolean, right: Expression, b: boolean, values: Values): Generator<Values> {
    let tried = 0
    for (const first of this.solutions(left, a, values)) {
      // The right side may only choose variables that the left side has not chosen.
      yield* this.solutions(right, b, first)
      if (++tried >= mostCandidates) return
    }
  }

  #isBool(node: Expression): boolean {
    if (node.kind === 'bool') return true
    if (node.kind === 'variable') return this.#question.env.typeOf(node).family === 'bool'
    if (node.kind === 'literal') return node.literal.kind === 'typed' && node.literal.type.family === 'bool'
    if (node.kind === 'unary') return node.operator === 'NOT' && this.#isBool(node.operand)
    if (isComparison(node.operator)) return true
    return (node.operator === 'AND' || node.operator === 'OR' || node.operator === 'XOR') && this.#isBool(node.left)
  }

  *#comparison(node: Extract<Expression, { kind: 'binary' }>, want: boolean, values: Values): Generator<Values> {
    const free = this.#freeIn(node, values)
    for (const variable of free)
      for (const value of this.#candidates(variable, node, values)) {
        const next = this.#set(values, variable, value)
        if (this.holds(node, want, next)) yield next
      }
    // Two variables at once, for example for a product that must exceed a limit.
    for (const [i, first] of free.entries())
      for (const second of free.slice(i + 1))
        for (const a of this.#candidates(first, node, values)) {
          const half = this.#set(values, first, a)
          for (const b of this.#candidates(second, node, half)) {
            const next = this.#set(half, second, b)
            if (this.holds(node, want, next)) yield next
          }
        }
  }

  /** Candidate values, the most likely first. */
  *#candidates(
    variable: VariableNode,
    { left, right }: Extract<Expression, { kind: 'binary' }>,
    values: Values,
  ): Generator<Value> {
    const type = this.#question.env.typeOf(variable)
    const seen = new Set<Value>()
    const fresh = (value: Value | undefined): value is Value => {
      if (value === undefined || seen.has(value)) return false
      seen.add(value)
      return true
    }
    const env = this.#with(values)
    for (const node of [left, right, ...this.#constants]) {
      const base = this.#valueIn(node, type, env)
      if (base === undefined) continue
      for (const value of neighbours(base, type)) if (fresh(value)) yield value
    }
    for (const value of usualValues(type)) if (fresh(value)) yield value
    for (const value of this.#meetings(variable, left, right, type, values)) if (fresh(value)) yield value
  }

  /** Values of one variable, moved over its range, at which the two sides are equal or their order changes. */
  *#meetings(variable: VariableNode, left: Expression, right: Expression, type: DataType, values: Values) {
    const order = (value: Value): number | undefined => {
      const env = this.#with(this.#set(values, variable, value))
      const side = { kind: 'binary', left, right, at: 0 } as const
      try {
        if (isTrue({ ...side, operator: '=' }, env, this.#effort)) return 0
        return isTrue({ ...side, operator: '<' }, env, this.#effort) ? -1 : 1
      } catch (error) {
        if (error instanceof Unpredictable) return undefined
        throw error
      }
    }
    const points = samples(type)
    let last: { value: Value; order: number } | undefined
    for (const value of points) {
      const here = order(value)
      if (here === undefined) continue
      if (last && last.order !== here) yield* crossing(last, { value, order: here }, order, type)
      last = { value, order: here }
    }
  }

  #valueIn(node: Expression, type: DataType, env: Environment): Value | undefined {
    const rounded = roundedValue(node, type)
    if (rounded !== undefined) return rounded
    try {
      const value = assignedValue(node, type, env, this.#effort)
      // The other side may have a different kind of value than the variable.
      return typeof value === typeof usualValues(type)[0] ? value : undefined
    } catch (error) {
      if (error instanceof Unpredictable) return undefined
      throw error
    }
  }

  #freeIn(node: Expression, values: Values): VariableNode[] {
    const found = new Map<string, VariableNode>()
    for (const variable of variablesIn(node))
      if (this.#canSet(variable, values)) found.set(this.#question.keyOf(variable), variable)
    return [...found.values()]
  }

  #canSet(variable: VariableNode, values: Values): boolean {
    return this.#question.isFree(variable) && !values.has(this.#question.keyOf(variable))
  }

  #set(values: Values, variable: VariableNode, value: Value): Values {
    return new Map(values).set(this.#question.keyOf(variable), value)
  }

  #with(values: Values): Environment {
    const { env, keyOf } = this.#question
    return {
      typeOf: (variable) => env.typeOf(variable),
      valueOf: (variable) => values.get(keyOf(variable)) ?? env.valueOf(variable),
    }
  }
}

/** The variables of an expression, repeated as often as they occur. */
export function* variablesIn(node: Expression): Generator<VariableNode> {
  if (node.kind === 'variable') yield node
  else if (node.kind === 'unary') yield* variablesIn(node.operand)
  else if (node.kind === 'binary') {
    yield* variablesIn(node.left)
    yield* variablesIn(node.right)
  }
}

function constantsOf(node: Expression): Expression[] {
  if (node.kind === 'literal') return [node]
  if (node.kind === 'unary') return node.operand.kind === 'literal' ? [node, node.operand] : constantsOf(node.operand)
  return node.kind === 'binary' ? [...constantsOf(node.left), ...constantsOf(node.right)] : []
}

/** Rounds a fraction down, for integers that are compared with fractions. */
function roundedValue(node: Expression, type: DataType): Value | undefined {
  const [sign, inner] = node.kind === 'unary' && node.operator === '-' ? [-1, node.operand] : [1, node]
  if (inner.kind !== 'literal' || inner.literal.kind !== 'real' || type.range === undefined) return undefined
  const whole = BigInt(Math.floor(sign * inner.literal.value))
  return whole >= type.range[0] && whole <= type.range[1] ? whole : undefined
}

function attempt(value: Value, type: DataType): Value[] {
  try {
    return [fitted(value, type)]
  } catch (error) {
    if (error instanceof Unpredictable) return []
    throw error
  }
}

/** The value and its direct neighbours. */
function neighbours(value: Value, type: DataType): Value[] {
  if (typeof value === 'bigint') {
    const step = type.name === 'S5Time' ? 10n : 1n
    return [value, value + step, value - step].flatMap((one) => attempt(one, type))
  }
  if (typeof value === 'number') {
    const step = Math.max(Math.abs(value) * (type.bits === 32 ? 1e-6 : 1e-12), type.bits === 32 ? 1e-30 : 1e-200)
    return [value, value + 1, value - 1, value + step, value - step].flatMap((one) => attempt(one, type))
  }
  if (typeof value === 'string') {
    if (type.family === 'character') {
      const code = value.charCodeAt(0)
      return [code, code + 1, code - 1]
        .filter((one) => one >= 0 && one < (type.bits === 16 ? 65_536 : 256))
        .map((one) => String.fromCharCode(one))
    }
    return [value, `${value}a`, value.slice(0, -1)].flatMap((one) => attempt(one, type))
  }
  return [value, !value]
}

function usualValues(type: DataType): Value[] {
  switch (type.family) {
    case 'bool':
      return [true, false]
    case 'real':
      return [0, 1, -1, 100, -100, 1e6, -1e6, 1e30, -1e30]
    case 'character':
      return ['A', ' ', 'z', '\u0000']
    case 'string':
      return ['A', '', 'zz']
    default: {
      const [low, high] = rangeOfType(type)!
      return [low, high, 0n, 1n, -1n, 2n]
        .filter((value) => value >= low && value <= high)
        .flatMap((one) => attempt(one, type))
    }
  }
}

/** Points over the range of a type, in order. */
function samples(type: DataType): Value[] {
  if (type.family === 'real') {
    const powers = [30, 20, 12, 9, 6, 4, 3, 2, 1, 0, -2, -4, -8].map((power) => 10 ** power)
    return [...powers.map((power) => -power), 0, ...powers.reverse()].flatMap((one) => attempt(one, type))
  }
  const range = rangeOfType(type)
  if (!range || type.name === 'S5Time') return []
  const [low, high] = range
  const found = new Set<bigint>([low, high])
  for (let power = 1n; power <= high || -power >= low; power *= 4n)
    for (const value of [power, -power]) if (value > low && value < high) found.add(value)
  if (low <= 0n) found.add(0n)
  return [...found].sort((a, b) => (a < b ? -1 : 1))
}

interface Point {
  readonly value: Value
  readonly order: number
}

/** Bisects between two points until they are adjacent, and yields both. */
function* crossing(
  from: Point,
  to: Point,
  order: (value: Value) => number | undefined,
  type: DataType,
): Generator<Value> {
  let [low, high] = [from, to]
  for (let i = 0; i < 80; i++) {
    const [a, b] = [low.value, high.value]
    const middle = typeof a === 'bigint' && typeof b === 'bigint' ? (a + b) / 2n : ((a as number) + (b as number)) / 2
    const [value] = attempt(middle, type)
    if (value === undefined || value === a || value === b) break
    const here = order(value)
    if (here === undefined) break
    if (here === low.order) low = { value, order: here }
    else high = { value, order: here }
  }
  yield high.value
  yield low.value
}
