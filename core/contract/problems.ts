/**
 * The table of errors (docs/design.md#errors). Each code has a status (RFC 9110), a title, its meaning, a remedy and an
 * example; the documentation page of a code and `GET /api/errors/{code}` are made from it. Plugins add rows with
 * `definePlugin({ problems })`.
 */
import { alikeFirst, nearest } from '../../lib/nearest.ts'

/** One row: what a stable error code means. */
export interface ProblemDefinition {
  readonly status: number
  readonly title: string
  readonly meaning: string
  readonly remedy: string
  /** An example of a `detail`. */
  readonly example: string
}

/** One fault in a request or a file: its place and text. Lines and columns count from 1. */
export interface Fault {
  readonly path?: string
  readonly message: string
  readonly code?: string
  readonly line?: number
  readonly column?: number
  readonly value?: unknown
  readonly allowed?: unknown
  readonly [more: string]: unknown
}

/** The body of every error answer: RFC 9457 `application/problem+json`. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly instance?: string
  readonly jobId?: string
  readonly errors?: readonly Fault[]
  readonly suggestion?: string
  readonly [more: string]: unknown
}

export const coreProblems = {
  invalid_input: {
    status: 400,
    title: 'The input does not fit the operation',
    meaning: 'A parameter or body field is missing, unknown, or of the wrong type or range. `errors` names each one.',
    remedy: 'Correct the fields in `errors`. `GET /api/command/info/{route}` shows what the operation takes.',
    example: '/lmit: unknown property (did you mean "limit"?)',
  },
  malformed_body: {
    status: 400,
    title: 'The request body cannot be read',
    meaning: 'The body is not well-formed JSON or multipart/form-data.',
    remedy: 'Send well-formed content with the matching Content-Type.',
    example: 'Unexpected token } in JSON at position 17',
  },
  malformed_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    meaning:
      'The request line, a header or the path cannot be read (RFC 9112), or a header has a value it cannot have.',
    remedy: 'Send what the detail asks for.',
    example: '"/api/devices/%E0" is not a valid path: its percent-encoding is wrong.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid API key',
    meaning: 'The request carries no API key, or one that this gateway does not know.',
    remedy: 'Send `X-API-Key: <key>` or `Authorization: Bearer <key>`. The first start of a gateway prints its key.',
    example: 'This request carries no API key.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed for this key',
    meaning:
      "The key's access level is below what the operation needs, a policy plugin denies it, or the file system refuses a file to the account of the gateway.",
    remedy: 'Use a key with the access level, or give the account the right, named in the detail.',
    example: 'Operation devices.delete needs access level "engineer"; this key has "viewer".',
  },
  csrf_token_missing: {
    status: 403,
    title: 'The token of the browser session is missing',
    meaning: 'A request that changes something came with the cookie of a browser session, but without its token.',
    remedy: 'Send `X-CSRF-Token` with the `csrfToken` of `GET /api/session`, or use an API key.',
    example: 'The header X-CSRF-Token is missing.',
  },
  path_outside_workspace: {
    status: 403,
    title: 'The path is outside the workspace',
    meaning:
      'Paths given by clients must lie, after symbolic links are resolved, inside one of the workspace roots. Shares of other computers, devices of Windows and addresses are refused by their text, and not contacted.',
    remedy: 'Use a path inside a root named in the detail, or start the gateway with `--workspace DIR`.',
    example: '"/etc/passwd" is outside the workspace roots (/srv/gantry/workspace).',
  },
  host_not_allowed: {
    status: 403,
    title: 'Host or Origin not allowed',
    meaning:
      'The Host or Origin header does not name an address this gateway is bound to (protection against DNS rebinding).',
    remedy: 'Call the gateway by its bound address, or add the host or origin to the settings.',
    example: 'Host "evil.example" is not one of 127.0.0.1:9000, localhost:9000.',
  },
  route_not_found: {
    status: 404,
    title: 'No such route',
    meaning: 'No operation answers this method and path.',
    remedy: 'See `GET /api/command/list` or /docs.',
    example:
      'GET /api/devices/PLC_1/udtss is not a route of this gateway. Did you mean GET /api/devices/{deviceName}/udts?',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but not with this method (RFC 9110, 15.5.6).',
    remedy: 'Use one of the methods in the Allow header.',
    example: 'PUT /api/projects is not possible; allowed: GET.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'A thing named in the request does not exist.',
    remedy: 'Check the name; the detail proposes the nearest one.',
    example: 'There is no device "PCL_1". Did you mean "PLC_1"?',
  },
  conflict: {
    status: 409,
    title: 'Conflict with the current state',
    meaning: 'The request is fine, the state does not allow it now.',
    remedy: 'The detail names the state and what would be allowed.',
    example: 'Device "PLC_1" is offline.',
  },
  name_taken: {
    status: 409,
    title: 'The name is taken',
    meaning: 'Something with this name (compared without case, as TIA Portal does) already exists.',
    remedy: 'Choose another name, or delete or overwrite the holder named in the detail.',
    example: 'Device "PLC_1" already exists.',
  },
  no_project: {
    status: 409,
    title: 'No project is open',
    meaning: 'The operation works on the open project.',
    remedy: 'Open or create a project first.',
    example: 'No project is open. Open one with POST /api/projects/actions/open.',
  },
  no_instance: {
    status: 409,
    title: 'No engineering instance',
    meaning: 'The operation needs an attached engineering-tool instance.',
    remedy: 'POST /api/instance/actions/launch, or attach to a running one.',
    example: 'Portal instance is not available: the gateway is not connected to one. Launch or attach an instance.',
  },
  idempotency_mismatch: {
    status: 409,
    title: 'Idempotency key reused',
    meaning: 'The Idempotency-Key was used before with another request.',
    remedy: 'Use a new key for a new request.',
    example: 'Idempotency-Key "a1" belongs to job J0000000012-… with another input.',
  },
  precondition_failed: {
    status: 412,
    title: 'It has changed since it was read',
    meaning:
      'The change was made conditional (If-Match, expectedHash) on an object being as it was read, and it is not. Nothing was changed.',
    remedy: 'Read the object again and apply the change to what is there now. `changedBy` says who changed it last.',
    example:
      'PLC_1/Main is not as it was read: its hash is Zk3…. The last change was made by anna (job J12-…) at 2026-01-31T14:00:00.000Z.',
  },
  job_finished: {
    status: 409,
    title: 'The job has already finished',
    meaning: 'A finished job cannot be cancelled.',
    remedy: 'Nothing to do; read its result.',
    example: 'Job J0000000012-… is Completed.',
  },
  no_desktop: {
    status: 409,
    title: 'The host has no desktop',
    meaning: 'A dialog can only be opened on a host with a desktop session and a dialog program.',
    remedy: 'Pass the path in the request instead.',
    example: 'No DISPLAY or WAYLAND_DISPLAY is set; a file dialog cannot be opened.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    meaning: 'The headers or the body did not arrive in time; the connection was closed (RFC 9110, 15.5.9).',
    remedy: 'Send the request without pauses.',
    example: 'The request did not arrive whole within 300 s.',
  },
  gone: {
    status: 410,
    title: 'No longer available',
    meaning: 'The content was removed by a retention rule; the record of it is still there.',
    remedy: 'Nothing to do.',
    example: 'The content sha256:… was collected.',
  },
  payload_too_large: {
    status: 413,
    title: 'Too large',
    meaning: 'The body or a file part is larger than the limit.',
    remedy: 'Send less, or raise the limit in the settings.',
    example: 'The body has more than 52428800 bytes (limits.bodyBytes).',
  },
  uri_too_long: {
    status: 414,
    title: 'The address is too long',
    meaning: 'Path and query are longer than the gateway reads (RFC 9110, 15.5.15).',
    remedy: 'Send long values in the body.',
    example: 'The path and query have 9120 characters; at most 8192 are read.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported content type',
    meaning: 'The operation does not take this Content-Type.',
    remedy: 'Use the content type named in the detail.',
    example: 'text/plain is not taken here; send application/json.',
  },
  nothing_to_undo: {
    status: 409,
    title: 'There is nothing to take back',
    meaning:
      'No command fits the request: none has changed the project, or those that did are taken back already. For a redo: nothing was taken back, or something else was done since.',
    remedy: '`GET /api/history/undoable` lists what can be taken back and done again.',
    example: 'No command of group "turn-7" has changed the project.',
  },
  undo_conflict: {
    status: 409,
    title: 'Later work stands in the way of the undo',
    meaning:
      'What the command changed was changed again, or later work depends on it. `errors` names each place, `laterJobs` the commands.',
    remedy: 'Take back the later commands first, or change the objects by hand.',
    example: 'Later work stands in the way: blocks blocks "Main" was changed, by job J2k-x1 (blocks.import).',
  },
  cannot_undo: {
    status: 422,
    title: 'The command cannot be taken back',
    meaning:
      'It did something outside of the project (a download, values of a controller, files that were written), or opened or closed a project, or it is too long ago.',
    remedy: 'Do the opposite yourself. `GET /api/history/undoable` says beforehand what can be taken back.',
    example: 'Job J2k-x1 (online.download) cannot be taken back: The controller keeps the program.',
  },
  not_in_batch: {
    status: 422,
    title: 'The command cannot be part of a batch',
    meaning:
      'A batch is kept whole or not at all, and its job records the inputs: what acts on more than the project and files, or takes a secret, has no place in it.',
    remedy: 'Call the command by itself, after the batch.',
    example:
      'Command 3 of 4 (online.download): what it does cannot be taken back when a later command fails: The controller keeps the program that it was given.',
  },
  unacceptable_content: {
    status: 422,
    title: 'The content cannot be accepted',
    meaning:
      'The request is well-formed, but a file or text in it is faulty. `errors` names each fault with its place.',
    remedy: 'Correct the places in `errors`. Nothing was stored.',
    example: 'Main.xml: line 12, column 7: element <Wire> refers to UId 31, which does not exist.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    meaning: 'This key sent more requests a second than the limit, or this address more wrong keys.',
    remedy: 'Wait as long as Retry-After says.',
    example: 'More than 1000 requests in one second.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    meaning: 'All header fields together are larger than the gateway reads (RFC 6585, 5).',
    remedy: 'Send fewer or shorter headers.',
    example: 'The header fields have more than 32768 bytes.',
  },
  not_confirmed: {
    status: 409,
    title: 'The person did not agree',
    meaning:
      'The person at an MCP client was asked before a destructive call and did not say yes; nothing was changed.',
    remedy: 'Ask the person what is wanted instead. `mcp.confirmDestructive` of the settings turns the questions off.',
    example: 'blocks.delete was not run: the person said no. Nothing was changed.',
  },
  request_cancelled: {
    status: 409,
    title: 'The job was cancelled',
    meaning: 'The job was cancelled before it finished; nothing was changed.',
    remedy: 'Start it again if it is still wanted.',
    example: 'Job J0000000012-… was cancelled.',
  },
  job_interrupted: {
    status: 503,
    title: 'The job was interrupted',
    meaning: 'The gateway stopped while the job was running. None of its changes were kept.',
    remedy: 'Start it again.',
    example: 'The gateway stopped while the job was running.',
  },
  job_not_stopped: {
    status: 500,
    title: 'The job did not stop',
    meaning:
      'The job was cancelled and did not stop in time, so the gateway went on without it. None of its changes were kept, and what it still does has no effect.',
    remedy: 'Report it to the author of the plugin. GET /api/health says whether it still runs; a restart ends it.',
    example: 'Job J12-… (blocks.import) was cancelled and did not stop within 10 s.',
  },
  engine_failed: {
    status: 500,
    title: 'The engineering instance failed',
    meaning: 'The engineering-tool process ended or failed while it worked for this job. Nothing was changed.',
    remedy: 'Try again; the instance is started again by itself. See GET /api/instance/diagnostics.',
    example: 'The engineering instance (PID 4711) ended with signal SIGKILL.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'A fault in the gateway or in a plugin. Nothing was changed, unless the detail says what was.',
    remedy: 'Report it with the correlation id; the log of the gateway has the stack.',
    example: 'Operation tags.add failed unexpectedly (correlation id 4f1c…).',
  },
  not_available: {
    status: 501,
    title: 'Not available',
    meaning: 'This gateway cannot do this (yet), and says so instead of pretending.',
    remedy: 'The detail says what would be needed.',
    example: 'Compiling is not available in this version.',
  },
  log_unavailable: {
    status: 503,
    title: 'The log cannot be written',
    meaning:
      'A write to the data directory failed, so no command is accepted. Reads go on from the last durable state.',
    remedy:
      'Make room or repair the disk; the gateway goes on by itself. GET /api/health says when. A job whose end is not known is settled then: read it.',
    example: 'The log cannot be written: ENOSPC.',
  },
  log_corrupt: {
    status: 503,
    title: 'The log is damaged',
    meaning:
      'A record in the data directory does not match its hash. The gateway does not serve data it cannot vouch for.',
    remedy: 'Restore the data directory from a backup, or see `gantry audit verify --help`.',
    example: 'Commit at seq 1207: hash mismatch.',
  },
  queue_full: {
    status: 503,
    title: 'Too many pending jobs',
    meaning: 'The queue holds as many jobs as the limit allows.',
    remedy: 'Wait as long as Retry-After says.',
    example: '10000 jobs are pending (limits.pendingJobs).',
  },
  shutting_down: {
    status: 503,
    title: 'The gateway is shutting down',
    meaning: 'No new work is accepted.',
    remedy: 'Try again after the restart.',
    example: 'The gateway is shutting down.',
  },
} as const satisfies Record<string, ProblemDefinition>

/** A code of the core table. */
export type CoreProblemCode = keyof typeof coreProblems

