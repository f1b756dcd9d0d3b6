/**
 * Compares hardware by meaning: subnets, stations with their modules, addresses, channels, interfaces, cables and tags.
 * Ids do not count; what refers to an id is compared by the names around it. Work grows in line with both sides.
 */
import {
  type AmlHardware,
  type AmlItem,
  type AmlStation,
  type AmlSubnet,
  channelName,
  everyItem,
  type FreeAttribute,
} from './hardware.ts'

/** One thing that differs in a station or subnet. */
export interface HardwareChange {
  /** modules, addresses, properties, comments or tags. */
  readonly aspect: 'modules' | 'addresses' | 'properties' | 'comments' | 'tags'
  /** A module by the names around it (`Rail_0/DI 16`), `firmware of Rail_0/PLC_1`, `Motor of table Tags`. */
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed' | 'moved'
  readonly left?: string
  readonly right?: string
}

/** A station or subnet that differs. */
export interface ChangedHardware {
  readonly kind: 'Device' | 'Subnet'
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
  readonly differences: readonly HardwareChange[]
}

export interface HardwareDiff {
  /** Subnets, then stations, in the order of the right side; those of the left side alone behind. */
  readonly objects: readonly ChangedHardware[]
  /** Stations and subnets that mean the same. */
  readonly same: number
}

/** Compares the hardware of two sides, each of which may come from several files. */
export function compareHardware(left: readonly AmlHardware[], right: readonly AmlHardware[]): HardwareDiff {
  const [a, b] = [new Names(left), new Names(right)]
  const objects: ChangedHardware[] = []
  let same = 0
  const take = <T extends { readonly name: string }>(
    kind: ChangedHardware['kind'],
    sides: readonly [readonly T[], readonly T[]],
    compare: (one: T, other: T) => HardwareChange[],
  ) => {
    for (const [one, other] of paired(sides[0], sides[1], [({ name }) => name.toLowerCase()])) {
      if (one !== undefined && other !== undefined) {
        const differences = compare(one, other)
        if (differences.length === 0) same++
        else objects.push({ kind, name: other.name, change: 'changed', differences })
      } else if (other !== undefined) objects.push({ kind, name: other.name, change: 'added', differences: [] })
      else if (one !== undefined) objects.push({ kind, name: one.name, change: 'removed', differences: [] })
    }
  }
  take('Subnet', [left.flatMap(({ subnets }) => subnets), right.flatMap(({ subnets }) => subnets)], subnetChanges)
  take('Device', [left.flatMap(({ stations }) => stations), right.flatMap(({ stations }) => stations)], (one, other) =>
    stationChanges(one, other, a, b),
  )
  return { objects, same }
}

/** A property, by its name; `aspect` when it is not `properties`. */
interface Property {
  readonly name: string
  readonly value: string
  readonly aspect?: HardwareChange['aspect']
}

function subnetChanges(one: AmlSubnet, other: AmlSubnet): HardwareChange[] {
  const of = ({ name, type, attributes }: AmlSubnet): Property[] => [
    ...given('name', name),
    ...given('type', type),
    ...free(attributes),
  ]
  return changesOf(of(one), of(other), '')
}

function stationChanges(one: AmlStation, other: AmlStation, a: Names, b: Names): HardwareChange[] {
  const of = ({ name, typeIdentifier, groups, comment, attributes }: AmlStation): Property[] => [
    ...given('name', name),
    ...given('typeIdentifier', typeIdentifier),
    ...given('folder', groups.join('/')),
    ...given('comment', comment, 'comments'),
    ...free(attributes),
  ]
  const changes = changesOf(of(one), of(other), '')
  itemChanges(one.racks, other.racks, '', a, b, changes)
  return changes
}

/** Items are the same by name and place, else by name, else by place: then they were moved, or got another name. */
function itemChanges(
  left: readonly AmlItem[],
  right: readonly AmlItem[],
  above: string,
  a: Names,
  b: Names,
  into: HardwareChange[],
): void {
  const name = ({ kind, name: own }: AmlItem) => `${kind} ${own.toLowerCase()}`
  const place = ({ kind, position }: AmlItem) => `${kind} ${position}`
  const keys = [(item: AmlItem) => `${name(item)} ${item.position}`, name, place]
  for (const [one, other] of paired(left, right, keys)) {
    const path = `${above}${(other ?? one)?.name ?? ''}`
    if (one === undefined || other === undefined) {
      if (other) into.push({ aspect: 'modules', path, change: 'added', right: described(other) })
      if (one) into.push({ aspect: 'modules', path, change: 'removed', left: described(one) })
      continue
    }
    if (one.position !== other.position)
      into.push({ aspect: 'modules', path, change: 'moved', left: placeText(one), right: placeText(other) })
    into.push(...changesOf(itemProperties(one, a), itemProperties(other, b), path))
    itemChanges(one.items, other.items, `${path}/`, a, b, into)
  }
}

const placeText = ({ kind, position }: AmlItem) => `${kind === 'rack' ? 'rack' : 'slot'} ${position}`

function described(item: AmlItem): string {
  const { typeIdentifier, firmware, items } = item
  const inner = [...everyItem(items)].length
  return [placeText(item), typeIdentifier, firmware, inner === 0 ? undefined : `with ${inner} more`]
    .filter((text) => text !== undefined && text !== '')
    .join(', ')
}

