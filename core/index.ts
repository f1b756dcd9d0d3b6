/** The public surface of Gantry's core: all that a plugin needs. */

export { nearest } from '../lib/nearest.ts'
export type { LogRecord } from '../store/index.ts'
export { startThread } from './boot/running-code.ts'
export {
  type Collection,
  type CollectionReader,
  type CollectionWriter,
  collection,
  type OwnerKind,
  ownedBy,
  ownerKind,
  type SliceReader,
} from './collection.ts'
export type { Actor, BlobReader, BlobWriter, CommandContext, FileReader, FileWriter, QueryContext } from './context.ts'
export { systemActor } from './context.ts'
export type { EngineTask } from './engine/index.ts'
export { type DomainEvent, domainEvent } from './event.ts'
export type { Gateway } from './gateway.ts'
export {
  type Access,
  accessLevels,
  command,
  del,
  get,
  type Operation,
  patch,
  post,
  put,
  query,
  type StreamEvent,
  stream,
} from './operation.ts'
export {
  type DocsPage,
  definePlugin,
  type Extension,
  type ExtensionPoint,
  endsOwner,
  extend,
  extensionPoint,
  type Hook,
  on,
  type Plugin,
  type PluginFactory,
  type Slice,
} from './plugin.ts'
export {
  type Fault,
  GatewayError,
  isGatewayError,
  notFound,
  type ProblemDefinition,
  problem,
  problemsOf,
} from './problems.ts'
export { noInput, type SchemaBuilder, type Static, type TSchema, type Upload } from './schema.ts'
export { compileInput, plainNames } from './validation.ts'
