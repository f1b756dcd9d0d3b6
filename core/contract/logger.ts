/** Where the gateway writes what happens. */

/** The log of the gateway's own messages. The signature is pino's, so that a pino logger can be passed as it is. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
