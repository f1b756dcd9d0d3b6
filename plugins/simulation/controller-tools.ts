/**
 * Exports for plugins that run programs on controllers of their own. Loaded lazily by `controllerTools` of the plugin.
 */
export type { LoadedProgram, MemoryRange, MemoryWrite } from './controller/contract.ts'
export { createController } from './controller/controller.ts'
export { loadPackage } from './controller/load-package.ts'
export { type JsonValue, type ResolvedTag, readValue, requireProgram, resolveTag, writeValue } from './tags/index.ts'
