/** Blocks of PLC programs: list, read, create, change, import and export; folders. */
import { type CommandContext, definePlugin, extend } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { type FolderImporter, folderImporter, type ProjectPart, projectPart } from '../projects/index.ts'
import { type Block, blockCollection, blockSlice, blocksOf, findBlock } from './block.ts'
import { collectionPart } from './collection/part.ts'
import type { CompileSummary } from './compile/service.ts'
import { compileOperations } from './compile-operations.ts'
import { diagnosticsOperations } from './diagnostics-operations.ts'
import { sourceOperations } from './external-sources/operations.ts'
import type { ImportResult } from './import.ts'
import type { GeneratedSource } from './import-sources.ts'
import { memberOperations } from './member-operations.ts'
import { networkOperations } from './network-operations.ts'
import { blockOperations } from './operations.ts'
import { referenceOperations } from './reference-operations.ts'
import type { DocumentHeader } from './store.ts'
import { listProgramSymbols } from './symbol-operations.ts'
import { type SymbolHolder, symbolHolder } from './symbols.ts'
import type { StorableObject, Stored, StoreOptions } from './target.ts'
import { blockProgramPart } from './uses/block-part.ts'
import type { User } from './uses/guard.ts'
import { programPart } from './uses/program-part.ts'

export type { CompiledProgram } from '../../plc/compiler/put-together.ts'
export {
  coveringInteger,
  DATA_TYPE_NAMES,
  type DataType,
  elementaryType,
  holds,
  parseElementaryType,
} from '../../plc/model/data-type.ts'
export {
  fitsReal,
  type Literal,
  type LiteralFault,
  parseNumber,
  parseText,
  parseTyped,
  prefixType,
  rangeText,
} from '../../plc/model/literal.ts'
export type { ImportedObject, WatchEntry } from '../../plc/model/object.ts'
export type {
  CodeBlockSymbol,
  DataBlockSymbol,
  OrganizationBlock,
  ProgramSymbols,
  ProgramTagSymbol,
  SymbolMember,
  SymbolType,
  TypeNumber,
} from '../../plc/program/program-symbols.ts'
export {
  type Block,
  type BlockKind,
  blockChanged,
  blockCreated,
  blockDeleted,
  blockFolders,
  blockKinds,
  blockRenamed,
  blocks,
  blocksOf,
  findBlock,
  type ObjectHeader,
  requireBlock,
  requireBlockOf,
  type StoredText,
} from './block.ts'
export {
  deviceName,
  engineeringVersion,
  exportAliases,
  exportedFields,
  exportFormat,
  exportRules,
  exportTarget,
  folderAliases,
  folderPath,
  importAliases,
  importChoices,
  importedFields,
  importResources,
  importSource,
  objectName,
  objectVersion,
  refuseBoth,
} from './collection/fields.ts'
export { folderOperations, treeOperation } from './collection/folder-operations.ts'
export { type KeptObject, type ObjectCollection, objectCollection } from './collection/object-collection.ts'
export { type CollectionFiles, collectionPart } from './collection/part.ts'
export type { CompileStatus } from './compile/status.ts'
export { byText, type Folder, FolderTree, isInside, type TreeNode, treeOf } from './folders.ts'
export type { ImportResult } from './import.ts'
export type { GeneratedSource } from './import-sources.ts'
export type { Savable } from './project-files.ts'
export type { DocumentHeader } from './store.ts'
export { findSymbol, requireFreeSymbol, type SymbolHolder, type SymbolOwner, symbolHolder } from './symbols.ts'
export { type ImportTarget, importTarget, type StorableObject, type Stored, type StoreOptions } from './target.ts'
export { updatedFields, userFields } from './uses/fields.ts'
export type { User } from './uses/guard.ts'
export { type ProgramObject, type ProgramPart, type ProgramSymbol, programPart } from './uses/program-part.ts'
export { compileStatusFields, memberFields, pageOf, textIn } from './views.ts'

/** What plugins need that keep objects of their own: reading, changing, importing, exporting, saving. Loaded on first use. */
export const objectTools = () => import('./object-tools.ts')
/** Reading and writing SimaticML itself. Loaded on first use. */
export const xmlTools = () => import('./xml-tools.ts')
/** Running compiled programs: reading them, memory, host. Loaded on first use. */
export const runtimeTools = () => import('./runtime-tools.ts')
/** Compiling devices, and what is compiled. Loaded on first use. */
export const compileTools = () => import('./compile-tools.ts')
/** Bytes to text. Loaded on first use. */
export const textTools = () => import('./text-tools.ts')

