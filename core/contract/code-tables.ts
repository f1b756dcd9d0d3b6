/**
 * What a code means that is no problem of its own: of an entry of `errors` in a problem, of a message of the compiler,
 * of an entry in a controller's diagnostics buffer. Plugins contribute their tables; `GET /api/errors/{code}` and the
 * page *Codes* of the manual are made from them.
 */
import { extensionPoint } from './extension-point.ts'

/** One row. */
export interface CodeDefinition {
  readonly severity: string
  readonly title: string
  readonly meaning: string
  /** What to do. */
  readonly remedy: string
  /** Text that has it. */
  readonly example?: string
}

/** The codes of one kind. */
export interface CodeTable {
  /** Heading in the manual. */
  readonly title: string
  /** Loaded on request. */
  codes(): ReadonlyMap<string, CodeDefinition> | Promise<ReadonlyMap<string, CodeDefinition>>
}

/** Where plugins put their tables. */
export const codeTables = extensionPoint<CodeTable>('core.code-tables', {
  title: 'Tables of codes',
  description:
    'What codes mean that are no problem of their own, e.g. of a compiler. GET /api/errors/{code} and the page Codes of the manual are made from them.',
  constant: 'codeTables',
  check: {
    title: 'text',
    codes: 'function',
  },
  example:
    "{ title: 'Codes of the plant', codes: () => new Map([['P001', { severity: 'error', title: 'No pump', meaning: 'There is none.', remedy: 'Add one.' }]]) }",
})
