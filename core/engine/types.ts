/**
 * The shapes that the gateway and the engine instance share. Types only: importing this module costs nothing at run
 * time.
 */

/**
 * One piece of work for the engine: an exported function of a module, run in the engine's process. That process has
 * another working directory than the gateway, so paths in `input` must be absolute.
 */
export interface EngineTask {
  /** `file:` URL of the module; it is imported once and stays loaded. */
  readonly module: string
  /** Name of an exported function `(input, api: EngineTaskApi) => output | Promise<output>`. */
  readonly fn: string
  /** Anything the structured clone algorithm copies: plain data, Map, Set, Date, BigInt, Buffer, typed arrays. */
  readonly input: unknown
}

/** What a task function gets as its second argument. */
export interface EngineTaskApi {
  /** Reports progress in percent (0-100, values outside are clamped) with an optional line of text. */
  progress(percent: number, message?: string): void
  /**
   * Aborted when the caller cancels. `signal.aborted` and `signal.throwIfAborted()` are live even inside a
   * synchronous loop (the flag is read from shared memory); the `abort` event needs a turn of the event loop.
   */
  readonly signal: AbortSignal
}

/** A running engine instance as `EngineHost.list` reports it. */
export interface EngineInstance {
  readonly pid: number
  /** Version of the package the instance was started from. */
  readonly version: string
  /** Version of its code: see `codeVersion`. */
  readonly code: string
  /** RFC 3339 UTC. */
  readonly startedAt: string
  readonly mode: 'WithoutUserInterface'
  /** True when a gateway (this one or another) is attached to it. */
  readonly attached: boolean
  /** True while it computes a task. */
  readonly busy: boolean
  /** The directory that contains the instance's files. */
  readonly dataDir: string
}

/** Measurements of the attached instance's process. */
export interface EngineDiagnostics {
  readonly pid: number
  readonly version: string
  readonly startedAt: string
  readonly uptimeMs: number
  /** `process.memoryUsage()` of the instance, bytes; heap figures are those of its main thread. */
  readonly memory: NodeJS.MemoryUsage
  /** Heap in use in the task thread after its last task, bytes. */
  readonly workerHeapUsed: number
  /** CPU time since the start; `percent` is the share of one core since the previous measurement. */
  readonly cpu: { readonly userMs: number; readonly systemMs: number; readonly percent: number }
  readonly tasksDone: number
  readonly tasksFailed: number
  readonly tasksCancelled: number
  /** Tasks that wait for the running one. */
  readonly queue: number
  readonly busy: boolean
  readonly currentTask?: {
    readonly fn: string
    readonly module: string
    readonly runningMs: number
    readonly percent: number
  }
  /** How often the task thread had to be replaced (crash or forced cancel). */
  readonly workerRestarts: number
  /** Attached gateways. */
  readonly clients: number
}

/** Levels of the `log` callback, as in pino. */
export type EngineLogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Settings of an `EngineHost`. All times in ms. */
export interface EngineHostOptions {
  /** Directory of the instances' files; made with mode 0700 when absent. */
  readonly instancesDir: string
  /** Start a new instance when the attached one crashes. Default true. */
  readonly autoRestart?: boolean
  /**
   * Delays before the first, second … restart in a row. After the last one there is no further restart until `launch`.
   * Default 0, 0.25, 1, 5, 15 s.
   */
  readonly restartDelaysMs?: readonly number[]
  readonly log?: (level: EngineLogLevel, msg: string, fields: Record<string, unknown>) => void
  /**
   * Memory of an instance's process in bytes, asked for at its launch. A task that needs more is ended; when half of it
   * is in use after a task, the task thread is replaced. Default 4 GiB.
   */
  readonly memoryLimitBytes?: () => number
  /** A launched instance to which no gateway has attached ends after this time. Default 10 min. */
  readonly idleExitMs?: number
  /** The time that an instance stays after `detach`; without one it ends with its gateway. Default 24 h. */
  readonly detachedExitMs?: number
  /** Time a cancelled task has to end by itself before its thread is terminated. Default 1 s. */
  readonly cancelGraceMs?: number
  /** Time between the shutdown request, SIGTERM and SIGKILL. Default 3 s each. */
  readonly shutdownGraceMs?: number
  /** Time a new instance has to report ready. Default 30 s. */
  readonly launchTimeoutMs?: number
  /** Largest input or output of a task in bytes. Default 256 MiB. */
  readonly maxMessageBytes?: number
  /** Extra Node flags of the instance, e.g. `--max-old-space-size=8192`. */
  readonly execArgv?: readonly string[]
}

/** Options of `EngineHost.run`. */
export interface EngineRunOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (percent: number, message?: string) => void
}

/** The settings that the gateway passes to a new instance on its command line. */
export interface HostSettings {
  readonly id: string
  readonly instancesDir: string
  readonly idleExitMs: number
  readonly detachedExitMs: number
  readonly cancelGraceMs: number
  readonly maxMessageBytes: number
  readonly memoryLimitBytes: number
}
