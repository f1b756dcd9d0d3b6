/**
 * What conditions have in common: two IFs with one condition take the same branch while nothing writes what it depends
 * on, and a flag that is set beside an assignment says later whether it took place.
 */
import type { Expression, Place, Statement } from '../ir/ir.ts'

/** A fact that is TRUE or FALSE. */
export interface Fact {
  readonly key: string
  readonly isTrue: boolean
}

/** The key of a register or of a variable whose place is known; `undefined` for others. */
export function variableKey(node: Expression): string | undefined {
  if (node.kind === 'local') return `#${node.local}`
  return node.kind === 'load' ? placeKey(node.place) : undefined
}

/** The key of a place that is known when the block is compiled; `undefined` for others. */
export function placeKey({ base, offset, bit, indices }: Place): string | undefined {
  if (indices.length > 0) return undefined
  const at = bit === undefined ? `${offset}` : `${offset}.${bit}`
  switch (base.kind) {
    case 'instance':
      return `instance ${at}`
    case 'area':
      return `${base.area} ${at}`
    case 'block':
      return `"${base.block.toLowerCase()}" ${at}`
    case 'frame':
      return `frame ${at}`
    case 'pointer': {
      const address = valueKey(base.address)
      return address && `${address}^ ${at}`
    }
    default:
      return undefined
  }
}

/** The text of a condition over variables with known places and constants, `not` left out; `undefined` for others. */
export function conditionKey(node: Expression): Fact | undefined {
  if (node.kind === 'unary' && node.operator === 'not') {
    const inner = conditionKey(node.operand)
    return inner && { ...inner, isTrue: !inner.isTrue }
  }
  if (node.kind === 'binary') {
    const [left, right] = [valueKey(node.left), valueKey(node.right)]
    if (left === undefined || right === undefined) return undefined
    switch (node.operator) {
      case 'notEqual':
        return { key: `(${left} equal ${right})`, isTrue: false }
      case 'greaterOrEqual':
        return { key: `(${left} less ${right})`, isTrue: false }
      case 'lessOrEqual':
        return { key: `(${left} greater ${right})`, isTrue: false }
      case 'greater':
        // Of a number without a sign that is to be different from 0.
        if (!node.type.isSigned && node.type.family !== 'real' && right === '0')
          return { key: `(${left} equal 0)`, isTrue: false }
    }
  }
  const key = valueKey(node)
  return key === undefined ? undefined : { key, isTrue: true }
}

function valueKey(node: Expression): string | undefined {
  switch (node.kind) {
    case 'constant':
      return `${node.value}`
    case 'local':
    case 'load':
      return variableKey(node)
    case 'convert': {
      const inner = valueKey(node.operand)
      const isSame = node.mode !== 'round' && node.mode !== 'truncate' && node.type.bits >= node.from.bits
      return inner && (isSame ? inner : `${node.type.name}(${inner})`)
    }
    case 'unary': {
      const inner = valueKey(node.operand)
      return inner && `${node.operator} ${inner}`
    }
    case 'binary': {
      const left = valueKey(node.left)
      const right = left === undefined ? undefined : valueKey(node.right)
      return right && `(${left} ${node.operator} ${right})`
    }
    default:
      return undefined
  }
}

/** The variables in a condition. */
export function variablesIn(node: Expression, found = new Set<string>()): Set<string> {
  switch (node.kind) {
    case 'local':
    case 'load': {
      const key = variableKey(node)
      if (key !== undefined) found.add(key)
      break
    }
    case 'convert':
    case 'unary':
      variablesIn(node.operand, found)
      break
    case 'binary':
      variablesIn(node.left, found)
      variablesIn(node.right, found)
      break
  }
  return found
}

/** A condition that some outcome decides, with what is needed to follow it. */
export interface Decided extends Fact {
  readonly node: Expression
  /** For the branch of a CASE: the values of `node` that choose it. */
  readonly ranges?: readonly (readonly [bigint, bigint])[]
}

