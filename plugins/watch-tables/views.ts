/** Watch and force tables as shown to clients, with the schemas. */

import type { CommandContext, SchemaBuilder } from '../../core/index.ts'
import type { WatchEntry } from '../../plc/model/object.ts'
import { parseOperand } from '../../plc/model/operand-reader.ts'
import type { Device } from '../devices/index.ts'
import { textIn } from '../program-objects/index.ts'
import { type ProgramSymbols, programSymbols } from './symbols.ts'
import type { WatchTable } from './watch-table.ts'

/** Schema of `tableView`. */
export const tableFields = (t: SchemaBuilder) => ({
  name: t.String(),
  kind: t.String({ description: 'WatchTable or ForceTable.' }),
  isFolder: t.Boolean(),
  folder: t.String({ description: 'A/B; empty: directly below the watch and force tables.' }),
  isConsistent: t.Boolean({ description: 'Every tag and data block that a row names is there.' }),
  entryCount: t.Integer({ description: 'Rows, comment rows too.' }),
  createdAt: t.DateTime(),
  modifiedDate: t.DateTime(),
})

/** Schema of `entryView`. */
export const entryFields = (t: SchemaBuilder) => ({
  position: t.Integer({ description: 'Counts from 1 over all rows.' }),
  isComment: t.Boolean({ description: 'The row is a comment only.' }),
  name: t.String({ description: 'Symbol: "Start", "DB".speed; empty: the row has an address only.' }),
  address: t.String({ description: '%M0.0; empty: the symbol has none.' }),
  displayFormat: t.String({ description: 'Bool, Hex, DEC_signed, Float … Undef: as the data type wants it.' }),
  monitorTrigger: t.String({ description: 'Permanent, PermanentAtStart, OnceOnlyAtStart …' }),
  modifyTrigger: t.Optional(t.String({ description: 'Of watch tables.' })),
  modifyValue: t.Optional(t.String({ description: 'Of watch tables; empty: none.' })),
  modifyIntention: t.Optional(t.Boolean({ description: 'Of watch tables: the value is to be written.' })),
  forceValue: t.Optional(t.String({ description: 'Of force tables; empty: none.' })),
  forceIntention: t.Optional(t.Boolean({ description: 'Of force tables: the operand is to be forced.' })),
  comment: t.String(),
})

/** An entry of the list of tables. */
export async function tableView(table: WatchTable, symbols: ProgramSymbols) {
  const isKnown = ({ name }: WatchEntry) => {
    const operand = name === '' ? undefined : parseOperand(name)
    return operand?.kind !== 'symbol' || symbols.find(operand.path[0]?.name ?? '') !== undefined
  }
  return { ...plainView(table), isConsistent: table.entries.every(isKnown) }
}

/** The fields of a table that need no look-up in the program. */
export function plainView(table: WatchTable) {
  return {
    name: table.name,
    kind: table.kind,
    isFolder: false as const,
    folder: table.folder,
    entryCount: table.entries.length,
    createdAt: new Date(table.createdAt).toISOString(),
    modifiedDate: new Date(table.modifiedAt).toISOString(),
  }
}

/** A table with its rows. */
export async function tableDetails(
  ctx: Pick<CommandContext, 'read'>,
  device: Device,
  table: WatchTable,
  culture?: string,
) {
  const symbols = programSymbols(ctx, device)
  const entries = table.entries.map((entry, index) => entryView(table, entry, index, culture))
  return { ...(await tableView(table, symbols)), entries }
}

/** A row of a table. Attributes that the file omits have the default values of the engineering tool. */
export function entryView({ kind }: WatchTable, entry: WatchEntry, index: number, culture?: string) {
  const row = {
    position: index + 1,
    isComment: entry.isComment === true,
    name: entry.name,
    address: entry.address,
    displayFormat: entry.displayFormat || 'Undef',
    monitorTrigger: entry.monitorTrigger || 'Permanent',
    comment: textIn(entry.comment, culture),
  }
  if (entry.isComment === true) return { ...row, displayFormat: '', monitorTrigger: '' }
  if (kind === 'ForceTable')
    return { ...row, forceValue: entry.forceValue ?? '', forceIntention: entry.forceIntention ?? false }
  return {
    ...row,
    modifyTrigger: entry.modifyTrigger || 'Permanent',
    modifyValue: entry.modifyValue ?? '',
    modifyIntention: entry.modifyIntention ?? false,
  }
}
