/**
 * The gateway: store, state, plugins, jobs and engine put together. It knows nothing of HTTP or MCP; these are adapters
 * over `invoke`.
 */

import { join } from 'node:path'
import { ticks } from '../lib/steady-clock.ts'
import { within } from '../lib/within.ts'
import type { Store } from '../store/index.ts'
import { isStoreError, openStore } from '../store/index.ts'
import { Keyring } from './access/keys.ts'
import { mapSecrets, Sealer } from './access/secrets.ts'
import { coreSlice, readSettings, type Settings, settingsCollection, settingsKey } from './access/settings.ts'
import { noOverride, type SettingsOverride, withOverride } from './access/settings-override.ts'
import { Past } from './audit/past.ts'
import { blobReaderOf } from './calls/blob-reader.ts'
import { type Actor, applicationOf, systemActor } from './contract/access.ts'
import { Bus } from './contract/bus.ts'
import type { BlobReader } from './contract/context.ts'
import type { ExtensionPoint } from './contract/extension-point.ts'
import type { Logger } from './contract/logger.ts'
import type { Operation, Stream } from './contract/operation.ts'
import type { Plugin } from './contract/plugin.ts'
import { type GatewayError, type Problem, problem } from './contract/problems.ts'
import type { EngineHost, EngineRunOptions, EngineTask } from './engine/index.ts'
import { prepareDataDir, sealKeyFile, setAside } from './files/data-dir.ts'
import { Workspace } from './files/files.ts'
import { compileInput, warmUp } from './input/validation.ts'
import { type Call, Dispatcher, type Reply } from './jobs/dispatcher.ts'
import { expectedProblem, wireProblem } from './jobs/failure.ts'
import { Jobs } from './jobs/jobs.ts'
import { LogResume } from './jobs/log-resume.ts'
import { takeUp } from './jobs/take-up.ts'
import type { ActiveJob } from './log/active-job.ts'
import { type AcceptedData, iso, termsOf } from './log/job.ts'
import { jobCodec } from './log/job-codec.ts'
import { contributionFaults } from './plugins/contribution-check.ts'
import { listen } from './plugins/plugin-listeners.ts'
import {
  isThrownBy,
  type LoadedPlugin,
  loadPlugins,
  longestLoadMs,
  type PluginFault,
  reasonOf,
  registerSlice,
} from './plugins/plugin-loader.ts'
import { Registry } from './plugins/registry.ts'
import { ClockWatch } from './process/clock-watch.ts'
import { Engineering } from './process/engineering.ts'
import { type IncompleteEvent, restoreState } from './state/checkpoint.ts'
import { Checkpointer } from './state/checkpointer.ts'
import { State } from './state/state.ts'

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
  /** Jobs that an earlier run left stay pending. */
  readonly holdJobs?: boolean
  /** How long the start of a plugin may take, ms. */
  readonly pluginStartMs?: number
  /** How long a cancelled job may take to stop, ms. */
  readonly cancelGraceMs?: number
  /** Time between two tries to write again after a full disk, ms. */
  readonly resumeEveryMs?: number
  /** Begin an empty log even though the data directory has the keys of an earlier one. */
  readonly newLog?: boolean
  readonly apiKey?: string
  readonly log?: Logger
  /** `startNotes` are shown to a person: in the log they are no warnings, which would tell the same a second time. */
  readonly showsNotes?: boolean
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  /** Milliseconds of a clock that nobody sets, for durations; with a `clock` of its own, that one. */
  readonly ticks?: () => number
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

declare module './contract/context.ts' {
  interface GatewayHandle extends Gateway {}
}

