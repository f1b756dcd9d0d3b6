/**
 * The tools, derived from the registry's operations (docs/design.md#mcp): names, schemas, annotations and the
 * advertised sets. There is no second list of operations here.
 */
import { createHash } from 'node:crypto'
import { nearest } from '../../lib/nearest.ts'
import type { Gateway } from '../gateway.ts'
import { accessOf, type Operation } from '../operation.ts'
import { problem } from '../problems.ts'
import { buildSchema, type PlainSchema } from '../schema.ts'

/**
 * A JSON Schema whose root is an object, as MCP requires for `inputSchema` and `outputSchema` (MCP 2025-06-18, Tools).
 */
export type ObjectSchema = PlainSchema & { readonly type: 'object' }

/** A tool as `tools/list` shows it. */
export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema?: ObjectSchema
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** Number of tools among which a model still chooses well (docs/design.md#mcp). */
export const essentialLimit = 50
/** Longest tool name that all known clients accept. */
const nameLimit = 64
/** Longest description, characters; `describe_operation` gives the rest. */
const descriptionLimit = 800

/** The requested tools: `''` the default set, `all`, or toolset names, sorted and joined by commas. */
export type ToolsetSelection = string

/** The tools of one gateway. */
export class Catalogue {
  /** Tool name → operation: all that MCP clients may call, advertised or not. */
  readonly tools: ReadonlyMap<string, Operation>
  /** The same operations, in the order of the registry. */
  readonly operations: readonly Operation[]
  /** Toolset → operations, in the order of the registry. */
  readonly toolsets: ReadonlyMap<string, readonly Operation[]>
  /** Advertised by default; at most {@link essentialLimit}. */
  readonly essential: readonly Operation[]
  readonly #names = new Map<Operation, string>()
  readonly #described = new Map<ToolsetSelection, Promise<readonly ToolDescription[]>>()

  /** @param reserved names of the built-in tools, which no operation may take */
  constructor(gateway: Gateway, reserved: Iterable<string>) {
    const exposed = gateway.registry.operations.filter((o) => o.mcp !== false && o.kind !== 'stream')
    const tools = new Map<string, Operation>()
    const taken = new Set(reserved)
    const toolsets = new Map<string, Operation[]>()
    for (const operation of exposed) {
      const name = toolNameOf(operation.id, taken)
      taken.add(name)
      tools.set(name, operation)
      this.#names.set(operation, name)
      const toolset = operation.mcp === false ? '' : operation.mcp.toolset
      const members = toolsets.get(toolset)
      if (members) members.push(operation)
      else toolsets.set(toolset, [operation])
    }
    this.tools = tools
    this.operations = exposed
    this.toolsets = toolsets
    const essential = exposed.filter((o) => o.mcp !== false && o.mcp.essential === true)
    if (essential.length > essentialLimit) {
      const left = essential.slice(essentialLimit).map((o) => o.id)
      gateway.log.warn({ limit: essentialLimit, left }, 'more operations are marked essential than are advertised')
    }
    this.essential = essential.slice(0, essentialLimit)
  }

  /** The tool name of an operation that MCP clients may call. */
  nameOf(operation: Operation): string | undefined {
    return this.#names.get(operation)
  }

  /**
   * Reads `?toolsets=`.
   * @throws GatewayError `invalid_input` that names the unknown toolset and the known ones
   */
  parseToolsets(text: string | undefined): ToolsetSelection {
    const wanted = [...new Set((text ?? '').split(/[\s,]+/).filter((name) => name !== '' && name !== 'default'))].sort()
    if (wanted.includes('all')) return 'all'
    for (const name of wanted) {
      if (this.toolsets.has(name)) continue
      const known = [...this.toolsets.keys()].sort()
      const near = nearest(name, [...known, 'all'])
      throw problem(
        'invalid_input',
        `/toolsets: there is no toolset "${name}"${near ? ` (did you mean "${near}"?)` : ''}; known: ${known.join(', ')}, all.`,
        { errors: [{ path: '/toolsets', message: 'unknown toolset', value: name, allowed: [...known, 'all'] }] },
      )
    }
    return wanted.join(',')
  }

  /** The operations of a selection: the essential ones first, then those of the toolsets. */
  select(selection: ToolsetSelection): readonly Operation[] {
    if (selection === 'all') return this.operations
    const chosen = new Set(this.essential)
    for (const name of selection === '' ? [] : selection.split(','))
      for (const operation of this.toolsets.get(name) ?? []) chosen.add(operation)
    return [...chosen]
  }

  /** The selection as `tools/list` shows it; made once per selection. */
  describe(selection: ToolsetSelection): Promise<readonly ToolDescription[]> {
    let described = this.#described.get(selection)
    if (!described) {
      described = Promise.all(this.select(selection).map((o) => describeTool(o, this.#names.get(o)!)))
      this.#described.set(selection, described)
    }
    return described
  }
}

/**
 * `blocks.import-scl` → `blocks_import_scl`. A name that is too long is cut and ends in a part of its hash; a taken
 * name gets a number.
 */
export function toolNameOf(operationId: string, taken: ReadonlySet<string>): string {
  const plain = operationId.replace(/[.-]/g, '_')
  const base =
    plain.length <= nameLimit
      ? plain
      : `${plain.slice(0, nameLimit - 9)}_${createHash('sha256').update(operationId).digest('hex').slice(0, 8)}`
  let name = base
  for (let n = 2; taken.has(name); n++) name = `${base.slice(0, nameLimit - 1 - String(n).length)}_${n}`
  return name
}

/** An operation as a tool. */
export async function describeTool(operation: Operation, name: string): Promise<ToolDescription> {
  const output = await toolOutputSchema(operation)
  return {
    name,
    title: operation.title,
    description: describe(operation),
    inputSchema: await toolInputSchema(operation),
    ...(output ? { outputSchema: output } : {}),
    annotations: {
      title: operation.title,
      readOnlyHint: isReadOnly(operation),
      destructiveHint: operation.mcp !== false && operation.mcp.destructive === true,
      idempotentHint: isIdempotent(operation),
      openWorldHint: false,
    },
  }
}

/**
 * True when a tool changes nothing. A query may act on something outside the project (a job, a session); then it has a
 * route that is not GET.
 */
function isReadOnly({ kind, http }: Operation): boolean {
  return kind === 'query' && http.every(({ method }) => method === 'GET')
}

/** RFC 9110, 9.2.2: PUT and DELETE (and the safe methods) may be repeated with the same effect. */
function isIdempotent(operation: Operation): boolean {
  if (isReadOnly(operation)) return true
  return operation.http.length > 0 && operation.http.every(({ method }) => method === 'PUT' || method === 'DELETE')
}

function describe(operation: Operation): string {
  const notes: string[] = [sentence(operation.title)]
  if (operation.description) notes.push(operation.description.trim())
  if (operation.needsInstance) notes.push('Needs an attached engineering instance.')
  const access = accessOf(operation)
  if (access === 'operator' || access === 'admin') notes.push(`Needs access level "${access}".`)
  const text = notes.join('\n')
  return text.length <= descriptionLimit ? text : `${text.slice(0, descriptionLimit - 1)}…`
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** The operation's input as MCP clients send it: files as text or base64, `dryRun` for commands. */
export async function toolInputSchema(operation: Operation): Promise<ObjectSchema> {
  const schema = await buildSchema(operation.input)
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, asClientsSend(property)]),
  )
  if (operation.kind === 'command' && !properties.dryRun) properties.dryRun = dryRunSchema
  return { ...withoutGatewayKeywords(schema), type: 'object', properties }
}

const dryRunSchema: PlainSchema = {
  type: 'boolean',
  description: 'Run it and show the result and the events it would record, but change nothing.',
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
    const { 'x-secret': secret, 'x-upload': _upload, ...rest } = node
    if (secret && typeof rest.description !== 'string')
      rest.description = 'A secret; it is never written down in the clear.'
    return rest
  })
}

