/** Actual and start values of data blocks, and snapshots of them. What the operations do is loaded on first use. */

import {
  command,
  get,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
  rankedPage,
  type SchemaBuilder,
} from '../../core/index.ts'
import { type Block, requireBlockOf } from '../blocks/index.ts'
import { type Device, requirePlc } from '../devices/index.ts'
import { deviceName, objectName } from '../program-objects/index.ts'
import { requireAccess } from '../security/index.ts'
import { admitCredentials, credentialAliases, credentialFields } from './access.ts'
import { reach } from './connection.ts'
import { addressAliases, cpuState, cpuStateOf, ipAddress, placeFields, startValuesLoaded } from './declarations.ts'
import { snapshotParts } from './value-snapshots.ts'

/** @throws GatewayError `not_found`, `conflict` for another kind of block */
function requireDataBlock(ctx: QueryContext, device: Device, blockName: string): Block {
  const block = requireBlockOf(ctx, device, blockName)
  const { name, kind } = block
  if (kind.endsWith('DB')) return block
  const article = kind === 'OB' || kind === 'FB' ? 'an' : 'a'
  throw problem('conflict', `"${name}" is no data block but ${article} ${kind}: it has no actual values of its own.`)
}

const loadStartValues = command({
  id: 'online.load-start-values',
  title: 'Load the start values of a data block as its actual values',
  description:
    'All values of the data block on the controller become its start values, retentive ones and those of timers and counters in it too, all at one cycle control point. The start values are those that were downloaded: a block that has changed since is a 409. The device must be reachable and have the program; it need not be online.',
  live: true,
  lasting: 'The controller keeps the values that were written.',
  access: 'operator',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: objectName(t, 'block'),
      ipAddress: ipAddress(t),
      ...credentialFields(t),
    }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      blockName: t.String(),
      number: t.Integer(),
      size: t.Integer({ description: 'Of the values, in bytes.' }),
      operatingState: cpuState(t),
    }),
  http: [post('/api/devices/{deviceName}/blocks/{blockName}/actions/load-start-values')],
  mcp: { toolset: 'online', destructive: true },
  needsInstance: true,
  aliases: { ipAddress: addressAliases, ...credentialAliases },
  example: { deviceName: 'PLC_1', blockName: 'Recipe_DB' },
  admit: (input, ctx) => admitCredentials(input, ctx),
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireDataBlock(ctx, device, input.blockName)
    const { name } = block
    const { instance, controller, address } = await reach(ctx, device, input.ipAddress)
    requireAccess(ctx.actor, controller, 'online.load-start-values')
    const { startValuesOf } = await import('./start-values.ts')
    const { number, write } = startValuesOf(controller.program, block, instance.name)
    if (!ctx.dryRun) await controller.write([write])
    const place = { deviceName: device.name, instance: instance.name }
    ctx.emit(startValuesLoaded, { ...place, blockName: name }, `block/${device.name}/${name}`)
    return {
      ...place,
      ipAddress: address,
      blockName: name,
      number,
      size: write.bytes.length,
      operatingState: cpuStateOf(controller),
    }
  },
})

const manyBlocks = (t: SchemaBuilder) => ({
  blockName: t.Optional(objectName(t, 'block')),
  blockNames: t.Optional(
    t.Array(objectName(t, 'block'), {
      minItems: 1,
      maxItems: 5000,
      description: 'Only these data blocks. Default: all.',
    }),
  ),
})

/**
 * The data blocks that a request names; `undefined`: all.
 * @throws GatewayError `invalid_input` when route and body both name some
 */
function namedBlocks(
  ctx: QueryContext,
  device: Device,
  {
    blockName,
    blockNames,
  }: { readonly blockName?: string | undefined; readonly blockNames?: readonly string[] | undefined },
): Block[] | undefined {
  if (blockName !== undefined && blockNames !== undefined) {
    const message = 'the data block stands in the route already'
    throw problem('invalid_input', `/blockNames: ${message}.`, { errors: [{ path: '/blockNames', message }] })
  }
  const names = blockNames ?? (blockName === undefined ? undefined : [blockName])
  if (names === undefined) return undefined
  return [...new Set(names.map((name) => requireDataBlock(ctx, device, name)))]
}

const iso = (time: number) => new Date(time).toISOString()

const takeSnapshot = command({
  id: 'online.snapshot-actual-values',
  title: 'Take a snapshot of the actual values of data blocks',
  description:
    'Reads all values of a data block, or of all data blocks of the device, at one cycle control point and keeps them in the project, in RUN too; a new snapshot replaces the one before. It is kept until the project is closed, and is not in its files. A data block that has changed since it was downloaded is a 409. The device must be reachable; it need not be online.',
  live: true,
  lasting: false,
  access: 'operator',
  input: (t) =>
    t.Object({ deviceName: deviceName(t), ...manyBlocks(t), ipAddress: ipAddress(t), ...credentialFields(t) }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      takenAt: t.DateTime(),
      snapshots: t.Array(t.Object({ blockName: t.String(), values: t.Integer({ description: 'How many.' }) })),
      total: t.Integer({ description: 'Data blocks.' }),
    }),
  http: [
    post('/api/devices/{deviceName}/blocks/{blockName}/actions/snapshot-actual-values'),
    post('/api/devices/{deviceName}/actions/snapshot-actual-values'),
  ],
  mcp: { toolset: 'online' },
  needsInstance: true,
  aliases: { ipAddress: addressAliases, ...credentialAliases },
  example: { deviceName: 'PLC_1', blockName: 'Recipe_DB' },
  admit: (input, ctx) => admitCredentials(input, ctx),
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { dataBlocksOf, takeSnapshots } = await import('./actual-values.ts')
    const wanted = namedBlocks(ctx, device, input) ?? dataBlocksOf(ctx, device)
    const reached = await reach(ctx, device, input.ipAddress)
    requireAccess(ctx.actor, reached.controller, 'online.snapshot-actual-values')
    const taken = await takeSnapshots(ctx, device, reached, wanted)
    return {
      deviceName: device.name,
      instance: reached.instance.name,
      ipAddress: reached.address,
      takenAt: iso(ctx.now),
      snapshots: taken.map(({ blockName, count }) => ({ blockName, values: count })),
      total: taken.length,
    }
  },
})

