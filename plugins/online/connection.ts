/**
 * Online connections of devices, and the virtual controller that a device reaches. A connection is an entry of the
 * state, which ends with the device and the project, and a live part, which ends with the controller's power. Only both
 * together are online.
 */
import {
  collection,
  domainEvent,
  type Gateway,
  type GatewayError,
  type Hook,
  on,
  ownedBy,
  type Slice,
  type SliceReader,
} from '../../core/index.ts'
import { type Device, device, deviceDeleted, devices, findDevice } from '../devices/index.ts'
import { projectClosed } from '../projects/index.ts'
import {
  addressesOf,
  type Controller,
  controllerOf,
  findInstanceByAddress,
  type Instance,
  instances,
  startsFor,
  stepsWithoutInstance,
  supportStep,
  tellSteps,
} from '../simulation/index.ts'
import { problem } from './problems.ts'
import { valueReductions, valueSnapshots } from './value-snapshots.ts'

/** A device that is online. Times in ms since the epoch. */
export interface Connection {
  readonly deviceId: string
  readonly deviceName: string
  readonly instance: string
  readonly address: string
  readonly since: number
  /** Distinguishes successive connections: the live part must have the same. */
  readonly token: string
}

/** Key: the device's id. */
export const connections = collection<Connection>(
  'online.connections',
  { byDevice: (_, key) => key },
  [ownedBy(device, 'byDevice')],
  'apart',
)

export const wentOnline = domainEvent<Connection>('online.connected', 'A device went online')
export const wentOffline = domainEvent<{ deviceId: string; deviceName: string; instance: string }>(
  'online.disconnected',
  'A device went offline',
)

export const onlineSlice: Slice = {
  version: 2,
  collections: [connections, valueSnapshots],
  reductions: [
    ...valueReductions,
    on(wentOnline, (write, connection) => write(connections).set(connection.deviceId, connection)),
    on(wentOffline, (write, { deviceId }) => write(connections).delete(deviceId)),
  ],
}

/** Options of operations. */
export interface Access {
  readonly gateway: Gateway
  readonly read: SliceReader
}

/** A virtual controller that is powered on, at an address. */
export interface Reached {
  readonly instance: Instance
  readonly controller: Controller
  readonly address: string
}

interface Live {
  readonly token: string
  readonly controller: Controller
  readonly ended: AbortSignal
  end(): void
}

/** A device that is online, with its controller. */
export interface OpenConnection extends Connection {
  readonly reached: Reached
  /** Aborts when the device goes offline: on request, or with the controller's power, the device or the project. */
  readonly ended: AbortSignal
}

/** By the device's id. */
const liveConnections = new WeakMap<Gateway, Map<string, Live>>()

function liveOf(gateway: Gateway): Map<string, Live> {
  let live = liveConnections.get(gateway)
  if (!live) {
    live = new Map()
    liveConnections.set(gateway, live)
  }
  return live
}

/** True when the controller is neither off nor changing its power state. */
function isReachable({ state }: Controller): boolean {
  return state !== 'Off' && state !== 'Booting' && state !== 'ShuttingDown'
}

/** Opens the live part of a connection, which ends when the controller is powered off. */
export function openLive(gateway: Gateway, { deviceId, token }: Connection, controller: Controller): void {
  closeLive(gateway, deviceId)
  const ending = new AbortController()
  const onState = () => {
    if (!isReachable(controller)) live.end()
  }
  const live: Live = {
    token,
    controller,
    ended: ending.signal,
    end() {
      controller.events.off('state', onState)
      const all = liveOf(gateway)
      if (all.get(deviceId) === live) all.delete(deviceId)
      ending.abort()
    },
  }
  controller.events.on('state', onState)
  liveOf(gateway).set(deviceId, live)
}

/** Ends the live part of a device's connection. */
export function closeLive(gateway: Gateway, deviceId: string): void {
  liveOf(gateway).get(deviceId)?.end()
}

/** Operations that change the device itself; TIA Portal disables them while the device is online. */
const deviceChanges = ['devices.rename', 'devices.delete', 'devices.configure-network']

/** Refuses changes of a device that is online. */
export const keepOnlineDevices: readonly Hook[] = deviceChanges.map((on) => ({
  on,
  async before(input, ctx) {
    const { deviceName } = input as { readonly deviceName: string }
    const device = findDevice(ctx, deviceName)
    if (device === undefined || (await connectionOf(ctx, device)) === undefined) return
    throw problem('conflict', `"${device.name}" is online; a device is changed offline.`, {
      suggestion: `DELETE /api/devices/${encodeURIComponent(device.name)}/online`,
    })
  },
}))

/** Ends the live connections of devices that a command removes, alone or with the project. */
export const endWithDevice: Hook = {
  on: '*',
  after(_input, _result, ctx) {
    if (!('emitted' in ctx) || ctx.dryRun) return
    const live = liveOf(ctx.gateway)
    if (live.size === 0) return
    for (const { type, data } of ctx.emitted) {
      if (type === projectClosed.type) for (const one of [...live.values()]) one.end()
      else if (type === deviceDeleted.type) live.get((data as { readonly id: string }).id)?.end()
    }
  },
}

