/** Blocks of PLC programs: list, read, create, change, import and export; compiling; external sources. */
import { codeTables, definePlugin, extend, mcpPrompts, resourceChanges, undoCheck } from '../../core/index.ts'
import {
  collectionSection,
  importTarget,
  objectsCheck,
  programContributor,
  type SymbolHolder,
  symbolHolder,
} from '../program-objects/index.ts'
import { type FolderImporter, folderImporter, type ProjectSection, projectSection } from '../projects/index.ts'
import { blockCollection, blockSlice, blocks, blocksOf, findBlock } from './block.ts'
import { compilerCodes, fileCodes } from './compile/code-tables.ts'
import { compileOperations } from './compile/compile-operations.ts'
import { blockProgramContributor } from './compile/program-contributor.ts'
import { memberOperations } from './edit/member-operations.ts'
import { networkOperations } from './edit/network-operations.ts'
import { sourceCollection } from './external-sources/external-source.ts'
import { sourceOperations } from './external-sources/operations.ts'
import { blockOperations } from './operations.ts'
import { blockPrompts } from './prompts.ts'
import { blockChange } from './resource-changes.ts'
import { blockTarget } from './store.ts'
import { diagnosticsOperations } from './uses/diagnostics-operations.ts'
import { networkPicture } from './uses/picture-operations.ts'
import { referenceOperations } from './uses/reference-operations.ts'
import { listProgramMemory, listProgramSymbols } from './uses/symbol-operations.ts'

export {
  type Block,
  blockChanged,
  blockCreated,
  blockDeleted,
  blockFolders,
  blockKinds,
  blockRenamed,
  blocks,
  blocksOf,
  findBlock,
  requireBlock,
  requireBlockOf,
} from './block.ts'
export { type CompileMessage, leavesOf } from './compile/messages.ts'
export { compiledDevices } from './compile/records.ts'
export { compileBlocks, compileDevice, compileImported } from './compile/service.ts'
export { type CompileStatus, programObjects, readStatuses, signatureOf } from './compile/status.ts'
export { storeStartValues } from './edit/member-edits.ts'
export { changeNetworks } from './edit/network-edits.ts'
export { type ImportedEntry, type ImportResult, importRequest } from './exchange/import.ts'
export { importPaths } from './exchange/import-paths.ts'
export { importGenerated, importMade, importSources } from './exchange/import-sources.ts'
export { importSourceText } from './external-sources/sources.ts'
export { deleteBlock, restoreBlock } from './store.ts'
export { compileStatusFields } from './views.ts'

const blockSection = collectionSection({
  searchKinds: ['block'],
  area: 'blocks',
  order: 40,
  collection: blockCollection,
  files: async () => (await import('./project-section.ts')).blockFiles,
  overview: (ctx, deviceId) => ({
    blocks: blocksOf(ctx, deviceId).map(({ name, kind, language }) => ({ name, type: kind, language })),
  }),
})

const sourceSection: ProjectSection = {
  name: 'sources',
  order: 50,
  folders: ['devices/*/sources/**'],
  async save(ctx) {
    return (await import('./external-sources/project-section.ts')).saveSources(ctx)
  },
  async load(ctx, _project, files) {
    return (await import('./external-sources/project-section.ts')).loadSources(ctx, files)
  },
}

const exportFolders: FolderImporter = {
  name: 'exports',
  async recognizes(files) {
    return (await import('./exchange/export-folder.ts')).exportFolders.recognizes(files)
  },
  async describe(files) {
    return (await import('./exchange/export-origin.ts')).originOf(files)
  },
  async import(...args) {
    return (await import('./exchange/export-folder.ts')).exportFolders.import(...args)
  },
}

const blockNames: SymbolHolder = {
  kinds: ['block'],
  collection: blocks.id,
  find(ctx, deviceId, name) {
    const block = findBlock(ctx, deviceId, name)
    return block && { kind: 'block', name: block.name, description: `${block.kind} ${block.number}` }
  },
}

export default definePlugin({
  name: 'blocks',
  version: '1.0.0',
  description: 'Blocks of PLC programs: list, read, create, change, import and export; folders.',
  requires: ['projects', 'devices', 'program-objects'],
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
    listProgramMemory,
    networkPicture,
  ],
  extensions: [
    extend(codeTables, compilerCodes),
    extend(codeTables, fileCodes),
    extend(projectSection, blockSection),
    extend(projectSection, sourceSection),
    extend(folderImporter, exportFolders),
    extend(symbolHolder, blockNames),
    extend(undoCheck, objectsCheck(blockCollection)),
    extend(undoCheck, objectsCheck(sourceCollection)),
    extend(programContributor, blockProgramContributor),
    extend(importTarget, blockTarget),
    ...blockPrompts.map((prompt) => extend(mcpPrompts, prompt)),
    extend(resourceChanges, blockChange),
  ],
})