/**
 * The schema of `structuredContent`. A tool with an output schema must always answer something that matches it (the
 * clients of the SDK check even errors), so the schema lists the four possible answers. Answers may have more members
 * than the schema: an older client that knows the schema must not refuse them.
 *
 * @returns undefined when the result is not an object (text, or a list)
 */
export async function toolOutputSchema(operation: Operation): Promise<ObjectSchema | undefined> {
  if (operation.kind === 'stream' || operation.produces) return undefined
  const schema = await buildSchema(operation.output)
  if (schema.type !== 'object') return undefined
  const result = mapSchema(schema, ({ additionalProperties, ...rest }) =>
    additionalProperties === false || additionalProperties === undefined ? rest : { ...rest, additionalProperties },
  )
  return {
    type: 'object',
    anyOf: [result, ...(operation.kind === 'command' ? [dryRunAnswer, jobAnswer] : []), problemAnswer],
  }
}

const dryRunAnswer: PlainSchema = {
  title: 'Dry run',
  type: 'object',
  required: ['dryRun', 'result', 'events'],
  properties: { dryRun: { const: true }, result: {}, events: { type: 'array' } },
}
const jobAnswer: PlainSchema = {
  title: 'Still running',
  type: 'object',
  required: ['jobId', 'status', 'hint'],
  properties: { jobId: { type: 'string' }, status: { type: 'string' }, hint: { type: 'string' } },
}
const problemAnswer: PlainSchema = {
  title: 'Problem',
  type: 'object',
  required: ['code', 'status', 'detail'],
  properties: { code: { type: 'string' }, status: { type: 'integer' }, detail: { type: 'string' } },
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
