/**
 * What plugins add to a check: those that `gantry.yml` names, for a command line or an editor, or those that a gateway
 * has loaded. A gateway loads none that a file names: whoever may write into its workspace could run code in it.
 * Most folders name none, so what loads plugins is loaded when there are some.
 */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ReviewConfig } from '../../../plc/review/config.ts'
import { type AddedByPlugins, noPlugins } from './added-by-plugins.ts'
import { configNames } from './folder.ts'

/**
 * Loads the plugins that settings name.
 * @param text of the settings
 * @param folder of the file: paths count from there
 */
export async function configuredPlugins(text: string | undefined, folder: string): Promise<AddedByPlugins> {
  return text?.includes('plugins') ? (await import('./load-plugins.ts')).configured(text, folder) : noPlugins
}

/** Loads the plugins that `gantry.yml` of a folder of this machine names. */
export async function pluginsOfFolder(root: string): Promise<AddedByPlugins> {
  for (const name of configNames) {
    const text = await readFile(join(root, name), 'utf8').catch(() => undefined)
    if (text !== undefined) return configuredPlugins(text, root)
  }
  return noPlugins
}

/** Loads plugins from their folders, for a task of the engine. */
export async function loadedPlugins(folders: readonly string[]): Promise<AddedByPlugins> {
  if (folders.length === 0) return noPlugins
  return { ...(await (await import('./load-plugins.ts')).loadedFrom(folders)), faults: [] }
}

/** The plugins that settings name and that are not loaded: for a gateway, which loads none of them. */
export function notLoaded({ plugins }: ReviewConfig, { loaded }: AddedByPlugins) {
  return plugins.filter(({ folder }) => !loaded.includes(basename(folder)))
}
