/** The OpenAPI 3.1 description of all routes (https://spec.openapis.org/oas/v3.1.0), made from the registry. */

import { isDeepStrictEqual } from 'node:util'
import { sortableList } from '../calls/sorted-list.ts'
import { problemSchema } from '../contract/fault-schema.ts'
import { accessOf, type HttpRoute, type Operation } from '../contract/operation.ts'
import { buildSchema, type PlainSchema } from '../contract/schema.ts'
import type { RegisteredRoute, Registry } from '../plugins/registry.ts'
import { errorResponses, errorsOf } from './error-responses.ts'
import { type Parameter, parametersOf, wireSchema } from './parameters.ts'
import { exampleInput } from './samples.ts'
import { sessionPaths } from './session-paths.ts'

type Json = Record<string, unknown>

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Json
  readonly servers: readonly Json[]
  readonly tags: readonly Json[]
  readonly paths: Record<string, Record<string, Json>>
  readonly components: { readonly schemas: Record<string, unknown>; readonly [part: string]: unknown }
  readonly security: readonly Json[]
}

const jobAcceptedSchema = {
  type: 'object',
  required: ['jobId', 'status'],
  properties: {
    jobId: { type: 'string', description: 'Poll it with GET /api/jobs/{jobId}.' },
    status: { type: 'string', enum: ['Pending', 'Running', 'Completed', 'Failed', 'Cancelled'] },
    error: { $ref: '#/components/schemas/Problem', description: 'Of a job that has failed already.' },
  },
}

const components = {
  securitySchemes: {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    bearer: { type: 'http', scheme: 'bearer' },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'gantry-<port>',
      description: 'For pages of the gateway: `POST /api/session` begins it; changes need `X-CSRF-Token`.',
    },
  },
  responses: {
    ...errorResponses,
    NotModified: { description: 'The ETag of If-None-Match still holds.' },
    Accepted: {
      description: 'The job was accepted.',
      headers: {
        Location: { description: 'Address of the job.', schema: { type: 'string' } },
        'X-Job-Id': { schema: { type: 'string' } },
      },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/JobAccepted' } } },
    },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'The same key with the same input stands for the same job.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
    GroupId: {
      name: 'X-Group-Id',
      in: 'header',
      description: 'Commands with the same one can be taken back together.',
      schema: { type: 'string', minLength: 1, maxLength: 100 },
    },
    Prefer: {
      name: 'Prefer',
      in: 'header',
      description:
        '`respond-async` answers with the job at once, `respond-async, wait=10` after ten seconds at the latest (RFC 7240).',
      schema: { type: 'string' },
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'Strong ETag of the object as it was read, or `*`: the change is made only while it is so (412 otherwise, which says who changed it).',
      schema: { type: 'string' },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'ETag of an earlier answer.',
      schema: { type: 'string' },
    },
  },
}

/**
 * Describes every route of the registry. It builds all schemas (half a second with all plugins), so it is done on
 * demand.
 */
export async function buildOpenApi(registry: Registry, { version }: { version: string }): Promise<OpenApiDocument> {
  const schemas: Record<string, unknown> = { JobAccepted: jobAcceptedSchema }
  hoist(await buildSchema(problemSchema), 'Problem', schemas)
  const paths: OpenApiDocument['paths'] = {}
  const ids = new Set<string>()
  /** Paths that differ only in parameter names are one path in OpenAPI; the names of the first are kept. */
  const canonical = new Map<string, string>()
  for (const route of registry.routes) {
    const plain = route.path.replace(/\*\}/g, '}')
    const shape = plain.replace(/\{\w+\}/g, '{}')
    const path = canonical.get(shape) ?? plain
    canonical.set(shape, path)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = await describe(route, path, {
      ids,
      schemas,
      hasTarget: registry.targetOf(route.operation) !== undefined,
    })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gantry',
      version,
      summary: 'Engineering automation gateway for PLC and HMI projects.',
      description:
        'Every operation is a command (runs as a job, alone, in order) or a query (reads the current state). Synchronous routes answer with the result, asynchronous ones with a `jobId`. The full manual: `GET /api/docs`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: registry.plugins
      .filter((plugin) => plugin.operations?.length)
      .map(({ name, description }) => ({ name, ...(description ? { description } : {}) })),
    security: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
    paths: { ...paths, ...sessionPaths },
    components: { ...components, schemas },
  }
}

