/** Operations that call operations, within one job or one answer (docs/design.md#calls-of-operations). */
import type { CallOperation, CallOptions, CommandContext, QueryContext } from '../contract/context.ts'
import type { Command, Operation, Query } from '../contract/operation.ts'
import { OperationCall } from '../contract/operation-call.ts'
import { problem } from '../contract/problems.ts'
import { filesIn, noBlob } from '../input/uploads.ts'
import { assertOutput, compileInput, type InputReader } from '../input/validation.ts'

/** How deep operations may call each other: more is an endless recursion. */
const mostDepth = 8

/** What is known of the operation that calls another one. */
export interface Caller {
  readonly ctx: CommandContext | QueryContext
  /** Of a query only queries are called. */
  readonly isCommand: boolean
  /** It may call what is live: what it answers or does is not repeated by a replay, and has no ETag. */
  readonly isLive: boolean
  /** It runs beside the lane, where nothing may change the state. */
  readonly besideLane: boolean
  /** How many calls it is below the job or the query. */
  readonly depth: number
  /** Makes the job fail at its end, because a called command has failed and left changes that cannot be told apart. */
  readonly spoil: (error: unknown) => void
}

/** `ctx.call` of a caller. */
export function callOf(caller: Caller): CallOperation {
  const call = (given: string | Pick<Operation, 'id'>, input: Readonly<Record<string, unknown>>, more?: CallOptions) =>
    callWithin(caller, given, input, more)
  // The result of an operation fits its schema; nothing at run time says so to the compiler.
  return call as CallOperation
}

/**
 * Runs an operation as a part of the one that calls it.
 *
 * @param given the operation, or its id
 * @param raw its input: names are matched and checked as for any call; secrets as a client would send them
 * @throws GatewayError `conflict` when it cannot be called from there; `not_found`; `forbidden`; `invalid_input`; what
 * its hooks and the operation throw
 */
