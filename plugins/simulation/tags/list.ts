/**
 * The list of tags in the form of PLCSIM Advanced (function manual A5E37039512, "Tag list"): one entry for each tag,
 * structure, member, array and element, `Data.list[1,2].speed`. Entries are counted by type and made only on request,
 * so every page takes the same time.
 */
import { setImmediate } from 'node:timers/promises'
import { defined, notFound, problem } from '../../../core/index.ts'
import { elementsOf, indexText } from '../../../plc/program/symbol-rows.ts'
import type { LoadedProgram } from '../controller/contract.ts'
import { elementPlace, memberPlace, rootPlace, type SymbolPlace } from './place.ts'
import { indexOf, type ProgramIndex, primitiveType } from './program-index.ts'
import { addressText } from './resolve.ts'
import type { TagArea } from './resolved-tag.ts'

/** An entry of the list of tags. */
export interface TagEntry {
  /** Name, with quotes only where necessary; `resolveTag` accepts it. */
  readonly name: string
  readonly dataType: string
  /** Name in `EPrimitiveDataType`. */
  readonly primitiveType: string
  /** Name in `EArea`. */
  readonly area: 'Input' | 'Output' | 'Marker' | 'Timer' | 'Counter' | 'DataBlock'
  /** For example `%MW2`; absent in optimized blocks. */
  readonly address?: string
  /** Size in bytes; 1 for a Bool. */
  readonly size: number
  readonly comment: string
  readonly retentive: boolean
}

/** Areas that can be listed: those of `ETagListDetails`, and single areas. */
const tagFilters = ['IO', 'I', 'Q', 'M', 'CT', 'DB'] as const
/** Name of an area that can be listed. */
export type TagFilter = (typeof tagFilters)[number]

/** Options of a page. */
export interface TagListOptions {
  readonly area?: TagFilter
  /** Name of a data block; implies area DB. */
  readonly db?: string
  /** Part of the name, ignoring case. */
  readonly q?: string
  /** Number of entries on a page; default 100, at most 10 000. */
  readonly limit?: number
  /** Start of the page: `cursor` of the previous one. */
  readonly cursor?: string
  /** Number of retentive flag bytes, from MB0 on. */
  readonly retentiveFlags?: number
}

/** A page of the list of tags. */
export interface TagPage {
  readonly items: readonly TagEntry[]
  /** Number of entries on all pages; absent for a search in more than 500 000. */
  readonly total?: number
  /** Absent on the last page. */
  readonly cursor?: string
}

/** Maximum number of entries that PLCSIM Advanced lists (error NOT_ENOUGH_MEMORY). */
export const mostListed = 500_000
const mostOnPage = 10_000

/**
 * Returns a page of the tags of a program.
 * @throws GatewayError `unacceptable_content` for more than 500 000 entries (the client must choose an area or a data
 *   block); `not_found` for an unknown data block; `invalid_input` for an invalid cursor; `conflict` when the program
 *   was replaced after the previous page
 */
export async function tagList(program: LoadedProgram, options: TagListOptions = {}): Promise<TagPage> {
  const index = indexOf(program)
  const roots = rootsOf(index, options)
  const total = roots.reduce((all, { of }) => all + index.entries(of), 0)
  const start = positionOf(program, options.cursor)
  const limit = Math.max(1, Math.min(options.limit ?? 100, mostOnPage))
  const wanted = options.q?.toLowerCase() ?? ''
  const found = wanted === '' ? total : total > mostListed ? undefined : await countOf(index, roots, options)
  const counted = found === undefined ? {} : { total: found }
  const items: TagEntry[] = []
  for (let position = start, nodes = nodesFrom(index, roots, start); ; position++) {
    const { value: node, done } = nodes.next()
    if (done) return { items, ...counted }
    if (position >= mostListed) {
      if (items.length < limit) throw tooMany(total)
      return { items, ...counted, cursor: cursorOf(program, position) }
    }
    // A search may have to examine all entries.
    if ((position - start) % entriesAtOnce === entriesAtOnce - 1) await setImmediate()
    if (!node.name.toLowerCase().includes(wanted)) continue
    if (items.length === limit) return { items, ...counted, cursor: cursorOf(program, position) }
    items.push(entryOf(index, node, options))
  }
}

const entriesAtOnce = 10_000

/** Number of entries that a search finds: counted once, because every page has it. */
async function countOf(index: ProgramIndex, roots: readonly SymbolPlace[], { area, db, q = '' }: TagListOptions) {
  const key = JSON.stringify([area, db?.toLowerCase(), q.toLowerCase()])
  const known = index.found.get(key)
  if (known !== undefined) return known
  let [count, examined] = [0, 0]
  for (const { name } of nodesFrom(index, roots, 0)) {
    if (name.toLowerCase().includes(q.toLowerCase())) count++
    if (++examined % entriesAtOnce === 0) await setImmediate()
  }
  index.found.set(key, count)
  return count
}

