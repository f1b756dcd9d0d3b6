/** Reads GSDML files. */
import { defined } from '../../../lib/optional.ts'
import { FormatError, type FormatFault } from '../../model/fault.ts'
import { childOf, childrenOf, readXml, type XmlBounds, type XmlNode } from '../xml/tree.ts'
import { bitsOfType, isKnownType } from './data-types.ts'
import type { GsdAccessPoint, GsdFile, GsdModule, GsdSubmodule, GsdText, GsdUse, SlotRanges } from './gsdml.ts'

/** The largest files seen have 9 MB. */
const gsdBounds: XmlBounds = { maxLength: 32 * 1024 * 1024, maxDepth: 100 }

/** Maximum number of reported faults of one file. */
const mostFaults = 200

/**
 * Reads a file.
 * @param fileName its name without folders; type identifiers have it in capitals
 * @throws FormatError with every fault (up to 200): no GSDML, ids that occur twice or name nothing
 */
export function readGsdml(text: string, fileName: string): GsdFile {
  const root = readXml(text, gsdBounds)
  if (local(root.name) !== 'ISO15745Profile')
    throw new FormatError([
      {
        code: 'xml-root',
        message: `the root element is ${root.name}; a GSDML file has ISO15745Profile`,
        line: root.line,
        column: 1,
      },
    ])
  const reader = new Reader(bareNames(root))
  const file = reader.file(fileName.toUpperCase())
  if (reader.faults.length > 0) throw new FormatError(reader.faults)
  return file
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** The tree with names without prefixes. */
function bareNames(node: XmlNode): XmlNode {
  const content = node.content.map((one) => (typeof one === 'string' ? one : bareNames(one)))
  return { ...node, name: local(node.name), content }
}

const noChildren: readonly XmlNode[] = []

class Reader {
  readonly faults: FormatFault[] = []
  readonly #warnings: string[] = []
  readonly #root: XmlNode
  readonly #texts = new Map<string, Record<string, string>>()
  readonly #languages: string[] = []

  constructor(root: XmlNode) {
    this.#root = root
  }

  #fault(node: XmlNode, message: string, code: FormatFault['code'] = 'xml-value'): void {
    if (this.faults.length < mostFaults)
      this.faults.push({ code, message, line: node.line, column: 1, path: node.attributes.ID ?? node.name })
  }

  file(fileName: string): GsdFile {
    const body = childOf(this.#root, 'ProfileBody')
    const identity = body && childOf(body, 'DeviceIdentity')
    const process = body && childOf(body, 'ApplicationProcess')
    if (!body || !identity || !process) {
      this.#fault(this.#root, 'ProfileBody with DeviceIdentity and ApplicationProcess is needed', 'xml-structure')
      return { ...empty, fileName }
    }
    this.#readTexts(process)
    const list = (name: string, item: string) => {
      const holder = childOf(process, name)
      return holder ? childrenOf(holder, item) : noChildren
    }
    const modules = list('ModuleList', 'ModuleItem').map((one) => this.#module(one))
    const submodules = list('SubmoduleList', 'SubmoduleItem').map((one) => this.#submodule(one))
    const accessPoints = list('DeviceAccessPointList', 'DeviceAccessPointItem').map((one) => this.#accessPoint(one))
    if (accessPoints.length === 0) this.#fault(process, 'there is no DeviceAccessPointItem', 'xml-structure')
    this.#references(modules, submodules, accessPoints)
    const family = childOf(childOf(body, 'DeviceFunction') ?? body, 'Family')?.attributes
    return {
      fileName,
      vendorId: identity.attributes.VendorID ?? '',
      deviceId: identity.attributes.DeviceID ?? '',
      vendorName: childOf(identity, 'VendorName')?.attributes.Value ?? '',
      mainFamily: family?.MainFamily ?? '',
      productFamily: family?.ProductFamily ?? '',
      languages: this.#languages,
      accessPoints,
      modules,
      submodules,
      warnings: this.#warnings,
    }
  }

  #readTexts(process: XmlNode): void {
    const lists = childOf(process, 'ExternalTextList')
    for (const list of lists ? childrenOf(lists) : []) {
      const language = list.name === 'PrimaryLanguage' ? '' : list.attributes['xml:lang']
      if (language === undefined) continue
      if (language !== '') this.#languages.push(language)
      for (const { attributes } of childrenOf(list, 'Text')) {
        const id = attributes.TextId
        if (id === undefined) continue
        const known = this.#texts.get(id) ?? {}
        this.#texts.set(id, { ...known, [language]: attributes.Value ?? '' })
      }
    }
  }

  /** The text of an element with TextId, or of an item with the attribute. */
  #text(node: XmlNode | undefined): GsdText {
    const id = node?.attributes.TextId
    if (node === undefined || id === undefined) return {}
    const text = this.#texts.get(id)
    if (text === undefined) this.#warn(`line ${node.line}: there is no text "${id}"`)
    return text ?? { '': id }
  }

  #module(node: XmlNode): GsdModule {
    const info = childOf(node, 'ModuleInfo')
    const value = (name: string) => (info ? childOf(info, name)?.attributes.Value : undefined)
    const fields = Object.entries({
      orderNumber: value('OrderNumber'),
      hardwareRelease: value('HardwareRelease'),
      softwareRelease: value('SoftwareRelease'),
    }).filter(([, text]) => text !== undefined && text !== '')
    const built = childOf(node, 'VirtualSubmoduleList')
    const pluggable = childOf(node, 'UseableSubmodules')
    return {
      id: this.#id(node),
      identNumber: node.attributes.ModuleIdentNumber ?? '',
      name: this.#text(info && childOf(info, 'Name')),
      info: this.#text(info && childOf(info, 'InfoText')),
      ...Object.fromEntries(fields),
      submodules: built ? childrenOf(built, 'VirtualSubmoduleItem').map((one) => this.#submodule(one)) : [],
      useableSubmodules: pluggable
        ? childrenOf(pluggable, 'SubmoduleItemRef').map((one) => this.#use(one, 'SubmoduleItemTarget', 'Subslots'))
        : [],
      line: node.line,
    }
  }

  #accessPoint(node: XmlNode): GsdAccessPoint {
    const modules = childOf(node, 'UseableModules')
    const system = childOf(node, 'SystemDefinedSubmoduleList')
    const config = childOf(node, 'IOConfigData')
    const length = (name: string) => {
      const text = config?.attributes[name]
      return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined
    }
    const [maxInputLength, maxOutputLength] = [length('MaxInputLength'), length('MaxOutputLength')]
    const [one] = system ? childrenOf(system, 'InterfaceSubmoduleItem') : []
    const dnsCompatibleName = node.attributes.DNS_CompatibleName
    const place = (item: XmlNode, label: string, subslot: number) => ({
      subslot: this.#number(item, 'SubslotNumber') ?? subslot,
      label,
      name: this.#text(item),
    })
    return {
      ...this.#module(node),
      physicalSlots: this.#ranges(node, 'PhysicalSlots'),
      ownSlots: this.#ranges(node, 'FixedInSlots'),
      useableModules: modules
        ? childrenOf(modules, 'ModuleItemRef').map((item) => this.#use(item, 'ModuleItemTarget', 'Slots'))
        : [],
      ...(dnsCompatibleName ? { dnsCompatibleName } : {}),
      ...defined({ maxInputLength, maxOutputLength }),
      ...(one ? { interface: place(one, 'X1', 32_768) } : {}),
      ports: (system ? childrenOf(system, 'PortSubmoduleItem') : []).map((item, i) =>
        place(item, `P${i + 1}`, 32_769 + i),
      ),
    }
  }

  #use(node: XmlNode, target: string, places: 'Slots' | 'Subslots'): GsdUse {
    const id = node.attributes[target]
    if (id === undefined) this.#fault(node, `${node.name} has no ${target}`, 'xml-structure')
    return {
      target: id ?? '',
      allowed: this.#ranges(node, `AllowedIn${places}`),
      fixed: this.#ranges(node, `FixedIn${places}`),
      used: this.#ranges(node, `UsedIn${places}`),
    }
  }

  #submodule(node: XmlNode): GsdSubmodule {
    const info = childOf(node, 'ModuleInfo')
    const data = childOf(node, 'IOData')
    const bits = (direction: string) => {
      const part = data && childOf(data, direction)
      return (part ? childrenOf(part, 'DataItem') : []).reduce((sum, item) => sum + this.#bits(item, unknown), 0)
    }
    const unknown: string[] = []
    const [inputBits, outputBits] = [bits('Input'), bits('Output')]
    const orderNumber = info && childOf(info, 'OrderNumber')?.attributes.Value
    return {
      id: this.#id(node),
      name: this.#text(info && childOf(info, 'Name')),
      fixedIn: this.#ranges(node, 'FixedInSubslots'),
      identNumber: node.attributes.SubmoduleIdentNumber ?? '',
      ...(orderNumber ? { orderNumber } : {}),
      inputBits,
      outputBits,
      ...(unknown.length > 0 ? { unknownLengths: unknown } : {}),
    }
  }

  /** Bits of an item. What is not known of it is a warning: the rest of the file is as usable as without it. */
  #bits(item: XmlNode, unknown: string[]): number {
    const { DataType: type = '' } = item.attributes
    const bits = bitsOfType(type, this.#number(item, 'Length'))
    const told = `line ${item.line}: DataType "${type}"`
    if (bits === undefined) {
      unknown.push(type)
      this.#warn(`${told} without Length has no known length: this item is left out of the cyclic data`)
    } else if (!isKnownType(type)) this.#warn(`${told} is not known: its ${bits / 8} bytes are taken as they are`)
    return bits ?? 0
  }

  #warn(text: string): void {
    if (this.#warnings.length < mostFaults) this.#warnings.push(text)
  }

  #id(node: XmlNode): string {
    const { ID: id } = node.attributes
    if (id === undefined || id === '') this.#fault(node, `${node.name} has no ID`, 'xml-structure')
    return id ?? ''
  }

  #number(node: XmlNode, name: string): number | undefined {
    const text = node.attributes[name]
    if (text === undefined) return undefined
    if (/^\d{1,5}$/.test(text)) return Number(text)
    this.#fault(node, `${name} is "${text.slice(0, 40)}"; a number is needed`)
    return undefined
  }

  /** A list such as `0..2 5 7..9`. */
  #ranges(node: XmlNode, name: string): SlotRanges {
    const text = node.attributes[name]
    if (text === undefined || text.trim() === '') return []
    const ranges: [number, number][] = []
    for (const token of text.trim().split(/[\s,;]+/)) {
      const [, first, last = first] = /^(\d{1,5})(?:\.\.(\d{1,5}))?$/.exec(token) ?? []
      if (first === undefined || Number(last) < Number(first)) {
        this.#fault(node, `${name} is "${text.slice(0, 80)}"; numbers and ranges such as "0..2 5" are needed`)
        return []
      }
      ranges.push([Number(first), Number(last)])
    }
    return ranges.sort((a, b) => a[0] - b[0])
  }

  /** Checks that ids are unique and that references name existing ids. */
  #references(
    modules: readonly GsdModule[],
    submodules: readonly GsdSubmodule[],
    accessPoints: readonly GsdAccessPoint[],
  ): void {
    const seen = new Set<string>()
    for (const { id } of [...accessPoints, ...modules, ...submodules]) {
      if (id !== '' && seen.has(id)) this.#fault(this.#root, `the ID "${id}" stands twice`, 'xml-reference')
      seen.add(id)
    }
    const moduleIds = new Set(modules.map(({ id }) => id))
    const submoduleIds = new Set(submodules.map(({ id }) => id))
    const check = (uses: readonly GsdUse[], ids: ReadonlySet<string>, of: GsdModule) => {
      for (const { target } of uses) {
        if (target === '' || ids.has(target) || this.faults.length >= mostFaults) continue
        const message = `"${of.id}" names "${target}", which the file has not`
        this.faults.push({ code: 'xml-reference', message, line: of.line, column: 1, path: of.id })
      }
    }
    for (const one of accessPoints) check(one.useableModules, moduleIds, one)
    for (const one of [...accessPoints, ...modules]) check(one.useableSubmodules, submoduleIds, one)
  }
}

const empty: GsdFile = {
  fileName: '',
  vendorId: '',
  deviceId: '',
  vendorName: '',
  mainFamily: '',
  productFamily: '',
  languages: [],
  accessPoints: [],
  modules: [],
  submodules: [],
  warnings: [],
}
