/** Interprets an AML document as hardware, and reports all its faults. */
import { defined } from '../../../lib/optional.ts'
import {
  type AmlAttribute,
  type AmlDocument,
  type AmlElement,
  type AmlInterface,
  type AmlLink,
  attributeOf,
  idKey,
  sideOf,
  valueNamed,
} from './document.ts'
import type {
  AmlAddress,
  AmlChannel,
  AmlCommunicationInterface,
  AmlHardware,
  AmlIoSystem,
  AmlItem,
  AmlNode,
  AmlPort,
  AmlPortLink,
  AmlStation,
  AmlSubnet,
  AmlTag,
  AmlTagTable,
  FreeAttribute,
  IoDirection,
} from './hardware.ts'
import { interfaceClass, isOfClass, type Role, roleOf } from './roles.ts'

/** Something wrong, or something that is kept and not interpreted. */
export interface AmlProblem {
  /** `error`: the file cannot be taken as it is. `warning`: it can, and this is what a user should know. */
  readonly severity: 'error' | 'warning'
  readonly code: 'xml-reference' | 'xml-value' | 'xml-structure'
  readonly message: string
  /** Name of the element, with those around it: `RF03_MVC/PN/IE_1`. */
  readonly element: string
  readonly line: number
}

/** What a document says. */
export interface Interpretation {
  readonly hardware: AmlHardware
  readonly problems: readonly AmlProblem[]
  /** Groups of devices that hold no device. */
  readonly emptyGroups: number
}

/** Interprets a whole document. The hardware is as far as it can be read, also when there are errors. */
export function interpretAml(document: AmlDocument): Interpretation {
  return new Interpreter().document(document)
}

interface Known {
  readonly element: AmlElement
  readonly path: string
  readonly role: Role | undefined
}

/** An end of a link. */
interface End extends Known {
  readonly one: AmlInterface
}

class Interpreter {
  readonly #problems: AmlProblem[] = []
  readonly #byId = new Map<string, Known>()
  /** Id of the subnet by id of the node; of the IO system by id of the interface. */
  readonly #subnetOf = new Map<string, string>()
  readonly #ioSystemOf = new Map<string, string>()
  readonly #portLinks: AmlPortLink[] = []
  readonly #stations: AmlStation[] = []
  readonly #subnets: AmlSubnet[] = []
  #emptyGroups = 0

  document({ hierarchies }: AmlDocument): Interpretation {
    const projects = hierarchies.flatMap(({ elements }) => elements)
    for (const one of projects) this.#index(one, one.name)
    for (const one of projects) this.#links(one)
    for (const one of projects) this.#place(one, one.name, [])
    const project = projects.find((one) => roleOf(one) === 'AutomationProject') ?? projects[0]
    return {
      hardware: {
        project: { id: project?.id ?? '', name: project?.name ?? '' },
        subnets: this.#subnets,
        stations: this.#stations,
        links: this.#portLinks,
      },
      problems: this.#problems,
      emptyGroups: this.#emptyGroups,
    }
  }

