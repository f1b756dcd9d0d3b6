/**
 * `?sort=name,-createdAt` on lists that can be long (docs/design.md#answers): one way for all of them. The list is read
 * whole, its entries are sorted as they are answered, and pages are cut from that. Lists in the order of time (the log,
 * jobs) are never read whole: they have `byTime` and take no `sort`.
 */
import { createHash } from 'node:crypto'
import { compareTexts } from '../../lib/compare-texts.ts'
import { nearest } from '../../lib/nearest.ts'
import type { QueryContext } from '../contract/context.ts'
import type { Operation, Query } from '../contract/operation.ts'
import { type Fault, problem } from '../contract/problems.ts'
import { rankedPage } from '../contract/ranked-page.ts'
import { buildSchema, definitionOf, formsOf, type PlainSchema } from '../contract/schema.ts'
import { compileInput } from '../input/validation.ts'

/** Entries that are sorted at most. */
const mostEntries = 200_000
/** Fields that a request may name. */
const mostKeys = 10

type Entry = Readonly<Record<string, unknown>>

/** The list of an answer that can be sorted, and the fields of its entries that have an order. */
export interface SortableList {
  readonly list: string
  readonly fields: readonly string[]
}

/** True when an operation answers pages of a list. */
export function hasPages(operation: Operation, { properties = {} }: PlainSchema): boolean {
  return operation.kind === 'query' && properties.limit !== undefined && properties.cursor !== undefined
}

/** The lists of objects in an answer, with the schema of their entries. */
export function listsOf(answer: PlainSchema): Map<string, PlainSchema> {
  const lists = Object.entries(answer.properties ?? {}).flatMap(([name, { items }]) => {
    const entry = items && definitionOf(items, answer)
    return entry?.properties ? [[name, entry] as const] : []
  })
  return new Map(lists)
}

const ordered = new Set(['string', 'number', 'integer', 'boolean'])

function hasOrder(schema: PlainSchema): boolean {
  return formsOf(schema).some(
    ({ type, enum: choices, const: only }) =>
      [type].flat().some((one) => one !== undefined && ordered.has(one)) || choices !== undefined || only !== undefined,
  )
}

/** What of an operation's answer can be sorted; undefined when nothing can, or it has a `sort` of its own. */
export async function sortableList(operation: Operation): Promise<SortableList | undefined> {
  if (operation.kind !== 'query' || operation.byTime) return undefined
  const { schema } = await compileInput(operation)
  if (!hasPages(operation, schema) || schema.properties?.sort !== undefined) return undefined
  // What is beside the list that comes in pages is behind it.
  const [first] = listsOf(await buildSchema(operation.output))
  if (first === undefined) return undefined
  const [list, entry] = first
  const fields = Object.entries(entry.properties ?? {}).flatMap(([name, field]) => (hasOrder(field) ? [name] : []))
  return fields.length === 0 ? undefined : { list, fields }
}

interface SortKey {
  readonly field: string
  readonly isDescending: boolean
}

/**
 * The operation with its list in the requested order.
 * @param text names of fields with commas, the first letter in either case; `-` before a name: descending
 * @throws GatewayError `invalid_input` naming the fields that entries have, or why the list takes no order
 */
export async function sortedBy(operation: Query, text: string): Promise<Query> {
  const known = await sortableList(operation)
  if (known === undefined) {
    const message = operation.byTime
      ? 'is not for this list: its entries are in the order of time'
      : 'is not for this operation: it answers no list whose entries have an order'
    throw problem('invalid_input', `/sort: ${message}.`, { errors: [{ path: '/sort', message, value: text }] })
  }
  const keys = readKeys(text, known.fields)
  // The page has the type of the answer that it is a part of, which only its schema knows.
  return { ...operation, run: (input, ctx) => sortedPage(operation, known.list, keys, input as Entry, ctx) as never }
}

