/** Finds plugins, orders them, and takes them in; a faulty one is skipped with the reason, and the gateway still starts. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from './plugin.ts'
import type { Registry } from './registry.ts'
import type { State } from './state.ts'

/** A plugin that was not loaded, and why. */
export interface PluginFault {
  readonly name: string
  readonly folder: string
  readonly reason: string
}

/** A loaded plugin and where it came from. */
export interface LoadedPlugin {
  readonly plugin: Plugin
  readonly folder: string
}

/** Loads every folder with an `index.ts`, `index.js` or `index.mjs` in the given directories. */
export async function loadPlugins(
  directories: readonly string[],
  registry: Registry,
  state: State,
): Promise<{ loaded: LoadedPlugin[]; faults: PluginFault[] }> {
  const faults: PluginFault[] = []
  const found = (await Promise.all(directories.map((directory) => importFolder(directory, faults)))).flat()
  const loaded: LoadedPlugin[] = []
  for (const candidate of inOrder(found, faults)) {
    const { plugin, folder } = candidate
    const missing = (plugin.requires ?? []).filter((name) => !loaded.some((l) => l.plugin.name === name))
    if (missing.length > 0) {
      faults.push({
        name: plugin.name,
        folder,
        reason: `needs plugin ${missing.map((m) => `"${m}"`).join(', ')}, which is not loaded`,
      })
      continue
    }
    try {
      registry.add(plugin)
      registerSlice(plugin, state)
      loaded.push(candidate)
    } catch (error) {
      faults.push({ name: plugin.name, folder, reason: (error as Error).message })
    }
  }
  return { loaded, faults }
}

/** Makes a plugin's collections and reducers known to the state. */
export function registerSlice({ name, slice }: Pick<Plugin, 'name' | 'slice'>, state: State) {
  if (!slice) return
  for (const collection of slice.collections) {
    if (!collection.id.startsWith(`${name}.`))
      throw new Error(`collection "${collection.id}" must be named "${name}.…"`)
    state.register(collection)
  }
  for (const { event, reduce } of slice.reductions) state.on(event.type, reduce, name)
}

async function importFolder(directory: string, faults: PluginFault[]): Promise<LoadedPlugin[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') faults.push({ name: directory, folder: directory, reason: error.message })
    return []
  })
  const folders = entries
    .filter((e) => (e.isDirectory() || e.isSymbolicLink()) && !e.name.startsWith('.'))
    .map((e) => e.name)
  const plugins = await Promise.all(
    folders.sort().map(async (name): Promise<LoadedPlugin | undefined> => {
      const folder = join(directory, name)
      try {
        const files = await readdir(folder)
        const entry = ['index.ts', 'index.js', 'index.mjs'].find((file) => files.includes(file))
        if (!entry) return undefined
        const module = (await import(pathToFileURL(join(folder, entry)).href)) as { default?: unknown }
        if (!isPlugin(module.default))
          throw new Error(`${entry} does not default-export definePlugin({ name, version, … })`)
        return { plugin: module.default, folder }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
        faults.push({ name, folder, reason: (error as Error)?.message ?? String(error) })
        return undefined
      }
    }),
  )
  return plugins.filter((p) => p !== undefined)
}

function isPlugin(value: unknown): value is Plugin {
  const plugin = value as Partial<Plugin> | null | undefined
  return (
    typeof plugin === 'object' &&
    plugin !== null &&
    typeof plugin.name === 'string' &&
    typeof plugin.version === 'string'
  )
}

/** Load order: what a plugin requires comes before it; else built-in before dropped-in, by folder name. A cycle is a fault of all in it. */
function inOrder(found: readonly LoadedPlugin[], faults: PluginFault[]): LoadedPlugin[] {
  const ordered: LoadedPlugin[] = []
  const done = new Set<LoadedPlugin>()
  const visit = (candidate: LoadedPlugin, path: readonly string[]): void => {
    if (done.has(candidate)) return
    const { name } = candidate.plugin
    if (path.includes(name))
      throw new Error(`plugins require each other: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`)
    for (const required of candidate.plugin.requires ?? []) {
      const other = found.find((c) => c.plugin.name === required)
      if (other) visit(other, [...path, name])
    }
    done.add(candidate)
    ordered.push(candidate)
  }
  for (const candidate of found) {
    try {
      visit(candidate, [])
    } catch (error) {
      done.add(candidate)
      faults.push({ name: candidate.plugin.name, folder: candidate.folder, reason: (error as Error).message })
    }
  }
  return ordered
}
