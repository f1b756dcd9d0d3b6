/**
 * Operations on tags of running controllers: list, read, write, follow. Without `name` they use the connected instance.
 */
import {
  type CommandContext,
  command,
  defined,
  get,
  type Operation,
  post,
  problem,
  put,
  query,
  type StreamEvent,
  stream,
} from '../../../core/index.ts'
import { tagValue } from '../../program-objects/index.ts'
import { tagsWritten } from '../instances/instance.ts'
import { type Connection, requireOn } from '../running/runtime.ts'
import {
  type InputPaths,
  type JsonValue,
  planWrites,
  readTags,
  requireProgram,
  resolveTag,
  type TagInput,
  tagList,
  watchTags,
  writeTags,
} from '../tags/index.ts'

type Builder = Parameters<Operation['input']>[0]

/** Maximum number of names in a request. */
const batchLimit = 10_000
/** Maximum number of tags named in the event of a write. */
const namedLimit = 100

const instanceField = (t: Builder) => ({
  name: t.Optional(t.String({ minLength: 1, description: 'Instance; default: the connected one.' })),
})
const aliases = { name: ['instanceName', 'plcName'] }
const both = (path: string) => [`/api/simulation/tags${path}`, `/api/simulation/instances/{name}/tags${path}`] as const

const valueFields = (t: Builder) => ({
  name: t.String(),
  value: tagValue(t),
  dataType: t.String(),
  quality: t.String({ description: 'Good or Bad.' }),
  timestamp: t.String({ description: 'Virtual system time of the scan boundary.' }),
  error: t.Optional(t.String({ description: 'Why the quality is Bad.' })),
})

const entryFields = (t: Builder) => ({
  name: t.String(),
  dataType: t.String(),
  primitiveType: t.String({ description: 'EPrimitiveDataType of PLCSIM Advanced: Bool, Int16, Float, Struct …' }),
  area: t.String({ description: 'Input, Output, Marker or DataBlock.' }),
  address: t.Optional(t.String({ description: '%MW2; tags in optimized blocks have none.' })),
  size: t.Integer({ description: 'Bytes.' }),
  comment: t.String(),
  retentive: t.Boolean(),
})

const list = query({
  id: 'simulation.list-tags',
  title: 'List the tags of a running program',
  description:
    'One entry for each tag, structure, member, array and element: `Start`, `Data.speed`, `Data.list[1,2]`. At most 500 000 entries can be listed; ask for an `area` or a data block then.',
  live: true,
  input: (t) =>
    t.Object({
      ...instanceField(t),
      area: t.Optional(t.Enum(['IO', 'I', 'Q', 'M', 'DB'])),
      db: t.Optional(t.String({ minLength: 1, description: 'Only tags of this data block.' })),
      ...t.paging(),
    }),
  output: (t) =>
    t.Object({
      instance: t.String(),
      tags: t.Array(t.Object(entryFields(t))),
      total: t.Optional(t.Integer({ description: 'Of all pages; absent for a search in more than 500 000 tags.' })),
      nextCursor: t.Optional(t.String()),
    }),
  http: both('').map((path) => get(path)),
  mcp: { toolset: 'simulation' },
  aliases,
  async run({ name, area, db, q, limit, cursor }, ctx) {
    const { instance, controller } = await requireOn(ctx, name)
    const { items, total, ...page } = await tagList(requireProgram(controller), {
      ...defined({ area, db, q }),
      limit: limit ?? 1000,
      ...defined({ cursor }),
      retentiveFlags: instance.config.retentiveFlags,
    })
    return {
      instance: instance.name,
      tags: items.map((item) => ({ ...item })),
      ...defined({ total, nextCursor: page.cursor }),
    }
  },
})

