/** What an item of a given project is here, whatever the catalog knows of it. */
import type { GivenItem } from '../../projects/index.ts'
import { guid } from '../guid.ts'
import type { CommunicationInterface, DeviceItemKind } from '../model.ts'

/** Parts of the tool's own (execution units, proxies of controllers) say nothing and are left out. */
export function isGivenItemShown({
  orderNumber,
  hardwareIdentifier,
  addresses,
  interface: node,
  position,
  modules,
}: GivenItem): boolean {
  return (
    (position ?? 0) >= 0 &&
    (orderNumber !== undefined ||
      hardwareIdentifier !== undefined ||
      addresses.length > 0 ||
      node !== undefined ||
      modules.some(isGivenItemShown))
  )
}

/** Racks of some families have a word in place of an order number. */
export function givenTypeIdentifier({ orderNumber }: GivenItem, depth: number): string | undefined {
  if (orderNumber !== undefined && /\d/.test(orderNumber)) return `OrderNumber:${orderNumber}`
  return depth === 0 ? 'System:Rack.Generic' : undefined
}

/** Its name; parts without one are called after their type or place. */
export function givenName({ name, typeName, position }: GivenItem): string {
  return name.trim() || (typeName ?? `Item ${position ?? 0}`)
}

/** @param depth 0 for a rack, 1 for a module, more for what is in it */
export function givenItemKind(depth: number, given: GivenItem): DeviceItemKind {
  return depth === 0 ? 'rack' : depth === 1 ? 'module' : given.interface ? 'interface' : 'submodule'
}

/** Its interface with ports. @param id of the item; the ids of node, IO system and ports are made of it */
export function givenInterface(id: string, given: GivenItem): CommunicationInterface | undefined {
  if (!given.interface) return undefined
  const { label, type, node, ioSystem } = given.interface
  return {
    label,
    type,
    network: label,
    node: { id: guid(id, 'node'), name: node },
    ...(ioSystem === undefined ? {} : { ioSystem: { id: guid(id, 'io-system'), name: ioSystem } }),
    ports: given.modules
      .filter(({ isPort }) => isPort)
      .map(({ name, typeName, position = 0 }, index) => ({
        id: guid(id, 'port', index),
        name,
        label: /P\d+( R)?$/.exec(typeName ?? '')?.[0] ?? `P${index + 1}`,
        position,
        builtIn: true,
      })),
  }
}
