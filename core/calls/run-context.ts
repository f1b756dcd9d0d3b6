/** The contexts in which operations run. */
import type { NewRecord, StagedBlob } from '../../store/index.ts'
import type { Actor } from '../contract/access.ts'
import type { Collection, CollectionReader } from '../contract/collection.ts'
import type {
  BlobReader,
  BlobWriter,
  CallOperation,
  CallQuery,
  CommandContext,
  EngineRunner,
  FileReader,
  FileWriter,
  GatewayHandle,
  QueryContext,
} from '../contract/context.ts'
import type { DomainEvent } from '../contract/event.ts'
import type { ExtensionPoint } from '../contract/extension-point.ts'
import type { Operation } from '../contract/operation.ts'
import { problem } from '../contract/problems.ts'
import type { StreamEvent } from '../contract/stream-event.ts'
import type { EngineTask } from '../engine/index.ts'
import { type FileFacts, type FileSource, FileTransaction } from '../files/files.ts'
import type { Overlay, State } from '../state/state.ts'
import { callOf } from './inner-call.ts'

/** Shared by commands without events: a list is only made when there is something to put into it. */
const noRecords: readonly NewRecord[] = []
const noBlobs: readonly StagedBlob[] = []

const neverAborted = new AbortController().signal

/** The context of a query; remembers which collections it read, for the ETag. */
export class RunningQuery implements QueryContext {
  readonly gateway: GatewayHandle
  readonly actor: Actor
  readonly correlationId: string
  readonly now: number
  readonly signal: AbortSignal
  readonly progress: QueryContext['progress']
  group: string | undefined
  readonly collectionsRead = new Set<Collection<unknown>>()
  readonly warnings: string[] = []
  /** The query is live, or what it answers stays inside of the gateway. */
  isLive = true

  constructor(
    gateway: GatewayHandle,
    actor: Actor,
    correlationId: string,
    signal: AbortSignal = neverAborted,
    progress: QueryContext['progress'] = () => {},
  ) {
    this.gateway = gateway
    this.actor = actor
    this.correlationId = correlationId
    this.now = gateway.clock()
    this.signal = signal
    this.progress = progress
  }

  read<T>(collection: Collection<T>): CollectionReader<T> {
    this.collectionsRead.add(collection)
    return this.gateway.state.read(collection)
  }
  warn(warnings: readonly string[]) {
    for (const warning of warnings) this.warnings.push(warning)
  }
  get call(): CallQuery {
    return callOf({ ctx: this, isCommand: false, isLive: this.isLive, besideLane: false, depth: 0, spoil() {} })
  }
  get blobs(): BlobReader {
    return this.gateway.blobReader
  }
  get files(): FileReader {
    return this.gateway.workspace
  }
  get engine(): EngineRunner {
    return { run: <O>(task: EngineTask) => this.gateway.runOnEngine<O>(task, { signal: this.signal }) }
  }
  extensions<T>(point: ExtensionPoint<T>): readonly T[] {
    return this.gateway.extensions(point)
  }
}

/** The context of a query on the state of an earlier time. */
export class PastQuery extends RunningQuery {
  readonly #state: Pick<State, 'read'>

  constructor(state: Pick<State, 'read'>, ...rest: ConstructorParameters<typeof RunningQuery>) {
    super(...rest)
    this.#state = state
  }

  override read<T>(collection: Collection<T>): CollectionReader<T> {
    this.collectionsRead.add(collection)
    return this.#state.read(collection)
  }
}

/** The context of a command. It is made for every command, so what most commands do not use is made on first use. */
export class RunningCommand implements CommandContext {
  readonly gateway: GatewayHandle
  readonly actor: Actor
  readonly correlationId: string
  readonly now: number
  readonly group: string | undefined
  readonly jobId: string
  readonly dryRun: boolean
  readonly overlay: Overlay
  staged = noBlobs
  reads: FileFacts | undefined
  /** The lane went on without it. */
  isDiscarded = false
  /** The error of a called command that has failed and left changes: they cannot be kept, nor taken out again. */
  spoiledBy: unknown
  /** When it last emitted or reported progress, as `performance.now()`. */
  lastSignAt = performance.now()
  readonly #onProgress: (percent: number, message?: string) => void
  readonly #source: FileSource
  readonly #onEvent: ((event: StreamEvent) => void) | undefined
  #abort: AbortController | undefined
  #files: FileTransaction | undefined
  #blobs: BlobWriter | undefined
  readonly #operation: Operation
  #ids = 0
  #emitted: NewRecord[] | undefined

