/**
 * Finds plugins, orders them and registers them. A faulty plugin is skipped with the reason; the gateway still starts.
 */
import { readdirSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { within } from '../../lib/within.ts'
import { builtInPlugins, importModule } from '../boot/running-code.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { State } from '../state/state.ts'
import { contributionFaults } from './contribution-check.ts'
import { pluginFaults } from './plugin-check.ts'
import type { Registry } from './registry.ts'

/**
 * Alternative default export: a function that gets the public API, and the extension points of the core and of the
 * built-in plugins. A plugin outside this repository then needs no install of its own; `import type * as gantry from
 * 'gantry'` and `import type * as points from 'gantry/points'` are only for its type checker.
 */
export type PluginFactory<Points = Readonly<Record<string, unknown>>> = (
  gantry: typeof import('../plugin-api.ts'),
  points: Points,
) => Plugin | Promise<Plugin>

/** A plugin that was not loaded, and the reason. */
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

/** After this time a plugin counts as one that will never load, start or stop, ms. */
export const longestLoadMs = 30_000
/** The same for plugins of this package: they do load, be it on a machine that has much else to do. */
const longestOwnLoadMs = 600_000

/** Loads every folder with an `index.ts`, `index.js` or `index.mjs` in the given directories. */
export async function loadPlugins(
  directories: readonly string[],
  registry: Registry,
  state: State,
  limits: { readonly importMs: number } = { importMs: longestLoadMs },
): Promise<{ loaded: LoadedPlugin[]; faults: PluginFault[] }> {
  const faults: PluginFault[] = []
  const found = (
    await Promise.all(
      directories.map((directory) =>
        importFolder(directory, faults, directory === builtInPlugins ? longestOwnLoadMs : limits.importMs),
      ),
    )
  ).flat()
  const loaded = whole(inOrder(found, faults), registry, state, faults)
  for (const { plugin } of loaded) {
    registry.add(plugin)
    registerSlice(plugin, state)
  }
  return { loaded, faults }
}

/**
 * The plugins that can be registered together. Contributions are checked when all extension points are known, and a
 * plugin that is refused for one takes its own points with it: it is tried again without those refused, until none is.
 */
function whole(
  ordered: readonly LoadedPlugin[],
  registry: Registry,
  state: State,
  faults: PluginFault[],
): LoadedPlugin[] {
  const refused = new Map<LoadedPlugin, string>()
  for (;;) {
    const { fit, failed, points } = tried(ordered, refused, registry, state)
    const reasons = new Map([...refused, ...failed])
    const absent = (name: string) => {
      const of = [...reasons].find(([{ plugin }]) => plugin.name === name)
      const [other] = faults.filter((fault) => fault.name === name)
      const reason = of?.[1] ?? other?.reason
      if (reason !== undefined) return ` Plugin "${name}" is not loaded: ${reason}`
      const isLoaded = fit.some(({ plugin }) => plugin.name === name)
      return isLoaded ? '' : ` No plugin "${name}" is there.`
    }
    const before = refused.size
    for (const candidate of fit) {
      const wrong = contributionFaults(candidate.plugin, points, absent)
      if (wrong.length > 0) refused.set(candidate, wrong.join('; '))
    }
    if (refused.size > before) continue
    for (const [{ plugin, folder }, reason] of reasons) faults.push({ name: plugin.name, folder, reason })
    return fit
  }
}

/** Registers plugins for trial: those that fit together, why the others do not, and all extension points. */
function tried(
  ordered: readonly LoadedPlugin[],
  refused: ReadonlyMap<LoadedPlugin, string>,
  registry: Registry,
  state: State,
) {
  const trial = registry.copy()
  const collections = new Set(state.collectionIds())
  const fit: LoadedPlugin[] = []
  const failed = new Map<LoadedPlugin, string>()
  for (const candidate of ordered) {
    if (refused.has(candidate)) continue
    const { plugin } = candidate
    const missing = (plugin.requires ?? []).filter((name) => !fit.some((one) => one.plugin.name === name))
    if (missing.length > 0) {
      const named = missing.map((name) => `"${name}"`).join(', ')
      failed.set(candidate, `needs plugin ${named}, which is not loaded`)
      continue
    }
    try {
      checkSlice(plugin, collections)
      trial.add(plugin)
      for (const { id } of plugin.slice?.collections ?? []) collections.add(id)
      fit.push(candidate)
    } catch (error) {
      failed.set(candidate, (error as Error).message)
    }
  }
  return { fit, failed, points: trial.points }
}

/** Runs before anything of a plugin is registered, so that a plugin with a faulty slice leaves no routes behind. */
function checkSlice({ name, slice }: Plugin, present: ReadonlySet<string>) {
  if (!slice) return
  if (!Number.isInteger(slice.version)) throw new Error(`slice.version must be an integer, not ${slice.version}`)
  const taken = new Set(present)
  for (const { id, indexes, owners } of slice.collections) {
    if (!id.startsWith(`${name}.`)) throw new Error(`collection "${id}" must be named "${name}.…"`)
    if (taken.has(id)) throw new Error(`collection "${id}" is declared twice`)
    taken.add(id)
    for (const { index } of owners) {
      if (index !== undefined && !(index in indexes))
        throw new Error(`collection "${id}" has no index "${index}" to know its owner by`)
    }
  }
  for (const { event, reduce } of slice.reductions) {
    if (typeof event?.type !== 'string' || typeof reduce !== 'function')
      throw new Error('slice.reductions must be made with on(event, reducer)')
  }
}

/** Registers a plugin's collections and reducers in the state. */
export function registerSlice({ name, slice }: Pick<Plugin, 'name' | 'slice'>, state: State) {
  if (!slice) return
  state.reductions.slice(name, slice)
  for (const collection of slice.collections) state.register(collection)
  for (const { event, reduce } of slice.reductions) state.reductions.on(event.type, reduce, name)
  for (const { event, owner, idOf } of slice.endings ?? []) state.reductions.endsOwner(event.type, owner.id, idOf)
}

async function importFolder(directory: string, faults: PluginFault[], importMs: number): Promise<LoadedPlugin[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'this directory of plugins does not exist' : error.message
    faults.push({ name: directory, folder: directory, reason })
    return []
  })
  const folders = entries
    .filter((e) => (e.isDirectory() || e.isSymbolicLink()) && !e.name.startsWith('.'))
    .map((e) => e.name)
  const plugins = await Promise.all(
    folders.sort().map(async (name): Promise<LoadedPlugin | undefined> => {
      const folder = join(directory, name)
      try {
        return await importPluginFolder(folder, importMs)
      } catch (error) {
        if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOTDIR') return undefined
        faults.push({ name, folder, reason: reasonOf(error, folder) })
        return undefined
      }
    }),
  )
  return plugins.filter((p) => p !== undefined)
}

