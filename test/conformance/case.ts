/** What the tables of this folder are made of: calls of routes with what they must answer and change. */
import assert from 'node:assert/strict'

/** What an operation answers; tables look at single fields. */
// biome-ignore lint/suspicious/noExplicitAny: a table asserts on what it reads
export type Answer = Record<string, any>
export type Input = Readonly<Record<string, unknown>>

/** What is known only when the gateway runs. */
export interface World {
  /** The folder that contains `workspace/`. */
  readonly dir: string
  /** Runs an operation as an administrator. */
  call(operation: string, input?: Input): Promise<Answer>
}

/** An input, or how it is made. */
export type Made = Input | ((world: World) => Input | Promise<Input>)
/** An operation and its input: what comes before or after a call. */
export type Call = readonly [operation: string, input: Made]
/** A value that an answer contains (see `contains`), or what is wrong when a function does not answer true. */
export type Expected =
  | string
  | RegExp
  | readonly unknown[]
  | { readonly [field: string]: unknown }
  | ((answer: Answer) => boolean)

/** For an effect: there is no such thing any more, and the route says `not_found`. */
export const gone: Expected = { code: 'not_found' }

/** One operation: its routes in the specification, a call that succeeds, one that fails. */
export interface Case {
  /** Its rows in `specification.tsv`: `METHOD /path`. Twins stand together. */
  readonly routes: readonly string[]
  /** Parameters of the path, of the query and fields of the body. */
  readonly input?: Made
  readonly before?: readonly Call[]
  readonly after?: readonly Call[]
  /** What the answer contains. */
  readonly answer?: Expected
  /** A command: the route that shows its effect, and what it answers then. */
  readonly effect?: readonly [route: string, input: Made, expected: Expected]
  /** A query: the route whose effect it shows, or what else it tells of. */
  readonly shows?: string
  /** The call that fails, and the code of its problem. Without it: a parameter that there is not. */
  readonly refused?: readonly [code: string, input: Made, before?: readonly Call[], after?: readonly Call[]]
  /** It tells of the whole gateway: what it answers changes with every plugin and page, and is not recorded. */
  readonly isWide?: boolean
  /** Fields of the answer that are different each time, beside times and ids. */
  readonly varies?: readonly string[]
}

/** Asserts that a value has what is expected: fields of objects, entries of lists in any order, patterns of texts. */
export function contains(value: unknown, expected: unknown, where: string): void {
  const found = () => `${where}: ${JSON.stringify(value)?.slice(0, 2000)}`
  if (typeof expected === 'function') {
    assert.ok(expected(value) === true, `${found()} fails ${String(expected)}`)
    return
  }
  if (expected instanceof RegExp) {
    assert.match(typeof value === 'string' ? value : found(), expected, where)
    return
  }
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(value), found())
    for (const one of expected)
      assert.ok(
        value.some((entry) => fits(entry, one)),
        `${found()} lacks ${JSON.stringify(one)}`,
      )
    return
  }
  if (expected !== null && typeof expected === 'object') {
    assert.ok(value !== null && typeof value === 'object', found())
    for (const [name, one] of Object.entries(expected)) contains((value as Answer)[name], one, `${where}/${name}`)
    return
  }
  assert.equal(value, expected, found())
}

function fits(value: unknown, expected: unknown): boolean {
  try {
    contains(value, expected, '')
    return true
  } catch {
    return false
  }
}

/** The answer of a list has no entry like this. */
export const lacks =
  (list: string, entry: unknown) =>
  (answer: Answer): boolean =>
    Array.isArray(answer[list]) && !answer[list].some((one: unknown) => fits(one, entry))

/** The device that most routes are called for. */
export const plc = { deviceName: 'PLC_1' }
export const nowhere = { deviceName: 'PLC_9' }
