/**
 * What the gateway is made of: namespaces, types, enums, providers; the services of a PLC. All of it is read from the
 * registries.
 */
import {
  get,
  noInput,
  notFound,
  type Operation,
  problem,
  type QueryContext,
  query,
  rankedPage,
  type SchemaBuilder,
} from '../../core/index.ts'
import { blocksOf } from '../blocks/index.ts'
import { requirePlc } from '../devices/index.ts'
import { onlineTypes } from '../online/index.ts'
import { deviceName } from '../program-objects/index.ts'
import { providersOf } from './providers.ts'
import { servicesOf } from './services.ts'
import { type DescribedType, namespaceOf, type TypeKind, typeKinds, typesOf } from './types.ts'

const toolset = 'diagnostics'

const typeFields = (t: SchemaBuilder) => ({
  name: t.String(),
  namespace: t.String(),
  fullName: t.String(),
  kind: t.Enum([...typeKinds]),
  description: t.String(),
})

const typeView = ({ name, namespace, fullName, kind, description }: DescribedType) => ({
  name,
  namespace,
  fullName,
  kind,
  description,
})

/** All types: of the registries, and the enums of online functions. */
async function allTypes({ gateway }: Pick<QueryContext, 'gateway'>): Promise<readonly DescribedType[]> {
  const namespace = namespaceOf('online')
  const online = onlineTypes().flatMap(({ name, kind, values, operation }): DescribedType[] =>
    kind === 'enum'
      ? [
          {
            name,
            namespace,
            fullName: `${namespace}.${name}`,
            kind,
            description: `Of ${operation}.`,
            fields: [],
            values,
          },
        ]
      : [],
  )
  return [...(await typesOf(gateway)), ...online]
}

