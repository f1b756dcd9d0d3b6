/** HMI tags: their trees over stations, and adding, changing and deleting one. */
import {
  command,
  del,
  get,
  notFound,
  type Operation,
  post,
  problem,
  put,
  query,
  type SchemaBuilder,
} from '../../../core/index.ts'
import type { HmiTag } from '../../../plc/formats/hmi/model.ts'
import { type Device, devices } from '../../devices/index.ts'
import { pageOf, requireName, treeNode, treeOf } from '../../program-objects/index.ts'
import { requireProject } from '../../projects/index.ts'
import { typesOf } from '../../types/index.ts'
import { listed, stationName, tablePlace, tagName, tagPlace } from '../input-fields.ts'
import { textInput } from '../items/item-input.ts'
import {
  type HmiObject,
  hmiCollections,
  hmiTags,
  type StoredTag,
  tagDeleted,
  tagKey,
  tagStored,
  tagsOfTable,
} from '../object.ts'
import { mcp, routeOf } from '../objects/kind-operations.ts'
import { limitsOf, Variables } from '../program.ts'
import { sortedStations } from '../screens/screen-operations.ts'
import { familyOf, requireStation } from '../stations.ts'
import { tagFields, viewOfTag } from '../views.ts'
import { tagTypeFault } from './tag-types.ts'

const tables = hmiCollections['tag-table']
type Reader = Parameters<typeof tables.of>[0]

/** The tables of a station in their folders, each with its tags. */
function tagTree(ctx: Reader, station: Device) {
  const all = tables.of(ctx, station.id)
  let total = 0
  const children = treeOf(tables.folders.list(ctx, station.id), all, (table) => {
    const tags = tagsOfTable(ctx, table.id).map((tag) => viewOfTag(tag, table.name))
    total += tags.length
    return { name: table.name, isFolder: false as const, tagCount: tags.length, tags }
  })
  return { name: 'HMI tags', deviceName: station.name, family: familyOf(station), children, total }
}

const treeFields = (t: SchemaBuilder) => ({
  name: t.String(),
  deviceName: t.String(),
  family: t.String({ description: 'Classic or Unified.' }),
  children: t.Array(
    treeNode(
      t,
      'HmiTagTreeNode',
      t.Object({
        name: t.String(),
        isFolder: t.Literal(false),
        tagCount: t.Integer(),
        tags: t.Array(t.Object(tagFields(t))),
      }),
    ),
    { description: 'Folders, and tables with their tags.' },
  ),
  total: t.Integer({ description: 'Tags.' }),
})

const deviceTree = query({
  id: 'hmi.tag-tree',
  title: 'Show the HMI tags of a device by tag table',
  input: (t) => t.Object({ deviceName: stationName(t) }),
  output: (t) => t.Object(treeFields(t)),
  http: [get('/api/devices/{deviceName}/hmi/tags/tree')],
  mcp,
  run: (input, ctx) => tagTree(ctx, requireStation(ctx, input.deviceName)),
})

const unifiedTree = query({
  id: 'hmi.unified-tag-tree',
  title: 'Show the HMI tags of a Unified device by tag table',
  description: 'A device of the classic family is a 409.',
  input: (t) => t.Object({ deviceName: stationName(t) }),
  output: (t) => t.Object(treeFields(t)),
  http: [get('/api/devices/{deviceName}/hmi/unified/tags/tree')],
  mcp,
  run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    if (familyOf(station) !== 'Unified')
      throw problem('conflict', `"${station.name}" (${station.typeName}) is a classic HMI device, not a Unified one.`, {
        suggestion: 'GET /api/devices/{deviceName}/hmi/tags/tree shows the tags of any HMI device.',
      })
    return tagTree(ctx, station)
  },
})

const allTrees = query({
  id: 'hmi.all-tag-trees',
  title: 'Show the HMI tags of all devices by tag table',
  input: (t) => t.Object({}),
  output: (t) => t.Object({ devices: t.Array(t.Object(treeFields(t))), total: t.Integer({ description: 'Devices.' }) }),
  http: [get('/api/hmi/tags/tree')],
  mcp,
  run(_input, ctx) {
    requireProject(ctx)
    const all = sortedStations(ctx).map((station) => tagTree(ctx, station))
    return { devices: all, total: all.length }
  },
})

