/** The gateway: store, state, plugins, jobs and engine put together. It knows nothing of HTTP or MCP; those are faces over `invoke`. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import type { LogRecord, StagedBlob, Store } from '../store/index.ts'
import { isStoreError, openStore } from '../store/index.ts'
import { restoreState, writeCheckpoint } from './checkpoint.ts'
import type { Actor, BlobReader } from './context.ts'
import { EngineHost, type EngineRunOptions, type EngineTask, isEngineError } from './engine/index.ts'
import { Workspace } from './files.ts'
import { type AcceptedData, iso, termsOf } from './job.ts'
import { type ActiveJob, inlineLimit, isLarge, Jobs, type OpenJob, type SubmitOptions } from './jobs.ts'
import { Keyring } from './keys.ts'
import { type Access, accessLevels, accessOf, type Operation, type Stream } from './operation.ts'
import type { ExtensionPoint, Plugin } from './plugin.ts'
import { type LoadedPlugin, loadPlugins, type PluginFault, registerSlice } from './plugin-loader.ts'
import { GatewayError, isGatewayError, type Problem, problem } from './problems.ts'
import { Registry } from './registry.ts'
import { RunningQuery } from './run-context.ts'
import { mapSecrets, Sealer } from './secrets.ts'
import { coreSlice, readSettings, type Settings, settingsCollection, settingsKey } from './settings.ts'
import { State } from './state.ts'
import { assertOutput, compiledInput, compileInput, type InputReader, warmUp } from './validation.ts'

/** What the gateway tells: pino's signature, so that a pino logger can be passed as it is. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface GatewayOptions {
  readonly dataDir: string
  readonly version: string
  /** Directories of plugins: the built-in ones first. */
  readonly pluginDirs: readonly string[]
  /** Plugins that belong to the faces (docs, MCP): taken in before those of the directories. */
  readonly corePlugins?: readonly Plugin[]
  /** Workspace roots; default `<dataDir>/workspace`. */
  readonly workspace?: readonly string[]
  readonly durability?: 'fsync' | 'os'
  readonly apiKey?: string
  readonly log?: Logger
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  /** Check every result against its output schema (tests). */
  readonly checkOutputs?: boolean
  /** Records between checkpoints. */
  readonly checkpointEvery?: number
  /** Replay and tests: no engineering instance is launched or looked for. */
  readonly withoutEngine?: boolean
  /** Replay: where content is read that this data directory does not hold. */
  readonly blobSource?: Pick<BlobReader, 'get'>
}

/** Who calls, and how the call is to be treated. */
export interface Call {
  readonly actor: Actor
  readonly correlationId?: string
  /** `async`: answer with the job at once. */
  readonly mode?: 'sync' | 'async'
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
  /** Fields that came as text (path and query parameters). */
  readonly strings?: Readonly<Record<string, unknown>>
  /** Uploads that the face has already staged. */
  readonly staged?: readonly StagedBlob[]
  readonly signal?: AbortSignal
}

/** The answer to a call. */
export type Reply =
  | { readonly kind: 'result'; readonly value: unknown; readonly job?: ActiveJob; readonly etag?: string }
  | { readonly kind: 'job'; readonly jobId: string; readonly job?: ActiveJob }

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
export const systemActor: Actor = { name: 'system', access: 'admin' }

export class Gateway {
  readonly registry = new Registry()
  readonly state = new State()
  readonly startedAt: number
  readonly clock: () => number
  readonly log: Logger
  readonly version: string
  readonly dataDir: string
  readonly options: GatewayOptions
  /** Seq of this run's `gateway.started` record. */
  sessionSeq = 0
  store!: Store
  jobs!: Jobs
  workspace!: Workspace
  keyring!: Keyring
  /** The API key when it was made at this start: shown once. */
  createdKey: string | undefined
  engineHost: EngineHost | undefined
  plugins: readonly LoadedPlugin[] = []
  pluginFaults: readonly PluginFault[] = []
  blobReader!: BlobReader
  #sealer!: Sealer
  #settings: { saved: Settings | undefined; read: Settings } = { saved: undefined, read: readSettings(undefined) }
  /** ETags of another run must not match: collection versions start anew. */
  readonly #run = nanoid(6)
  #requests = 0
  #checkpointSeq = 0
  #checkpointing: Promise<void> | undefined
  #closed: Promise<void> | undefined
  #scrub = new AbortController()
  /** The first instance is being looked for or launched; commands that need one wait for it instead of failing. */
  #startingInstance: Promise<void> | undefined