const refresh = query({
  id: 'simulation.refresh-tags',
  title: 'Refresh the tag list',
  description:
    'The list always is that of the loaded program, so nothing has to be refreshed here; the answer says which program that is and how many tags it has. PLCSIM Advanced needs the call after each download.',
  live: true,
  input: (t) => t.Object(instanceField(t)),
  output: (t) =>
    t.Object({ instance: t.String(), total: t.Integer(), programHash: t.String(), refreshedAt: t.DateTime() }),
  http: both('/refresh').map((path) => post(path)),
  mcp: { toolset: 'simulation' },
  aliases,
  async run({ name }, ctx) {
    const { instance, controller } = await requireOn(ctx, name)
    const program = requireProgram(controller)
    const { total = 0 } = await tagList(program, { limit: 1 })
    return { instance: instance.name, total, programHash: program.hash, refreshedAt: new Date(ctx.now).toISOString() }
  },
})

const tagName = (t: Builder) =>
  t.String({
    minLength: 1,
    maxLength: 2000,
    description: 'Symbolic (`Start`, `Data.list[1].speed`) or absolute (`%IW2`, `%DB1.DBX2.3`).',
  })

const read = query({
  id: 'simulation.read-tag',
  title: 'Read a tag of a running program',
  description:
    'By symbolic name or absolute address; members `Data.motor.speed`, elements `Data.list[1,2]`, slices `word.%X3`, and whole structures and arrays as JSON. In a URL, names are percent-encoded (`%25IW2`).',
  live: true,
  input: (t) => t.Object({ ...instanceField(t), tagName: tagName(t) }),
  output: (t) => t.Object(valueFields(t)),
  http: [...both('/{tagName}'), '/api/simulation/plcsim/tags/{tagName}'].map((path) => get(path)),
  mcp: { toolset: 'simulation' },
  aliases,
  async run({ name, tagName: wanted }, ctx) {
    const { controller } = await requireOn(ctx, name)
    // A single missing tag is an error of the request; among several it is reported with quality Bad.
    resolveTag(requireProgram(controller), wanted)
    return (await readTags(controller, [wanted]))[0]!
  },
})

/**
 * Writes all values or none.
 * @throws GatewayError `conflict` when the controller does not allow writing
 */
async function writeAll(
  ctx: CommandContext,
  { instance, controller }: Connection,
  inputs: readonly TagInput[],
  pathsOf?: InputPaths,
) {
  const { tags, values } = planWrites(requireProgram(controller), inputs, pathsOf)
  const names = tags.map((tag) => tag.name)
  ctx.emit(
    tagsWritten,
    { name: instance.name, tags: names.slice(0, namedLimit), total: names.length },
    `instance/${instance.name}`,
  )
  if (!ctx.dryRun) return writeTags(controller, inputs, pathsOf)
  const now = await readTags(controller, names)
  return now.map((tag, i) => ({ ...tag, value: values[i] ?? null }))
}

const write = command({
  id: 'simulation.write-tag',
  title: 'Write a tag of a running program',
  description:
    'At the next cycle control point. Inputs are written to the periphery, so that they hold when the process image is updated. A structure or array takes JSON; an object that names only some members writes only those. A value of the wrong type or outside the range of the type is a 422 that names both.',
  live: true,
  lasting: 'The controller keeps the values that were written.',
  access: 'operator',
  input: (t) =>
    t.Object({
      ...instanceField(t),
      tagName: tagName(t),
      value: t.Any({ description: 'JSON value, or a constant as text: "T#2s", "16#FF".' }),
      dataType: t.Optional(
        t.String({
          description: 'The type that the client takes the tag to be, e.g. Int or Int16; another one is a 422.',
        }),
      ),
    }),
  output: (t) => t.Object(valueFields(t)),
  http: [
    ...[...both('/{tagName}'), '/api/simulation/plcsim/tags/{tagName}'].map((path) => put(path)),
    post('/api/simulation/plcsim/tags/{tagName}'),
  ],
  asks: ['set a value in the PLC'],
  mcp: { toolset: 'simulation', destructive: true },
  aliases: { ...aliases, dataType: ['type'] },
  example: { tagName: 'Start', value: true },
  async run({ name, tagName: wanted, value, dataType }, ctx) {
    const connection = await requireOn(ctx, name)
    if (dataType !== undefined) requireType(connection, wanted, dataType)
    const pathsOf = () => ({ name: '/tagName', value: '/value' })
    return (await writeAll(ctx, connection, [{ name: wanted, value: value as JsonValue }], pathsOf))[0]!
  },
})

