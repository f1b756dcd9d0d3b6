/** Runs the reference's programs, statement by statement, in exact arithmetic. */
import type { BlockCall, Node, Reference, Step } from './tree.ts'
import { bitsOf, type RefType, realOf, roundEven, type Value, valueFrom, wrapped } from './types.ts'

/** Thrown where docs/plc-semantics.md leaves the result open: the program cannot be judged. */
export class Open extends Error {}

/** The values of one call: variables by name, elements and members by their path (`ar[1,2].a`). */
export class Scope {
  readonly values: Map<string, { readonly type: RefType; value: Value }>
  /** `undefined` where docs/plc-semantics.md does not define it. */
  eno: boolean | undefined = true
  readonly blocks: Readonly<Record<string, RefBlock>>
  /** Values of instances: their variables are in `values` under `instance.`. */
  constructor(
    values: Iterable<readonly [string, { type: RefType; value: Value }]>,
    blocks: Readonly<Record<string, RefBlock>>,
  ) {
    this.values = new Map(values)
    this.blocks = blocks
  }
}

export interface RefBlock {
  /** Name of the variable that contains the return value of a function. */
  readonly returns?: string
  /** Every variable; those of an instance keep their values. */
  readonly variables: readonly (readonly [name: string, type: RefType])[]
  readonly isInstance: boolean
  readonly body: readonly Step[]
}

class Leaving extends Error {
  readonly how: 'exit' | 'continue' | 'return'
  constructor(how: 'exit' | 'continue' | 'return') {
    super(how)
    this.how = how
  }
}

/** Runs a block's body in its scope; returns whether it reached its end, and did not return before. */
export function runBlock(scope: Scope, body: readonly Step[]): boolean {
  try {
    for (const step of body) run(scope, step)
    return true
  } catch (error) {
    if (!(error instanceof Leaving) || error.how !== 'return') throw error
    return false
  }
}

function fail(scope: Scope): void {
  scope.eno = false
}

/** Makes ENO undefined, unless it is already FALSE. */
function doubt(scope: Scope): void {
  if (scope.eno) scope.eno = undefined
}

function pathOf(scope: Scope, { name, indices, dimensions, member }: Reference): string | undefined {
  if (indices.length === 0) return `${name}${member}`
  const numbers = indices.map((index) => BigInt(evaluate(scope, index)))
  const isInside = numbers.every(
    (one, i) => one >= BigInt(dimensions[i]?.[0] ?? 0) && one <= BigInt(dimensions[i]?.[1] ?? 0),
  )
  if (isInside) return `${name}[${numbers.join(',')}]${member}`
  // An access outside is a programming error: a read gives 0, a write is skipped.
  doubt(scope)
  return undefined
}

function cell(scope: Scope, path: string) {
  const found = scope.values.get(path)
  if (!found) throw new Error(`no variable ${path}`)
  return found
}

function read(scope: Scope, reference: Reference): Value {
  const path = pathOf(scope, reference)
  if (path === undefined) return reference.type.family === 'real' ? 0 : 0n
  const { type, value } = cell(scope, path)
  if (!reference.slice) return value
  const [width, number] = reference.slice
  return valueFrom(reference.type, BigInt.asUintN(width, bitsOf(type, value) >> BigInt(width * number)))
}

function write(scope: Scope, reference: Reference, value: Value): void {
  const path = pathOf(scope, reference)
  if (path === undefined) return
  const found = cell(scope, path)
  if (!reference.slice) {
    found.value = value
    return
  }
  const [width, number] = reference.slice
  const shift = BigInt(width * number)
  const mask = ((1n << BigInt(width)) - 1n) << shift
  const bits = bitsOf(found.type, found.value)
  found.value = valueFrom(found.type, (bits & ~mask) | ((bitsOf(reference.type, value) << shift) & mask))
}

