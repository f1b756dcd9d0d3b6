/**
 * The gateway: store, state, plugins, jobs and engine put together. It knows nothing of HTTP or MCP; these are adapters
 * over `invoke`.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../store/index.ts'
import { openStore } from '../store/index.ts'
import { type Access, accessLevels, systemActor } from './access.ts'
import type { OpenJob } from './active-job.ts'
import { Bus } from './bus.ts'
import { restoreState } from './checkpoint.ts'
import { Checkpointer } from './checkpointer.ts'
import type { BlobReader } from './context.ts'
import { type Call, Dispatcher, type Reply } from './dispatcher.ts'
import type { EngineHost, EngineRunOptions, EngineTask } from './engine/index.ts'
import { Engineering } from './engineering.ts'
import type { ExtensionPoint } from './extension-point.ts'
import { expectedProblem, wireProblem } from './failure.ts'
import { Workspace } from './files.ts'
import { type AcceptedData, iso, termsOf } from './job.ts'
import { jobCodec } from './job-codec.ts'
import { Jobs } from './jobs.ts'
import { Keyring } from './keys.ts'
import type { Logger } from './logger.ts'
import type { Operation, Stream } from './operation.ts'
import type { Plugin } from './plugin.ts'
import { listen } from './plugin-listeners.ts'
import { type LoadedPlugin, loadPlugins, type PluginFault, registerSlice } from './plugin-loader.ts'
import { type GatewayError, type Problem, problem } from './problems.ts'
import { Registry } from './registry.ts'
import { mapSecrets, Sealer } from './secrets.ts'
import { coreSlice, readSettings, type Settings, settingsCollection, settingsKey } from './settings.ts'
import { State } from './state.ts'
import { compileInput, warmUp } from './validation.ts'

export interface GatewayOptions {
  readonly dataDir: string
  readonly version: string
  /** Directories of plugins: the built-in ones first. */
  readonly pluginDirs: readonly string[]
  /** Plugins of the adapters (docs, MCP): registered before those of the directories. */
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
  /** Records between checkpoints; more when a checkpoint takes long (see `CheckpointPace`). */
  readonly checkpointEvery?: number
  /** Replay and tests: no engineering instance is launched or looked for. */
  readonly withoutEngine?: boolean
  /** Replay: where blobs are read that this data directory does not have. */
  readonly blobSource?: Pick<BlobReader, 'get'>
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

declare module './context.ts' {
  interface GatewayHandle extends Gateway {}
}

export class Gateway {
  readonly bus = new Bus()
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
  /** The API key, if it was made at this start: to be shown once. */
  createdKey: string | undefined
  /**
   * The damage found in the log, and where. Once set, only operations with `whenDamaged` are served until a restart.
   */
  damage: string | undefined
  plugins: readonly LoadedPlugin[] = []
  pluginFaults: readonly PluginFault[] = []
  blobReader!: BlobReader
  #sealer!: Sealer
  #dispatcher!: Dispatcher
  #settings: { saved: Settings | undefined; read: Settings } = { saved: undefined, read: readSettings(undefined) }
  #checkpointer!: Checkpointer
  readonly #engineering: Engineering
  #closed: Promise<void> | undefined
  #scrub = new AbortController()

