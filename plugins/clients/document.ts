/** An OpenAPI document of a gateway as the writers of clients need it: operations with their fields and results. */

/** A JSON schema (draft 2020-12), as far as the gateway uses it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

export interface ClientField {
  /** As on the wire. */
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
  readonly required: boolean
  readonly schema: Schema
  readonly description: string
}

/**
 * How an operation answers: `query` and `command` with the result (a command may answer with a job), `job` always with
 * a job, `stream` with server-sent events.
 */
export type OperationKind = 'query' | 'command' | 'job' | 'stream'

export interface ClientOperation {
  /** `operationId`, e.g. `blocks.compile-device.async`. */
  readonly id: string
  /** First part of the id. */
  readonly group: string
  /** The other parts. */
  readonly rest: string
  readonly method: string
  readonly path: string
  readonly kind: OperationKind
  /** It can answer with events beside its result. */
  readonly alsoStreams: boolean
  readonly fields: readonly ClientField[]
  readonly hasBody: boolean
  /** Names of header parameters, e.g. `If-Match`. */
  readonly headers: readonly string[]
  /** Media types of the answer 200, in the order of the document. */
  readonly produces: readonly string[]
  /** Name of the schema of the result; absent for text, streams and jobs whose result is not described. */
  readonly result?: string
  readonly summary: string
  readonly description: string
  readonly access: string
}

export interface ClientDocument {
  readonly version: string
  /** Sorted by id. */
  readonly operations: readonly ClientOperation[]
  readonly schemas: Readonly<Record<string, Schema>>
  /** Descriptions of plugins by name. */
  readonly tags: ReadonlyMap<string, string>
}

/** The files of a written client: texts by paths with `/`. */
export type ClientFiles = ReadonlyMap<string, string>

interface RawParameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

interface RawOperation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly RawParameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Schema }>> }>>
  readonly 'x-access'?: string
  readonly 'x-operation'?: string
}

interface RawDocument {
  readonly openapi?: string
  readonly info?: { readonly version?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths?: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, RawParameter>>
  }
}

const schemaPrefix = '#/components/schemas/'
const methods = new Set(['get', 'put', 'post', 'delete', 'patch'])

/** The name of a component schema that a reference points at. */
export const refName = (ref: string): string => ref.slice(schemaPrefix.length)

/** Reads an OpenAPI document of a gateway; a text says why it is not one. */
export function readDocument(raw: unknown): ClientDocument | string {
  const { openapi, info, paths, components, tags } = (raw ?? {}) as RawDocument
  if (!openapi?.startsWith('3.1')) return `it says openapi ${JSON.stringify(openapi)} where 3.1 is expected`
  const schemas = components?.schemas
  if (!paths || !schemas?.Problem || !schemas.JobAccepted) return 'it has no schemas "Problem" and "JobAccepted"'
  const operations: ClientOperation[] = []
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) {
      if (!methods.has(method)) continue
      if (!operation.operationId) return `${method.toUpperCase()} ${path} has no operationId`
      operations.push(readOperation(operation.operationId, method, path, operation, schemas, components?.parameters))
    }
  if (!operations.some(({ id }) => id === 'jobs.get')) return 'it has no operation jobs.get'
  return {
    version: info?.version ?? '0.0.0',
    operations: operations.sort((a, b) => (a.id < b.id ? -1 : 1)),
    schemas,
    tags: new Map((tags ?? []).map(({ name, description }) => [name, description ?? ''])),
  }
}

function readOperation(
  id: string,
  method: string,
  path: string,
  raw: RawOperation,
  schemas: Readonly<Record<string, Schema>>,
  shared: Readonly<Record<string, RawParameter>> = {},
): ClientOperation {
  const parameters = (raw.parameters ?? []).map((entry) =>
    entry.$ref ? (shared[entry.$ref.slice(entry.$ref.lastIndexOf('/') + 1)] ?? {}) : entry,
  )
  const body = raw.requestBody?.content?.['application/json']?.schema
  const ok = raw.responses?.['200']?.content ?? {}
  const produces = Object.keys(ok)
  const streams = produces.includes('text/event-stream')
  const reference = ok['application/json']?.schema?.$ref
  const jobResult = `${raw['x-operation']}.result`
  const isJob = raw.responses?.['200'] === undefined && raw.responses?.['202'] !== undefined
  const result = reference ? refName(reference) : isJob && schemas[jobResult] ? jobResult : undefined
  const [group, ...rest] = id.split('.')
  return {
    id,
    group: group!,
    rest: rest.join('.') || group!,
    method,
    path,
    kind: isJob
      ? 'job'
      : streams && produces.length === 1
        ? 'stream'
        : raw.responses?.['202'] !== undefined
          ? 'command'
          : 'query',
    alsoStreams: streams && produces.length > 1,
    fields: [...parameters.flatMap(parameterField), ...bodyFields(body)],
    hasBody: body !== undefined,
    headers: parameters.flatMap(({ name, in: place }) => (place === 'header' && name ? [name] : [])),
    produces,
    ...(result === undefined ? {} : { result }),
    summary: raw.summary ?? id,
    description: raw.description ?? '',
    access: raw['x-access'] ?? '',
  }
}

function parameterField({ name, in: place, required, schema, description }: RawParameter): ClientField[] {
  if (!name || (place !== 'path' && place !== 'query')) return []
  return [{ name, in: place, required: required ?? false, schema: schema ?? {}, description: description ?? '' }]
}

function bodyFields(body: Schema | undefined): ClientField[] {
  const required = new Set(body?.required ?? [])
  return Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'body' as const,
    required: required.has(name),
    schema,
    description: schema.description ?? '',
  }))
}

/** The operations of each group, groups and operations sorted by name. */
export function grouped(operations: readonly ClientOperation[]): Map<string, ClientOperation[]> {
  const groups = new Map<string, ClientOperation[]>()
  for (const operation of operations) {
    const list = groups.get(operation.group)
    if (list) list.push(operation)
    else groups.set(operation.group, [operation])
  }
  return groups
}
