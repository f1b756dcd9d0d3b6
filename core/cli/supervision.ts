/** Faults that no job and no request catches: what is the fault of one plugin must not end everybody's work. */
import { basename } from 'node:path'
import type { Gateway } from '../gateway.ts'
import type { createLogger } from '../http/logger.ts'
import { throwingFolder } from '../plugins/plugin-loader.ts'
import { Watchdog } from '../process/watchdog.ts'
import { exitCodes } from './exit-codes.ts'

/**
 * Handles errors that nobody caught, and starts the watchdog.
 *
 * @param blockedMs how long the event loop may be blocked; 0 for ever
 * @param pluginDirs directories that plugins are loaded from
 * @returns names the gateway as soon as it is open
 */
export function supervise(
  log: ReturnType<typeof createLogger>,
  blockedMs: number,
  pluginDirs: readonly string[],
): (gateway: Gateway) => void {
  let gateway: Gateway | undefined
  // Other plugins may take long to load: what one throws meanwhile is reported as soon as the gateway is open.
  const early: unknown[] = []
  const blame = (error: unknown): string | undefined => {
    if (gateway !== undefined) return gateway.blame(error)
    const folder = throwingFolder(error, pluginDirs)
    if (folder === undefined) return undefined
    early.push(error)
    return basename(folder)
  }
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason, plugin: blame(reason) }, 'unhandled rejection')
  })
  process.on('uncaughtException', (error) => {
    const plugin = blame(error)
    if (plugin !== undefined) return log.error({ err: error, plugin }, 'a plugin threw where nobody catches it')
    // After this nothing can be trusted.
    log.error({ err: error }, 'uncaught exception: the gateway ends')
    log.flush().finally(() => process.exit(exitCodes.failed))
  })
  const watchdog = blockedMs > 0 ? Watchdog.start({ limitMs: blockedMs, exitCode: exitCodes.blocked }) : undefined
  watchdog?.working('the start')
  return (opened) => {
    gateway = opened
    for (const error of early) opened.blame(error)
    watchdog?.working('no job')
    opened.bus.on('job', ({ jobId, operation, status, outcome }) => {
      // The prefix of an operation's id is its plugin.
      const plugin = operation.id.split('.')[0]
      const runs = status === 'Running' && outcome === undefined
      watchdog?.working(runs ? `job ${jobId}, operation ${operation.id} of plugin ${plugin}` : 'no job')
    })
  }
}