  private constructor(options: GatewayOptions) {
    this.options = options
    this.clock = options.clock ?? Date.now
    this.log = options.log ?? silent
    this.version = options.version
    this.dataDir = options.dataDir
    this.startedAt = this.clock()
    this.#engineering = new Engineering(
      options.dataDir,
      this.log,
      options.withoutEngine === true,
      () => this.settings.engineering.memoryLimitBytes,
    )
  }

  /**
   * Opens the data directory, loads the plugins, folds the state and resumes the jobs that a crash left behind.
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
        codec: jobCodec,
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
    this.#dispatcher = new Dispatcher(this, sealer)
    this.workspace = workspace
    this.blobReader = blobReaderOf(store, options.blobSource)
    for (const { name, folder, reason } of faults) this.log.warn({ plugin: name, folder, reason }, 'plugin skipped')
    // The store is healthy now, but a disk that has lost data may lose more.
    const { detail } = store.health
    if (detail !== undefined) this.log.warn({ detail }, 'the data directory was made good')
    const { openJobs, checkpointSeq, folded } = await restoreState(store, this.state, this.#slicedPlugins())
    this.log.debug({ checkpointSeq, folded, openJobs: openJobs.length }, 'state folded')
    store.onHealth((health) => this.bus.emit('health', health))
    store.log.onCommit((records) => this.bus.emit('records', records))
    this.bus.on('health', (health) => {
      this.log[health.state === 'closed' ? 'debug' : 'error']({ ...health }, 'store health changed')
      if (health.state === 'corrupt') this.damage = health.detail ?? 'it does not verify'
    })
    this.jobs = new Jobs(this)
    for (const plugin of this.registry.plugins) listen(plugin, this.bus)
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
    // Resumed jobs may need the instance before the first request does.
    if (openJobs.length > 0) this.#startInstance()
    await this.#takeUp(openJobs)
    this.#checkpointer = new Checkpointer(this, this.#slicedPlugins(), checkpointSeq, options.checkpointEvery ?? 50_000)
  }

  #slicedPlugins() {
    return [{ name: 'core', slice: coreSlice }, ...this.plugins.map(({ plugin }) => plugin)]
  }

  /**
   * Pending jobs are queued again in order. A job that was running becomes Failed; none of its events is in the log.
   */
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

  /** The input of a job as it was recorded (`logged`), and as the operation gets it: with secrets unsealed. */
  async openInput(operation: Operation, { input, inputBlob }: Pick<AcceptedData, 'input' | 'inputBlob'>) {
    const logged = (inputBlob ? JSON.parse(await this.blobReader.text(inputBlob)) : (input ?? {})) as Record<
      string,
      unknown
    >
    const reader = await compileInput(operation)
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
   * Runs an operation for a caller: see {@link Dispatcher.invoke}.
   *
   * @throws GatewayError with a code of the problem table; for a failed job, the error of the job
   */
  invoke(operation: Operation, raw: Record<string, unknown>, call: Call): Promise<Reply> {
    return this.#dispatcher.invoke(operation, raw, call)
  }

  /** Opens a stream of server-sent events. */
  open(operation: Stream, raw: Record<string, unknown>, call: Call) {
    return this.#dispatcher.open(operation, raw, call)
  }

  /** An id that connects a request, its log line, its job and its records. */
  newCorrelationId(): string {
    return this.#dispatcher.newCorrelationId()
  }

  /** @throws GatewayError `no_instance` */
  requireInstance() {
    this.#engineering.require()
  }

  /**
   * @throws GatewayError `log_corrupt` once damage was found: data that cannot be trusted is neither served nor used
   */
  requireSoundLog() {
    if (this.damage !== undefined) throw problem('log_corrupt', `The log is damaged: ${this.damage}`)
  }

  /** Runs CPU-heavy work in the engineering instance; in a gateway without an engine (replay), in this process. */
  runOnEngine<O>(task: EngineTask, options: EngineRunOptions = {}): Promise<O> {
    return this.#engineering.run<O>(task, options)
  }
  get engineHost(): EngineHost | undefined {
    return this.#engineering.host
  }

  /**
   * Turns any error into one of the problem table. An unexpected one is logged with its stack and answered without it.
   */
  readonly asProblem = (error: unknown, operationId: string, correlationId: string): GatewayError => {
    const expected = expectedProblem(error)
    if (expected) return expected
    this.log.error({ operation: operationId, correlationId, err: error }, 'operation failed unexpectedly')
    return problem(
      'internal_error',
      `Operation ${operationId} failed unexpectedly (correlation id ${correlationId}).`,
      { cause: error },
    )
  }

  /** The wire form of an error. */
  readonly toProblem = (error: GatewayError, jobId?: string): Problem =>
    wireProblem(error, this.registry.problems.get(error.code), jobId)

  /** Writes a checkpoint of the state as it is now. */
  async checkpoint(): Promise<void> {
    await this.#checkpointer.write()
    this.#checkpointer.archive()
  }

  /** Called once the gateway answers: launches the engineering instance and slowly checks the whole log for damage. */
  startBackground() {
    this.#startInstance()
    // Otherwise the first request with an input would wait for the schema library and the validator.
    setTimeout(() => void warmUp(), 50).unref()
    this.store.verifyInBackground(this.#scrub.signal).catch((error) => {
      if (!this.#scrub.signal.aborted) this.log.error({ err: error }, 'verification of the log stopped')
    })
  }

  #startInstance() {
    if (this.settings.engineering.launchInstance) this.#engineering.start()
  }

  /**
   * Shuts down: the running job finishes within the grace period or is cancelled, waiting jobs stay pending for the
   * next start, a checkpoint is written and the log is closed.
   */
  close(graceMs = 10_000): Promise<void> {
    this.#closed ??= this.#close(graceMs)
    return this.#closed
  }

  async #close(graceMs: number) {
    this.#scrub.abort()
    this.#engineering.expectEnd()
    await this.jobs.close(graceMs)
    this.#dispatcher.flush()
    for (const { plugin } of [...this.plugins].reverse()) {
      await Promise.resolve(plugin.stop?.(this)).catch((error) =>
        this.log.warn({ err: error, plugin: plugin.name }, 'plugin did not stop'),
      )
    }
    await this.#engineering.close()
    await this.#checkpointer.idle
    if (this.store.health.state === 'ok') {
      this.store.log.append([
        { type: 'gateway.stopped', actor: systemActor.name, data: { uptimeMs: this.clock() - this.startedAt } },
      ])
      await this.#checkpointer.write().catch((error) => this.log.warn({ err: error }, 'no checkpoint at shutdown'))
    }
    await this.store.close()
  }

  /** How long this process has been serving, and since when. */
  get uptime() {
    return { startedAt: iso(this.startedAt), uptimeMs: this.clock() - this.startedAt }
  }
}

/** Reads from the store, and from `source` what the store does not have. */
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