async function callWithin(
  caller: Caller,
  given: string | Pick<Operation, 'id'>,
  raw: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<unknown> {
  const { gateway, actor, signal } = caller.ctx
  signal.throwIfAborted()
  const operation = requireCallable(caller, typeof given === 'string' ? given : given.id)
  gateway.requireAccess(operation, actor)
  if (!operation.whenDamaged) gateway.requireSoundLog()
  if (operation.needsInstance) gateway.requireInstance(actor)
  const part = new Part(caller, operation, options)
  try {
    return await run(operation, raw, part)
  } catch (error) {
    if (part.hasChanged) caller.spoil(error)
    throw error
  }
}

async function run(operation: Command | Query, raw: Readonly<Record<string, unknown>>, part: Part): Promise<unknown> {
  const { gateway } = part
  const reader = await compileInput(operation)
  const input = reader.read(await withUploads(raw, reader, part), {})
  if (operation.kind === 'command') await operation.admit?.(input, part)
  const call = new OperationCall(operation, await gateway.protectInput(operation, input), part, { isPart: true })
  gateway.bus.emit('command', call)
  gateway.bus.emit(`command:${operation.id}`, call)
  const result = await call.run()
  if (gateway.options.checkOutputs) await assertOutput(operation, result)
  part.signal.throwIfAborted()
  return result
}

/** The operation, if the caller can have it as a part. @throws GatewayError */
function requireCallable(caller: Caller, id: string): Command | Query {
  const operation = caller.ctx.gateway.registry.requireOperation(id)
  const refused = (reason: string) => problem('conflict', `Operation ${id} cannot be called here: ${reason}`)
  if (operation.kind === 'stream') throw refused('it is a stream, which has no result.')
  if (caller.depth >= mostDepth)
    throw refused(`operations call each other more than ${mostDepth} deep, which is an endless recursion.`)
  if (operation.kind === 'command' && !caller.isCommand)
    throw refused('it is a command, and the caller is a query; a query calls queries only.')
  if (operation.live && !caller.isLive)
    throw refused('it is live, and the caller is not; declare the caller `live: true`.')
  if (operation.kind === 'command' && !operation.besideLane && caller.besideLane)
    throw refused('the caller runs beside the lane; call `ctx.gateway.invoke`, which waits for the lane.')
  if (operation.kind === 'command' && operation.besideLane && !caller.besideLane)
    throw refused('it takes long and runs beside the lane, which the caller would hold.')
  return operation
}

/** Files that are given as text or base64 become blobs of the job; a query takes only those that are stored. */
async function withUploads(
  input: Readonly<Record<string, unknown>>,
  reader: InputReader,
  { blobs }: Part,
): Promise<Record<string, unknown>> {
  const read = { ...input }
  for (const { field, fileName, bytes, blob } of filesIn(reader, input)) {
    if (bytes) {
      if (!('put' in blobs)) throw problem('invalid_input', `/${field}: a query cannot give a file as text.`)
      read[field] = { fileName, blob: await blobs.put(bytes), size: bytes.length }
    } else if (!(await blobs.has(blob))) throw noBlob(field, blob)
  }
  return read
}

/** The context of the caller, as a called operation sees it: with its own events and its share of the progress. */
class Part implements CommandContext {
  readonly #ctx: CommandContext
  readonly #operation: Command | Query
  readonly #options: CallOptions
  readonly #emitted: CommandContext['emitted'][number][] = []
  #hasFiles = false
  readonly call: CallOperation

  constructor(caller: Caller, operation: Command | Query, options: CallOptions) {
    // A query is never given a command to call, so nothing uses what its context does not have.
    this.#ctx = caller.ctx as CommandContext
    this.#operation = operation
    this.#options = options
    const own: Caller = {
      ...caller,
      ctx: this,
      isCommand: operation.kind === 'command',
      isLive: operation.live === true,
      depth: caller.depth + 1,
    }
    this.call = callOf(own)
  }

  /** True when it has changed what cannot be told apart from the changes of its caller. */
  get hasChanged(): boolean {
    return this.#emitted.length > 0 || this.#hasFiles
  }

  #requireCommand() {
    if (this.#operation.kind !== 'command')
      throw new Error(`${this.#operation.id} is a query and changes something while it is called`)
  }

  read: CommandContext['read'] = (collection) => this.#ctx.read(collection)
  emit: CommandContext['emit'] = (event, data, entity) => {
    this.#requireCommand()
    this.#ctx.emit(event, data, entity)
    this.#emitted.push({ type: event.type, data, entity })
  }
  get emitted() {
    return this.#emitted
  }
  get blobs() {
    return this.#ctx.blobs
  }
  get files() {
    // A query has no way to write, and reading stages nothing.
    if (this.#operation.kind === 'command') this.#hasFiles = true
    return this.#ctx.files
  }
  get engine() {
    return this.#ctx.engine
  }
  get actor() {
    return this.#ctx.actor
  }
  get correlationId() {
    return this.#ctx.correlationId
  }
  get group() {
    return this.#ctx.group
  }
  get now() {
    return this.#ctx.now
  }
  get signal() {
    return this.#ctx.signal
  }
  get gateway() {
    return this.#ctx.gateway
  }
  get jobId() {
    return this.#ctx.jobId
  }
  get dryRun() {
    return this.#ctx.dryRun
  }
  /** Without a share the percentage of the caller stays: a part does not know how much of the whole it is. */
  progress(percent: number, message?: string) {
    const [from, to] = this.#options.progress ?? [0, 0]
    this.#ctx.progress(from + ((to - from) * percent) / 100, message)
  }
  warn(warnings: readonly string[]) {
    const { onWarnings } = this.#options
    if (onWarnings) onWarnings(warnings)
    else this.#ctx.warn(warnings)
  }
  send(event: Parameters<CommandContext['send']>[0]) {
    this.#requireCommand()
    this.#ctx.send(event)
  }
  newId() {
    this.#requireCommand()
    return this.#ctx.newId()
  }
  extensions: CommandContext['extensions'] = (point) => this.#ctx.extensions(point)
}
