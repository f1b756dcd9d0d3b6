/**
 * Replaces repeated loads by registers. Within statements that run one after the other, a second load of the same place
 * takes the value from a register, until something may have changed the place or a part of its index. WebAssembly
 * engines keep every load. Only places whose indices are known to be safe are replaced, since any other access may be a
 * fault.
 */
import type { BlockCode, Expression, Place, Statement } from '../../ir/ir.ts'
import { visitAll } from '../../ir/walk.ts'
import type { ScalarType } from '../../program/type.ts'
import { bytesOf, mayBeOne, memoryOf, reach, sizeAt } from './overlap.ts'
import { isPureRoutine, type Rewriter, rewriteStatements } from './rewrite.ts'

/** A value that is in a register. */
interface Kept {
  readonly place: Place
  readonly size: number
  readonly local: number
  /** Registers that the address depends on. */
  readonly uses: ReadonlySet<number>
}
type Known = Map<string, Kept>

/** Returns the block with repeated loads replaced by registers. */
export function forwardLoads(block: BlockCode): BlockCode {
  const locals = [...block.locals]
  const pass = new Forwarding(locals, countLoads(block.body))
  const body = pass.statements(block.body, new Map())
  return locals.length === block.locals.length ? block : { ...block, locals, body }
}

/** Counts the reads of each place. */
function countLoads(statements: readonly Statement[]): Map<string, number> {
  const counts = new Map<string, number>()
  visitAll(statements, {
    expression(expression) {
      const key = expression.kind === 'load' ? placeKey(expression.place, expression.type) : undefined
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
    },
  })
  return counts
}

class Forwarding {
  readonly #locals: BlockCode['locals'][number][]
  readonly #loads: ReadonlyMap<string, number>

  constructor(locals: BlockCode['locals'][number][], loads: ReadonlyMap<string, number>) {
    this.#locals = locals
    this.#loads = loads
  }

  statements(list: readonly Statement[], known: Known): Statement[] {
    return list.flatMap((statement) => this.#statement(statement, known))
  }

  #statement(statement: Statement, known: Known): Statement[] {
    switch (statement.kind) {
      case 'if': {
        const condition = this.#expression(statement.condition, known)
        const [a, b] = [new Map(known), new Map(known)]
        const whenTrue = this.statements(statement.whenTrue, a)
        const otherwise = this.statements(statement.otherwise, b)
        keepCommon(known, [a, b])
        return [{ ...statement, condition, whenTrue, otherwise }]
      }
      case 'switch': {
        const selector = this.#expression(statement.selector, known)
        const ends: Known[] = []
        const inner = (body: readonly Statement[]) => {
          const own = new Map(known)
          ends.push(own)
          return this.statements(body, own)
        }
        const branches = statement.branches.map((branch) => ({ ...branch, body: inner(branch.body) }))
        const otherwise = inner(statement.otherwise)
        keepCommon(known, ends)
        return [{ ...statement, selector, branches, otherwise }]
      }
      case 'group': {
        const own = new Map(known)
        const body = this.statements(statement.body, own)
        keepCommon(known, [own])
        return [{ ...statement, body }]
      }
      case 'loop':
        // A later round sees what an earlier one did.
        forgetWhat(statement.body, known)
        // A loop may wait for what an interrupt writes.
        if (statement.atMost === undefined) known.clear()
        return [{ ...statement, body: this.statements(statement.body, new Map(known)) }]
      case 'sections': {
        known.clear()
        return [{ ...statement, sections: statement.sections.map((section) => this.statements(section, new Map())) }]
      }
      case 'store':
        return this.#store(statement, known)
      default: {
        // The two addresses of a copy are not evaluated in the order of the statement.
        const rewritten = this.#rewrite(statement, known, statement.kind !== 'copy')
        forgetWhat([statement], known)
        return [rewritten]
      }
    }
  }

