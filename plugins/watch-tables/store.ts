/** Stores watch and force tables in the project. */

import { type CommandContext, defined, isGatewayError, problem, type QueryContext } from '../../core/index.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import { importRequest } from '../blocks/index.ts'
import { type Device, devices } from '../devices/index.ts'
import {
  type CollectionFiles,
  requireName,
  type StorableObject,
  type Stored,
  type StoreOptions,
  storeText,
  taskWork,
} from '../program-objects/index.ts'
import { requireProject, type SearchEntry } from '../projects/index.ts'
import { programSymbols } from './symbols.ts'
import type { TableEdit } from './table.task.ts'
import { tableView } from './views.ts'
import {
  findWatchTable,
  forceTableName,
  type WatchTable,
  type WatchTableKind,
  watchTableChanged,
  watchTableCollection,
  watchTableCreated,
  watchTableDeleted,
  watchTableFolders,
  watchTablesOf,
} from './watch-table.ts'

const { entityOf, identityOf, taken } = watchTableCollection

/** Name of a kind in messages. */
function nounOf(kind: WatchTableKind): string {
  return kind === 'ForceTable' ? 'force table' : 'watch table'
}

/** The force table of a device; undefined when there is none. */
function forceTableOf(ctx: Pick<CommandContext, 'read'>, device: Device): WatchTable | undefined {
  return watchTablesOf(ctx, device.id).find(({ kind }) => kind === 'ForceTable')
}

function onlyOne(present: WatchTable, device: Device, suggestion: string) {
  return problem(
    'conflict',
    `"${device.name}" has a force table, "${present.name}", with ${present.entries.length} rows: a PLC has only one.`,
    { suggestion },
  )
}

/**
 * Stores an imported table or a new one. A PLC has only one force table (Openness: "only one ForceTable allowed").
 * Another one is refused unless the existing one is empty or may be replaced; it then replaces it, even with a
 * different name.
 */
export async function storeTable(
  ctx: CommandContext,
  device: Device,
  object: StorableObject,
  options: StoreOptions,
): Promise<Stored> {
  const isForce = object.kind === 'ForceTable'
  const kind = isForce ? 'ForceTable' : 'WatchTable'
  // Openness ignores the name of the force table, so files may omit it.
  const name = object.name === '' && isForce ? forceTableName : object.name
  requireName(name, '/name', nounOf(kind))
  const named = findWatchTable(ctx, device.id, name)
  if (named && named.kind !== kind)
    throw problem('name_taken', `"${named.name}" is the name of a ${nounOf(named.kind)} on "${device.name}".`)
  const before = isForce ? forceTableOf(ctx, device) : named
  if (before && options.overwrite !== true) {
    if (!isForce) throw taken(before, device, { canOverwrite: true })
    if (before.entries.length > 0) throw onlyOne(before, device, 'Send overwrite: true to replace it.')
  }
  const table: WatchTable = {
    ...identityOf(ctx, device, name, isForce ? { ...options, folder: '' } : options, before),
    kind,
    entries: object.entries ?? [],
    ...(options.stored ?? (await storeText(ctx, object))),
    ...defined({ engineeringVersion: object.engineeringVersion }),
  }
  const warnings = await unknownNames(ctx, device, table)
  return { name, kind, action: put(ctx, device, before, table), ...(warnings.length > 0 ? { warnings } : {}) }
}

/** Warnings of an import about rows whose tags and data blocks do not exist. */
async function unknownNames(ctx: CommandContext, device: Device, table: WatchTable): Promise<string[]> {
  const { isConsistent } = await tableView(table, programSymbols(ctx, device))
  if (isConsistent) return []
  return [`${table.name}: rows of the table name tags or data blocks that "${device.name}" does not have.`]
}

type ImportRequest = Parameters<typeof importRequest>[2]

/**
 * Imports tables from a request. Existing tables are replaced only when the request allows it.
 * @throws GatewayError `conflict` when existing tables are the only obstacle; `unacceptable_content` for faults of the
 *   files
 */
export async function importTables(ctx: CommandContext, device: Device, request: ImportRequest) {
  try {
    const choices = { ...request, overwrite: request.overwrite ?? false }
    return await importRequest(ctx, device, choices, ['WatchTable', 'ForceTable'])
  } catch (error) {
    const faults = isGatewayError(error) ? (error.details.errors ?? []) : []
    const isPresent = faults.length > 0 && faults.every(({ code }) => code === 'conflict' || code === 'name_taken')
    if (!isGatewayError(error) || !isPresent) throw error
    throw problem('conflict', error.message, {
      errors: faults,
      suggestion: 'Send overwrite: true to replace present tables, also the one force table of the PLC.',
    })
  }
}

