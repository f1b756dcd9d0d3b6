/** Restores a block or tag table from a snapshot. */

import { type CommandContext, notFound, problem } from '../../core/index.ts'
import { blockChanged, blocksOf, findBlock, restoreBlock } from '../blocks/index.ts'
import { type Device, devices, findDevice, requirePlc } from '../devices/index.ts'
import { type Project, requireProject } from '../projects/index.ts'
import { findTagTable, replaceTagTable, type TagTable, tagTablesOf } from '../tags/index.ts'
import type { Snapshot } from './snapshot.ts'
import { type Place, type TableContent, type Taking, tableText, takeBlock, takeTable } from './take.ts'

/** The result of a restore. */
export interface Restored {
  readonly action: 'replaced' | 'recreated' | 'unchanged'
  readonly device: Device
  readonly name: string
  /** Block number; only for blocks. */
  readonly number?: number
  /** The snapshot of what was replaced. */
  readonly safety?: Snapshot
  readonly warnings: readonly string[]
}

/**
 * Restores a snapshot: replaces the current object with its name, or creates the object when it was deleted or renamed
 * (a renamed object is not changed). An automatic snapshot is taken of what is replaced.
 * @param deviceName target device, when it is not that of the snapshot
 * @throws GatewayError `conflict` (of another project), `not_found` (device), `name_taken`
 */
export async function restoreSnapshot(
  ctx: CommandContext,
  snapshot: Snapshot,
  operation: string,
  deviceName?: string,
): Promise<Restored> {
  const project = requireProject(ctx)
  const device = deviceFor(ctx, project, snapshot, deviceName)
  const taking: Taking = { kind: 'automatic', reason: 'restored', operation }
  const at = { project, device }
  return snapshot.type === 'block'
    ? await restoreBlockOf(ctx, at, snapshot, taking)
    : await restoreTableOf(ctx, at, snapshot, taking)
}

/** The target device: that of the snapshot (also after it was renamed), or the one that has its name now. */
function deviceFor(ctx: CommandContext, project: Project, snapshot: Snapshot, deviceName?: string): Device {
  if (deviceName !== undefined) return requirePlc(ctx, deviceName)
  if (snapshot.projectId !== project.id && snapshot.projectPath !== project.path) {
    throw problem(
      'conflict',
      `Snapshot ${snapshot.id} is of project "${snapshot.projectName}" (${snapshot.projectPath}); "${project.name}" is open.`,
      { suggestion: 'Open that project, or send deviceName to restore it into a device of this one.' },
    )
  }
  const device = ctx.read(devices).get(snapshot.deviceId) ?? findDevice(ctx, snapshot.deviceName)
  if (device) return requirePlc(ctx, device.name)
  const names = [...ctx.read(devices).values()].map(({ name }) => name)
  const missing = notFound('device', snapshot.deviceName, names)
  throw problem('not_found', `${missing.message} The snapshot is of it; send deviceName to restore it elsewhere.`, {
    suggestion: 'Send deviceName.',
  })
}

async function restoreBlockOf(ctx: CommandContext, at: Place, snapshot: Snapshot, taking: Taking): Promise<Restored> {
  const saved = snapshot.block!
  const { device } = at
  await requireContent(ctx, snapshot)
  const present = findBlock(ctx, device.id, saved.name)
  // The same block may exist under another name; two blocks must not have the same id.
  const isElsewhere = blocksOf(ctx, device.id).some((block) => block.id === saved.id && block !== present)
  const from = ctx.emitted.length
  const block = await restoreBlock(ctx, device, isElsewhere ? { ...saved, id: ctx.newId() } : saved)
  const isChanged = ctx.emitted.slice(from).some(({ type }) => type === blockChanged.type)
  const safety = present && isChanged ? takeBlock(ctx, at, present, taking) : undefined
  return {
    action: present ? (isChanged ? 'replaced' : 'unchanged') : 'recreated',
    device,
    name: block.name,
    number: block.number,
    ...(safety ? { safety } : {}),
    warnings:
      block.number === saved.number
        ? []
        : [`Number ${saved.number} of "${block.name}" is taken; it has number ${block.number} now.`],
  }
}

async function restoreTableOf(ctx: CommandContext, at: Place, snapshot: Snapshot, taking: Taking): Promise<Restored> {
  const { device } = at
  const text = await ctx.blobs.text(snapshot.content)
  const content = JSON.parse(text) as TableContent
  if (content.document !== undefined) await requireContent(ctx, { ...snapshot, content: content.document })
  const present = findTagTable(ctx, device.id, content.name)
  if (present && tableText(present) === text) return { action: 'unchanged', device, name: present.name, warnings: [] }
  const isElsewhere = tagTablesOf(ctx, device.id).some((table) => table.id === snapshot.objectId && table !== present)
  const saved: TagTable = {
    ...content,
    id: isElsewhere ? ctx.newId() : snapshot.objectId,
    deviceId: device.id,
    isDefault: snapshot.table!.isDefault,
    createdAt: snapshot.createdAt,
    modifiedAt: ctx.now,
  }
  const safety = present ? await takeTable(ctx, at, present, taking) : undefined
  const table = await replaceTagTable(ctx, device, saved)
  return {
    action: present ? 'replaced' : 'recreated',
    device,
    name: table.name,
    ...(safety ? { safety } : {}),
    warnings: [],
  }
}

/** @throws GatewayError when the content no longer exists: a restored object must not refer to a missing blob */
async function requireContent(ctx: CommandContext, { content, id }: Pick<Snapshot, 'content' | 'id'>): Promise<void> {
  if (!(await ctx.blobs.has(content))) throw problem('gone', `The content of snapshot ${id} was removed.`)
}
