/** Test files of a PLC program as they are read: `*.test.yml`. */

/** A value as YAML and reports have it; constants of the program are texts: `T#5s`, `16#FF`. */
export type TestValue = boolean | number | string | null | readonly TestValue[] | { readonly [name: string]: TestValue }

export type Comparison = '<' | '<=' | '>' | '>='

/** What a value must be. */
export type Expected =
  | { readonly kind: 'equal' | 'not'; readonly value: TestValue }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly value: TestValue }
  | { readonly kind: 'near'; readonly value: TestValue; readonly by: TestValue }
  | { readonly kind: 'between'; readonly low: TestValue; readonly high: TestValue }
  | { readonly kind: 'oneOf'; readonly values: readonly TestValue[] }

/** Line and column in the test file, from 1. */
export interface TestPlace {
  readonly line: number
  readonly column: number
}

/** A value that is written before a step. */
export interface Assignment {
  readonly path: string
  readonly value: TestValue
  readonly place: TestPlace
}

/** A variable with what it must be. */
export interface Condition {
  readonly path: string
  readonly expected: Expected
  readonly place: TestPlace
}

/** How long a step runs: cycles, or virtual time in nanoseconds. */
export type Duration = { readonly cycles: number } | { readonly nanoseconds: bigint }

/** In the order in which it is done: written, run, compared. */
export interface TestStep {
  readonly place: TestPlace
  readonly set: readonly Assignment[]
  /** Time that passes first, without a cycle, in nanoseconds. */
  readonly wait?: bigint
  /** Organization blocks that run before the cycles, by name or number. */
  readonly events: readonly { readonly block: string; readonly place: TestPlace }[]
  readonly stimulus?: { readonly file: string; readonly place: TestPlace }
  /** Absent: nothing runs; with a stimulus as long as that. */
  readonly run?: Duration
  readonly expect: readonly Condition[]
  /** Cycles are run until all of `expect` is true, at most for so many nanoseconds. */
  readonly within?: bigint
  /** Each is a list of conditions that must not be true together after any cycle of the step. */
  readonly never: readonly (readonly Condition[])[]
}

export interface TestCase {
  readonly name: string
  readonly tags: readonly string[]
  readonly place: TestPlace
  readonly given: readonly Assignment[]
  readonly steps: readonly TestStep[]
}

export interface TestFile {
  /** As messages name it. */
  readonly path: string
  /** A block that is called alone; absent: the whole program runs. */
  readonly block?: string
  /** Where the name of the block is. */
  readonly place: TestPlace
  /** Several controllers: the folder of the program of each, relative to the test file. */
  readonly controllers?: readonly { readonly name: string; readonly folder: string; readonly place: TestPlace }[]
  /** Variables of controllers that are copied to others after each cycle. */
  readonly connections: readonly { readonly from: string; readonly to: string; readonly place: TestPlace }[]
  /** Virtual time between two cycles in nanoseconds. */
  readonly cycle: bigint
  /** Sources whose blocks take the places of those of the program, relative to the test file. */
  readonly stubs: readonly { readonly file: string; readonly place: TestPlace }[]
  /** Most cycles and wall time (milliseconds) of one case. */
  readonly maxCycles: number
  readonly maxWallMs: number
  readonly cases: readonly TestCase[]
  /** The block is a test itself: it is called once, and its assertions are what is expected. */
  readonly isBlockTest?: boolean
}

/** What is wrong in a test file. */
export interface TestFault extends TestPlace {
  readonly file: string
  readonly message: string
}
