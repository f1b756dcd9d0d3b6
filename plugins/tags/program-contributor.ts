/** Tags and user constants as a part of the linked program (cross-references). */
import type { ProgramContributor, ProgramObject, ProgramSymbol } from '../program-objects/index.ts'
import { type TagTable, tagChanged, tagTableCollection, tagTablesOf } from './tag-table.ts'

function pathOf({ folder, name }: TagTable): string {
  return ['PLC tags', folder, name].filter((part) => part !== '').join('/')
}

/** Adds tags and user constants to the cross-references. */
export const tagProgramContributor: ProgramContributor = {
  objects: (ctx, device) =>
    tagTablesOf(ctx, device.id).map(
      (table): ProgramObject => ({
        category: 'tag-table',
        name: table.name,
        typeName: 'Tag table',
        path: pathOf(table),
        rows: table,
      }),
    ),
  symbols: (ctx, device) =>
    tagTablesOf(ctx, device.id).flatMap((table): ProgramSymbol[] => {
      const path = pathOf(table)
      return [
        ...table.tags.map(({ name, dataType, logicalAddress }) => ({
          kind: 'tag',
          name,
          typeName: dataType,
          address: logicalAddress,
          path,
        })),
        ...table.constants.map(({ name, dataType }) => ({ kind: 'constant', name, typeName: dataType, path })),
      ]
    }),
  async renameType(ctx, device, object, from, to) {
    const table = tagTablesOf(ctx, device.id).find(({ name }) => name === object.name)
    for (const tag of table?.tags ?? []) {
      const dataType = tag.dataType.replace(/"([^"]+)"/g, (text, name: string) =>
        name.toLowerCase() === from.toLowerCase() ? `"${to}"` : text,
      )
      if (table === undefined || dataType === tag.dataType) continue
      const data = { deviceId: device.id, tableName: table.name, name: tag.name, tag: { ...tag, dataType } }
      ctx.emit(tagChanged, data, tagTableCollection.entityOf(device, table.name))
    }
  },
}