/** Values of registers that are assigned once, by their numbers. */
export type Aliases = ReadonlyMap<number, Expression>

/** Everything that is TRUE or FALSE after an outcome of an IF; a register is TRUE together with what it has got. */
export function decidedBy(condition: Expression, isTrue: boolean, aliases: Aliases): Decided[] {
  const found: Decided[] = []
  addDecided(condition, isTrue, found, aliases)
  return found
}

/** For each branch of a CASE that the selector chooses it. */
export function branchConditions({
  selector,
  branches,
}: Extract<Statement, { kind: 'switch' }>): (Decided | undefined)[] {
  return branches.map(({ ranges }) => {
    const key = rangesKey(selector, ranges)
    return key === undefined ? undefined : { key, isTrue: true, node: selector, ranges }
  })
}

/** Of a chain of AND or OR that is longer than this only the last parts are looked at by themselves. */
const deepest = 64

function addDecided(node: Expression, isTrue: boolean, found: Decided[], aliases: Aliases, depth = 0): void {
  if (depth > deepest) return
  if (node.kind === 'unary' && node.operator === 'not') {
    addDecided(node.operand, !isTrue, found, aliases, depth + 1)
    return
  }
  const fact = conditionKey(node)
  if (fact !== undefined) found.push({ key: fact.key, isTrue: fact.isTrue === isTrue, node })
  const alias = node.kind === 'local' ? aliases.get(node.local) : undefined
  if (alias !== undefined) addDecided(alias, isTrue, found, aliases, depth + 1)
  // Both sides of an AND are TRUE when it is, both sides of an OR FALSE when it is not.
  if (node.kind === 'binary' && node.type.bits === 1 && node.operator === (isTrue ? 'and' : 'or')) {
    addDecided(node.left, isTrue, found, aliases, depth + 1)
    addDecided(node.right, isTrue, found, aliases, depth + 1)
  }
}

function rangesKey(selector: Expression, ranges: readonly (readonly [bigint, bigint])[]): string | undefined {
  const value = valueKey(selector)
  if (value === undefined) return undefined
  const [first] = ranges
  if (ranges.length === 1 && first![0] === first![1]) return `(${value} equal ${first![0]})`
  return `(${value} in ${ranges.map(([from, to]) => `${from}..${to}`).join(' ')})`
}

/**
 * The truth of a decided condition when its only variable has this value; `undefined` when that does not decide it.
 */
export function truthWith({ node, ranges, key }: Decided, variable: string, value: bigint): boolean | undefined {
  if (ranges !== undefined) {
    return variableKey(node) === variable ? ranges.some(([from, to]) => from <= value && value <= to) : undefined
  }
  const got = evaluated(node, variable, value)
  if (got === undefined) return undefined
  // The key may be that of the opposite.
  const fact = conditionKey(node)
  return fact?.key === key && !fact.isTrue ? got === 0n : got !== 0n
}

function evaluated(node: Expression, variable: string, value: bigint): bigint | undefined {
  switch (node.kind) {
    case 'constant':
      return typeof node.value === 'bigint' ? node.value : undefined
    case 'local':
    case 'load':
      return variableKey(node) === variable ? value : undefined
    case 'convert':
      return node.mode === 'value' && node.type.bits >= node.from.bits
        ? evaluated(node.operand, variable, value)
        : undefined
    case 'unary': {
      const inner =
        node.operator === 'not' && node.type.bits === 1 ? evaluated(node.operand, variable, value) : undefined
      return inner === undefined ? undefined : inner === 0n ? 1n : 0n
    }
    case 'binary': {
      const [a, b] = [evaluated(node.left, variable, value), evaluated(node.right, variable, value)]
      const compare = comparisons[node.operator]
      return a === undefined || b === undefined || compare === undefined ? undefined : compare(a, b) ? 1n : 0n
    }
    default:
      return undefined
  }
}

const comparisons: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  less: (a, b) => a < b,
  lessOrEqual: (a, b) => a <= b,
  greater: (a, b) => a > b,
  greaterOrEqual: (a, b) => a >= b,
}
