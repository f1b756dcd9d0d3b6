/** Tag tables with their tags and constants; folders. */
import { type CommandContext, definePlugin } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { type TagTable, tagSlice } from './tag-table.ts'

export {
  type Constant,
  constantAdded,
  constantChanged,
  constantDeleted,
  defaultTableName,
  findTagTable,
  requireTagTable,
  requireTagTableOf,
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
 * Brings a tag table back as it was: its tags and constants replace those of the present table of its name; it is made anew when it is gone.
 * @throws GatewayError `name_taken` when a tag's or constant's name is taken by something outside the table by now
 */
export async function replaceTagTable(ctx: CommandContext, device: Device, saved: TagTable): Promise<TagTable> {
  return (await import('./store.ts')).replaceTagTable(ctx, device, saved)
}

export default definePlugin({
  name: 'tags',
  version: '1.0.0',
  description: 'Tag tables with their tags and constants; folders.',
  requires: ['projects', 'devices', 'blocks'],
  slice: tagSlice,
})
