/** Adds, changes and deletes tags and constants. */

import { type CommandContext, nearest, notFound, problem, type QueryContext } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { cultureOf, requireFreeSymbol, requireName, textIn } from '../program-objects/index.ts'
import { addressFault, normalizedAddress } from './addresses.ts'
import { invalid } from './check.ts'
import { constantFault } from './constant-value.ts'
import { DataTypes } from './data-types.ts'

export { overlapWarningsOf } from './overlap-warnings.ts'

import {
  type Constant,
  constantAdded,
  constantChanged,
  constantDeleted,
  findTagTable,
  isNamed,
  type Tag,
  type TagTable,
  type Text,
  tagAdded,
  tagChanged,
  tagDeleted,
  tagTableCollection,
  tagTablesOf,
} from './tag-table.ts'

/** A tag as shown to clients. */
export function tagView(table: TagTable, tag: Tag, culture?: string) {
  return {
    name: tag.name,
    dataType: tag.dataType,
    logicalAddress: tag.logicalAddress,
    comment: textIn(tag.comment, culture),
    externalAccessible: tag.externalAccessible,
    externalVisible: tag.externalVisible,
    externalWritable: tag.externalWritable,
    tableName: table.name,
  }
}

/** A constant as shown to clients. */
export function constantView(table: TagTable, constant: Constant, culture?: string) {
  const { name, dataType, value, comment } = constant
  return { name, dataType, value, comment: textIn(comment, culture), kind: 'user' as const, tableName: table.name }
}

/** Fields of a tag in a request. */
export interface TagFields {
  readonly name?: string | undefined
  readonly dataType?: string | undefined
  readonly logicalAddress?: string | undefined
  readonly comment?: string | undefined
  readonly externalAccessible?: boolean | undefined
  readonly externalVisible?: boolean | undefined
  readonly externalWritable?: boolean | undefined
}

/** Adds a tag to a table. */
export async function addTag(
  ctx: CommandContext,
  device: Device,
  table: TagTable,
  fields: TagFields & { name: string },
) {
  const tag = await checkedTag(ctx, device, undefined, fields)
  const { deviceId, name: tableName } = table
  ctx.emit(tagAdded, { deviceId, tableName, tag }, tagTableCollection.entityOf(device, table.name))
  return tag
}

/** Changes fields of a tag. Fields that are not given keep their values. */
export async function changeTag(ctx: CommandContext, device: Device, table: TagTable, name: string, fields: TagFields) {
  const before = requireTag(table, name)
  const tag = await checkedTag(ctx, device, before, fields)
  const { deviceId, name: tableName } = table
  if (JSON.stringify(tag) !== JSON.stringify(before))
    ctx.emit(
      tagChanged,
      { deviceId, tableName, name: before.name, tag },
      tagTableCollection.entityOf(device, table.name),
    )
  return tag
}

/** Deletes a tag. */
export function deleteTag(ctx: CommandContext, device: Device, table: TagTable, name: string): Tag {
  const tag = requireTag(table, name)
  const { deviceId, name: tableName } = table
  ctx.emit(tagDeleted, { deviceId, tableName, name: tag.name }, tagTableCollection.entityOf(device, table.name))
  return tag
}

/** @throws GatewayError `not_found` with the nearest name */
export function requireTag(table: TagTable, name: string): Tag {
  return requireRow(table.tags, name, 'tag')
}

function requireRow<T extends { readonly name: string }>(rows: readonly T[], name: string, what: string): T {
  const wanted = name.toLowerCase()
  const row = rows.find((one) => isNamed(one.name, wanted))
  if (row) return row
  throw notFound(
    what,
    name,
    rows.map((one) => one.name),
  )
}

async function checkedTag(
  ctx: CommandContext,
  device: Device,
  before: Tag | undefined,
  fields: TagFields,
): Promise<Tag> {
  const name = await checkedName(ctx, device, before?.name, fields.name, 'tag')
  const dataType = await checkedType(ctx, device, before?.dataType ?? 'Bool', fields.dataType)
  const logicalAddress =
    fields.logicalAddress === undefined ? (before?.logicalAddress ?? '') : normalizedAddress(fields.logicalAddress)
  if (fields.logicalAddress !== undefined || fields.dataType !== undefined) {
    const wrong = addressFault(logicalAddress, dataType)
    if (wrong !== undefined) invalid('/logicalAddress', logicalAddress, wrong)
  }
  return {
    name,
    dataType,
    logicalAddress,
    comment: await changedComment(ctx, before?.comment ?? {}, fields.comment),
    externalAccessible: fields.externalAccessible ?? before?.externalAccessible ?? true,
    externalVisible: fields.externalVisible ?? before?.externalVisible ?? true,
    externalWritable: fields.externalWritable ?? before?.externalWritable ?? true,
    ...documentName(before, name),
  }
}

