/**
 * The control flow graph of a block in the intermediate form: steps without branches, and the ways between them. Made
 * in one pass; calls inside expressions, which may branch, are steps of their own.
 */
import type { Expression, Statement } from '../ir/ir.ts'
import { type Visitor, visitOwnExpressions } from '../ir/walk.ts'

export type Branching = Extract<Statement, { kind: 'if' | 'switch' }>
export type Loop = Extract<Statement, { kind: 'loop' }>
/** What is taken to run as a whole: a loop has a round, a branch that the compiler makes is no choice of the source. */
export type Whole = Loop | Branching

/** Why a way is taken: the outcome of an `if`, or a branch of a `switch` by its index (`undefined`: none of them). */
export type Outcome =
  | { readonly of: Extract<Statement, { kind: 'if' }>; readonly isTrue: boolean }
  | { readonly of: Extract<Statement, { kind: 'switch' }>; readonly branch: number | undefined }

export interface Way {
  readonly from: Step
  readonly to: Step
  readonly outcome?: Outcome
}

/** What is combined with a value by AND or OR: unless it is as `isTrue` says, the value does not matter. */
export interface Beside {
  readonly node: Expression
  readonly isTrue: boolean
  /** What the combination is combined with. */
  readonly around?: Beside
}

/** What happens in a step, in the order of evaluation: expressions that are read, statements when they take effect. */
export type FlowEvent =
  | { readonly kind: 'read'; readonly node: Expression; readonly beside?: Beside }
  | { readonly kind: 'run'; readonly node: Statement }

/** Statements that run one after the other. */
export interface Step {
  /** From 0, in the order of the source; 0 is the beginning of the block. */
  readonly number: number
  readonly events: readonly FlowEvent[]
  readonly out: readonly Way[]
  readonly in: readonly Way[]
  /** The loops around it, the innermost last. */
  readonly loops: readonly Loop[]
  /** Number of branches around it inside the innermost loop. */
  readonly depth: number
  /** What ends here: all its ways out lead to this step. */
  readonly after?: Whole
  /** The loops and branches of the compiler around it. */
  readonly inside: readonly Whole[]
}

export interface FlowGraph {
  readonly steps: readonly Step[]
  readonly start: Step
  /** The end of the block: it has no events. */
  readonly end: Step
}

interface OpenStep extends Step {
  readonly events: FlowEvent[]
  readonly out: Way[]
  readonly in: Way[]
}

/**
 * Returns the graph of the statements of a block.
 * @param isOfSource whether the source itself has a branch
 */
export function flowGraph(body: readonly Statement[], isOfSource: (branching: Branching) => boolean): FlowGraph {
  return new Builder(isOfSource).build(body)
}

class Builder {
  readonly #steps: OpenStep[] = []
  readonly #end: OpenStep
  readonly #start: OpenStep
  #current: OpenStep
  /** Where `leave` leads for each label, and `repeat` for each loop. */
  readonly #leaves = new Map<number, OpenStep>()
  readonly #repeats = new Map<number, OpenStep>()
  readonly #sections = new Map<number, readonly OpenStep[]>()
  #loops: readonly Loop[] = []
  #inside: readonly Whole[] = []
  readonly #isOfSource: (branching: Branching) => boolean
  #depth = 0
  /** Constants that registers and variables have got since the last branch: the test of a FOR is decided by them. */
  #known = new Map<string, bigint>()
  readonly #visitor: Visitor
  readonly #besides = new Map<Expression, Beside>()

