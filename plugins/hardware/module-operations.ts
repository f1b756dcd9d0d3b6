/** The operations on the modules of a station. Their implementation is loaded on first use. */
import { command, del, get, type Operation, patch, post, query, rankedPage } from '../../core/index.ts'
import { requireDevice } from '../devices/index.ts'
import {
  deviceName,
  moduleAliases,
  moduleName,
  rack,
  slot,
  startAddresses,
  startsOf,
  subslot,
  toolset,
} from './declarations.ts'
import { channelFields, interfaceFields, stationSchema } from './station-schema.ts'
import { moduleFields } from './views.ts'

const routes = '/api/devices/{deviceName}/modules'

const compatible = query({
  id: 'hardware.compatible-slots',
  title: 'Find the slots a module fits into, or the modules that fit a slot',
  description:
    'With `orderNumber`: the free slots of the station that take the module, or the reason why none does. Without it: what fits each free slot, or the one named by `slot` (and `subslot`). The rules are those of the family: slot ranges, power supply first, number of modules, boards, BusAdapters.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      orderNumber: t.Optional(
        t.String({ minLength: 1, maxLength: 200, description: 'Of the module, or a type identifier.' }),
      ),
      rack: rack(t, 'Only this rack.'),
      slot: slot(t, 'Only this slot.'),
      subslot: subslot(t),
      ...t.paging(),
    }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      stationType: t.Optional(t.String({ description: 'Class of the station; absent: it takes no modules.' })),
      module: t.Optional(t.Object({ orderNumber: t.String(), typeName: t.String(), kind: t.String() })),
      slots: t.Array(
        t.Object({
          rack: t.Integer(),
          slot: t.Integer(),
          subslot: t.Optional(t.Integer()),
          position: t.String({ description: '4, 1.3 in a module, 1/4 in rack 1.' }),
        }),
        { description: 'Free and fitting, lowest first.' },
      ),
      modules: t.Optional(
        t.Array(
          t.Object({
            orderNumber: t.String(),
            typeName: t.String(),
            kind: t.String(),
            slots: t.Array(t.String(), { description: 'Positions.' }),
          }),
          { description: 'Without orderNumber: what would fit.' },
        ),
      ),
      reason: t.Optional(t.String({ description: 'Why there is none.' })),
      total: t.Integer({ description: 'Slots, or without orderNumber modules, on all pages.' }),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/devices/compatible-slots')],
  mcp: { toolset },
  aliases: { ...moduleAliases, deviceName: ['device', 'stationName', 'name'] },
  example: { deviceName: 'PLC_1', orderNumber: '6ES7 521-1BL00-0AB0' },
  async run(input, ctx) {
    return (await import('./modules/compatible.ts')).compatibleSlots(ctx, input)
  },
})

const details = query({
  id: 'hardware.details',
  title: 'Show the whole hardware of a device',
  description:
    'Rack, modules, submodules, interfaces and ports as a tree (`items`), each with order number, firmware, I/O addresses, channels with their tags, parameters, and attributes that an imported file brought. `interfaces` lists the network data in short.',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      typeName: t.String(),
      orderNumber: t.String(),
      firmware: t.String(),
      isConfigured: t.Boolean({ description: 'false: as it was added; nothing of its hardware was changed.' }),
      controller: t.Optional(t.String({ description: 'IO controller of an IO device.' })),
      station: stationSchema(t),
      modules: t.Array(t.Object(moduleFields(t)), { description: 'What is plugged, in the order of the slots.' }),
      interfaces: t.Array(
        t.Object({ ...interfaceFields(t), item: t.String({ description: 'Name of the item that has it.' }) }),
      ),
    }),
  http: [get('/api/devices/{deviceName}/hardware-details')],
  mcp: { toolset },
  example: { deviceName: 'PLC_1' },
  async run(input, ctx) {
    return (await import('./details.ts')).hardwareDetails(ctx, requireDevice(ctx, input.deviceName))
  },
})

