/**
 * The list of tags as PLCSIM Advanced has it (function manual A5E37039512, "Tag list"): one entry for each tag, structure, member, array and
 * element, `Data.list[1,2].speed`. Entries are counted by type and made only when they are asked for, so a page costs the same wherever it is.
 */
import { setImmediate } from 'node:timers/promises'
import { notFound, problem } from '../../../core/index.ts'
import type { DataBlockSymbol, ProgramTagSymbol, SymbolType } from '../../blocks/index.ts'
import type { Access } from '../../blocks/value-tools.ts'
import type { LoadedProgram } from '../controller/contract.ts'
import { pathName } from './name-path.ts'
import { elementsOf, indexOf, type ProgramIndex, primitiveType } from './program-index.ts'
import { addressText } from './resolve.ts'
import type { TagArea } from './resolved-tag.ts'

export interface TagEntry {
  /** Without quotes where it can be; `resolveTag` takes it. */
  readonly name: string
  readonly dataType: string
  /** Name in `EPrimitiveDataType`. */
  readonly primitiveType: string
  /** Name in `EArea`. */
  readonly area: 'Input' | 'Output' | 'Marker' | 'Timer' | 'Counter' | 'DataBlock'
  /** `%MW2`; what lies in optimized blocks has none. */
  readonly address?: string
  /** Bytes; a Bool has one. */
  readonly size: number
  readonly comment: string
  readonly retentive: boolean
}

/** Areas to list: those of `ETagListDetails`, or one alone. */
export const tagFilters = ['IO', 'I', 'Q', 'M', 'CT', 'DB'] as const
export type TagFilter = (typeof tagFilters)[number]

export interface TagListOptions {
  readonly area?: TagFilter
  /** Data block; implies area DB. */
  readonly db?: string
  /** Part of the name, case ignored. */
  readonly q?: string
  /** Entries of a page; default 100, at most 10 000. */
  readonly limit?: number
  /** Where the page begins: `cursor` of the one before. */
  readonly cursor?: string
  /** Flag bytes from MB0 on that are retentive. */
  readonly retentiveFlags?: number
}

export interface TagPage {
  readonly items: readonly TagEntry[]
  /** Of all pages; not with `q`, since that would mean to walk all of them. */
  readonly total?: number
  /** Absent on the last page. */
  readonly cursor?: string
}

/** PLCSIM Advanced lists no more (error NOT_ENOUGH_MEMORY). */
export const mostListed = 500_000
const mostOnPage = 10_000

/**
 * A page of the tags of a program.
 * @throws GatewayError `unacceptable_content` beyond 500 000 entries: ask for an area or a data block; `not_found` for an unknown data block;
 * `invalid_input` for what is no cursor; `conflict` when the program was replaced since the page before
 */
export async function tagList(program: LoadedProgram, options: TagListOptions = {}): Promise<TagPage> {
  const index = indexOf(program)
  const roots = rootsOf(index, options)
  const total = roots.reduce((all, { type }) => all + index.entries(type), 0)
  const start = positionOf(program, options.cursor)
  const limit = Math.max(1, Math.min(options.limit ?? 100, mostOnPage))
  const wanted = options.q?.toLowerCase() ?? ''
  const items: TagEntry[] = []
  let position = start
  for (const node of nodesFrom(index, roots, start)) {
    if (items.length === limit) return { ...page(items, total, wanted), cursor: cursorOf(program, position) }
    if (position >= mostListed) throw tooMany(total)
    position++
    if (wanted === '' || node.name.toLowerCase().includes(wanted)) items.push(entryOf(index, node, options))
    // A search may have to look at all of them.
    if ((position - start) % entriesAtOnce === 0) await setImmediate()
  }
  return page(items, total, wanted)
}

const entriesAtOnce = 10_000

