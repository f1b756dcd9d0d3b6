/**
 * Checks of the hardware compile that need the modules: overlapping addresses, gaps between modules, missing server
 * module and BusAdapter, IO devices without a controller, modules of unknown type. Only stations whose hardware was
 * configured have something to check. The rules are those of slots.ts.
 */
import type { QueryContext } from '../../core/index.ts'
import { catalogEntries, type Device, devices, type HardwareFault } from '../devices/index.ts'
import { addressLimit, itemsOf, overlaps, takenBy } from './addresses/addresses.ts'
import type { DeviceItem, Station } from './model.ts'
import { baseUnitFault, onBaseUnits } from './modules/base-units.ts'
import { connectionFaults, interfaceModuleSlot } from './modules/expansion-racks.ts'
import { familyOf } from './modules/module-type.ts'
import { s7400Faults } from './modules/s7-400-racks.ts'
import { classOf, headOf, placeText } from './modules/slots.ts'
import { stations } from './station.ts'
import { classNameOfDevice, deviceInterfaceOf, spaceOf } from './stations.ts'

type Reader = Pick<QueryContext, 'read'>

const slotOf = ({ position }: DeviceItem) => String(position)

/** Checks the station of a device. */
export async function checkStation(ctx: Reader, device: Device): Promise<HardwareFault[]> {
  const faults = [...nodeFaults(device)]
  const station = ctx.read(stations).get(device.id)
  if (!station) return faults
  const of = classOf(station, classNameOfDevice(device))
  const modules = station.racks[0]?.items ?? []
  const plugged = modules.filter(({ role }) => role === undefined)
  if (of?.gaplessFrom !== undefined) {
    const inRow = plugged.filter(({ position }) => position >= (of.gaplessFrom as number) && position < 100)
    const taken = new Set(inRow.map(({ position }) => position))
    const last = Math.max(0, ...taken)
    for (let slot = of.gaplessFrom; slot < last; slot++)
      if (!taken.has(slot))
        faults.push({
          code: 'hardware-missing-module',
          // A CAx export leaves out modules that it does not know, so an imported ET 200SP may have gaps.
          severity: of.needsServer ? 'warning' : 'error',
          slot: String(slot),
          message: `Slot ${slot} is empty, and modules follow in slot ${last}: a station of ${of.name} has no gaps.`,
          hint: 'Plug a module there, or move the others together.',
        })
    const server = plugged.find(({ moduleKind }) => moduleKind === 'Server')
    if (of.needsServer && inRow.length > 0 && !server)
      faults.push({
        code: 'hardware-missing-module',
        severity: 'warning',
        slot: String(last + 1),
        message: `The server module is missing: it ends a station of ${of.name}.`,
        hint: `Plug 6ES7 193-6PA00-0AA0 into slot ${last + 1}.`,
      })
  }
  for (const item of of?.needsServer ? onBaseUnits(station) : []) {
    const fault = baseUnitFault(station, item)
    if (fault)
      faults.push({
        code: 'hardware-base-unit',
        severity: 'error',
        member: item.name,
        slot: slotOf(item),
        message: `${fault.message}.`,
        hint: `PATCH /api/devices/{deviceName}/modules/{moduleName} { "parameters": { "${fault.parameter}": "${fault.allowed[0] ?? ''}" } }`,
      })
  }
  for (const { rack, message, hint } of of?.name === 'S7-300' ? connectionFaults(station) : []) {
    const slot = placeText({ rack, slot: interfaceModuleSlot })
    faults.push({ code: 'hardware-missing-module', severity: 'error', slot, message, hint })
  }
  for (const { isWarning, message, hint, ...place } of of?.name === 'S7-400' ? s7400Faults(station) : []) {
    const severity = isWarning ? 'warning' : 'error'
    faults.push({ code: 'hardware-missing-module', severity, slot: placeText(place), message, hint })
  }
  faults.push(
    ...adapterFaults(station, device),
    ...overlapFaults(ctx, device, station),
    ...(await firmwareFaults(station)),
  )
  return faults
}

/**
 * Modules whose firmware is not among the versions that the catalog knows of them. That of a CPU is reported when the
 * CPU is added.
 */
