/** The exit codes of `gantry`. They are part of the public API: scripts depend on them. */
export const exitCodes = {
  ok: 0,
  /** The operation or job failed, or a replay found differences. */
  failed: 1,
  /** The command line or the input of the operation is wrong. */
  usage: 2,
  /** No gateway could be reached. */
  unreachable: 3,
  /** The key is missing, unknown or not allowed to do this. */
  notAllowed: 4,
  /** The data directory is in use, missing or damaged. */
  dataDirectory: 5,
  /** The address is taken or may not be used. */
  address: 6,
  /** The watchdog ended the gateway: a job or plugin blocked it. */
  blocked: 7,
} as const

/** The table, for `--help`. */
export const exitCodeHelp = `
Exit codes:
  0    done
  1    the operation or job failed; a replay came out otherwise
  2    the command line, or the input of the operation, is wrong
  3    no gateway could be reached
  4    the key is missing, unknown or not allowed to do this
  5    the data directory is in use, missing or damaged
  6    the address is taken or may not be used
  7    a job or plugin blocked the gateway without end; the log names it
  130  interrupted (128 + signal number)`

/** An error that ends the program with a message and a code. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}

/** The exit code for a problem of the gateway, from its HTTP status. */
export function exitCodeOfStatus(status: number, code?: string): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 400 || status === 405 || status === 415 || code === 'route_not_found') return exitCodes.usage
  return exitCodes.failed
}
