/**
 * Plugins without a gateway: a command line, an editor or a task of the engine uses what they contribute, and nothing
 * else of them.
 */
import { stat } from 'node:fs/promises'
import type { ExtensionPoint } from '../contract/extension-point.ts'
import { contributionFaults } from './contribution-check.ts'
import { builtInPoints, importPluginFolder, type LoadedPlugin, reasonOf } from './plugin-loader.ts'

/** A folder whose plugin cannot be used, and why. */
export interface LocalFault {
  readonly folder: string
  readonly reason: string
}

/** The plugins of some folders. */
export interface LocalPlugins {
  readonly faults: readonly LocalFault[]
  /** What they contribute to a point, in the order of the folders. */
  extensions<T>(point: ExtensionPoint<T>): readonly T[]
}

/** Node keeps modules for the life of a process, so the plugin that a folder had first is the one that it has. */
const imported = new Map<string, Promise<LoadedPlugin>>()

function load(folder: string): Promise<LoadedPlugin> {
  let loading = imported.get(folder)
  if (loading === undefined) {
    loading = importFolder(folder)
    imported.set(folder, loading)
    // A folder that had no plugin may get one.
    loading.catch(() => imported.delete(folder))
  }
  return loading
}

async function importFolder(folder: string): Promise<LoadedPlugin> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw new Error('there is no such folder')
  const found = await importPluginFolder(folder)
  if (found === undefined) throw new Error('there is no index.ts, index.js or index.mjs in it')
  return found
}

/** Loads the plugins of folders, given by absolute paths. Never throws because of a plugin. */
export async function localPlugins(folders: readonly string[]): Promise<LocalPlugins> {
  const faults: LocalFault[] = []
  const loaded: LoadedPlugin[] = []
  for (const folder of new Set(folders))
    try {
      loaded.push(await load(folder))
    } catch (error) {
      faults.push({ folder, reason: reasonOf(error, folder) })
    }
  const known =
    loaded.length === 0 ? [] : (Object.values(await builtInPoints()) as (ExtensionPoint<unknown> | undefined)[])
  const own = loaded.flatMap(({ plugin }) => plugin.extensionPoints ?? [])
  const points = new Map([...known, ...own].flatMap((one) => (typeof one?.id === 'string' ? [[one.id, one]] : [])))
  const whole = loaded.filter(({ plugin, folder }) => {
    const wrong = contributionFaults(plugin, points, (name) => ` No plugin "${name}" is there.`)
    if (wrong.length > 0) faults.push({ folder, reason: `plugin "${plugin.name}": ${wrong.join('; ')}` })
    return wrong.length === 0
  })
  return {
    faults,
    extensions: <T>(point: ExtensionPoint<T>) =>
      whole.flatMap(({ plugin }) =>
        (plugin.extensions ?? []).flatMap((one) => (one.point === point.id ? [one.value as T] : [])),
      ),
  }
}
