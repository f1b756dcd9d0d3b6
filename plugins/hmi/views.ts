/** Objects of stations as answers show them. */
import type { QueryContext, SchemaBuilder } from '../../core/index.ts'
import type { HmiContents, HmiKind } from '../../plc/formats/hmi/model.ts'
import { type HmiObject, hmiItems, hmiTags, type StoredTag } from './object.ts'

type Reader = Pick<QueryContext, 'read'>

/** Fields that all objects have. */
export const objectFields = (t: SchemaBuilder) => ({
  name: t.String(),
  folder: t.String({ description: 'A/B; empty: none.' }),
  createdAt: t.DateTime(),
  modifiedDate: t.DateTime(),
})

/** Fields of a screen in answers. */
export const screenFields = (t: SchemaBuilder) => ({
  ...objectFields(t),
  screenType: t.String({ description: 'Screen, ScreenTemplate, ScreenPopup …' }),
  number: t.Integer(),
  width: t.Number({ description: 'Pixels.' }),
  height: t.Number({ description: 'Pixels.' }),
  backColor: t.String(),
  template: t.String({ description: 'Empty: none.' }),
  layers: t.Array(t.Object({ index: t.Integer(), name: t.String(), visible: t.Boolean() })),
  objectCount: t.Integer(),
})

/** Fields of a script in lists. */
export const scriptFields = (t: SchemaBuilder) => ({
  ...objectFields(t),
  language: t.String({ description: 'JavaScript or VBScript.' }),
  parameters: t.Array(t.String()),
  lines: t.Integer({ description: 'Of its source.' }),
})

/** An object of any kind. In lists what is long is counted. */
export function viewOf(ctx: Reader, object: HmiObject, isWhole = false): Record<string, unknown> {
  const { name, folder, createdAt, modifiedAt } = object
  const dates = { createdAt: new Date(createdAt).toISOString(), modifiedDate: new Date(modifiedAt).toISOString() }
  return { name, ...contentView(ctx, object, isWhole), folder, ...dates }
}

function contentView(ctx: Reader, { kind, id, content }: HmiObject, isWhole: boolean): Record<string, unknown> {
  if (kind === 'screen') {
    const { layers, ...screen } = content as HmiContents['screen']
    return { ...screen, layers, objectCount: ctx.read(hmiItems).findKeys('byScreen', id).length }
  }
  if (kind === 'tag-table') return { tagCount: ctx.read(hmiTags).findKeys('byTable', id).length }
  if (isWhole) return { ...(content as object), ...counts(kind, content) }
  // Contents of all kinds: what is long is left out by its name.
  const { source: _s, entries: _e, items: _i, ...short } = content as unknown as Record<string, unknown>
  return { ...short, ...counts(kind, content) }
}

function counts(kind: HmiKind, content: HmiObject['content']): Record<string, unknown> {
  if (kind === 'text-list' || kind === 'graphic-list')
    return { entryCount: (content as HmiContents['text-list']).entries.length }
  if (kind === 'library-type') return { objectCount: (content as HmiContents['library-type']).items.length }
  if (kind === 'script') return { lines: (content as HmiContents['script']).source.split('\n').length }
  return {}
}

/** Fields of a tag in answers. */
export const tagFields = (t: SchemaBuilder) => ({
  name: t.String(),
  dataType: t.String(),
  connection: t.String({ description: 'Empty: an internal tag.' }),
  plcTag: t.String({ description: 'Path of the PLC tag.' }),
  address: t.String(),
  acquisitionCycle: t.String(),
  comment: t.Record(t.String(), t.String()),
  attributes: t.Record(t.String(), t.String()),
  tableName: t.String(),
})

/** A tag as it is shown. */
export function viewOfTag(tag: StoredTag, tableName: string) {
  const { name, dataType, connection, plcTag, address, acquisitionCycle, comment, attributes } = tag
  return { name, dataType, connection, plcTag, address, acquisitionCycle, comment, attributes, tableName }
}
