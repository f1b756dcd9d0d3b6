/** Blocks of PLC programs: list, read, create, change, import and export; folders. */
import { type CommandContext, definePlugin, extend } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { collectionSection } from '../program-objects/collection-section.ts'
import { programContributor } from '../program-objects/cross-references/contributor.ts'
import type { User } from '../program-objects/cross-references/guard.ts'
import { type SymbolHolder, symbolHolder } from '../program-objects/symbols.ts'
import type { StorableObject, Stored, StoreOptions } from '../program-objects/targets.ts'
import { type FolderImporter, folderImporter, type ProjectSection, projectSection } from '../projects/index.ts'
import { type Block, blockCollection, blockSlice, blocksOf, findBlock } from './block.ts'
import type { CompileSummary } from './compile/service.ts'
import { compileOperations } from './compile-operations.ts'
import { diagnosticsOperations } from './diagnostics-operations.ts'
import { sourceOperations } from './external-sources/operations.ts'
import type { ImportResult } from './import.ts'
import type { GeneratedSource } from './import-sources.ts'
import { memberOperations } from './member-operations.ts'
import { networkOperations } from './network-operations.ts'
import { blockOperations } from './operations.ts'
import { blockProgramContributor } from './program-contributor.ts'
import { referenceOperations } from './reference-operations.ts'
import type { DocumentHeader } from './store.ts'
import { listProgramSymbols } from './symbol-operations.ts'

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
export { type CollectionFiles, collectionSection } from '../program-objects/collection-section.ts'
export {
  type ProgramContributor,
  type ProgramObject,
  type ProgramSymbol,
  programContributor,
} from '../program-objects/cross-references/contributor.ts'
export { updatedFields, userFields } from '../program-objects/cross-references/fields.ts'
export type { User } from '../program-objects/cross-references/guard.ts'
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
} from '../program-objects/fields.ts'
export { folderOperations, treeOperation } from '../program-objects/folder-operations.ts'
export { byText, type Folder, FolderTree, isInside, type TreeNode, treeOf } from '../program-objects/folders.ts'
export { type KeptObject, type ObjectCollection, objectCollection } from '../program-objects/object-collection.ts'
export type { Savable } from '../program-objects/project-files.ts'
export {
  findSymbol,
  requireFreeSymbol,
  type SymbolHolder,
  type SymbolOwner,
  symbolHolder,
} from '../program-objects/symbols.ts'
export {
  type ImportTarget,
  importTarget,
  type StorableObject,
  type Stored,
  type StoreOptions,
} from '../program-objects/targets.ts'
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
export type { CompileStatus } from './compile/status.ts'
export type { ImportResult } from './import.ts'
export type { GeneratedSource } from './import-sources.ts'
export type { DocumentHeader } from './store.ts'
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
  ...args: Parameters<typeof import('../program-objects/cross-references/guard.ts').requireUnused>
): Promise<User[]> {
  return (await import('../program-objects/cross-references/guard.ts')).requireUnused(...args)
}

/** Gives every user of a name the new name; see `renameUsers` in uses/guard.ts. */
export async function renameUsers(ctx: CommandContext, device: Device, from: string, to: string): Promise<User[]> {
  return (await import('../program-objects/cross-references/guard.ts')).renameUsers(ctx, device, from, to)
}

const blockPart = collectionSection({
  area: 'blocks',
  order: 40,
  collection: blockCollection,
  files: async () => (await import('./project-section.ts')).blockFiles,
  overview: (ctx, deviceId) => ({
    blocks: blocksOf(ctx, deviceId).map(({ name, kind, language }) => ({ name, type: kind, language })),
  }),
})

const sourcePart: ProjectSection = {
  name: 'sources',
  order: 50,
  folders: ['devices/*/sources/**'],
  async save(ctx) {
    return (await import('./external-sources/project-section.ts')).saveSources(ctx)
  },
  async load(ctx, _project, files) {
    await (await import('./external-sources/project-section.ts')).loadSources(ctx, files)
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
    extend(projectSection, blockPart),
    extend(projectSection, sourcePart),
    extend(folderImporter, exportFolders),
    extend(symbolHolder, blockNames),
    extend(programContributor, blockProgramContributor),
  ],
})
