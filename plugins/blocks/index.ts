/** Blocks of PLC programs: list, read, create, change, import and export; folders. */
import { type CommandContext, definePlugin } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { type Block, blockSlice } from './block.ts'
import type { DocumentHeader } from './store.ts'
import type { StorableObject, Stored, StoreOptions } from './target.ts'

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
export { byText, type Folder, FolderTree, isInside, type TreeNode, treeOf } from './folders.ts'
export type { ImportedObject } from './model/object.ts'
export type { DocumentHeader } from './store.ts'
export { findSymbol, requireFreeSymbol, type SymbolHolder, type SymbolOwner, symbolHolder } from './symbols.ts'
export { type ImportTarget, importTarget, type StorableObject, type Stored, type StoreOptions } from './target.ts'

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

/** Brings a block back as it was, also when it was deleted; see `restoreBlock` in store.ts. */
export async function restoreBlock(ctx: CommandContext, device: Device, saved: Block): Promise<Block> {
  return (await import('./store.ts')).restoreBlock(ctx, device, saved)
}

export default definePlugin({
  name: 'blocks',
  version: '1.0.0',
  description: 'Blocks of PLC programs: list, read, create, change, import and export; folders.',
  requires: ['projects', 'devices'],
  slice: blockSlice,
})
