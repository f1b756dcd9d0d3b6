/**
 * What operations answer is described: a schema that allows anything would give clients `unknown` or `Any`. The places
 * where an answer is free are listed here, each with the reason.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'
import type { PlainSchema } from '../contract/schema.ts'
import { mcpPlugin } from '../mcp/operations.ts'
import { buildOpenApi } from './openapi.ts'
import { docsPlugin } from './operations.ts'

/**
 * The places that are free, and why: by component, with `[]` for entries of a list and `*` for values of a map. Types
 * of this kind have names (`core/contract/free-schemas.ts`), so each is here once.
 */
const free: Readonly<Record<string, string>> = {
  'Fault.*': 'what the code brings besides',
  'Fault.allowed': 'what a field takes: texts, numbers, a range',
  'Fault.value': 'what a client gave',
  'JsonSchema.*': 'keywords of JSON Schema, which clients give to a validator',
  'OperationInput.*': 'the input of whichever operation a field beside it names',
  'JsonValue[]': 'a value of JSON: see free-schemas.ts',
  'mcp.get-session.result.client.*': 'what the client says of itself',
  'mcp.instance.result.projects[].*': 'as the plugin of projects shows them',
  'mcp.list-sessions.result.sessions[].client.*': 'what the client says of itself',
  OperationResult: 'the answer of whichever operation a field beside it names',
  'Problem.*': 'what the code brings besides',
  'projects.overview.result.devices[].*': 'parts of a project of any plugin add fields',
  RecordData: 'what the event of the record has, which plugins declare',
  StateEntry: 'an aggregate of whichever plugin, as its slice has it',
  'TagValue[]': 'a value of JSON: see free-schemas.ts',
}

/** The places in a schema that allow any JSON, references not followed. */
function freePlaces(schema: PlainSchema, place: string): string[] {
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (list as readonly PlainSchema[]) ?? [])
  if (parts.length > 0) return parts.flatMap((part) => freePlaces(part, place))
  if (schema.$ref !== undefined || schema.enum !== undefined || schema.const !== undefined) return []
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const values = Object.values(patternProperties)
  // Without any word of its fields an object may hold everything.
  if (schema.type === 'object' && !schema.properties && values.length === 0 && additionalProperties !== false)
    values.push(typeof additionalProperties === 'object' ? additionalProperties : {})
  if (schema.type === undefined && !schema.properties) return [place]
  // Any further field.
  if (schema.properties && additionalProperties === true) values.push({})
  return [
    ...Object.entries(properties).flatMap(([name, field]) => freePlaces(field, `${place}.${name}`)),
    ...values.flatMap((value) => freePlaces(value, `${place}.*`)),
    ...(schema.type === 'array' ? freePlaces(schema.items ?? {}, `${place}[]`) : []),
  ]
}

test('every part of every answer has a type, but where it is free for a reason', async (t) => {
  const { gateway } = await openTestGateway(t, { corePlugins: [docsPlugin, mcpPlugin] })
  const { components } = await buildOpenApi(gateway.registry, { version: '1.2.3' })
  const schemas = JSON.parse(JSON.stringify(components.schemas)) as Record<string, PlainSchema>
  // A component that only inputs lead to is none of an answer.
  const reached = new Set(Object.keys(schemas).filter((name) => name.endsWith('.result')))
  for (const name of reached)
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      reached.add(other!)
  const second = [...reached].filter((name) => name.includes('.') && !name.endsWith('.result'))
  assert.deepEqual(second, [], 'a name stands for one type in all plugins')
  const found = [...reached].flatMap((name) => freePlaces(schemas[name]!, name)).sort()
  const known = new Set(Object.keys(free))
  const more = found.filter((place) => !known.delete(place))
  assert.deepEqual(more, [], 'give these a type (`t.Named` for one that is shared or recursive)')
  assert.deepEqual([...known], [], 'take these from the list: they have a type')
})
