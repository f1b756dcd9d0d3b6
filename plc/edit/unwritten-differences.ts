/** What differs in two networks that look the same as text: types of constants, scopes of names, versions. */
import { isObject } from '../../lib/is-object.ts'
import type { Operand } from '../model/operand.ts'
import { operandText } from '../model/operand-text.ts'

/** A line for each difference, on both sides. */
export interface UnwrittenDifferences {
  readonly left: readonly string[]
  readonly right: readonly string[]
}

/** So many are told of one network. */
const mostLines = 20

/**
 * Compares two networks in the canonical form (`canonicalNetwork`, `canonicalSequences`) value by value. Each line
 * names the operand or instruction and what of it differs: `5.0: type LReal`.
 */
export function unwrittenDifferences(a: unknown, b: unknown): UnwrittenDifferences {
  const [left, right]: [string[], string[]] = [[], []]
  const told = (place: string, value: unknown) =>
    `${place} ${value === undefined ? '(none)' : typeof value === 'string' ? value : JSON.stringify(value)}`
  const compare = (x: unknown, y: unknown, owner: string, path: string): void => {
    if (left.length === mostLines || JSON.stringify(x) === JSON.stringify(y)) return
    const isBoth = isObject(x) && isObject(y)
    if (!isBoth && !(Array.isArray(x) && Array.isArray(y) && x.length === y.length)) {
      const place = `${owner === '' ? '' : `${owner}: `}${path}`
      left.push(told(place, x))
      right.push(told(place, y))
      return
    }
    if (Array.isArray(x))
      for (const [i, one] of x.entries()) compare(one, (y as unknown[])[i], owner, `${path} ${i + 1}`)
    else if (isBoth) {
      const own = nameOf(x)
      // Two kinds have other fields.
      const keys = x.kind === y.kind ? [...Object.keys(x), ...Object.keys(y)] : ['kind']
      for (const key of new Set(keys))
        compare(x[key], y[key], own ?? owner, own === undefined && path !== '' ? `${path} ${key}` : key)
    }
  }
  compare(a, b, '', '')
  return { left, right }
}

/** How a reader knows what the value stands for; `undefined`: it is only a part of something. */
function nameOf(value: Readonly<Record<string, unknown>>): string | undefined {
  if (value.kind === 'part' || value.kind === 'call') return String(value.name)
  if (value.kind === 'operand') return operandText(value.operand as Operand)
  // An operand by its kind, which the set has.
  return typeof value.kind === 'string' && operandKinds.has(value.kind) ? operandText(value as never) : undefined
}

const operandKinds: ReadonlySet<string> = new Set([
  ...['symbol', 'literal', 'constant', 'address', 'indirect', 'label', 'status', 'other'],
])
