/** `gantry serve --watch`: runs the gateway in a process of its own and starts it again when a plugin changes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { watch as watchFolder } from 'node:fs'
import { processArguments } from '../boot/running-code.ts'
import { endMessage, exitCodeOf, onEndSignal } from '../process/end-signals.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import type { ServeRun } from './options.ts'

/** An editor writes a file in several steps; the gateway starts again when nothing has changed for this long, ms. */
const quietMs = 300

/**
 * Serves until a signal ends it, or `gantry stop` its gateway.
 * @param args the arguments of `serve`
 * @throws CliError `usage` when there is no directory of plugins to watch, or one that cannot be watched
 */
export async function watch(args: readonly string[], { pluginDirs: [, ...folders] }: ServeRun): Promise<void> {
  if (folders.length === 0)
    throw new CliError('--watch needs --plugins-dir: the directory whose plugins you work on.', exitCodes.usage)
  const nextChange = watchPlugins(folders)
  const main = processArguments(new URL('./main.ts', import.meta.url))
  const command = [...main, 'serve', ...args.filter((arg) => arg !== '--watch'), '--dev']
  let child: ChildProcess | undefined
  let isEnding = false
  onEndSignal((signal) => {
    isEnding = true
    if (child === undefined) process.exit(exitCodeOf(signal))
    // On Windows the console has told the child already, and `kill` would end it hard.
    if (process.platform !== 'win32') child.kill(signal)
  })
  while (true) {
    const running = spawn(process.execPath, command, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
    child = running
    const exit = new Promise<number>((resolve) => running.once('exit', (code) => resolve(code ?? exitCodes.failed)))
    const changed = nextChange()
    const ended = await Promise.race([exit, changed])
    // It may have ended in this moment: then there is nobody to tell.
    if (ended === undefined && running.connected) running.send(endMessage, () => {})
    const code = await exit
    child = undefined
    // 0 without a change of a plugin: it was told to stop.
    if (isEnding || ended === exitCodes.ok) process.exit(code)
    if (ended !== undefined) {
      process.stderr.write('gantry: the gateway has ended; it starts again when a plugin changes.\n')
      await changed
    }
    process.stderr.write('gantry: a plugin has changed; the gateway starts again.\n')
  }
}

/** Watches folders. Returns a function whose promise resolves after the next change. */
function watchPlugins(folders: readonly string[]): () => Promise<undefined> {
  let timer: NodeJS.Timeout | undefined
  let tell = () => {}
  for (const folder of folders) {
    try {
      watchFolder(folder, { recursive: true }, (_event, file) => {
        if (/(^|[\\/])(node_modules|\.git)([\\/]|$)/.test(file ?? '')) return
        clearTimeout(timer)
        timer = setTimeout(() => tell(), quietMs)
      })
    } catch (error) {
      throw new CliError(`${folder} cannot be watched: ${(error as Error).message}`, exitCodes.usage, { cause: error })
    }
  }
  return () =>
    new Promise((resolve) => {
      tell = () => resolve(undefined)
    })
}
