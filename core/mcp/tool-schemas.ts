/** The schemas of tools: what MCP clients send, and the short form of what they receive. */
import { isObject } from '../../lib/is-object.ts'
import type { Operation } from '../contract/operation.ts'
import { buildSchema, type PlainSchema } from '../contract/schema.ts'

/**
 * A JSON Schema whose root is an object, as MCP requires for `inputSchema` and `outputSchema` (MCP 2025-06-18, Tools).
 */
export type ObjectSchema = PlainSchema & { readonly type: 'object' }

/** The operation's input as MCP clients send it: files as text or base64, `dryRun` for commands. */
export async function toolInputSchema(operation: Operation, hasTarget: boolean): Promise<ObjectSchema> {
  const schema = await buildSchema(operation.input)
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, asClientsSend(property)]),
  )
  if (operation.kind === 'command' && !properties.dryRun) properties.dryRun = dryRunSchema
  if (hasTarget && !properties.expectedHash) properties.expectedHash = expectedHashSchema
  const defaults = operation.mcp === false ? {} : (operation.mcp?.defaults ?? {})
  for (const [field, value] of Object.entries(defaults)) properties[field] = { ...properties[field], default: value }
  return { ...withoutGatewayKeywords(schema), type: 'object', properties }
}

const dryRunSchema: PlainSchema = { type: 'boolean', description: 'Show what it would do; change nothing.' }

const expectedHashSchema: PlainSchema = {
  type: 'string',
  description: 'The `hash` of an earlier read: the change is refused when what was read has changed since.',
}

/** Keywords that say what the gateway refuses; its answer names the fault, so a model need not read them beforehand. */
const limits = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'patternProperties'])

/** The schema for the list of tools, which a model reads whole with each request: without limits of lengths. */
export function shortened(schema: ObjectSchema): ObjectSchema {
  const short = mapSchema(schema, (node) =>
    Object.fromEntries(
      Object.entries(node).filter(
        ([keyword, value]) =>
          !limits.has(keyword) && !(keyword === 'additionalProperties' && typeof value === 'boolean'),
      ),
    ),
  )
  // The server's instructions explain these once for all tools.
  const { properties } = short as ObjectSchema
  if (!properties) return short as ObjectSchema
  const told: Record<string, PlainSchema> = { expectedHash: expectedHashSchema, dryRun: dryRunSchema }
  const plain = Object.entries(properties).map(([name, property]) =>
    told[name] !== undefined && property.description === told[name].description
      ? [name, { type: property.type }]
      : [name, property],
  )
  return { ...short, type: 'object', properties: Object.fromEntries(plain) }
}

function asClientsSend(property: PlainSchema): PlainSchema {
  if (!property['x-upload']) return withoutGatewayKeywords(property)
  return {
    type: 'object',
    required: ['fileName'],
    additionalProperties: false,
    properties: {
      fileName: { type: 'string', minLength: 1 },
      content: { type: 'string', description: 'The file as text (UTF-8).' },
      contentBase64: {
        type: 'string',
        contentEncoding: 'base64',
        description: 'The file as base64, instead of content.',
      },
    },
    ...(property.description ? { description: property.description } : {}),
  }
}

/** Copies a schema without the keywords that only the gateway reads. */
function withoutGatewayKeywords(schema: PlainSchema): PlainSchema {
  return mapSchema(schema, (node) => {
    const {
      'x-secret': secret,
      'x-upload': _upload,
      'x-unrecorded': _unrecorded,
      'x-input-of': _inputOf,
      ...rest
    } = node
    if (secret && typeof rest.description !== 'string')
      rest.description = 'A secret; it is never written down in the clear.'
    return rest
  })
}

/**
 * The schema of `structuredContent`: the names of its members. `describe_operation` gives the whole schema; in the list
 * of tools, whole schemas would be half of what a model reads before its first call. A tool with an output schema must
 * always answer something that matches it (the clients of the SDK check even errors, dry runs and jobs that go on), so
 * the schema restricts nothing.
 *
 * @returns undefined when the result is not an object (text, or a list)
 */
export async function toolOutputSchema(operation: Operation): Promise<ObjectSchema | undefined> {
  if (operation.kind === 'stream' || operation.produces) return undefined
  const schema = await buildSchema(operation.output)
  if (schema.type !== 'object') return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(Object.keys(schema.properties ?? {}).map((name) => [name, {}])),
  }
}

/** Copies a schema and applies `change` to every schema node in it. */
function mapSchema(schema: PlainSchema, change: (node: PlainSchema) => Record<string, unknown>): PlainSchema {
  const out = change(schema)
  const each = (value: unknown) => mapSchema(value as PlainSchema, change)
  for (const keyword of ['properties', 'patternProperties', '$defs'] as const) {
    const nodes = out[keyword]
    if (isObject(nodes))
      out[keyword] = Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, each(node)]))
  }
  for (const keyword of ['items', 'additionalProperties', 'not'] as const)
    if (isObject(out[keyword])) out[keyword] = each(out[keyword])
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) {
    const nodes = out[keyword]
    if (Array.isArray(nodes)) out[keyword] = nodes.map(each)
  }
  return out as PlainSchema
}
