/**
 * Hardware in the files of a project: `devices/<device>/hardware.json` for each station, `hardware/networks.json` for
 * the rest.
 */
import { type CommandContext, type Fault, isObject } from '../../core/index.ts'
import { deviceFolder, devices } from '../devices/index.ts'
import { faultyFiles, type ProjectFile, type ProjectFiles, parseJsonFile } from '../projects/index.ts'
import { itemsOf } from './addresses/addresses.ts'
import { guid } from './guid.ts'
import type { ConfiguredConnection, DeviceItem, Station, SubnetData, TopologyLink } from './model.ts'
import {
  connectionSet,
  connections,
  linkSet,
  stationSet,
  stations,
  subnetSet,
  subnets,
  topologyLinks,
} from './station.ts'

const networksPath = 'hardware/networks.json'

const text = (data: unknown) => `${JSON.stringify(data, null, 2)}\n`

/** One file for each station that was changed, one for networks when there is something to say of them. */
export function writeHardware(ctx: Pick<CommandContext, 'read'>): ProjectFile[] {
  const files: ProjectFile[] = []
  for (const { deviceId, ...station } of ctx.read(stations).values()) {
    const device = ctx.read(devices).get(deviceId)
    if (device) files.push({ path: `${deviceFolder(device)}/hardware.json`, content: text(station) })
  }
  const byId = <T extends { readonly id: string }>(all: Iterable<T>) =>
    [...all].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const networks = {
    subnets: [...ctx.read(subnets).values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    links: byId(ctx.read(topologyLinks).values()),
    connections: byId(ctx.read(connections).values()),
  }
  if (Object.values(networks).some(({ length }) => length > 0))
    files.push({ path: networksPath, content: text(networks) })
  return files
}

/**
 * Reads all stations and networks and emits an event for each.
 * @throws GatewayError `unacceptable_content` with all faults of all files
 */
export async function readHardware(ctx: CommandContext, files: ProjectFiles): Promise<string[]> {
  const faults: Fault[] = []
  const warnings: string[] = []
  const read: Station[] = []
  const seen = new Set<string>()
  for (const device of ctx.read(devices).values()) {
    const path = `${deviceFolder(device)}/hardware.json`
    if (!files.has(path)) continue
    const data = parseJsonFile((await files.read(path)).toString('utf8'), path, faults)
    if (data === undefined) continue
    const before = faults.length
    checkStation(data, (field, message, value) => void faults.push({ path: `${path}#${field}`, message, value }))
    if (faults.length > before) continue
    // `checkStation` has just found no fault in it.
    const station = { ...(data as unknown as Omit<Station, 'deviceId'>), deviceId: device.id }
    // A folder that was copied to make a second device has the ids of the first.
    const isCopy = seen.has(station.id)
    read.push(isCopy ? renewed(station) : station)
    seen.add(station.id)
  }
  const networks = files.has(networksPath)
    ? parseJsonFile((await files.read(networksPath)).toString('utf8'), networksPath, faults)
    : undefined
  const lists = readNetworks(networks ?? {}, faults)
  if (faults.length > 0) throw faultyFiles('The hardware of the project cannot be read', faults)
  for (const station of read) ctx.emit(stationSet, { station }, `device/${station.name}`)
  const ports = new Set(
    read.flatMap((station) =>
      [...itemsOf(station)].flatMap(({ item }) => item.interface?.ports.map(({ id }) => id) ?? []),
    ),
  )
  for (const subnet of lists.subnets) ctx.emit(subnetSet, { subnet }, `subnet/${subnet.name}`)
  for (const link of lists.links) {
    if (ports.has(link.a.portId) && ports.has(link.b.portId)) ctx.emit(linkSet, { link }, `link/${link.id}`)
    else warnings.push(`${networksPath}: link ${link.id} names a port that no device has; it is left out.`)
  }
  for (const connection of lists.connections) {
    const { local, partner } = connection
    const has = (id: string) => ctx.read(devices).get(id) !== undefined
    if (has(local.deviceId) && (!partner || has(partner.deviceId)))
      ctx.emit(connectionSet, { connection }, `connection/${connection.name}`)
    else
      warnings.push(
        `${networksPath}: connection "${connection.name}" names a device that is not there; it is left out.`,
      )
  }
  return warnings
}

function renewed(station: Station): Station {
  const { deviceId } = station
  const fresh = (id: string) => guid(deviceId, id)
  const item = (one: DeviceItem): DeviceItem => ({
    ...one,
    id: fresh(one.id),
    ...(one.channels === undefined
      ? {}
      : { channels: one.channels.map(({ id, ...rest }) => (id === undefined ? rest : { ...rest, id: fresh(id) })) }),
    ...(one.interface === undefined
      ? {}
      : {
          interface: {
            ...one.interface,
            node: { ...one.interface.node, id: fresh(one.interface.node.id) },
            ...(one.interface.ioSystem === undefined
              ? {}
              : { ioSystem: { ...one.interface.ioSystem, id: fresh(one.interface.ioSystem.id) } }),
            ports: one.interface.ports.map((port) => ({ ...port, id: fresh(port.id) })),
          },
        }),
    items: one.items.map(item),
  })
  return { ...station, id: fresh(station.id), racks: station.racks.map(item) }
}

type Report = (field: string, message: string, value: unknown) => void

const isText = (value: unknown) => typeof value === 'string'
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0
const isList = (value: unknown): value is unknown[] => Array.isArray(value)

/** Fields of an object with what each must be; `?` at the end of a name: it may be absent. */
type Shape = Readonly<Record<string, readonly [(value: unknown) => boolean, string]>>

const named: Shape = {
  id: [isText, 'text'],
  name: [isText, 'text'],
  'attributes?': [isAttributes, 'a list of { name, value, type }'],
}
const stationShape: Shape = {
  ...named,
  typeIdentifier: [isText, 'text'],
  groups: [(value) => isList(value) && value.every(isText), 'a list of names'],
  'comment?': [isText, 'text'],
  racks: [isList, 'a list'],
}
const itemShape: Shape = {
  ...named,
  kind: [
    (value) => ['rack', 'module', 'submodule', 'interface'].includes(value as string),
    'rack, module, submodule or interface',
  ],
  position: [isCount, 'a whole number'],
  builtIn: [(value) => typeof value === 'boolean', 'true or false'],
  'typeIdentifier?': [isText, 'text'],
  'typeName?': [isText, 'text'],
  'firmware?': [isText, 'text'],
  'role?': [(value) => value === 'CPU' || value === 'HeadModule', 'CPU or HeadModule'],
  'moduleKind?': [isText, 'text'],
  'hardwareIdentifier?': [isCount, 'a whole number'],
  'comment?': [isText, 'text'],
  'parameters?': [isObject, 'an object'],
  'addresses?': [isList, 'a list'],
  'channels?': [isList, 'a list'],
  'interface?': [isObject, 'an object'],
  items: [isList, 'a list'],
}
const isIoType = (value: unknown) => value === 'Input' || value === 'Output'
const addressShape: Shape = {
  ioType: [isIoType, 'Input or Output'],
  start: [isCount, 'a whole number'],
  length: [isCount, 'a number of bits'],
  'attributes?': [isAttributes, 'a list of { name, value, type }'],
}
const channelShape: Shape = {
  kind: [(value) => value === 'Digital' || value === 'Analog', 'Digital or Analog'],
  ioType: [isIoType, 'Input or Output'],
  number: [isCount, 'a whole number'],
  length: [isCount, 'a number of bits'],
  'id?': [isText, 'text'],
  'attributes?': [isAttributes, 'a list of { name, value, type }'],
}
const interfaceShape: Shape = {
  label: [isText, 'text'],
  type: [isText, 'text'],
  network: [isText, 'text'],
  node: [isObject, 'an object'],
  'ioSystem?': [isObject, 'an object'],
  ports: [isList, 'a list'],
}
const portShape: Shape = {
  ...named,
  label: [isText, 'text'],
  position: [isCount, 'a whole number'],
  builtIn: [(value) => typeof value === 'boolean', 'true or false'],
}
const referenceShape: Shape = { deviceId: [isText, 'text'], portId: [isText, 'text'] }
const endShape: Shape = { deviceId: [isText, 'text'], interface: [isText, 'text'], 'tsap?': [isText, 'text'] }

function isAttributes(value: unknown): boolean {
  return (
    isList(value) &&
    value.every(
      (one) =>
        isObject(one) &&
        isText(one.name) &&
        (one.value === undefined || isText(one.value)) &&
        (one.type === undefined || isText(one.type)) &&
        (one.attributes === undefined || isAttributes(one.attributes)),
    )
  )
}

/** Reports what is missing, wrong or unknown. An unknown field is a fault, because the next save would lose it. */
function check(value: unknown, shape: Shape, at: string, report: Report): value is Record<string, unknown> {
  if (!isObject(value)) {
    report(at, 'must be an object', value)
    return false
  }
  const known = new Set<string>()
  for (const [key, [test, what]] of Object.entries(shape)) {
    const field = key.replace('?', '')
    known.add(field)
    if (value[field] === undefined ? !key.endsWith('?') : !test(value[field]))
      report(`${at}/${field}`, value[field] === undefined ? 'is missing' : `must be ${what}`, value[field])
  }
  for (const field of Object.keys(value))
    if (!known.has(field)) report(`${at}/${field}`, `is not a field (${[...known].join(', ')})`, value[field])
  return true
}

/** Checks an object in a field; whether it is there, and an object, was checked with its holder. */
function checkField(of: Record<string, unknown>, field: string, shape: Shape, at: string, report: Report): void {
  if (isObject(of[field])) check(of[field], shape, `${at}/${field}`, report)
}

function checkStation(data: unknown, report: Report): void {
  if (!check(data, stationShape, '', report) || !isList(data.racks)) return
  for (const [i, rack] of data.racks.entries()) checkItem(rack, `/racks/${i}`, report)
}

function checkItem(item: unknown, at: string, report: Report): void {
  if (!check(item, itemShape, at, report)) return
  for (const [field, shape] of [['addresses', addressShape] as const, ['channels', channelShape] as const])
    for (const [i, one] of (isList(item[field]) ? item[field] : []).entries())
      check(one, shape, `${at}/${field}/${i}`, report)
  if (isObject(item.interface) && check(item.interface, interfaceShape, `${at}/interface`, report)) {
    checkField(item.interface, 'node', named, `${at}/interface`, report)
    checkField(item.interface, 'ioSystem', named, `${at}/interface`, report)
    for (const [i, port] of (isList(item.interface.ports) ? item.interface.ports : []).entries())
      check(port, portShape, `${at}/interface/ports/${i}`, report)
  }
  for (const [i, one] of (isList(item.items) ? item.items : []).entries()) checkItem(one, `${at}/items/${i}`, report)
}

function readNetworks(data: Record<string, unknown>, faults: Fault[]) {
  const report: Report = (field, message, value) =>
    void faults.push({ path: `${networksPath}#${field}`, message, value })
  const list = <T>(name: string, shape: Shape, inner: (one: Record<string, unknown>, at: string) => void): T[] => {
    const all = data[name] ?? []
    if (!isList(all)) {
      report(`/${name}`, 'must be a list', all)
      return []
    }
    for (const [i, one] of all.entries()) if (check(one, shape, `/${name}/${i}`, report)) inner(one, `/${name}/${i}`)
    return all as T[]
  }
  return {
    subnets: list<SubnetData>('subnets', { ...named, type: [isText, 'text'] }, () => {}),
    links: list<TopologyLink>(
      'links',
      {
        id: [isText, 'text'],
        a: [isObject, 'an object'],
        b: [isObject, 'an object'],
        'attributes?': [isAttributes, 'a list'],
      },
      (one, at) => {
        checkField(one, 'a', referenceShape, at, report)
        checkField(one, 'b', referenceShape, at, report)
      },
    ),
    connections: list<ConfiguredConnection>(
      'connections',
      {
        ...named,
        type: [isText, 'text'],
        local: [isObject, 'an object'],
        'partner?': [isObject, 'an object'],
        'partnerAddress?': [isText, 'text'],
        active: [(value) => typeof value === 'boolean', 'true or false'],
        localId: [isCount, 'a whole number'],
        'partnerId?': [isCount, 'a whole number'],
      },
      (one, at) => {
        checkField(one, 'local', endShape, at, report)
        checkField(one, 'partner', endShape, at, report)
      },
    ),
  }
}
