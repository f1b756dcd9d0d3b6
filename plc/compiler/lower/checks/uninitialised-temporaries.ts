/**
 * Rule `uninitialised-temporary`: a scalar temporary is read where no path to the read assigns it. An assignment
 * anywhere in a loop or between labels counts for all of it: an earlier round, or a jump, may have run it.
 */
import type { Expression, Statement } from '../../../ir/ir.ts'
import { innerLists, type Visitor, visitOwnExpressions } from '../../../ir/walk.ts'
import type { BlockContext } from '../block-context.ts'

/** Reports each such temporary once, at the place where the block uses it first. */
export function checkUninitialisedTemporaries(context: BlockContext, body: readonly Statement[]): void {
  const { temporaries } = context
  if (temporaries.size === 0) return
  const found = new Set<number>()
  const watched = new Set([...temporaries.keys()].filter((local) => !context.partlyWritten.has(local)))
  if (watched.size > 0) new Flow(watched, found).list(body, new Set())
  for (const local of found) {
    const name = temporaries.get(local) ?? ''
    context.reportMember(
      'uninitialised-temporary',
      name,
      `#${name} is read before anything was assigned to it.`,
      'Temporaries hold no defined value at the beginning of a call: assign one first.',
      'warning',
    )
  }
}

class Flow {
  readonly #watched: ReadonlySet<number>
  readonly #found: Set<number>

  constructor(watched: ReadonlySet<number>, found: Set<number>) {
    this.#watched = watched
    this.#found = found
  }

  /** Checks a list; adds to `assigned` what it may assign. */
  list(statements: readonly Statement[], assigned: Set<number>): void {
    const visitor = new Looking(this, assigned)
    for (const statement of statements) this.statement(statement, assigned, visitor)
  }

  statement(statement: Statement, assigned: Set<number>, visitor: Visitor): void {
    visitOwnExpressions(statement, visitor)
    switch (statement.kind) {
      case 'if':
      case 'switch': {
        const branches = innerLists(statement).map((list) => {
          const own = new Set(assigned)
          this.list(list, own)
          return own
        })
        for (const own of branches) for (const local of own) assigned.add(local)
        return
      }
      case 'loop':
      case 'sections':
        for (const list of innerLists(statement)) this.#assignedIn(list, assigned)
        for (const list of innerLists(statement)) this.list(list, assigned)
        return
      case 'group':
        this.list(statement.body, assigned)
        return
      default:
        this.#assigns(statement, assigned)
    }
  }

  #assigns(statement: Statement, assigned: Set<number>): void {
    if (statement.kind === 'setLocal') {
      if (this.#watched.has(statement.local)) assigned.add(statement.local)
    } else if (statement.kind === 'call')
      for (const local of statement.results) if (this.#watched.has(local)) assigned.add(local)
  }

  /** Records a register that is read before it is assigned. */
  expression(expression: Expression, assigned: ReadonlySet<number>): void {
    if (expression.kind === 'local' && this.#watched.has(expression.local) && !assigned.has(expression.local))
      this.#found.add(expression.local)
  }

  /** Adds every register that is assigned anywhere in a list. */
  #assignedIn(statements: readonly Statement[], assigned: Set<number>): void {
    const visitor: Visitor = {
      statement: (statement) => {
        visitOwnExpressions(statement, visitor)
        this.#assigns(statement, assigned)
        for (const list of innerLists(statement)) for (const one of list) visitor.statement(one)
      },
    }
    for (const statement of statements) visitor.statement(statement)
  }
}

/** Checks a list, given the registers assigned so far. */
class Looking implements Visitor {
  readonly #flow: Flow
  readonly #assigned: Set<number>

  constructor(flow: Flow, assigned: Set<number>) {
    this.#flow = flow
    this.#assigned = assigned
  }

  statement(statement: Statement): void {
    this.#flow.statement(statement, this.#assigned, this)
  }

  expression(expression: Expression): void {
    this.#flow.expression(expression, this.#assigned)
  }
}