  constructor(
    gateway: GatewayHandle,
    job: {
      jobId: string
      operation: Operation
      actor: Actor
      correlationId: string
      dryRun: boolean
      onEvent?: ((event: StreamEvent) => void) | undefined
      options: { group?: string }
    },
    now: number,
    onProgress: (percent: number, message?: string) => void,
    source: FileSource = gateway.workspace,
  ) {
    this.gateway = gateway
    // An object of its own: a call of `gateway.invoke` with it comes from this command.
    this.actor = { ...job.actor }
    this.correlationId = job.correlationId
    this.#operation = job.operation
    this.jobId = job.jobId
    this.group = job.options.group
    this.dryRun = job.dryRun
    this.now = now
    this.overlay = gateway.state.overlay()
    this.#onProgress = onProgress
    this.#source = source
    this.#onEvent = job.onEvent
  }

  read<T>(collection: Collection<T>): CollectionReader<T> {
    return this.overlay.read(collection)
  }
  warn() {}
  send(event: StreamEvent) {
    this.#onEvent?.(event)
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    return this.#abort.signal
  }
  /** Cancels the command: `run` should stop when it next checks `signal`. */
  abort() {
    this.#abort ??= new AbortController()
    this.#abort.abort(problem('request_cancelled', `Job ${this.jobId} was cancelled.`))
  }
  /** The lane goes on without the command: whatever it does from now on has no effect. */
  discard() {
    this.isDiscarded = true
  }
  #requireKept() {
    if (this.isDiscarded) throw problem('job_not_stopped', `Job ${this.jobId} was given up; it has no more effect.`)
  }

  /** The events so far, as the records to append. */
  get emitted(): readonly NewRecord[] {
    return this.#emitted ?? noRecords
  }

  emit<T>({ type }: DomainEvent<T>, data: T, entity?: string) {
    this.#requireKept()
    this.lastSignAt = performance.now()
    const { jobId, correlationId, now: time } = this
    const actor = this.actor.name
    this.#emitted ??= []
    // Without a time: the log sets it together with the seq.
    this.#emitted.push({ type, jobId, actor, correlationId, entity, data })
    this.overlay.fold(data, { type, time, jobId, actor })
  }

  progress(percent: number, message?: string) {
    this.#requireKept()
    this.lastSignAt = performance.now()
    this.#onProgress(Math.min(100, Math.max(0, Math.round(percent))), message)
  }

  get call(): CallOperation {
    const operation = this.#operation
    return callOf({
      ctx: this,
      isCommand: operation.kind === 'command',
      isLive: operation.kind !== 'stream' && operation.live === true,
      besideLane: operation.besideLane === true,
      depth: 0,
      spoil: (error) => {
        this.spoiledBy ??= error
      },
    })
  }

  newId(): string {
    return `${this.jobId}.${++this.#ids}`
  }

  get files(): FileWriter {
    return this.fileTransaction()
  }
  fileTransaction(): FileTransaction {
    this.#requireKept()
    this.#files ??= new FileTransaction(this.#source, (hash) => this.blobs.get(hash), {
      content: async (path, content) => {
        this.fact(path, await this.blobs.put(content))
      },
      fact: (key, value) => this.fact(key, value),
    })
    return this.#files
  }
  fact(key: string, value: string) {
    this.reads ??= {}
    this.reads[key] = value
  }
  /** True when the command has staged file changes. */
  get touchesFiles(): boolean {
    return this.#files !== undefined && !this.#files.isEmpty
  }

  get blobs(): BlobWriter {
    this.#requireKept()
    this.#blobs ??= this.#makeBlobs()
    return this.#blobs
  }
  #makeBlobs(): BlobWriter {
    const { gateway } = this
    const staged: StagedBlob[] = []
    this.staged = staged
    const own = new Map<string, Buffer>()
    const get = async (hash: string) => own.get(hash) ?? gateway.blobReader.get(hash)
    return {
      get,
      text: async (hash) => (await get(hash)).toString('utf8'),
      has: (...hashes) => gateway.blobReader.has(...hashes.filter((hash) => !own.has(hash))),
      put: async (content) => {
        this.#requireKept()
        const bytes = Buffer.from(content as Uint8Array)
        const blob = await gateway.store.blobs.stage(bytes)
        if (!own.has(blob.hash)) {
          own.set(blob.hash, bytes)
          staged.push(blob)
        }
        return blob.hash
      },
    }
  }

  get engine(): EngineRunner {
    this.#requireKept()
    return {
      run: <O>(task: EngineTask) =>
        this.gateway.runOnEngine<O>(task, {
          signal: this.signal,
          onProgress: (percent, message) => this.progress(percent, message),
        }),
    }
  }

  extensions<T>(point: ExtensionPoint<T>): readonly T[] {
    return this.gateway.extensions(point)
  }
}
