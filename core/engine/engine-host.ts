import { setTimeout as sleep } from 'node:timers/promises'
// Modules that open sockets or processes are loaded on first use: this module is loaded at the gateway's start.
import { isProcessAlive } from '../../lib/is-process-alive.ts'
import { within } from '../../lib/within.ts'
import type { ConnectionOptions, EngineConnection } from './connection.ts'
import { EngineError, messageOf, NotStartedError } from './errors.ts'
import type { InstanceFile } from './instance-files.ts'
import type { LaunchedProcess } from './launch.ts'
import type {
  EngineDiagnostics,
  EngineHostOptions,
  EngineInstance,
  EngineLogLevel,
  EngineRunOptions,
  EngineTask,
} from './types.ts'

/** A crash this long after the previous one counts as the first again. */
const stableMs = 60_000

/** How long to wait for the exit status of a process whose connection just ended. */
const exitStatusWaitMs = 500

const defaultMemoryLimitBytes = 4 * 1024 ** 3
const second = 1000
const minute = 60 * second

type Settings = Required<EngineHostOptions>

/** An attached instance. `child` is set when this gateway started it. */
interface Link {
  readonly connection: EngineConnection
  readonly file: InstanceFile
  readonly child: LaunchedProcess | undefined
  readonly since: number
}

/**
 * The gateway's side of the engine: at most one attached instance.
 *
 *     absent --launch/attach--> connecting --ok--> attached --detach/shutdown--> absent
 *                               connecting --failed-------------------------> absent
 *     attached --connection lost--> restarting --ok--> attached       (autoRestart; as often as there are delays)
 *                                   restarting --failed--> absent
 *     any --close--> closed
 *
 * `#transition` is set exactly while connecting or restarting, `#link` exactly while attached. `run` waits for a
 * transition; `detach`, `shutdown` and `close` wait for it too and then act.
 */
export class EngineHost {
  readonly #settings: Settings
  #link: Link | undefined
  #transition: Promise<EngineInstance> | undefined
  #restartWait: AbortController | undefined
  #closed = false
  #crashes = 0
  /** Why nothing is attached; completes "Portal instance is not available: …". */
  #absence = 'no instance has been launched or attached'

