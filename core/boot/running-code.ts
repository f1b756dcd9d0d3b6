/**
 * What code runs here: the TypeScript sources through the tsx loader, or the compiled tree (`compiled-tree.mjs`), and how more of it is loaded.
 */
import { existsSync } from 'node:fs'
import { register } from 'node:module'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** This is the compiled tree: plain JavaScript. */
export const isCompiled = import.meta.url.endsWith('.js')

const codeDir = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of Gantry's package, wherever its code runs from. */
export const packageDir = isCompiled ? join(codeDir, '../../..', sep) : codeDir

/** Where a file or folder of the package runs from; any other path stays as it is. */
export function runnablePath(path: string): string {
  if (!isCompiled) return path
  const inside = relative(packageDir, path)
  const mirrored = join(codeDir, inside)
  return /^(core|store|plugins)([\\/]|$)/.test(inside) && existsSync(mirrored) ? mirrored : path
}

let loader: Promise<void> | undefined

/** Makes TypeScript loadable in this thread: modules outside the compiled tree are third-party plugins and may be TypeScript. */
export function allowTypeScript(): Promise<void> {
  if (!isCompiled) return Promise.resolve()
  loader ??= import('tsx/esm/api').then((tsx) => {
    tsx.register()
    const data = { sources: pathToFileURL(packageDir).href, tree: pathToFileURL(codeDir).href }
    register('./plugin-modules.mjs', { parentURL: import.meta.url, data })
  })
  return loader
}

/** Imports a module by its `file:` URL, from wherever it is. */
export async function importModule(url: string): Promise<Record<string, unknown>> {
  if (!url.startsWith(pathToFileURL(codeDir).href)) await allowTypeScript()
  return (await import(url)) as Record<string, unknown>
}

/** Starts a thread whose entry is the module; it inherits none of the flags this process was started with (loaders, inspectors). */
export function startThread(module: URL, options: Omit<WorkerOptions, 'argv' | 'execArgv'>): Worker {
  const plain = { ...options, execArgv: [] }
  if (isCompiled && module.href.startsWith(pathToFileURL(codeDir).href)) return new Worker(module, plain)
  const entry = isCompiled ? './plugin-thread.ts' : './source-thread.mjs'
  return new Worker(new URL(entry, import.meta.url), { ...plain, argv: [module.href] })
}

/** Arguments for Node to run a module of this code in a process of its own. */
export function processArguments(module: URL): string[] {
  // tsx as a URL: `--import tsx` would be looked up from the working directory, which need not be the package's.
  return [...(isCompiled ? ['--enable-source-maps'] : ['--import', import.meta.resolve('tsx')]), fileURLToPath(module)]
}
