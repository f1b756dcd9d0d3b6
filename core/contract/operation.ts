/**
 * One declaration per operation (docs/design.md#operations). REST (sync and async), MCP tool, OpenAPI,
 * `GET /api/command/*`, docs, CLI, validation, audit and permission checks are all derived from it; there is no second
 * list of routes, tools or schemas.
 */
import { type Access, accessLevels } from './access.ts'
import type { CommandContext, QueryContext } from './context.ts'
import type { Answer, Lazy, Static, TObject, TSchema } from './schema.ts'
import type { StreamEvent } from './stream-event.ts'

export type { StreamEvent }

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One HTTP route of an operation. `sync` waits for the job and answers its result; `async` answers 202 with the
 * `jobId`.
 */
export interface HttpRoute {
  readonly method: HttpMethod
  /**
   * With `{name}` for path parameters; `{name*}` as the last segment matches the rest of the path, slashes included.
   */
  readonly path: string
  readonly mode: 'sync' | 'async'
}

const route =
  (method: HttpMethod) =>
  (path: string, mode: HttpRoute['mode'] = 'sync'): HttpRoute => ({ method, path, mode })
export const get = route('GET')
export const post = route('POST')
export const put = route('PUT')
export const patch = route('PATCH')
export const del = route('DELETE')

/** How an operation is shown to MCP clients. `false`: not at all (streams, dialogs). */
export interface McpExposure {
  /** Group of the tool; `?toolsets=blocks,tags` advertises these groups. */
  readonly toolset: string
  /** Advertised by default. The whole default set, with the built-in tools, has at most 40 tools and 40 kB. */
  readonly essential?: boolean
  /** Deletes, stops, downloads or overwrites something (a hint that MCP clients show to their user). */
  readonly destructive?: boolean
  /** Input of MCP clients that leave these fields out, e.g. a form of the answer that costs a model fewer tokens. */
  readonly defaults?: Readonly<Record<string, unknown>>
}

interface OperationBase<I extends TObject, O extends TSchema> {
  /** `<plugin>.<verb>[-<noun>]`; also the name in the audit and on the command line. */
  readonly id: string
  /** One line, imperative. */
  readonly title: string
  /** What a user should know beyond the title: rules, effects, errors. Markdown. */
  readonly description?: string
  /** Path, query and body parameters as one flat object. */
  readonly input: Lazy<I>
  /** The plain JSON answer. With `produces`: a string, sent as that content. */
  readonly output: Lazy<O>
  readonly http: readonly HttpRoute[]
  readonly mcp: McpExposure | false
  /**
   * Lowest access level. Default: `viewer` for queries and streams, `engineer` for commands. `public`: no key needed.
   */
  readonly access?: Access | 'public'
  /** The answer is text of this media type, e.g. `application/xml`. A value that is not text is still sent as JSON. */
  readonly produces?: string
  /**
   * Media types that a client may request with `Accept` besides JSON (RFC 9110, 12.5.1), each with the input fields
   * that it sets, e.g. `{ 'application/x-ndjson': { format: 'ndjson' } }`. Fields given by the client have priority.
   * Only synchronous HTTP routes use it.
   */
  readonly accepts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Needs an attached engineering instance (409 `no_instance` otherwise). */
  readonly needsInstance?: boolean
  /**
   * As a job it emits an event or reports progress at least this often, ms (default two minutes); health says when it
   * does not.
   */
  readonly quietMs?: number
  /**
   * Answers even when the log is found damaged (health, verification); every other operation is then refused with
   * `log_corrupt`.
   */
  readonly whenDamaged?: boolean
  /**
   * As a job it runs at once, beside the lane: it reads for long (a backup, a verification), changes no state and emits
   * nothing, so commands need not wait for it.
   */
  readonly besideLane?: boolean
  /** Other accepted spellings of a field, e.g. `{ path: ['projectPath'] }`: existing clients send them. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>
  /** A valid input, for the docs and the API reference. */
  readonly example?: unknown
  /** Other phrases for what it does, by which it is found: `list the errors of a program`. Imperative, as the title. */
  readonly asks?: readonly string[]
}

