/** Watch and force tables as a part of the linked program (cross-references): their rows use tags and data blocks. */
import { defined } from '../../core/index.ts'
import { oncePer, type ProgramContributor, type ProgramObject } from '../program-objects/index.ts'
import { type WatchTable, watchTableCollection, watchTablesOf } from './watch-table.ts'

function pathOf({ folder }: WatchTable): string {
  return folder === '' ? 'Watch and force tables' : `Watch and force tables/${folder}`
}

const objectOf = oncePer(
  (table: WatchTable): ProgramObject => ({
    category: 'watch-table',
    name: table.name,
    typeName: table.kind === 'ForceTable' ? 'Force table' : 'Watch table',
    path: pathOf(table),
    ...defined({ unit: table.unit }),
    stored: table,
  }),
)

export const watchTableProgramContributor: ProgramContributor = {
  objects: (ctx, device) => watchTablesOf(ctx, device.id).map(objectOf),
  symbols: () => [],
  async replaceText(ctx, device, object, text) {
    const table = watchTableCollection.requireOf(ctx, device, object.name)
    const [{ objectFromXml }, { storeEdited }] = await Promise.all([
      import('../../plc/edit/edit.ts'),
      import('./store.ts'),
    ])
    await storeEdited(ctx, device, table, objectFromXml(text, table.engineeringVersion))
  },
}
