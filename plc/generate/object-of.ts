/**
 * Generates a block or type from its specification: the model of the object, then its SimaticML for a version, which is
 * read again. Loads saxes (through the reader); import lazily.
 */

import { defined } from '../../lib/optional.ts'
import { objectFromXml } from '../edit/edit.ts'
import { checkName, toText } from '../edit/input.ts'
import { hasContent, languageNamed, type NetworkContext, readNetwork } from '../edit/network-input.ts'
import type { CalleeLookup } from '../formats/simaticml/callee.ts'
import { exportDocument } from '../formats/simaticml/export-version.ts'
import { sectionOrder } from '../formats/simaticml/interface-write.ts'
import { type TargetVersion, versionNumber } from '../formats/simaticml/versions.ts'
import { writeObject } from '../formats/simaticml/write.ts'
import { type DeclaredNames, declaredNames } from '../languages/ladder/declared-names.ts'
import { classOf, eventClasses, eventClassNamed, numberFault } from '../model/event-classes.ts'
import type {
  ImportedObject,
  InterfaceSection,
  Network,
  ObjectAttribute,
  ProgramObjectKind,
  SectionName,
} from '../model/object.ts'
import { ChartReader } from './chart.ts'
import { graphVersionOf, systemParameters, withSystemMembers } from './chart-interface.ts'
import { SpecificationFaults } from './faults.ts'
import { sectionsOf } from './members.ts'
import { type BlockSpecification, type NetworkSpecification, specifiedLanguages } from './specification.ts'

export interface GenerateOptions {
  readonly version: TargetVersion
  /** Culture of texts given without one. Default `en-US`. */
  readonly culture?: string
  /** The names of the program around it, for expressions. */
  readonly declared?: DeclaredNames
  readonly callee?: CalleeLookup
  /** Pointer of the specification in the request. Default: the root. */
  readonly at?: string
  /** Pointer of the only sequence of a chart, when the request has its steps elsewhere. */
  readonly sequenceAt?: string
}

export interface Generated {
  readonly object: ImportedObject
  /** The text of the file, without byte order mark. */
  readonly text: string
  /** What the version does not know. */
  readonly warnings: readonly string[]
}

/**
 * Generates an object.
 * @throws FormatError with every fault; `path` is the JSON pointer in the specification
 */
export function generateObject(spec: BlockSpecification, options: GenerateOptions): Generated {
  const faults = new SpecificationFaults()
  const reader = new SpecificationReader(spec, options, faults)
  const model = reader.object()
  faults.throwIfAny()
  const { version, culture = 'en-US', callee } = options
  const { at = '' } = options
  const written = faults.part(at, () =>
    writeObject(model, {
      version,
      culture,
      networkXml: reader.networkXml,
      instanceOfType: reader.instanceOfType,
      ...defined({ callee }),
    }),
  )
  faults.throwIfAny()
  const { xml, warnings } = written as NonNullable<typeof written>
  const file = exportDocument([xml], { target: version })
  return { object: objectFromXml(xml, version), text: file.text, warnings: [...warnings, ...file.warnings] }
}

/** Fields that only some kinds have. */
const fieldsOfKinds: Readonly<Record<string, readonly ProgramObjectKind[]>> = {
  number: ['OB', 'FB', 'FC', 'GlobalDB', 'InstanceDB', 'ArrayDB'],
  language: ['OB', 'FB', 'FC'],
  memoryLayout: ['OB', 'FB', 'FC', 'GlobalDB', 'InstanceDB', 'ArrayDB'],
  eventClass: ['OB'],
  instanceOf: ['InstanceDB'],
  dataType: ['ArrayDB'],
  code: ['OB', 'FB', 'FC'],
  networks: ['OB', 'FB', 'FC'],
  chart: ['FB'],
}

/** Attributes that fields of the specification say. */
const fieldAttributes: ReadonlyMap<string, string> = new Map([
  ['Name', 'name'],
  ['Number', 'number'],
  ['ProgrammingLanguage', 'language'],
  ['HeaderAuthor', 'author'],
  ['HeaderFamily', 'family'],
  ['HeaderName', 'userId'],
  ['HeaderVersion', 'version'],
  ['MemoryLayout', 'memoryLayout'],
  ['SecondaryType', 'eventClass'],
  ['InstanceOfName', 'instanceOf'],
  ['Interface', 'interface'],
])

