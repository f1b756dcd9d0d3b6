/** Creates, replaces, renames, deletes and restores objects of the project. */

import { type CommandContext, defined, problem } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import {
  headerOf,
  type ImportTarget,
  isSameOrigin,
  requireFreeSymbol,
  requireName,
  type StorableObject,
  type Stored,
  type StoreOptions,
} from '../program-objects/index.ts'
import {
  type Block,
  blockChanged,
  blockCollection,
  blockCreated,
  blockDeleted,
  blockKey,
  blockKinds,
  blockRenamed,
  findBlock,
  isBlockKind,
  numberGroup,
} from './block.ts'
import { numberFor, numberOfClass, organizationBlockWarning } from './edit/numbers.ts'
import { eventOf, textWithEvent } from './exchange/event.ts'

/** Stores blocks. */
export const blockTarget: ImportTarget = { kinds: blockKinds, store: storeBlock }

async function storeBlock(
  ctx: CommandContext,
  device: Device,
  object: StorableObject,
  options: StoreOptions,
): Promise<Stored> {
  const { overwrite, stored, fixedNumber, saved } = options
  const { name, kind } = object
  if (!isBlockKind(kind)) throw new Error(`"${name}" is no block but ${kind}`)
  requireName(name, '/name', kind)
  const before = findBlock(ctx, device.id, name)
  if (!before) requireFreeSymbol(ctx, device, name, ['block'])
  else if (overwrite !== true)
    throw blockCollection.taken(before, device, {
      description: `(${before.kind} ${before.number})`,
      canOverwrite: true,
    })
  else if (numberGroup(before.kind) !== numberGroup(kind))
    throw problem(
      'name_taken',
      `Block "${before.name}" (${before.kind} ${before.number}) already exists on "${device.name}": ${kind} "${name}" is of another kind and cannot replace it.`,
      { suggestion: 'Delete or rename the block that is there, or take another name.' },
    )
  const event = kind === 'OB' ? eventOf(object, saved, before) : undefined
  const header = { ...headerOf(object), ...defined({ secondaryType: event?.secondaryType }) }
  const auto = saved?.autoNumber ?? (fixedNumber !== true && autoNumberOf(object))
  const key = blockKey(device.id, name)
  const present = before && numberGroup(before.kind) === numberGroup(kind) ? before.number : undefined
  const ownNumber = object.guessedEvent === undefined ? object.number : (present ?? object.number)
  const numbered = { name, kind, secondaryType: header.secondaryType }
  const fitting =
    saved?.number === undefined ? numberOfClass(numbered, ownNumber || present, !auto) : { number: saved.number }
  const number = numberFor(ctx, device, numbered, key, fitting.number, !auto)
  const text = await textWithEvent(ctx, object, stored, { number, secondaryType: header.secondaryType })
  const unusual = kind === 'OB' ? organizationBlockWarning(device, name, number, header.secondaryType) : undefined
  const warnings = [event?.warning, fitting.warning, unusual].flatMap((warning) => warning ?? [])
  const block: Block = {
    ...blockCollection.identityOf(ctx, device, name, options, before),
    kind,
    number,
    autoNumber: auto,
    ...header,
    ...text,
  }
  const done = (action: Stored['action']): Stored => ({
    name,
    kind,
    number,
    action,
    ...(warnings.length === 0 ? {} : { warnings }),
  })
  const entity = blockCollection.entityOf(device, name)
  if (!before) {
    ctx.emit(blockCreated, { block }, entity)
    return done('created')
  }
  if (isSame(before, block)) {
    // Only its place in the file differs, for example because a block before it became longer.
    const { document, modifiedAt } = before
    if (block.origin !== undefined && !isSameOrigin(before.origin, block.origin))
      ctx.emit(blockChanged, { before: document, after: document, block: { ...block, modifiedAt } }, entity)
    return done('unchanged')
  }
  ctx.emit(blockChanged, { before: before.document, after: block.document, block }, entity)
  return done('replaced')
}

/** True when only the time differs. The file may differ around the document. */
function isSame(a: Block, b: Block): boolean {
  return (
    a.document === b.document &&
    a.name === b.name &&
    a.kind === b.kind &&
    a.number === b.number &&
    a.autoNumber === b.autoNumber &&
    a.folder === b.folder &&
    a.unit === b.unit
  )
}