  #store(statement: Extract<Statement, { kind: 'store' }>, known: Known): Statement[] {
    const rewritten = hasEffects(statement) ? statement : this.#storeOf(statement, known)
    forgetWhat([statement], known)
    const { place, type } = statement
    const key = placeKey(place, type)
    if (key === undefined || (this.#loads.get(key) ?? 0) === 0) return [rewritten]
    const local = this.#locals.push(type) - 1
    remember(known, key, keptOf(place, type, local))
    return [
      { kind: 'setLocal', local, value: rewritten.value },
      { ...rewritten, value: { kind: 'local', type, local } },
    ]
  }

  /** The place decides whether it or its value is evaluated first, so neither uses what the other one keeps. */
  #storeOf(statement: Extract<Statement, { kind: 'store' }>, known: Known): Extract<Statement, { kind: 'store' }> {
    const { place } = this.#rewrite(statement, known, false) as typeof statement
    return { ...statement, place, value: this.#value(statement.value, known) }
  }

  #value(expression: Expression, known: Known): Expression {
    return (this.#rewrite({ kind: 'setEno', value: expression }, known) as Extract<Statement, { kind: 'setEno' }>).value
  }

  #expression(expression: Expression, known: Known): Expression {
    const value = this.#value(expression, known)
    forgetWhat([{ kind: 'setEno', value: expression }], known)
    return value
  }

  /**
   * Replaces loads by registers, and keeps the loads that are repeated later. All parts of an expression are always
   * evaluated.
   */
  #rewrite(statement: Statement, known: Known, mayKeep = true): Statement {
    // Statements inside an expression (calls) may change anything: such expressions stay unchanged.
    if (hasEffects(statement)) return statement
    const [rewritten] = rewriteStatements([statement], new LoadForwarding(this.#locals, this.#loads, known, mayKeep))
    return rewritten ?? statement
  }
}

/** Replaces the loads of one statement by registers. */
class LoadForwarding implements Rewriter {
  readonly #locals: BlockCode['locals'][number][]
  readonly #loads: ReadonlyMap<string, number>
  readonly #known: Known
  readonly #mayKeep: boolean

  constructor(
    locals: BlockCode['locals'][number][],
    loads: ReadonlyMap<string, number>,
    known: Known,
    mayKeep: boolean,
  ) {
    this.#locals = locals
    this.#loads = loads
    this.#known = known
    this.#mayKeep = mayKeep
  }

