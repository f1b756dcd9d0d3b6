/** Where the HTTP server reads the fields of an operation's flat input: path, query or body. */

import type { SortableList } from '../calls/sorted-list.ts'
import { type HttpRoute, type Operation, pathParameters } from '../contract/operation.ts'
import type { PlainSchema } from '../contract/schema.ts'
import { takesFields } from '../http/field-selection.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
  readonly required: boolean
  readonly schema: PlainSchema
  /** Other accepted spellings. */
  readonly aliases?: readonly string[]
}

/** `dryRun` is a parameter of every command (docs/design.md#operations). */
const dryRunSchema: PlainSchema = {
  type: 'boolean',
  description: 'Run the command, answer its result and the events it would append, and keep nothing.',
}

/** `fields` is a parameter of every list that can be long (docs/design.md#answers). */
const fieldsSchema: PlainSchema = {
  type: 'string',
  description: 'Answer only these fields of each entry: names with commas. Default: all.',
}

/** `sort` is a parameter of every list that can be long and is not in the order of time (docs/design.md#answers). */
const sortSchema = ({ fields }: SortableList): PlainSchema => ({
  type: 'string',
  description: `Order of the entries: names of fields with commas, \`-\` before one: descending. Case of texts does not matter; what is absent comes last. Fields: ${fields.join(', ')}.`,
})

const asOfSchema: PlainSchema = {
  type: 'string',
  description:
    'Answer from the state as it was then: `seq` of a record, or RFC 3339 time. Needs access level engineer.',
}

/**
 * The parameters of a route. Path parameters are in the path; the others in the query for GET and DELETE, otherwise in
 * the body. This is the documented way: the query may contain any of them, and a DELETE may have a body.
 * @param sortable what `sort` orders (`sortableList`); absent: it is not among them
 */
export function parametersOf(
  route: HttpRoute,
  operation: Operation,
  schema: PlainSchema,
  sortable?: SortableList,
): Parameter[] {
  const inPath = new Set(pathParameters(route.path))
  const elsewhere = route.method === 'GET' || route.method === 'DELETE' ? 'query' : 'body'
  const required = new Set(schema.required ?? [])
  const parameters = Object.entries(schema.properties ?? {}).map(([name, property]): Parameter => {
    const aliases = operation.aliases?.[name]
    return {
      name,
      in: inPath.has(name) ? 'path' : elsewhere,
      required: inPath.has(name) || required.has(name),
      schema: property,
      ...(aliases?.length ? { aliases } : {}),
    }
  })
  for (const name of inPath) {
    if (!schema.properties?.[name]) parameters.push({ name, in: 'path', required: true, schema: { type: 'string' } })
  }
  if (operation.kind === 'command' && !schema.properties?.dryRun) {
    parameters.push({ name: 'dryRun', in: 'query', required: false, schema: dryRunSchema })
  }
  if (route.mode === 'sync' && takesFields(operation, schema)) {
    parameters.push({ name: 'fields', in: 'query', required: false, schema: fieldsSchema })
  }
  if (route.mode === 'sync' && sortable !== undefined) {
    parameters.push({ name: 'sort', in: 'query', required: false, schema: sortSchema(sortable) })
  }
  if (route.mode === 'sync' && route.method === 'GET' && operation.kind === 'query' && !operation.live) {
    parameters.push({ name: 'asOf', in: 'query', required: false, schema: asOfSchema })
  }
  const order = { path: 0, body: 1, query: 2 }
  return parameters.sort((a, b) => order[a.in] - order[b.in] || Number(b.required) - Number(a.required))
}

/** A schema in a word or two: `string`, `integer`, `"LAD" | "SCL"`, `array of object`. */
export function typeText(schema: PlainSchema): string {
  if (schema['x-upload']) return 'file'
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' | ')
  if (schema.type === 'array') return `array of ${schema.items ? typeText(schema.items) : 'any'}`
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (typeof schema.type === 'string') return schema.format ? `${schema.type} (${String(schema.format)})` : schema.type
  return 'any'
}

const jsonUploadSchema: PlainSchema = {
  type: 'object',
  description: 'A file as text (`content`) or base64 (`contentBase64`).',
  required: ['fileName'],
  properties: {
    fileName: { type: 'string', minLength: 1 },
    content: { type: 'string' },
    contentBase64: { type: 'string', contentEncoding: 'base64' },
  },
}

/** A field as JSON clients send it: an upload is text or base64 (in forms a file part). The command gets a blob. */
export function wireSchema(schema: PlainSchema): PlainSchema {
  return schema['x-upload']
    ? { ...jsonUploadSchema, ...(schema.description ? { description: schema.description } : {}) }
    : schema
}