/** Changes something or takes long. Runs alone in the lane. */
export interface Command<I extends TObject = TObject, O extends TSchema = TSchema> extends OperationBase<I, O> {
  readonly kind: 'command'
  /**
   * Acts on, or answers from, more than state and files (processes, the log itself): a replay does not run it but uses
   * its recorded result and events. Its `run` must check `ctx.dryRun` before it acts.
   */
  readonly live?: boolean
  /**
   * The server-sent events that it sends with `ctx.send` while it runs, by name, with what each says. On a synchronous
   * HTTP route it is then answered with `text/event-stream`: these events, and at the end `done` with the result or
   * `error` with the problem (a problem of the input is answered as usual). A client that leaves cancels the job. With
   * `Accept: application/json`, and everywhere else, the answer is the result alone.
   */
  readonly streams?: Readonly<Record<string, string>>
  /**
   * Texts of the result, by their fields, that the log has only encrypted, as it has the secrets of an input: the
   * client that calls gets them, and readers of the job and the audit do not.
   */
  readonly sealsResult?: readonly string[]
  /**
   * What it does that no undo can take back, as a sentence for people: "The controller keeps the program." `false` for
   * a live command that leaves nothing behind. Default: of a live command, that it acts on more than the project.
   */
  readonly lasting?: string | false
  /**
   * Path of the query that reads what it changes (`If-Match`), with the command's own fields as parameters:
   * `/api/devices/{deviceName}`. Default: the nearest that can be read at or above the command's own path.
   */
  readonly changes?: string
  /**
   * Checks a call before it is accepted: outside the lane, on the present state, and with secret fields as the client
   * sent them, which `run` gets only as their protection says. For passwords: the rules for a new one, whether a
   * presented one is right. What it throws refuses the call (`call.refused` in the audit). It changes no state. A job
   * of an earlier run of the gateway is not checked again.
   */
  admit?(input: Static<I>, ctx: QueryContext): Promise<void> | void
  /**
   * Reads `ctx.read`, does its I/O through `ctx`, emits events; never changes state itself. To fail, throw
   * `problem(…)`.
   */
  run(input: Static<I>, ctx: CommandContext): Promise<Answer<O>> | Answer<O>
}

/**
 * Only reads. Runs at once on the current state, outside the lane. On an `async` route it runs as a job, in the lane's
 * order.
 */
export interface Query<I extends TObject = TObject, O extends TSchema = TSchema> extends OperationBase<I, O> {
  readonly kind: 'query'
  /** The answer depends on more than slices (processes, clock, disk), so it gets no ETag. */
  readonly live?: boolean
  /**
   * A live answer that describes one stored object only (a file, the forces of a controller): it has an ETag after all.
   */
  readonly tagged?: boolean
  /**
   * Its list is in the order of time and as long as the log, or what else is kept for long: it is read page by page,
   * and takes no `sort`.
   */
  readonly byTime?: boolean
  run(input: Static<I>, ctx: QueryContext): Promise<Answer<O>> | Answer<O>
}

/** Answers with server-sent events until the iterable ends or the client disconnects (`ctx.signal`). */
export interface Stream<I extends TObject = TObject>
  extends Omit<OperationBase<I, TSchema>, 'output' | 'produces' | 'accepts'> {
  readonly kind: 'stream'
  /** An error that it throws or rejects with is answered like that of a query; later there is only the stream. */
  run(input: Static<I>, ctx: QueryContext): AsyncIterable<StreamEvent> | Promise<AsyncIterable<StreamEvent>>
}

/**
 * Any operation. `run` is a method, so its parameter may be narrower (TypeScript compares the parameters of methods in
 * both directions): the dispatcher gives it only inputs that match its schema.
 */
export type Operation = Command | Query | Stream

/** Declares a command. */
export function command<I extends TObject, O extends TSchema>(declaration: Omit<Command<I, O>, 'kind'>): Command<I, O> {
  return { kind: 'command', ...declaration }
}

/** Declares a query. */
export function query<I extends TObject, O extends TSchema>(declaration: Omit<Query<I, O>, 'kind'>): Query<I, O> {
  return { kind: 'query', ...declaration }
}

/** Declares a stream of server-sent events. */
export function stream<I extends TObject>(declaration: Omit<Stream<I>, 'kind'>): Stream<I> {
  return { kind: 'stream', ...declaration }
}

/** The lowest access level that an operation needs. */
export function accessOf(operation: Operation): Access | 'public' {
  return operation.access ?? (operation.kind === 'command' ? 'engineer' : 'viewer')
}

/** True when a key of this access level may call the operation. */
export function mayCall(operation: Operation, access: Access): boolean {
  const needed = accessOf(operation)
  return needed === 'public' || accessLevels.indexOf(access) >= accessLevels.indexOf(needed)
}

/** True when the operation says that it deletes, stops, downloads or overwrites something. */
export function isDestructive({ mcp }: Operation): boolean {
  return mcp !== false && mcp?.destructive === true
}

/**
 * True when an operation changes nothing: a query has no way to record an event. A query that acts on something outside
 * the log (a running job) is marked `destructive`.
 */
export function isReadOnly(operation: Operation): boolean {
  return operation.kind === 'query' && !isDestructive(operation)
}

/** The names of a route's path parameters. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\*?\}/g)].map((m) => m[1]!)
}
