/** Going online and offline; the state of the CPU, starting and stopping it. */

import {
  type CommandContext,
  command,
  del,
  get,
  type Operation,
  post,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { type Device, requirePlc } from '../devices/index.ts'
import { deviceName } from '../program-objects/index.ts'
import { forgetLegitimations, requireAccess } from '../security/index.ts'
import { addressesOf, changeState, type OperatingState, type Transition } from '../simulation/index.ts'
import { admitCredentials, credentialAliases, credentialFields } from './access.ts'
import {
  type Connection,
  closeLive,
  connectionOf,
  connections,
  findReached,
  openLive,
  type Reached,
  reach,
  wentOffline,
  wentOnline,
} from './connection.ts'
import { addressAliases, cpuState, cpuStateOf, cpuSwitched, ipAddress, placeFields } from './declarations.ts'

const goOnline = command({
  id: 'online.connect',
  title: 'Go online: connect a device with its controller',
  description:
    'A device is reachable when a virtual controller that is powered on has the address of one of its interfaces; `ipAddress` names another one. Being online already is fine. The connection ends by itself when the controller is powered off, or the device or project goes. What acts on the controller (download, CPU) does not need it: it keeps the address.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  input: (t) => t.Object({ deviceName: deviceName(t), ipAddress: ipAddress(t), ...credentialFields(t) }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      state: t.Enum(['online']),
      changed: t.Boolean({ description: 'false: it was online there.' }),
      operatingState: cpuState(t),
      since: t.DateTime(),
    }),
  http: [post('/api/devices/{deviceName}/online'), post('/api/devices/{deviceName}/online/connect')],
  mcp: { toolset: 'online' },
  needsInstance: true,
  aliases: { ipAddress: addressAliases, ...credentialAliases },
  example: { deviceName: 'PLC_1' },
  admit: (input, ctx) => admitCredentials(input, ctx),
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { instance, controller, address } = await reach(ctx, device, input.ipAddress)
    requireAccess(ctx.actor, controller, 'online.connect')
    const { id: deviceId, name } = device
    const present = await connectionOf(ctx, device)
    const isSame = present?.instance === instance.name && present.address === address
    const since = isSame ? present.since : ctx.now
    if (!isSame) {
      const connection: Connection = {
        deviceId,
        deviceName: name,
        instance: instance.name,
        address,
        since,
        token: ctx.jobId,
      }
      if (!ctx.dryRun) openLive(ctx.gateway, connection, controller)
      ctx.emit(wentOnline, connection, `device/${name}`)
    }
    return {
      deviceName: name,
      instance: instance.name,
      ipAddress: address,
      state: 'online' as const,
      changed: !isSame,
      operatingState: cpuStateOf(controller),
      since: new Date(since).toISOString(),
    }
  },
})

const goOffline = command({
  id: 'online.disconnect',
  title: 'Go offline',
  description: 'Nothing happens to the controller. A device that is offline stays so.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      state: t.Enum(['offline']),
      changed: t.Boolean({ description: 'false: it was offline.' }),
    }),
  http: [del('/api/devices/{deviceName}/online'), post('/api/devices/{deviceName}/online/disconnect')],
  mcp: { toolset: 'online', destructive: true },
  example: { deviceName: 'PLC_1' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { id: deviceId, name } = device
    const present = await connectionOf(ctx, device)
    const changed = present !== undefined
    if (present && !ctx.dryRun) forgetLegitimations(present.reached.controller)
    // The state still has a connection that the controller ended.
    const noted = ctx.read(connections).get(deviceId)
    if (noted) {
      if (!ctx.dryRun) closeLive(ctx.gateway, deviceId)
      ctx.emit(wentOffline, { deviceId, deviceName: name, instance: noted.instance }, `device/${name}`)
    }
    return { deviceName: name, state: 'offline' as const, changed }
  },
})

const status = query({
  id: 'online.get-status',
  title: 'Say whether a device is online or offline',
  live: true,
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      state: t.Enum(['online', 'offline']),
      isOnline: t.Boolean(),
      isReachable: t.Boolean({ description: 'A controller that is powered on has an address of the device.' }),
      addresses: t.Array(t.String(), { description: 'Of the device.' }),
      instance: t.Union([t.String(), t.Null()], { description: 'The one it is online with, or would reach.' }),
      ipAddress: t.Union([t.String(), t.Null()]),
      since: t.Optional(t.DateTime()),
    }),
  http: [get('/api/devices/{deviceName}/online/status')],
  mcp: { toolset: 'online' },
  example: { deviceName: 'PLC_1' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const addresses = addressesOf(device)
    const connection = await connectionOf(ctx, device)
    const reached = connection?.reached ?? (await findReached(ctx, addresses))
    return {
      deviceName: device.name,
      state: connection ? ('online' as const) : ('offline' as const),
      isOnline: connection !== undefined,
      isReachable: reached !== undefined,
      addresses,
      instance: reached?.instance.name ?? null,
      ipAddress: reached?.address ?? null,
      ...(connection ? { since: new Date(connection.since).toISOString() } : {}),
    }
  },
})

