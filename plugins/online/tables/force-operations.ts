/** The force table of a device that is online: live values, forcing, what is forced. */

import {
  type CommandContext,
  command,
  get,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
  stream,
} from '../../../core/index.ts'
import { deviceName, tagValue } from '../../program-objects/index.ts'
import { activeForces, type Controller, type Force, requireProgram } from '../../simulation/index.ts'
import { findWatchTable } from '../../watch-tables/index.ts'
import {
  entriesAliases,
  entriesField,
  forcingStarted,
  forcingStopped,
  intervalAliases,
  intervalField,
  toldRows,
  valuesFields,
} from './declarations.ts'
import { followTable } from './follow.ts'
import { chosenRows, type OnlineDevice, placeOf, type RowChoice, requireForceTable, requireLive } from './live-table.ts'
import { planForces } from './modify.ts'
import { tableValues } from './row-values.ts'

const toolset = 'online'
const path = (rest: string) => `/api/devices/{deviceName}/force-table/${rest}`
const example = { deviceName: 'PLC_1' }

const forceFields = (t: SchemaBuilder) => ({
  tag: t.String({ description: 'Tag, or operand when the loaded program has no tag of that name there any more.' }),
  address: t.String(),
  dataType: t.String(),
  value: tagValue(t),
})
const forcesFields = (t: SchemaBuilder) => ({
  deviceName: t.String(),
  instance: t.String({ description: 'Name of the virtual controller.' }),
  state: t.String({ description: 'Operating state of the controller.' }),
  isForcing: t.Boolean(),
  forces: t.Array(t.Object(forceFields(t))),
  total: t.Integer(),
})

/** The forces of a controller, whoever set them; or those that it would have. */
function heldForces(controller: Controller, forces: readonly Force[] = controller.forces) {
  if (forces.length === 0) return []
  return activeForces(requireProgram(controller), forces).map(({ tag, value }) => ({
    tag: tag.name,
    address: tag.addressText ?? '',
    dataType: tag.dataType,
    value,
  }))
}

function forcesView({ device, instance, controller }: OnlineDevice, held?: readonly Force[]) {
  const forces = heldForces(controller, held)
  const place = { deviceName: device.name, instance, state: controller.state }
  return { ...place, isForcing: forces.length > 0, forces, total: forces.length }
}

const values = query({
  id: 'online.read-force-table',
  title: 'Read the live values of the force table',
  description: 'All rows, all of one scan boundary; `isForced` says which are forced. The device must be online.',
  live: true,
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) => t.Object(valuesFields(t)),
  http: [get(path('values'))],
  mcp: { toolset },
  example,
  async run(input, ctx) {
    const online = await requireLive(ctx, input.deviceName, 'online.read-force-table')
    return tableValues(online, requireForceTable(ctx, online.device))
  },
})

const follow = stream({
  id: 'online.follow-force-table',
  title: 'Follow the live values of the force table',
  description: 'Server-sent events, as those of watch tables.',
  input: (t) => t.Object({ deviceName: deviceName(t), ...intervalField(t) }),
  http: [get(path('values/stream'))],
  mcp: false,
  aliases: intervalAliases,
  async run({ intervalMs = 250, ...input }, ctx) {
    const online = await requireLive(ctx, input.deviceName, 'online.follow-force-table')
    const { name } = requireForceTable(ctx, online.device)
    const { read } = ctx.gateway.state
    return followTable(online, () => findWatchTable({ read }, online.device.id, name), intervalMs, ctx.signal)
  },
})

const active = query({
  id: 'online.list-forces',
  title: 'List the active forces of the controller of a device',
  description: 'Whoever set them, and whether or not they are in the force table. The device must be online.',
  live: true,
  tagged: true,
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) => t.Object(forcesFields(t)),
  http: [get(path('forces'))],
  mcp: { toolset },
  example,
  async run(input, ctx) {
    return forcesView(await requireLive(ctx, input.deviceName, 'online.list-forces'))
  },
})

