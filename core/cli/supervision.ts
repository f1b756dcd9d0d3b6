/** Faults that no job and no request catches: what is the fault of one plugin must not end everybody's work. */
import type { Gateway } from '../gateway.ts'
import type { createLogger } from '../http/logger.ts'
import { Watchdog } from '../watchdog.ts'
import { exitCodes } from './exit-codes.ts'

/**
 * Handles errors that nobody caught, and starts the watchdog.
 *
 * @param blockedMs how long the event loop may be blocked; 0 for ever
 * @returns names the gateway as soon as it is open
 */
export function supervise(log: ReturnType<typeof createLogger>, blockedMs: number): (gateway: Gateway) => void {
  let gateway: Gateway | undefined
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason, plugin: gateway?.blame(reason) }, 'unhandled rejection')
  })
  process.on('uncaughtException', (error) => {
    const plugin = gateway?.blame(error)
    if (plugin !== undefined) return log.error({ err: error, plugin }, 'a plugin threw where nobody catches it')
    // After this nothing can be trusted.
    log.error({ err: error }, 'uncaught exception: the gateway ends')
    log.flush().finally(() => process.exit(exitCodes.failed))
  })
  const watchdog = blockedMs > 0 ? Watchdog.start({ limitMs: blockedMs, exitCode: exitCodes.blocked }) : undefined
  watchdog?.working('the start')
  return (opened) => {
    gateway = opened
    watchdog?.working('no job')
    opened.bus.on('job', ({ jobId, operation, status, outcome }) => {
      // The prefix of an operation's id is its plugin.
      const plugin = operation.id.split('.')[0]
      const runs = status === 'Running' && outcome === undefined
      watchdog?.working(runs ? `job ${jobId}, operation ${operation.id} of plugin ${plugin}` : 'no job')
    })
  }
}
