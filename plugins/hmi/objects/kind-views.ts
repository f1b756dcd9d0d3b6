/** Schemas of the objects of a station in answers, by kind: what `viewOf` shows beside name, folder and dates. */
import type { SchemaBuilder, TSchema } from '../../../core/index.ts'
import type { HmiKind } from '../../../plc/formats/hmi/model.ts'
import { itemView } from '../items/item-input.ts'
import { objectFields, screenFields } from '../views.ts'

type Fields = Record<string, TSchema>

const entry = (t: SchemaBuilder, shown: Fields) =>
  t.Object({
    from: t.Number(),
    to: t.Number(),
    isDefault: t.Boolean({ description: 'For all values that no other entry has.' }),
    ...shown,
  })

/** An object of a faceplate, which has no ID. */
const storedItem = (t: SchemaBuilder) => {
  const { objectId: _, ...shown } = itemView(t)
  return { ...shown, group: t.Optional(shown.group), ref: t.Optional(t.String({ description: 'ID in its document.' })) }
}

const texts = (t: SchemaBuilder) => t.Record(t.String(), t.String(), { description: 'By culture.' })

/** Fields by kind; those of `whole` are left out of lists. */
const fields: Readonly<Record<HmiKind, (t: SchemaBuilder) => { readonly short: Fields; readonly whole?: Fields }>> = {
  screen: (t) => ({ short: screenFields(t) }),
  'tag-table': (t) => ({ short: { tagCount: t.Integer() } }),
  connection: (t) => ({
    short: {
      partner: t.String({ description: 'Name of the PLC, or its IPv4 address.' }),
      type: t.String({ description: 'Communication driver.' }),
    },
  }),
  cycle: (t) => ({ short: { milliseconds: t.Number() } }),
  script: (t) => ({
    short: {
      language: t.String({ description: 'JavaScript or VBScript.' }),
      parameters: t.Array(t.String()),
      lines: t.Integer({ description: 'Of its source.' }),
    },
    whole: { source: t.String() },
  }),
  'text-list': (t) => ({
    short: { rangeType: t.String({ description: 'Decimal, Bit or BitNumber.' }), entryCount: t.Integer() },
    whole: { entries: t.Array(entry(t, { text: texts(t) })) },
  }),
  'graphic-list': (t) => ({
    short: { rangeType: t.String({ description: 'Decimal, Bit or BitNumber.' }), entryCount: t.Integer() },
    whole: { entries: t.Array(entry(t, { graphic: t.String() })) },
  }),
  graphic: (t) => ({
    short: {
      mediaType: t.String(),
      image: t.String({ description: 'Blob of the image; empty: the file did not bring it.' }),
      size: t.Integer({ description: 'Bytes.' }),
      fileName: t.String(),
    },
  }),
  alarm: (t) => ({
    short: {
      alarmType: t.String(),
      number: t.Integer(),
      alarmClass: t.String(),
      needsAcknowledgement: t.Optional(t.Boolean({ description: 'Absent: as its class has it.' })),
      tag: t.String({ description: 'A PLC path or an HMI tag.' }),
      bit: t.Integer({ description: 'Of a discrete alarm.' }),
      limit: t.Number({ description: 'Of an analog alarm.' }),
      mode: t.String({ description: 'Above or Below.' }),
      text: texts(t),
    },
  }),
  'library-type': (t) => ({
    short: {
      version: t.String(),
      description: t.String(),
      width: t.Number(),
      height: t.Number(),
      properties: t.Array(t.Object({ name: t.String(), dataType: t.String(), defaultValue: t.String() })),
      objectCount: t.Integer(),
    },
    whole: { items: t.Array(t.Object(storedItem(t))) },
  }),
}

/** Fields of an object of a kind. @param isWhole not of a list */
export function kindView(t: SchemaBuilder, kind: HmiKind, isWhole: boolean) {
  const { short, whole = {} } = fields[kind](t)
  return { ...objectFields(t), ...short, ...(isWhole ? whole : {}) }
}