async function firmwareFaults(station: Station): Promise<HardwareFault[]> {
  const known = new Map(
    (await catalogEntries()).map(({ orderNumber, firmware }) => [`OrderNumber:${orderNumber}`, firmware]),
  )
  return [...itemsOf(station)].flatMap(({ item, module }): HardwareFault[] => {
    const versions = known.get(item.typeIdentifier ?? '') ?? []
    if (item.role !== undefined || item.firmware === undefined || versions.length === 0) return []
    if (versions.includes(item.firmware)) return []
    return [
      {
        code: 'hardware-firmware',
        severity: 'warning',
        member: item.name,
        slot: item === module ? slotOf(module) : `${module.position}.${item.position}`,
        message: `Firmware ${item.firmware} of "${item.name}" is not among the known versions of ${item.typeName}: ${versions.join(', ')}.`,
        hint: 'PATCH /api/devices/{deviceName}/modules/{moduleName} with another firmware.',
      },
    ]
  })
}

/**
 * An interface in an IO system without an address is never found; an IO device without a controller is never addressed.
 */
function nodeFaults(device: Device): HardwareFault[] {
  const faults: HardwareFault[] = []
  for (const one of device.network?.interfaces ?? []) {
    const isEthernet = one.subnetType === undefined || /^(ethernet|profinet)$/i.test(one.subnetType)
    const isSet = one.ipProtocol === undefined || one.ipProtocol === 'Project'
    // IO devices get their address from the controller when they have none in the project.
    if (isEthernet && isSet && one.ioSystem?.role === 'controller' && one.ipAddress === undefined)
      faults.push({
        code: 'hardware-no-ip',
        severity: 'error',
        member: one.name,
        message: `${one.name} controls IO system "${one.ioSystem.name}" and has no IP address.`,
        hint: 'POST /api/devices/{deviceName}/actions/configure-network-sync sets one.',
      })
    else if (isEthernet && isSet && one.subnet !== undefined && one.ipAddress === undefined)
      faults.push({
        code: 'hardware-no-ip',
        severity: 'warning',
        member: one.name,
        message: `${one.name} is connected to subnet "${one.subnet}" and has no IP address.`,
        hint: 'POST /api/devices/{deviceName}/actions/configure-network-sync sets one.',
      })
  }
  if (device.kind === 'IO' && !device.unplaced && !deviceInterfaceOf(device))
    faults.push({
      code: 'hardware-no-controller',
      severity: 'warning',
      message: `"${device.name}" is assigned to no IO controller: nothing reads or writes its I/O.`,
      hint: 'POST /api/devices/{deviceName}/actions/assign-io-controller',
    })
  return faults
}

function adapterFaults(station: Station, device: Device): HardwareFault[] {
  const head = headOf(station)
  if (!head || device.kind === 'PLC' || familyOf(device.family) !== 'ET 200SP' || / BA\b/.test(device.typeName))
    return []
  if (head.items.some(({ moduleKind }) => moduleKind === 'BusAdapter')) return []
  return [
    {
      code: 'hardware-missing-module',
      severity: 'error',
      slot: `${head.position}.127`,
      message: `"${head.name}" has no BusAdapter: it has no ports.`,
      hint: 'Plug one, for example 6ES7 193-6AR00-0AA0 (BA 2xRJ45).',
    },
  ]
}

function overlapFaults(ctx: Reader, device: Device, station: Station): HardwareFault[] {
  const { owner, members } = spaceOf(ctx, device)
  const all = members.flatMap((one) => {
    const stored = one.id === device.id ? station : ctx.read(stations).get(one.id)
    return stored ? takenBy(stored) : []
  })
  const faults: HardwareFault[] = []
  for (const [a, b] of overlaps(all)) {
    const [own, other] = a.deviceId === device.id ? [a, b] : [b, a]
    if (own.deviceId !== device.id) continue
    const where = other.deviceId === device.id ? '' : ` of "${ctx.read(devices).get(other.deviceId)?.name}"`
    faults.push({
      code: 'hardware-address-overlap',
      severity: 'error',
      member: own.module.name,
      slot: slotOf(own.module),
      message: `${own.ioType} ${own.from} to ${own.to - 1} of "${own.module.name}" overlap ${other.from} to ${other.to - 1} of "${other.module.name}"${where}.`,
      hint: 'Give one of them another address.',
    })
  }
  const limit = addressLimit(familyOf(owner.family), owner.typeName)
  for (const { ioType, from, to, module } of takenBy(station))
    if (to > limit)
      faults.push({
        code: 'hardware-address-overlap',
        severity: 'error',
        member: module.name,
        slot: slotOf(module),
        message: `${ioType} ${from} to ${to - 1} of "${module.name}" are beyond the ${limit} bytes of ${owner.typeName}.`,
        hint: 'Give it a lower address.',
      })
  return faults
}