const cpuStatus = query({
  id: 'online.get-cpu-status',
  title: 'Read the operating state of the CPU of a device',
  description: 'The device must be reachable; it need not be online.',
  live: true,
  input: (t) => t.Object({ deviceName: deviceName(t), ipAddress: ipAddress(t) }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      operatingState: cpuState(t, 'HOLD: virtual time stands still.'),
      state: cpuState(t, 'The same.'),
      isOnline: t.Boolean(),
      programHash: t.Union([t.String(), t.Null()], { description: 'null: no program.' }),
      systemTime: t.DateTime({ description: 'Of the controller, UTC.' }),
      cycles: t.Integer({ description: 'Since STARTUP.' }),
      isForcing: t.Boolean({ description: 'Inputs or outputs are forced; GET …/force-table/forces says which.' }),
    }),
  http: [get('/api/devices/{deviceName}/cpu/status')],
  mcp: { toolset: 'online' },
  aliases: { ipAddress: addressAliases },
  example: { deviceName: 'PLC_1' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { instance, controller, address } = await reach(ctx, device, input.ipAddress)
    const operatingState = cpuStateOf(controller)
    return {
      deviceName: device.name,
      instance: instance.name,
      ipAddress: address,
      operatingState,
      state: operatingState,
      isOnline: (await connectionOf(ctx, device)) !== undefined,
      programHash: controller.program?.hash ?? null,
      systemTime: new Date(controller.time).toISOString(),
      cycles: controller.statistics.cycles,
      isForcing: controller.forces.length > 0,
    }
  },
})

const switchedFields = (t: SchemaBuilder) => ({
  ...placeFields(t),
  before: cpuState(t),
  operatingState: cpuState(t),
  changed: t.Boolean({ description: 'false: it was in that state.' }),
})

/** Brings the CPU into a state, from whatever state. */
async function switchCpu(
  ctx: CommandContext,
  device: Device,
  { instance, controller, address }: Reached,
  transition: Transition | undefined,
) {
  const before = cpuStateOf(controller)
  const place = { deviceName: device.name, instance: instance.name }
  let operatingState = before
  if (transition) {
    const { after } = await changeState(ctx, instance, transition)
    operatingState = cpuStateOf({ state: after })
    ctx.emit(cpuSwitched, { ...place, before, after: operatingState }, `device/${device.name}`)
  }
  return { ...place, ipAddress: address, before, operatingState, changed: transition !== undefined }
}

/** An operation that switches CPUs. @param way how the CPU gets there from where it is; undefined: it is there */
function switchOperation(
  {
    action,
    ...texts
  }: { id: 'online.start-cpu' | 'online.stop-cpu'; title: string; description: string; action: 'start' | 'stop' },
  way: (state: OperatingState) => Transition | undefined,
): Operation {
  return command({
    ...texts,
    live: true,
    lasting: 'It switched a CPU: switch it back.',
    access: 'operator',
    input: (t) => t.Object({ deviceName: deviceName(t), ipAddress: ipAddress(t), ...credentialFields(t) }),
    output: (t) => t.Object(switchedFields(t)),
    http: [post(`/api/devices/{deviceName}/cpu/actions/${action}`)],
    mcp: { toolset: 'online', destructive: action === 'stop' },
    aliases: { ipAddress: addressAliases, ...credentialAliases },
    example: { deviceName: 'PLC_1' },
    admit: (input, ctx) => admitCredentials(input, ctx),
    async run(input, ctx) {
      const device = requirePlc(ctx, input.deviceName)
      const reached = await reach(ctx, device, input.ipAddress)
      requireAccess(ctx.actor, reached.controller, texts.id)
      return switchCpu(ctx, device, reached, way(reached.controller.state))
    },
  })
}

const startCpu = switchOperation(
  {
    id: 'online.start-cpu',
    title: 'Switch the CPU of a device to RUN',
    description:
      'Warm restart: startup OBs run once, non-retentive data take start values. A CPU in HOLD goes on where it was. In RUN nothing happens. The device must be reachable; it need not be online.',
    action: 'start',
  },
  (state) => (state === 'Stop' ? 'run' : state === 'Hold' ? 'continue' : state === 'Freeze' ? 'unfreeze' : undefined),
)

const stopCpu = switchOperation(
  {
    id: 'online.stop-cpu',
    title: 'Switch the CPU of a device to STOP',
    description:
      'The program is no longer run, outputs are off. In STOP nothing happens. The device must be reachable; it need not be online.',
    action: 'stop',
  },
  (state) => (state === 'Stop' ? undefined : 'stop'),
)

export const connectionOperations: readonly Operation[] = [goOnline, goOffline, status, cpuStatus, startCpu, stopCpu]
