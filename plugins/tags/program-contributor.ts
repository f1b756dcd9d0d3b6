/** Tags and user constants as a part of the linked program (cross-references). */
import { defined } from '../../core/index.ts'
import { renameInType } from '../../plc/uses/rename-type.ts'
import { devices } from '../devices/index.ts'
import { oncePer, type ProgramContributor, type ProgramObject, type ProgramSymbol } from '../program-objects/index.ts'
import { systemObjectOf, systemPart } from './system-constants.ts'
import { tableOfName, tagNames } from './tag-names.ts'
import { findTagTable, type TagTable, tagChanged, tagTableCollection, tagTables, tagTablesOf } from './tag-table.ts'

function pathOf({ folder, name }: TagTable): string {
  return ['PLC tags', folder, name].filter((part) => part !== '').join('/')
}

const objectOf = oncePer(
  (table: TagTable): ProgramObject => ({
    category: 'tag-table',
    name: table.name,
    typeName: 'Tag table',
    path: pathOf(table),
    ...defined({ unit: table.unit }),
    rows: table,
    ...(table.document === undefined || table.isAsDocument !== true
      ? {}
      : { text: { document: table.document, ...defined({ origin: table.origin }) } }),
  }),
)
const symbolsOf = oncePer((table: TagTable): readonly ProgramSymbol[] => {
  const path = pathOf(table)
  return [
    ...table.tags.map(({ name, dataType, logicalAddress }) => ({
      kind: 'tag',
      name,
      typeName: dataType,
      address: logicalAddress,
      path,
    })),
    ...table.constants.map(({ name, dataType, value }) => ({
      kind: 'constant',
      name,
      typeName: dataType,
      value,
      path,
    })),
  ]
})

export const tagProgramContributor: ProgramContributor = {
  objects(ctx, device) {
    const system = systemPart(ctx, device)
    return [...tagTablesOf(ctx, device.id).map(objectOf), ...(system ? [system.object] : [])]
  },
  find(ctx, device, name) {
    const table = ctx.read(tagTables).get(tableOfName(ctx.read(tagNames), device.id, name) ?? '')
    if (table) return objectOf(table)
    const whole = ctx.read(devices).get(device.id)
    return whole && systemObjectOf(ctx, whole, name)
  },
  symbols(ctx, device) {
    // What people have named comes last, and is what a name means.
    return [...(systemPart(ctx, device)?.symbols ?? []), ...tagTablesOf(ctx, device.id).flatMap(symbolsOf)]
  },
  async renameType(ctx, device, object, names) {
    const table = findTagTable(ctx, device.id, object.name)
    for (const tag of table?.tags ?? []) {
      const dataType = names.reduce((text, { from, to }) => renameInType(text, from, to), tag.dataType)
      if (table === undefined || dataType === tag.dataType) continue
      const data = { deviceId: device.id, tableName: table.name, name: tag.name, tag: { ...tag, dataType } }
      ctx.emit(tagChanged, data, tagTableCollection.entityOf(device, table.name))
    }
  },
}
