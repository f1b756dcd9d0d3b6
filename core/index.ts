/** The public API of Gantry's core: all that a plugin needs. */

export type { CliCommand, CliTools } from './cli/plugin-commands.ts'
export type { Gateway } from './gateway.ts'
export * from './plugin-api.ts'
export type { PluginFactory } from './plugins/plugin-loader.ts'
