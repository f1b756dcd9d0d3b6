/** The gateway's log. pino is loaded after the start (it costs 25 ms); earlier lines are kept until then. */
import { openSync } from 'node:fs'
import type { Logger } from '../contract/logger.ts'
import { RequestLines } from './request-lines.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LoggerOptions {
  readonly level: LogLevel
  /** File descriptor or path; default 1 (stdout). */
  readonly destination?: number | string
}

/** Writes the line of one request. */
export type RequestLog = RequestLines['add']

/** A logger that can be flushed before the process ends. */
export interface BufferedLogger extends Logger {
  /**
   * The same as `info({ method, route, status, … }, 'request')` at a fifth of the cost: such a line has a fixed set of
   * fields without secrets, so it is put together as text.
   */
  readonly request: RequestLog
  /** Loads pino and writes the kept lines. Call it after the server listens; otherwise the first line loads pino. */
  start(): Promise<void>
  /** Writes all lines, synchronously once pino is loaded. */
  flush(): Promise<void>
}

type Write = (level: Exclude<LogLevel, 'silent'>, fields: object, message: string) => void

const order = ['debug', 'info', 'warn', 'error'] as const

/** Fields that can contain secrets, at the top level and two levels deep. */
const redactedPaths = ['authorization', 'apiKey', 'key', 'password', 'token', 'secret', 'x-api-key'].flatMap((name) =>
  name.includes('-') ? [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`] : [name, `*.${name}`, `*.*.${name}`],
)

/** Number of lines kept before pino is loaded; later ones are dropped. */
const maxEarly = 10_000

/** Makes the log. A line below the given level costs only a comparison. */
export function createLogger(options: LoggerOptions): BufferedLogger {
  const least = options.level === 'silent' ? order.length : order.indexOf(options.level)
  let early: Parameters<Write>[] = []
  let loading: Promise<void> | undefined
  let flushAll: () => Promise<void> = async () => {}
  let requestLines: RequestLines | undefined
  let write: Write = (level, fields, message) => {
    if (early.length < maxEarly) early.push([level, { time: Date.now(), ...fields }, message])
    void start()
  }

  function start(): Promise<void> {
    loading ??= import('pino').then(({ pino }) => {
      const destination = pino.destination({
        dest: openDestination(options.destination ?? 1),
        sync: false,
        // A reader that does not read (a stopped pager behind a pipe) must not fill the memory: lines are then dropped.
        maxLength: 16 * 1024 * 1024,
      })
      const common = { level: options.level, base: null, serializers: { err: pino.stdSerializers.err } }
      // A log that cannot be written (disk full, closed pipe) must not end the gateway.
      destination.on('error', () => undefined)
      const redact = { paths: redactedPaths, censor: '[redacted]' }
      const log = pino({ ...common, redact }, destination)
      write = (level, fields, message) => {
        requestLines?.flush()
        log[level](fields, message)
      }
      requestLines = new RequestLines((text) => void destination.write(text))
      // Not flushSync: it would overtake a write in progress.
      flushAll = () => {
        requestLines?.flush()
        return new Promise((resolve) => destination.flush(() => resolve()))
      }
      const flushSync = () => {
        requestLines?.flush()
        try {
          destination.flushSync()
        } catch {
          // The destination is not open yet, or closed: nothing can be written.
        }
      }
      process.once('exit', flushSync)
      const earlier = pino({ ...common, redact, timestamp: false }, destination)
      for (const [level, fields, message] of early) earlier[level](fields, message)
      early = []
    })
    return loading
  }

  const at = (level: Exclude<LogLevel, 'silent'>) =>
    order.indexOf(level) < least ? () => {} : (fields: object, message: string) => write(level, fields, message)
  const request: RequestLog = (method, route, status, ms, correlationId, actor) => {
    // Node accepts only known methods, and a correlation id has no characters that JSON escapes.
    if (requestLines) requestLines.add(method, route, status, ms, correlationId, actor)
    else write('info', { method, route, status, ms, correlationId, actor }, 'request')
  }
  return {
    request: order.indexOf('info') < least ? () => {} : request,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    start,
    async flush() {
      if (early.length > 0) await start()
      await flushAll()
    },
  }
}

/** Opens the destination here: when pino cannot open it, pino throws at the end of the process. */
function openDestination(destination: number | string): number {
  if (typeof destination === 'number') return destination
  try {
    return openSync(destination, 'a', 0o600)
  } catch (error) {
    process.stderr.write(`The log file cannot be opened: ${(error as Error).message}. Logging to stderr.\n`)
    return 2
  }
}
