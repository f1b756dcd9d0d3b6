/**
 * What plugins use at run time; a plugin factory gets it as its argument. `index.ts` adds the types of the gateway
 * itself.
 */

export { dotSegmentFault } from '../lib/dot-segment.ts'
export { isObject } from '../lib/is-object.ts'
export { nearest } from '../lib/nearest.ts'
export { defined } from '../lib/optional.ts'
export type { LogRecord } from '../store/index.ts'
export { hashSecret, verifySecret } from './access/secrets.ts'
export { startThread } from './boot/running-code.ts'
export { type Access, type Actor, accessLevels, systemActor } from './contract/access.ts'
export { type CodeDefinition, type CodeTable, codeTables } from './contract/code-tables.ts'
export {
  type Collection,
  type CollectionReader,
  type CollectionWriter,
  collection,
  type OwnerKind,
  ownedBy,
  ownerKind,
  type SliceReader,
  type UndoRule,
} from './contract/collection.ts'
export type {
  BlobReader,
  BlobWriter,
  CallOptions,
  CommandContext,
  FileReader,
  FileWriter,
  QueryContext,
} from './contract/context.ts'
export { type DomainEvent, domainEvent } from './contract/event.ts'
export { type Extension, type ExtensionPoint, extend, extensionPoint } from './contract/extension-point.ts'
export { faultSchema, problemSchema } from './contract/fault-schema.ts'
export { jsonSchema, jsonValue, operationInput, operationResult } from './contract/free-schemas.ts'
export {
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
} from './contract/operation.ts'
export { type DocsPage, definePlugin, endsOwner, type Hook, on, type Plugin, type Slice } from './contract/plugin.ts'
export {
  type Fault,
  GatewayError,
  isGatewayError,
  mostFaults,
  notFound,
  type ProblemDefinition,
  problem,
  problemsOf,
} from './contract/problems.ts'
export {
  blockNames,
  deviceNames,
  type McpPrompt,
  mcpPrompts,
  type PromptArgument,
  type Suggestions,
  steps,
} from './contract/prompt.ts'
export { rankedPage } from './contract/ranked-page.ts'
export { blockUri, type ResourceChange, resourceChanges } from './contract/resource-change.ts'
export { type Answer, noInput, type SchemaBuilder, type Static, type TSchema, type Upload } from './contract/schema.ts'
export { type UndoCheck, type UndoEntry, type UndoObstacle, type UndoView, undoCheck } from './contract/undo-check.ts'
export { type UndoneData, undone } from './contract/undone.ts'
export { type PageSource, type WebFolder, type WebPage, webFolders, webPages } from './contract/web-pages.ts'
export type { EngineTask } from './engine/index.ts'
export { withoutFence } from './input/meant.ts'
export { compileInput, plainNames } from './input/validation.ts'