  private constructor(options: GatewayOptions) {
    this.options = options
    this.clock = options.clock ?? Date.now
    this.log = options.log ?? silent
    this.version = options.version
    this.dataDir = options.dataDir
    this.startedAt = this.clock()
  }

  /**
   * Opens the data directory, loads the plugins, folds the state and takes up the jobs a crash left behind.
   * @throws StoreError when the data directory is locked, damaged or cannot be read
   */
  static async open(options: GatewayOptions): Promise<Gateway> {
    const gateway = new Gateway(options)
    await gateway.#open()
    return gateway
  }

  async #open() {
    const { options } = this
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
    registerSlice({ name: 'core', slice: coreSlice }, this.state)
    for (const plugin of options.corePlugins ?? []) this.registry.add(plugin)
    const [store, { loaded, faults }, { keyring, created }, sealer, workspace] = await Promise.all([
      openStore({
        dir: join(options.dataDir, 'store'),
        durability: options.durability ?? 'fsync',
        terms: termsOf,
        ...(options.clock ? { now: options.clock } : {}),
      }),
      loadPlugins(options.pluginDirs, this.registry, this.state),
      Keyring.open(options.dataDir, options.apiKey),
      Sealer.load(join(options.dataDir, 'seal-key')),
      Workspace.open(options.workspace?.length ? options.workspace : [join(options.dataDir, 'workspace')]),
    ])
    this.store = store
    this.plugins = loaded
    this.pluginFaults = faults
    this.keyring = keyring
    this.createdKey = created
    this.#sealer = sealer
    this.workspace = workspace
    this.blobReader = blobReaderOf(store, options.blobSource)
    for (const { name, folder, reason } of faults) this.log.warn({ plugin: name, folder, reason }, 'plugin skipped')
    const { openJobs, checkpointSeq, folded } = await restoreState(store, this.state, this.#slicedPlugins())
    this.#checkpointSeq = checkpointSeq
    this.log.debug({ checkpointSeq, folded, openJobs: openJobs.length }, 'state folded')
    store.onHealth((health) => this.log.error({ ...health }, 'store health changed'))
    this.jobs = new Jobs(this)
    if (!options.withoutEngine) {
      this.engineHost = new EngineHost({
        instancesDir: join(options.dataDir, 'instances'),
        log: (level, message, fields) => this.log[level](fields, message),
      })
    }
    for (const { plugin, folder } of loaded) {
      try {
        await plugin.start?.(this)
      } catch (error) {
        const reason = `its start failed: ${error instanceof Error ? error.message : String(error)}`
        this.pluginFaults = [...this.pluginFaults, { name: plugin.name, folder, reason }]
        this.log.error({ plugin: plugin.name, folder, err: error }, 'plugin did not start')
      }
    }
    const { firstSeq } = store.log.append([
      {
        type: 'gateway.started',
        actor: systemActor.name,
        data: {
          version: this.version,
          node: process.version,
          plugins: Object.fromEntries(loaded.map(({ plugin }) => [plugin.name, plugin.version])),
        },
      },
    ])
    this.sessionSeq = firstSeq
    // Jobs that a crash left behind may need the instance before the first request does.
    if (openJobs.length > 0) this.#startInstance()
    await this.#takeUp(openJobs)
    store.log.onCommit(() => this.#checkpointIfDue())
  }

  #slicedPlugins() {
    return [{ name: 'core', slice: coreSlice }, ...this.plugins.map(({ plugin }) => plugin)]
  }

