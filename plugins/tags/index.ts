/** Tag tables with their tags and constants; folders. */

import { type CommandContext, definePlugin, extend, type QueryContext, undoCheck } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import {
  collectionSection,
  cultureOf,
  type ImportTarget,
  importTarget,
  objectsCheck,
  programContributor,
  type SymbolHolder,
  symbolHolder,
} from '../program-objects/index.ts'
import { projectSection } from '../projects/index.ts'
import type { ExchangeContent } from './exchange/content.ts'
import { tagOperations } from './operations.ts'
import { tagProgramContributor } from './program-contributor.ts'
import { systemConstantSource } from './system-constants.ts'
import { tagNames } from './tag-names.ts'
import { rowOfName, type Tag, type TagTable, tagSlice, tagTableCollection, tagTablesOf } from './tag-table.ts'

export { constantFault } from './constant-value.ts'
export { type SystemConstantSource, systemConstantSource } from './system-constants.ts'
export { tagNames } from './tag-names.ts'
export {
  type Constant,
  constantAdded,
  constantChanged,
  constantDeleted,
  findTagTable,
  requireTagTable,
  type Tag,
  type TagTable,
  tagAdded,
  tagChanged,
  tagDeleted,
  tagTableCreated,
  tagTableDeleted,
  tagTableFolders,
  tagTableRenamed,
  tagTableReplaced,
  tagTables,
  tagTablesOf,
} from './tag-table.ts'

/**
 * Restores a tag table: its tags and constants replace those of the existing table with its name; a deleted table is
 * created again.
 * @throws GatewayError `name_taken` when an object outside the table now has the name of a tag or constant
 */
export async function replaceTagTable(ctx: CommandContext, device: Device, saved: TagTable): Promise<TagTable> {
  return (await import('./store.ts')).replaceTagTable(ctx, device, saved)
}

/** The table as the text of its SimaticML element: its document, or one made of its rows. */
export async function tagTableText(
  ctx: Pick<QueryContext, 'blobs' | 'read'>,
  table: Pick<TagTable, 'name' | 'tags' | 'constants' | 'document' | 'isAsDocument'>,
): Promise<string> {
  const { tableText } = await import('./store.ts')
  return tableText(ctx, table, cultureOf(ctx))
}

/**
 * Puts tags into tables of a PLC, which are made when absent; a tag that is there by its name is replaced. All or
 * nothing.
 * @returns how many tags were put, and warnings
 * @throws GatewayError `unacceptable_content` with every tag that cannot be stored
 */
export async function putTags(
  ctx: CommandContext,
  device: Device,
  tables: readonly { readonly name: string; readonly tags: readonly Tag[] }[],
): Promise<{ readonly tags: number; readonly warnings: readonly string[] }> {
  return (await import('./put-tags.ts')).putTags(ctx, device, tables)
}

/**
 * A workbook without compression, after its unpacked size was checked; see `boundedArchive` in exchange/zip-bounds.ts.
 * @throws GatewayError `unacceptable_content`, `payload_too_large`
 */
export async function boundedArchive(bytes: Uint8Array): Promise<Uint8Array> {
  return (await import('./exchange/zip-bounds.ts')).boundedArchive(bytes)
}

/**
 * Reads a file with tags and constants: a workbook, or a CSV, `.sdf` or `.asc` text. Faults of rows are part of the
 * result.
 * @throws GatewayError when the file holds no such table
 */
export async function readTagFile(bytes: Uint8Array, format: 'csv' | 'xlsx'): Promise<ExchangeContent> {
  const { readFile } = await import('./exchange/tables.task.ts')
  return readFile({ bytes, format }, { progress() {}, signal: new AbortController().signal })
}

const tableTarget: ImportTarget = {
  kinds: ['TagTable'],
  async store(ctx, device, object, options) {
    return (await import('./store.ts')).storeTable(ctx, device, object, options)
  },
  async warningsOf(ctx, device, stored) {
    return (await import('./store.ts')).overlapsOfTables(ctx, device, stored)
  },
}

const tagSymbols: SymbolHolder = {
  kinds: ['tag', 'constant'],
  collection: tagNames.id,
  find(ctx, deviceId, lowerCaseName) {
    const row = rowOfName(ctx, deviceId, lowerCaseName)
    return row && { kind: row.kind, name: row.name, description: `in table "${row.table.name}"` }
  },
}

const tagPart = collectionSection({
  searchKinds: ['tag-table', 'tag', 'constant'],
  area: 'tags',
  order: 30,
  collection: tagTableCollection,
  files: async () => (await import('./store.ts')).tableFiles,
  overview: (ctx, deviceId) => ({
    tagTables: tagTablesOf(ctx, deviceId).map(({ name, tags, isDefault }) => ({
      name,
      tagCount: tags.length,
      isDefault,
    })),
  }),
})

export default definePlugin({
  name: 'tags',
  version: '1.0.0',
  description: 'Tag tables with their tags and constants; folders.',
  requires: ['projects', 'devices', 'blocks', 'types'],
  slice: tagSlice,
  operations: tagOperations,
  extensionPoints: [systemConstantSource],
  extensions: [
    extend(importTarget, tableTarget),
    extend(symbolHolder, tagSymbols),
    extend(undoCheck, objectsCheck(tagTableCollection)),
    extend(projectSection, tagPart),
    extend(programContributor, tagProgramContributor),
  ],
})
