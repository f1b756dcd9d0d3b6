/** The operations on devices. Their implementation is loaded on first use. */
import {
  command,
  defined,
  del,
  get,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { requireProject } from '../projects/index.ts'
import { type Device, deviceDeleted, deviceRenamed, devices, requireDevice } from './device.ts'
import { interfaceFields, interfaceView } from './network/network-operations.ts'

const deviceFields = (t: SchemaBuilder) => ({
  name: t.String(),
  id: t.String(),
  kind: t.String({ description: 'PLC, HMI, IO, Drive, Switch or Other.' }),
  type: t.String({ description: 'Name of the type, e.g. CPU 1515-2 PN.' }),
  typeName: t.String({ description: 'The same as type.' }),
  family: t.String(),
  orderNumber: t.String(),
  articleNumber: t.String({ description: 'The same as orderNumber.' }),
  firmware: t.String({ description: 'Empty: not known.' }),
  version: t.String({ description: 'The same as firmware.' }),
  typeIdentifier: t.String(),
  unplaced: t.Boolean({ description: 'In the parking lot.' }),
  ipAddress: t.Optional(t.String({ description: 'Of its first interface that has one.' })),
  createdAt: t.DateTime(),
})

/** A device as shown to clients. */
export function deviceView(device: Device) {
  const { name, id, kind, typeName, family, orderNumber, firmware, typeIdentifier, unplaced, createdAt } = device
  const ipAddress = device.network?.interfaces.find((one) => one.ipAddress !== undefined)?.ipAddress
  return {
    name,
    id,
    kind,
    type: typeName,
    typeName,
    family,
    orderNumber,
    articleNumber: orderNumber,
    firmware,
    version: firmware,
    typeIdentifier,
    unplaced,
    ...defined({ ipAddress }),
    createdAt: new Date(createdAt).toISOString(),
  }
}

const deviceList = (t: SchemaBuilder) =>
  t.Object({
    devices: t.Array(t.Object(deviceFields(t))),
    total: t.Integer({ description: 'Matching devices, on all pages.' }),
    nextCursor: t.Optional(t.String()),
  })

const deviceName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the device; case does not matter.' })

/**
 * A page of devices. The cursor is the name of the last device of the previous page, so it stays valid when devices are
 * added or deleted.
 */
function pageOf(all: readonly Device[], { limit, cursor, q }: { limit?: number; cursor?: string; q?: string }) {
  const wanted = q?.toLowerCase() ?? ''
  const matching = all.filter((device) => device.name.toLowerCase().includes(wanted))
  let from = 0
  if (cursor !== undefined) {
    const last = matching.findIndex((device) => device.id === cursor)
    if (last < 0) {
      throw problem(
        'invalid_input',
        `/cursor: "${cursor}" is not a cursor of this list; the device may have been deleted.`,
        {
          errors: [{ path: '/cursor', message: 'is not a cursor of this list', value: cursor }],
        },
      )
    }
    from = last + 1
  }
  const page = matching.slice(from, limit === undefined ? undefined : from + limit)
  const more = from + page.length < matching.length
  const last = page.at(-1)
  return { devices: page.map(deviceView), total: matching.length, ...(more && last ? { nextCursor: last.id } : {}) }
}

const list = query({
  id: 'devices.list',
  title: 'List the devices of the open project',
  description: 'Without those in the parking lot, in the order they were added.',
  input: (t) => t.Object({ ...t.paging() }),
  output: deviceList,
  http: [get('/api/projects/devices'), get('/api/projects/devices/async', 'async')],
  mcp: { toolset: 'devices', essential: true },
  run(input, ctx) {
    requireProject(ctx)
    return pageOf(
      [...ctx.read(devices).values()].filter((device) => !device.unplaced),
      input,
    )
  },
})

const show = query({
  id: 'devices.get',
  title: 'Show one device',
  description: 'Also one in the parking lot. Its `ETag` makes a change of the device conditional (`If-Match`).',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) => t.Object({ ...deviceFields(t), interfaces: t.Array(t.Object(interfaceFields(t))) }),
  http: [get('/api/devices/{deviceName}')],
  mcp: { toolset: 'devices' },
  run(input, ctx) {
    const device = requireDevice(ctx, input.deviceName)
    return { ...deviceView(device), interfaces: (device.network?.interfaces ?? []).map(interfaceView) }
  },
})

const parkingLot = query({
  id: 'devices.parking-lot',
  title: 'List the devices in the parking lot',
  description:
    'Devices that were added with `unplaced: true`: they belong to the project and are in no rack or network.',
  input: (t) => t.Object({ ...t.paging() }),
  output: deviceList,
  http: [get('/api/projects/devices/parking-lot')],
  mcp: { toolset: 'devices' },
  run(input, ctx) {
    requireProject(ctx)
    return pageOf(
      [...ctx.read(devices).values()].filter((device) => device.unplaced),
      input,
    )
  },
})