function readKeys(text: string, known: readonly string[]): SortKey[] {
  const faults: Fault[] = []
  const names = text.split(',').map((name) => name.trim())
  const keys = names.flatMap((name): SortKey[] => {
    const isDescending = name.startsWith('-')
    const given = name.replace(/^[-+]/, '')
    const field = known.includes(given) ? given : given.charAt(0).toLowerCase() + given.slice(1)
    if (known.includes(field)) return [{ field, isDescending }]
    const near = nearest(field, [...known])
    const hint = near ? `did you mean "${near}"?` : `known: ${known.join(', ')}`
    const message = `entries have no order by ${JSON.stringify(given)} (${hint})`
    faults.push({ path: '/sort', message, code: 'not_allowed', value: given, allowed: [...known] })
    return []
  })
  if (names.length > mostKeys) faults.push({ path: '/sort', message: `names more than ${mostKeys} fields` })
  const [first] = faults
  if (first) throw problem('invalid_input', `/sort: ${first.message}.`, { errors: faults })
  return keys
}

async function sortedPage(operation: Query, list: string, keys: readonly SortKey[], input: Entry, ctx: QueryContext) {
  const { limit, cursor, ...rest } = input as { limit?: number; cursor?: string | number }
  const { schema } = await compileInput(operation)
  const most = (schema.properties?.limit?.maximum as number | undefined) ?? 1000
  const entries: Entry[] = []
  let first: Entry | undefined
  for (let next: unknown; first === undefined || next !== undefined; ) {
    ctx.signal.throwIfAborted()
    const page = { ...rest, limit: most, ...(next === undefined ? {} : { cursor: next }) }
    // Checked input with another page: the type of one operation out of all is not known here.
    const answer = (await operation.run(page as never, ctx)) as Entry
    first ??= answer
    entries.push(...(answer[list] as Entry[]))
    next = answer.nextCursor
    if (entries.length > mostEntries)
      throw problem('payload_too_large', `/sort: the list has more than ${mostEntries} entries; ask for fewer with q.`)
  }
  const compare = comparerOf(keys)
  const sorted = entries
    .map((entry, i) => ({ entry, values: keys.map(({ field }) => rankOf(entry[field])), i }))
    .sort((a, b) => compare(a.values, b.values) || a.i - b.i)
    .map(({ entry }) => entry)
  const { nextCursor: _, ...about } = first as Entry
  const { page, ...told } = pageOf(
    sorted,
    limit ?? Math.max(sorted.length, 1),
    cursor,
    [keys, rest, sorted.length],
    schema,
  )
  return { ...about, [list]: page, ...told }
}

/** @param of what the list is made from: a position means something in the same list only */
function pageOf(
  sorted: readonly Entry[],
  limit: number,
  cursor: string | number | undefined,
  of: unknown,
  { properties }: PlainSchema,
) {
  // Cursors of some lists are numbers.
  if (properties?.cursor?.type !== 'integer') {
    const version = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 12)
    return rankedPage(sorted, { limit, cursor: cursor as string | undefined }, `s${version}`)
  }
  const from = (cursor as number | undefined) ?? 0
  const page = sorted.slice(from, from + limit)
  const next = from + page.length
  return { page, total: sorted.length, ...(next < sorted.length ? { nextCursor: next } : {}) }
}

type Value = string | number | undefined

/** Texts are compared as names are: the case does not matter. */
function rankOf(value: unknown): Value {
  if (typeof value === 'string') return value.toLowerCase()
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'number' ? value : undefined
}

/** What is absent comes last, whatever the direction; numbers come before texts. */
function comparerOf(keys: readonly SortKey[]) {
  return (a: readonly Value[], b: readonly Value[]): number => {
    for (const [i, { isDescending }] of keys.entries()) {
      const [left, right] = [a[i], b[i]]
      if (left === right) continue
      if (left === undefined) return 1
      if (right === undefined) return -1
      const found =
        typeof left === 'string' && typeof right === 'string'
          ? compareTexts(left, right)
          : typeof left === 'number' && typeof right === 'number'
            ? left - right
            : typeof left === 'number'
              ? -1
              : 1
      if (found !== 0) return isDescending ? -found : found
    }
    return 0
  }
}