/** Converts a value where one of another type is expected. */
function asType(value: Value, from: RefType, to: RefType): Value {
  if (from === to) return value
  if (to.family === 'real') return typeof value === 'number' ? value : realOf(to, value)
  if ((from.family === 'duration' || from.family === 'clock') && from.family === to.family)
    return wrapped(to, BigInt(value) * 1_000_000n)
  // Bit strings are extended by zeros, numbers by their sign.
  return wrapped(to, BigInt(value))
}

function readAs(scope: Scope, node: Node, type: RefType): Value {
  return asType(evaluate(scope, node), node.type, type)
}

/** Returns the value of an expression. */
export function evaluate(scope: Scope, node: Node): Value {
  switch (node.kind) {
    case 'literal':
      return node.value
    case 'variable':
      return read(scope, node)
    case 'unary': {
      const value = evaluate(scope, node.operand)
      if (typeof value === 'number') {
        if (!Number.isFinite(value)) doubt(scope)
        return -value
      }
      if (node.operator === 'NOT') return wrapped(node.type, BigInt.asUintN(node.type.bits, ~value))
      return exact(scope, node.type, -value)
    }
    case 'scaled': {
      const [value, factor] = [BigInt(evaluate(scope, node.left)), BigInt(evaluate(scope, node.right))]
      if (node.operator === '*') return exact(scope, node.type, value * factor)
      if (factor === 0n) {
        fail(scope)
        return 0n
      }
      return exact(scope, node.type, value / factor)
    }
    case 'binary':
      return binary(scope, node)
    case 'convert':
      return convert(scope, node.name, node.operand, node.type)
    case 'call':
      return instruction(scope, node.name, node.type, node.given)
  }
}

function exact(scope: Scope, type: RefType, value: bigint): bigint {
  const kept = wrapped(type, value)
  if (kept !== value) fail(scope)
  return kept
}

function finite(scope: Scope, type: RefType, value: number): number {
  const rounded = type.bits === 32 ? Math.fround(value) : value
  if (!Number.isFinite(rounded)) fail(scope)
  return rounded
}

function binary(scope: Scope, { operator, type, at, left, right }: Extract<Node, { kind: 'binary' }>): Value {
  const [a, b] = [readAs(scope, left, at), readAs(scope, right, at)]
  switch (operator) {
    case '=':
      return a === b ? 1n : 0n
    case '<>':
      return a !== b ? 1n : 0n
    case '<':
      return a < b ? 1n : 0n
    case '<=':
      return a <= b ? 1n : 0n
    case '>':
      return a > b ? 1n : 0n
    case '>=':
      return a >= b ? 1n : 0n
  }
  if (typeof a === 'number' && typeof b === 'number') {
    switch (operator) {
      case '+':
        return finite(scope, type, a + b)
      case '-':
        return finite(scope, type, a - b)
      case '*':
        return finite(scope, type, a * b)
      default:
        return finite(scope, type, a / b)
    }
  }
  const [x, y] = [BigInt(a), BigInt(b)]
  switch (operator) {
    case '+':
      return exact(scope, type, x + y)
    case '-':
      return exact(scope, type, x - y)
    case '*':
      return exact(scope, type, x * y)
    case 'AND':
      return x & y
    case 'OR':
      return x | y
    case 'XOR':
      return x ^ y
  }
  if (y === 0n) {
    fail(scope)
    return 0n
  }
  return operator === '/' ? exact(scope, type, x / y) : x % y
}

const roundings: Readonly<Record<string, (value: number) => bigint>> = {
  ROUND: roundEven,
  TRUNC: (value) => BigInt(Math.trunc(value)),
  CEIL: (value) => BigInt(Math.ceil(value)),
  FLOOR: (value) => BigInt(Math.floor(value)),
}