/**
 * Stores an object that a reader or `createObject` made: a block, or what another plugin keeps (types, tag tables).
 * @throws GatewayError see `storeObject` in store.ts
 */
export async function storeObject(
  ctx: CommandContext,
  device: Device,
  object: StorableObject,
  options: StoreOptions = {},
): Promise<Stored> {
  return (await import('./store.ts')).storeObject(ctx, device, object, options)
}

/** Gives a block another document that is a blob already; see `replaceDocument` in store.ts. */
export async function replaceDocument(
  ctx: CommandContext,
  block: Block,
  document: string,
  header: DocumentHeader,
): Promise<Block> {
  return (await import('./store.ts')).replaceDocument(ctx, block, document, header)
}

/** Imports sources that a plugin generated, wrapped in block XML, over what is there; see `importGenerated` in import-sources.ts. */
export async function importGenerated(
  ctx: CommandContext,
  device: Device,
  sources: readonly GeneratedSource[],
): Promise<ImportResult> {
  return (await import('./import-sources.ts')).importGenerated(ctx, device, sources)
}

/** Compiles blocks and what they use; see `compileBlocks` in compile/service.ts. */
export async function compileBlocks(
  ctx: CommandContext,
  device: Device,
  names: readonly string[],
): Promise<CompileSummary> {
  return (await import('./compile/service.ts')).compileBlocks(ctx, device, names)
}

/** Brings a block back as it was, also when it was deleted; see `restoreBlock` in store.ts. */
export async function restoreBlock(ctx: CommandContext, device: Device, saved: Block): Promise<Block> {
  return (await import('./store.ts')).restoreBlock(ctx, device, saved)
}

/** Asks before something that is used is deleted; see `requireUnused` in uses/guard.ts. */
export async function requireUnused(
  ...args: Parameters<typeof import('./uses/guard.ts').requireUnused>
): Promise<User[]> {
  return (await import('./uses/guard.ts')).requireUnused(...args)
}

/** Gives every user of a name the new name; see `renameUsers` in uses/guard.ts. */
export async function renameUsers(ctx: CommandContext, device: Device, from: string, to: string): Promise<User[]> {
  return (await import('./uses/guard.ts')).renameUsers(ctx, device, from, to)
}

const blockPart = collectionPart({
  area: 'blocks',
  order: 40,
  collection: blockCollection,
  files: async () => (await import('./part.ts')).blockFiles,
  overview: (ctx, deviceId) => ({
    blocks: blocksOf(ctx, deviceId).map(({ name, kind, language }) => ({ name, type: kind, language })),
  }),
})

const sourcePart: ProjectPart = {
  name: 'sources',
  order: 50,
  folders: ['devices/*/sources/**'],
  async save(ctx) {
    return (await import('./external-sources/part.ts')).saveSources(ctx)
  },
  async load(ctx, _project, files) {
    await (await import('./external-sources/part.ts')).loadSources(ctx, files)
  },
}

const exportFolders: FolderImporter = {
  name: 'exports',
  async recognizes(files) {
    return (await import('./export-folder.ts')).exportFolders.recognizes(files)
  },
  async import(...args) {
    return (await import('./export-folder.ts')).exportFolders.import(...args)
  },
}

const blockNames: SymbolHolder = {
  kinds: ['block'],
  find(ctx, deviceId, name) {
    const block = findBlock(ctx, deviceId, name)
    return block && { kind: 'block', name: block.name, description: `${block.kind} ${block.number}` }
  },
}

export default definePlugin({
  name: 'blocks',
  version: '1.0.0',
  description: 'Blocks of PLC programs: list, read, create, change, import and export; folders.',
  requires: ['projects', 'devices'],
  slice: blockSlice,
  operations: [
    ...blockOperations,
    ...networkOperations,
    ...memberOperations,
    ...diagnosticsOperations,
    ...sourceOperations,
    ...referenceOperations,
    ...compileOperations,
    listProgramSymbols,
  ],
  extensions: [
    extend(projectPart, blockPart),
    extend(projectPart, sourcePart),
    extend(folderImporter, exportFolders),
    extend(symbolHolder, blockNames),
    extend(programPart, blockProgramPart),
  ],
})