/** Forces rows of the table instead of what is forced. */
async function force(ctx: CommandContext, online: OnlineDevice, entries: readonly RowChoice[] | undefined) {
  const { device, controller } = online
  const table = requireForceTable(ctx, device)
  const { plan, forces } = planForces(requireProgram(controller), chosenRows(table, entries))
  const replaced = controller.forces.length > 0
  if (!ctx.dryRun) await controller.setForces(forces)
  const rows = plan.map(({ row }) => ({ operand: row.operand, value: row.value }))
  ctx.emit(forcingStarted, { ...placeOf(online, table), ...toldRows(rows), replaced }, `device/${device.name}`)
  return forcesView(online, ctx.dryRun ? forces : undefined)
}

const rules =
  'Inputs, outputs and their periphery (`%I0.0:P`) can be forced, as in an S7-1500; rows with anything else are a 422 that says so. Forces hold against the program, against writes and modifying, in RUN and STOP; they stay when the device goes offline, over power-off and downloads, until they are stopped. Without `entries` all rows that have a force value and forceIntention. The device must be online.'

const start = command({
  id: 'online.start-forcing',
  title: 'Force the rows of the force table',
  description: `When the controller has forces already it is a 409: replace or stop them. ${rules}`,
  live: true,
  lasting: 'Forces are of the controller: replace or remove them there.',
  changes: '/api/devices/{deviceName}/force-table/forces',
  access: 'operator',
  input: (t) => t.Object({ deviceName: deviceName(t), ...entriesField(t, 'force') }),
  output: (t) => t.Object(forcesFields(t)),
  http: [post(path('actions/start'))],
  mcp: { toolset, destructive: true },
  aliases: entriesAliases,
  example,
  async run({ entries, ...input }, ctx) {
    const online = await requireLive(ctx, input.deviceName, 'online.start-forcing')
    if (online.controller.forces.length > 0) {
      const names = heldForces(online.controller).map(({ tag }) => tag)
      const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
      throw problem(
        'conflict',
        `Instance "${online.instance}" has forces already: ${names.slice(0, 5).join(', ')}${more}. Replace or stop them.`,
        { suggestion: `POST /api/devices/${encodeURIComponent(online.device.name)}/force-table/actions/replace` },
      )
    }
    return force(ctx, online, entries)
  },
})

const replace = command({
  id: 'online.replace-forces',
  title: 'Replace the forces of a controller by those of the force table',
  description: `Rows that are forced and not among these are forced no longer. ${rules}`,
  live: true,
  lasting: 'Forces are of the controller: replace or remove them there.',
  changes: '/api/devices/{deviceName}/force-table/forces',
  access: 'operator',
  input: (t) => t.Object({ deviceName: deviceName(t), ...entriesField(t, 'force') }),
  output: (t) => t.Object(forcesFields(t)),
  http: [post(path('actions/replace'))],
  mcp: { toolset, destructive: true },
  aliases: entriesAliases,
  example,
  async run({ entries, ...input }, ctx) {
    return force(ctx, await requireLive(ctx, input.deviceName, 'online.replace-forces'), entries)
  },
})

const stop = command({
  id: 'online.stop-forcing',
  title: 'Stop forcing',
  description:
    'Takes all forces of the controller away, also those that were not set by the force table. Inputs have the values of the periphery again, outputs those of the program, from the next cycle on.',
  live: true,
  lasting: 'Forces are of the controller: replace or remove them there.',
  changes: '/api/devices/{deviceName}/force-table/forces',
  access: 'operator',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) => t.Object({ ...forcesFields(t), stopped: t.Integer({ description: 'Forces that were taken away.' }) }),
  http: [post(path('actions/stop'))],
  mcp: { toolset, destructive: true },
  example,
  async run(input, ctx) {
    const online = await requireLive(ctx, input.deviceName, 'online.stop-forcing')
    const { device, instance, controller } = online
    const total = heldForces(controller).length
    if (!ctx.dryRun && controller.forces.length > 0) await controller.setForces([])
    if (total > 0) ctx.emit(forcingStopped, { deviceName: device.name, instance, total }, `device/${device.name}`)
    const place = { deviceName: device.name, instance, state: controller.state }
    return { ...place, isForcing: false, forces: [], total: 0, stopped: total }
  },
})

export const forceOperations: readonly Operation[] = [values, follow, active, start, replace, stop]
