import { serialize } from 'node:v8'

/** Why an engine call failed. The set is closed; a gateway maps each to one problem. */
export type EngineErrorKind =
  | 'engine_not_attached'
  | 'engine_already_attached'
  | 'engine_not_found'
  | 'engine_crashed'
  | 'engine_task_failed'
  | 'engine_unavailable'
  | 'cancelled'

/**
 * Error of the engine host. `kind` is always one of the fixed set. `code` equals `kind`, except when a task threw an
 * error with a `code` of its own: then `name`, `message`, `code`, `problem`, `errors` and every other plain property
 * are those of the task's error, so that the gateway can answer with them.
 */
export class EngineError extends Error {
  readonly kind: EngineErrorKind
  code: string
  /** Problem document that a task attached to its error. */
  problem?: unknown
  /** List of single faults that a task attached to its error. */
  errors?: unknown
  /** Last lines the engine wrote to stderr before a crash. */
  stderr?: readonly string[]
  /** Exit code of a crashed process or thread, when it is known. */
  exitCode?: number
  /** Signal that ended a crashed process, when it is known. */
  exitSignal?: string

  constructor(kind: EngineErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EngineError'
    this.kind = kind
    this.code = kind
  }
}

/** An error as data: `properties` contains what `structuredClone` of an Error loses. */
export interface PackedError {
  readonly name: string
  readonly message: string
  readonly stack?: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly cause?: PackedError
}

const reserved = new Set(['name', 'message', 'stack', 'cause', 'kind'])
const maxCauses = 4

/** Turns any thrown value into data; properties that cannot be copied to another process are left out. */
export function packError(thrown: unknown, depth = 0): PackedError {
  if (!(thrown instanceof Error)) {
    return {
      name: 'Error',
      message: typeof thrown === 'string' ? thrown : `Thrown: ${describe(thrown)}`,
      properties: {},
    }
  }
  const properties: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(thrown)) {
    if (!reserved.has(key) && isCloneable(value)) properties[key] = value
  }
  return {
    name: String(thrown.name),
    message: String(thrown.message),
    ...(thrown.stack ? { stack: thrown.stack } : {}),
    properties,
    ...(thrown.cause !== undefined && depth < maxCauses ? { cause: packError(thrown.cause, depth + 1) } : {}),
  }
}

/** Turns the result of `packError` back into an error: an `EngineError` that looks like the original. */
export function reviveError(kind: EngineErrorKind, packed: PackedError): EngineError {
  const cause = packed.cause ? { cause: reviveError(kind, packed.cause) } : undefined
  const error = Object.assign(new EngineError(kind, packed.message, cause), packed.properties)
  // A numeric code (errno and the like) is not a problem code.
  if (typeof error.code !== 'string') error.code = kind
  error.name = packed.name
  if (packed.stack) error.stack = packed.stack
  return error
}

/** Tests by shape, so that two copies of this module recognise each other's errors. */
export function isEngineError(value: unknown): value is EngineError {
  return value instanceof Error && typeof (value as Partial<EngineError>).kind === 'string' && 'code' in value
}

/** The instance never began the run, so it may be sent to another one. `cause` is the reason. */
export class NotStartedError extends Error {}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

function isCloneable(value: unknown): boolean {
  try {
    serialize(value)
    return true
  } catch {
    return false
  }
}

function describe(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}
