/** The public API of Gantry's core: all that a plugin needs. */

export type { CliCommand, CliTools } from './cli/plugin-commands.ts'
export type { Gateway } from './gateway.ts'
export * from './plugin-api.ts'

import type { LocalPlugins } from './plugins/local-plugins.ts'

export type { LocalFault, LocalPlugins } from './plugins/local-plugins.ts'
export type { PluginFactory } from './plugins/plugin-loader.ts'

/** Loads plugins of folders (absolute paths) for what they contribute, without a gateway. Never throws. */
export async function localPlugins(folders: readonly string[]): Promise<LocalPlugins> {
  return (await import('./plugins/local-plugins.ts')).localPlugins(folders)
}
