/**
 * What plugins use at run time; a plugin factory gets it as its argument. `index.ts` adds the types of the gateway
 * itself.
 */

export { dotSegmentFault } from '../lib/dot-segment.ts'
export { isObject } from '../lib/is-object.ts'
export { nearest } from '../lib/nearest.ts'
export { defined } from '../lib/optional.ts'
export type { LogRecord } from '../store/index.ts'
export { type Access, type Actor, accessLevels, systemActor } from './access.ts'
export { startThread } from './boot/running-code.ts'
export { type CodeDefinition, type CodeTable, codeTables } from './code-tables.ts'
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
} from './collection.ts'
export type { BlobReader, BlobWriter, CommandContext, FileReader, FileWriter, QueryContext } from './context.ts'
export type { EngineTask } from './engine/index.ts'
export { type DomainEvent, domainEvent } from './event.ts'
export { type Extension, type ExtensionPoint, extend, extensionPoint } from './extension-point.ts'
export {
  blockNames,
  deviceNames,
  type McpPrompt,
  mcpPrompts,
  type PromptArgument,
  type Suggestions,
  steps,
} from './mcp/prompt.ts'
export { withoutFence } from './meant.ts'
export { command, del, get, type Operation, patch, post, put, query, type StreamEvent, stream } from './operation.ts'
export { type DocsPage, definePlugin, endsOwner, type Hook, on, type Plugin, type Slice } from './plugin.ts'
export {
  type Fault,
  GatewayError,
  isGatewayError,
  mostFaults,
  notFound,
  type ProblemDefinition,
  problem,
  problemsOf,
} from './problems.ts'
export { rankedPage } from './ranked-page.ts'
export { noInput, type SchemaBuilder, type Static, type TSchema, type Upload } from './schema.ts'
export { hashSecret, verifySecret } from './secrets.ts'
export { type UndoCheck, type UndoEntry, type UndoObstacle, type UndoView, undoCheck } from './undo/check.ts'
export { type UndoneData, undone } from './undo/undone.ts'
export { compileInput, plainNames } from './validation.ts'
export { type WebFolder, type WebPage, webFolders, webPages } from './web-pages.ts'
