/**
 * The objects of a device's program, for comparing and loading: blocks, PLC data types, tag tables, watch and force
 * tables.
 */

import type { QueryContext } from '../../core/index.ts'
import { type Block, blockFolders, blocksOf } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import { type TagTable, tagTableFolders, tagTablesOf } from '../tags/index.ts'
import { type PlcType, typeFolders, typesOf } from '../types/index.ts'
import { type WatchTable, watchTableFolders, watchTablesOf } from '../watch-tables/index.ts'
import type { Category } from './declarations.ts'

/** The aggregates of each category, without their device. */
interface Records {
  readonly block: Omit<Block, 'deviceId'>
  readonly type: Omit<PlcType, 'deviceId'>
  readonly 'tag-table': Omit<TagTable, 'deviceId'>
  readonly 'watch-table': Omit<WatchTable, 'deviceId'>
}

/** One object of a program. `record` and the blobs that it names are enough to restore it. */
export type ProgramItem = {
  readonly [C in Category]: {
    readonly category: C
    readonly kind: string
    readonly name: string
    /** Hash of its content, without number and folder. */
    readonly hash: string
    readonly record: Records[C]
  }
}[Category]

/** Folders of a device, including empty ones. */
export type Folders = Readonly<Record<Category, readonly string[]>>

/** The names of the categories for people. */
export const categoryTitles: Readonly<Record<Category, string>> = {
  type: 'PLC data type',
  'tag-table': 'tag table',
  block: 'block',
  'watch-table': 'watch table',
}

/**
 * Names are unique in a category, without regard to case. Blocks and types share their names with each other, tables do
 * not.
 */
export function keyOf({ category, name }: { readonly category: Category; readonly name: string }): string {
  return `${category}/${name.toLowerCase()}`
}

function withoutDevice<T extends { readonly deviceId: string }>({ deviceId: _, ...record }: T): Omit<T, 'deviceId'> {
  return record
}

/** The present objects of a device in the project. @param hashOf hash of a text, in the form of blobs */
export function programItems(
  ctx: Pick<QueryContext, 'read'>,
  { id }: Pick<Device, 'id'>,
  hashOf: (text: string) => string,
): ProgramItem[] {
  return [
    ...typesOf(ctx, id).map((type): ProgramItem => {
      const { name, document } = type
      return { category: 'type', kind: 'UDT', name, hash: document, record: withoutDevice(type) }
    }),
    ...tagTablesOf(ctx, id).map((table): ProgramItem => {
      const { name, tags, constants, document = '' } = table
      const hash = hashOf(JSON.stringify([tags, constants, document]))
      return { category: 'tag-table', kind: 'TagTable', name, hash, record: withoutDevice(table) }
    }),
    ...blocksOf(ctx, id).map((block): ProgramItem => {
      const { name, kind, document } = block
      return { category: 'block', kind, name, hash: document, record: withoutDevice(block) }
    }),
    ...watchTablesOf(ctx, id).map((table): ProgramItem => {
      const { name, kind, document } = table
      return { category: 'watch-table', kind, name, hash: document, record: withoutDevice(table) }
    }),
  ]
}

/** The trees of folders, by category. */
export const folderTrees = {
  type: typeFolders,
  'tag-table': tagTableFolders,
  block: blockFolders,
  'watch-table': watchTableFolders,
} as const satisfies Record<Category, unknown>

export function foldersOf(ctx: Pick<QueryContext, 'read'>, { id }: Pick<Device, 'id'>): Folders {
  const list = (category: Category) => folderTrees[category].list(ctx, id).map(({ path }) => path)
  return {
    type: list('type'),
    'tag-table': list('tag-table'),
    block: list('block'),
    'watch-table': list('watch-table'),
  }
}

/** Blobs that an object names: its document, and the whole file it came from. */
export function blobsOf({ record }: ProgramItem): string[] {
  return [record.document, record.file].flatMap((hash) => (hash === undefined ? [] : [hash]))
}

/** Number of a block; others have none. */
export function numberOf(item: ProgramItem): number | undefined {
  return item.category === 'block' ? item.record.number : undefined
}

/** True when the settings beside the text of a block are equal: event class, automatic number. */
export function isSameChoice(a: ProgramItem, b: ProgramItem): boolean {
  if (a.category !== 'block' || b.category !== 'block') return true
  return a.record.secondaryType === b.record.secondaryType && a.record.autoNumber === b.record.autoNumber
}

/**
 * True when nothing differs that a load or upload transfers: content, event class, number, folder, spelling of the
 * name.
 */
export function isSameItem(a: ProgramItem, b: ProgramItem): boolean {
  return (
    a.hash === b.hash &&
    a.kind === b.kind &&
    a.name === b.name &&
    numberOf(a) === numberOf(b) &&
    isSameChoice(a, b) &&
    a.record.folder === b.record.folder
  )
}
