import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readdirSync } from 'node:fs'
import { devNull } from 'node:os'
import { processArguments } from '../boot/running-code.ts'
import { EngineError, messageOf } from './errors.ts'
import { logPath, newInstanceId, prepareInstancesDir, tailLines } from './instance-files.ts'
import type { HostSettings } from './types.ts'

/** Number of lines of an instance's log in errors. */
export const logLines = 20

/** The process of an instance that this gateway started. */
export interface LaunchedProcess {
  readonly pid: number
  readonly child: ChildProcess
  /** Resolves when the process has ended. */
  readonly exited: Promise<ExitStatus>
}

export interface ExitStatus {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * Starts an instance and resolves when it has published its file. The process is detached (its own process group, no
 * output to the gateway); it ends with the gateway unless that detaches from it. Throws `EngineError` `engine_unavailable` with the last
 * lines of its stderr.
 */
export async function launchInstance(
  settings: Omit<HostSettings, 'id'>,
  o: { timeoutMs: number; execArgv: readonly string[] },
): Promise<LaunchedProcess> {
  const id = newInstanceId()
  const log = logPath(settings.instancesDir, id)
  const child = start(id, log, settings, o.execArgv)
  const exited = new Promise<ExitStatus>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  try {
    await ready(child, o.timeoutMs)
  } catch (error) {
    child.kill('SIGKILL')
    const lines = await tailLines(log, logLines)
    const failure = new EngineError(
      'engine_unavailable',
      `The engine instance could not be started: ${messageOf(error)}`,
    )
    failure.stderr = lines
    throw failure
  }
  // The channel stays: its end tells the instance that this gateway is gone, however it went.
  child.channel?.unref()
  child.unref()
  return { pid: child.pid!, child, exited }
}

function start(id: string, log: string, settings: Omit<HostSettings, 'id'>, execArgv: readonly string[]): ChildProcess {
  let output: number | undefined
  let nothing: number | undefined
  try {
    prepareInstancesDir(settings.instancesDir)
    output = openSync(log, 'a', 0o600)
    nothing = openSync(devNull, 'r')
    const { GANTRY_API_KEY: _key, NODE_OPTIONS: _options, ...env } = process.env
    const args = [...execArgv, ...processArguments(new URL('./host.ts', import.meta.url))]
    return spawn(process.execPath, [...args, JSON.stringify({ id, ...settings } satisfies HostSettings)], {
      cwd: settings.instancesDir,
      detached: true,
      windowsHide: true,
      env,
      stdio: ['ignore', output, output, 'ipc', ...coveredFiles(4, nothing)],
    })
  } catch (error) {
    throw new EngineError('engine_unavailable', `The engine instance could not be started: ${messageOf(error)}`)
  } finally {
    if (output !== undefined) closeSync(output)
    if (nothing !== undefined) closeSync(nothing)
  }
}

/**
 * Puts an empty file in the place of every regular file that this process has open, from descriptor `from` on. LevelDB opens its
 * files without O_CLOEXEC (1.20, util/env_posix.cc), so that a new process would hold the database: deleted tables would
 * keep their disk space, and its tasks could write to it. Windows passes on nothing that it is not told to.
 */
function coveredFiles(from: number, empty: number): ('ignore' | number)[] {
  const open = new Set(openFiles().filter((descriptor) => descriptor !== empty))
  const last = Math.max(from - 1, ...open)
  return Array.from({ length: last - from + 1 }, (_, n) => (open.has(from + n) ? empty : 'ignore'))
}

function openFiles(): number[] {
  try {
    // Linux and macOS
    return readdirSync('/dev/fd').map(Number).filter(isRegularFile)
  } catch {
    return []
  }
}

/** Node opens everything else (sockets, pipes) so that no process inherits it. */
function isRegularFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false // the one that the list was read with is closed again
  }
}

function ready(child: ChildProcess, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it was not ready after ${timeoutMs} ms.`)), timeoutMs)
    const settle = (error?: Error) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    }
    child.once('message', () => settle())
    child.once('error', settle)
    child.once('exit', (code, signal) => settle(new Error(`it ended at once (${exitText({ code, signal })}).`)))
  })
}

/** `exit code 1` or `signal SIGKILL`. */
export function exitText(status: ExitStatus | undefined): string {
  if (!status) return 'exit status not known'
  return status.signal ? `signal ${status.signal}` : `exit code ${status.code}`
}
