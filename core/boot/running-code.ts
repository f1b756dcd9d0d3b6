/**
 * What code runs here: the TypeScript sources through the tsx loader, or the compiled tree (`compiled-tree.mjs`), and how more of it is loaded.
 */
import { existsSync, readFileSync } from 'node:fs'
import { register } from 'node:module'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** This is the compiled tree: plain JavaScript. */
export const isCompiled = import.meta.url.endsWith('.js')

const codeDir = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of Gantry's package, wherever its code runs from. */
export const packageDir = isCompiled ? join(codeDir, '../../..', sep) : codeDir

let version: string | undefined

/** Names the code that this process was started from: the same for the same code, `sources` when the loader takes the sources as they are. */
export function codeVersion(): string {
  version ??= isCompiled ? readCodeVersion() : 'sources'
  return version
}

function readCodeVersion(): string {
  try {
    return readFileSync(join(codeDir, 'code-version'), 'utf8')
  } catch {
    return `unknown ${process.pid}`
  }
}

/** Where a file or folder of the package runs from; any other path stays as it is. */
export function runnablePath(path: string): string {
  if (!isCompiled) return path
  const inside = relative(packageDir, path)
  const mirrored = join(codeDir, inside)
  return /^(core|store|plugins)([\\/]|$)/.test(inside) && existsSync(mirrored) ? mirrored : path
}

/** Whether the module belongs to the code that runs here, and needs nothing to be loaded. */
function isOwn(url: string): boolean {
  return url.startsWith(pathToFileURL(codeDir).href)
}

let loader: Promise<void> | undefined

/** Makes third-party plugins loadable in this thread, in TypeScript too, from the compiled tree and from the sources alike. */
function allowPlugins(): Promise<void> {
  loader ??= import('tsx/esm/api').then((tsx) => {
    if (isCompiled) tsx.register()
    const data = { sources: pathToFileURL(packageDir).href, tree: pathToFileURL(codeDir).href }
    register('./plugin-modules.mjs', { parentURL: import.meta.url, data })
  })
  return loader
}

/** Imports a module by its `file:` URL, from wherever it is. */
export async function importModule(url: string): Promise<Record<string, unknown>> {
  if (!isOwn(url)) await allowPlugins()
  return (await import(url)) as Record<string, unknown>
}

/** Starts a thread whose entry is the module; it inherits none of the flags this process was started with (loaders, inspectors). */
export function startThread(module: URL, options: Omit<WorkerOptions, 'argv' | 'execArgv'>): Worker {
  // Errors name the source's lines, as in the process itself; the loader of the sources sees to that alone.
  const plain = { ...options, execArgv: isCompiled ? ['--enable-source-maps'] : [] }
  const ofPlugin = isOwn(module.href) ? undefined : new URL('./plugin-thread.ts', import.meta.url)
  if (isCompiled) return new Worker(ofPlugin ?? module, { ...plain, argv: [module.href] })
  const entry = new URL('./source-thread.mjs', import.meta.url)
  return new Worker(entry, { ...plain, argv: [(ofPlugin ?? module).href, module.href] })
}

/** Arguments for Node to run a module of this code in a process of its own. */
export function processArguments(module: URL): string[] {
  // tsx as a URL: `--import tsx` would be looked up from the working directory, which need not be the package's.
  return [...(isCompiled ? ['--enable-source-maps'] : ['--import', import.meta.resolve('tsx')]), fileURLToPath(module)]
}
