/** How tests reach variables of a program; who runs tests gives it. */
import { literalOf } from '../program/literals.ts'
import type { Expected, TestValue } from './model.ts'

/** A variable in the memory of a program. */
export interface TestVariable {
  readonly dataType: string
  /** @param clock nanoseconds since the start */
  read(memory: Uint8Array, clock: bigint): TestValue
  /** Its bytes, for `valueIn` later. */
  bytesOf(memory: Uint8Array): Uint8Array
  valueIn(bytes: Uint8Array, clock: bigint): TestValue
  /** @throws Error when the value does not fit the type; its message says what is allowed */
  write(memory: Uint8Array, value: TestValue): void
  /** What `read` would return after `write`, and the memory stays. @throws Error as `write` */
  asWritten(memory: Uint8Array, value: TestValue, clock: bigint): TestValue
}

/** @throws Error when there is no such variable; its message suggests one */
export type FindVariable = (path: string) => TestVariable

/**
 * Whether a variable is as it must be.
 * @throws Error when the expected value does not fit its type, or the type has no order
 */
export function isAsExpected(variable: TestVariable, expected: Expected, memory: Uint8Array, clock: bigint): boolean {
  const actual = variable.read(memory, clock)
  const written = (value: TestValue): TestValue => variable.asWritten(memory, value, clock)
  const order = (value: TestValue): number | bigint => {
    const found = ordinal(value)
    if (found === undefined)
      throw new Error(`values of type ${variable.dataType} have no order: ${JSON.stringify(value)}`)
    return found
  }
  switch (expected.kind) {
    case 'equal':
      return isSame(actual, written(expected.value))
    case 'not':
      return !isSame(actual, written(expected.value))
    case 'oneOf':
      return expected.values.some((one) => isSame(actual, written(one)))
    case 'compare': {
      const [left, right] = [order(actual), order(written(expected.value))]
      if (expected.operator === '<') return left < right
      if (expected.operator === '<=') return left <= right
      return expected.operator === '>' ? left > right : left >= right
    }
    case 'between': {
      const value = order(actual)
      return value >= order(written(expected.low)) && value <= order(written(expected.high))
    }
    case 'near': {
      const [value, middle, by] = [
        order(actual),
        order(written(expected.value)),
        order(tolerance(expected.by, written)),
      ]
      if (typeof value === 'bigint' && typeof middle === 'bigint' && typeof by === 'bigint')
        return value - middle <= by && middle - value <= by
      // The middle of a Real is the nearest value of its type: the rounding of the sum is not to fail the test.
      return Math.abs(Number(value) - Number(middle)) <= Number(by) * (1 + 1e-9)
    }
  }
}

/** A tolerance of a duration has the unit of the type. */
function tolerance(by: TestValue, written: (value: TestValue) => TestValue): TestValue {
  return typeof by === 'string' ? written(by) : by
}

function isSame(a: TestValue, b: TestValue): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** The number by which values of one type are ordered. */
export function ordinal(value: TestValue): number | bigint | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') return undefined
  if (value === 'Infinity' || value === '-Infinity' || value === 'NaN') return Number(value)
  const read = literalOf(value)
  return 'kind' in read && typeof read.value !== 'string' ? (read.value as number | bigint) : undefined
}

/** As a report shows it. */
export function shownValue(value: TestValue): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function shownExpected(expected: Expected): string {
  switch (expected.kind) {
    case 'equal':
      return shownValue(expected.value)
    case 'not':
      return `not ${shownValue(expected.value)}`
    case 'compare':
      return `${expected.operator} ${shownValue(expected.value)}`
    case 'near':
      return `${shownValue(expected.value)} +/- ${shownValue(expected.by)}`
    case 'between':
      return `${shownValue(expected.low)} to ${shownValue(expected.high)}`
    case 'oneOf':
      return `one of ${expected.values.map(shownValue).join(', ')}`
  }
}