async function describe(
  route: RegisteredRoute,
  path: string,
  { ids, schemas, hasTarget }: { ids: Set<string>; schemas: Record<string, unknown>; hasTarget: boolean },
): Promise<Json> {
  const { operation } = route
  const input = hoist(await buildSchema(operation.input), operation.id, schemas)
  const parameters = parametersOf(route, operation, input, await sortableList(operation))
  const names = renamed(route.path, path)
  const example = exampleInput(operation, parameters)
  const access = accessOf(operation)
  const body = requestBody(parameters, input, example)
  const listed = parameters
    .filter((p) => p.in !== 'body')
    .map((p) => ({
      name: p.in === 'path' ? (names.get(p.name) ?? p.name) : p.name,
      in: p.in,
      ...(p.required ? { required: true } : {}),
      ...(p.schema.description ? { description: p.schema.description } : {}),
      schema: p.schema,
      ...(example[p.name] === undefined ? {} : { example: example[p.name] }),
    }))
  return {
    operationId: operationId(operation, route, ids),
    tags: [route.plugin],
    summary: summary(operation, route),
    ...(operation.description ? { description: operation.description } : {}),
    parameters: [...listed, ...headerParameters(operation, route, hasTarget)],
    ...(body ? { requestBody: body } : {}),
    responses: await responses(
      operation,
      route,
      schemas,
      errorsOf({ hasBody: body !== undefined, isConditional: hasTarget }),
    ),
    ...(access === 'public' ? { security: [] } : {}),
    'x-access': access,
    'x-operation': operation.id,
  }
}

/**
 * The title. For the asynchronous twin of a synchronous route it says so, since lists would otherwise repeat the line.
 */
function summary({ title, http }: Operation, { mode }: HttpRoute): string {
  return mode === 'async' && http.some((route) => route.mode === 'sync') ? `${title} (asynchronous)` : title
}

/** `<id>` for the (first) synchronous route, `<id>.async` for the asynchronous one; further ones are numbered. */
function operationId(operation: Operation, { mode }: HttpRoute, ids: Set<string>): string {
  const base = mode === 'async' ? `${operation.id}.async` : operation.id
  let id = base
  for (let n = 2; ids.has(id); n++) id = `${base}.${n}`
  ids.add(id)
  return id
}

/** Parameter names of a route's own pattern → those of the path it is listed under. */
function renamed(own: string, listed: string): Map<string, string> {
  const names = (path: string) => [...path.matchAll(/\{(\w+)\*?\}/g)].map((match) => match[1]!)
  const target = names(listed)
  return new Map(names(own).map((name, i) => [name, target[i] ?? name]))
}

function headerParameters(operation: Operation, { mode }: HttpRoute, hasTarget: boolean): Json[] {
  const named = (name: string) => ({ $ref: `#/components/parameters/${name}` })
  if (operation.kind === 'stream') return []
  const list: Json[] = []
  if (operation.kind === 'command') list.push(named('IdempotencyKey'), named('GroupId'))
  if (hasTarget) list.push(named('IfMatch'))
  if (mode === 'sync') list.push(named('Prefer'))
  if (operation.kind === 'query' && mode === 'sync' && !operation.live) list.push(named('IfNoneMatch'))
  return list
}