const listTags = query({
  id: 'hmi.list-tags',
  title: 'List the HMI tags of a device',
  input: (t) => t.Object({ deviceName: stationName(t), ...t.paging() }),
  output: (t) => listed(t, 'tags', t.Object(tagFields(t))),
  http: [get('/api/devices/{deviceName}/hmi/tags')],
  mcp,
  run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const names = new Map(tables.of(ctx, station.id).map(({ id, name }) => [id, name]))
    const { page, ...rest } = pageOf(ctx.read(hmiTags).find('byDevice', station.id), input)
    return { tags: page.map((tag) => viewOfTag(tag, names.get(tag.tableId) ?? '')), ...rest }
  },
})

const fields = (t: SchemaBuilder) => ({
  dataType: t.Optional(
    t.String({ minLength: 1, maxLength: 200, description: 'Default: that of the PLC tag, or Bool.' }),
  ),
  connection: t.Optional(t.String({ maxLength: 200, description: 'Name of the connection.' })),
  plcTag: t.Optional(t.String({ maxLength: 2000, description: 'Path of the PLC tag; empty: internal.' })),
  address: t.Optional(t.String({ maxLength: 100, description: 'Absolute access: %MW10.' })),
  acquisitionCycle: t.Optional(t.String({ maxLength: 100, description: 'Default: 1 s.' })),
  comment: t.Optional(textInput(t)),
  attributes: t.Optional(t.Record(t.String(), t.String(), { description: 'StartValue, Length, LinearScaling …' })),
})
const aliases = { plcTag: ['controllerTag', 'tag', 'plcVariable'], dataType: ['type'], address: ['logicalAddress'] }
const stored = (t: SchemaBuilder) => t.Object({ ...tagFields(t), warnings: t.Array(t.String()) })

function requireTag(ctx: Reader, station: Device, table: HmiObject<'tag-table'>, name: string): StoredTag {
  const tag = ctx.read(hmiTags).get(tagKey(station.id, name))
  if (tag?.tableId === table.id) return tag
  const names = tagsOfTable(ctx, table.id).map((other) => other.name)
  throw notFound('tag', name, names, `in the table "${table.name}"`)
}

/** @throws GatewayError `name_taken` naming the table */
function requireFreeTag(ctx: Reader, station: Device, name: string): void {
  const tag = ctx.read(hmiTags).get(tagKey(station.id, name))
  if (tag === undefined) return
  const table = tables.of(ctx, station.id).find(({ id }) => id === tag.tableId)
  throw problem('name_taken', `HMI tag "${tag.name}" already exists on "${station.name}", in table "${table?.name}".`)
}

type TagInput = Partial<Omit<HmiTag, 'comment' | 'ref' | 'name'>> & { readonly comment?: string | HmiTag['comment'] }

/** @throws GatewayError `unacceptable_content` for what certainly is no data type of an internal tag */
function requireTagType(ctx: Reader, dataType: string): void {
  const plcs = [...ctx.read(devices).values()].filter(({ kind }) => kind === 'PLC')
  const message = tagTypeFault(
    dataType,
    plcs.flatMap(({ id }) => typesOf(ctx, id).map(({ name }) => name)),
  )
  if (message !== undefined)
    throw problem('unacceptable_content', `/dataType: ${message}.`, {
      errors: [{ path: '/dataType', message, value: dataType }],
    })
}

/** The tag for what was sent, and what the program has against it. */
async function readTag(
  ctx: ConstructorParameters<typeof Variables>[0],
  station: Device,
  name: string,
  input: { readonly [K in keyof TagInput]: TagInput[K] | undefined },
  before: StoredTag | undefined,
): Promise<{ tag: HmiTag; warnings: string[] }> {
  const culture = requireProject(ctx).cultures[0] ?? 'en-US'
  const plcTag = input.plcTag ?? before?.plcTag ?? ''
  const warnings: string[] = []
  let dataType = input.dataType ?? before?.dataType
  if (plcTag !== '' && (input.plcTag !== undefined || dataType === undefined)) {
    const variables = new Variables(ctx, station)
    await variables.prepare([plcTag])
    const found = variables.find(plcTag)
    if ('code' in found) warnings.push(`${found.message}. ${found.hint}`)
    else {
      dataType = input.dataType ?? found.dataType
      warnings.push(...limitsOf(plcTag, found, false).map(({ message, hint }) => `${message}. ${hint}`))
    }
  }
  if (plcTag === '' && (input.address ?? before?.address ?? '') === '' && input.dataType !== undefined)
    requireTagType(ctx, input.dataType)
  const connection = input.connection ?? before?.connection ?? ''
  if (connection !== '' && hmiCollections.connection.find(ctx, station.id, connection) === undefined)
    warnings.push(`There is no connection "${connection}" on "${station.name}".`)
  const { comment } = input
  return {
    warnings,
    tag: {
      name,
      dataType: dataType ?? 'Bool',
      connection,
      plcTag,
      address: input.address ?? before?.address ?? '',
      acquisitionCycle: input.acquisitionCycle ?? before?.acquisitionCycle ?? '1 s',
      comment:
        comment === undefined
          ? (before?.comment ?? {})
          : typeof comment === 'string'
            ? { ...before?.comment, [culture]: comment }
            : comment,
      attributes: { ...before?.attributes, ...input.attributes },
      ...(before?.ref === undefined ? {} : { ref: before.ref }),
    },
  }
}

