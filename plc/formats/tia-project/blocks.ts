/** Blocks and data types as program objects, with what of each was not understood. */
import type { MultilingualText } from '../../model/multilingual-text.ts'
import type { ImportedObject, InterfaceSection, Network, ProgramObjectKind } from '../../model/object.ts'
import { type InterfaceOwner, InterfaceReader } from './block-interface.ts'
import { cultureTexts } from './cultures.ts'
import { DataTypes } from './data-types.ts'
import { controllerOf } from './folders.ts'
import { readSequenceProgram } from './graph.ts'
import { Identifiers } from './identifiers.ts'
import { readLogicNetwork, type VersionOf } from './logic-network.ts'
import type { StoredObject } from './object.ts'
import { parsePayload } from './payload.ts'
import { readStatementList } from './statement-list.ts'
import type { TiaStore } from './store.ts'
import { readStructuredText } from './structured-text.ts'

/** How much of an object was read. */
export type Completeness = 'whole' | 'partly' | 'not-read'

export interface ReadObject {
  readonly stored: StoredObject
  readonly object?: ImportedObject
  readonly completeness: Completeness
  /** Why it is not whole, one sentence each. */
  readonly problems: readonly string[]
}

const source = 'IGeneralBlockSourceData'
const details = 'IGeneralDataBlockSourceData'
const information = 'IExpandoInformationData'

const elements: Readonly<Partial<Record<ProgramObjectKind, string>>> = {
  OB: 'SW.Blocks.OB',
  FB: 'SW.Blocks.FB',
  FC: 'SW.Blocks.FC',
  GlobalDB: 'SW.Blocks.GlobalDB',
  InstanceDB: 'SW.Blocks.InstanceDB',
  ArrayDB: 'SW.Blocks.ArrayDB',
  UDT: 'SW.Types.PlcStruct',
}
const technologyElement = 'SW.TechnologicalObjects.TechnologicalInstanceDB'

const interfaceOwners: Readonly<Partial<Record<ProgramObjectKind, InterfaceOwner>>> = {
  OB: 'function',
  FC: 'function',
  FB: 'functionBlock',
  UDT: 'type',
  ArrayDB: 'type',
  InstanceDB: 'instance',
}

/** Stored event classes by the names of exports, where they differ. */
const eventClasses: Readonly<Record<string, string>> = {
  PullPlug: 'PullOrPlugOfModules',
  RackStationFailure: 'RackOrStationFailure',
}

/** Stored languages by the names of exports. */
const languages: Readonly<Record<string, string>> = {
  LAD_CLASSIC: 'LAD',
  FBD_CLASSIC: 'FBD',
  LAD_IEC: 'LAD',
  FBD_IEC: 'FBD',
  GRAPH_PLUS: 'GRAPH',
  GRAPH_CLASSIC: 'GRAPH',
}

/** Whether an object is a block or data type, wherever it is. */
export const isProgramContent = (object: StoredObject): boolean => object.has(source)

/** Whether an object is a block or data type of a project's program. */
export function isProgramObject(store: TiaStore, object: StoredObject): boolean {
  return isProgramContent(object) && store.isInProject(object)
}
/** Elements of the instruction library that TIA Portal put into the project; Gantry has its own. */
export function isSystemElement(object: StoredObject): boolean {
  const type = object.value(source, 'BlockType')
  if (type === 'SDT' || type === 'FBT') return true
  return type !== 'DB' && object.value('ICoreAttributes', 'Protection') === 'SystemKnowHowProtection'
}

/** An array data block has one member; the header before it is the tool's, and no export has it. */
function arrayInterface(sections: readonly InterfaceSection[]): readonly InterfaceSection[] {
  return sections.map(({ section, members }) => ({
    section,
    members: members.filter(({ dataType }) => dataType !== 'ArrayDBHeader'),
  }))
}

function retentive(sections: readonly InterfaceSection[]): InterfaceSection[] {
  return sections.map(({ section, members }) => ({
    section,
    members: members.map((member) => ({ ...member, remanence: 'Retain' as const })),
  }))
}

/**
 * What exports call a data block. One that is made from a type (`DBOfType`) is an instance of it: it has its values
 * only, as that of a function block (`IDBofFB`).
 */
export function dataBlockKind(stored: string): 'InstanceDB' | 'ArrayDB' | 'GlobalDB' {
  if (stored.startsWith('IDB') || stored === 'DBOfType') return 'InstanceDB'
  return /array/i.test(stored) ? 'ArrayDB' : 'GlobalDB'
}

const isGraph = (stored: StoredObject): boolean => /^GRAPH/.test(String(stored.value(source, 'BlockLanguage') ?? ''))

