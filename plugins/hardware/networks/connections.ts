/** Configured S7 connections: what the operations on them do. */
import { type CommandContext, defined, notFound, problem } from '../../../core/index.ts'
import { type Device, hostFault, requireDevice } from '../../devices/index.ts'
import { guid } from '../guid.ts'
import type { ConfiguredConnection } from '../model.ts'
import { connectionRemoved, connectionSet, connections } from '../station.ts'
import { stationOf } from '../stations.ts'
import { requireInterface } from './networks.ts'

/** What `hardware.create-connection` gets. */
export interface NewConnection {
  readonly deviceName: string
  readonly partner?: string | undefined
  readonly partnerAddress?: string | undefined
  readonly interface?: string | undefined
  readonly partnerInterface?: string | undefined
  readonly name?: string | undefined
  readonly active?: boolean | undefined
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** See `hardware.create-connection`. Local IDs begin with 16#100, as TIA Portal gives them. */
export async function createConnection(ctx: CommandContext, input: NewConnection): Promise<ConfiguredConnection> {
  const device = requireDevice(ctx, input.deviceName)
  if (input.partner === undefined && input.partnerAddress === undefined)
    throw problem('invalid_input', '/partner: is missing: the name of a device, or partnerAddress.', {
      errors: [{ path: '/partner', message: 'is missing' }],
    })
  const { partnerAddress: value } = input
  const message =
    value === undefined ? undefined : input.partner !== undefined ? 'cannot be given beside partner' : hostFault(value)
  if (message !== undefined)
    throw problem('invalid_input', `/partnerAddress: ${message}`, {
      errors: [{ path: '/partnerAddress', message, value }],
    })
  requireEndpoint(device, '/deviceName')
  const own = requireInterface(device, await stationOf(ctx, device), input.interface, '/interface', 'Ethernet')
  let partner: ConfiguredConnection['partner']
  if (input.partner !== undefined) {
    const other = requireDevice(ctx, input.partner)
    if (other.id === device.id) throw problem('conflict', `/partner: "${device.name}" cannot be its own partner.`)
    requireEndpoint(other, '/partner')
    const theirs = requireInterface(
      other,
      await stationOf(ctx, other),
      input.partnerInterface,
      '/partnerInterface',
      'Ethernet',
    )
    partner = { deviceId: other.id, interface: theirs.network }
  }
  const all = [...ctx.read(connections).values()]
  const name = input.name ?? freeConnectionName(all)
  if (all.some((one) => isSame(one.name, name))) throw problem('name_taken', `Connection "${name}" already exists.`)
  const localId = freeConnectionId(all, device.id)
  const connection: ConfiguredConnection = {
    id: guid(ctx.newId(), 'connection'),
    name,
    type: 'S7',
    local: { deviceId: device.id, interface: own.network, tsap: '10.01' },
    ...(partner === undefined ? {} : { partner: { ...partner, tsap: '10.01' } }),
    ...defined({ partnerAddress: input.partnerAddress }),
    active: input.active ?? true,
    localId,
    ...(partner === undefined ? {} : { partnerId: freeConnectionId(all, partner.deviceId) }),
  }
  ctx.emit(connectionSet, { connection }, `connection/${name}`)
  return connection
}

/** IO devices exchange data with their IO controller alone. @throws GatewayError `conflict` */
function requireEndpoint({ name, typeName, kind }: Device, path: string): void {
  if (kind !== 'IO') return
  throw problem('conflict', `${path}: "${name}" (${typeName}) is an IO device: it has no S7 connections.`)
}

/** The next ID of a device; both ends of a connection have one. */
function freeConnectionId(all: readonly ConfiguredConnection[], deviceId: string): number {
  const taken = new Set(
    all.flatMap(({ local, localId, partner, partnerId }) => [
      ...(local.deviceId === deviceId ? [localId] : []),
      ...(partner?.deviceId === deviceId && partnerId !== undefined ? [partnerId] : []),
    ]),
  )
  let id = 0x100
  while (taken.has(id)) id++
  return id
}

function freeConnectionName(all: readonly ConfiguredConnection[]): string {
  const taken = new Set(all.map(({ name }) => name.toLowerCase()))
  for (let n = 1; ; n++) if (!taken.has(`s7_connection_${n}`)) return `S7_Connection_${n}`
}

/** See `hardware.delete-connection`. */
export function deleteConnection(ctx: CommandContext, name: string) {
  const all = [...ctx.read(connections).values()]
  const connection = all.find((one) => isSame(one.name, name) || one.id === name)
  if (!connection)
    throw notFound(
      'connection',
      name,
      all.map((one) => one.name),
    )
  ctx.emit(connectionRemoved, { connection }, `connection/${connection.name}`)
  return { name: connection.name, id: connection.id, deleted: true }
}
