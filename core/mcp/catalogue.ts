/**
 * The tools, derived from the registry's operations (docs/design.md#mcp): names, schemas, annotations and the
 * advertised sets. There is no second list of operations here.
 */
import { createHash } from 'node:crypto'
import { nearest } from '../../lib/nearest.ts'
import type { Access } from '../contract/access.ts'
import { isDestructive, isReadOnly, mayCall, type Operation } from '../contract/operation.ts'
import { problem } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import { operationsMeant } from '../input/meant-operation.ts'
import { type ObjectSchema, shortened, toolInputSchema, toolOutputSchema } from './tool-schemas.ts'

/** A tool as `tools/list` shows it. */
export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema?: ObjectSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    /** Absent: false, the default of the protocol. */
    readonly idempotentHint?: boolean
    readonly openWorldHint: boolean
  }
}

/**
 * Number of operations advertised by default; the built-in tools come on top. A model chooses well among 40 tools, and
 * clients send all of their schemas with each request (docs/design.md#mcp).
 */
export const essentialLimit = 35
/** Longest tool name that all known clients accept. */
const nameLimit = 64
/** Words of `?toolsets=` that are no toolset. */
const selections = ['all', 'default', 'dynamic']
/** Longest description, characters; `describe_operation` gives the rest. */
const descriptionLimit = 240

/** Which tools a client sees. */
export interface ToolSelection {
  /**
   * `''` the default set, `all`, `dynamic` (only the tools that reach all operations), or toolset names, sorted and
   * joined by commas; `default` among them adds the default set.
   */
  readonly toolsets: string
  /** Only operations that change nothing can be seen and called. */
  readonly readOnly: boolean
  /** Names of single tools, sorted and joined by commas: these alone, or with those of the toolsets. */
  readonly tools?: string
}