  #problem(
    severity: AmlProblem['severity'],
    code: AmlProblem['code'],
    message: string,
    { line = 0 }: { readonly line?: number },
    element: string,
  ): void {
    this.#problems.push({ severity, code, message, element, line })
  }

  #index(element: AmlElement, path: string): void {
    const { id } = element
    const key = idKey(id)
    const twin = this.#byId.get(key)
    if (id === '') this.#problem('error', 'xml-structure', `InternalElement "${element.name}" has no ID`, element, path)
    else if (twin) {
      const message = `the ID ${id} is also that of "${twin.path}" in line ${twin.element.line ?? 0}; give one of them another`
      this.#problem('error', 'xml-reference', message, element, path)
    } else this.#byId.set(key, { element, path, role: roleOf(element) })
    for (const one of element.elements) this.#index(one, `${path}/${one.name}`)
  }

  #links(element: AmlElement): void {
    for (const link of element.links) this.#link(link)
    for (const one of element.elements) this.#links(one)
  }

  #end(link: AmlLink, side: 'sideA' | 'sideB'): End | undefined {
    const text = link[side]
    const named = side === 'sideA' ? 'RefPartnerSideA' : 'RefPartnerSideB'
    const wrong = (message: string) =>
      void this.#problem('error', 'xml-reference', `${named} ${message}`, link, link.name)
    const parts = sideOf(text)
    if (parts === undefined) return wrong(`is "${text}"; <ID of an element>:<name of its interface> is needed`)
    const known = this.#byId.get(parts.id)
    if (known === undefined) return wrong(`names the element ${parts.id}, which is not in the file`)
    const one = known.element.interfaces.find(({ name }) => name === parts.name)
    if (one === undefined)
      return wrong(
        `names the interface "${parts.name}", which "${known.path}" (line ${known.element.line ?? 0}) has not`,
      )
    return { ...known, one }
  }

  #link(link: AmlLink): void {
    const [a, b] = [this.#end(link, 'sideA'), this.#end(link, 'sideB')]
    if (a === undefined || b === undefined) return
    const ends = (first: Role, second: Role): [End, End] | undefined =>
      a.role === first && b.role === second ? [a, b] : a.role === second && b.role === first ? [b, a] : undefined
    const subnet = ends('Node', 'Subnet')
    if (subnet) {
      this.#join(this.#subnetOf, subnet, link, 'subnet')
      return
    }
    const ioSystem = ends('CommunicationInterface', 'IoSystem')
    if (ioSystem) {
      this.#join(this.#ioSystemOf, ioSystem, link, 'IO system')
      return
    }
    if (a.role === 'CommunicationPort' && b.role === 'CommunicationPort') {
      this.#portLinks.push({ a: a.element.id, b: b.element.id })
      return
    }
    // Tags and channels find each other by their addresses; here only whether they do.
    const [channel, tag] = isOfClass(a.one.classPath, interfaceClass.channel) ? [a, b] : [b, a]
    if (isOfClass(channel.one.classPath, interfaceClass.channel) && isOfClass(tag.one.classPath, interfaceClass.tag))
      return
    const message = `the link between "${a.path}" (${a.role ?? 'no known role'}) and "${b.path}" (${b.role ?? 'no known role'}) has no meaning here; it is kept`
    this.#problem('warning', 'xml-structure', message, link, link.name)
  }

  #join(map: Map<string, string>, [one, other]: [End, End], link: AmlLink, noun: string): void {
    const before = map.get(idKey(one.element.id))
    if (before !== undefined && before !== other.element.id) {
      const message = `"${one.path}" is connected to a second ${noun}, "${other.element.name}"`
      this.#problem('error', 'xml-reference', message, link, link.name)
      return
    }
    map.set(idKey(one.element.id), other.element.id)
  }

  /** Project and folders: what is in them. */
  #place(element: AmlElement, path: string, groups: readonly string[]): void {
    const role = roleOf(element)
    if (role === 'Subnet') return void this.#subnets.push(this.#subnet(element))
    if (role === 'Device') return void this.#stations.push(this.#station(element, path, groups))
    if (role === 'AutomationProject' || role === 'DeviceUserFolder' || (role === undefined && groups.length === 0)) {
      const inside = role === 'DeviceUserFolder' ? [...groups, element.name] : groups
      const before = this.#stations.length
      if (role === undefined) this.#unknown(element, path)
      for (const one of element.elements) this.#place(one, `${path}/${one.name}`, inside)
      if (role === 'DeviceUserFolder' && this.#stations.length === before) this.#emptyGroups += 1
      return
    }
    this.#unknown(element, path)
  }

  #unknown(element: AmlElement, path: string): void {
    const role = element.roles.join(', ') || 'no role'
    const message = `"${element.name}" (${role}) has no meaning at this place; it is kept`
    this.#problem('warning', 'xml-structure', message, element, path)
  }

  #subnet(element: AmlElement): AmlSubnet {
    return {
      ...identity(element),
      type: valueNamed(element, 'Type') ?? 'Ethernet',
      ...free(element, subnetAttributes),
    }
  }

  #station(element: AmlElement, path: string, groups: readonly string[]): AmlStation {
    const comment = valueNamed(element, 'Comment')
    const racks: AmlItem[] = []
    for (const one of element.elements) {
      const inside = `${path}/${one.name}`
      if (roleOf(one) === 'DeviceItem') racks.push(this.#item(one, inside, 0))
      else this.#unknown(one, inside)
    }
    return {
      ...identity(element),
      typeIdentifier: valueNamed(element, 'TypeIdentifier') ?? '',
      groups,
      ...defined({ comment }),
      racks,
      ...free(element, stationAttributes),
    }
  }

  #item(element: AmlElement, path: string, depth: number): AmlItem {
    const isInterface = roleOf(element) === 'CommunicationInterface'
    const text = (name: string, key: string) => {
      const value = valueNamed(element, name)
      return value === undefined || value === '' ? {} : { [key]: value }
    }
    const itemType = valueNamed(element, 'DeviceItemType')
    const role = itemType === 'CPU' || itemType === 'HeadModule' ? itemType : undefined
    const items: AmlItem[] = []
    const tagTables: AmlTagTable[] = []
    for (const one of element.elements) {
      const inside = `${path}/${one.name}`
      switch (roleOf(one)) {
        case 'DeviceItem':
        case 'CommunicationInterface':
          items.push(this.#item(one, inside, depth + 1))
          break
        case 'TagTable':
          tagTables.push(this.#tagTable(one, inside))
          break
        case 'Node':
        case 'IoSystem':
        case 'CommunicationPort':
          if (!isInterface) this.#unknown(one, inside)
          break
        default:
          this.#unknown(one, inside)
      }
    }
    const addresses = this.#addresses(element, path)
    const channels = element.interfaces
      .filter(({ classPath }) => isOfClass(classPath, interfaceClass.channel))
      .flatMap((one) => this.#channel(one, path) ?? [])
    return {
      ...identity(element),
      kind: isInterface ? 'interface' : depth === 0 ? 'rack' : depth === 1 ? 'module' : 'submodule',
      position: this.#integer(element, 'PositionNumber', path) ?? 0,
      builtIn: this.#boolean(element, 'BuiltIn', path),
      ...text('TypeIdentifier', 'typeIdentifier'),
      ...text('TypeName', 'typeName'),
      ...text('FirmwareVersion', 'firmware'),
      ...defined({ role }),
      ...text('Comment', 'comment'),
      ...(addresses.length > 0 ? { addresses } : {}),
      ...(channels.length > 0 ? { channels } : {}),
      ...(isInterface ? { interface: this.#interface(element, path) } : {}),
      ...(tagTables.length > 0 ? { tagTables } : {}),
      items,
      ...free(element, isInterface ? interfaceAttributes : role === undefined ? unnamedItem : itemAttributes),
    }
  }

  #interface(element: AmlElement, path: string): AmlCommunicationInterface {
    const ofRole = (role: Role) => element.elements.filter((one) => roleOf(one) === role)
    const single = (role: Role) => {
      const [first, ...more] = ofRole(role)
      for (const one of more)
        this.#problem(
          'warning',
          'xml-structure',
          `a second ${role} of one interface is kept only`,
          one,
          `${path}/${one.name}`,
        )
      return first
    }
    const [node, ioSystem] = [single('Node'), single('IoSystem')]
    const memberOf = this.#ioSystemOf.get(idKey(element.id))
    const ports = ofRole('CommunicationPort').map((one) => this.#port(one, `${path}/${one.name}`))
    return {
      label: valueNamed(element, 'Label') ?? '',
      type: (node && valueNamed(node, 'Type')) ?? valueNamed(element, 'Type') ?? 'Ethernet',
      ...(node ? { node: this.#node(node, `${path}/${node.name}`) } : {}),
      ...(ioSystem ? { ioSystem: this.#ioSystem(ioSystem, `${path}/${ioSystem.name}`) } : {}),
      ...defined({ memberOf }),
      ports,
    }
  }

  #node(element: AmlElement, path: string): AmlNode {
    const type = valueNamed(element, 'Type') ?? 'Ethernet'
    const address = valueNamed(element, 'NetworkAddress')
    const isBus = /^(profibus|mpi|asi)$/i.test(type)
    const busAddress = isBus && address ? this.#integer(element, 'NetworkAddress', path) : undefined
    const subnet = this.#subnetOf.get(idKey(element.id))
    const texts = Object.entries({
      ipAddress: isBus ? undefined : this.#ipv4(element, 'NetworkAddress', path),
      subnetMask: this.#ipv4(element, 'SubnetMask', path),
      routerAddress: this.#ipv4(element, 'RouterAddress', path),
      ipProtocol: valueNamed(element, 'IpProtocolSelection'),
      profinetDeviceName: valueNamed(element, 'ProfinetDeviceName'),
      subnet,
    }).filter(([, value]) => value !== undefined && value !== '')
    return {
      ...identity(element),
      type,
      ...Object.fromEntries(texts),
      ...defined({ busAddress }),
      ...free(element, nodeAttributes),
    }
  }

  #ioSystem(element: AmlElement, path: string): AmlIoSystem {
    const number = this.#integer(element, 'Number', path)
    return { ...identity(element), ...defined({ number }), ...free(element, ioSystemAttributes) }
  }

  #port(element: AmlElement, path: string): AmlPort {
    return {
      ...identity(element),
      // From V19 on it is written without the blank.
      label: (valueNamed(element, 'Label') ?? element.name).replace(/^(P\d+)R$/, '$1 R'),
      position: this.#integer(element, 'PositionNumber', path) ?? 0,
      builtIn: this.#boolean(element, 'BuiltIn', path),
      ...free(element, portAttributes),
    }
  }

  #addresses(element: AmlElement, path: string): AmlAddress[] {
    const list = attributeOf(element, 'Address')
    return (list?.attributes ?? []).flatMap((one) => {
      const start = this.#integer(one, 'StartAddress', path)
      const length = this.#integer(one, 'Length', path)
      const ioType = this.#direction(one, path)
      if (start === undefined || length === undefined || ioType === undefined) {
        const message = `the address ${one.name} needs StartAddress, Length (in bits) and IoType`
        this.#problem('error', 'xml-structure', message, one, path)
        return []
      }
      return { ioType, start, length, ...free(one, addressAttributes) }
    })
  }

  #channel(one: AmlInterface, path: string): AmlChannel | undefined {
    const kind = valueNamed(one, 'Type')
    const ioType = this.#direction(one, path)
    const number = this.#integer(one, 'Number', path)
    if ((kind !== 'Digital' && kind !== 'Analog') || ioType === undefined || number === undefined) {
      const message = `channel "${one.name}" needs Type (Digital or Analog), IoType (Input or Output) and Number`
      this.#problem('error', 'xml-value', message, one, path)
      return undefined
    }
    const length = this.#integer(one, 'Length', path) ?? (kind === 'Digital' ? 1 : 16)
    const { id } = one
    return { kind, ioType, number, length, ...defined({ id }), ...free(one, channelAttributes) }
  }

  #tagTable(element: AmlElement, path: string): AmlTagTable {
    for (const one of element.elements) this.#unknown(one, `${path}/${one.name}`)
    const tags = element.interfaces
      .filter(({ classPath }) => isOfClass(classPath, interfaceClass.tag))
      .map((one): AmlTag => {
        return {
          name: one.name,
          dataType: valueNamed(one, 'DataType') ?? '',
          address: this.#tagAddress(one, path),
          comment: commentOf(attributeOf(one, 'Comment')),
          ...defined({ line: one.line }),
        }
      })
    const { id, name, line } = element
    return { id, name, tags, ...defined({ line }) }
  }

  /** `%I4.0` of `4.0`, `%QW12` of `W12` with the direction; empty: the tag has none, or one that is no address. */
  #tagAddress(one: AmlInterface, path: string): string {
    const text = valueNamed(one, 'LogicalAddress')?.trim() ?? ''
    if (text === '') return ''
    const letter = { Input: '%I', Output: '%Q' }[this.#direction(one, path) ?? 'Input']
    const address = text.startsWith('%') ? text : `${letter}${text}`
    if (/^%[IQ](?:X?\d{1,7}\.[0-7]|[BWDL]\d{1,7})$/i.test(address)) return address
    const message = `LogicalAddress of tag "${one.name}" is "${text.slice(0, 40)}", which is no address of an input or output`
    this.#problem('error', 'xml-value', message, attributeOf(one, 'LogicalAddress') ?? one, path)
    return ''
  }

  #ipv4(element: AmlElement, name: string, path: string): string | undefined {
    const attribute = attributeOf(element, name)
    const text = attribute?.value?.trim() ?? ''
    if (attribute === undefined || text === '') return undefined
    if (/^((25[0-5]|(2[0-4]|1?\d)?\d)(\.(?!$)|$)){4}$/.test(text)) return text
    const message = `${name} is "${text.slice(0, 40)}"; an IPv4 address such as 192.168.0.1 is needed`
    this.#problem('error', 'xml-value', message, attribute, path)
    return undefined
  }

  #integer(holder: { readonly attributes: readonly AmlAttribute[] }, name: string, path: string): number | undefined {
    const attribute = attributeOf(holder, name)
    const text = attribute?.value?.trim() ?? ''
    if (attribute === undefined || text === '') return undefined
    const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= 0 && value <= 0xffff_ffff) return value
    this.#problem(
      'error',
      'xml-value',
      `${name} is "${text.slice(0, 40)}"; a whole number from 0 on is needed`,
      attribute,
      path,
    )
    return undefined
  }

  #boolean(holder: AmlElement, name: string, path: string): boolean {
    const attribute = attributeOf(holder, name)
    const text = attribute?.value?.trim().toLowerCase() ?? ''
    if (attribute !== undefined && !/^(true|false|0|1|)$/.test(text))
      this.#problem('error', 'xml-value', `${name} is "${text.slice(0, 40)}"; true or false is needed`, attribute, path)
    return text === 'true' || text === '1'
  }

  #direction(holder: { readonly attributes: readonly AmlAttribute[] }, path: string): IoDirection | undefined {
    const attribute = attributeOf(holder, 'IoType')
    const text = attribute?.value
    if (text === 'Input' || text === 'Output') return text
    if (attribute !== undefined)
      this.#problem('error', 'xml-value', `IoType is "${text ?? ''}"; Input or Output is needed`, attribute, path)
    return undefined
  }
}

