/** Schemas that the operations on live tables share. */
import type { SchemaBuilder } from '../../../core/index.ts'
import { deviceName, objectName } from '../../blocks/index.ts'

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
  raw: t.Any({ description: 'As JSON; null when the quality is Bad.' }),
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
