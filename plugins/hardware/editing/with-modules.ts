/** Puts the modules and submodules into a station that a device comes with. */
import { defined } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import type { DeviceItem, Station } from '../model.ts'
import type { ModuleType } from '../modules/module-type.ts'
import { placeText } from '../modules/slots.ts'
import { plug } from './edit.ts'
import { environmentOf } from './environment.ts'
import { Refusal } from './item-names.ts'

/** A module of a new device, or a submodule of one of its modules. */
export interface ModuleOfDevice {
  readonly id: string
  readonly slot: number
  readonly subslot?: number
  readonly type: ModuleType
  /** It cannot be unplugged. */
  readonly builtIn: boolean
  /** Default: its type name with the next free number. */
  readonly name?: string
}

/** See `withModules` in index.ts. */
export async function withModules(
  ctx: Parameters<typeof environmentOf>[0],
  device: Device,
  station: Station,
  modules: readonly ModuleOfDevice[],
): Promise<{ readonly station: Station; readonly warnings: readonly string[] }> {
  const environment = await environmentOf(ctx, device)
  const warnings: string[] = []
  let changed = station
  for (const { id, slot, subslot, type, builtIn, name } of modules) {
    try {
      changed = plug(changed, environment, type, { id, slot, subslot }).station
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warnings.push(`${type.typeName} is not in slot ${placeText({ slot, ...defined({ subslot }) })}: ${error.message}`)
      continue
    }
    if (builtIn) changed = fixed(changed, id, name)
  }
  return { station: changed, warnings }
}

/** The item is part of the device: it cannot be unplugged. A submodule has no type of its own then. */
function fixed(station: Station, id: string, name: string | undefined): Station {
  const inside = (item: DeviceItem): DeviceItem => {
    if (item.id !== id) return { ...item, items: item.items.map(inside) }
    const named = { ...item, builtIn: true, ...defined({ name }) }
    if (item.kind !== 'submodule') return named
    const { typeIdentifier: _type, typeName: _name, moduleKind: _kind, ...own } = named
    return own
  }
  return { ...station, racks: station.racks.map((rack) => ({ ...rack, items: rack.items.map(inside) })) }
}