/** What a client sees that asks for nothing. */
export const defaultSelection: ToolSelection = { toolsets: '', readOnly: false }

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
  readonly #builtIn: ReadonlySet<string>
  readonly #hasTarget: (operation: Operation) => boolean
  readonly #described = new Map<Operation, Promise<ToolDescription>>()

  /** @param reserved names of the built-in tools, which no operation may take */
  constructor(gateway: Gateway, reserved: Iterable<string>) {
    this.#hasTarget = (operation) => gateway.registry.targetOf(operation) !== undefined
    const exposed = gateway.registry.operations.filter((o) => o.mcp && o.kind !== 'stream')
    const tools = new Map<string, Operation>()
    this.#builtIn = new Set(reserved)
    const taken = new Set(this.#builtIn)
    const toolsets = new Map<string, Operation[]>()
    for (const operation of exposed) {
      const name = toolNameOf(operation.id, taken)
      taken.add(name)
      tools.set(name, operation)
      this.#names.set(operation, name)
      const toolset = toolsetOf(operation)
      const members = toolsets.get(toolset)
      if (members) members.push(operation)
      else toolsets.set(toolset, [operation])
    }
    this.tools = tools
    this.operations = exposed
    this.toolsets = toolsets
    const essential = exposed.filter((o) => o.mcp && o.mcp.essential === true)
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
   * Reads `?toolsets=`, `?readonly=` and `?tools=`.
   * @throws GatewayError `invalid_input` that names the unknown toolset or tool, and what there is
   */
  parseSelection(
    toolsets: string | undefined,
    readonly: string | boolean | undefined = false,
    tools: string | undefined = undefined,
  ): ToolSelection {
    const named = this.#toolNames(tools)
    const selection = this.#parseToolsets(toolsets, readonly)
    if (named === '') return selection
    // Beside single tools the default set is only meant when it is named.
    const isDefault = selection.toolsets === '' && namesIn(toolsets).includes('default')
    return { ...selection, ...(isDefault ? { toolsets: 'default' } : {}), tools: named }
  }

  /** @throws GatewayError `invalid_input` */
  #toolNames(tools: string | undefined): string {
    const names = namesIn(tools).map((name) => {
      if (this.tools.has(name) || this.#builtIn.has(name)) return name
      const operation = this.operations.find(({ id }) => id === name)
      if (operation) return this.#names.get(operation)!
      const near = nearest(name, this.#builtIn) ?? operationsMeant(name, this.operations)[0]
      const meant = typeof near === 'object' ? this.#names.get(near) : near
      throw problem(
        'invalid_input',
        `/tools: there is no tool "${name}"${meant ? ` (did you mean "${meant}"?)` : ''}; GET /mcp/info?toolsets=all lists them.`,
        { errors: [{ path: '/tools', message: 'unknown tool', value: name }] },
      )
    })
    return [...new Set(names)].sort().join(',')
  }

  #parseToolsets(toolsets: string | undefined, readonly: string | boolean | undefined): ToolSelection {
    const readOnly = readonly === true || readonly === '' || readonly === '1' || readonly === 'true'
    if (!readOnly && readonly !== false && readonly !== '0' && readonly !== 'false') {
      const message = 'must be 1 (only tools that change nothing) or 0'
      throw problem('invalid_input', `/readonly: ${message}.`, {
        errors: [{ path: '/readonly', message, value: readonly, allowed: ['1', '0'] }],
      })
    }
    const wanted = namesIn(toolsets)
    const known = [...this.toolsets.keys(), ...selections].sort()
    for (const name of wanted) {
      if (known.includes(name)) continue
      const near = nearest(name, known)
      throw problem(
        'invalid_input',
        `/toolsets: there is no toolset "${name}"${near ? ` (did you mean "${near}"?)` : ''}; known: ${known.join(', ')}.`,
        { errors: [{ path: '/toolsets', message: 'unknown toolset', value: name, allowed: known }] },
      )
    }
    if (wanted.includes('all')) return { toolsets: 'all', readOnly }
    if (wanted.includes('dynamic')) {
      if (wanted.length === 1) return { toolsets: 'dynamic', readOnly }
      const message = '"dynamic" shows only the tools that reach all operations; it does not go with other toolsets'
      throw problem('invalid_input', `/toolsets: ${message}.`, {
        errors: [{ path: '/toolsets', message, value: toolsets }],
      })
    }
    return { toolsets: wanted.join(',') === 'default' ? '' : wanted.join(','), readOnly }
  }

  /**
   * The operations of a selection that an access level may call: the default ones first, then those of the toolsets,
   * then those named.
   */
  select({ toolsets, readOnly, tools = '' }: ToolSelection, access: Access = 'admin'): readonly Operation[] {
    const names = toolsets.split(',')
    const isDefault = (toolsets === '' && tools === '') || names.includes('default')
    const chosen = new Set<Operation>(isDefault ? this.essential : [])
    for (const name of names) for (const operation of this.toolsets.get(name) ?? []) chosen.add(operation)
    for (const operation of tools.split(',').flatMap((name) => this.tools.get(name) ?? [])) chosen.add(operation)
    const all = toolsets === 'all' ? this.operations : [...chosen]
    return all.filter((operation) => mayCall(operation, access) && (!readOnly || isReadOnly(operation)))
  }

  /** The selection as `tools/list` shows it. */
  describe(selection: ToolSelection, access?: Access): Promise<readonly ToolDescription[]> {
    return this.describeEach(this.select(selection, access))
  }

  /** Operations of the catalogue as tools. */
  describeEach(operations: readonly Operation[]): Promise<readonly ToolDescription[]> {
    return Promise.all(operations.map((operation) => this.#describe(operation)))
  }

  #describe(operation: Operation): Promise<ToolDescription> {
    let described = this.#described.get(operation)
    if (!described) {
      described = describeTool(operation, this.#names.get(operation)!, this.#hasTarget(operation))
      this.#described.set(operation, described)
    }
    return described
  }
}

/** Names with commas or blanks between them, sorted. */
const namesIn = (text = '') => [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))].sort()

/** The toolset of an operation; empty when it is not offered to MCP clients. */
export function toolsetOf({ mcp }: Operation): string {
  return mcp ? mcp.toolset : ''
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
async function describeTool(operation: Operation, name: string, hasTarget: boolean): Promise<ToolDescription> {
  const output = await toolOutputSchema(operation)
  const input = await toolInputSchema(operation, hasTarget)
  return {
    name,
    title: operation.title,
    description: describe(operation),
    inputSchema: shortened(input),
    ...(output ? { outputSchema: output } : {}),
    annotations: {
      readOnlyHint: isReadOnly(operation),
      destructiveHint: isDestructive(operation) || canOverwrite(operation, input),
      ...(isIdempotent(operation) ? { idempotentHint: true } : {}),
      openWorldHint: false,
    },
  }
}

/** A tool has one hint for all its calls: a command that overwrites when it is asked to is destructive. */
function canOverwrite({ kind }: Operation, input: ObjectSchema): boolean {
  return kind === 'command' && 'overwrite' in (input.properties ?? {})
}

/** RFC 9110, 9.2.2: PUT and DELETE (and the safe methods) may be repeated with the same effect. */
function isIdempotent(operation: Operation): boolean {
  if (isReadOnly(operation)) return true
  return operation.http.some(({ method }) => method === 'PUT' || method === 'DELETE')
}

/** Title and first sentences; `describe_operation` gives the rest. */
function describe(operation: Operation): string {
  const notes: string[] = [sentence(operation.title)]
  if (operation.description) notes.push(operation.description.trim())
  return firstSentences(notes.join(' '), descriptionLimit)
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** The whole sentences of a text that fit a length; at least the first one, cut if need be. */
function firstSentences(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = text.slice(0, limit).search(/[.!?]\s(?!.*[.!?]\s)/s)
  return end < 0 ? `${text.slice(0, limit - 1)}…` : text.slice(0, end + 1)
}