function convert(scope: Scope, name: string, operand: Node, to: RefType): Value {
  const from = operand.type
  const value = evaluate(scope, operand)
  if (from.family === 'bits' && to.family === 'real') return valueFrom(to, bitsOf(from, value))
  if (from.family === 'real' && to.family === 'bits') return bitsOf(from, value)
  if (typeof value === 'number') {
    if (to.family === 'real') {
      const rounded = to.bits === 32 ? Math.fround(value) : value
      if (!Number.isFinite(rounded)) Number.isFinite(value) ? fail(scope) : doubt(scope)
      return rounded
    }
    if (!Number.isFinite(value)) throw new Open('not finite')
    return exact(scope, to, (roundings[name.split('_')[0] ?? ''] ?? roundEven)(value))
  }
  if (to.family === 'real') return realOf(to, value)
  if (from.family === 'duration' && to.family === 'duration') return wrapped(to, value * 1_000_000n)
  const isPattern = from.family === 'bits' || to.family === 'bits' || to.family === 'bool'
  const kept = wrapped(to, value)
  if (isPattern) {
    if (bitsOf(to, kept) !== bitsOf(from, value)) doubt(scope)
    return kept
  }
  if (kept !== value) fail(scope)
  return kept
}

function instruction(scope: Scope, name: string, type: RefType, given: readonly (readonly [string, Node])[]): Value {
  const values = given.map(([, node], i) =>
    name === 'SEL' && i === 0
      ? evaluate(scope, node)
      : /^(?:SH|RO)/.test(name) && i === 1
        ? evaluate(scope, node)
        : readAs(scope, node, type),
  )
  const [a = 0n, b = 0n, c = 0n] = values
  const ordered = (x: Value, y: Value) => {
    // The result for zeros with different signs, and for NaN, is not defined.
    if (Number.isNaN(x) || Number.isNaN(y) || (x === y && Object.is(x, -0) !== Object.is(y, -0)))
      throw new Open('no order')
    return x < y
  }
  switch (name) {
    case 'ABS':
      if (typeof a === 'number') {
        if (!Number.isFinite(a)) doubt(scope)
        return Math.abs(a)
      }
      return exact(scope, type, a < 0n ? -a : a)
    case 'SQRT':
      return finite(scope, type, Math.sqrt(Number(a)))
    case 'MIN':
      return ordered(a, b) ? a : b
    case 'MAX':
      return ordered(a, b) ? b : a
    case 'LIMIT':
      if (ordered(c, a)) throw new Open('limits are crossed')
      return ordered(b, a) ? a : ordered(c, b) ? c : b
    case 'SEL':
      return a ? c : b
  }
  return shifted(name, type, BigInt(a), BigInt(b))
}

function shifted(name: string, type: RefType, value: bigint, count: bigint): bigint {
  const width = BigInt(type.bits)
  const bits = BigInt.asUintN(type.bits, value)
  switch (name) {
    case 'SHL':
      return count >= width ? 0n : wrapped(type, bits << count)
    case 'SHR':
      // A number keeps its sign.
      return type.isSigned ? value >> (count > width ? width : count) : bits >> (count > width ? width : count)
    default: {
      const by = name === 'ROL' ? count % width : (width - (count % width)) % width
      return wrapped(type, BigInt.asUintN(type.bits, (bits << by) | (bits >> (width - by))))
    }
  }
}