function itemProperties(item: AmlItem, names: Names): Property[] {
  const { addresses = [], channels = [], interface: port, tagTables = [] } = item
  const found: Property[] = [
    ...given('name', item.name),
    ...given('typeIdentifier', item.typeIdentifier),
    ...given('firmware', item.firmware),
    ...given('role', item.role),
    ...given('comment', item.comment, 'comments'),
    ...free(item.attributes),
  ]
  const counts = { Input: 0, Output: 0 }
  for (const { ioType, start, length, attributes } of addresses) {
    const number = ++counts[ioType]
    const name = `${ioType.toLowerCase()} address${number === 1 ? '' : ` ${number}`}`
    found.push({ name, value: `${start} (${length} bits)`, aspect: 'addresses' }, ...free(attributes, `${name}.`))
  }
  for (const channel of channels) {
    const name = channelName(channel)
    found.push({ name, value: `${channel.length} bits` }, ...free(channel.attributes, `${name}.`))
  }
  if (port !== undefined) {
    const { label, type, node, ioSystem, memberOf, ports } = port
    found.push(...given('label', label), ...given('interface', type))
    found.push(...given('IO system of the controller', memberOf && names.of(memberOf)))
    if (ioSystem)
      found.push(
        ...given('IO system', ioSystem.name),
        ...given('number of the IO system', ioSystem.number),
        ...free(ioSystem.attributes, 'IO system.'),
      )
    if (node) {
      const { ipAddress, subnetMask, routerAddress, ipProtocol, profinetDeviceName, busAddress, subnet } = node
      const fields = { ipAddress, subnetMask, routerAddress, ipProtocol, profinetDeviceName }
      for (const [name, value] of Object.entries(fields)) found.push(...given(name, value, 'addresses'))
      found.push(...given('busAddress', busAddress, 'addresses'))
      found.push(...given('subnet', subnet && names.of(subnet)), ...given('node', node.type))
      found.push(...free(node.attributes, 'node.'))
    }
    for (const { id, label: own, attributes } of ports) {
      found.push(...given(`cable at ${own}`, names.partners(id)), ...free(attributes, `${own}.`))
    }
  }
  for (const { name: table, tags } of tagTables)
    for (const { name, dataType, address, comment } of tags) {
      found.push({ name: `${name} of table ${table}`, value: `${dataType} ${address}`.trim(), aspect: 'tags' })
      for (const [culture, text] of Object.entries(comment))
        found.push(...given(`comment (${culture || 'any language'}) of tag ${name}`, text, 'comments'))
    }
  return found
}

function given(name: string, value: string | number | undefined, aspect?: HardwareChange['aspect']): Property[] {
  return value === undefined || value === '' ? [] : [{ name, value: String(value), ...(aspect ? { aspect } : {}) }]
}

function free(attributes: readonly FreeAttribute[] = [], above = ''): Property[] {
  return attributes.flatMap(({ name, value, attributes: inner }) => [
    ...given(`${above}${name}`, value),
    ...free(inner, `${above}${name}.`),
  ])
}

function changesOf(left: readonly Property[], right: readonly Property[], path: string): HardwareChange[] {
  return paired(left, right, [({ name }) => name]).flatMap(([one, other]): HardwareChange[] => {
    if (one?.value === other?.value) return []
    const { name = '', aspect = 'properties' } = other ?? one ?? {}
    return [
      {
        aspect,
        path: path === '' ? name : `${name} of ${path}`,
        change: one === undefined ? 'added' : other === undefined ? 'removed' : 'changed',
        ...(one === undefined ? {} : { left: one.value }),
        ...(other === undefined ? {} : { right: other.value }),
      },
    ]
  })
}

/** What ids stand for. */
class Names {
  readonly #names = new Map<string, string>()
  readonly #partners = new Map<string, string[]>()

  constructor(sides: readonly AmlHardware[]) {
    for (const { subnets, stations, links } of sides) {
      for (const { id, name } of subnets) this.#names.set(id, name)
      for (const { name: station, racks } of stations)
        for (const { name, interface: port } of everyItem(racks)) {
          const { ioSystem, ports = [] } = port ?? {}
          if (ioSystem) this.#names.set(ioSystem.id, `${ioSystem.name} of ${station}`)
          for (const { id, label } of ports) this.#names.set(id, `${station}/${name}/${label}`)
        }
      for (const { a, b } of links) {
        this.#partners.set(a, [...(this.#partners.get(a) ?? []), b])
        this.#partners.set(b, [...(this.#partners.get(b) ?? []), a])
      }
    }
  }

  of(id: string): string {
    return this.#names.get(id) ?? 'something outside of the file'
  }

  /** The ports that a port is connected to. */
  partners(id: string): string | undefined {
    const others = this.#partners.get(id)?.map((other) => this.of(other))
    return others?.sort().join(', ')
  }
}

/**
 * Pairs by the first key that finds a partner; several of one key in their order.
 * @returns pairs in the order of the right side, then what the left side has alone
 */
function paired<T>(
  left: readonly T[],
  right: readonly T[],
  keys: readonly ((one: T) => string)[],
): (readonly [T | undefined, T | undefined])[] {
  const found = new Map<T, T>()
  let [as, bs] = [left, right]
  for (const key of keys) {
    const waiting = new Map<string, T[]>()
    for (const one of [...as].reverse()) {
      const list = waiting.get(key(one))
      if (list) list.push(one)
      else waiting.set(key(one), [one])
    }
    const taken = new Set<T>()
    for (const other of bs) {
      const one = waiting.get(key(other))?.pop()
      if (one === undefined) continue
      found.set(other, one)
      taken.add(one)
    }
    as = as.filter((one) => !taken.has(one))
    bs = bs.filter((other) => !found.has(other))
  }
  return [...right.map((other) => [found.get(other), other] as const), ...as.map((one) => [one, undefined] as const)]
}
