/** Examples for the docs: the operation's own, completed from its schema. */
import type { HttpRoute, Operation } from '../contract/operation.ts'
import type { PlainSchema } from '../contract/schema.ts'
import { type Parameter, parametersOf } from './parameters.ts'

/** Samples for field names that say more than their type. */
const samplesByName: Readonly<Record<string, unknown>> = {
  deviceName: 'PLC_1',
  device: 'PLC_1',
  blockName: 'Main',
  tableName: 'Default tag table',
  tagName: 'Start',
  udtName: 'UDT_Motor',
  jobId: 'J2a-V1StGXR8_Z',
  sectionName: 'getting-started',
  code: 'invalid_input',
  path: 'Line1/Line1.gantry',
  projectPath: 'Line1/Line1.gantry',
  name: 'Line1',
}

/** A value that matches a schema. */
export function sampleOf(schema: PlainSchema, name = ''): unknown {
  if (schema.example !== undefined) return schema.example
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema['x-upload']) return { fileName: 'example.txt', content: '…' }
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, sampleOf(schema.properties?.[key] ?? {}, key)]),
      )
    case 'array':
      return schema.items ? [sampleOf(schema.items, name)] : []
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'string':
      return schema.format === 'date-time' ? '2026-01-31T12:00:00.000Z' : (samplesByName[name] ?? 'text')
    default:
      return samplesByName[name] ?? {}
  }
}

/** The example input for the docs: the operation's own example, or samples of its required fields. */
export function exampleInput(operation: Operation, parameters: readonly Parameter[]): Record<string, unknown> {
  const { example } = operation
  const given = example !== null && typeof example === 'object' ? (example as Record<string, unknown>) : undefined
  const input: Record<string, unknown> = {}
  for (const { name, required, schema } of parameters) {
    if (given && name in given) input[name] = given[name]
    else if (required) input[name] = sampleOf(schema, name)
  }
  return input
}

/** The path of a route with its parameters and query filled in. */
function examplePath(
  route: HttpRoute,
  parameters: readonly Parameter[],
  input: Readonly<Record<string, unknown>>,
): string {
  const path = route.path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    const text = String(input[name] ?? name)
    return rest ? text.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(text)
  })
  const query = parameters
    .filter((p) => p.in === 'query' && input[p.name] !== undefined)
    .map((p) => `${p.name}=${encodeURIComponent(String(input[p.name]))}`)
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

/** A call with curl; `$GANTRY` is the address and `$KEY` the key. */
export function curlExample(route: HttpRoute, operation: Operation, schema: PlainSchema): string {
  const parameters = parametersOf(route, operation, schema)
  const input = exampleInput(operation, parameters)
  const body = parameters.filter((p) => p.in === 'body' && input[p.name] !== undefined)
  const words = ['curl']
  if (operation.kind === 'stream' || (operation.kind === 'command' && operation.streams)) words.push('-N')
  if (route.method !== 'GET' && !(route.method === 'POST' && body.length > 0)) words.push(`-X ${route.method}`)
  words.push(`"$GANTRY${examplePath(route, parameters, input)}"`)
  if (operation.access !== 'public') words.push('-H "X-API-Key: $KEY"')
  if (body.some((p) => p.schema['x-upload'])) {
    for (const { name, schema: field } of body) {
      const value = input[name]
      words.push(
        field['x-upload']
          ? `-F '${name}=@file'`
          : `-F '${name}=${quoted(typeof value === 'string' ? value : JSON.stringify(value))}'`,
      )
    }
  } else if (body.length > 0) {
    words.push("-H 'Content-Type: application/json'")
    words.push(`-d '${quoted(JSON.stringify(Object.fromEntries(body.map((p) => [p.name, input[p.name]]))))}'`)
  }
  return words.join(' ')
}

/** Escapes text for single quotes of a POSIX shell. */
const quoted = (text: string) => text.replaceAll("'", `'\\''`)