const showSnapshot = query({
  id: 'online.list-snapshot-values',
  title: 'List the values of the snapshot of a data block',
  description: 'As constants, in the order of declaration, a page at a time.',
  input: (t) => t.Object({ deviceName: deviceName(t), blockName: objectName(t, 'block'), ...t.paging() }),
  output: (t) =>
    t.Object({
      blockName: t.String(),
      instance: t.String({ description: 'The virtual controller that had the values.' }),
      takenAt: t.DateTime(),
      isCurrent: t.Boolean({ description: 'The data block has not changed in the project since.' }),
      values: t.Array(
        t.Object({
          path: t.String({ description: '`motor.speed`, `list[1,2]`; of an array data block `[3]`.' }),
          dataType: t.String(),
          value: t.Optional(t.String({ description: 'Absent: it was no value of the type.' })),
          isStartValue: t.Boolean({ description: 'It was the start value.' }),
          isRetentive: t.Boolean(),
          isSetpoint: t.Boolean(),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/devices/{deviceName}/blocks/{blockName}/snapshot-values')],
  mcp: { toolset: 'online' },
  async run({ deviceName: name, blockName, limit = 1000, cursor, q = '' }, ctx) {
    const device = requirePlc(ctx, name)
    const block = requireDataBlock(ctx, device, blockName)
    const { requireSnapshotOf, shownValues } = await import('./actual-values.ts')
    const snapshot = requireSnapshotOf(ctx, device, block)
    const all = (await shownValues(ctx, snapshot)).filter(({ path }) => path.toLowerCase().includes(q.toLowerCase()))
    const { page, ...rest } = rankedPage(all, { limit, cursor }, String(snapshot.takenAt))
    const { instance, takenAt, document } = snapshot
    const isCurrent = document === block.document
    return { blockName: block.name, instance, takenAt: iso(takenAt), isCurrent, values: page, ...rest }
  },
})

const applySnapshots = command({
  id: 'online.apply-snapshot',
  title: 'Copy values of snapshots to the start values of data blocks',
  description:
    'Of one data block, or of all of the device that have a snapshot. `values`: all of them, only setpoints (members marked as setpoint), or only retentive ones. The data block in the project is changed, its actual values are not; compile and download it afterwards.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ...manyBlocks(t),
      values: t.Optional(t.Enum([...snapshotParts], { description: 'Default: all.' })),
    }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      values: t.Enum([...snapshotParts]),
      blocks: t.Array(
        t.Object({
          blockName: t.String(),
          takenAt: t.DateTime(),
          copied: t.Integer({ description: 'Values; those that are start values already are not copied.' }),
          changed: t.Boolean({ description: 'The data block is another now.' }),
        }),
      ),
      total: t.Integer({ description: 'Data blocks.' }),
      warnings: t.Array(t.String()),
    }),
  http: [
    post('/api/devices/{deviceName}/blocks/{blockName}/actions/apply-snapshot-as-start-values'),
    post('/api/devices/{deviceName}/actions/apply-snapshot-as-start-values'),
  ],
  mcp: { toolset: 'online', destructive: true },
  needsInstance: true,
  aliases: { values: ['scope', 'only', 'which'] },
  example: { deviceName: 'PLC_1', blockName: 'Recipe_DB', values: 'setpoints' },
  async run({ deviceName: name, values = 'all', ...named }, ctx) {
    const device = requirePlc(ctx, name)
    const { applySnapshot, blocksWithSnapshot } = await import('./actual-values.ts')
    const wanted = namedBlocks(ctx, device, named) ?? blocksWithSnapshot(ctx, device)
    if (wanted.length === 0)
      throw problem('not_found', `No data block of "${device.name}" has a snapshot of its actual values.`, {
        suggestion: `POST /api/devices/${encodeURIComponent(device.name)}/actions/snapshot-actual-values`,
      })
    const blocks = []
    const warnings: string[] = []
    for (const block of wanted) {
      const { warnings: own, takenAt, ...applied } = await applySnapshot(ctx, device, block, values)
      blocks.push({ ...applied, takenAt: iso(takenAt) })
      warnings.push(...own)
      ctx.progress((100 * blocks.length) / wanted.length, `Start values of ${block.name}`)
    }
    return { deviceName: device.name, values, blocks, total: blocks.length, warnings }
  },
})

export const valueOperations: readonly Operation[] = [loadStartValues, takeSnapshot, showSnapshot, applySnapshots]