function identity({ id, name, line }: AmlElement) {
  return { id, name, ...defined({ line }) }
}

/** Texts by culture: sub-attributes `aml-lang=<culture>`; without them the value alone (AutomationML BPR 002). */
function commentOf(attribute: AmlAttribute | undefined): Record<string, string> {
  const comment: Record<string, string> = {}
  for (const { name, value } of attribute?.attributes ?? []) {
    const [, culture] = /^aml-lang=(.+)$/.exec(name) ?? []
    if (culture !== undefined && value) comment[culture] = value
  }
  if (Object.keys(comment).length === 0 && attribute?.value) comment[''] = attribute.value
  return comment
}

/** The attributes that have no field. */
function free(
  holder: { readonly attributes: readonly AmlAttribute[] },
  known: ReadonlySet<string>,
): { attributes?: readonly FreeAttribute[] } {
  const attributes = holder.attributes.filter(({ name }) => !known.has(name)).map(freeOf)
  return attributes.length > 0 ? { attributes } : {}
}

function freeOf({ name, dataType, value, attributes }: AmlAttribute): FreeAttribute {
  return {
    name,
    ...defined({ value, type: dataType }),
    ...(attributes.length > 0 ? { attributes: attributes.map(freeOf) } : {}),
  }
}

const subnetAttributes = new Set(['Type'])
const stationAttributes = new Set(['TypeIdentifier', 'Comment'])
/** A kind of item that is not interpreted is an attribute like any other. */
const unnamedItem = new Set('TypeName PositionNumber BuiltIn TypeIdentifier FirmwareVersion Comment Address'.split(' '))
const itemAttributes = new Set([...unnamedItem, 'DeviceItemType'])
const interfaceAttributes = new Set([...unnamedItem, 'Label'])
const portAttributes = new Set(['Label', 'PositionNumber', 'BuiltIn'])
const nodeAttributes = new Set(
  'Type NetworkAddress SubnetMask RouterAddress IpProtocolSelection ProfinetDeviceName'.split(' '),
)
const ioSystemAttributes = new Set(['Number'])
const addressAttributes = new Set(['StartAddress', 'Length', 'IoType'])
const channelAttributes = new Set(['Type', 'IoType', 'Number', 'Length'])
