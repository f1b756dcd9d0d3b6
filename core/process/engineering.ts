/** The engineering instance for operations: starts with the gateway, can be awaited or required, runs tasks. */
import { join } from 'node:path'
import { codeVersion, importModule } from '../boot/running-code.ts'
import type { Logger } from '../contract/logger.ts'
import { problem } from '../contract/problems.ts'
import { EngineHost, type EngineRunOptions, type EngineTask } from '../engine/index.ts'

export class Engineering {
  /** Undefined in a gateway without an engine (replay, tests): tasks then run in this process. */
  readonly host: EngineHost | undefined
  readonly #log: Logger
  #starting: Promise<void> | undefined
  #isClosing = false

  /** @param memoryLimitBytes setting `engineering.memoryLimitBytes`, asked for at each launch */
  constructor(dataDir: string, log: Logger, withoutEngine: boolean, memoryLimitBytes: () => number) {
    this.#log = log
    if (withoutEngine) return
    this.host = new EngineHost({
      instancesDir: join(dataDir, 'instances'),
      memoryLimitBytes,
      log: (level, message, fields) => log[level](fields, message),
    })
  }

  /**
   * Launches an instance, or attaches to one that was left running. Operations that need an instance wait
   * for it instead of failing.
   */
  start() {
    const { host } = this
    if (!host || this.#starting || host.attached) return
    this.#starting = attachOrLaunch(host)
      .then((instance) => this.#log.info({ pid: instance.pid }, 'engineering instance attached'))
      .catch((error) => {
        if (!this.#isClosing) this.#log.warn({ err: error }, 'no engineering instance could be launched')
      })
      .finally(() => {
        this.#starting = undefined
      })
  }

  /** @throws GatewayError `no_instance` */
  require() {
    if (this.host && !this.host.attached && !this.host.connecting && !this.#starting) {
      throw problem(
        'no_instance',
        'Portal instance is not available: the gateway is not connected to one. Launch or attach an instance.',
      )
    }
  }

  /** Runs CPU-heavy work in the instance. */
  async run<O>(task: EngineTask, options: EngineRunOptions): Promise<O> {
    if (!this.host) {
      const module = (await importModule(task.module)) as Record<
        string,
        (input: unknown, api: unknown) => O | Promise<O>
      >
      const api = { progress: options.onProgress ?? (() => {}), signal: options.signal ?? new AbortController().signal }
      return module[task.fn]!(structuredClone(task.input), api)
    }
    await this.#starting
    this.require()
    return this.host.run<O>(task, options)
  }

  /** The gateway is closing: an instance that does not start is no longer a fault. */
  expectEnd() {
    this.#isClosing = true
  }
  async close(): Promise<void> {
    await this.host?.close().catch((error) => this.#log.warn({ err: error }, 'engineering instance did not close'))
  }
}

/**
 * Attaches to an instance from which a gateway has detached. If the code has changed since, that instance ends by
 * itself and a new one is launched.
 */
async function attachOrLaunch(host: EngineHost) {
  const free = (await host.list()).find((instance) => !instance.attached && instance.code === codeVersion())
  return free ? host.attach(free.pid).catch(() => host.launch()) : host.launch()
}