/** The connection of a device that is online; none when the instance lost its address. */
export async function connectionOf(access: Access, device: Pick<Device, 'id'>): Promise<OpenConnection | undefined> {
  const connection = access.read(connections).get(device.id)
  const live = liveOf(access.gateway).get(device.id)
  if (!connection || live?.token !== connection.token) return undefined
  const { address } = connection
  const found = await findInstanceByAddress(access, address)
  if (!found || found.controller !== live.controller || !isReachable(found.controller)) return undefined
  return { ...connection, reached: { ...found, address }, ended: live.ended }
}

/** The controller that a device reaches now, if there is one. */
export async function findReached(access: Access, addresses: readonly string[]): Promise<Reached | undefined> {
  for (const address of addresses) {
    const found = await findInstanceByAddress(access, address)
    if (found && isReachable(found.controller)) return { ...found, address }
  }
  return undefined
}

/**
 * The controller of a device: the one at the given address, else the one it is online with, else the first with the
 * address of one of its interfaces.
 *
 * @param device absent: not in the project
 * @param ipAddress another address than those of the device
 * @throws GatewayError `device_unreachable`
 */
export async function reach(
  access: Access,
  device: Device | undefined,
  ipAddress: string | undefined,
  name = device?.name ?? '',
): Promise<Reached> {
  const connection = device && ipAddress === undefined ? await connectionOf(access, device) : undefined
  if (connection) return connection.reached
  const addresses = ipAddress !== undefined ? [ipAddress] : device ? addressesOf(device) : []
  const reached = await findReached(access, addresses)
  if (reached) return reached
  throw await unreachable(access, name, device, addresses)
}

/** The devices of the project, for an error about an unknown one. */
function devicesOf(access: Access): string {
  const names = [...access.read(devices).values()].map(({ name }) => `"${name}"`)
  return names.length === 0 ? '' : ` Devices: ${names.slice(0, 20).join(', ')}.`
}

async function unreachable(
  access: Access,
  name: string,
  device: Device | undefined,
  addresses: readonly string[],
): Promise<GatewayError> {
  const present = await Promise.all(
    [...access.read(instances).values()].map(async (instance) => ({
      name: instance.name,
      state: (await controllerOf(access, instance.name)).state,
      ipAddresses: instance.network.map(({ ipAddress }) => ipAddress),
    })),
  )
  const list = present.map(
    (one) =>
      `"${one.name}" (${one.state}; ${one.ipAddresses.length === 0 ? 'no address' : one.ipAddresses.join(', ')})`,
  )
  const there = list.length === 0 ? 'There is no instance.' : `Instances: ${list.join('; ')}.`
  const owner = present.find(({ ipAddresses }) => ipAddresses.some((one) => addresses.includes(one)))
  const details = { extra: { addresses, instances: present } }
  if (addresses.length === 0) {
    const what = device
      ? `Device "${name}" has no IP address, so it cannot be reached.`
      : `There is no device "${name}" whose address could be used.${devicesOf(access)}`
    return problem('device_unreachable', `${what} ${there}`, {
      ...details,
      suggestion: `${device ? `POST ${configureNetwork(name)} sets its address; or send` : 'Send'} ipAddress: the address of an instance that is powered on.`,
    })
  }
  const sought = addresses.join(', ')
  if (owner) {
    return problem(
      'device_unreachable',
      `Device "${name}" cannot be reached: instance "${owner.name}" has the address ${sought}, and it is ${owner.state}. ${there}`,
      {
        ...details,
        suggestion: `${[...supportStep(access).map(({ request }) => request), startsFor({ name }, owner.name)].join(', then ')}; or POST /api/simulation/instances/${encodeURIComponent(owner.name)}/power-on alone`,
      },
    )
  }
  // An instance that was made without an address is meant for this device rather than a second one.
  const bare = present.find(({ ipAddresses }) => ipAddresses.length === 0)
  const isOwn = device !== undefined && addresses.every((one) => addressesOf(device).includes(one))
  if (!isOwn) {
    const create = `POST /api/simulation/instances/create { "name": ${JSON.stringify(name)}, "ipAddress": "${addresses[0]}" }`
    return problem(
      'device_unreachable',
      `Device "${name}" cannot be reached: no instance has the address ${sought}. ${there}`,
      {
        ...details,
        suggestion: `Send ipAddress: the address of another instance, or none for that of the device; or ${create} and power it on.`,
      },
    )
  }
  const isRunning = bare !== undefined && present.some((one) => one.name === bare.name && one.state !== 'Off')
  const starts = { what: 'its program is not running', request: startsFor({ name }, bare?.name) }
  const steps = bare
    ? [
        {
          what: `instance "${bare.name}" has no address`,
          request: `PUT /api/simulation/instances/${encodeURIComponent(bare.name)}/network { "ipAddress": "${addresses[0]}" }`,
        },
        ...(isRunning ? [] : [...supportStep(access), starts]),
      ]
    : stepsWithoutInstance(access, device)
  const { detail, suggestion } = tellSteps(steps)
  return problem(
    'device_unreachable',
    `Device "${name}" cannot be reached: no instance has the address ${sought}. ${there} ${detail}`,
    { ...details, suggestion: `${suggestion}; or send ipAddress: the address of another instance.` },
  )
}

/** The route that sets the address of a device. */
function configureNetwork(name: string): string {
  return `/api/devices/${encodeURIComponent(name)}/actions/configure-network-sync`
}