const namespaces = query({
  id: 'diagnostics.list-namespaces',
  title: 'List the namespaces of the gateway, with their types',
  description:
    'Each plugin is one. Types are inputs and outputs of operations, enums in them, events and collections of the state.',
  input: (t) => t.Object({ ...t.paging() }),
  output: (t) =>
    t.Object({
      namespaces: t.Array(
        t.Object({
          name: t.String(),
          plugin: t.String(),
          description: t.String(),
          typeCount: t.Integer(),
          types: t.Object(Object.fromEntries(typeKinds.map((kind) => [kind, t.Integer()])), {
            description: 'How many of each kind.',
          }),
        }),
      ),
      total: t.Integer(),
      totalTypes: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/diagnostic/namespaces')],
  mcp: { toolset },
  async run({ limit = 1000, cursor, q = '' }, ctx) {
    const types = await allTypes(ctx)
    const counts = new Map<string, Record<TypeKind, number>>()
    for (const { namespace, kind } of types) {
      const own = counts.get(namespace) ?? noTypes()
      own[kind]++
      counts.set(namespace, own)
    }
    const described = new Map(ctx.gateway.registry.plugins.map(({ name, description = '' }) => [name, description]))
    described.set('core', 'The job engine.')
    const all = [...described].map(([plugin, description]) => {
      const name = namespaceOf(plugin)
      const own = counts.get(name) ?? noTypes()
      return { name, plugin, description, typeCount: Object.values(own).reduce((sum, n) => sum + n, 0), types: own }
    })
    const matching = all.filter(({ name }) => includes(name, q)).sort((a, b) => (a.name < b.name ? -1 : 1))
    const { page, ...rest } = rankedPage(matching, { limit, cursor }, 'namespaces')
    return { namespaces: page, totalTypes: types.length, ...rest }
  },
})

const noTypes = () => Object.fromEntries(typeKinds.map((kind) => [kind, 0])) as Record<TypeKind, number>

const includes = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())

const types = query({
  id: 'diagnostics.list-types',
  title: 'List the types that match a filter',
  description: 'By full name. `filter` is part of it, in any case; without it all types, a page at a time.',
  input: (t) =>
    t.Object({
      filter: t.Optional(t.String({ maxLength: 200, description: 'Part of the full name.' })),
      kind: t.Optional(t.Enum([...typeKinds])),
      ...t.paging(),
    }),
  output: (t) =>
    t.Object({ types: t.Array(t.Object(typeFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [get('/api/diagnostic/types')],
  mcp: { toolset },
  example: { filter: 'Download' },
  async run({ filter = '', kind, limit = 500, cursor, q = '' }, ctx) {
    const matching = (await allTypes(ctx)).filter(
      (type) => includes(type.fullName, filter) && includes(type.name, q) && (kind === undefined || type.kind === kind),
    )
    const { page, ...rest } = rankedPage(matching, { limit, cursor }, 'types')
    return { types: page.map(typeView), ...rest }
  },
})

/**
 * The type of this name: full, or short when only one has it. @throws GatewayError `not_found` with the nearest,
 * `conflict` when several have it
 */
function requireType(all: readonly DescribedType[], wanted: string, kind: string): DescribedType {
  const same = all.filter(({ fullName, name }) =>
    [fullName, name].some((one) => one.toLowerCase() === wanted.toLowerCase()),
  )
  const [first, second] = same
  if (!first)
    throw notFound(
      kind,
      wanted,
      all.map(({ name, fullName }) => (wanted.includes('.') ? fullName : name)),
    )
  if (!second) return first
  const names = same.slice(0, 5).map(({ fullName }) => fullName)
  throw problem('conflict', `${same.length} types have the name "${wanted}": ${names.join(', ')}. Send the full name.`)
}

const search = query({
  id: 'diagnostics.get-type',
  title: 'Show one type by its name, with its fields',
  description: '`typeName` is the full name, or the short one when only one type has it; case does not matter.',
  input: (t) => t.Object({ typeName: t.String({ minLength: 1, maxLength: 300 }) }),
  output: (t) =>
    t.Object({
      ...typeFields(t),
      fields: t.Array(
        t.Object({
          name: t.String(),
          type: t.String(),
          isRequired: t.Boolean(),
          description: t.Optional(t.String()),
        }),
      ),
      values: t.Array(t.String(), { description: 'Of an enum.' }),
    }),
  http: [get('/api/diagnostic/search')],
  mcp: { toolset },
  aliases: { typeName: ['name', 'type'] },
  example: { typeName: 'Gantry.Devices.AddInput' },
  async run({ typeName }, ctx) {
    const type = requireType(await allTypes(ctx), typeName, 'type')
    return { ...typeView(type), fields: type.fields, values: type.values }
  },
})

const enumValues = query({
  id: 'diagnostics.list-enum-values',
  title: 'List the values of an enum',
  input: (t) => t.Object({ typeName: t.String({ minLength: 1, maxLength: 300 }) }),
  output: (t) =>
    t.Object({
      typeName: t.String({ description: 'Full name.' }),
      description: t.String(),
      values: t.Array(t.Object({ name: t.String(), value: t.Integer({ description: 'Its place in the list.' }) })),
      total: t.Integer(),
    }),
  http: [get('/api/diagnostic/enum-values/{typeName}')],
  mcp: { toolset },
  example: { typeName: 'OperatingState' },
  async run({ typeName }, ctx) {
    const all = await allTypes(ctx)
    const enums = all.filter(({ kind }) => kind === 'enum')
    const isOther = all.find(
      ({ fullName, kind }) => kind !== 'enum' && fullName.toLowerCase() === typeName.toLowerCase(),
    )
    if (isOther)
      throw problem('conflict', `${isOther.fullName} is no enum; its kind is ${isOther.kind}.`, {
        suggestion: `GET /api/diagnostic/search?typeName=${encodeURIComponent(isOther.fullName)}`,
      })
    const { fullName, description, values } = requireType(enums, typeName, 'enum')
    const entries = values.map((name, value) => ({ name, value }))
    return { typeName: fullName, description, values: entries, total: entries.length }
  },
})

const providers = query({
  id: 'diagnostics.list-providers',
  title: 'List the interfaces that plugins implement for one another',
  description:
    'Extension points, e.g. sections of projects, importers and drivers, with the plugins that contribute to each, and the tasks of the engineering instance.',
  input: noInput,
  output: (t) =>
    t.Object({
      providers: t.Array(
        t.Object({
          name: t.String({ description: 'Id of the extension point, or module of the task.' }),
          kind: t.Enum(['extension-point', 'task']),
          title: t.Optional(t.String({ description: 'Of an extension point.' })),
          description: t.Optional(t.String({ description: 'What contributions to an extension point are for.' })),
          contributions: t.Array(t.Object({ plugin: t.String(), name: t.Optional(t.String()) })),
        }),
      ),
      total: t.Integer(),
    }),
  http: [get('/api/diagnostic/providers')],
  mcp: { toolset },
  // Modules of tasks are found in the folders of plugins.
  live: true,
  async run(_, ctx) {
    const all = await providersOf(ctx.gateway)
    return { providers: all, total: all.length }
  },
})

const plcServices = query({
  id: 'diagnostics.list-plc-services',
  title: 'List the services of the PLC software of a device',
  description:
    'The operations that work on the program of the device, by the plugin that has them, with what the device holds now.',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      type: t.String(),
      blocks: t.Integer({ description: 'In its program.' }),
      services: t.Array(
        t.Object({
          name: t.String({ description: 'The plugin.' }),
          description: t.String(),
          operations: t.Array(
            t.Object({
              id: t.String(),
              title: t.String(),
              kind: t.Enum(['command', 'query', 'stream']),
              access: t.String(),
            }),
          ),
        }),
      ),
      total: t.Integer(),
      totalOperations: t.Integer(),
    }),
  http: [get('/api/diagnostic/plc-services/{deviceName}')],
  mcp: { toolset },
  example: { deviceName: 'PLC_1' },
  run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const services = servicesOf(ctx.gateway)
    return {
      deviceName: device.name,
      type: device.typeName,
      blocks: blocksOf(ctx, device.id).length,
      services,
      total: services.length,
      totalOperations: services.reduce((sum, { operations }) => sum + operations.length, 0),
    }
  },
})

export const diagnosticsOperations: readonly Operation[] = [
  namespaces,
  types,
  search,
  enumValues,
  providers,
  plcServices,
]
