/**
 * What the rules of one block need to know while it is lowered: the ranges of run variables, and which instances are
 * called on which branch.
 */
import type { Expression } from '../../../ir/ir.ts'
import type { SourceRange } from '../source-range.ts'

/** The least and the greatest value, both included. */
export type Interval = readonly [low: bigint, high: bigint]

/** Statements that run together: the body of the block, or a branch of a statement in it. */
export interface Branch {
  readonly parent?: Branch
  /** A statement in it leaves the block, a loop or the branch: what follows does not run together with it. */
  leaves: boolean
}

/** Where the source reads or assigns a variable, or calculates a value. */
export interface NotedPlace {
  /** The variable as it is written. */
  readonly text: string
  readonly at: SourceRange & { readonly network: number }
}

/** A call of an instance. */
export interface InstanceCall {
  /** The instance as it is written. */
  readonly instance: string
  /** The instruction, for timers, counters and edges: two calls of one instance are a mistake. */
  readonly instruction: string | undefined
  readonly branch: Branch
  readonly at: SourceRange & { readonly network: number }
}

/** A call of a timer, under whatever condition. */
export interface TimerCall extends Pick<InstanceCall, 'instance' | 'at'> {
  readonly instruction: string
}

export class Watch {
  /** Ranges of run variables of FOR loops whose every round reaches the current statement, by `variableKey`. */
  ranges: Map<string, Interval> = new Map()
  branch: Branch = { leaves: false }
  /** Jumps may leave out any statement. */
  hasJumps = false
  readonly calls: InstanceCall[] = []
  readonly timers: TimerCall[] = []
  /** Places of what the source itself reads, assigns and calculates, by the node of the intermediate form. */
  readonly places = new WeakMap<object, NotedPlace>()
  /** Reads that only keep the other bits of a value that gets some of them: no use of its value. */
  readonly kept = new WeakSet<Expression>()
  /** Names of members that are accessed by a path, in lower case. */
  readonly members = new Set<string>()

  /** Runs work on statements that a condition may leave out. */
  inBranch<T>(work: () => T): T {
    const { branch, ranges } = this
    this.branch = { parent: branch, leaves: false }
    this.ranges = new Map()
    const result = work()
    this.branch = branch
    this.ranges = ranges
    return result
  }
}

/** Identifies a variable whose place is known when the block is compiled; `undefined` for others. */
export function variableKey(expression: Expression): string | undefined {
  if (expression.kind === 'local') return `${expression.local}`
  if (expression.kind !== 'load' || expression.place.indices.length > 0) return undefined
  const { base, offset, bit } = expression.place
  const { kind } = base
  if (kind === 'pointer') return undefined
  return JSON.stringify([base, offset, bit])
}

/** The values that an expression of run variables and constants takes; `undefined` when they are not known. */
export function intervalOf(expression: Expression, ranges: ReadonlyMap<string, Interval>): Interval | undefined {
  if (ranges.size === 0) return undefined
  switch (expression.kind) {
    case 'constant': {
      const { value } = expression
      return typeof value === 'bigint' ? [value, value] : undefined
    }
    case 'local':
    case 'load':
      return ranges.get(variableKey(expression) ?? '')
    case 'convert':
      return intervalOf(expression.operand, ranges)
    case 'binary': {
      const { operator } = expression
      if (operator !== 'add' && operator !== 'subtract' && operator !== 'multiply') return undefined
      const a = intervalOf(expression.left, ranges)
      const b = a && intervalOf(expression.right, ranges)
      if (!a || !b) return undefined
      const all = a.flatMap((x) => b.map((y) => (operator === 'add' ? x + y : operator === 'subtract' ? x - y : x * y)))
      return [all.reduce((x, y) => (x < y ? x : y)), all.reduce((x, y) => (x > y ? x : y))]
    }
    default:
      return undefined
  }
}
