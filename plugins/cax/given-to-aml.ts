/** The stations of a project of another tool, as that project says them, as the AML library describes hardware. */
import { defined } from '../../core/index.ts'
import { guidOf } from '../../plc/formats/aml/guid.ts'
import type {
  AmlCommunicationInterface,
  AmlHardware,
  AmlItem,
  AmlPortLink,
  FreeAttribute,
} from '../../plc/formats/aml/hardware.ts'
import { givenInterface, givenItemKind, givenName, givenTypeIdentifier, isGivenItemShown } from '../hardware/index.ts'
import type { GivenInterface, GivenItem, GivenStation } from '../projects/index.ts'
import { deviceNumberAttribute } from './own-attributes.ts'

/** Describes stations. Ids are made of names and places, so that the same stations give the same text. */
export function hardwareOfGiven(project: string, stations: readonly GivenStation[]): AmlHardware {
  const subnets = new Map<string, string>()
  for (const { subnet, subnetType = 'Ethernet' } of stations.flatMap(({ interfaces }) => interfaces))
    if (subnet !== undefined) subnets.set(subnet, subnetType)
  const cables = new Map<string, string[]>()
  const amlStations = stations.map(({ name, typeIdentifier, isController, interfaces, racks }, index) => {
    const id = guidOf(project, 'station', String(index))
    const around = { project, id, depth: 0, role: isController ? 'CPU' : 'HeadModule', interfaces, cables } as const
    const items = racks.map((rack, place) => itemOf({ ...around, id: guidOf(id, String(place)) }, rack))
    return { id, name, typeIdentifier, groups: [], racks: items.sort(byPosition) }
  })
  return {
    project: { id: guidOf(project, 'project'), name: project },
    subnets: [...subnets.keys()]
      .sort()
      .map((name) => ({ id: subnetId(project, name), name, type: subnets.get(name)! })),
    stations: amlStations,
    // A cable whose other end is no station here has one end.
    links: [...cables.values()].flatMap(([a, b]): AmlPortLink[] => (a && b ? [{ a, b }] : [])),
  }
}

interface Around {
  readonly project: string
  /** Of the item. */
  readonly id: string
  /** 0 for a rack, 1 for a module, more for what is in it. */
  readonly depth: number
  /** Of the item that is the head of the station. */
  readonly role: 'CPU' | 'HeadModule'
  readonly interfaces: readonly GivenInterface[]
  /** Gets the ports at both ends of each cable. */
  readonly cables: Map<string, string[]>
}

const byPosition = (a: { position: number }, b: { position: number }): number => a.position - b.position
const subnetId = (project: string, name: string) => guidOf(project, 'subnet', name)
/** Both the controller and its IO devices name the system. */
const ioSystemId = (project: string, name: string, subnet = '') => guidOf(project, 'io-system', name, subnet)

function itemOf(around: Around, given: GivenItem): AmlItem {
  const { id, depth, role } = around
  const { orderNumber, firmware, typeName, addresses, isHead, modules } = given
  const entry = given.interface && around.interfaces.find(({ name }) => name === given.interface?.label)
  const one = interfaceOf(around, given, entry)
  const number = entry?.ioSystem?.deviceNumber
  const attributes: FreeAttribute[] =
    number === undefined ? [] : [{ name: deviceNumberAttribute, value: String(number), type: 'xs:int' }]
  const items = modules.flatMap((part, place) =>
    (one && part.isPort) || !isGivenItemShown(part)
      ? []
      : [itemOf({ ...around, id: guidOf(id, String(place)), depth: depth + 1 }, part)],
  )
  return {
    id,
    name: givenName(given),
    kind: givenItemKind(depth, given),
    position: Math.max(0, given.position ?? 0),
    builtIn: depth > 1 && orderNumber === undefined,
    ...defined({ typeIdentifier: givenTypeIdentifier(given, depth), typeName, firmware }),
    ...(isHead ? { role } : {}),
    ...(addresses.length > 0 ? { addresses } : {}),
    ...(one ? { interface: one } : {}),
    attributes,
    items: items.sort(byPosition),
  }
}

function interfaceOf(
  { project, id, cables }: Around,
  given: GivenItem,
  entry: GivenInterface | undefined,
): AmlCommunicationInterface | undefined {
  const plain = givenInterface(id, given)
  if (plain === undefined) return undefined
  const { network: _, node, ports, ...rest } = plain
  for (const [index, { cables: words }] of given.modules.filter(({ isPort }) => isPort).entries())
    for (const word of words) cables.set(word, [...(cables.get(word) ?? []), ports[index]!.id])
  const { ipAddress, subnetMask, routerAddress, profinetDeviceName, busAddress, subnet, ioSystem } = entry ?? {}
  const system = ioSystem && ioSystemId(project, ioSystem.name, subnet)
  return {
    ...rest,
    ports,
    node: {
      ...node,
      type: plain.type,
      ...defined({ ipAddress, subnetMask, routerAddress, profinetDeviceName, busAddress }),
      ...(subnet === undefined ? {} : { subnet: subnetId(project, subnet) }),
    },
    ...(system && ioSystem?.role === 'controller'
      ? { ioSystem: { id: system, name: ioSystem.name, number: ioSystem.number } }
      : {}),
    ...(system && ioSystem?.role === 'device' ? { memberOf: system } : {}),
  }
}
