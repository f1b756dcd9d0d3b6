/** Loads plugins for what they add to a check. */
import { basename, resolve } from 'node:path'
import { localPlugins } from '../../../core/index.ts'
import { readConfig } from '../../../plc/review/config.ts'
import { fileFormat } from '../../program-objects/index.ts'
import { reviewRule } from '../rule-point.ts'
import { type AddedByPlugins, noPlugins } from './added-by-plugins.ts'

/** Loads the plugins that settings name, by paths from the folder of the file. */
export async function configured(text: string, folder: string): Promise<AddedByPlugins> {
  const { plugins } = readConfig(text).config
  if (plugins.length === 0) return noPlugins
  const placed = plugins.map((one) => ({ ...one, path: resolve(folder, one.folder) }))
  const { faults, ...added } = await loadedFrom(placed.map(({ path }) => path))
  return {
    ...added,
    faults: placed.flatMap(({ path, folder: named, line, column }) =>
      faults
        .filter((fault) => fault.folder === path)
        .map(({ reason }) => ({ line, column, message: `the plugin "${named}" cannot be used: ${reason}.` })),
    ),
  }
}

/** Loads plugins by the absolute paths of their folders. */
export async function loadedFrom(folders: readonly string[]) {
  const plugins = await localPlugins(folders)
  const faulty = new Set(plugins.faults.map(({ folder }) => folder))
  return {
    rules: plugins.extensions(reviewRule),
    formats: plugins.extensions(fileFormat),
    faults: plugins.faults,
    loaded: folders.filter((folder) => !faulty.has(folder)).map((folder) => basename(folder)),
  }
}