/**
 * Checks the type of a tag.
 * @throws GatewayError `unacceptable_content` when the tag is of another type
 */
function requireType({ controller }: Connection, name: string, dataType: string): void {
  const tag = resolveTag(requireProgram(controller), name)
  const types = [tag.dataType, tag.primitiveType]
  if (types.some((type) => type.toLowerCase() === dataType.trim().toLowerCase())) return
  const message = `"${tag.name}" is of type ${tag.dataType} (${tag.primitiveType}), not ${dataType}`
  throw problem('unacceptable_content', `/dataType: ${message}. Nothing was written.`, {
    errors: [{ path: '/dataType', message, value: dataType, allowed: types }],
  })
}

const nameList = (t: Builder) =>
  t.Array(
    t.Union([
      t.String({ minLength: 1, maxLength: 2000 }),
      t.Object({ name: t.String({ minLength: 1, maxLength: 2000 }) }),
    ]),
    { minItems: 1, maxItems: batchLimit, description: 'Names or addresses, or objects with a `name`.' },
  )

const namesOf = (tags: readonly (string | { readonly name: string })[]): string[] =>
  tags.map((tag) => (typeof tag === 'string' ? tag : tag.name))

const batchRead = query({
  id: 'simulation.read-tags',
  title: 'Read several tags of a running program',
  description:
    'All values are of one scan boundary, in the order of the names. A name that is not there has quality Bad and its `error`; the others are read all the same.',
  live: true,
  input: (t) => t.Object({ ...instanceField(t), tags: nameList(t) }),
  output: (t) =>
    t.Object({ instance: t.String(), tags: t.Array(t.Object(valueFields(t))), total: t.Integer(), bad: t.Integer() }),
  http: both('/batch-read').map((path) => post(path)),
  mcp: { toolset: 'simulation', essential: true },
  aliases: { ...aliases, tags: ['tagNames', 'names'] },
  example: { tags: ['Start', 'Data.speed', '%QW0'] },
  async run({ name, tags }, ctx) {
    const { instance, controller } = await requireOn(ctx, name)
    const values = await readTags(controller, namesOf(tags))
    const bad = values.reduce((all, { quality }) => all + (quality === 'Bad' ? 1 : 0), 0)
    return { instance: instance.name, tags: values, total: values.length, bad }
  },
})

const batchWrite = command({
  id: 'simulation.write-tags',
  title: 'Write several tags of a running program',
  description:
    'All at one cycle control point, in the order given, or none: a single name or value that does not fit refuses the whole (422, `errors` names each). `tags` is a list of `{ name, value }`, or an object `{ "Start": true, … }`.',
  live: true,
  lasting: 'The controller keeps the values that were written.',
  access: 'operator',
  input: (t) =>
    t.Object({
      ...instanceField(t),
      tags: t.Union([
        t.Array(
          t.Object({
            name: t.Optional(t.String({ minLength: 1, maxLength: 2000 })),
            tagName: t.Optional(t.String({ minLength: 1, maxLength: 2000, description: 'Instead of `name`.' })),
            value: t.Any(),
          }),
          { minItems: 1, maxItems: batchLimit },
        ),
        t.Record(t.String(), t.Any(), { minProperties: 1, maxProperties: batchLimit }),
      ]),
    }),
  output: (t) => t.Object({ instance: t.String(), tags: t.Array(t.Object(valueFields(t))), total: t.Integer() }),
  http: both('/batch-write').map((path) => post(path)),
  asks: ['set values in the PLC'],
  mcp: { toolset: 'simulation', essential: true, destructive: true },
  aliases: { ...aliases, tags: ['values', 'writes'] },
  example: { tags: [{ name: 'Start', value: true }] },
  async run({ name, tags }, ctx) {
    const connection = await requireOn(ctx, name)
    const inputs: TagInput[] = Array.isArray(tags)
      ? tags.map((tag, i) => ({ name: nameOf(tag, i), value: tag.value as JsonValue }))
      : Object.entries(tags).map(([tag, value]) => ({ name: tag, value: value as JsonValue }))
    const written = await writeAll(ctx, connection, inputs, Array.isArray(tags) ? undefined : pathsByName(inputs))
    return { instance: connection.instance.name, tags: written, total: written.length }
  },
})