/** From `AutoNumber` of SimaticML (absent: true, as in Openness); sources contain no number. */
function autoNumberOf(object: StorableObject): boolean {
  return object.attributes.find(({ name }) => name === 'AutoNumber')?.value.trim() !== 'false'
}

/**
 * Restores a block: replaces the present one of its name, or creates it again (with its number, if that is free).
 * @throws GatewayError `name_taken` when something else has the name by now
 */
export function restoreBlock(ctx: CommandContext, device: Device, saved: Block): Block {
  const before = findBlock(ctx, device.id, saved.name)
  if (!before) requireFreeSymbol(ctx, device, saved.name, ['block'])
  const key = blockKey(device.id, saved.name)
  const number = numberFor(ctx, device, saved, key, saved.number, false)
  const block: Block = { ...blockCollection.restored(ctx, device, saved, before), number }
  const entity = blockCollection.entityOf(device, block.name)
  if (!before) ctx.emit(blockCreated, { block }, entity)
  else if (!isSame(before, block))
    ctx.emit(blockChanged, { before: before.document, after: block.document, block }, entity)
  return block
}

/**
 * Stores the result of an edit; a changed name renames the block. It is no longer equal to the file it came from.
 * @param options `hasNewHeader`: a client wrote the header too, so that `AutoNumber` in it is meant
 */
export async function storeEdited(
  ctx: CommandContext,
  device: Device,
  block: Block,
  edited: StorableObject,
  options: { readonly hasNewHeader?: boolean } = {},
): Promise<Block> {
  if (!isBlockKind(edited.kind)) throw new Error(`"${edited.name}" is no block but ${edited.kind}`)
  const renamed = edited.name.toLowerCase() !== block.name.toLowerCase()
  if (renamed) requireFreeSymbol(ctx, device, edited.name)
  const { file: _file, ...rest } = block
  const wanted = edited.number === undefined || edited.number === 0 ? block.number : edited.number
  const key = blockKey(device.id, block.name)
  const sameGroup = numberGroup(block.kind) === numberGroup(edited.kind)
  const saysAuto = edited.attributes.some(({ name }) => name === 'AutoNumber') && autoNumberOf(edited)
  const turnsAutoOn = options.hasNewHeader === true && saysAuto
  const secondaryType = edited.kind === 'OB' ? eventOf(edited, undefined, block).secondaryType : undefined
  const numbered = { name: edited.name, kind: edited.kind, secondaryType }
  const isNew = wanted !== block.number && !turnsAutoOn
  const isAuto = turnsAutoOn || (block.autoNumber && autoNumberOf(edited))
  const given = sameGroup ? wanted : edited.number
  // What was stored with a number of another class keeps it until one of the two changes.
  const isAsBefore = given === block.number && secondaryType === block.secondaryType
  const fitting = isAsBefore ? given : numberOfClass(numbered, given, isNew || !isAuto).number
  const number = numberFor(ctx, device, numbered, key, fitting, isNew)
  const text = await textWithEvent(ctx, edited, undefined, { number, secondaryType })
  const after: Block = {
    ...rest,
    ...headerOf(edited),
    ...defined({ secondaryType }),
    ...text,
    name: edited.name,
    kind: edited.kind,
    number,
    autoNumber: isAuto,
    modifiedAt: ctx.now,
    ...(text.document === block.document && block.file !== undefined ? { file: block.file } : {}),
  }
  if (edited.name !== block.name) {
    const { name: oldName, document: before, deviceId, id } = block
    const data = { deviceId, id, oldName, newName: after.name, before, after: after.document, block: after }
    ctx.emit(blockRenamed, data, blockCollection.entityOf(device, after.name))
  } else if (!isSame(block, after))
    ctx.emit(
      blockChanged,
      { before: block.document, after: after.document, block: after },
      blockCollection.entityOf(device, block.name),
    )
  return after
}

/** Deletes a block. Whatever uses it stays as it is. */
export function deleteBlock(ctx: CommandContext, device: Device, block: Block): void {
  const { deviceId, id, name } = block
  ctx.emit(blockDeleted, { deviceId, id, name, block }, blockCollection.entityOf(device, name))
}
