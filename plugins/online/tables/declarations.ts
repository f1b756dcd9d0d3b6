/** What live tables declare: events, the problem, and schemas that their operations share. Loaded at the start. */

import { domainEvent, type SchemaBuilder } from '../../../core/index.ts'
import { deviceName, objectName, tagValue } from '../../program-objects/index.ts'

// ── Events: what was done to controllers by way of tables, for the audit; nothing is folded from them ──────────────

/** Where something was done, and by which table. */
interface Place {
  readonly deviceName: string
  readonly instance: string
  readonly tableName: string
}

/** Of the rows the first 100. */
interface Rows {
  readonly rows: readonly { readonly operand: string; readonly value: unknown; readonly trigger?: string }[]
  readonly total: number
}

export const rowsModified = domainEvent<Place & Rows>(
  'online.rows-modified',
  'Rows of a watch table were modified once',
)
export const modifyingStarted = domainEvent<Place & Rows>(
  'online.modifying-started',
  'Rows of a watch table are modified with their triggers',
)
export const modifyingStopped = domainEvent<Place>(
  'online.modifying-stopped',
  'A watch table modifies nothing any more',
)
export const forcingStarted = domainEvent<Place & Rows & { readonly replaced: boolean }>(
  'online.forcing-started',
  'Inputs and outputs of a controller are forced',
)
export const forcingStopped = domainEvent<Omit<Place, 'tableName'> & { readonly total: number }>(
  'online.forcing-stopped',
  'The forces of a controller were taken away',
)

export const tableEvents = [rowsModified, modifyingStarted, modifyingStopped, forcingStarted, forcingStopped]

// ── Fields ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export const watchTableFields = (t: SchemaBuilder) => ({
  deviceName: deviceName(t),
  tableName: objectName(t, 'watch table'),
})
export const tableAliases = { tableName: ['name', 'watchTableName'] }

/** Where the values come from. */
export const placeFields = (t: SchemaBuilder) => ({
  deviceName: t.String(),
  tableName: t.String(),
  instance: t.String({ description: 'Name of the virtual controller.' }),
  state: t.String({ description: 'Operating state of the controller: Run, Stop, Freeze …' }),
})

/** Schema of `RowView`. */
export const rowFields = (t: SchemaBuilder) => ({
  position: t.Integer({ description: 'Of the row in the table, from 1.' }),
  name: t.String({ description: 'Symbol; empty: the row has an address only.' }),
  address: t.String(),
  displayFormat: t.String(),
  monitorTrigger: t.String(),
  dataType: t.String({ description: 'In the loaded program.' }),
  value: t.String({ description: 'In the display format of the row.' }),
  raw: tagValue(t),
  quality: t.Enum(['Good', 'Bad']),
  isForced: t.Boolean(),
  error: t.Optional(t.String({ description: 'Why the quality is Bad.' })),
})

export const valuesFields = (t: SchemaBuilder) => ({
  ...placeFields(t),
  cycle: t.Integer({ description: 'Cycles since STARTUP at the scan boundary of all values.' }),
  timestamp: t.DateTime({ description: 'Virtual system time of that scan boundary.' }),
  rows: t.Array(t.Object(rowFields(t))),
  bad: t.Integer({ description: 'Rows without a value.' }),
})

export const entriesField = (t: SchemaBuilder, verb: string) => ({
  entries: t.Optional(
    t.Array(
      t.Union([
        t.String({ minLength: 1, maxLength: 2000 }),
        t.Integer({ minimum: 1 }),
        t.Object({
          name: t.Optional(t.String({ maxLength: 2000 })),
          address: t.Optional(t.String({ maxLength: 2000 })),
          position: t.Optional(t.Integer({ minimum: 1 })),
          value: t.Optional(
            t.Union([t.String({ maxLength: 2000 }), t.Number(), t.Boolean()], {
              description:
                'Instead of that of the row. Text is in the display format (`10` in Hex is sixteen), a JSON number is itself.',
            }),
          ),
        }),
      ]),
      {
        minItems: 1,
        maxItems: 10_000,
        description: `Rows to ${verb}: symbol, address or position, or an object with one of them. Default: all that have a value and its intention.`,
      },
    ),
  ),
})
export const entriesAliases = { entries: ['rows', 'tags'] }

export const intervalField = (t: SchemaBuilder) => ({
  intervalMs: t.Optional(t.Integer({ minimum: 10, maximum: 3_600_000, description: 'Default 250.' })),
})
export const intervalAliases = { intervalMs: ['interval', 'rateMs'] }

/** The rows in an event: the first 100, and their number. */
export function toldRows<T>(rows: readonly T[]): { rows: readonly T[]; total: number } {
  return { rows: rows.slice(0, 100), total: rows.length }
}
