/** Blocks of the open project: their shape, their place in the state, and the events that change them. */

import { collection, domainEvent, on, ownedBy, type Slice } from '../../core/index.ts'
import { device } from '../devices/index.ts'
import { type KeptObject, type ObjectHeader, objectCollection, type StoredText } from '../program-objects/index.ts'
import { modifiesProject } from '../projects/index.ts'
import { compileCollections, compileReductions } from './compile/records.ts'
import { sourceCollections, sourceReductions } from './external-sources/external-source.ts'

export const blockKinds = ['OB', 'FB', 'FC', 'GlobalDB', 'InstanceDB', 'ArrayDB'] as const
export type BlockKind = (typeof blockKinds)[number]

/** Blocks of one group have different numbers (a controller's load memory has one list each). */
export type NumberGroup = 'OB' | 'FB' | 'FC' | 'DB'

/** A block. Times in ms since the epoch. */
export interface Block extends KeptObject, ObjectHeader, StoredText {
  readonly kind: BlockKind
  /** 1 to 65535, unique in its {@link NumberGroup} on the device. */
  readonly number: number
  /** The gateway chose the number and may choose another. */
  readonly autoNumber: boolean
}

export const blockCollection = objectCollection<Block>(
  { plugin: 'blocks', collection: 'blocks.blocks', entity: 'block', noun: 'block' },
  // `FB12`, `DB3`: the form in which an absolute address names a block.
  (ctx, deviceId, text): Block | undefined => {
    const [, group = '', number] = /^(OB|FB|FC|DB)\s?(\d{1,5})$/i.exec(text) ?? []
    const key = ctx.read(blockNumbers).get(numberKey(deviceId, group.toUpperCase() as NumberGroup, Number(number)))
    return key === undefined ? undefined : ctx.read(blocks).get(key)
  },
)
export const {
  objects: blocks,
  folders: blockFolders,
  key: blockKey,
  find: findBlock,
  of: blocksOf,
  require: requireBlock,
  requireOf: requireBlockOf,
} = blockCollection
/** Which block has a number: key `<deviceId>/<group>/<number>`, value the block's key. */
export const blockNumbers = collection<string>(
  'blocks.numbers',
  { byDevice: (_, key) => key.slice(0, key.indexOf('/')) },
  [ownedBy(device, 'byDevice')],
)

export const blockCreated = domainEvent<{ block: Block }>('blocks.created', 'A block was created')
/**
 * `before` and `after` are document hashes; equal when only number or folder changed. `block` is the block after the
 * change.
 */
export const blockChanged = domainEvent<{ before: string; after: string; block: Block }>(
  'blocks.changed',
  'A block was changed',
)
/** The document contains the name, so it changes too. `block` is the block after the change. */
export const blockRenamed = domainEvent<{
  deviceId: string
  id: string
  oldName: string
  newName: string
  before: string
  after: string
  block: Block
}>('blocks.renamed', 'A block was renamed')
/** `block` is the deleted block, so that it can be restored. */
export const blockDeleted = domainEvent<{ deviceId: string; id: string; name: string; block: Block }>(
  'blocks.deleted',
  'A block was deleted',
)

/** Group in which a block's number is unique. */
export function numberGroup(kind: BlockKind): NumberGroup {
  return kind === 'OB' || kind === 'FB' || kind === 'FC' ? kind : 'DB'
}

/** Key in {@link blockNumbers}. */
export function numberKey(deviceId: string, group: NumberGroup, number: number): string {
  return `${deviceId}/${group}/${number}`
}

/** True for the kinds this plugin keeps. */
export function isBlockKind(kind: string): kind is BlockKind {
  return (blockKinds as readonly string[]).includes(kind)
}

type Write = Parameters<Parameters<typeof on>[1]>[0]

function put(write: Write, block: Block) {
  const key = blockKey(block.deviceId, block.name)
  const before = write(blocks).get(key)
  if (before) freeNumber(write, before, key)
  write(blocks).set(key, block)
  write(blockNumbers).set(numberKey(block.deviceId, numberGroup(block.kind), block.number), key)
}

function take(write: Write, deviceId: string, name: string) {
  const key = blockKey(deviceId, name)
  const block = write(blocks).get(key)
  if (!block) return
  freeNumber(write, block, key)
  write(blocks).delete(key)
}

/** Removes the number only while this block has it: two blocks may swap numbers in one command. */
function freeNumber(write: Write, block: Block, key: string) {
  const number = numberKey(block.deviceId, numberGroup(block.kind), block.number)
  if (write(blockNumbers).get(number) === key) write(blockNumbers).delete(number)
}

export const blockSlice: Slice = {
  version: 3,
  collections: [blocks, blockNumbers, blockFolders.folders, ...sourceCollections, ...compileCollections],
  reductions: [
    on(blockCreated, (write, { block }) => put(write, block)),
    on(blockChanged, (write, { block }) => put(write, block)),
    on(blockRenamed, (write, { deviceId, oldName, block }) => {
      take(write, deviceId, oldName)
      put(write, block)
    }),
    on(blockDeleted, (write, { deviceId, name }) => take(write, deviceId, name)),
    ...blockFolders.reductions,
    ...sourceReductions,
    ...compileReductions,
    ...modifiesProject(
      blockCreated,
      blockChanged,
      blockRenamed,
      blockDeleted,
      blockFolders.created,
      blockFolders.deleted,
    ),
  ],
}