/** The document still contains the row under its first name. */
function documentName(before: Tag | Constant | undefined, name: string): { documentName?: string } {
  if (!before) return {}
  const first = before.documentName ?? before.name
  return first === name ? {} : { documentName: first }
}

async function checkedName(
  ctx: CommandContext,
  device: Device,
  before: string | undefined,
  given: string | undefined,
  kind: 'tag' | 'constant',
): Promise<string> {
  if (given === undefined || given === before) return before ?? invalid('/name', given, 'is missing')
  requireName(given, '/name', kind)
  if (given.toLowerCase() !== before?.toLowerCase()) requireFreeSymbol(ctx, device, given)
  return given
}

async function checkedType(
  ctx: Pick<QueryContext, 'read'>,
  device: Device,
  before: string,
  given: string | undefined,
): Promise<string> {
  if (given === undefined || given === before) return before
  const checked = await new DataTypes(ctx, device).check(given)
  return 'dataType' in checked ? checked.dataType : invalid('/dataType', given, checked.fault)
}

/**
 * A comment is in the first language of the project; an empty one deletes the texts of all languages. Responses show
 * one language, so a text that the row already has in any language changes nothing.
 */
async function changedComment(ctx: Pick<QueryContext, 'read'>, before: Text, given: string | undefined): Promise<Text> {
  if (given === undefined) return before
  if (given === '') return {}
  if (Object.values(before).includes(given)) return before
  return { ...before, [cultureOf(ctx)]: given }
}

/** Fields of a constant in a request. */
export interface ConstantFields {
  readonly name?: string | undefined
  readonly dataType?: string | undefined
  readonly value?: string | undefined
  readonly comment?: string | undefined
}

/** Adds a user constant to a table. */
export async function addConstant(
  ctx: CommandContext,
  device: Device,
  table: TagTable,
  fields: ConstantFields & { name: string },
) {
  const constant = await checkedConstant(ctx, device, undefined, fields)
  const { deviceId, name: tableName } = table
  ctx.emit(constantAdded, { deviceId, tableName, constant }, tagTableCollection.entityOf(device, table.name))
  return constant
}

/** Changes fields of a user constant. Fields that are not given keep their values. */
export async function changeConstant(
  ctx: CommandContext,
  device: Device,
  table: TagTable,
  name: string,
  fields: ConstantFields,
) {
  const before = requireConstant(table, name)
  const constant = await checkedConstant(ctx, device, before, fields)
  const { deviceId, name: tableName } = table
  if (JSON.stringify(constant) !== JSON.stringify(before))
    ctx.emit(
      constantChanged,
      { deviceId, tableName, name: before.name, constant },
      tagTableCollection.entityOf(device, table.name),
    )
  return constant
}

/** Deletes a user constant. */
export function deleteConstant(ctx: CommandContext, device: Device, table: TagTable, name: string): Constant {
  const constant = requireConstant(table, name)
  const { deviceId, name: tableName } = table
  ctx.emit(
    constantDeleted,
    { deviceId, tableName, name: constant.name },
    tagTableCollection.entityOf(device, table.name),
  )
  return constant
}

/** @throws GatewayError `not_found` with the nearest name */
export function requireConstant(table: TagTable, name: string): Constant {
  return requireRow(table.constants, name, 'user constant')
}

async function checkedConstant(
  ctx: CommandContext,
  device: Device,
  before: Constant | undefined,
  fields: ConstantFields,
): Promise<Constant> {
  const name = await checkedName(ctx, device, before?.name, fields.name, 'constant')
  const dataType = await checkedType(ctx, device, before?.dataType ?? 'Int', fields.dataType)
  const value = fields.value?.trim() ?? before?.value ?? ''
  if (fields.value !== undefined || fields.dataType !== undefined) {
    const wrong = constantFault(value, dataType)
    if (wrong !== undefined) invalid('/value', value, wrong)
  }
  const comment = await changedComment(ctx, before?.comment ?? {}, fields.comment)
  return { name, dataType, value, comment, ...documentName(before, name) }
}

/** The table for a tag: the default table when none is named. */
export function tableFor(ctx: Pick<QueryContext, 'read'>, device: Device, name: string | undefined): TagTable {
  const tables = tagTablesOf(ctx, device.id)
  const table = name === undefined ? tables.find((one) => one.isDefault) : findTagTable(ctx, device.id, name)
  if (table) return table
  const names = tables.map((one) => one.name)
  const error = notFound('tag table', name ?? 'default', names)
  if (name === undefined || nearest(name, names) !== undefined) throw error
  throw problem('not_found', error.message, {
    suggestion: `POST /api/devices/${encodeURIComponent(device.name)}/tag-tables/actions/create-sync ${JSON.stringify({ name })} makes it.`,
  })
}