/**
 * Imports the plugin of a folder and checks its fields; undefined: there is no entry file.
 * @throws Error with the reason, or whatever the plugin throws
 */
export async function importPluginFolder(
  folder: string,
  importMs: number = longestLoadMs,
): Promise<LoadedPlugin | undefined> {
  const files = await readdir(folder)
  const entry = ['index.ts', 'index.js', 'index.mjs'].find((file) => files.includes(file))
  if (!entry) return undefined
  // Without the timer the process would end silently when all that it waits for is an import that never ends.
  const imported = await within(importPlugin(pathToFileURL(join(folder, entry)).href), importMs)
  if (!imported) throw new Error(`its import has not ended after ${importMs} ms: does it await what never comes?`)
  return { plugin: await checked(imported.plugin, entry), folder }
}

/** Why a plugin failed, with the place in its folder. */
export function reasonOf(error: unknown, folder: string): string {
  if (!(error instanceof Error)) return `it throws ${String(error)}`
  const { message } = error
  if (/^Cannot find (?:module|package) 'gantry'/.test(message))
    return "it imports 'gantry', which cannot be resolved from its folder: export a function (gantry) => gantry.definePlugin(…) instead"
  const place = placeOf(error, folder)
  return place === undefined || placesOf(folder).some((one) => message.includes(one))
    ? message
    : `${message} (${place})`
}

