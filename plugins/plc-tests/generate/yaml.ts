/** Test files as text. */
import { Document, type Node } from 'yaml'
import type { TestValue } from '../../../plc/program-tests/model.ts'

/** A file that was made. */
export interface MadeFile {
  readonly name: string
  readonly content: string
  readonly cases: number
  /** What the tests do not have, and why. */
  readonly notes: readonly string[]
}

export interface MadeStep {
  readonly set?: Readonly<Record<string, TestValue>>
  readonly wait?: string
  readonly run?: string
  readonly expect?: Readonly<Record<string, unknown>>
}

export interface MadeCase {
  readonly name: string
  readonly after?: string
  readonly tags?: readonly string[]
  readonly given?: Readonly<Record<string, TestValue>>
  readonly steps: readonly MadeStep[]
}

export interface MadeTests {
  readonly block?: string
  readonly program?: true
  readonly cycle: string
  readonly cases: readonly MadeCase[]
}

/** Writes a file; values are in one line each. @param head comment above it */
export function testText({ cases, ...rest }: MadeTests, head: string): string {
  const document = new Document({ ...rest, cases: [] })
  document.commentBefore = ` ${head.replaceAll('\n', '\n ')}`
  const flow = (value: unknown): Node => document.createNode(value, { flow: true }) as Node
  document.set(
    'cases',
    document.createNode(
      cases.map(({ steps, given, tags, ...one }) =>
        document.createNode({
          ...one,
          ...(tags === undefined ? {} : { tags: flow(tags) }),
          ...(given === undefined ? {} : { given: flow(given) }),
          steps: steps.map((step) => flow(step)),
        }),
      ),
    ),
  )
  return document.toString({ lineWidth: 0 })
}

/** A value to compare with: a text that looks like a comparison is no comparison. */
export function expectedValue(value: TestValue): unknown {
  return typeof value === 'string' && /^[<>]/.test(value) ? { is: value } : value
}

const plain = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A path of names; names that are no plain words are quoted. */
export function pathOf(names: readonly string[]): string {
  return names.map((one) => (plain.test(one) ? one : `"${one}"`)).join('.')
}

/** A name of a file without what file systems refuse. */
export function fileName(name: string): string {
  return `${name.replace(/[^\p{L}\p{N}._ -]/gu, '_')}.test.yml`
}
