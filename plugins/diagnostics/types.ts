/**
 * What the gateway consists of, read from its own registries: types of the inputs and outputs of operations, events,
 * collections, problem codes. A namespace is a plugin, or a plugin with the word for the kind of its types; nothing
 * here is a list of its own.
 */
import { accessLevels, defined, type Gateway, type Operation } from '../../core/index.ts'
import { buildSchema, type PlainSchema } from '../../core/services.ts'

export const typeKinds = ['input', 'output', 'enum', 'event', 'collection'] as const
export type TypeKind = (typeof typeKinds)[number]

/** A field of a type. */
export interface TypeField {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description?: string
}

/** A type. */
export interface DescribedType {
  readonly name: string
  readonly namespace: string
  readonly fullName: string
  readonly kind: TypeKind
  readonly description: string
  /** Of inputs and outputs. */
  readonly fields: readonly TypeField[]
  /** Of enums. */
  readonly values: readonly string[]
}

/** `devices.configure-network` → `ConfigureNetwork` */
function pascal(text: string): string {
  return text.replace(/(?:^|[.\-_ ])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The namespace of a plugin: `Gantry.WatchTables`. */
export function namespaceOf(plugin: string): string {
  return `Gantry.${pascal(plugin)}`
}

/** The name of `devices.add` in the namespace of `devices`: `Add`; in that of another plugin `DevicesAdd`. */
function nameIn(plugin: string, id: string): string {
  return pascal(id.startsWith(`${plugin}.`) ? id.slice(plugin.length + 1) : id)
}

/** The values of a schema that allows only some texts. */
function valuesOf(schema: PlainSchema): string[] | undefined {
  const own =
    schema.enum ?? schema.anyOf?.flatMap(({ const: value, enum: more }) => more ?? (value === undefined ? [] : [value]))
  const texts = own?.filter((value): value is string => typeof value === 'string') ?? []
  return texts.length > 1 ? texts : undefined
}

/** A schema as a short text: `string`, `integer[]`, `"a" | "b"`, the name of a type. */
function typeText(schema: PlainSchema | undefined): string {
  if (!schema) return 'any'
  if (schema.$ref) return schema.$ref.replace('#/$defs/', '')
  const values = valuesOf(schema)
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' | ')
  if (schema['x-upload']) return 'file'
  if (schema.items) {
    const item = typeText(schema.items)
    return item.includes('|') ? `(${item})[]` : `${item}[]`
  }
  return [schema.type ?? 'any'].flat().join(' | ')
}

function fieldsOf(schema: PlainSchema): TypeField[] {
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeText(field),
    isRequired: required.has(name),
    ...defined({ description: field.description }),
  }))
}

/** The enums in a schema, by the path of names that leads to them. */
function enumsIn(
  schema: PlainSchema,
  path: readonly string[],
): { path: readonly string[]; values: string[]; description: string }[] {
  const values = valuesOf(schema)
  if (values) return path.length === 0 ? [] : [{ path, values, description: schema.description ?? '' }]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => enumsIn(field, [...path, name])),
    ...(schema.items ? enumsIn(schema.items, path) : []),
    ...(schema.anyOf ?? []).flatMap((one) => enumsIn(one, path)),
  ]
}

async function typesOfOperation(operation: Operation, plugin: string): Promise<DescribedType[]> {
  const namespace = namespaceOf(plugin)
  const base = nameIn(plugin, operation.id)
  const parts: [TypeKind, string, PlainSchema][] = [['input', `${base}Input`, await buildSchema(operation.input)]]
  if (operation.kind !== 'stream') parts.push(['output', `${base}Output`, await buildSchema(operation.output)])
  return parts.flatMap(([kind, name, schema]) => {
    const description = `${kind === 'input' ? 'Parameters' : 'Answer'} of ${operation.id}: ${operation.title}`
    const type = {
      name,
      namespace,
      fullName: `${namespace}.${name}`,
      kind,
      description,
      fields: fieldsOf(schema),
      values: [],
    }
    const enums = enumsIn(schema, []).map(({ path, values, description: about }): DescribedType => {
      const own = `${name}.${path.join('.')}`
      return {
        name: own,
        namespace,
        fullName: `${namespace}.${own}`,
        kind: 'enum',
        description: about,
        fields: [],
        values,
      }
    })
    // The same field can be in several alternatives.
    return [type, ...new Map(enums.map((one) => [one.fullName, one])).values()]
  })
}

/** Types of the core itself. */
function coreTypes(gateway: Gateway): DescribedType[] {
  const namespace = namespaceOf('core')
  const enumOf = (name: string, values: readonly string[], description: string): DescribedType => ({
    name,
    namespace,
    fullName: `${namespace}.${name}`,
    kind: 'enum',
    description,
    fields: [],
    values,
  })
  return [
    enumOf('Access', accessLevels, 'Access levels of API keys, each including the ones before it.'),
    enumOf(
      'ProblemCode',
      [...gateway.registry.problems.keys()],
      'Codes of errors; GET /api/errors/{code} explains each.',
    ),
  ]
}

const described = new WeakMap<Gateway, Promise<readonly DescribedType[]>>()

/** All types, by full name. Made once for each gateway: plugins do not change while it runs. */
export function typesOf(gateway: Gateway): Promise<readonly DescribedType[]> {
  let types = described.get(gateway)
  if (!types) {
    types = describe(gateway)
    described.set(gateway, types)
  }
  return types
}

async function describe(gateway: Gateway): Promise<readonly DescribedType[]> {
  const { registry } = gateway
  const types = coreTypes(gateway)
  for (const operation of registry.operations)
    types.push(...(await typesOfOperation(operation, registry.pluginOf(operation))))
  for (const { name: plugin, slice, events = [] } of registry.plugins) {
    const namespace = namespaceOf(plugin)
    const plain = (kind: TypeKind, id: string, description: string): DescribedType => {
      const name = `${nameIn(plugin, id)}${kind === 'event' ? 'Event' : 'Collection'}`
      return { name, namespace, fullName: `${namespace}.${name}`, kind, description, fields: [], values: [] }
    }
    const own = [...events, ...(slice?.reductions ?? []).map(({ event }) => event)].filter(({ type }) =>
      type.startsWith(`${plugin}.`),
    )
    for (const event of new Set(own)) types.push(plain('event', event.type, event.title))
    for (const { id } of slice?.collections ?? []) types.push(plain('collection', id, `Part of the state: ${id}`))
  }
  return types.sort((a, b) => (a.fullName < b.fullName ? -1 : 1))
}