export class Gateway {
  readonly bus = new Bus()
  readonly registry = new Registry()
  readonly state = new State()
  /** Answers on earlier states. */
  readonly past = new Past(this)
  readonly startedAt: number
  readonly clock: () => number
  /** For durations: {@link GatewayOptions.ticks}. */
  readonly ticks: () => number
  readonly #startedTicks: number
  readonly log: Logger
  readonly version: string
  readonly dataDir: string
  readonly options: GatewayOptions
  /** Seq of this run's `gateway.started` record. */
  sessionSeq = 0
  store!: Store
  jobs!: Jobs
  clockWatch!: ClockWatch
  workspace!: Workspace
  keyring!: Keyring
  /** The API key, if it was made at this start: to be shown once. */
  createdKey: string | undefined
  /** What was mended in the data directory at this start. */
  startNotes: readonly string[] = []
  /**
   * The damage found in the log, and where. Once set, only operations with `whenDamaged` are served until a restart.
   */
  damage: string | undefined
  plugins: readonly LoadedPlugin[] = []
  pluginFaults: readonly PluginFault[] = []
  blobReader!: BlobReader
  #sealer!: Sealer
  #dispatcher!: Dispatcher
  /** Ends the process that serves it, in order; set by who runs it as one, and undefined in tests and replays. */
  endProcess: (() => void) | undefined
  /** Settings that the environment gives. */
  settingsOverride: SettingsOverride = noOverride
  #settings: { saved: Settings | undefined; override: SettingsOverride; read: Settings } | undefined
  #checkpointer!: Checkpointer
  #resume!: LogResume
  readonly #engineering: Engineering
  #closed: Promise<void> | undefined
  #scrub = new AbortController()

  private constructor(options: GatewayOptions) {
    this.options = options
    this.clock = options.clock ?? Date.now
    this.ticks = options.ticks ?? options.clock ?? ticks
    this.#startedTicks = this.ticks()
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
    try {
      await gateway.#open()
    } catch (error) {
      // Absent when the store itself could not be opened.
      await (gateway.store as Store | undefined)?.close()
      throw error
    }
    return gateway
  }