  constructor(isOfSource: (branching: Branching) => boolean) {
    this.#isOfSource = isOfSource
    this.#end = { number: -1, events: [], out: [], in: [], loops: [], inside: [], depth: 0 }
    this.#start = this.#step()
    this.#current = this.#start
    this.#visitor = {
      statement: (statement) => this.#statement(statement),
      expression: (node) => {
        const beside = this.#besides.get(node)
        this.#current.events.push({ kind: 'read', node, ...(beside ? { beside } : {}) })
        this.#passOn(node, beside)
      },
    }
  }

  build(body: readonly Statement[]): FlowGraph {
    this.#list(body)
    this.#way(this.#current, this.#end)
    const end: OpenStep = Object.assign(this.#end, { number: this.#steps.length })
    return { steps: [...this.#steps, end], start: this.#start, end }
  }

  #step(after?: Whole): OpenStep {
    const step: OpenStep = {
      number: this.#steps.length,
      events: [],
      out: [],
      in: [],
      loops: this.#loops,
      inside: this.#inside,
      depth: this.#depth,
      ...(after ? { after } : {}),
    }
    this.#steps.push(step)
    return step
  }

  #way(from: OpenStep, to: OpenStep, outcome?: Outcome): void {
    const way: Way = { from, to, ...(outcome ? { outcome } : {}) }
    from.out.push(way)
    to.in.push(way)
  }

  /** Begins a step that nothing leads to yet. */
  #begin(step = this.#step()): void {
    this.#current = step
    this.#known = new Map()
  }

  #passOn(node: Expression, around: Beside | undefined): void {
    if (node.kind === 'unary' || node.kind === 'convert') {
      if (around) this.#besides.set(node.operand, around)
    } else if (node.kind === 'binary') {
      const { operator, left, right, type } = node
      const isLogic = type.bits === 1 && (operator === 'and' || operator === 'or')
      const more = around ? { around } : {}
      const [a, b] = isLogic
        ? ([left, right].map((other) => ({ node: other, isTrue: operator === 'and', ...more })) as [Beside, Beside])
        : [around, around]
      if (b) this.#besides.set(left, b)
      if (a) this.#besides.set(right, a)
    }
  }

  #list(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement)
  }

  #statement(statement: Statement): void {
    visitOwnExpressions(statement, this.#visitor)
    switch (statement.kind) {
      case 'if':
        this.#if(statement)
        return
      case 'switch': {
        const from = this.#current
        const ends = [...statement.branches.entries()].map(([branch, { body }]) =>
          this.#branch(from, body, { of: statement, branch }),
        )
        ends.push(this.#branch(from, statement.otherwise, { of: statement, branch: undefined }))
        this.#join(ends, statement)
        return
      }
      case 'loop':
        this.#loop(statement)
        return
      case 'group': {
        const after = this.#step()
        this.#leaves.set(statement.label, after)
        this.#list(statement.body)
        this.#way(this.#current, after)
        this.#begin(after)
        return
      }
      case 'sections': {
        const after = this.#step()
        this.#leaves.set(statement.label, after)
        const starts = statement.sections.map(() => this.#step())
        this.#sections.set(statement.label, starts)
        for (const [i, section] of statement.sections.entries()) {
          this.#way(this.#current, starts[i]!)
          this.#begin(starts[i])
          this.#list(section)
        }
        this.#way(this.#current, after)
        this.#begin(after)
        return
      }
      case 'leave':
      case 'repeat':
      case 'goto':
      case 'return':
        this.#way(this.#current, this.#targetOf(statement) ?? this.#end)
        this.#begin()
        return
      default:
        this.#current.events.push({ kind: 'run', node: statement })
        this.#learn(statement)
    }
  }

  #targetOf(statement: Extract<Statement, { kind: 'leave' | 'repeat' | 'goto' | 'return' }>): OpenStep | undefined {
    if (statement.kind === 'leave') return this.#leaves.get(statement.label)
    if (statement.kind === 'repeat') return this.#repeats.get(statement.label)
    return statement.kind === 'goto' ? this.#sections.get(statement.label)?.[statement.section] : undefined
  }

  #if(statement: Extract<Statement, { kind: 'if' }>): void {
    const from = this.#current
    const decided = truthOf(statement.condition, this.#known)
    // A FOR without a round leaves what it assigns as it is; that a loop has a round is taken for granted.
    const [inner] = statement.whenTrue
    const isFor = inner?.kind === 'loop' && inner.site === statement.site && statement.otherwise.length === 0
    const ends: OpenStep[] = []
    if (decided !== false) ends.push(this.#branch(from, statement.whenTrue, { of: statement, isTrue: true }, isFor))
    if (decided !== true && !(isFor && decided === undefined))
      ends.push(this.#branch(from, statement.otherwise, { of: statement, isTrue: false }))
    this.#join(ends, statement)
  }

  #branch(from: OpenStep, body: readonly Statement[], outcome: Outcome, isPlain = false): OpenStep {
    const isChoice = !isPlain && this.#isOfSource(outcome.of)
    const around = this.#inside
    if (isChoice) this.#depth++
    else this.#inside = [...around, outcome.of]
    this.#begin()
    this.#way(from, this.#current, outcome)
    this.#list(body)
    this.#inside = around
    if (isChoice) this.#depth--
    return this.#current
  }

  #join(ends: readonly OpenStep[], of: Branching): void {
    this.#begin(this.#step(this.#isOfSource(of) ? undefined : of))
    for (const end of ends) this.#way(end, this.#current)
  }

  #loop(statement: Loop): void {
    const [around, depth, inside] = [this.#loops, this.#depth, this.#inside]
    const after = this.#step(statement)
    this.#leaves.set(statement.label, after)
    this.#loops = [...around, statement]
    this.#inside = [...inside, statement]
    this.#depth = 0
    const first = this.#step()
    this.#repeats.set(statement.label, first)
    this.#way(this.#current, first)
    this.#begin(first)
    this.#list(statement.body)
    this.#way(this.#current, first)
    this.#loops = around
    this.#inside = inside
    this.#depth = depth
    this.#begin(after)
  }

  #learn(statement: Statement): void {
    const key =
      statement.kind === 'setLocal'
        ? `${statement.local}`
        : statement.kind === 'store'
          ? placeKey(statement.place)
          : undefined
    if (statement.kind !== 'setLocal' && statement.kind !== 'store') {
      this.#known = new Map()
      return
    }
    if (key === undefined) {
      this.#known = new Map()
      return
    }
    const value = numberOf(statement.value, this.#known)
    if (value === undefined) this.#known.delete(key)
    else this.#known.set(key, value)
  }
}

function placeKey(place: Extract<Statement, { kind: 'store' }>['place']): string | undefined {
  const { base, offset, bit, indices } = place
  return base.kind === 'instance' && indices.length === 0 ? `instance ${offset}.${bit ?? ''}` : undefined
}

function numberOf(value: Expression, known: ReadonlyMap<string, bigint>): bigint | undefined {
  switch (value.kind) {
    case 'constant':
      return typeof value.value === 'bigint' ? value.value : undefined
    case 'local':
      return known.get(`${value.local}`)
    case 'load':
      return known.get(placeKey(value.place) ?? '')
    case 'convert':
      return value.mode === 'value' && value.type.bits >= value.from.bits ? numberOf(value.operand, known) : undefined
    default:
      return undefined
  }
}

/** The result of the test of a FOR with constant limits. */
function truthOf(condition: Expression, known: ReadonlyMap<string, bigint>): boolean | undefined {
  if (known.size === 0 || condition.kind !== 'binary') return undefined
  const { operator } = condition
  if (operator !== 'lessOrEqual' && operator !== 'greaterOrEqual') return undefined
  const [a, b] = [numberOf(condition.left, known), numberOf(condition.right, known)]
  if (a === undefined || b === undefined) return undefined
  return operator === 'lessOrEqual' ? a <= b : a >= b
}