  expression(expression: Expression): Expression {
    if (expression.kind !== 'load') return expression
    const { place, type } = expression
    const key = placeKey(place, type)
    if (key === undefined) return expression
    const found = this.#known.get(key)
    if (found) return { kind: 'local', type, local: found.local }
    if (!this.#mayKeep || (this.#loads.get(key) ?? 0) < 2) return expression
    const local = this.#locals.push(type) - 1
    remember(this.#known, key, keptOf(place, type, local))
    return {
      kind: 'sequence',
      statements: [{ kind: 'setLocal', local, value: expression }],
      value: { kind: 'local', type, local },
    }
  }
}

/** Every store is compared with all known places: for long lists of statements the latest ones are enough. */
const mostKnown = 48

function remember(known: Known, key: string, kept: Kept): void {
  if (known.size >= mostKnown) {
    const [oldest] = known.keys()
    if (oldest !== undefined) known.delete(oldest)
  }
  known.set(key, kept)
}

/** Whether evaluating its expressions may change memory or registers. */
function hasEffects(statement: Statement): boolean {
  let found = false
  visitAll([statement], {
    expression(expression) {
      if (expression.kind === 'sequence') found = true
    },
  })
  return found
}

/** Keeps only the entries that all branches still have from before. */
function keepCommon(known: Known, ends: readonly Known[]): void {
  for (const [key, kept] of known) if (ends.some((end) => end.get(key) !== kept)) known.delete(key)
}

/** Forgets everything that statements may change, whether they run or not. */
function forgetWhat(statements: readonly Statement[], known: Known): void {
  visitAll(statements, {
    expression(expression) {
      if (expression.kind === 'routine' && !isPureRoutine(expression.routine)) known.clear()
    },
    statement(statement) {
      switch (statement.kind) {
        case 'store':
          forgetPlace(statement.place, bytesOf(statement.type), known)
          break
        case 'copy':
          forgetPlace(statement.to, sizeAt(statement.type, statement.to), known)
          break
        case 'clear':
          forgetPlace(statement.place, statement.size, known)
          break
        case 'setLocal':
          for (const [key, { uses }] of known) if (uses.has(statement.local)) known.delete(key)
          break
        case 'call':
        case 'routine':
          known.clear()
          break
      }
    },
  })
}

function forgetPlace(place: Place, size: number, known: Known): void {
  for (const [key, kept] of known) if (mayOverlap(place, size, kept.place, kept.size)) known.delete(key)
}

/** Whether two places may share bytes. */
export function mayOverlap(a: Place, aSize: number, b: Place, bSize: number): boolean {
  const [x, y] = [memoryOf(a), memoryOf(b)]
  if (x !== y) return x === 'pointer' || y === 'pointer' || mayBeOne(x, y)
  if (x === 'pointer' && addressText(a) !== addressText(b)) return true
  const isSameIndex = indexText(a) === indexText(b)
  const [aEnd, bEnd] = isSameIndex
    ? [a.offset + aSize, b.offset + bSize]
    : [a.offset + reach(a, aSize), b.offset + reach(b, bSize)]
  return a.offset < bEnd && b.offset < aEnd
}

function keptOf(place: Place, type: ScalarType, local: number): Kept {
  const uses = new Set<number>()
  for (const { value } of place.indices) usesOf(value, uses)
  if (place.base.kind === 'pointer') usesOf(place.base.address, uses)
  return { place, size: bytesOf(type), local, uses }
}

function usesOf(expression: Expression, uses: Set<number>): void {
  if (expression.kind === 'local') uses.add(expression.local)
  else if (expression.kind === 'binary') {
    usesOf(expression.left, uses)
    usesOf(expression.right, uses)
  } else if (expression.kind === 'convert' || expression.kind === 'unary') usesOf(expression.operand, uses)
}

/**
 * Returns a key for a place and the type that is read; `undefined` when its address depends on more than registers and
 * constants.
 */
export function placeKey(place: Place, type: ScalarType): string | undefined {
  if (!place.indices.every(({ isSafe }) => isSafe === true)) return undefined
  const index = indexText(place)
  const address = place.base.kind === 'pointer' ? addressText(place) : ''
  if (index === undefined || address === undefined) return undefined
  return `${memoryOf(place)} ${address} ${place.offset}.${place.bit ?? ''} ${index} ${type.name} ${place.isStandard}`
}

function indexText({ indices }: Place): string | undefined {
  const texts: string[] = []
  for (const { value, low, stride, isBits } of indices) {
    const text = registersText(value)
    if (text === undefined || typeof low !== 'number') return undefined
    texts.push(`${text}-${low}*${stride}${isBits === true ? 'b' : ''}`)
  }
  return texts.join()
}

function addressText({ base }: Place): string | undefined {
  return base.kind === 'pointer' ? registersText(base.address) : ''
}

/** Returns an expression of registers and constants as text; `undefined` for any other. */
export function registersText(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'constant':
      return `${expression.value}`
    case 'local':
      return `r${expression.local}`
    case 'convert': {
      const operand = registersText(expression.operand)
      return operand && `${expression.type.name}(${expression.from.name} ${expression.mode} ${operand})`
    }
    case 'binary': {
      const [left, right] = [registersText(expression.left), registersText(expression.right)]
      return left && right && `(${left} ${expression.operator} ${expression.type.name} ${right})`
    }
    default:
      return undefined
  }
}