function page(items: readonly TagEntry[], total: number, wanted: string): TagPage {
  return { items, ...(wanted === '' ? { total } : {}) }
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

/** A value somewhere in the program. */
interface Node {
  readonly name: string
  readonly type: number
  readonly area: TagArea
  readonly block?: DataBlockSymbol
  readonly byte: number
  readonly bit?: number
  readonly access: Access
  readonly isRetentive: boolean
  readonly comment: string
}

function rootsOf(index: ProgramIndex, { area, db }: TagListOptions): Node[] {
  if (db !== undefined) {
    const root = index.root(db.trim().replace(/^"(.*)"$/s, '$1'))
    if (root?.kind !== 'block')
      throw notFound(
        'data block',
        db,
        index.blocks.map(({ name }) => name),
      )
    return [blockNode(root.block)]
  }
  const tags = index.tags.filter((tag) => isListed(tag.area, area))
  return [...tags.map((tag) => tagNode(index, tag)), ...(isListed('DB', area) ? index.blocks.map(blockNode) : [])]
}

function isListed(area: TagArea, filter: TagFilter | undefined): boolean {
  const plain = area === 'PI' ? 'I' : area === 'PQ' ? 'Q' : area
  if (filter === 'IO') return plain === 'I' || plain === 'Q'
  if (filter === 'CT') return plain === 'T' || plain === 'C'
  return filter === undefined || filter === plain
}

function tagNode(index: ProgramIndex, { name, type, area, byte, bit, comment }: ProgramTagSymbol): Node {
  const of = index.type(type)
  const isBit = bit !== undefined && of.kind === 'scalar' && of.scalar.bits === 1
  return {
    name: pathName(name),
    type,
    area,
    byte,
    ...(isBit ? { bit } : {}),
    access: 'standard',
    isRetentive: false,
    comment,
  }
}

function blockNode(block: DataBlockSymbol): Node {
  const { name, type, access, retentive } = block
  // In standard access a data block is retentive as a whole.
  const isRetentive = access === 'standard' && retentive.length > 0
  return { name: pathName(name), type, area: 'DB', block, byte: 0, access, isRetentive, comment: '' }
}

function* nodesFrom(index: ProgramIndex, roots: readonly Node[], start: number): Generator<Node> {
  let skipped = start
  for (const root of roots) {
    const count = index.entries(root.type)
    if (skipped >= count) skipped -= count
    else {
      yield* nodes(index, root, skipped)
      skipped = 0
    }
  }
}

/** A value and what is in it; the first `skip` of them are passed over without making them. */
function* nodes(index: ProgramIndex, node: Node, skip: number): Generator<Node> {
  if (index.entries(node.type) === 0) return
  if (skip === 0) yield node
  let skipped = Math.max(0, skip - 1)
  const type = index.type(node.type)
  if (type.kind === 'array') {
    const each = index.entries(type.element)
    if (each === 0) return
    const count = elementsOf(type)
    const first = Math.floor(skipped / each)
    skipped -= first * each
    for (let i = first; i < count; i++) {
      yield* nodes(index, elementNode(node, type, i), skipped)
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
    const { bit: _bit, ...around } = node
    yield* nodes(
      index,
      {
        ...around,
        name: `${node.name}.${pathName(member.name)}`,
        type: member.type,
        byte: node.byte + member.byte,
        ...(member.bit === undefined ? {} : { bit: member.bit }),
        access: type.access ?? node.access,
        isRetentive: node.isRetentive || member.isRetentive,
        comment: member.comment === '' ? node.comment : member.comment,
      },
      skipped,
    )
    skipped = 0
  }
}

function elementNode(node: Node, type: Extract<SymbolType, { kind: 'array' }>, position: number): Node {
  const indices: number[] = []
  let rest = position
  for (const { low, high } of type.dimensions.toReversed()) {
    const length = high - low + 1
    indices.unshift(low + (rest % length))
    rest = Math.floor(rest / length)
  }
  const { bit = 0, ...around } = node
  const name = `${node.name}[${indices.join(',')}]`
  if (!type.isBits) return { ...around, name, type: type.element, byte: node.byte + position * type.stride }
  const bits = bit + position
  return { ...around, name, type: type.element, byte: node.byte + (bits >> 3), bit: bits & 7 }
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

function entryOf(index: ProgramIndex, node: Node, { retentiveFlags = 0 }: TagListOptions): TagEntry {
  const { name, area, byte, comment, isRetentive } = node
  const type = index.type(node.type)
  const isS5 = area === 'T' || area === 'C'
  const size = isS5 ? 2 : index.size(node.type)
  const address = addressText({ ...node, of: type.kind === 'scalar' ? type.scalar : undefined })
  return {
    name,
    dataType: isS5 ? areaNames[area] : index.typeText(node.type),
    primitiveType: primitiveType(type),
    area: areaNames[area],
    ...(address === undefined ? {} : { address }),
    size,
    comment,
    retentive: area === 'M' ? byte + size <= retentiveFlags : isRetentive,
  }
}