const list = query({
  id: 'hardware.modules',
  title: 'List the modules of a device',
  description: 'In the order of the slots, boards and BusAdapters behind the module they are in.',
  input: (t) => t.Object({ deviceName: deviceName(t), ...t.paging() }),
  output: (t) =>
    t.Object({
      modules: t.Array(t.Object(moduleFields(t))),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get(routes)],
  mcp: { toolset },
  async run(input, ctx) {
    const [{ stationOf }, { modulesOf, moduleView }] = await Promise.all([
      import('./stations.ts'),
      import('./views.ts'),
    ])
    const station = await stationOf(ctx, requireDevice(ctx, input.deviceName))
    const wanted = input.q?.toLowerCase() ?? ''
    const all = modulesOf(station).filter(({ item }) => item.name.toLowerCase().includes(wanted))
    const { page, ...rest } = rankedPage(all, { limit: input.limit ?? 1000, cursor: input.cursor }, 'm')
    return { modules: page.map(({ item, place }) => moduleView(item, place)), ...rest }
  },
})

const plug = command({
  id: 'hardware.plug-module',
  title: 'Plug a module into a station',
  description:
    'Into the lowest slot that takes it, or the one that is named; a board goes into the CPU, a BusAdapter into the CPU or interface module. It gets the next free I/O addresses of its controller as TIA Portal gives them, unless first bytes are named. What does not fit is refused (409) with the slots that would do.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      orderNumber: t.String({
        minLength: 1,
        maxLength: 200,
        description: 'Order number or type identifier of the module.',
      }),
      rack: rack(t),
      slot: slot(t, 'Default: the lowest that takes it.'),
      subslot: subslot(t),
      name: t.Optional(t.String({ description: 'Default: its type name with the next free number.' })),
      firmware: t.Optional(t.String({ description: 'Default: the newest known.' })),
      ...startAddresses(t),
    }),
  output: (t) => t.Object({ ...moduleFields(t), warnings: t.Array(t.String()) }),
  http: [post(routes), post(`${routes}/actions/plug`, 'async')],
  asks: ['add an IO module to a device'],
  mcp: { toolset },
  needsInstance: true,
  aliases: { ...moduleAliases, name: ['moduleName'] },
  example: { deviceName: 'PLC_1', orderNumber: '6ES7 521-1BL00-0AB0', slot: 2 },
  async run({ deviceName: device, orderNumber, rack: of, slot: at, subslot: sub, name, firmware, ...addresses }, ctx) {
    const { plugModule } = await import('./editing/changes.ts')
    const starts = startsOf(addresses)
    const changed = await plugModule(ctx, device, orderNumber, {
      rack: of,
      slot: at,
      subslot: sub,
      name,
      firmware,
      starts,
    })
    return answer(changed)
  },
})

async function answer({
  item,
  station,
  warnings,
}: Awaited<ReturnType<typeof import('./editing/changes.ts').plugModule>>) {
  const { moduleView, placeOf } = await import('./views.ts')
  return { ...moduleView(item, placeOf(station, item.id)), warnings: [...warnings] }
}

const move = command({
  id: 'hardware.move-module',
  title: 'Move a module to another slot',
  description: 'Name, addresses and parameters stay. A slot that is occupied or does not take it is refused (409).',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      moduleName: moduleName(t),
      rack: rack(t),
      slot: t.Integer({ minimum: 0, maximum: 32_767, description: 'The new slot.' }),
      subslot: subslot(t),
    }),
  output: (t) => t.Object({ ...moduleFields(t), warnings: t.Array(t.String()) }),
  http: [post(`${routes}/{moduleName}/actions/move`), post(`${routes}/{moduleName}/actions/move-async`, 'async')],
  mcp: { toolset },
  needsInstance: true,
  aliases: { moduleName: ['name'], slot: ['newSlot', 'position'] },
  async run({ deviceName: device, moduleName: name, ...wish }, ctx) {
    return answer(await (await import('./editing/changes.ts')).moveModule(ctx, device, name, wish))
  },
})

const unplug = command({
  id: 'hardware.unplug-module',
  title: 'Unplug a module',
  description:
    'With its addresses and interfaces; tags stay as they are. The CPU and what is built in cannot be unplugged.',
  input: (t) => t.Object({ deviceName: deviceName(t), moduleName: moduleName(t) }),
  output: (t) => t.Object({ name: t.String(), id: t.String(), unplugged: t.Boolean(), warnings: t.Array(t.String()) }),
  http: [del(`${routes}/{moduleName}`), post(`${routes}/{moduleName}/actions/unplug`, 'async')],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  aliases: { moduleName: ['name'] },
  async run(input, ctx) {
    const { item, warnings } = await (await import('./editing/changes.ts')).unplugModule(
      ctx,
      input.deviceName,
      input.moduleName,
    )
    return { name: item.name, id: item.id, unplugged: true, warnings: [...warnings] }
  },
})