/** Emits the event that stores `table` under its name. */
function put(ctx: CommandContext, device: Device, before: WatchTable | undefined, table: WatchTable): Stored['action'] {
  const entity = entityOf(device, table.name)
  if (!before) {
    ctx.emit(watchTableCreated, { table }, entity)
    return 'created'
  }
  const isPlaced = before.name === table.name && before.folder === table.folder && before.unit === table.unit
  if (before.document === table.document && isPlaced) return 'unchanged'
  if (before.name.toLowerCase() !== table.name.toLowerCase()) {
    deleteTable(ctx, device, before)
    ctx.emit(watchTableCreated, { table }, entity)
  } else ctx.emit(watchTableChanged, { before: before.document, after: table.document, table }, entity)
  return 'replaced'
}

async function work() {
  return taskWork(new URL('./table.task.ts', import.meta.url).href, () => import('./table.task.ts'))
}

/** Creates an empty table. */
export async function createTable(
  ctx: CommandContext,
  device: Device,
  kind: WatchTableKind,
  name: string,
  folder: string,
): Promise<WatchTable> {
  requireName(name, '/name', nounOf(kind))
  const force = kind === 'ForceTable' ? forceTableOf(ctx, device) : undefined
  if (force) throw onlyOne(force, device, 'Use it as it is, or delete it first.')
  const present = findWatchTable(ctx, device.id, name)
  if (present) throw taken(present, device)
  const engineeringVersion = requireProject(ctx).version
  const object = await (await work())(ctx, 'newTable', { kind, name, engineeringVersion }, 0)
  await storeTable(ctx, device, object, { folder })
  return watchTableCollection.requireOf(ctx, device, name)
}

/** Changes a table and its rows. */
export async function editTable(
  ctx: CommandContext,
  device: Device,
  before: WatchTable,
  edit: TableEdit,
  folder = before.folder,
): Promise<WatchTable> {
  const { kind, engineeringVersion, size } = before
  const text = await ctx.blobs.text(before.document)
  const run = await work()
  const edited: ImportedObject = await run(ctx, 'editTable', { table: { kind, text, engineeringVersion }, edit }, size)
  return storeEdited(ctx, device, before, edited, folder)
}

/**
 * Renames a watch table, or moves it to another folder. The force table has a fixed name and place, as in TIA Portal.
 * @throws GatewayError `name_taken`, `invalid_input`
 */
export async function updateTable(
  ctx: CommandContext,
  device: Device,
  table: WatchTable,
  { newName = table.name, folder }: { readonly newName?: string | undefined; readonly folder?: string | undefined },
): Promise<WatchTable> {
  requireName(newName, '/newName', nounOf(table.kind))
  const holder = findWatchTable(ctx, device.id, newName)
  if (holder && holder.id !== table.id) throw taken(holder, device)
  const path = folder ? watchTableFolders.ensure(ctx, device, folder) : (folder ?? table.folder)
  return editTable(ctx, device, table, newName === table.name ? {} : { name: newName }, path)
}

/** Stores the changed document of a table. The file it came from is dropped, unless nothing changed. */
export async function storeEdited(
  ctx: CommandContext,
  device: Device,
  before: WatchTable,
  edited: ImportedObject,
  folder = before.folder,
): Promise<WatchTable> {
  const { file, ...rest } = before
  const text = await storeText(ctx, edited)
  const table: WatchTable = {
    ...rest,
    ...text,
    ...(file !== undefined && text.document === before.document ? { file } : {}),
    name: edited.name === '' ? before.name : edited.name,
    folder,
    entries: edited.entries ?? [],
    modifiedAt: ctx.now,
  }
  return put(ctx, device, before, table) === 'unchanged' ? before : table
}

/** Deletes a table with its rows. */
export function deleteTable(ctx: CommandContext, device: Device, table: WatchTable): void {
  const { deviceId, id, name } = table
  ctx.emit(watchTableDeleted, { deviceId, id, name, table }, entityOf(device, name))
}

/** A table in the form that functions for any object accept. */
export function asObject(table: WatchTable) {
  return { ...table, language: '', isKnowHowProtected: false }
}

/** Saving, loading and searching tables. */
export const watchTableFiles: CollectionFiles<WatchTable> = {
  savable: (_ctx, table) => asObject(table),
  search: searchTables,
}

function searchTables(ctx: QueryContext): SearchEntry[] {
  const entries: SearchEntry[] = []
  for (const device of ctx.read(devices).values()) {
    for (const { name, kind, folder, entries: rows } of watchTablesOf(ctx, device.id)) {
      const path = ['Watch and force tables', folder].filter((part) => part !== '').join('/')
      const text = rows.flatMap((row) => [row.name, row.address, ...Object.values(row.comment)]).join(' ')
      const found = kind === 'ForceTable' ? 'force-table' : 'watch-table'
      entries.push({ kind: found, name, device: device.name, path, text })
    }
  }
  return entries
}