export function isFieldAttribute(name: string): boolean {
  return fieldAttributes.has(name)
}

/** The kind of the object that is specified. */
function kindOf({ kind, instanceOf }: Pick<BlockSpecification, 'kind' | 'instanceOf'>): ProgramObjectKind {
  if (kind === 'DB') return instanceOf === undefined ? 'GlobalDB' : 'InstanceDB'
  return kind
}

class SpecificationReader {
  readonly networkXml = new Map<number, string>()
  readonly #spec: BlockSpecification
  readonly #options: GenerateOptions
  readonly #faults: SpecificationFaults
  readonly #at: string
  readonly #culture: string
  readonly #kind: ProgramObjectKind
  readonly #language: string

  constructor(spec: BlockSpecification, options: GenerateOptions, faults: SpecificationFaults) {
    this.#spec = spec
    this.#options = options
    this.#faults = faults
    this.#at = options.at ?? ''
    this.#culture = options.culture ?? 'en-US'
    this.#kind = kindOf(spec)
    this.#language = this.#readLanguage()
  }

  get #isCode(): boolean {
    return this.#kind === 'OB' || this.#kind === 'FB' || this.#kind === 'FC'
  }

  get instanceOfType(): 'FB' | 'UDT' {
    return this.#spec.attributes?.InstanceOfType === 'UDT' ? 'UDT' : 'FB'
  }

  #readLanguage(): string {
    if (!this.#isCode) return this.#kind === 'UDT' ? '' : 'DB'
    const { language, chart } = this.#spec
    const named = languageNamed(language ?? (chart === undefined ? 'SCL' : 'GRAPH'))
    if (!(specifiedLanguages as readonly string[]).includes(named))
      this.#faults.add(
        `${this.#at}/language`,
        `${JSON.stringify(language)} is no language; allowed: ${specifiedLanguages.join(', ')}`,
      )
    return named
  }

  object(): ImportedObject {
    const { name, number, title, comment, author, family, userId, version, instanceOf } = this.#spec
    this.#faults.part(`${this.#at}/name`, () => checkName(name, this.#kind))
    this.#checkFields()
    const given = this.#sections()
    const context: Omit<NetworkContext, 'at'> = {
      blockName: name,
      blockLanguage: this.#language,
      culture: this.#culture,
      names: declaredNames(given, this.#options.declared ?? { objects: [], tags: [] }),
    }
    const chart = this.#chart(context, given)
    const networks = chart === undefined ? this.#networks(context) : [chart]
    const sections = chart?.chart === undefined ? given : withSystemMembers(given, chart.chart, this.#graphVersion)
    return {
      kind: this.#kind,
      element: '',
      // The attributes are whole: those of the specification with the defaults of a new block.
      format: 'simaticml',
      name,
      ...defined({ number }),
      language: this.#language,
      title: this.#text(title),
      comment: this.#text(comment),
      author: author ?? '',
      family: family ?? '',
      headerName: userId ?? '',
      version: version ?? (this.#kind === 'UDT' ? '' : '0.1'),
      ...(this.#kind === 'UDT' ? {} : { memoryLayout: this.#spec.memoryLayout ?? ('Optimized' as const) }),
      isKnowHowProtected: false,
      ...(this.#kind === 'OB' ? { secondaryType: this.#eventClass() } : {}),
      ...defined({ instanceOf: this.#kind === 'InstanceDB' ? instanceOf : undefined }),
      attributes: this.#attributes(),
      interface: sections,
      networks,
    }
  }

  /** As the specification says, else by the number, else a program cycle. */
  #eventClass(): string {
    const { eventClass, number } = this.#spec
    if (eventClass === undefined && number !== undefined) return classOf(number)
    return eventClassNamed(eventClass ?? '') ?? 'ProgramCycle'
  }

  /** Every object has a title and comment; an empty one has the language of the project. */
  #text(text: BlockSpecification['title']) {
    const texts = toText(text ?? '', this.#culture)
    return Object.keys(texts).length === 0 ? { [this.#culture]: '' } : texts
  }

  #checkFields(): void {
    const { number, instanceOf, dataType, chart, networks, code, eventClass } = this.#spec
    for (const [field, kinds] of Object.entries(fieldsOfKinds))
      if (this.#spec[field as keyof BlockSpecification] !== undefined && !kinds.includes(this.#kind))
        this.#faults.add(`${this.#at}/${field}`, `a ${this.#kind} has none; it belongs to ${kinds.join(', ')}`)
    if (this.#kind === 'OB' && eventClass !== undefined && eventClassNamed(eventClass) === undefined)
      this.#faults.add(
        `${this.#at}/eventClass`,
        `${JSON.stringify(eventClass)} is no event class; there are ${eventClasses.map(({ name }) => name).join(', ')}`,
      )
    const wrong = this.#kind === 'OB' && number !== undefined ? numberFault(number, this.#eventClass()) : undefined
    if (wrong !== undefined) this.#faults.add(`${this.#at}/number`, wrong)
    if (this.#kind === 'InstanceDB' && instanceOf === undefined)
      this.#faults.add(`${this.#at}/instanceOf`, 'an instance data block needs the FB or type it is an instance of')
    if (this.#kind === 'ArrayDB' && !/^\s*array\s*\[[^\]]*\]\s*of\s/i.test(dataType ?? ''))
      this.#faults.add(`${this.#at}/dataType`, 'an ArrayDB needs its array, e.g. Array[0..9] of Int')
    if (this.#language === 'GRAPH' && this.#kind !== 'FB')
      this.#faults.add(`${this.#at}/language`, `GRAPH is for function blocks; this is a ${this.#kind}`)
    if (this.#language === 'GRAPH' && chart === undefined)
      this.#faults.add(`${this.#at}/chart`, 'a GRAPH block needs its sequences')
    if (this.#language !== 'GRAPH' && chart !== undefined)
      this.#faults.add(`${this.#at}/chart`, `a block in ${this.#language} has none; it belongs to GRAPH`)
    if (chart !== undefined && (networks !== undefined || code !== undefined))
      this.#faults.add(`${this.#at}/${code === undefined ? 'networks' : 'code'}`, 'a GRAPH block has its chart only')
    if (networks !== undefined && code !== undefined)
      this.#faults.add(`${this.#at}/code`, 'give code or networks, not both')
  }

  #sections(): InterfaceSection[] {
    const at = `${this.#at}/interface`
    const reading = { faults: this.#faults, culture: this.#culture }
    const given = sectionsOf(this.#spec.interface ?? [], at, reading)
    const order: readonly SectionName[] = sectionOrder[this.#kind] ?? []
    if (this.#kind === 'ArrayDB') {
      const { name, dataType = '' } = this.#spec
      const own = given.flatMap(({ members }) => members)
      if (own.length > 1) this.#faults.add(at, 'an ArrayDB has one member, its array')
      const [member] = sectionsOf([{ section: 'None', members: [{ name, dataType }] }], `${this.#at}`, reading)
      return [{ section: 'None', members: own.length === 1 ? own : (member?.members ?? []) }]
    }
    const allowed = this.#language === 'GRAPH' ? ['Base', ...order] : order
    for (const { section } of given)
      if (!allowed.includes(section))
        this.#faults.add(at, `a ${this.#kind} has no section ${section}; it has ${order.join(', ')}`)
    // An instance has the members of its type, unless some are given.
    if (this.#kind === 'InstanceDB' && given.length === 0) return []
    return order.map((section): InterfaceSection => {
      const members = given.find((one) => one.section === section)?.members ?? []
      return { section, members: section === 'Return' && members.length === 0 ? [noResult] : members }
    })
  }

  get #graphVersion(): '5.0' | '6.0' {
    return graphVersionOf(versionNumber(this.#options.version))
  }

  /** Attributes of a new block, then those that are given. */
  #attributes(): ObjectAttribute[] {
    const { number, instanceOf, attributes = {} } = this.#spec
    const entries = new Map<string, string>()
    const hasNumber = this.#kind !== 'UDT'
    entries.set('Name', '')
    if (versionNumber(this.#options.version) >= 18) entries.set('Namespace', '')
    if (hasNumber) {
      entries.set('AutoNumber', String(number === undefined))
      if (number !== undefined) entries.set('Number', '')
      entries.set('ProgrammingLanguage', '')
      entries.set('MemoryLayout', '')
    }
    if (this.#isCode) entries.set('SetENOAutomatically', 'false')
    if (this.#kind === 'OB') entries.set('SecondaryType', '')
    if (this.#language === 'GRAPH')
      for (const [name, value] of [
        ['ExtensionBlockName', ''],
        ['GraphVersion', this.#graphVersion],
        ['InitialValuesAcquisition', 'false'],
      ] as const)
        entries.set(name, value)
    const element = attributes.OfSystemLibElement
    if (this.#kind === 'InstanceDB' && element !== instanceOf) {
      if (element === undefined) entries.set('InstanceOfType', 'FB')
      entries.set('InstanceOfName', instanceOf ?? '')
    }
    for (const [name, value] of Object.entries(attributes)) {
      const field = fieldAttributes.get(name)
      if (field !== undefined) this.#faults.add(`${this.#at}/attributes/${name}`, `is what the field ${field} says`)
      else if (!/^[A-Za-z_][\w.]*$/.test(name))
        this.#faults.add(`${this.#at}/attributes/${name}`, 'is no name of an attribute')
      else entries.set(name, String(value))
    }
    return [...entries].map(([name, value]) => ({ name, value }))
  }

  #chart(context: Omit<NetworkContext, 'at'>, sections: readonly InterfaceSection[]): Network | undefined {
    const { chart, attributes = {} } = this.#spec
    if (chart === undefined || this.#language !== 'GRAPH') return undefined
    const language = attributes.LanguageInNetworks === 'FBD' ? 'FBD' : 'LAD'
    // The data of steps and transitions may be given; everything else has a name of its own.
    const members = sections.flatMap((section) =>
      section.members.filter(({ dataType }) => !/^G7_(?:Step|Transition)/i.test(dataType)).map((member) => member.name),
    )
    const names = new Set([...members, ...systemParameters].map((name) => name.toUpperCase()))
    const read = new ChartReader(context, language, names, this.#faults).read(
      chart,
      `${this.#at}/chart`,
      this.#options.sequenceAt,
    )
    const empty = { [this.#culture]: '' }
    return { number: 1, title: empty, comment: empty, language: 'GRAPH', parts: [], chart: read }
  }

  #networks(context: Omit<NetworkContext, 'at'>): Network[] {
    const { code, networks } = this.#spec
    if (!this.#isCode || this.#language === 'GRAPH') return []
    const language = this.#language
    const given: readonly NetworkSpecification[] =
      networks ?? (code === undefined && language !== 'SCL' ? [] : [{ code: code ?? '' }])
    const at = (i: number) => (networks === undefined ? this.#at : `${this.#at}/networks/${i}`)
    if (language === 'SCL' && given.length > 1)
      this.#faults.add(
        `${this.#at}/networks`,
        'an SCL block has one network; a LAD or FBD block can have several in SCL',
      )
    return given.flatMap((input, i): Network[] => {
      const read = this.#faults.part(at(i), () => readNetwork(input, { ...context, at: at(i) }))
      if (read === undefined) return []
      const { network, xml } = read
      if (xml !== undefined) this.networkXml.set(i + 1, xml)
      // A network without content has none in its file either.
      const { text, ...rest } = network
      const isEmpty = !hasContent(input) || text === ''
      return [
        {
          ...rest,
          number: i + 1,
          title: this.#text(input.title),
          comment: this.#text(input.comment),
          ...(text === undefined || isEmpty ? {} : { text }),
        },
      ]
    })
  }
}

const noResult = { name: 'Ret_Val', dataType: 'Void', comment: {}, attributes: [], members: [] }
