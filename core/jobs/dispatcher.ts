/**
 * From a call to its answer: checks access and input, protects secrets, handles idempotency, then answers a query at
 * once or runs a command as a job.
 */
import { nanoid } from 'nanoid'
import { defined } from '../../lib/optional.ts'
import type { StagedBlob } from '../../store/index.ts'
import { mapSecrets, type Sealer } from '../access/secrets.ts'
import { answerOf, hashedAnswer, hashOf, isPaged } from '../calls/preconditions.ts'
import { RunningQuery } from '../calls/run-context.ts'
import { sortedBy } from '../calls/sorted-list.ts'
import { changedFields } from '../calls/whole-object.ts'
import type { Actor } from '../contract/access.ts'
import type { GatewayHandle } from '../contract/context.ts'
import { isLarge } from '../contract/json-size.ts'
import { accessOf, mayCall, type Operation, pathParameters, type Query, type Stream } from '../contract/operation.ts'
import { GatewayError, isGatewayError, problem } from '../contract/problems.ts'
import type { StreamEvent } from '../contract/stream-event.ts'
import type { Expected } from '../contract/targets.ts'
import { shownInput, unrecordedMark } from '../input/shown-input.ts'
import { filesIn, noBlob } from '../input/uploads.ts'
import { assertOutput, compileInput, type InputReader } from '../input/validation.ts'
import type { ActiveJob, SubmitOptions } from '../log/active-job.ts'
import { CallRecords, type RefusedData } from '../log/call-records.ts'
import { errorOfWire } from './failure.ts'
import { inlineLimit } from './job-runner.ts'

/** The caller, and options of the call. */
export interface Call {
  readonly actor: Actor
  readonly correlationId?: string
  /** `async`: answer at once, with the job. */
  readonly mode?: 'sync' | 'async'
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
  /** Condition of a change; see preconditions.ts. */
  readonly expected?: Expected
  /** A query answers from the state as it was then: seq of a record, or RFC 3339 time. */
  readonly asOf?: string
  /** The order of the entries of a list: names of their fields with commas; see sorted-list.ts. */
  readonly sort?: string
  /** Commands of one group can be taken back together. */
  readonly group?: string
  /** The answer gets the hash of what it describes, also when further parameters choose a part or a form of it. */
  readonly withHash?: boolean
  /** Fields that arrived as text (path and query parameters). */
  readonly strings?: Readonly<Record<string, unknown>>
  /** Gets the events that a command sends while it runs (`streams` of the operation). */
  readonly onEvent?: (event: StreamEvent) => void
  /** Uploads that the adapter has already staged. */
  readonly staged?: readonly StagedBlob[]
  readonly signal?: AbortSignal
}

/** The answer to a call. */
export type Reply =
  | {
      readonly kind: 'result'
      readonly value: unknown
      /** The job that it is the result of. */
      readonly job?: Pick<ActiveJob, 'jobId'> & Partial<Pick<ActiveJob, 'resultJson'>>
      /** Entity tag: a strong one where the value is what a command can change. */
      readonly etag?: string
      /** What the next change can be made conditional on. */
      readonly hash?: string
      /** JSON text of the value, when it is known. */
      readonly json?: string
      /** Of an answer of an earlier time: the record that it follows. */
      readonly asOf?: number
      /** See `warn` of the context. */
      readonly warnings?: readonly string[]
    }
  | { readonly kind: 'job'; readonly jobId: string; readonly job?: ActiveJob }

/**
 * Answers calls. There is one dispatcher for each gateway; all adapters (HTTP, MCP, CLI) use it.
 *
 * A command becomes a job: it is accepted, runs when its turn in the lane comes, and is answered when its records are
 * durable. A query is answered at once from the state, so that a read never waits for a compile; on an asynchronous
 * route it is a job like any other.
 */
export class Dispatcher {
  readonly #gateway: GatewayHandle
  readonly #sealer: Sealer
  /** Makes ETags and correlation ids differ from those of another run, in which the counters had the same values. */
  readonly #run = nanoid(6)
  #requests = 0
  readonly #records: CallRecords