  constructor(options: EngineHostOptions) {
    this.#settings = {
      autoRestart: true,
      log: () => {},
      memoryLimitBytes: () => defaultMemoryLimitBytes,
      idleExitMs: 10 * minute,
      detachedExitMs: 24 * 60 * minute,
      cancelGraceMs: second,
      shutdownGraceMs: 3 * second,
      launchTimeoutMs: 30 * second,
      maxMessageBytes: 256 * 1024 * 1024,
      restartDelaysMs: [0, 250, second, 5 * second, 15 * second],
      execArgv: [],
      ...options,
    }
  }

  /** The attached instance, or undefined. */
  get attached(): EngineInstance | undefined {
    const link = this.#link
    return link && instanceOf(link)
  }

  /** True while a launch, an attach or a restart after a crash is under way. */
  get connecting(): boolean {
    return this.#transition !== undefined
  }

  /**
   * Running instances, by start time. Files of processes that are gone, or whose process id now belongs to another
   * program, are removed. An instance that does not answer in time is left out and its file kept.
   */
  async list(): Promise<EngineInstance[]> {
    const { readInstanceEntries, removeInstanceFiles, removeOrphans } = await import('./instance-files.ts')
    const { instancesDir } = this.#settings
    const alive = new Set<string>()
    const found = await Promise.all(
      (await readInstanceEntries(instancesDir)).map(async ({ pid, file }): Promise<EngineInstance | undefined> => {
        const own = this.#link
        if (own && file?.id === own.file.id) {
          alive.add(own.file.id)
          return instanceOf(own)
        }
        const state = file && isProcessAlive(pid) ? await this.#probe(file) : 'absent'
        if (state === 'absent') {
          if (file || !isProcessAlive(pid)) {
            removeInstanceFiles(instancesDir, file ?? { id: String(pid), pid, address: '' }, { keepLog: false })
          }
          return undefined
        }
        alive.add(file!.id)
        return state === 'silent' ? undefined : state
      }),
    )
    await removeOrphans(instancesDir, alive)
    return found.filter((i) => i !== undefined).sort((a, b) => a.startedAt.localeCompare(b.startedAt) || a.pid - b.pid)
  }

  /**
   * Starts a new instance and attaches to it. A launch in progress is joined. Errors: `engine_already_attached`,
   * `engine_unavailable`.
   */
  launch(): Promise<EngineInstance> {
    return this.#connect('launched', () => this.#launchLink())
  }

  /**
   * Attaches to a running instance of the same directory. Attaching to the attached one changes nothing. Errors:
   * `engine_not_found` (no such instance; the message names those that run), `engine_already_attached`,
   * `engine_unavailable`.
   */
  attach(pid: number): Promise<EngineInstance> {
    if (this.#link?.file.pid === pid) return Promise.resolve(instanceOf(this.#link))
    return this.#connect('attached', () => this.#attachLink(pid))
  }

  /** Leaves the instance and lets it run. Its tasks of this gateway are cancelled. Error: `engine_not_attached`. */
  async detach(): Promise<void> {
    const link = await this.#release('it was detached')
    const done = link.connection.request('detach').catch(() => undefined)
    await Promise.race([done, link.connection.closed, sleep(this.#settings.shutdownGraceMs, undefined, { ref: false })])
    link.connection.abandon(new EngineError('cancelled', 'The engine instance was detached while the task ran.'))
    link.connection.destroy()
    this.#settings.log('info', 'engine instance detached', { pid: link.file.pid })
  }

  /**
   * Ends the instance: asks it to stop (running tasks are cancelled), then SIGTERM, then SIGKILL, each after
   * `shutdownGraceMs`. Resolves when its process is gone. Error: `engine_not_attached`.
   */
  async shutdown(): Promise<void> {
    const link = await this.#release('it was shut down')
    await this.#end(link)
  }

  /**
   * Runs a task in the attached instance; waits for a launch or restart in progress. Rejects with `EngineError`:
   * `engine_not_attached`, `cancelled` (signal), `engine_crashed`, or the task's own error (`kind:
   * engine_task_failed`).
   */
  async run<O>(task: EngineTask, options: EngineRunOptions = {}): Promise<O> {
    const { signal } = options
    for (;;) {
      if (signal?.aborted)
        throw new EngineError('cancelled', 'The task was cancelled before it started.', { cause: signal.reason })
      const link = await this.#ready(signal)
      try {
        return (await link.connection.run(task, options)) as O
      } catch (error) {
        if (!(error instanceof NotStartedError)) throw error
        // The task never began: the instance's successor, if there is one, may run it.
        if (!this.#transition && !this.#link) throw error.cause
      }
    }
  }

  /** Measurements of the attached instance; answered while it computes. Error: `engine_not_attached`. */
  async diagnostics(): Promise<EngineDiagnostics> {
    const link = await this.#ready(undefined)
    return (await link.connection.request('diagnostics')) as EngineDiagnostics
  }

  /** Ends this object: shuts the attached instance down, or detaches from it with `keepRunning`. Safe to call twice. */
  async close(options: { keepRunning?: boolean } = {}): Promise<void> {
    this.#closed = true
    this.#restartWait?.abort()
    await this.#transition?.catch(() => undefined)
    if (!this.#link) {
      this.#absence = 'the gateway is stopping'
      return
    }
    await (options.keepRunning ? this.detach() : this.shutdown())
  }

  #connect(verb: string, make: () => Promise<Link>): Promise<EngineInstance> {
    if (this.#closed) return Promise.reject(this.#notAttached('the gateway is stopping'))
    if (this.#transition) {
      if (verb === 'launched') return this.#transition
      return Promise.reject(
        new EngineError('engine_already_attached', 'An engine instance is just being launched or attached.'),
      )
    }
    if (this.#link) {
      const text = `The engine instance ${this.#link.file.pid} is attached; detach from it or shut it down first.`
      return Promise.reject(new EngineError('engine_already_attached', text))
    }
    return this.#transit(async () => {
      const begun = performance.now()
      const link = await make()
      this.#crashes = 0
      this.#settings.log('info', `engine instance ${verb}`, {
        pid: link.file.pid,
        ms: Math.round(performance.now() - begun),
      })
      return this.#adopt(link)
    })
  }

  /** Runs a transition; `#transition` is set from the call to the end. */
  #transit(work: () => Promise<EngineInstance>): Promise<EngineInstance> {
    const transition = work().catch((error: unknown) => {
      this.#absence = `the last attempt failed: ${messageOf(error)}`
      throw error
    })
    const cleared = transition.finally(() => {
      if (this.#transition === cleared) this.#transition = undefined
    })
    this.#transition = cleared
    // Callers get the rejection; a restart has none.
    cleared.catch(() => undefined)
    return cleared
  }

  #adopt(link: Link): EngineInstance {
    this.#link = link
    void link.connection.closed.then(() => this.#lost(link))
    return instanceOf(link)
  }

  async #launchLink(): Promise<Link> {
    const [{ launchInstance }, { openConnection }, { readInstanceFile }] = await Promise.all([
      import('./launch.ts'),
      import('./connection.ts'),
      import('./instance-files.ts'),
    ])
    const { instancesDir, idleExitMs, detachedExitMs, cancelGraceMs, maxMessageBytes, launchTimeoutMs, execArgv } =
      this.#settings
    const memoryLimitBytes = this.#settings.memoryLimitBytes()
    const settings = { instancesDir, idleExitMs, detachedExitMs, cancelGraceMs, maxMessageBytes, memoryLimitBytes }
    const child = await launchInstance(settings, { timeoutMs: launchTimeoutMs, execArgv })
    try {
      const file = await readInstanceFile(instancesDir, child.pid)
      if (!file) throw new Error(`its file ${child.pid}.json is missing`)
      const connection = await openConnection(file, 'client', this.#connectionOptions())
      return { connection, file, child, since: performance.now() }
    } catch (error) {
      child.child.kill('SIGKILL')
      throw new EngineError(
        'engine_unavailable',
        `The engine instance ${child.pid} was started but cannot be attached: ${messageOf(error)}`,
      )
    }
  }

  async #attachLink(pid: number): Promise<Link> {
    const [{ ConnectError, openConnection }, { readInstanceFile }] = await Promise.all([
      import('./connection.ts'),
      import('./instance-files.ts'),
    ])
    const file = await readInstanceFile(this.#settings.instancesDir, pid)
    if (!file) throw await this.#notFound(pid)
    try {
      const connection = await openConnection(file, 'client', this.#connectionOptions())
      return { connection, file, child: undefined, since: performance.now() }
    } catch (error) {
      if (error instanceof ConnectError && error.absent) throw await this.#notFound(pid)
      throw new EngineError('engine_unavailable', messageOf(error))
    }
  }

  async #notFound(pid: number): Promise<EngineError> {
    const running = (await this.list()).map((instance) => instance.pid)
    const known = running.length > 0 ? `running instances: ${running.join(', ')}` : 'no instance is running'
    return new EngineError('engine_not_found', `No engine instance has the process id ${pid} (${known}).`)
  }

  async #probe(file: InstanceFile): Promise<EngineInstance | 'absent' | 'silent'> {
    const { ConnectError, openConnection } = await import('./connection.ts')
    try {
      const connection = await openConnection(file, 'probe', this.#connectionOptions())
      connection.destroy()
      return publicInfo(connection)
    } catch (error) {
      if (error instanceof ConnectError && error.absent) return 'absent'
      this.#settings.log('warn', 'an engine instance does not answer', { pid: file.pid, error: messageOf(error) })
      return 'silent'
    }
  }

  /** The link, after a transition in progress. */
  async #ready(signal: AbortSignal | undefined): Promise<Link> {
    while (this.#transition)
      await abortable(
        this.#transition.catch(() => undefined),
        signal,
      )
    if (!this.#link) throw this.#notAttached(this.#absence)
    return this.#link
  }

  /** Removes the link first, so that the end of its connection does not count as a crash. */
  async #release(why: string): Promise<Link> {
    this.#restartWait?.abort()
    await this.#transition?.catch(() => undefined)
    const link = this.#link
    if (!link) throw this.#notAttached(this.#absence)
    this.#link = undefined
    this.#absence = why
    return link
  }

  async #end(link: Link): Promise<void> {
    const { connection, child, file } = link
    const { shutdownGraceMs, log } = this.#settings
    const { removeInstanceFiles } = await import('./instance-files.ts')
    const gone = Promise.all([connection.closed, child?.exited]).then(() => true)
    void connection.request('shutdown').catch(() => undefined)
    let isGone = await within(gone, shutdownGraceMs)
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (isGone) break
      log('warn', `the engine instance does not stop; sending ${signal}`, { pid: file.pid })
      // While the connection (or the child handle) exists, the process id still belongs to the instance.
      if (child) child.child.kill(signal)
      else if (connection.open) tryKill(file.pid, signal)
      isGone = await within(gone, shutdownGraceMs)
    }
    connection.abandon(new EngineError('cancelled', 'The engine instance was shut down while the task ran.'))
    connection.destroy()
    if (!isGone) throw new EngineError('engine_unavailable', `The engine instance ${file.pid} could not be ended.`)
    // Without a child handle, the connection ends a moment before the process is gone.
    for (let i = 0; !child && i < 50 && isProcessAlive(file.pid); i++) await sleep(10)
    removeInstanceFiles(this.#settings.instancesDir, file, { keepLog: false })
    log('info', 'engine instance ended', { pid: file.pid })
  }

  /** Handles the end of the connection. If nobody released the link, the instance crashed. */
  #lost(link: Link): void {
    if (this.#link !== link) return
    this.#link = undefined
    if (performance.now() - link.since > stableMs) this.#crashes = 0
    this.#crashes += 1
    void this.#transit(() => this.#recover(link)).catch(() => undefined)
  }

  /** Fails the tasks that ran in the lost instance and starts its successor. */
  async #recover(link: Link): Promise<EngineInstance> {
    const error = await this.#crashError(link)
    this.#settings.log('error', error.message, { pid: link.file.pid, stderr: error.stderr })
    const delay = this.#settings.restartDelaysMs[this.#crashes - 1]
    const again = this.#settings.autoRestart && !this.#closed && delay !== undefined
    link.connection.abandon(error)
    if (!again) throw error
    this.#restartWait = new AbortController()
    try {
      await sleep(delay, undefined, { signal: this.#restartWait.signal })
    } catch {
      throw error
    } finally {
      this.#restartWait = undefined
    }
    const successor = await this.#launchLink()
    this.#settings.log('info', 'engine instance restarted', { pid: successor.file.pid, after: link.file.pid })
    return this.#adopt(successor)
  }

  async #crashError({ child, file }: Link): Promise<EngineError> {
    const { logPath, removeInstanceFiles, tailLines } = await import('./instance-files.ts')
    const { exitText, logLines } = await import('./launch.ts')
    const status = child && (await Promise.race([child.exited, sleep(exitStatusWaitMs)]))
    const how = child ? exitText(status ?? undefined) : 'exit status not known, it was started by another gateway'
    const error = new EngineError('engine_crashed', `The engine instance ${file.pid} ended unexpectedly (${how}).`)
    error.stderr = await tailLines(logPath(this.#settings.instancesDir, file.id), logLines)
    if (typeof status?.code === 'number') error.exitCode = status.code
    if (status?.signal) error.exitSignal = status.signal
    if (child && !status) child.child.kill('SIGKILL')
    removeInstanceFiles(this.#settings.instancesDir, file, { keepLog: false })
    return error
  }

  #notAttached(why: string): EngineError {
    return new EngineError('engine_not_attached', `Portal instance is not available: ${why}.`.replace(/\.\.$/, '.'))
  }

  #connectionOptions(): ConnectionOptions {
    const { maxMessageBytes, cancelGraceMs } = this.#settings
    const log = (level: EngineLogLevel, msg: string, fields: Record<string, unknown>) =>
      this.#settings.log(level, msg, fields)
    return { maxMessageBytes, cancelGraceMs, log }
  }
}

function instanceOf(link: Link): EngineInstance {
  return { ...publicInfo(link.connection), attached: true, busy: link.connection.busy }
}

function publicInfo({ info }: EngineConnection): EngineInstance {
  const { pid, version, code, startedAt, mode, attached, busy, dataDir } = info
  return { pid, version, code, startedAt, mode, attached, busy, dataDir }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/** Waits for `event`, or rejects with `cancelled` when the signal comes first. */
function abortable<T>(event: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return event
  return new Promise<T>((resolve, reject) => {
    const onAbort = () =>
      reject(new EngineError('cancelled', 'The task was cancelled before it started.', { cause: signal.reason }))
    signal.addEventListener('abort', onAbort, { once: true })
    event.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
