/**
 * The hardware of a new device of a GSD file: rack, access point with interface and ports, and the modules it comes
 * with.
 */

import { guidOf } from '../../plc/formats/aml/guid.ts'
import { type GsdAccessPoint, type GsdFile, gsdIdentifier, gsdText } from '../../plc/formats/gsdml/gsdml.ts'
import type { Device } from '../devices/index.ts'
import type { DeviceItem, ModuleType, Station } from '../hardware/index.ts'
import { initialModules, initialSubmodules, moduleTypeOf } from './entries.ts'

/** The station without its modules. */
export function bareStation(device: Device, file: GsdFile, point: GsdAccessPoint): Station {
  const id = guidOf(device.id, 'station')
  const headId = guidOf(device.id, 'head')
  const interfaceId = guidOf(headId, 'interface')
  const typeName = device.typeName
  const inside: DeviceItem[] = point.submodules.map((one, i) => ({
    id: guidOf(headId, 'submodule', one.id),
    name: gsdText(one.name) || typeName,
    kind: 'submodule',
    position: one.fixedIn[0]?.[0] ?? i + 1,
    builtIn: true,
    items: [],
  }))
  // Submodules without data; those with data get their addresses when they are plugged.
  const plugged = initialSubmodules(file, point).flatMap(({ position, name = '', io, plugged: type }): DeviceItem[] =>
    io.length > 0
      ? []
      : [
          {
            ...{ id: guidOf(headId, 'plugged', String(position)), name, kind: 'submodule', position, items: [] },
            builtIn: type === undefined,
            ...(type ? { typeIdentifier: type.typeIdentifier, typeName: type.typeName, moduleKind: type.kind } : {}),
          },
        ],
  )
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
    position: point.ownSlots[0]?.[0] ?? 0,
    builtIn: false,
    typeIdentifier: gsdIdentifier(file.fileName, 'DAP', point.id),
    typeName,
    ...(device.firmware ? { firmware: device.firmware } : {}),
    role: 'HeadModule',
    moduleKind: 'IM',
    items: [...inside, ...plugged, ...socket],
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

/** The modules that the device comes with. */
export function modulesOf(
  device: Device,
  file: GsdFile,
  point: GsdAccessPoint,
): { readonly id: string; readonly slot: number; readonly type: ModuleType; readonly builtIn: boolean }[] {
  return initialModules(file, point).map(({ slot, module, builtIn }) => {
    const type = { ...moduleTypeOf(file, module), slots: [slot] }
    return { id: guidOf(device.id, 'slot', String(slot)), slot, type, builtIn }
  })
}