  /** Pending jobs are queued again in order; one that was running becomes Failed and none of its events is there. */
  async #takeUp(openJobs: readonly OpenJob[]) {
    for (const open of openJobs) {
      const operation = this.registry.operation(open.data.command)
      if (open.started) {
        this.jobs.failInterrupted(
          open,
          problem('job_interrupted', 'The gateway stopped while the job was running. None of its changes were kept.'),
        )
      } else if (!operation) {
        this.jobs.failInterrupted(
          open,
          problem('not_available', `Operation ${open.data.command} is not loaded any more.`),
        )
      } else {
        try {
          const { input, logged } = await this.openInput(operation, open.data)
          const access = (accessLevels as readonly string[]).includes(open.data.access)
            ? (open.data.access as Access)
            : 'viewer'
          this.jobs.resubmit(open, operation, input, logged, { name: open.actor, access })
        } catch (error) {
          this.jobs.failInterrupted(open, this.asProblem(error, operation.id, open.jobId))
        }
      }
    }
  }

  /** The input of a job as it was written down (`logged`), and as the operation gets it: secrets unsealed. */
  async openInput(operation: Operation, { input, inputBlob }: Pick<AcceptedData, 'input' | 'inputBlob'>) {
    const logged = (inputBlob ? JSON.parse(await this.blobReader.text(inputBlob)) : (input ?? {})) as Record<
      string,
      unknown
    >
    const reader = compiledInput(operation) ?? (await compileInput(operation))
    if (!reader.hasSecrets) return { input: logged, logged }
    const opened = await mapSecrets(logged, reader.schema, (text, protection) =>
      protection === 'seal' ? this.#sealer.open(text) : text,
    )
    return { input: opened as Record<string, unknown>, logged }
  }

  /** The settings in force. */
  get settings(): Settings {
    const saved = this.state.read(settingsCollection).get(settingsKey)
    if (saved !== this.#settings.saved) this.#settings = { saved, read: readSettings(saved) }
    return this.#settings.read
  }

  extensions<T>(point: ExtensionPoint<T>): readonly T[] {
    return this.registry.extensions(point)
  }

  /**
   * Runs an operation for a caller: access check, name matching, validation, secrets, then the query, or the job.
   *
   * @param raw the body, or all parameters as one object
   * @throws GatewayError with a code of the problem table; a failed job throws its error
   */
  invoke(operation: Operation, raw: Record<string, unknown>, call: Call): Promise<Reply> {
    const reader = compiledInput(operation)
    if (!reader) return compileInput(operation).then(() => this.invoke(operation, raw, call))
    try {
      this.#requireAccess(operation, call.actor)
      const { dryRun, body, strings } = takeDryRun(operation, reader, raw, call)
      if (reader.uploads.length > 0) {
        return this.#takeUploads(reader, body, strings, call).then(({ input, staged }) =>
          this.#dispatch(operation, reader, input, call, dryRun, staged),
        )
      }
      return this.#dispatch(operation, reader, reader.read(body, strings), call, dryRun, undefined)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #dispatch(
    operation: Operation,
    reader: InputReader,
    input: Record<string, unknown>,
    call: Call,
    dryRun: boolean,
    staged: readonly StagedBlob[] | undefined,
  ): Promise<Reply> {
    if (operation.kind === 'stream') {
      throw problem(
        'not_available',
        `Operation ${operation.id} is a stream; open it with GET ${operation.http[0]?.path ?? ''}.`,
      )
    }
    if (operation.kind === 'query' && call.mode !== 'async') return this.#query(operation, input, call)
    return this.#command(operation, reader, input, call, dryRun, staged)
  }

  /** An id that ties a request, its log line, its job and its records together: unique, and short, because every record of a call has it. */
  newCorrelationId(): string {
    return `${this.#run}-${(++this.#requests).toString(36)}`
  }

  /** Opens a stream of server-sent events. */
  async open(operation: Stream, raw: Record<string, unknown>, call: Call) {
    this.#requireAccess(operation as unknown as Operation, call.actor)
    const reader = await compileInput(operation as unknown as Operation)
    const input = reader.read(raw, call.strings)
    return operation.run(
      input,
      new RunningQuery(this, call.actor, call.correlationId ?? this.newCorrelationId(), call.signal),
    )
  }

  #requireAccess(operation: Operation, actor: Actor) {
    const needed = accessOf(operation)
    if (needed !== 'public' && accessLevels.indexOf(actor.access) < accessLevels.indexOf(needed)) {
      throw problem(
        'forbidden',
        `Operation ${operation.id} needs access level "${needed}"; this key has "${actor.access}".`,
      )
    }
  }

  async #query(operation: Operation & { kind: 'query' }, input: Record<string, unknown>, call: Call): Promise<Reply> {
    const correlationId = call.correlationId ?? this.newCorrelationId()
    const ctx = new RunningQuery(this, call.actor, correlationId, call.signal)
    try {
      if (operation.needsInstance) this.requireInstance()
      const hooks = this.registry.hooksOf(operation as unknown as Operation)
      for (const { before } of hooks) if (before) await before(input, ctx, operation as unknown as Operation)
      let value: unknown = operation.run(input, ctx)
      const seen = this.jobs.lastMergedSeq
      if (value instanceof Promise) value = await value
      for (const { after } of hooks) if (after) await after(input, value, ctx, operation as unknown as Operation)
      if (this.options.checkOutputs) await assertOutput(operation as unknown as Operation, value)
      // No answer leaves before everything it saw is durable (DESIGN 3).
      const last = Math.max(seen, this.jobs.lastMergedSeq)
      if (last > this.store.log.durableSeq) await this.store.log.durable(last)
      this.#served(operation as unknown as Operation, input, call, correlationId)
      const etag = operation.live ? undefined : this.#etag(ctx)
      return etag ? { kind: 'result', value, etag } : { kind: 'result', value }
    } catch (error) {
      const failure = this.asProblem(error, operation.id, correlationId)
      this.#served(operation as unknown as Operation, input, call, correlationId, failure.code)
      throw failure
    }
  }

  #etag(ctx: RunningQuery): string | undefined {
    if (ctx.collectionsRead.size === 0) return undefined
    let versions = ''
    for (const collection of ctx.collectionsRead) versions += `.${this.state.version(collection).toString(36)}`
    return `W/"${this.#run}${versions}"`
  }

  #served(operation: Operation, input: Record<string, unknown>, call: Call, correlationId: string, code?: string) {
    this.store.log.appendLazy({
      type: 'query.served',
      actor: call.actor.name,
      correlationId,
      data: {
        operation: operation.id,
        ...(isLarge(input, 4096) ? { inputOmitted: true } : { input }),
        ...(code ? { code } : {}),
      },
    })
  }

  async #command(
    operation: Operation,
    reader: InputReader,
    input: Record<string, unknown>,
    call: Call,
    dryRun: boolean,
    staged: readonly StagedBlob[] | undefined,
  ): Promise<Reply> {
    const correlationId = call.correlationId ?? this.newCorrelationId()
    let runInput = input
    let loggedInput: unknown
    if (reader.hasSecrets) {
      loggedInput = await mapSecrets(input, reader.schema, async (secret, protection) =>
        protection === 'seal' ? this.#sealer.seal(secret) : (await import('./secrets.ts')).hashSecret(secret),
      )
      // A hashed field reaches the command as its hash, so that what runs now and what a restart runs is the same.
      runInput = (await mapSecrets(loggedInput, reader.schema, (text, protection) =>
        protection === 'seal' ? this.#sealer.open(text) : text,
      )) as Record<string, unknown>
    }
    const { idempotencyKey } = call
    let inputHash: string | undefined
    if (idempotencyKey !== undefined) {
      inputHash = this.#sealer.mac(JSON.stringify([operation.id, input, dryRun]))
      const earlier = await this.jobs.byIdempotencyKey(call.actor.name, idempotencyKey)
      if (earlier) return this.#again(earlier, inputHash, idempotencyKey, call)
    }
    let blobs = staged
    let inputBlob: string | undefined
    if (isLarge(loggedInput ?? input, inlineLimit)) {
      const blob = await this.store.blobs.stage(JSON.stringify(loggedInput ?? input))
      blobs = [...(blobs ?? []), blob]
      inputBlob = blob.hash
    }
    // Field by field: this runs for every command.
    const options: { -readonly [K in keyof SubmitOptions]: SubmitOptions[K] } = { actor: call.actor, correlationId }
    if (dryRun) options.dryRun = true
    if (loggedInput !== undefined) options.loggedInput = loggedInput
    if (inputBlob) options.inputBlob = inputBlob
    if (blobs) options.blobs = blobs
    if (idempotencyKey !== undefined) {
      // The same key may have come while this request waited above.
      const raced = this.jobs.recentByIdempotencyKey(call.actor.name, idempotencyKey)
      if (raced) return this.#again(raced, inputHash!, idempotencyKey, call)
      options.idempotencyKey = idempotencyKey
      options.inputHash = inputHash!
    }
    let job: ActiveJob
    try {
      job = this.jobs.submit(operation, runInput, options)
    } catch (error) {
      throw this.asProblem(error, operation.id, correlationId)
    }
    if (call.mode === 'async') {
      await this.store.log.durable(job.acceptedSeq).catch((error) => {
        throw this.asProblem(error, operation.id, correlationId)
      })
      return { kind: 'job', jobId: job.jobId, job }
    }
    const outcome = await job.settled
    if (!outcome.ok) throw withJobId(outcome.error, job.jobId)
    return { kind: 'result', value: outcome.result, job }
  }

  /** The same Idempotency-Key again: the same job. */
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
    const active = this.jobs.peek(earlier.jobId)
    if (call.mode === 'async') return { kind: 'job', jobId: earlier.jobId, ...(active ? { job: active } : {}) }
    if (active) {
      const outcome = await active.settled
      if (!outcome.ok) throw withJobId(outcome.error, active.jobId)
      return { kind: 'result', value: outcome.result, job: active }
    }
    const job = await this.jobs.find(earlier.jobId)
    if (job?.status === 'Completed') return { kind: 'result', value: job.result }
    throw job?.error
      ? withJobId(
          new GatewayError(job.error.code, job.error.detail, job.error.errors ? { errors: job.error.errors } : {}),
          earlier.jobId,
        )
      : problem('request_cancelled', `Job ${earlier.jobId} was cancelled.`)
  }

  /** Uploads of JSON clients (`content`, `contentBase64`) become blobs, as multipart parts already are. */
  async #takeUploads(reader: InputReader, body: Record<string, unknown>, strings: Call['strings'], call: Call) {
    const staged: StagedBlob[] = [...(call.staged ?? [])]
    const raw = { ...body }
    for (const key of Object.keys(raw)) {
      if (!reader.uploads.some((name) => name.toLowerCase() === key.toLowerCase())) continue
      const value = raw[key] as {
        fileName?: unknown
        content?: unknown
        contentBase64?: unknown
        blob?: unknown
      } | null
      if (value === null || typeof value !== 'object') continue
      const bytes =
        typeof value.content === 'string'
          ? Buffer.from(value.content, 'utf8')
          : typeof value.contentBase64 === 'string'
            ? Buffer.from(value.contentBase64, 'base64')
            : undefined
      if (bytes) {
        const limit = this.settings.limits.uploadBytes
        if (bytes.length > limit)
          throw problem('payload_too_large', `"${key}" has ${bytes.length} bytes; limits.uploadBytes is ${limit}.`)
        const blob = await this.store.blobs.stage(bytes)
        staged.push(blob)
        raw[key] = { fileName: value.fileName ?? key, blob: blob.hash, size: blob.size }
      } else if (
        typeof value.blob === 'string' &&
        !staged.some((s) => s.hash === value.blob) &&
        !(await this.blobReader.has(value.blob))
      ) {
        throw problem('invalid_input', `/${key}: there is no blob ${value.blob}.`)
      }
    }
    return { input: reader.read(raw, strings), staged }
  }

  /** @throws GatewayError `no_instance` */
  requireInstance() {
    if (this.options.withoutEngine) return
    if (!this.engineHost?.attached && !this.engineHost?.connecting && !this.#startingInstance) {
      throw problem(
        'no_instance',
        'Portal instance is not available: the gateway is not connected to one. Launch or attach an instance.',
      )
    }
  }

  /** Runs CPU-heavy work in the engineering instance. Without an engine (replay) in this process. */
  async runOnEngine<O>(task: EngineTask, options: EngineRunOptions = {}): Promise<O> {
    if (this.options.withoutEngine || !this.engineHost) {
      const module = (await import(task.module)) as Record<string, (input: unknown, api: unknown) => O | Promise<O>>
      const api = { progress: options.onProgress ?? (() => {}), signal: options.signal ?? new AbortController().signal }
      return module[task.fn]!(structuredClone(task.input), api)
    }
    await this.#startingInstance
    this.requireInstance()
    return this.engineHost.run<O>(task, options)
  }

  /** Any error as one of the problem table. What is not expected is logged with its stack and answered without it. */
  readonly asProblem = (error: unknown, operationId: string, correlationId: string): GatewayError => {
    if (isGatewayError(error)) return error
    if (isStoreError(error)) {
      const code =
        error.code === 'store_corrupt' || error.code === 'store_truncated' || error.code === 'blob_corrupt'
          ? 'log_corrupt'
          : 'log_unavailable'
      return problem(error.code === 'blob_missing' ? 'gone' : code, error.message, { cause: error })
    }
    if (isEngineError(error)) {
      if (error.kind === 'cancelled') return problem('request_cancelled', error.message, { cause: error })
      if (error.kind === 'engine_not_attached') return problem('no_instance', error.message, { cause: error })
      // A task that throws a problem arrives above as a GatewayError; anything else it throws is a fault of the task.
      if (error.kind !== 'engine_task_failed') return problem('engine_failed', error.message, { cause: error })
    }
    if (error instanceof Error && error.name === 'AbortError')
      return problem('request_cancelled', 'The job was cancelled.', { cause: error })
    this.log.error({ operation: operationId, correlationId, err: error }, 'operation failed unexpectedly')
    return problem(
      'internal_error',
      `Operation ${operationId} failed unexpectedly (correlation id ${correlationId}).`,
      { cause: error },
    )
  }

  /** The wire form of an error. */
  readonly toProblem = (error: GatewayError, jobId?: string): Problem => {
    const definition = this.registry.problems.get(error.code)
    const { errors, suggestion, extra } = error.details
    return {
      type: `/api/errors/${error.code}`,
      title: definition?.title ?? error.code,
      status: definition?.status ?? 500,
      detail: error.message,
      code: error.code,
      ...(jobId === undefined ? {} : { jobId }),
      ...(errors ? { errors } : {}),
      ...(suggestion === undefined ? {} : { suggestion }),
      ...extra,
    }
  }

  /** Calls the listener with every durable record, in order. Returns the function that stops it. */
  onRecords(listener: (records: readonly LogRecord[]) => void): () => void {
    return this.store.log.onCommit(listener)
  }

  #checkpointIfDue() {
    const every = this.options.checkpointEvery ?? 50_000
    if (this.store.log.durableSeq - this.#checkpointSeq < every || this.#checkpointing) return
    this.#checkpointing = this.checkpoint()
      .catch((error) => this.log.warn({ err: error }, 'checkpoint failed'))
      .finally(() => {
        this.#checkpointing = undefined
      })
  }

  /** Writes a checkpoint of the state as it is now. */
  async checkpoint(): Promise<void> {
    const { log } = this.store
    const seq = log.headSeq
    const snapshot = this.state.snapshot()
    const open = this.jobs.open.map(
      (job): OpenJob => ({
        jobId: job.jobId,
        seq: job.acceptedSeq,
        time: job.createdAt,
        actor: job.actor.name,
        correlationId: job.correlationId,
        data: {
          command: job.operation.id,
          access: job.actor.access,
          input: job.options.loggedInput ?? job.input,
          ...(job.dryRun ? { dryRun: true } : {}),
        },
        started: job.started,
      }),
    )
    await log.durable(seq)
    await writeCheckpoint(this.store, seq, snapshot, this.#slicedPlugins(), open)
    this.#checkpointSeq = seq
  }

  /** After the gateway answers: launches the engineering instance, and looks through the whole log for damage, slowly. */
  startBackground() {
    this.#startInstance()
    // The first request with an input should not be the one that waits for the schema library and the validator.
    setTimeout(() => void warmUp(), 50).unref()
    this.store
      .verifyInBackground(this.#scrub.signal)
      .catch((error) => this.log.error({ err: error }, 'verification of the log stopped'))
  }

  #startInstance() {
    if (
      !this.engineHost ||
      !this.settings.engineering.launchInstance ||
      this.#startingInstance ||
      this.engineHost.attached
    )
      return
    this.#startingInstance = this.#attachOrLaunch(this.engineHost)
      .then((instance) => this.log.info({ pid: instance.pid }, 'engineering instance attached'))
      .catch((error) => this.log.warn({ err: error }, 'no engineering instance could be launched'))
      .finally(() => {
        this.#startingInstance = undefined
      })
  }

  /** An instance that a killed gateway left behind is taken over. */
  async #attachOrLaunch(host: EngineHost) {
    const free = (await host.list()).find((instance) => !instance.attached)
    return free ? host.attach(free.pid).catch(() => host.launch()) : host.launch()
  }

  /**
   * Graceful end: the running job finishes within the grace or is cancelled, waiting jobs stay pending for the next start, a checkpoint is
   * written and the log is closed.
   */
  close(graceMs = 10_000): Promise<void> {
    this.#closed ??= this.#close(graceMs)
    return this.#closed
  }

  async #close(graceMs: number) {
    this.#scrub.abort()
    await this.jobs.close(graceMs)
    for (const { plugin } of [...this.plugins].reverse()) {
      await Promise.resolve(plugin.stop?.(this)).catch((error) =>
        this.log.warn({ err: error, plugin: plugin.name }, 'plugin did not stop'),
      )
    }
    await this.engineHost?.close().catch((error) => this.log.warn({ err: error }, 'engineering instance did not close'))
    await this.#checkpointing
    if (this.store.health.state === 'ok') {
      this.store.log.append([
        { type: 'gateway.stopped', actor: systemActor.name, data: { uptimeMs: this.clock() - this.startedAt } },
      ])
      await this.checkpoint().catch((error) => this.log.warn({ err: error }, 'no checkpoint at shutdown'))
    }
    await this.store.close()
  }

  /** How long this process has served, and since when. */
  get uptime() {
    return { startedAt: iso(this.startedAt), uptimeMs: this.clock() - this.startedAt }
  }
}

/** The store's content, and what it does not have from elsewhere. */
function blobReaderOf({ blobs }: Store, source: GatewayOptions['blobSource']): BlobReader {
  const get = async (hash: string) => {
    if (source && !(await blobs.has(hash))) return source.get(hash)
    return blobs.get(hash)
  }
  return {
    get: source ? get : (hash) => blobs.get(hash),
    text: async (hash) => (await get(hash)).toString('utf8'),
    has: async (hash) =>
      (await blobs.has(hash)) ||
      (source !== undefined &&
        (await source.get(hash).then(
          () => true,
          () => false,
        ))),
  }
}

/** An error keeps its text; the job it ended is told beside it. */
function withJobId(error: GatewayError, jobId: string): GatewayError {
  return new GatewayError(error.code, error.message, {
    ...error.details,
    extra: { ...error.details.extra, jobId },
    cause: error.cause,
  })
}

/** `dryRun` is a parameter of every command, in the body or the query; it is taken out before the schema check. */
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