/** Further members of a problem. */
export interface ProblemDetails {
  readonly errors?: readonly Fault[]
  /** Number of faults that were found beside those in `errors`. */
  readonly moreFaults?: number
  readonly suggestion?: string
  /** Extension members (RFC 9457, 3.2). */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The one error class: an operation throws it to answer with a problem. */
export class GatewayError extends Error {
  readonly code: string
  readonly details: ProblemDetails

  constructor(code: string, detail: string, details: ProblemDetails = {}) {
    super(shortened(detail), details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'GatewayError'
    this.code = code
    const { errors, moreFaults, ...rest } = details
    // The number is removed once it is in the text: an error that is made again of these details has it once.
    this.details = errors ? { ...rest, errors: someOf(errors, code, moreFaults) } : rest
  }
}

/** Maximum number of reported faults of a request. */
export const mostFaults = 50
/**
 * Maximum number of reported faults of a file: a person works them off one after the other. One more than a plugin
 * lists that ends its own list by saying so.
 */
const mostFileFaults = 1001

/** The faults to report; a last one has the number of the others. */
function someOf(faults: readonly Fault[], code: string, more = 0): Fault[] {
  const most = code === 'invalid_input' ? mostFaults : mostFileFaults
  // An error that is made again of one has their number already.
  if (faults.length === most + 1 && /^and \d+ more$/.test(faults[most]?.message ?? '')) return [...faults]
  const told = faults.slice(0, most).map(shortFault)
  const rest = faults.length - told.length + more
  return rest > 0 ? [...told, { message: `and ${rest} more` }] : told
}

const longestText = 2000
const longestValue = 500

/** Shortens text that a client sent for use in a message: keeps its beginning and its end. */
function shortened(text: string): string {
  if (text.length <= longestText) return text
  const half = longestText / 2
  return `${text.slice(0, half)} … ${text.slice(-half)}`
}

function shortFault(fault: Fault): Fault {
  const { message, value } = fault
  const isLong = message.length > longestText || (value != null && sizeOf(value) > longestValue)
  if (!isLong) return fault
  return { ...fault, message: shortened(message), ...(value === undefined ? {} : { value: shortValue(value) }) }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' ? JSON.stringify(value).length : 0
}

function shortValue(value: unknown): unknown {
  if (value === null || sizeOf(value) <= longestValue) return value
  if (typeof value === 'string') return `${value.slice(0, longestValue)}…`
  return Array.isArray(value) ? '[array]' : '[object]'
}

/** True for a GatewayError, also for one of another copy of this module (a third-party plugin with its own install). */
export function isGatewayError(error: unknown): error is GatewayError {
  return error instanceof Error && error.name === 'GatewayError' && 'code' in error && 'details' in error
}

/** Makes the error for a code of a table; the detail names the fault, its place and the remedy. */
export type MakeProblem<Code extends string> = (code: Code, detail: string, details?: ProblemDetails) => GatewayError

/** Makes the error for a code of the core table. */
export const problem: MakeProblem<CoreProblemCode> = (code, detail, details) => new GatewayError(code, detail, details)

/**
 * Like {@link problem}, for a plugin's own table, which it registers with `definePlugin({ problems })`. A code that is
 * in neither table does not compile.
 */
export function problemsOf<Code extends string>(
  _table: Readonly<Record<Code, ProblemDefinition>>,
): MakeProblem<Code | CoreProblemCode> {
  return (code, detail, details) => new GatewayError(code, detail, details)
}

/**
 * A `not_found` error that names the thing, suggests the nearest existing name and lists what there is.
 * @param where it was looked for, after the name: `on the screen "Main"`
 */
export function notFound(kind: string, name: string, existing: Iterable<string> = [], where = ''): GatewayError {
  const names = [...new Set(existing)]
  const near = nearest(name, names)
  // A few names say more than none, the most alike first; a long list would bury the message.
  const some = (names.length > 10 ? alikeFirst(name, names, 10) : names).map((one) => `"${one}"`)
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ''
  const known = names.length > (near ? 1 : 0) ? ` There is: ${some.join(', ')}${more}.` : ''
  return problem(
    'not_found',
    `There is no ${kind} "${name}"${where && ` ${where}`}.${near ? ` Did you mean "${near}"?` : ''}${known}`,
    near ? { suggestion: near } : {},
  )
}
