/** A native dialog on the machine the gateway runs on. */
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { withCoveredFiles } from '../../../core/services.ts'
import type { BrowseKind, DesktopHost, DialogFilter, DialogProgram, DialogQuestion, ProgramEnd } from './programs.ts'

export type { BrowseKind } from './programs.ts'

/**
 * `no_desktop`: no dialog can be shown on this machine. `invalid_request`: an argument is wrong. `aborted`: by the
 * signal.
 */
export type DialogErrorCode = 'no_desktop' | 'invalid_request' | 'dialog_failed' | 'aborted'

/** Thrown when a dialog cannot be shown or fails. */
export class DialogError extends Error {
  override readonly name = 'DialogError'
  readonly code: DialogErrorCode
  constructor(code: DialogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Options of a dialog. */
export interface BrowseRequest {
  /** `project` is a file dialog for project files and archives, unless `filters` is given. */
  readonly kind: BrowseKind
  readonly title?: string
  /** Absolute path to start in; for a file or a path that does not exist, the nearest existing directory is used. */
  readonly startIn?: string
  /** File name patterns of `*`, `?`, letters, digits and `._-+`. Ignored for folders. */
  readonly filters?: readonly DialogFilter[]
}

const TITLES: Record<BrowseKind, string> = {
  file: 'Select a file',
  folder: 'Select a folder',
  project: 'Select a project',
}

/** What `projects.open` takes: Gantry's manifest, TIA Portal's projects and libraries, and archives of them. */
const PROJECT_FILTERS: readonly DialogFilter[] = [
  { name: 'Projects', patterns: ['*.gantry', ...['ap', 'zap', 'al', 'zal'].flatMap(versions)] },
  { name: 'All files', patterns: ['*'] },
]

const MAX_OUTPUT_BYTES = 64 * 1024

/**
 * Opens a native dialog. Arguments do not pass through a shell. An aborted signal closes the dialog.
 * @returns the chosen absolute path, or null when the user cancelled
 * @throws DialogError
 */
export async function browse(
  request: BrowseRequest,
  signal?: AbortSignal,
  host: DesktopHost = { platform: process.platform, env: process.env },
): Promise<string | null> {
  const question = await check(request)
  if (signal?.aborted) throw aborted(signal)
  const { findDialogProgram } = await import('./programs.ts')
  const program = await findDialogProgram(question, host)
  if ('missing' in program) throw noDesktop(program.missing)
  const end = await start(program, host.env, signal)
  if (signal?.aborted) throw aborted(signal)
  switch (program.outcome(end)) {
    case 'chosen':
      return chosenPath(end.stdout)
    case 'cancelled':
      return null
    case 'no-desktop':
      throw noDesktop(`${program.file} says: ${end.stderr.trim() || 'the session is not interactive'}`)
    case 'failed': {
      const how = end.signal ? `signal ${end.signal}` : `exit code ${end.code}`
      throw new DialogError(
        'dialog_failed',
        `The dialog program ${program.file} failed (${how}): ${end.stderr.trim() || 'no message'}`,
      )
    }
  }
}

async function check(request: BrowseRequest): Promise<DialogQuestion> {
  if (!Object.hasOwn(TITLES, request.kind)) {
    throw new DialogError(
      'invalid_request',
      `kind is "${String(request.kind)}"; allowed are ${Object.keys(TITLES).join(', ')}.`,
    )
  }
  const filters = request.filters ?? (request.kind === 'project' ? PROJECT_FILTERS : [])
  for (const filter of filters) {
    if (filter.patterns.length === 0)
      throw new DialogError('invalid_request', `The filter "${filter.name}" has no patterns.`)
    for (const pattern of filter.patterns) {
      // Blanks, bars and leading dashes have a meaning in the dialog programs and are not allowed.
      if (/^[\w*?.][\w*?.+-]*$/.test(pattern)) continue
      throw new DialogError(
        'invalid_request',
        `The filter pattern "${pattern}" is not allowed; write for example *.csv.`,
      )
    }
  }
  return {
    kind: request.kind,
    title: oneLine(request.title ?? '') || TITLES[request.kind],
    startIn: request.startIn === undefined ? undefined : await nearestDirectory(request.startIn),
    filters:
      request.kind === 'folder'
        ? []
        : filters.map((f) => ({ name: oneLine(f.name).replaceAll('|', '/'), patterns: f.patterns })),
  }
}

async function nearestDirectory(path: string): Promise<string> {
  const { isAbsolute, dirname } = await import('node:path')
  const { stat } = await import('node:fs/promises')
  if (!isAbsolute(path) || path.includes('\0')) {
    throw new DialogError('invalid_request', `startIn must be an absolute path, not "${path}".`)
  }
  let candidate = path
  for (;;) {
    const info = await stat(candidate).catch(() => undefined)
    const parent = dirname(candidate)
    if (info?.isDirectory() || parent === candidate) return candidate
    candidate = parent
  }
}

async function start(
  program: DialogProgram,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<ProgramEnd> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const options = { env: { ...env, ...program.env }, windowsHide: true, ...(signal ? { signal } : {}) }
    const child = withCoveredFiles(3, (covered) =>
      spawn(program.file, program.args, { ...options, stdio: ['ignore', 'pipe', 'pipe', ...covered] }),
    ) as ChildProcessByStdio<null, Readable, Readable>
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(0, MAX_OUTPUT_BYTES)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, MAX_OUTPUT_BYTES)
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ABORT_ERR') reject(aborted(signal!))
      else if (error.code === 'ENOENT') reject(noDesktop(`the program ${program.file} does not exist`))
      else
        reject(
          new DialogError('dialog_failed', `The dialog program ${program.file} cannot be started: ${error.message}`, {
            cause: error,
          }),
        )
    })
    child.once('close', (code, endSignal) => resolve({ code, signal: endSignal, stdout, stderr }))
  })
}

/** The output line without its line end; macOS adds a slash to folders. */
function chosenPath(stdout: string): string | null {
  const path = stdout.replace(/\r?\n$/, '')
  if (path === '') return null
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}

function noDesktop(looked: string): DialogError {
  return new DialogError('no_desktop', `The host has no desktop to show a dialog on: ${looked}.`)
}

function aborted(signal: AbortSignal): DialogError {
  return new DialogError('aborted', 'The dialog was closed because the request was cancelled.', {
    cause: signal.reason,
  })
}

/** Patterns for the engineering versions V13 to V21: not every dialog supports character classes. */
function versions(extension: string): string[] {
  return [13, 14, 15, '15_1', 16, 17, 18, 19, 20, 21].map((version) => `*.${extension}${version}`)
}
