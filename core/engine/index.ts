/**
 * The engine host: the embedded engineering tool as a process of its own, which the gateway launches, attaches to,
 * detaches from and shuts down, and which does the work that would block the gateway's event loop.
 */
export { EngineHost } from './engine-host.ts'
export { EngineError, isEngineError } from './errors.ts'
export type { EngineHostOptions, EngineInstance, EngineRunOptions, EngineTask } from './types.ts'