  constructor(gateway: GatewayHandle, sealer: Sealer) {
    this.#gateway = gateway
    this.#sealer = sealer
    this.#records = new CallRecords(gateway.store.log)
  }

  /**
   * An id that connects a request, its log line, its job and its records: unique, and short, because every record of a
   * call contains it.
   */
  newCorrelationId(): string {
    return `${this.#run}-${(++this.#requests).toString(36)}`
  }

  /**
   * Runs an operation for a caller: checks access, matches names, validates, protects secrets, then runs the query or
   * job.
   *
   * @param raw the body, or all parameters as one object
   * @throws GatewayError with a code of the problem table; for a failed job, the error of the job
   */
  async invoke(operation: Operation, raw: Record<string, unknown>, call: Call): Promise<Reply> {
    this.#requireNoWait(operation, call)
    const { reader, dryRun, input, staged } = await this.#admit(operation, raw, call).catch((error) => {
      this.refused(error, { operation: operation.id }, call.actor, call.correlationId)
      throw error
    })
    if (operation.kind === 'stream') {
      throw problem(
        'not_available',
        `Operation ${operation.id} is a stream; open it with GET ${operation.http[0]?.path ?? ''}.`,
      )
    }
    if (operation.kind === 'query' && call.mode !== 'async') return this.#query(operation, input, call, raw, reader)
    return this.#command(operation, reader, input, call, dryRun, staged)
  }

  /**
   * Refuses the call of a running command (or a hook of it) that would wait for the lane, which that command holds.
   * The object of its actor, and its signal, tell where a call comes from.
   * @throws GatewayError `conflict`
   */
  #requireNoWait(operation: Operation, { mode, actor, signal }: Call) {
    if (operation.kind !== 'command' || operation.besideLane || mode === 'async') return
    const running = this.#gateway.jobs.running
    const ctx = running?.context
    if (ctx === undefined || (actor !== ctx.actor && (signal === undefined || signal !== ctx.signal))) return
    throw problem(
      'conflict',
      `${running!.operation.id} runs and has called gateway.invoke for ${operation.id}: it would wait for itself, because commands run one after the other.`,
      {
        suggestion: `Call it in the same job: ctx.call('${operation.id}', { … }). With mode "async" it runs afterwards.`,
      },
    )
  }

  /** Records a call that is refused; see {@link CallRecords}. */
  refused(
    error: unknown,
    what: Omit<RefusedData, 'code' | 'repeated'>,
    actor: Actor | undefined,
    correlationId = this.newCorrelationId(),
  ) {
    // Nothing is written to a damaged log. A fault of the gateway itself is no refusal.
    if (!isGatewayError(error) || error.code === 'internal_error' || this.#gateway.store.health.state !== 'ok') return
    this.#records.refused(error, actor?.name, { ...what, code: error.code }, correlationId)
  }

  /** The error of a job that has failed, with its id. The records of the job stand for the call. */
  failureOf({ jobId }: ActiveJob, error: GatewayError): GatewayError {
    const failure = withJobId(error, jobId)
    this.#records.noteRecorded(failure)
    return failure
  }

  /** Checks access and input. @throws GatewayError */
  async #admit(operation: Operation, raw: Record<string, unknown>, call: Call) {
    this.requireAccess(operation, call.actor)
    // As a job it would be written to the log.
    if (!operation.whenDamaged || call.mode === 'async') this.#gateway.requireSoundLog()
    if (call.expected !== undefined && !this.#gateway.registry.targetOf(operation)) {
      throw problem(
        'invalid_input',
        `If-Match: what ${operation.id} changes cannot be read at an address of its own, so the condition cannot be checked.`,
      )
    }
    if (call.asOf !== undefined && call.actor.access === 'viewer')
      throw problem('forbidden', `/asOf: an earlier state needs access level "engineer"; this key has "viewer".`)
    const reader = await compileInput(operation)
    const { dryRun, body, strings } = takeDryRun(operation, reader, raw, call)
    const { body: read, staged } =
      reader.uploads.length > 0 ? await this.#takeUploads(reader, body, call) : { body, staged: undefined }
    const ctx = () =>
      new RunningQuery(this.#gateway, call.actor, call.correlationId ?? this.newCorrelationId(), call.signal)
    const isPut = operation.kind === 'command' && operation.http.some(({ method }) => method === 'PUT')
    const changed = isPut
      ? await changedFields(
          this.#gateway,
          operation,
          read,
          { ...reader.named(read), ...reader.named(strings ?? {}) },
          ctx(),
        )
      : read
    const input = reader.read(changed, strings)
    if (operation.kind === 'command' && operation.admit) await operation.admit(input, ctx())
    return { reader, dryRun, input, staged }
  }

  /** Opens a stream of server-sent events. */
  async open(operation: Stream, raw: Record<string, unknown>, call: Call) {
    this.requireAccess(operation, call.actor)
    this.#gateway.requireSoundLog()
    const reader = await compileInput(operation)
    const input = reader.read(raw, call.strings)
    return operation.run(
      input,
      new RunningQuery(this.#gateway, call.actor, call.correlationId ?? this.newCorrelationId(), call.signal),
    )
  }

  /** @throws GatewayError `forbidden` */
  requireAccess(operation: Operation, actor: Actor) {
    if (mayCall(operation, actor.access)) return
    throw problem(
      'forbidden',
      `Operation ${operation.id} needs access level "${accessOf(operation)}"; this key has "${actor.access}".`,
    )
  }

  async #query(
    given: Query,
    input: Record<string, unknown>,
    call: Call,
    raw: Record<string, unknown>,
    reader: InputReader,
  ): Promise<Reply> {
    const { jobs, store } = this.#gateway
    const correlationId = call.correlationId ?? this.newCorrelationId()
    const ctx = new RunningQuery(this.#gateway, call.actor, correlationId, call.signal)
    ctx.group = call.group
    const plain = recorded(await shownInput(this.#gateway.registry, given, input), reader)
    const shown = call.sort === undefined ? plain : { ...plain, sort: call.sort }
    let operation = given
    let seen = 0
    try {
      if (call.sort !== undefined) operation = await sortedBy(given, call.sort)
      if (operation.needsInstance) this.#gateway.requireInstance(call.actor)
      if (call.asOf !== undefined) {
        const past = await this.#gateway.past.answer(operation, input, call.asOf, { ...call, correlationId })
        this.#served(operation, { ...shown, asOf: call.asOf }, call, correlationId)
        const told = past.warnings.length > 0 ? { warnings: past.warnings } : {}
        return { kind: 'result', value: past.value, asOf: past.seq, ...told }
      }
      const value = await answerOf(this.#gateway, operation, input, ctx, () => {
        seen = jobs.lastMergedSeq
      })
      if (this.#gateway.options.checkOutputs) await assertOutput(given, value)
      // An answer leaves only when all that it is based on is durable (docs/design.md#durability).
      await store.log.durable(Math.max(seen, jobs.lastMergedSeq))
      this.#served(operation, shown, call, correlationId)
      const told = ctx.warnings.length > 0 ? { warnings: ctx.warnings } : {}
      if (operation.live && !operation.tagged) return { kind: 'result', value, ...told }
      if (this.#gateway.registry.isTarget(operation)) {
        if (isPlain(operation, raw, call) || (await isPaged(operation))) {
          const { hash, json } = await hashedAnswer(this.#gateway, operation, value, ctx)
          return { kind: 'result', value, etag: `"${hash}"`, hash, ...defined({ json }), ...told }
        }
        if (call.withHash) {
          const hash = await hashOf(this.#gateway, operation, pathFields(operation, input), ctx)
          return { kind: 'result', value, ...defined({ etag: this.#etag(ctx), hash }), ...told }
        }
      }
      return { kind: 'result', value, ...defined({ etag: this.#etag(ctx) }), ...told }
    } catch (error) {
      const failure = this.#gateway.asProblem(error, operation.id, correlationId)
      this.#served(operation, shown, call, correlationId, failure.code)
      this.#records.noteRecorded(failure)
      throw failure
    }
  }

  #etag(ctx: RunningQuery): string | undefined {
    if (ctx.collectionsRead.size === 0) return undefined
    let versions = ''
    for (const collection of ctx.collectionsRead) versions += `.${this.#gateway.state.version(collection).toString(36)}`
    return `W/"${this.#run}${versions}"`
  }

  #served(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    call: Call,
    correlationId: string,
    code?: string,
  ) {
    const ownId = !correlationId.startsWith(this.#run)
    this.#records.served(call.actor.name, operation.id, input, code, correlationId, ownId)
  }

  /** Writes the queries that are not yet recorded to the audit. */
  flush() {
    this.#records.flush()
  }

  /** Handles secrets, idempotency and large inputs, then submits the job. */
  async #command(
    operation: Operation,
    reader: InputReader,
    input: Record<string, unknown>,
    call: Call,
    dryRun: boolean,
    staged: readonly StagedBlob[] | undefined,
  ): Promise<Reply> {
    const { actor, idempotencyKey, expected, group, onEvent } = call
    let runInput = input
    let loggedInput: unknown
    if (reader.hasSecrets) {
      loggedInput = await mapSecrets(input, reader.schema, (secret, how) => this.#sealer.protect(secret, how))
      // The command gets the hash of a hashed field, so that a run after a restart gets the same input.
      runInput = (await mapSecrets(loggedInput, reader.schema, (text, how) =>
        this.#sealer.unprotect(text, how),
      )) as Record<string, unknown>
    }
    let inputHash: string | undefined
    if (idempotencyKey !== undefined) {
      inputHash = this.#sealer.mac(
        JSON.stringify([operation.id, input, dryRun, ...(expected === undefined ? [] : [expected])]),
      )
      const earlier = await this.#gateway.jobs.byIdempotencyKey(actor.name, idempotencyKey)
      if (earlier) return this.#again(earlier, inputHash, idempotencyKey, call)
    }
    let blobs = staged
    let inputBlob: string | undefined
    const logged = loggedInput ?? input
    if (isLarge(logged, inlineLimit)) {
      const blob = await this.#gateway.store.blobs.stage(JSON.stringify(logged))
      blobs = [...(blobs ?? []), blob]
      inputBlob = blob.hash
    }
    if (idempotencyKey !== undefined) {
      // A request with the same key may have arrived while this one waited above.
      const raced = this.#gateway.jobs.recentByIdempotencyKey(actor.name, idempotencyKey)
      if (raced) return this.#again(raced, inputHash!, idempotencyKey, call)
    }
    const correlationId = call.correlationId ?? this.newCorrelationId()
    const logging = { correlationId, loggedInput, blobs, inputBlob }
    const options = { actor, dryRun, ...logging, idempotencyKey, inputHash, expected, group, onEvent }
    return this.#submit(operation, runInput, call, defined(options))
  }

  /**
   * Accepts a command. The answer comes when the job has ended; for an asynchronous call when its acceptance is
   * durable.
   */
  async #submit(
    operation: Operation,
    input: Record<string, unknown>,
    call: Call,
    options: SubmitOptions,
  ): Promise<Reply> {
    try {
      const job = this.#gateway.jobs.submit(operation, input, options)
      if (call.mode !== 'async') return await resultOf(job)
      await this.#gateway.store.log.durable(job.acceptedSeq)
      return { kind: 'job', jobId: job.jobId, job }
    } catch (error) {
      const failure = this.#gateway.asProblem(error, operation.id, options.correlationId)
      // A job has its records; a full queue, or a gateway that shuts down, accepts none.
      if (failure.details.extra?.jobId !== undefined) this.#records.noteRecorded(failure)
      throw failure
    }
  }

  /** A repeated Idempotency-Key gives the same job. */
  async #again(
    earlier: { jobId: string; inputHash: string },
    inputHash: string,
    key: string,
    call: Call,
  ): Promise<Reply> {
    if (earlier.inputHash !== inputHash) {
      throw problem(
        'idempotency_mismatch',
        `Idempotency-Key "${key}" belongs to job ${earlier.jobId}, which had another operation or input.`,
      )
    }
    const active = this.#gateway.jobs.peek(earlier.jobId)
    if (call.mode === 'async') return defined({ kind: 'job' as const, jobId: earlier.jobId, job: active })
    if (active) return resultOf(active)
    const job = await this.#gateway.jobs.find(earlier.jobId)
    if (job?.lost?.includes('result'))
      throw withJobId(problem('gone', `Job ${job.jobId} is Completed, but its result is there no more.`), job.jobId)
    if (job?.status === 'Completed') return { kind: 'result', value: job.result, job: { jobId: job.jobId } }
    throw job?.error
      ? errorOfWire(job.error)
      : withJobId(problem('request_cancelled', `Job ${earlier.jobId} was cancelled.`), earlier.jobId)
  }

  /**
   * Turns uploads of JSON clients (`content`, `contentBase64`) into blobs, as the parts of multipart bodies already
   * are.
   */
  async #takeUploads(reader: InputReader, body: Record<string, unknown>, call: Call) {
    const staged: StagedBlob[] = [...(call.staged ?? [])]
    const raw = { ...body }
    for (const { field, fileName, bytes, blob } of filesIn(reader, body)) {
      if (bytes) {
        const limit = this.#gateway.settings.limits.uploadBytes
        if (bytes.length > limit)
          throw problem('payload_too_large', `"${field}" has ${bytes.length} bytes; limits.uploadBytes is ${limit}.`)
        const made = await this.#gateway.store.blobs.stage(bytes)
        staged.push(made)
        raw[field] = { fileName, blob: made.hash, size: made.size }
      } else if (!staged.some(({ hash }) => hash === blob) && !(await this.#gateway.blobReader.has(blob)))
        throw noBlob(field, blob)
    }
    return { body: raw, staged }
  }
}

/** The input of a query as the audit shows it. */
function recorded(input: Readonly<Record<string, unknown>>, { unrecorded }: InputReader) {
  if (!unrecorded.some((name) => name in input)) return input
  return { ...input, ...Object.fromEntries(unrecorded.map((name) => [name, unrecordedMark])) }
}

/** The path parameters of a query's own address. */
function addressFields({ http }: Query): ReadonlySet<string> {
  const route = http.find(({ method, mode }) => method === 'GET' && mode === 'sync')
  return new Set(route === undefined ? [] : pathParameters(route.path))
}

/** True for a call that has only the parameters of the path: its answer is the object itself. */
function isPlain(operation: Query, raw: Record<string, unknown>, { strings }: Call): boolean {
  const own = addressFields(operation)
  return [...Object.keys(raw), ...Object.keys(strings ?? {})].every((name) => own.has(name))
}

function pathFields(operation: Query, input: Record<string, unknown>): Record<string, unknown> {
  const own = addressFields(operation)
  return Object.fromEntries(Object.entries(input).filter(([name]) => own.has(name)))
}

/** The reply of a job that has ended. */
async function resultOf(job: ActiveJob): Promise<Reply> {
  const outcome = await job.settled
  if (!outcome.ok) throw withJobId(outcome.error, job.jobId)
  return { kind: 'result', value: outcome.result, job }
}

/** The error with the same text and the id of the job that it ended. */
function withJobId(error: GatewayError, jobId: string): GatewayError {
  return new GatewayError(error.code, error.message, {
    ...error.details,
    extra: { ...error.details.extra, jobId },
    cause: error.cause,
  })
}

/** Takes `dryRun`, a parameter of every command, out of the body or the query before the schema check. */
function takeDryRun(operation: Operation, reader: InputReader, raw: Record<string, unknown>, call: Call) {
  let { strings } = call
  let body = raw
  let dryRun = call.dryRun === true
  if (operation.kind !== 'command' || reader.schema.properties?.dryRun) return { dryRun, body, strings }
  for (const name of ['dryRun', 'DryRun']) {
    if (name in body) {
      const { [name]: value, ...rest } = body
      if (typeof value !== 'boolean')
        throw problem('invalid_input', `/dryRun: must be boolean`, {
          errors: [{ path: '/dryRun', message: 'must be boolean', value }],
        })
      dryRun ||= value
      body = rest
    }
    if (strings && name in strings) {
      const { [name]: value, ...rest } = strings
      dryRun ||= value !== 'false' && value !== '0'
      strings = rest
    }
  }
  return { dryRun, body, strings }
}
