/**
 * Where the running code is, and how more modules are loaded. It is `dist/`, the JavaScript that `scripts/build.mjs`
 * makes, or in tests the TypeScript sources through the tsx loader. A loader costs 2 to 3 ms for each module in every
 * process and thread, so a gateway runs without one until it loads a TypeScript plugin.
 */
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** True when the running code is `dist/`: plain JavaScript. */
const isBuilt = import.meta.url.endsWith('.js')

/** Makes stack traces name the lines of the sources; tsx does so by itself. */
const sourceMapFlags = isBuilt ? ['--enable-source-maps'] : []

/** The folder that contains the running `core/`, `store/`, `plc/` and `plugins/`. */
const codeDir = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of Gantry's package, wherever its code runs from. */
export const packageDir = isBuilt ? join(codeDir, '..') : codeDir

/** The directory of the built-in plugins. */
export const builtInPlugins = join(codeDir, 'plugins')

let version: string | undefined

/** The version of the running code: equal for equal code. The build writes it; for the sources it is `sources`. */
export function codeVersion(): string {
  version ??= isBuilt ? readFileSync(join(codeDir, 'code-version'), 'utf8') : 'sources'
  return version
}

const isOwn = (url: string) => url.startsWith(pathToFileURL(codeDir).href)
const isTypeScript = (url: string) => /\.m?ts$/.test(url)

/**
 * The URL that a module runs from. Code names the modules of its threads and tasks as in the sources (`new
 * URL('./x.ts', import.meta.url)`, which the compiler does not change); in `dist/` such a module is a `.js` file.
 * Modules of third-party plugins keep their URL.
 */
export function runningModule(url: string): string {
  return isBuilt && isOwn(url) ? url.replace(/\.ts$/, '.js') : url
}

let typeScript: Promise<void> | undefined

/** Makes TypeScript of third-party plugins loadable in this thread. */
function allowTypeScript(): Promise<void> {
  typeScript ??= loadTypeScript()
  return typeScript
}

async function loadTypeScript(): Promise<void> {
  // Outside `dist/` the code runs through tsx already.
  if (isBuilt) (await import('tsx/esm/api')).register()
  register('./typescript-format.mjs', import.meta.url)
}

/** Imports a module by its `file:` URL: one of this code or of a third-party plugin, in JavaScript or TypeScript. */
export async function importModule(url: string): Promise<Record<string, unknown>> {
  const running = runningModule(url)
  if (isTypeScript(running) && !isOwn(running)) await allowTypeScript()
  return (await import(running)) as Record<string, unknown>
}

/** Starts a thread with the module as its entry. It inherits no flags of this process (loaders, inspectors). */
export function startThread(module: URL, options: Omit<WorkerOptions, 'argv' | 'execArgv'>): Worker {
  const running = runningModule(module.href)
  const plain = { ...options, execArgv: sourceMapFlags }
  return isTypeScript(running)
    ? new Worker(new URL('./typescript-thread.mjs', import.meta.url), { ...plain, argv: [running] })
    : new Worker(new URL(running), plain)
}

/** Node's arguments to run a module of this code in a process of its own. */
export function processArguments(module: URL): string[] {
  // tsx as a URL: `--import tsx` would be looked up from the working directory, which need not be the package's.
  const flags = isBuilt ? sourceMapFlags : ['--import', import.meta.resolve('tsx')]
  return [...flags, fileURLToPath(runningModule(module.href))]
}