const clearParkingLot = command({
  id: 'devices.clear-parking-lot',
  title: 'Delete every device in the parking lot',
  input: (t) => t.Object({}),
  output: (t) =>
    t.Object({ removed: t.Integer(), devices: t.Array(t.String(), { description: 'Names of the deleted devices.' }) }),
  http: [post('/api/projects/devices/parking-lot/actions/clear')],
  mcp: { toolset: 'devices', destructive: true },
  needsInstance: true,
  run(_input, ctx) {
    requireProject(ctx)
    const parked = [...ctx.read(devices).values()].filter((device) => device.unplaced)
    for (const { id, name } of parked) ctx.emit(deviceDeleted, { id, name }, `device/${name}`)
    return { removed: parked.length, devices: parked.map((device) => device.name) }
  },
})

const add = command({
  id: 'devices.add',
  title: 'Add a device by its order number',
  description:
    'The order number may be written in any way (`6es75152am020ab0`, `OrderNumber:6ES7 515-2AM02-0AB0/V2.9`). Modules that are plugged into a station are refused. A PLC or HMI device gets the address 192.168.0.1, or the next that is free in the project, on its first PROFINET interface. An unknown firmware is a warning.',
  input: (t) =>
    t.Object({
      orderNumber: t.String({ minLength: 1, maxLength: 200, description: 'Order number or type identifier.' }),
      name: t.Optional(t.String({ description: 'Default: the next free PLC_1, HMI_1, IO device_1 …' })),
      firmware: t.Optional(
        t.String({ description: 'E.g. V2.9. Default: that of the type identifier, else the newest known.' }),
      ),
      unplaced: t.Optional(t.Boolean({ description: 'Put it into the parking lot.' })),
    }),
  output: (t) =>
    t.Object({
      ...deviceFields(t),
      interfaces: t.Array(t.Object(interfaceFields(t)), { description: 'With their addresses.' }),
      warnings: t.Array(t.String()),
    }),
  http: [
    post('/api/projects/devices/actions/add-sync'),
    post('/api/projects/devices/actions/add', 'async'),
    post('/api/projects/devices'),
  ],
  mcp: { toolset: 'devices', essential: true },
  needsInstance: true,
  aliases: {
    orderNumber: ['articleNumber', 'mlfb', 'MLFB', 'typeIdentifier', 'typeId', 'orderNo'],
    name: ['deviceName'],
    firmware: ['version', 'firmwareVersion'],
    unplaced: ['parkingLot'],
  },
  example: { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' },
  async run(input, ctx) {
    const { device, warnings } = await (await import('./add.ts')).addDevice(ctx, input)
    return { ...deviceView(device), interfaces: (device.network?.interfaces ?? []).map(interfaceView), warnings }
  },
})

const remove = command({
  id: 'devices.delete',
  title: 'Delete a device with everything in it',
  description: 'Its blocks, types and tag tables go with it. A device of the parking lot is deleted the same way.',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) => t.Object({ name: t.String(), id: t.String(), deleted: t.Boolean() }),
  http: [del('/api/devices/{deviceName}'), post('/api/devices/{deviceName}/actions/delete-async', 'async')],
  mcp: { toolset: 'devices', destructive: true },
  needsInstance: true,
  run(input, ctx) {
    const { id, name } = requireDevice(ctx, input.deviceName)
    ctx.emit(deviceDeleted, { id, name }, `device/${name}`)
    return { name, id, deleted: true }
  },
})

const rename = command({
  id: 'devices.rename',
  title: 'Rename a device',
  description:
    'A name is at most 128 characters and unique without regard to case. Changing only the case is possible.',
  input: (t) => t.Object({ deviceName: deviceName(t), newName: t.String({ description: 'The new name.' }) }),
  output: (t) => t.Object({ oldName: t.String(), ...deviceFields(t) }),
  http: [post('/api/devices/actions/rename'), post('/api/devices/actions/rename-async', 'async')],
  mcp: { toolset: 'devices' },
  needsInstance: true,
  changes: '/api/devices/{deviceName}',
  aliases: { deviceName: ['oldName', 'name', 'currentName'], newName: ['newDeviceName'] },
  async run(input, ctx) {
    const { id, name: oldName } = requireDevice(ctx, input.deviceName)
    const { requireFreeName } = await import('./names.ts')
    const { newName } = input
    requireFreeName(ctx, newName, '/newName', id)
    if (newName !== oldName) ctx.emit(deviceRenamed, { id, oldName, newName }, `device/${newName}`)
    return { oldName, ...deviceView(requireDevice(ctx, newName)) }
  },
})

export const deviceOperations: readonly Operation[] = [list, show, parkingLot, clearParkingLot, add, remove, rename]
