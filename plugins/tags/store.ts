/** Puts tag tables into the project, and takes them as they were. */
import { type CommandContext, type Fault, problem } from '../../core/index.ts'
import { findSymbol } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import {
  findTagTable,
  type TagTable,
  tagTableCreated,
  tagTableFolders,
  tagTableReplaced,
  tagTablesOf,
} from './tag-table.ts'

/**
 * Every name of a table's tags and constants that is taken: twice in the table, in another table of the device, or by a block or type.
 * The first occurrence of a name in a table is right, the second is the clash.
 */
export function nameClashes(
  ctx: Pick<CommandContext, 'read' | 'extensions'>,
  device: Device,
  table: Pick<TagTable, 'name' | 'tags' | 'constants'>,
): Fault[] {
  const own = table.name.toLowerCase()
  const holders = new Map<string, string>()
  for (const other of tagTablesOf(ctx, device.id)) {
    if (other.name.toLowerCase() === own) continue
    for (const { name } of other.tags) holders.set(name.toLowerCase(), `tag of table "${other.name}"`)
    for (const { name } of other.constants) holders.set(name.toLowerCase(), `constant of table "${other.name}"`)
  }
  const clashes: Fault[] = []
  for (const [kind, rows] of [['tag', table.tags] as const, ['constant', table.constants] as const]) {
    for (const { name } of rows) {
      const key = name.toLowerCase()
      const symbol = holders.has(key) ? undefined : findSymbol(ctx, device, name, ['tag', 'constant'])
      const holder = holders.get(key) ?? (symbol && `${symbol.kind} (${symbol.description})`)
      if (holder !== undefined)
        clashes.push({ message: `${kind} "${name}": the name is taken by a ${holder}`, value: name })
      else holders.set(key, `${kind} of the same table`)
    }
  }
  return clashes
}

/** See `replaceTagTable` in index.ts. */
export function replaceTagTable(ctx: CommandContext, device: Device, saved: TagTable): TagTable {
  const before = findTagTable(ctx, device.id, saved.name)
  const clashes = nameClashes(ctx, device, saved)
  if (clashes.length > 0)
    throw problem('name_taken', `Tag table "${saved.name}" cannot be restored: ${clashes[0]?.message}.`, {
      errors: clashes,
    })
  const table: TagTable = {
    ...saved,
    id: before?.id ?? saved.id,
    deviceId: device.id,
    folder: saved.folder === '' ? '' : tagTableFolders.ensure(ctx, device, saved.folder),
    isDefault: before?.isDefault ?? false,
    createdAt: before?.createdAt ?? saved.createdAt,
    modifiedAt: ctx.now,
  }
  ctx.emit(before ? tagTableReplaced : tagTableCreated, { table }, `tag-table/${device.name}/${table.name}`)
  return table
}