const replace = command({
  id: 'hardware.replace-module',
  title: 'Replace a module by one of another type',
  description:
    'Slot, comment, hardware identifier and a name that somebody gave stay; an address stays where the new module has one that fits there. `losses` names the rest. With the name of a rack of an S7-400: the rack becomes one of another kind.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      moduleName: moduleName(t),
      orderNumber: t.String({ minLength: 1, maxLength: 200, description: 'Of the new module.' }),
      firmware: t.Optional(t.String()),
    }),
  output: (t) => t.Object({ ...moduleFields(t), warnings: t.Array(t.String()), losses: t.Array(t.String()) }),
  http: [post(`${routes}/{moduleName}/actions/replace`), post(`${routes}/{moduleName}/actions/replace-async`, 'async')],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  aliases: { moduleName: ['name'], orderNumber: ['newOrderNumber', ...moduleAliases.orderNumber] },
  async run({ deviceName: device, moduleName: name, orderNumber, firmware }, ctx) {
    const changed = await (await import('./editing/changes.ts')).replaceModule(ctx, device, name, orderNumber, firmware)
    return { ...(await answer(changed)), losses: [...changed.losses] }
  },
})

const update = command({
  id: 'hardware.update-module',
  title: 'Rename a module, or change its addresses, comment or parameters',
  description:
    'What is not given stays. Built-in submodules with I/O (`DI 14/DQ 10_1`) can be addressed by their names too. An address that overlaps another of the controller is refused (409) with its holder and the next free byte.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      moduleName: moduleName(t),
      newName: t.Optional(t.String({ maxLength: 1000 })),
      comment: t.Optional(t.String({ maxLength: 10_000 })),
      firmware: t.Optional(t.String({ maxLength: 50 })),
      ...startAddresses(t),
      parameters: t.Optional(
        t.Record(t.String(), t.Union([t.String(), t.Number(), t.Boolean()]), {
          description: 'Merged into those it has, e.g. { potentialGroup: "new", baseUnit: "A1" }.',
        }),
      ),
    }),
  output: (t) => t.Object({ ...moduleFields(t), warnings: t.Array(t.String()) }),
  http: [patch(`${routes}/{moduleName}`), post(`${routes}/{moduleName}/actions/update`, 'async')],
  mcp: { toolset, destructive: true },
  needsInstance: true,
  aliases: {
    moduleName: ['name'],
    inputAddress: moduleAliases.inputAddress,
    outputAddress: moduleAliases.outputAddress,
  },
  example: { deviceName: 'PLC_1', moduleName: 'DI 32x24VDC HF_1', inputAddress: 10 },
  async run({ deviceName: device, moduleName: name, newName, comment, firmware, parameters, ...addresses }, ctx) {
    const { updateModule } = await import('./editing/changes.ts')
    const starts = startsOf(addresses)
    const what = { name: newName, comment, firmware, starts, parameters }
    return answer(await updateModule(ctx, device, name, what))
  },
})

const channels = query({
  id: 'hardware.channels',
  title: 'List the channels of a device with their addresses and tags',
  description:
    'Each channel of the modules with its address and the tags on it. `tag`: the channels of a tag. `address` (%I4.0, %IW64): the channels in it. `module`: those of one module. An IO device shows the tags of its controller.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      module: t.Optional(t.String({ maxLength: 200 })),
      tag: t.Optional(t.String({ maxLength: 200, description: 'Name of a tag of the PLC.' })),
      address: t.Optional(t.String({ maxLength: 50 })),
      ...t.paging(),
    }),
  output: (t) =>
    t.Object({
      channels: t.Array(
        t.Object({
          device: t.String(),
          module: t.String(),
          position: t.String(),
          ...channelFields(t),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/devices/{deviceName}/channels')],
  mcp: { toolset },
  aliases: { module: ['moduleName'], tag: ['tagName'], address: ['logicalAddress'] },
  async run(input, ctx) {
    return (await import('./details.ts')).channelList(ctx, input)
  },
})

export const moduleOperations: readonly Operation[] = [
  compatible,
  details,
  list,
  plug,
  move,
  unplug,
  replace,
  update,
  channels,
]
