/**
 * Takes snapshots of actual values, and makes values of a snapshot the start values of their data block in the project.
 */

import { type CommandContext, defined, problem, type QueryContext } from '../../core/index.ts'
import { type Block, blocksOf, storeStartValues } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import { byText } from '../program-objects/index.ts'
import { type BlockValue, blockValues, requireProgram } from '../simulation/index.ts'
import type { Reached } from './connection.ts'
import { startValuesOf } from './start-values.ts'
import {
  type SnapshotPart,
  snapshotApplied,
  snapshotKey,
  type ValueSnapshot,
  valueSnapshots,
  valuesTaken,
} from './value-snapshots.ts'

/** Maximum number of values in the snapshot of one data block. */
const mostValues = 250_000

/** The wire form of a value. */
export interface ShownValue {
  /** `motor.speed`, `list[1,2]`; of an array data block `[3]`. */
  readonly path: string
  readonly dataType: string
  /** Absent: the bytes were no value of the type. */
  readonly value?: string
  readonly isStartValue: boolean
  readonly isRetentive: boolean
  readonly isSetpoint: boolean
}

/**
 * Takes snapshots of data blocks, all at one cycle control point.
 * @throws GatewayError `conflict` for a block that the controller lacks or has in another version;
 * `unacceptable_content` for one with too many values
 */
export async function takeSnapshots(
  ctx: CommandContext,
  device: Device,
  { instance, controller }: Reached,
  blocks: readonly Block[],
): Promise<ValueSnapshot[]> {
  const program = requireProgram(controller)
  const starts = blocks.map((block) => startValuesOf(program, block, instance.name).write)
  const { bytes } = await controller.read(starts.map((start) => ({ address: start.address, size: start.bytes.length })))
  const taken: ValueSnapshot[] = []
  for (const [i, block] of blocks.entries()) {
    const symbol = program.symbols.dataBlocks.find(({ name }) => name.toLowerCase() === block.name.toLowerCase())!
    const values: BlockValue[] = []
    for (const value of blockValues(program, symbol, bytes[i]!, starts[i]!.bytes)) {
      if (values.length === mostValues)
        throw problem(
          'unacceptable_content',
          `"${block.name}" has more than ${mostValues} values: it is too large for a snapshot.`,
        )
      values.push(value)
    }
    const snapshot: ValueSnapshot = {
      deviceId: device.id,
      blockId: block.id,
      blockName: block.name,
      instance: instance.name,
      takenAt: ctx.now,
      document: block.document,
      count: values.length,
      values: await ctx.blobs.put(JSON.stringify(values)),
    }
    ctx.emit(valuesTaken, { ...snapshot, deviceName: device.name }, `block/${device.name}/${block.name}`)
    taken.push(snapshot)
    ctx.progress((100 * taken.length) / blocks.length, `Snapshot of ${block.name}`)
  }
  return taken
}

/** @throws GatewayError `not_found` without a snapshot */
export function requireSnapshotOf(ctx: QueryContext, device: Device, block: Block): ValueSnapshot {
  const snapshot = ctx.read(valueSnapshots).get(snapshotKey({ deviceId: device.id, blockId: block.id }))
  if (snapshot) return snapshot
  throw problem('not_found', `There is no snapshot of the actual values of "${block.name}".`, {
    suggestion: `POST /api/devices/${encodeURIComponent(device.name)}/blocks/${encodeURIComponent(block.name)}/actions/snapshot-actual-values`,
  })
}

async function valuesOf(ctx: QueryContext, snapshot: ValueSnapshot): Promise<BlockValue[]> {
  return JSON.parse(await ctx.blobs.text(snapshot.values)) as BlockValue[]
}

/** The values of a snapshot, in the order of declaration. */
export async function shownValues(ctx: QueryContext, snapshot: ValueSnapshot): Promise<ShownValue[]> {
  return (await valuesOf(ctx, snapshot)).map(({ steps, dataType, text, isStart, isRetentive, isSetpoint }) => ({
    path: pathOf(steps),
    dataType,
    ...defined({ value: text }),
    isStartValue: isStart,
    isRetentive,
    isSetpoint,
  }))
}

function pathOf(steps: BlockValue['steps']): string {
  return steps.map(({ name, indices }) => `${name}${indices.map((index) => `[${index.join(',')}]`).join('')}`).join('.')
}

/** The outcome of one data block. */
export interface Applied {
  readonly blockName: string
  readonly takenAt: number
  /** Number of copied values, without those that equal their start values. */
  readonly copied: number
  readonly changed: boolean
  readonly warnings: readonly string[]
}

/**
 * Copies values of a snapshot to the start values of the data block in the project. Its actual values stay as they are.
 */
export async function applySnapshot(
  ctx: CommandContext,
  device: Device,
  block: Block,
  part: SnapshotPart,
): Promise<Applied> {
  const snapshot = requireSnapshotOf(ctx, device, block)
  const isSame = snapshot.document === block.document
  const all = await valuesOf(ctx, snapshot)
  const wanted = all.filter(
    ({ isStart, isSetpoint, isRetentive }) =>
      !(isSame && isStart) && (part === 'all' || (part === 'setpoints' ? isSetpoint : isRetentive)),
  )
  const without = wanted.filter(({ text }) => text === undefined)
  const values = wanted.flatMap(({ steps, text }) => (text === undefined ? [] : [{ steps, value: text }]))
  const after = await storeStartValues(ctx, device, block, values)
  const changed = after.document !== block.document
  const place = { deviceName: device.name, blockName: block.name }
  const settled = changed
    ? await settledSnapshot(ctx, snapshot, all, new Set(wanted), isSame, after.document)
    : undefined
  ctx.emit(
    snapshotApplied,
    { ...place, values: part, changed: values.length, ...defined({ snapshot: settled }) },
    `block/${device.name}/${block.name}`,
  )
  const [first] = without
  const more = without.length > 1 ? ` and ${without.length - 1} more` : ''
  const warnings = [
    ...(isSame
      ? []
      : [`"${block.name}" has changed since the snapshot was taken: members that are new keep their start values`]),
    ...(first ? [`${pathOf(first.steps)}${more} had no value that a start value can be, and stay as they are`] : []),
  ]
  return { blockName: block.name, takenAt: snapshot.takenAt, copied: values.length, changed, warnings }
}

/**
 * The snapshot after it was applied: what was copied is a start value now, so that doing it again copies nothing.
 * @param document of the data block as it is now
 */
async function settledSnapshot(
  ctx: CommandContext,
  snapshot: ValueSnapshot,
  all: readonly BlockValue[],
  copied: ReadonlySet<BlockValue>,
  wasSame: boolean,
  document: string,
): Promise<ValueSnapshot> {
  const values = all.map((one): BlockValue => {
    const isStart = (copied.has(one) && one.text !== undefined) || (wasSame && one.isStart)
    return { ...one, isStart }
  })
  return { ...snapshot, document, values: await ctx.blobs.put(JSON.stringify(values)) }
}

/** The data blocks of a device, by name. */
export function dataBlocksOf(ctx: QueryContext, device: Device): Block[] {
  return blocksOf(ctx, device.id)
    .filter(({ kind }) => kind.endsWith('DB'))
    .sort(byText(({ name }) => name))
}

/** Those that have a snapshot. */
export function blocksWithSnapshot(ctx: QueryContext, device: Device): Block[] {
  const known = ctx.read(valueSnapshots)
  return dataBlocksOf(ctx, device).filter(({ id }) => known.has(snapshotKey({ deviceId: device.id, blockId: id })))
}