function run(scope: Scope, step: Step): void {
  switch (step.kind) {
    case 'assign': {
      const { target, operator } = step
      const value = operator
        ? binary(scope, {
            kind: 'binary',
            operator,
            type: target.type,
            at: target.type,
            left: target,
            right: step.value,
          })
        : readAs(scope, step.value, target.type)
      write(scope, target, value)
      return
    }
    case 'copy': {
      const [to, from] = [pathOf(scope, step.target), pathOf(scope, step.source)]
      if (to === undefined || from === undefined) throw new Open('a whole structure out of range')
      const copies = [...scope.values].flatMap(([path, { value }]) =>
        path.startsWith(`${from}.`) ? [[path.slice(from.length), value] as const] : [],
      )
      for (const [path, value] of copies) cell(scope, `${to}${path}`).value = value
      return
    }
    case 'if': {
      for (const [condition, body] of step.branches) {
        if (!evaluate(scope, condition)) continue
        for (const one of body) run(scope, one)
        return
      }
      for (const one of step.otherwise ?? []) run(scope, one)
      return
    }
    case 'case': {
      const value = BigInt(evaluate(scope, step.selector))
      const found = step.branches.find(([labels]) => labels.some(([from, to]) => from <= value && value <= to))
      for (const one of found?.[1] ?? step.otherwise ?? []) run(scope, one)
      return
    }
    case 'for': {
      const { variable } = step
      const own = (node: Node) => BigInt(readAs(scope, node, variable.type))
      const from = own(step.from)
      const to = own(step.to)
      const by = step.by ? own(step.by) : 1n
      if (by === 0n) throw new Open('a step of 0')
      // Counted outside of the type, so that a loop to its last value ends.
      let count = from
      write(scope, variable, count)
      while (by > 0n ? count <= to : count >= to) {
        if (round(scope, step.body) === 'exit') return
        count += by
        write(scope, variable, wrapped(variable.type, count))
      }
      return
    }
    case 'while':
    case 'repeat': {
      const { counter, rounds, condition } = step
      const count = () => BigInt(read(scope, counter))
      const whether = () => Boolean(evaluate(scope, condition))
      write(scope, counter, 0n)
      for (;;) {
        if (step.kind === 'while') {
          const isOn = whether()
          if (!(count() < rounds && isOn)) return
        }
        write(scope, counter, count() + 1n)
        if (round(scope, step.body) === 'exit') return
        if (step.kind === 'repeat') {
          const isDone = whether()
          if (count() >= rounds || isDone) return
        }
      }
    }
    case 'exit':
    case 'continue':
    case 'return':
      throw new Leaving(step.kind)
    case 'blockCall':
      call(scope, step)
  }
}

/** Runs one round of a loop. */
function round(scope: Scope, body: readonly Step[]): 'exit' | undefined {
  try {
    for (const step of body) run(scope, step)
  } catch (error) {
    if (!(error instanceof Leaving) || error.how === 'return') throw error
    if (error.how === 'exit') return 'exit'
  }
  return undefined
}

function call(scope: Scope, step: BlockCall): void {
  const block = scope.blocks[step.block]
  if (!block) throw new Error(`no block ${step.block}`)
  const prefix = step.instance === undefined ? '' : `${step.instance}.`
  // With EN FALSE nothing is executed; whether arguments are evaluated then is not defined.
  if (step.en && !evaluate(scope, step.en)) {
    const before = scope.eno
    for (const [, value] of step.inputs) evaluate(scope, value)
    if (scope.eno !== before) scope.eno = undefined
    if (step.eno) write(scope, step.eno, 0n)
    return
  }
  const inner = new Scope(
    block.variables.map(([name, type]) => {
      const start: Value = type.family === 'real' ? 0 : 0n
      return [name, { type, value: block.isInstance ? cell(scope, `${prefix}${name}`).value : start }]
    }),
    scope.blocks,
  )
  const typeOf = (name: string) => cell(inner, name).type
  for (const [name, value] of step.inputs) cell(inner, name).value = readAs(scope, value, typeOf(name))
  for (const [name, variable] of step.inOuts) cell(inner, name).value = read(scope, variable)
  runBlock(inner, block.body)
  if (block.isInstance) for (const [name, { value }] of inner.values) cell(scope, `${prefix}${name}`).value = value
  for (const [name, variable] of [...step.inOuts, ...step.outputs]) write(scope, variable, cell(inner, name).value)
  if (step.result && block.returns !== undefined) write(scope, step.result, cell(inner, block.returns).value)
  if (step.eno) {
    if (inner.eno === undefined) throw new Open('ENO of the block that was called')
    write(scope, step.eno, inner.eno ? 1n : 0n)
  }
}