/** `6.0`, which the type of a sequence's data says: `G7_RTDataPlus_V6`. */
function graphVersion(sections: readonly InterfaceSection[]): string | undefined {
  for (const { members } of sections)
    for (const { dataType } of members) {
      const version = /^"?G7_RTData(?:Plus)?_V(\d+)"?$/i.exec(dataType)?.[1]
      if (version !== undefined) return `${version}.0`
    }
  return undefined
}

export class BlockReader {
  readonly #store: TiaStore
  readonly #types: DataTypes
  readonly #interfaces: InterfaceReader
  readonly #versionOf: VersionOf = (name, entry) => this.#types.instructionVersion(name, entry)

  constructor(store: TiaStore) {
    this.#store = store
    this.#types = new DataTypes(store)
    this.#interfaces = new InterfaceReader(store, this.#types)
  }

  /** Reads a block or type. What is damaged in it is among the problems; it does not throw because of the content. */
  read(stored: StoredObject): ReadObject {
    const problems: string[] = []
    try {
      const object = this.#read(stored, problems)
      return { stored, object, completeness: problems.length === 0 ? 'whole' : 'partly', problems }
    } catch (error) {
      return { stored, completeness: 'not-read', problems: [...problems, (error as Error).message] }
    }
  }

  #read(stored: StoredObject, problems: string[]): ImportedObject {
    const kind = this.#kind(stored)
    if (!kind) throw new Error(`a block of type ${stored.value(source, 'BlockType')} is not read`)
    const isCode = kind === 'OB' || kind === 'FB' || kind === 'FC'
    const isTechnology = stored.type === 'TechnologicalDataBlockData'
    if (isTechnology) problems.push('what the technology object is connected to (drive, encoder, switches) is not read')
    const isProtected = stored.flag('ICoreAttributes', 'IsKnowHowProtected') === true
    const number = stored.value(source, 'Number')
    const language = String(stored.value(source, 'BlockLanguage') ?? '')
    const instanceOf = kind === 'InstanceDB' ? this.#instanceOf(stored) : undefined
    if (kind === 'InstanceDB' && !instanceOf) problems.push('what it is an instance of is not in the file')
    const memoryLayout: 'Standard' | 'Optimized' =
      stored.flag(source, 'OnlySymbolicAccess') === false ? 'Standard' : 'Optimized'
    const reading = this.#interfaces.read(stored, interfaceOwners[kind] ?? 'data', {
      isStandardAccess: memoryLayout === 'Standard',
      isRetentive: stored.expandoFlag(information, 'NonRetain') === false,
    })
    // An instance has the interface of its type; what is stored with it are its own values.
    if (kind !== 'InstanceDB') problems.push(...reading.problems)
    if (isProtected && isCode) problems.push('know-how protected: only what its interface shows is read')
    const networks = isCode && !isProtected ? this.#networks(stored, reading.sections, problems) : []
    // With standard access a data block is retentive as a whole; an export says so at its outermost members.
    const isRetentive =
      kind === 'GlobalDB' &&
      memoryLayout === 'Standard' &&
      stored.expandoFlag('IExpandoInformationData', 'NonRetain') === false
    const sections = isRetentive ? retentive(reading.sections) : reading.sections
    const subtype = (stored.text('ICoreAttributes', 'Subtype') ?? '').replace(/^OB\./, '')
    const object = {
      kind,
      element: isTechnology ? technologyElement : elements[kind]!,
      format: 'simaticml' as const,
      name: stored.name,
      ...(kind !== 'UDT' && typeof number === 'number' && number > 0 ? { number } : {}),
      language: isCode || isTechnology ? (languages[language] ?? language) : kind === 'UDT' ? '' : 'DB',
      title: this.#texts(stored, 'Comment'),
      comment: this.#blockComment(stored),
      ...this.#header(stored),
      // An instance has the layout of its block.
      ...(kind === 'UDT' || (kind === 'InstanceDB' && memoryLayout === 'Standard') ? {} : { memoryLayout }),
      // An instance of a type of the instruction library shows that type's protection.
      isKnowHowProtected: isProtected && kind !== 'InstanceDB',
      ...(kind === 'OB' ? { secondaryType: eventClasses[subtype] ?? subtype } : {}),
      ...(instanceOf ? { instanceOf } : {}),
      interface: kind === 'ArrayDB' ? arrayInterface(reading.sections) : sections,
      networks,
    }
    const cycle = object.secondaryType === 'CyclicInterrupt' ? this.#cycle(stored) : []
    if (!cycle) problems.push('how often it runs is not in the file')
    return { ...object, attributes: this.#attributes(stored, object, reading.memoryReserve, cycle) }
  }

  /** How often a cyclic interrupt runs, and its priority: they are with the event that it handles. */
  #cycle(stored: StoredObject): [string, string][] | undefined {
    const event = this.#store.sources('Handler', stored).find(({ type }) => type === 'CyclicInterruptEventData')
    const [time, phase] = ['CyclicTime', 'PhaseShift'].map((name) => event?.value('ICyclicInterruptEventData', name))
    if (typeof time !== 'number' || time <= 0) return undefined
    const priority = event?.value('IOrganizationBlockEventDataAttributes', 'Priority')
    const found: [string, string][] = [['CyclicTime', `${time}`]]
    if (typeof phase === 'number' && phase > 0) found.push(['PhaseOffset', `${phase}`])
    if (typeof priority === 'number' && priority > 0) found.push(['PriorityNumber', `${priority}`])
    return found
  }

  /**
   * Types, and instances of the instruction library (they show the header of their type), have no header in exports.
   */
  #header(stored: StoredObject) {
    const isOfLibrary = this.#isOfLibrary(stored) && stored.type !== 'TechnologicalDataBlockData'
    const isType = stored.value(source, 'BlockType') === 'UDT'
    const value = (name: string) => (isOfLibrary || isType ? '' : (stored.text('IPlcHeaderData', name) ?? ''))
    return {
      author: value('HeaderAuthor'),
      family: value('HeaderFamily'),
      headerName: value('HeaderName'),
      version: value('HeaderVersion'),
    }
  }

  #kind(stored: StoredObject): ProgramObjectKind | undefined {
    const type = stored.value(source, 'BlockType')
    if (type === 'OB' || type === 'FB' || type === 'FC' || type === 'UDT') return type
    return type === 'DB' ? dataBlockKind(String(stored.value(details, 'Type') ?? '')) : undefined
  }

  #texts(stored: StoredObject, attribute: string): MultilingualText {
    return cultureTexts(stored.texts('ICoreAttributes', attribute))
  }

  /** A comment is an object of its own. */
  #comment(stored: StoredObject, relation: string): MultilingualText {
    const text = this.#store.first(stored, relation)
    return text ? cultureTexts(text.texts('ICoreTextRepository', 'Text')) : {}
  }
  #blockComment(stored: StoredObject): MultilingualText {
    const relation = stored.relations.find(({ name }) => /Comment$/.test(name) && !/Interface/.test(name))
    return relation ? this.#comment(stored, relation.name) : {}
  }
  #family(stored: StoredObject): string {
    const controller = controllerOf(this.#store, stored)
    return (controller?.text('ICoreAttributes', 'Subtype') ?? '').split('.')[0] ?? ''
  }

  #networks(stored: StoredObject, sections: readonly InterfaceSection[], problems: string[]): Network[] {
    const units = [...this.#store.related(stored, 'Sources'), ...this.#store.listed(stored)].filter(
      ({ type }) => type === 'CompileUnitData',
    )
    const identifiers = new Identifiers(this.#store, stored, this.#family(stored))
    problems.push(...identifiers.problems)
    if (isGraph(stored)) return [this.#sequences(units, identifiers, sections, problems)]
    return units.map((unit, index) => this.#network(unit, index + 1, identifiers, problems))
  }

  /** The units of a GRAPH block are its sequence and what belongs to the steps of it: one network. */
  #sequences(
    units: readonly StoredObject[],
    identifiers: Identifiers,
    sections: readonly InterfaceSection[],
    problems: string[],
  ): Network {
    const set = 'ICompileUnitData'
    const parts = units.map((unit) => {
      const language = String(unit.value(set, 'ProgrammingLanguage') ?? '')
      return {
        context: unit.text(set, 'ProgrammingContext') ?? '',
        language: languages[language] ?? language,
        root: parsePayload(unit.blob(set, 'Data')),
      }
    })
    if (parts.some(({ root }) => root?.name === 'EncryptedData')) throw new Error('encrypted, never read')
    const { program, problems: found } = readSequenceProgram(parts, {
      identifiers,
      versionOf: this.#versionOf,
      sections,
    })
    problems.push(...found)
    return { number: 1, title: {}, comment: {}, language: 'GRAPH', parts: [], chart: program }
  }

  #network(unit: StoredObject, number: number, identifiers: Identifiers, problems: string[]): Network {
    const language = String(unit.value('ICompileUnitData', 'ProgrammingLanguage') ?? '')
    const common = {
      number,
      title: this.#texts(unit, 'Comment'),
      comment: this.#comment(unit, 'CompileUnitComment'),
      language: languages[language] ?? language,
      parts: [],
    }
    const report = (found: readonly string[]) => problems.push(...found.map((text) => `network ${number}: ${text}`))
    const root = parsePayload(unit.blob('ICompileUnitData', 'Data'))
    if (root?.name === 'FlgNet') {
      const reading = readLogicNetwork(root, identifiers, this.#versionOf)
      report(reading.problems)
      // A network without elements has a rail with an open end, which an export leaves out.
      return reading.network.nodes.length === 0 ? common : { ...common, graph: reading.network }
    }
    if (root?.name === 'SCLSource') {
      const reading = readStructuredText(root, identifiers)
      report(reading.problems)
      return { ...common, text: reading.text }
    }
    if (root?.name === 'Statements') {
      const reading = readStatementList(root, identifiers, this.#versionOf)
      report(reading.problems)
      return { ...common, statements: reading.statements }
    }
    if (root?.name === 'EncryptedData') report(['encrypted, never read'])
    else if (root) report([`code of the kind ${root.name} (${language}) is not read`])
    return common
  }

  /** The attributes of an export, which come in the order of their names. */
  #attributes(
    stored: StoredObject,
    object: Omit<ImportedObject, 'attributes'>,
    memoryReserve: string | undefined,
    cycle: readonly (readonly [string, string])[] = [],
  ) {
    const { kind } = object
    const attributes = new Map<string, string>()
    const set = (name: string, value: string | undefined) => {
      if (value !== undefined) attributes.set(name, value)
    }
    set('Name', object.name)
    if (kind !== 'UDT') {
      // FC 0 is a block; in the model 0 is no number, and what exports write of it stays.
      set('Number', stored.value(source, 'Number')?.toString())
      set('ProgrammingLanguage', object.language)
      set('MemoryLayout', object.memoryLayout)
      set('AutoNumber', String(stored.flag(source, 'AutoNumber') !== false))
    }
    for (const [name, value] of Object.entries({
      HeaderAuthor: object.author,
      HeaderFamily: object.family,
      HeaderName: object.headerName,
    }))
      if (value !== '') set(name, value)
    if (object.version !== '' && object.version !== '0.1') set('HeaderVersion', object.version)
    set('SecondaryType', object.secondaryType)
    for (const [name, value] of cycle) set(name, value)
    set('MemoryReserve', memoryReserve)
    if (isGraph(stored)) set('GraphVersion', graphVersion(object.interface))
    if (kind === 'InstanceDB') {
      set('InstanceOfName', object.instanceOf)
      this.#owner(stored, set)
    }
    if (kind === 'GlobalDB' || kind === 'InstanceDB') {
      if (stored.expandoFlag(information, 'IsWriteProtectedInAS')) set('IsWriteProtectedInAS', 'true')
      if (stored.expandoFlag(information, 'NotLoadable')) set('IsOnlyStoredInLoadMemory', 'true')
      if (stored.expandoFlag(information, 'DBAccessibleFromOPCUA') === false) set('DBAccessibleFromOPCUA', 'false')
    }
    return [...attributes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => ({ name, value }))
  }

  /** Instances of types of the instruction library name it with its version. */
  #owner(stored: StoredObject, set: (name: string, value: string | undefined) => void): void {
    if (this.#isOfLibrary(stored)) {
      set('OfSystemLibElement', this.#instanceOf(stored))
      const instruction = this.#instruction(stored)
      const version = instruction && this.#types.versionOfInstruction(instruction)
      set('OfSystemLibVersion', version ?? stored.text('IPlcHeaderData', 'HeaderVersion'))
    } else set('InstanceOfType', stored.value(details, 'OfType') === 'UDT' ? 'UDT' : 'FB')
  }
  /** The block or type that an instance was made from. */
  #master(stored: StoredObject): StoredObject | undefined {
    return this.#store.first(stored, 'GeneratedFromMaster') ?? this.#store.first(stored, 'IsGeneratedFrom')
  }
  /** Its name is with the instance, in many projects only with what it was made from. */
  #instanceOf(stored: StoredObject): string | undefined {
    return this.#instruction(stored)?.name || stored.text(details, 'OfName') || this.#master(stored)?.name || undefined
  }
  /** The instruction that an instance belongs to; the block behind it has another name and version. */
  #instruction(stored: StoredObject): StoredObject | undefined {
    const master = this.#master(stored)
    const proxy = master && this.#store.first(master, 'IsDerivedFrom')
    const instruction = proxy && this.#store.first(proxy, 'IsDerivedFrom')
    return instruction?.type === 'IECPLInstructionData' ? instruction : undefined
  }
  #isOfLibrary(stored: StoredObject): boolean {
    const type = stored.value(details, 'OfType')
    const master = this.#master(stored)
    return type === 'SDT' || type === 'FBT' || (master !== undefined && isSystemElement(master))
  }
}
