/**
 * The hardware of a new device of a GSD file: rack, access point with interface and ports, and the modules it comes
 * with.
 */

import { guidOf } from '../../plc/formats/aml/guid.ts'
import { type GsdAccessPoint, type GsdFile, gsdIdentifier, gsdText } from '../../plc/formats/gsdml/gsdml.ts'
import type { Device } from '../devices/index.ts'
import type { DeviceItem, ModuleOfDevice, ModuleType, Station, SubmoduleType } from '../hardware/index.ts'
import { initialModules, moduleTypeOf, ownSlot, submodulesIn } from './entries.ts'

/** The station without its modules. */
export function bareStation(device: Device, file: GsdFile, point: GsdAccessPoint): Station {
  const id = guidOf(device.id, 'station')
  const headId = guidOf(device.id, 'head')
  const interfaceId = guidOf(headId, 'interface')
  const typeName = device.typeName
  const socket: DeviceItem[] = point.interface
    ? [
        {
          id: interfaceId,
          name: gsdText(point.interface.name) || 'PROFINET interface',
          kind: 'interface',
          position: point.interface.subslot,
          builtIn: true,
          interface: {
            label: point.interface.label,
            type: 'Ethernet',
            network: point.interface.label,
            node: { id: guidOf(interfaceId, 'node'), name: 'IE1' },
            ports: point.ports.map(({ subslot, label, name }) => ({
              id: guidOf(interfaceId, 'port', String(subslot)),
              name: gsdText(name) || label,
              label,
              position: subslot,
              builtIn: true,
            })),
          },
          items: [],
        },
      ]
    : []
  const head: DeviceItem = {
    id: headId,
    name: device.name,
    kind: 'module',
    position: ownSlot(point),
    builtIn: false,
    typeIdentifier: gsdIdentifier(file.fileName, 'DAP', point.id),
    typeName,
    ...(device.firmware ? { firmware: device.firmware } : {}),
    role: 'HeadModule',
    moduleKind: 'IM',
    items: socket,
  }
  const rack: DeviceItem = {
    id: guidOf(device.id, 'rack'),
    name: 'Rack',
    kind: 'rack',
    position: 0,
    builtIn: false,
    typeIdentifier: gsdIdentifier(file.fileName, 'R', point.id),
    typeName: 'Rack',
    items: [head],
  }
  return {
    deviceId: device.id,
    id,
    name: `${device.name} station`,
    typeIdentifier: gsdIdentifier(file.fileName, 'D'),
    groups: [],
    racks: [rack],
  }
}

/** What the device comes with: the submodules of its access point, then the modules. */
export function modulesOf(device: Device, file: GsdFile, point: GsdAccessPoint): ModuleOfDevice[] {
  const holder = gsdIdentifier(file.fileName, 'DAP', point.id).toUpperCase()
  const modules = initialModules(file, point).map(({ slot, module, builtIn }) => {
    const type = { ...moduleTypeOf(file, module), behind: new Map([[holder, [slot]]]) }
    return { id: guidOf(device.id, 'slot', String(slot)), slot, type, builtIn }
  })
  return [...submodulesOf(device, file, point), ...modules]
}

function submodulesOf(device: Device, file: GsdFile, point: GsdAccessPoint): ModuleOfDevice[] {
  const headId = guidOf(device.id, 'head')
  const holder = gsdIdentifier(file.fileName, 'DAP', point.id)
  const typeOf = ({ position, name = '', io, plugged }: SubmoduleType): ModuleType => ({
    typeIdentifier: plugged?.typeIdentifier ?? holder,
    orderNumber: plugged?.typeIdentifier ?? holder,
    typeName: name || device.typeName,
    family: file.fileName,
    kind: 'GSD submodule',
    firmware: [],
    submodules: [{ position: 1, io }],
    interfaces: [],
    inModules: new Map([[holder.toUpperCase(), [position]]]),
  })
  return submodulesIn(file, point).map((one) => {
    const type = typeOf(one)
    return {
      ...{ id: guidOf(headId, 'submodule', String(one.position)), slot: ownSlot(point), subslot: one.position },
      ...{ type, builtIn: one.plugged === undefined, name: type.typeName },
    }
  })
}