function tooMany(total: number) {
  return problem(
    'unacceptable_content',
    `The list has ${total} tags, more than the ${mostListed} that can be listed at once. Ask for an area or a data block.`,
  )
}

function cursorOf({ hash }: LoadedProgram, position: number): string {
  return Buffer.from(`${position} ${hash.slice(0, 12)}`).toString('base64url')
}

function positionOf({ hash }: LoadedProgram, cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [, position, of] = /^(\d{1,15}) (.*)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (position === undefined)
    throw problem('invalid_input', `cursor: ${JSON.stringify(cursor.slice(0, 80))} is no cursor of this list.`)
  if (of !== hash.slice(0, 12))
    throw problem('conflict', 'The program was replaced since the page before; begin the list again.')
  return Number(position)
}

// ── Entries ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function rootsOf(index: ProgramIndex, { area, db }: TagListOptions): SymbolPlace[] {
  if (db !== undefined) {
    const root = index.root(db.trim().replace(/^"(.*)"$/s, '$1'))
    if (root?.kind !== 'block')
      throw notFound(
        'data block',
        db,
        index.blocks.map(({ name }) => name),
      )
    return [rootPlace(index, root)]
  }
  const tags = index.tags.filter((tag) => isListed(tag.area, area)).map((tag) => rootPlace(index, { kind: 'tag', tag }))
  if (!isListed('DB', area)) return tags
  return [...tags, ...index.blocks.map((block) => rootPlace(index, { kind: 'block', block }))]
}

function isListed(area: TagArea, filter: TagFilter | undefined): boolean {
  const plain = area === 'PI' ? 'I' : area === 'PQ' ? 'Q' : area
  if (filter === 'IO') return plain === 'I' || plain === 'Q'
  if (filter === 'CT') return plain === 'T' || plain === 'C'
  return filter === undefined || filter === plain
}

function* nodesFrom(index: ProgramIndex, roots: readonly SymbolPlace[], start: number): Generator<SymbolPlace> {
  let skipped = start
  for (const root of roots) {
    const count = index.entries(root.of)
    if (skipped >= count) skipped -= count
    else {
      yield* nodes(index, root, skipped)
      skipped = 0
    }
  }
}

/** A value and its parts; the first `skip` of them are skipped without being created. */
function* nodes(index: ProgramIndex, node: SymbolPlace, skip: number): Generator<SymbolPlace> {
  if (index.entries(node.of) === 0) return
  if (skip === 0) yield node
  let skipped = Math.max(0, skip - 1)
  const type = index.type(node.of)
  if (type.kind === 'array') {
    const each = index.entries(type.element)
    if (each === 0) return
    const count = elementsOf(type)
    const first = Math.floor(skipped / each)
    skipped -= first * each
    for (let i = first; i < count; i++) {
      yield* nodes(index, elementPlace(node, type, `${node.name}[${indexText(type.dimensions, i)}]`, i), skipped)
      skipped = 0
    }
  }
  if (type.kind !== 'struct') return
  for (const member of type.members) {
    const count = member.isHidden ? 0 : index.entries(member.type)
    if (count === 0) continue
    if (skipped >= count) {
      skipped -= count
      continue
    }
    yield* nodes(index, memberPlace(node, type, member), skipped)
    skipped = 0
  }
}

const areaNames: Readonly<Record<TagArea, TagEntry['area']>> = {
  I: 'Input',
  PI: 'Input',
  Q: 'Output',
  PQ: 'Output',
  M: 'Marker',
  T: 'Timer',
  C: 'Counter',
  DB: 'DataBlock',
}

function entryOf(index: ProgramIndex, node: SymbolPlace, { retentiveFlags = 0 }: TagListOptions): TagEntry {
  const { name, area, byte, comment, isRetentive } = node
  const type = index.type(node.of)
  const isS5 = area === 'T' || area === 'C'
  const size = isS5 ? 2 : index.size(node.of)
  const address = addressText({ ...node, of: type.kind === 'scalar' ? type.scalar : undefined })
  return {
    name,
    dataType: isS5 ? areaNames[area] : index.typeText(node.of),
    primitiveType: primitiveType(type),
    area: areaNames[area],
    ...defined({ address }),
    size,
    comment,
    retentive: area === 'M' ? byte + size <= retentiveFlags : isRetentive,
  }
}
