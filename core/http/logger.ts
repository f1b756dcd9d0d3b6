/** The gateway's log: pino, loaded after the start (it costs 25 ms), with what is logged before kept until then. */
import type { Logger } from '../gateway.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LoggerOptions {
  readonly level: LogLevel
  /** File descriptor or path; default 1 (stdout). */
  readonly destination?: number | string
}

/** A logger that can be emptied before the process ends. */
export interface BufferedLogger extends Logger {
  /** Loads pino and writes what has gathered. Call it after the server listens; without it the first line does it. */
  start(): Promise<void>
  /** Writes everything out, synchronously once pino is loaded. */
  flush(): Promise<void>
}

type Write = (level: Exclude<LogLevel, 'silent'>, fields: object, message: string) => void

const order = ['debug', 'info', 'warn', 'error'] as const

/** Fields that can hold secrets, wherever in the line they stand (two levels deep). */
export const redactedPaths = ['authorization', 'apiKey', 'key', 'password', 'token', 'secret', 'x-api-key'].flatMap(
  (name) =>
    name.includes('-') ? [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`] : [name, `*.${name}`, `*.*.${name}`],
)

/** At most this many lines are kept before pino is there. */
const maxEarly = 10_000

/** Makes the log. Levels below the given one cost a compare. */
export function createLogger(options: LoggerOptions): BufferedLogger {
  const least = options.level === 'silent' ? order.length : order.indexOf(options.level)
  let early: Parameters<Write>[] = []
  let loading: Promise<void> | undefined
  let flushSync: () => void = () => {}
  let write: Write = (level, fields, message) => {
    if (early.length < maxEarly) early.push([level, { time: Date.now(), ...fields }, message])
    void start()
  }

  function start(): Promise<void> {
    loading ??= import('pino').then(({ pino }) => {
      const destination = pino.destination({
        dest: options.destination ?? 1,
        sync: false,
        // Lines are gathered to 4 KiB or a quarter of a second: one write a request would cost more than the line.
        minLength: 4096,
        periodicFlush: 250,
      })
      const common = { level: options.level, base: null, serializers: { err: pino.stdSerializers.err } }
      // Request lines hold a fixed set of fields without secrets; the search for secrets is left to the others.
      const plain = pino(common, destination)
      const redacting = pino({ ...common, redact: { paths: redactedPaths, censor: '[redacted]' } }, destination)
      write = (level, fields, message) => {
        if (message === 'request') plain[level](fields, message)
        else redacting[level](fields, message)
      }
      flushSync = () => {
        try {
          destination.flushSync()
        } catch {
          // The destination is not open yet or gone: nothing can be written.
        }
      }
      const untimed = { ...common, timestamp: false, redact: { paths: redactedPaths, censor: '[redacted]' } } as const
      const earlier = pino(untimed, destination)
      for (const [level, fields, message] of early) earlier[level](fields, message)
      early = []
    })
    return loading
  }

  const at = (level: Exclude<LogLevel, 'silent'>) =>
    order.indexOf(level) < least ? () => {} : (fields: object, message: string) => write(level, fields, message)
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    start,
    async flush() {
      if (early.length > 0) await start()
      flushSync()
    },
  }
}
