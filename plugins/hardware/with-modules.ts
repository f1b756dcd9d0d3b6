/** Puts the modules into a station that a device comes with. */
import type { Device } from '../devices/index.ts'
import { plug } from './edit.ts'
import { environmentOf } from './environment.ts'
import { Refusal } from './item-names.ts'
import type { Station } from './model.ts'
import type { ModuleType } from './module-type.ts'

/** See `withModules` in index.ts. */
export async function withModules(
  ctx: Parameters<typeof environmentOf>[0],
  device: Device,
  station: Station,
  modules: readonly {
    readonly id: string
    readonly slot: number
    readonly type: ModuleType
    readonly builtIn: boolean
  }[],
): Promise<{ readonly station: Station; readonly warnings: readonly string[] }> {
  const environment = await environmentOf(ctx, device)
  const warnings: string[] = []
  let changed = station
  for (const { id, slot, type, builtIn } of modules) {
    try {
      changed = plug(changed, environment, type, { id, slot }).station
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warnings.push(`${type.typeName} is not in slot ${slot}: ${error.message}`)
      continue
    }
    if (builtIn) changed = fixed(changed, id)
  }
  return { station: changed, warnings }
}

/** The module is part of the device: it cannot be unplugged. */
function fixed(station: Station, id: string): Station {
  const racks = station.racks.map((rack) => ({
    ...rack,
    items: rack.items.map((item) => (item.id === id ? { ...item, builtIn: true } : item)),
  }))
  return { ...station, racks }
}