  async #open() {
    const { options } = this
    const { isUsed, notes: mended } = await prepareDataDir(options.dataDir)
    const notes = [...mended]
    registerSlice({ name: 'core', slice: coreSlice }, this.state)
    for (const plugin of options.corePlugins ?? []) this.registry.add(plugin)
    // Before the store: what is refused here leaves no store half open.
    const workspace = await Workspace.open(
      options.workspace?.length ? options.workspace : [join(options.dataDir, 'workspace')],
    )
    const [store, { loaded, faults }] = await Promise.all([
      this.#openStore(isUsed).then((opened) => {
        this.store = opened
        return opened
      }),
      loadPlugins(options.pluginDirs, this.registry, this.state),
    ])
    // Now all points are known, those that plugins contribute to as the core's own ones do.
    for (const plugin of options.corePlugins ?? []) {
      const [fault] = contributionFaults(plugin, this.registry.points, (name) => ` No plugin "${name}" is there.`)
      if (fault !== undefined) throw new Error(`plugin "${plugin.name}": ${fault}`)
    }
    // After the store, because they are the sign that there is one.
    const { sealer, created: isNewSealer } = await Sealer.load(join(options.dataDir, sealKeyFile))
    const { keyring, created } = await Keyring.open({
      dataDir: options.dataDir,
      digest: (secret) => sealer.digest(secret),
      fromEnvironment: options.apiKey,
    })
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
    if (detail !== undefined) notes.push(detail)
    if (isNewSealer && store.log.headSeq > 0)
      notes.push(
        `the file ${sealKeyFile} was missing; a new one is made, and named API keys and stored passwords must be entered again`,
      )
    const level = options.showsNotes ? 'debug' : 'warn'
    for (const note of notes) this.log[level]({ detail: note }, 'the data directory was made good')
    this.clockWatch = new ClockWatch(store, this.clock, this.log)
    this.startNotes = this.clockWatch.note === undefined ? notes : [...notes, this.clockWatch.note]
    const restored = await restoreState(store, this.state, this.#slicedPlugins())
    const { openJobs, checkpointSeq, folded, incompleteCount, incomplete } = restored
    this.log.debug({ checkpointSeq, folded, openJobs: openJobs.length }, 'state folded')
    if (incompleteCount > 0) this.#noteIncomplete(incompleteCount, incomplete)
    store.onHealth((health) => this.bus.emit('health', health))
    store.log.onCommit((records) => this.bus.emit('records', records))
    this.#resume = new LogResume(this, options.resumeEveryMs)
    this.bus.on('health', (health) => {
      this.log[health.state === 'closed' ? 'debug' : health.state === 'ok' ? 'info' : 'error'](
        { ...health },
        'store health changed',
      )
      if (health.state === 'corrupt') this.damage = health.detail ?? 'it does not verify'
    })
    this.jobs = new Jobs(this)
    for (const plugin of this.registry.plugins) listen(plugin, this.bus)
    for (const each of loaded) await this.#startPlugin(each)
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
    await takeUp(this, openJobs)
    this.#checkpointer = new Checkpointer(this, this.#slicedPlugins(), checkpointSeq, options.checkpointEvery ?? 50_000)
  }

  /** The state is not what it was: records are lost that it was made of. */
  #noteIncomplete(count: number, events: readonly IncompleteEvent[]) {
    const first = events
      .slice(0, 3)
      .map(({ seq, type, entity, reason }) => `${seq} ${type} ${entity ?? ''} (${reason})`)
    const note = `${count} changes after lost records could not be made completely: ${first.join('; ')}${count > 3 ? ' …' : ''}`
    this.log.warn({ count, events: events.slice(0, 100) }, note)
    this.startNotes = [...this.startNotes, note]
  }

  /** A plugin whose start fails or never ends keeps its operations; it is named, and the gateway goes on. */
  async #startPlugin({ plugin, folder }: LoadedPlugin) {
    const limitMs = this.options.pluginStartMs ?? longestLoadMs
    try {
      const starting = Promise.resolve(plugin.start?.(this)).then(() => true)
      if (!(await within(starting, limitMs)))
        throw new Error(`it has not ended after ${limitMs} ms: does it await what never comes?`)
    } catch (error) {
      const reason = `its start failed: ${error instanceof Error ? error.message : String(error)}`
      this.pluginFaults = [...this.pluginFaults, { name: plugin.name, folder, reason }]
      this.log.error({ plugin: plugin.name, folder, err: error }, 'plugin did not start')
    }
  }

  /**
   * The plugin that threw an error which nobody caught (in a timer, or a promise of its own), also one that was
   * skipped: its code may have begun to run. The first such error of a loaded one is kept among the faults of plugins.
   * @returns the plugin's name; undefined when the error does not come from a plugin's own code
   */
  blame(error: unknown): string | undefined {
    const guilty = this.plugins.find(({ folder }) => isThrownBy(error, folder))
    if (!guilty) return this.pluginFaults.find(({ folder }) => isThrownBy(error, folder))?.name
    const { folder, plugin } = guilty
    const reason = `it threw where nobody catches it: ${reasonOf(error, folder)}`
    if (!this.pluginFaults.some((fault) => fault.folder === folder))
      this.pluginFaults = [...this.pluginFaults, { name: plugin.name, folder, reason }]
    return plugin.name
  }

  /** The store; of a data directory that was used before only an existing one, unless a new log is wanted. */
  async #openStore(isUsed: boolean): Promise<Store> {
    const { dataDir, durability = 'fsync', clock, newLog } = this.options
    const dir = join(dataDir, 'store')
    const options = { dir, durability, terms: termsOf, codec: jobCodec, ...(clock ? { now: clock } : {}) }
    try {
      return await openStore({ ...options, create: !isUsed })
    } catch (error) {
      if (!isStoreError(error) || error.code !== 'store_missing' || newLog !== true) throw error
      await setAside(dir, this.clock())
      return openStore(options)
    }
  }

  #slicedPlugins() {
    return [{ name: 'core', slice: coreSlice }, ...this.plugins.map(({ plugin }) => plugin)]
  }

  /** The input of a job as it was recorded (`logged`), and as the operation gets it: with secrets unsealed. */
  async openInput(operation: Operation, { input, inputBlob }: Pick<AcceptedData, 'input' | 'inputBlob'>) {
    const logged = (inputBlob ? JSON.parse(await this.blobReader.text(inputBlob)) : (input ?? {})) as Record<
      string,
      unknown
    >
    const reader = await compileInput(operation)
    if (!reader.hasSecrets) return { input: logged, logged }
    const opened = await mapSecrets(logged, reader.schema, (text, how) => this.#sealer.unprotect(text, how))
    return { input: opened as Record<string, unknown>, logged }
  }

  /** An input with its secrets as the operation gets them: hashed, digested or sealed where its schema says so. */
  async protectInput(operation: Operation, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    const reader = await compileInput(operation)
    if (!reader.hasSecrets) return input
    const kept = await mapSecrets(input, reader.schema, async (secret, how) =>
      this.#sealer.unprotect(await this.#sealer.protect(secret, how), how),
    )
    return kept as Record<string, unknown>
  }

  /** The settings in force. */
  get settings(): Settings {
    const saved = this.state.read(settingsCollection).get(settingsKey)
    const override = this.settingsOverride
    if (this.#settings === undefined || saved !== this.#settings.saved || override !== this.#settings.override)
      this.#settings = { saved, override, read: withOverride(readSettings(saved), override) }
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

  /** Encrypts a text under the key of the data directory; the audit shows such a text as "(secret)". */
  seal(text: string): string {
    return this.#sealer.seal(text)
  }

  /**
   * The text that was sealed, or that a `keep-sealed` field has.
   * @throws Error when it was sealed under another key
   */
  unseal(sealed: string): string {
    return this.#sealer.open(sealed)
  }

  /** @throws GatewayError `forbidden` when the caller may not call the operation */
  requireAccess(operation: Operation, actor: Actor) {
    this.#dispatcher.requireAccess(operation, actor)
  }

  /** Opens a stream of server-sent events. */
  open(operation: Stream, raw: Record<string, unknown>, call: Call) {
    return this.#dispatcher.open(operation, raw, call)
  }

  /** An id that connects a request, its log line, its job and its records. */
  newCorrelationId(): string {
    return this.#dispatcher.newCorrelationId()
  }

  /** Records in the audit that a request was refused before it reached an operation. */
  refused(error: unknown, what: { readonly request: string; readonly address?: string }, actor: Actor | undefined) {
    this.#dispatcher.refused(error, what, actor)
  }

  /** The error of a job that has failed, as the answer to the call that waited for it: with the id of the job. */
  readonly failureOf = (job: ActiveJob, error: GatewayError) => this.#dispatcher.failureOf(job, error)

  /**
   * @throws GatewayError `no_instance`; `forbidden` when the whitelist of the scripting interface is on and the
   * caller's application is not on it
   */
  requireInstance({ name }: Actor) {
    const { enforceWhitelist, whitelist } = this.settings.security
    const application = applicationOf(name)
    if (enforceWhitelist && name !== systemActor.name && !(application && whitelist.includes(application)))
      throw problem(
        'forbidden',
        application === undefined
          ? 'The scripting interface is open to applications on its whitelist only, and the request names none (X-Client-Id).'
          : `Application "${application}" is not on the whitelist of the scripting interface.`,
        { suggestion: 'An administrator adds it: POST /api/eng/firewall/whitelist { "application": "…" }' },
      )
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

  /**
   * Writes the records of calls that wait for a batch; resolves when all that was recorded so far is durable.
   * @throws StoreError when it cannot be written
   */
  async flushRecords(): Promise<void> {
    this.#dispatcher.flush()
    await this.store.log.flush()
  }

  async #close(graceMs: number) {
    this.#scrub.abort()
    this.#engineering.expectEnd()
    await this.#resume.close()
    await this.jobs.close(graceMs)
    this.#dispatcher.flush()
    for (const { plugin } of [...this.plugins].reverse()) {
      const stopping = Promise.resolve(plugin.stop?.(this)).then(() => true)
      const stopped = await within(stopping, longestLoadMs).catch((err) => {
        this.log.warn({ err, plugin: plugin.name }, 'plugin did not stop')
        return true
      })
      if (!stopped) this.log.warn({ plugin: plugin.name }, `plugin did not stop within ${longestLoadMs} ms`)
    }
    await this.#engineering.close()
    await this.#checkpointer.idle
    if (this.store.health.state === 'ok') {
      this.store.log.append([
        { type: 'gateway.stopped', actor: systemActor.name, data: { uptimeMs: this.uptime.uptimeMs } },
      ])
      await this.#checkpointer.write().catch((error) => this.log.warn({ err: error }, 'no checkpoint at shutdown'))
    }
    await this.store.close()
  }

  /** How long this process has been serving, and since when. */
  get uptime() {
    return { startedAt: iso(this.startedAt), uptimeMs: Math.round(this.ticks() - this.#startedTicks) }
  }
}