/** The paths of faults when the request names each tag as a field: both are that field. */
function pathsByName(inputs: readonly TagInput[]): InputPaths {
  return (i) => {
    const path = `/tags/${inputs[i]!.name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return { name: path, value: path }
  }
}

/**
 * Returns the name of an entry.
 * @throws GatewayError `invalid_input` when an entry of a write has no name
 */
function nameOf(tag: { name?: string | undefined; tagName?: string | undefined }, i: number): string {
  const name = tag.name ?? tag.tagName
  if (name !== undefined) return name
  throw problem('invalid_input', `/tags/${i}/name: is missing`, {
    errors: [{ path: `/tags/${i}/name`, message: 'is missing', code: 'missing' }],
  })
}

/**
 * Joins parts of names: a list in a query string is split at every comma, including those in `list[1,2]` and in quoted
 * names.
 */
export function rejoinNames(pieces: readonly string[]): string[] {
  const names: string[] = []
  let open = ''
  for (const piece of pieces) {
    const text = open === '' ? piece : `${open},${piece}`
    const outside = text.replace(/"[^"]*"/g, '')
    const isWhole = !outside.includes('"') && outside.split('[').length === outside.split(']').length
    open = isWhole ? '' : text
    if (isWhole) names.push(text)
  }
  if (open !== '') names.push(open)
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

const follow = stream({
  id: 'simulation.follow-tags',
  title: 'Follow the values of tags',
  description:
    'Server-sent events `tags`: first all values, then those that have changed, at most one message in `intervalMs`; the values of one message are of one scan boundary. A name that is not there has quality Bad and its `error`; the others are followed all the same. `requested` is the name as it was asked for, where the tag is called otherwise. When another program is loaded the names are looked up again; a tag that is gone, or whose controller is off, is told with quality Bad. When the instance is deleted or the gateway stops, an event `end` with the `reason` is the last. A tag that is called "stream" is read with batch-read.',
  input: (t) =>
    t.Object({
      ...instanceField(t),
      tags: t.Array(t.String({ minLength: 1, maxLength: 2000 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Names or addresses: `tags=Start,Data.list[1,2]`, or the parameter several times.',
      }),
      intervalMs: t.Optional(t.Integer({ minimum: 10, maximum: 3_600_000, description: 'Default 250.' })),
      deadband: t.Optional(
        t.Number({
          minimum: 0,
          description: 'A number is told when it differs by more than this from what was told last.',
        }),
      ),
    }),
  // A list of names can be longer than an address.
  http: both('/stream').flatMap((path) => [get(path), post(path)]),
  mcp: false,
  aliases: { ...aliases, tags: ['tagNames', 'names', 'tag'], intervalMs: ['interval', 'rateMs'] },
  async run({ name, tags, intervalMs = 250, deadband }, ctx) {
    const { controller, entry } = await requireOn(ctx, name)
    const names = rejoinNames(tags)
    if (names.length === 0)
      throw problem('invalid_input', '/tags: names no tag.', { errors: [{ path: '/tags', message: 'names no tag' }] })
    const program = requireProgram(controller)
    // A single missing tag is an error of the request; among several it is told with quality Bad, as by a read.
    if (names.length === 1) resolveTag(program, names[0] ?? '')
    const options = { intervalMs, ...defined({ deadband }) }
    const ended = entry.ended.signal
    return tagEvents(watchTags(controller, names, options, AbortSignal.any([ctx.signal, ended])), ended)
  },
})

async function* tagEvents(
  messages: AsyncIterable<readonly unknown[]>,
  ended: AbortSignal,
): AsyncGenerator<StreamEvent> {
  for await (const tags of messages) yield { event: 'tags', data: { tags } }
  if (ended.aborted) yield { event: 'end', data: { reason: String(ended.reason) } }
}

export const tagOperations: readonly Operation[] = [list, refresh, read, write, batchRead, batchWrite, follow]