const route = `${routeOf('tag-table')}/{tableName}/tags`

const listOfTable = query({
  id: 'hmi.list-table-tags',
  title: 'List the tags of an HMI tag table',
  input: (t) => t.Object({ ...tablePlace(t), ...t.paging() }),
  output: (t) => listed(t, 'tags', t.Object(tagFields(t))),
  http: [get(route)],
  mcp,
  run(input, ctx) {
    const table = tables.requireOf(ctx, requireStation(ctx, input.deviceName), input.tableName)
    const { page, ...rest } = pageOf(tagsOfTable(ctx, table.id), input)
    return { tags: page.map((tag) => viewOfTag(tag, table.name)), ...rest }
  },
})

const addTag = command({
  id: 'hmi.add-tag',
  title: 'Add an HMI tag to a tag table',
  description: 'With `plcTag` it follows a PLC variable, whose type it takes; without it is internal.',
  input: (t) => t.Object({ ...tablePlace(t), name: tagName(t), ...fields(t) }),
  output: stored,
  http: [post(route)],
  mcp,
  needsInstance: true,
  aliases: { ...aliases, name: ['tagName'] },
  async run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const table = tables.requireOf(ctx, station, input.tableName)
    requireName(input.name, '/name', 'HMI tag')
    requireFreeTag(ctx, station, input.name)
    const { tag, warnings } = await readTag(ctx, station, input.name, input, undefined)
    const whole: StoredTag = { ...tag, deviceId: station.id, tableId: table.id, id: ctx.newId() }
    ctx.emit(tagStored, { tag: whole, table: table.name }, `hmi-tag/${station.name}/${tag.name}`)
    return { ...viewOfTag(whole, table.name), warnings }
  },
})

const updateTag = command({
  id: 'hmi.update-tag',
  title: 'Change an HMI tag',
  input: (t) =>
    t.Object({
      ...tagPlace(t),
      newName: t.Optional(tagName(t)),
      ...fields(t),
    }),
  output: stored,
  http: [put(`${route}/{tagName}`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { ...aliases, newName: ['name'] },
  async run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const table = tables.requireOf(ctx, station, input.tableName)
    const before = requireTag(ctx, station, table, input.tagName)
    const name = input.newName ?? before.name
    if (name !== before.name) requireName(name, '/newName', 'HMI tag')
    if (name.toLowerCase() !== before.name.toLowerCase()) requireFreeTag(ctx, station, name)
    const { tag, warnings } = await readTag(ctx, station, name, input, before)
    const whole: StoredTag = { ...tag, deviceId: station.id, tableId: table.id, id: before.id }
    ctx.emit(tagStored, { tag: whole, table: table.name, before: before.name }, `hmi-tag/${station.name}/${name}`)
    return { ...viewOfTag(whole, table.name), warnings }
  },
})

const deleteTag = command({
  id: 'hmi.delete-tag',
  title: 'Delete an HMI tag',
  input: (t) => t.Object(tagPlace(t)),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean() }),
  http: [del(`${route}/{tagName}`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const table = tables.requireOf(ctx, station, input.tableName)
    const { name } = requireTag(ctx, station, table, input.tagName)
    ctx.emit(tagDeleted, { deviceId: station.id, table: table.name, name }, `hmi-tag/${station.name}/${name}`)
    return { name, deleted: true }
  },
})

export const tagOperations: readonly Operation[] = [
  deviceTree,
  unifiedTree,
  allTrees,
  listTags,
  listOfTable,
  addTag,
  updateTag,
  deleteTag,
]