function requestBody(parameters: readonly Parameter[], input: PlainSchema, example: Json): Json | undefined {
  const fields = parameters.filter((p) => p.in === 'body')
  if (fields.length === 0) return undefined
  const required = fields.filter((p) => p.required).map((p) => p.name)
  const bodyExample = Object.fromEntries(
    fields.filter((p) => example[p.name] !== undefined).map((p) => [p.name, example[p.name]]),
  )
  const schema = (forms: boolean) => ({
    type: 'object',
    properties: Object.fromEntries(fields.map((p) => [p.name, fieldSchema(p.schema, forms)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: input.additionalProperties ?? false,
  })
  const hasFiles = fields.some((p) => p.schema['x-upload'])
  return {
    ...(required.length > 0 ? { required: true } : {}),
    content: {
      ...(hasFiles ? { 'multipart/form-data': { schema: schema(true) } } : {}),
      'application/json': {
        schema: schema(false),
        ...(Object.keys(bodyExample).length > 0 ? { example: bodyExample } : {}),
      },
    },
  }
}

function fieldSchema(schema: PlainSchema, forms: boolean): unknown {
  // OpenAPI 3.1: a file part has no type, only its media type.
  return forms && schema['x-upload']
    ? {
        contentMediaType: 'application/octet-stream',
        ...(schema.description ? { description: schema.description } : {}),
      }
    : wireSchema(schema)
}

const eventStream = { 'text/event-stream': { schema: { type: 'string' } } }

async function responses(
  operation: Operation,
  { mode }: HttpRoute,
  schemas: Record<string, unknown>,
  errors: Json,
): Promise<Json> {
  const accepted = { 202: { $ref: '#/components/responses/Accepted' } }
  if (operation.kind === 'stream') {
    return { 200: { description: 'Server-sent events until the client leaves.', content: eventStream }, ...errors }
  }
  if (mode === 'async') return { ...accepted, ...errors }
  const name = `${operation.id}.result`
  schemas[name] ??= hoist(await buildSchema(operation.output), name, schemas)
  const text = operation.produces ? { [operation.produces]: { schema: { type: 'string' } } } : {}
  const json = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
  // With `accepts` the text is the alternative that a client requests.
  const plain = operation.produces ? (operation.accepts ? { ...json, ...text } : text) : json
  const content = operation.kind === 'command' && operation.streams ? { ...eventStream, ...plain } : plain
  return {
    200: { description: operation.kind === 'query' ? 'The answer.' : 'The result of the job.', content },
    ...(operation.kind === 'command' ? accepted : {}),
    ...(operation.kind === 'query' && !operation.live ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
    ...errors,
  }
}

/**
 * A schema's own `$defs` become components, so that its references work inside the document: under their names, or all
 * after `prefix.` where one has the name of another schema.
 */
export function hoist(schema: PlainSchema, prefix: string, schemas: Record<string, unknown>): PlainSchema {
  const definitions = Object.entries(schema.$defs ?? {})
  if (definitions.length === 0) return schema
  const known = new Set(definitions.map(([name]) => name))
  const rewrite = (value: unknown, before: string): unknown => {
    if (Array.isArray(value)) return value.map((entry) => rewrite(entry, before))
    if (value === null || typeof value !== 'object') return value
    const out: Json = {}
    for (const [key, entry] of Object.entries(value)) {
      if (key === '$defs' || key === '$id') continue
      const name =
        key === '$ref' && typeof entry === 'string' ? entry.replace(/^#\/\$defs\//, '').replace(/^#/, '') : ''
      out[key] = known.has(name) ? `#/components/schemas/${before}${name}` : rewrite(entry, before)
    }
    return out
  }
  const isOther = ([name, definition]: [string, PlainSchema]) =>
    schemas[name] !== undefined && !isDeepStrictEqual(schemas[name], rewrite(definition, ''))
  const before = definitions.some(isOther) ? `${prefix}.` : ''
  for (const [name, definition] of definitions) schemas[`${before}${name}`] = rewrite(definition, before)
  return rewrite(schema, before) as PlainSchema
}
