import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { processArguments } from '../boot/running-code.ts'
import { withCoveredFiles } from '../files/covered-files.ts'
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
 * output to the gateway); it ends with the gateway unless that detaches from it. Throws `EngineError`
 * `engine_unavailable` with the last lines of its stderr.
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
  try {
    prepareInstancesDir(settings.instancesDir)
    output = openSync(log, 'a', 0o600)
    const { GANTRY_API_KEY: _key, NODE_OPTIONS: _options, ...env } = process.env
    const args = [...execArgv, ...processArguments(new URL('./host.ts', import.meta.url))]
    const out = output
    return withCoveredFiles(4, (covered) =>
      spawn(process.execPath, [...args, JSON.stringify({ id, ...settings } satisfies HostSettings)], {
        cwd: settings.instancesDir,
        detached: true,
        windowsHide: true,
        env,
        stdio: ['ignore', out, out, 'ipc', ...covered],
      }),
    )
  } catch (error) {
    throw new EngineError('engine_unavailable', `The engine instance could not be started: ${messageOf(error)}`)
  } finally {
    if (output !== undefined) closeSync(output)
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