/** File, line and column, in the plugin's folder, where the error comes from. */
function placeOf({ stack }: Error, folder: string): string | undefined {
  const places = placesOf(folder)
  for (const line of stack?.split('\n') ?? []) {
    const at = places.map((place) => line.indexOf(place)).find((found) => found >= 0)
    if (at !== undefined) return placeInFile(line.slice(at).replace(/\)$/, ''))
  }
  return undefined
}

/** How frames of a stack name what is in a folder: as a path or as an address, which on Windows is no end of it. */
function placesOf(folder: string): string[] {
  return [folder, realFolder(folder)].flatMap((path) => [`${pathToFileURL(path).href}/`, path + sep])
}

/** A place of a stack as people know it, without the address around it: `<path>:<line>:<column>`. */
function placeInFile(place: string): string {
  const [, address, position] = /^(file:[^?#]*?)(?:[?#].*?)?((?::\d+)*)$/.exec(place) ?? []
  return address === undefined ? place : fileURLToPath(address) + position
}

/** True when an error comes from code in a plugin's folder: the innermost function with a file is there. */
export function isThrownBy(error: unknown, folder: string): boolean {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frame = stack.split('\n').find((line) => /^\s+at .*[/\\]/.test(line) && !line.includes('node:'))
  return frame !== undefined && placesOf(folder).some((place) => frame.includes(place))
}

/** What a directory of plugins holds, with links: a file among it is nobody's place. */
function foldersIn(directory: string): string[] {
  try {
    return readdirSync(directory).map((name) => join(directory, name))
  } catch {
    return []
  }
}

/** The plugin folder in one of the directories that an error comes from, loaded or not; undefined when from none. */
export function throwingFolder(error: unknown, directories: readonly string[]): string | undefined {
  for (const directory of directories) {
    const found = foldersIn(directory).find((folder) => isThrownBy(error, folder))
    if (found !== undefined) return found
  }
  return undefined
}

/** The folder that a module's own address names: links are resolved. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

async function importPlugin(url: string): Promise<{ readonly plugin: unknown }> {
  const { default: plugin } = await importModule(url)
  return { plugin: typeof plugin === 'function' ? await build(plugin) : plugin }
}

/**
 * A plugin outside this repository is a function that gets the public API: it needs no install of its own to resolve.
 */
async function build(factory: object): Promise<unknown> {
  return (factory as PluginFactory)(await import('../plugin-api.ts'), await builtInPoints())
}

/** The extension points of the core and of the built-in plugins, by the names of their constants. */
export function builtInPoints(): Promise<Readonly<Record<string, unknown>>> {
  return importModule(pathToFileURL(join(builtInPlugins, 'points.ts')).href)
}

/** @throws Error that says everything that is wrong with the default export */
async function checked(exported: unknown, entry: string): Promise<Plugin> {
  if (typeof exported !== 'object' || exported === null)
    throw new Error(
      `${entry} does not default-export definePlugin({ name, version, … }), or a function (gantry) => gantry.definePlugin(…)`,
    )
  const faults = pluginFaults(exported, await rangeCheck(exported))
  if (faults.length > 0) throw new Error(faults.join('; '))
  return exported as Plugin
}

/** Most plugins name no range, so the library that reads one is loaded only when it is needed. */
async function rangeCheck(exported: object): Promise<(version: string, range: string) => boolean> {
  return 'api' in exported ? (await import('semver')).default.satisfies : () => true
}

/**
 * Load order: a plugin comes after those that it requires; otherwise built-in plugins come first, then by folder name.
 * A cycle is a fault of every plugin in it.
 */
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
