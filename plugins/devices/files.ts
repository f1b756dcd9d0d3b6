/** Devices in the files of a project: `devices/<device>/device.json`. */
import { type CommandContext, defined, type Fault, isObject } from '../../core/index.ts'
import { faultyFiles, type ProjectFile, type ProjectFiles, parseJsonFile } from '../projects/index.ts'
import {
  type Device,
  type DeviceInterface,
  type DeviceNetwork,
  deviceAdded,
  deviceFolder,
  deviceKinds,
  devices,
} from './device.ts'
import { deviceNameFault } from './names.ts'

const isDeviceFile = /^devices\/[^/]+\/device\.json$/

/** One file for each device. */
export function writeDevices(ctx: Pick<CommandContext, 'read'>): ProjectFile[] {
  return [...ctx.read(devices).values()].map((device) => {
    const data = {
      id: device.id,
      name: device.name,
      orderNumber: device.orderNumber,
      firmware: device.firmware,
      typeIdentifier: device.typeIdentifier,
      typeName: device.typeName,
      family: device.family,
      kind: device.kind,
      createdAt: new Date(device.createdAt).toISOString(),
      ...(device.unplaced ? { unplaced: true } : {}),
      ...(device.network ? { network: { interfaces: device.network.interfaces.map(inOrder) } } : {}),
    }
    return { path: `${deviceFolder(device)}/device.json`, content: `${JSON.stringify(data, null, 2)}\n` }
  })
}

/** An interface with its fields in one order, whichever of them was set first; other fields come behind. */
function inOrder({ name, ioSystem, ...rest }: DeviceInterface): DeviceInterface {
  const fields = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))
  const { name: system, number, role, deviceNumber } = ioSystem ?? {}
  const io = { name: system, number, role, ...defined({ deviceNumber }) }
  return { name, ...Object.fromEntries(fields), ...(ioSystem === undefined ? {} : { ioSystem: io }) } as DeviceInterface
}

/**
 * Reads all devices and emits an event for each.
 * @throws GatewayError `unacceptable_content` with all faults of all files
 */
export async function readDevices(ctx: CommandContext, files: ProjectFiles): Promise<string[]> {
  const faults: Fault[] = []
  const read: Device[] = []
  const names = new Map<string, string>()
  const ids = new Set<string>()
  for (const path of files.list('devices/').filter((file) => isDeviceFile.test(file))) {
    const device = readDevice(path, (await files.read(path)).toString('utf8'), faults)
    if (!device) continue
    const twin = names.get(device.name.toLowerCase())
    if (twin) faults.push({ path: `${path}#/name`, message: `the name is taken by ${twin}`, value: device.name })
    names.set(device.name.toLowerCase(), path)
    // A folder may have been copied to create a second device: the copy gets a new id.
    const id = device.id === '' || ids.has(device.id) ? ctx.newId() : device.id
    ids.add(id)
    read.push({ ...device, id })
  }
  if (faults.length > 0) throw faultyFiles('The devices of the project cannot be read', faults)
  read.sort((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1))
  for (const device of read) ctx.emit(deviceAdded, device, `device/${device.name}`)
  return []
}

/**
 * Reads one file; faults are added to the list. Unknown network data are a fault too, because the next save would lose
 * them.
 */
function readDevice(path: string, text: string, faults: Fault[]): Device | undefined {
  const before = faults.length
  const fault = (field: string, message: string, value: unknown, allowed?: unknown) =>
    void faults.push({ path: `${path}#${field}`, message, value, ...defined({ allowed }) })
  const data = parseJsonFile(text, path, faults)
  if (data === undefined) return undefined
  const textOf = (field: string, fallback?: string): string => {
    const value = data[field] ?? fallback
    if (typeof value === 'string') return value
    fault(`/${field}`, value === undefined ? 'is missing' : 'must be text', value)
    return ''
  }
  const name = textOf('name')
  const nameFault = typeof data.name === 'string' ? deviceNameFault(name) : undefined
  if (nameFault) fault('/name', nameFault, name)
  const kind = data.kind as Device['kind']
  if (!deviceKinds.includes(kind)) fault('/kind', `must be one of ${deviceKinds.join(', ')}`, data.kind, deviceKinds)
  const created = textOf('createdAt')
  const createdAt = Date.parse(created)
  if (typeof data.createdAt === 'string' && Number.isNaN(createdAt))
    fault('/createdAt', 'must be an RFC 3339 time', created)
  if (data.unplaced !== undefined && typeof data.unplaced !== 'boolean')
    fault('/unplaced', 'must be true or false', data.unplaced)
  const network = data.network === undefined ? undefined : readNetwork(data.network, fault)
  const device: Device = {
    id: textOf('id', ''),
    name,
    orderNumber: textOf('orderNumber'),
    firmware: textOf('firmware', ''),
    typeIdentifier: textOf('typeIdentifier'),
    typeName: textOf('typeName', ''),
    family: textOf('family', ''),
    kind,
    unplaced: data.unplaced === true,
    createdAt,
    ...(network ? { network } : {}),
  }
  for (const field of Object.keys(data)) {
    if (!knownFields.has(field))
      fault(`/${field}`, `is not a field of a device (${[...knownFields].join(', ')})`, data[field])
  }
  return faults.length > before ? undefined : device
}

const knownFields = new Set(
  'id name orderNumber firmware typeIdentifier typeName family kind unplaced createdAt network'.split(' '),
)
const interfaceTexts = [
  'ipAddress',
  'subnetMask',
  'routerAddress',
  'profinetDeviceName',
  'subnet',
  'subnetType',
  'ipProtocol',
] as const

function readNetwork(value: unknown, fault: (field: string, message: string, value: unknown) => void) {
  const list = isObject(value) ? value.interfaces : undefined
  if (!Array.isArray(list)) {
    fault('/network/interfaces', 'must be a list', list)
    return undefined
  }
  const interfaces = list.map((item: unknown, i): DeviceInterface => {
    const at = `/network/interfaces/${i}`
    if (!isObject(item) || typeof item.name !== 'string' || item.name === '') {
      fault(`${at}/name`, 'must be the label of an interface, e.g. X1', isObject(item) ? item.name : item)
      return { name: '' }
    }
    for (const field of interfaceTexts) {
      if (item[field] !== undefined && typeof item[field] !== 'string')
        fault(`${at}/${field}`, 'must be text', item[field])
    }
    const io = item.ioSystem
    if (io !== undefined) {
      if (!isObject(io) || typeof io.name !== 'string' || io.name === '')
        fault(`${at}/ioSystem/name`, 'must be the name of an IO system', isObject(io) ? io.name : io)
      else if (io.role !== 'controller' && io.role !== 'device')
        fault(`${at}/ioSystem/role`, 'must be controller or device', io.role)
      else if (io.number !== undefined && !Number.isInteger(io.number))
        fault(`${at}/ioSystem/number`, 'must be a whole number', io.number)
      else if (io.deviceNumber !== undefined && !Number.isInteger(io.deviceNumber))
        fault(`${at}/ioSystem/deviceNumber`, 'must be a whole number', io.deviceNumber)
    }
    if (item.busAddress !== undefined && !Number.isInteger(item.busAddress))
      fault(`${at}/busAddress`, 'must be a whole number', item.busAddress)
    // Each field has been checked above.
    return item as unknown as DeviceInterface
  })
  return { interfaces } satisfies DeviceNetwork
}
