/** The interface of a block or type: sections and members with types, start values and comments. */
import { LRUCache } from 'lru-cache'
import { defined } from '../../../lib/optional.ts'
import type { InterfaceMember, InterfaceSection, SectionName, Subelement } from '../../model/object.ts'
import { child, childrenOf, type XmlElement } from '../simaticml/xml.ts'
import { cultureTexts } from './cultures.ts'
import type { DataTypes } from './data-types.ts'
import { isHidden, isReadOnly, readMemberFlags } from './member-flags.ts'
import type { StoredObject, TextByLcid } from './object.ts'
import { parsePayload, plainName } from './payload.ts'
import type { TiaStore } from './store.ts'

/** Ids of the sections at the top of an interface. */
const sectionIds: Readonly<Record<string, SectionName>> = {
  2: 'Input',
  3: 'Output',
  4: 'InOut',
  5: 'Static',
  6: 'Temp',
  7: 'Return',
  8: 'Constant',
}
/** Members have higher ids than sections. */
const highestSectionId = 20

/** Structures in structures; TIA Portal allows 8 and types of types besides. */
const mostNested = 64

/** Members of one interface with those of the types in it; types in types could make any number. */
const mostMembers = 200_000

/** Members of a block's interface (part). */
interface Part extends Surroundings {
  readonly members: readonly XmlElement[]
  /** Further parts, by the `SubPartIndex` of members. */
  readonly parts: readonly (StoredObject | undefined)[]
}

export interface InterfaceReading {
  readonly sections: readonly InterfaceSection[]
  /** Bytes kept free for a download without reinitialisation. */
  readonly memoryReserve?: string
  readonly problems: readonly string[]
}

/**
 * What an interface is read for: a function or OB (its members are no data), a function block, a type (one section
 * without a name), a data block (`Static`), or an instance data block (the sections of its type, its own values).
 */
export type InterfaceOwner = 'function' | 'functionBlock' | 'type' | 'data' | 'instance'

/** How the data of a block is kept. */
export interface DataLayout {
  readonly isStandardAccess: boolean
  /** An instance of standard access, or of a system type, is retentive as a whole. */
  readonly isRetentive: boolean
}

/** Sections whose members are data that others can see, and which of them can be setpoints. */
const dataSections: ReadonlySet<SectionName> = new Set(['Input', 'Output', 'InOut', 'Static', 'None'])
/** Sections that an instance has no data of. */
const codeSections: ReadonlySet<SectionName> = new Set(['Temp', 'Constant', 'Return'])
const setPointSections: ReadonlySet<SectionName> = new Set(['Static', 'None'])

/** What of a section counts for all members in it, but for copies of a type's members. */
interface Surroundings {
  /** Members have attributes; those of code without data, and temporary ones, have not. */
  readonly hasAttributes: boolean
  readonly canBeSetPoint: boolean
  /** Data of a function block with standard access: the instance says whether it is retentive. */
  readonly isSetInInstance: boolean
  /** Members are those of a type, and an instance's values are beside them. */
  readonly isInstance: boolean
  /** There is more than data: temporary variables, constants, a return value. */
  readonly hasCode: boolean
  readonly isRetentive: boolean
  /** In a copy of a type that users write, values of members that are read-only are those of the last run. */
  readonly hasRunValues: boolean
}
const copyOfType = {
  hasAttributes: false,
  canBeSetPoint: false,
  isSetInInstance: false,
  isRetentive: false,
  hasCode: false,
}

/** The XML of an interface part, undefined when it is empty. */
type PayloadOf = (part: StoredObject) => XmlElement | undefined

/** Bytes of interface XML that are kept parsed: types are used by many members and blocks. */
const mostKept = 256 * 1024

export class InterfaceReader {
  readonly #store: TiaStore
  readonly #types: DataTypes
  readonly #payloads = new LRUCache<StoredObject, { readonly root: XmlElement | undefined }>({ maxSize: mostKept })
  readonly #payloadOf: PayloadOf = (part) => {
    const known = this.#payloads.get(part)
    if (known) return known.root
    const bytes = part.blob('IInterfacePartData', 'Payload')
    const root = parsePayload(bytes)
    this.#payloads.set(part, { root }, { size: (bytes?.length ?? 0) + 1 })
    return root
  }

  constructor(store: TiaStore, types: DataTypes) {
    this.#store = store
    this.#types = types
  }

  /** The interface of a block or type; no sections where the file has none. */
  read(block: StoredObject, owner: InterfaceOwner, layout: DataLayout): InterfaceReading {
    const root = interfaceOf(this.#store, block)
    if (!root) return { sections: [], problems: ['the file has no interface of it'] }
    const element = this.#payloadOf(root)
    const parts = partsOf(this.#store, root)
    // An instance has its values only, and leads to the interface of its type.
    const declaring = owner === 'instance' && !child(element, 'Member') ? parts.find(isRoot) : root
    if (!declaring || (!element && declaring === root)) return { sections: [], problems: [] }
    const comments = owner === 'instance' ? new Map<string, TextByLcid>() : this.#commentsOf(block)
    const reading = new Reading(this.#store, this.#types, this.#payloadOf, this.#valuesOf(root, parts), comments)
    const sections = reading.sections(declaring, (section) => surroundings(owner, section, layout))
    const memoryReserve = child(element, 'ExtensionMemory')?.attributes.VolatileSize
    const unnamed = owner === 'type' ? 'None' : 'Static'
    return {
      sections: sections.map((one) => (one.section === 'None' ? { ...one, section: unnamed } : one)),
      ...defined({ memoryReserve }),
      problems: reading.problems,
    }
  }

  /** Values are in the interface itself, in parts of their own, and in an attribute by name, which come later. */
  #valuesOf(root: StoredObject, parts: Part['parts']): Map<string, string> {
    const values = new Map<string, string>()
    const add = (element: XmlElement | undefined) => {
      const holder = element?.name === 'Values' ? element : child(element, 'Values')
      for (const { attributes } of childrenOf(holder, 'V')) values.set(attributes.p ?? '', attributes.v ?? '')
    }
    add(this.#payloadOf(root))
    for (const part of parts) if (part?.value('IInterfacePartData', 'Kind') === 'Values') add(this.#payloadOf(part))
    add(parsePayload(root.expandoBlob('ICoreExpandoAttributes', 'Values')))
    return values
  }

  #commentsOf(block: StoredObject): Map<string, TextByLcid> {
    // Most relations are stored at both ends.
    const holders = new Set([
      ...this.#store.related(block, 'InterfaceComments'),
      ...this.#store.sources('InverseInterfaceComments', block),
    ])
    const found = new Map<string, TextByLcid>()
    for (const holder of holders)
      for (const [path, texts] of holder.expandoTexts('ICommentsExpandoAttributeSet')) found.set(path, texts)
    return found
  }
}

function surroundings(owner: InterfaceOwner, section: SectionName, layout: DataLayout): Surroundings {
  const hasAttributes = owner !== 'function' && dataSections.has(section)
  const isInstance = owner === 'instance'
  return {
    hasAttributes,
    canBeSetPoint: hasAttributes && setPointSections.has(section),
    isSetInInstance: hasAttributes && owner === 'functionBlock' && layout.isStandardAccess,
    isInstance,
    hasCode: !isInstance,
    isRetentive: isInstance && layout.isRetentive,
    hasRunValues: false,
  }
}

/** Reads one interface. */
class Reading {
  readonly problems: string[] = []
  readonly #store: TiaStore
  readonly #types: DataTypes
  readonly #payloadOf: PayloadOf
  readonly #values: ReadonlyMap<string, string>
  readonly #comments: ReadonlyMap<string, TextByLcid>
  /** What values and comments say of elements of arrays, by the path without indices. */
  readonly #elements: ReadonlyMap<string, { readonly indices: string; readonly path: string }[]>
  #count = 0
  /** Paths, without indices, of members that have values inside. */
  readonly #holders = new Set<string>()

  constructor(
    store: TiaStore,
    types: DataTypes,
    payloadOf: PayloadOf,
    values: ReadonlyMap<string, string>,
    comments: ReadonlyMap<string, TextByLcid>,
  ) {
    this.#store = store
    this.#types = types
    this.#payloadOf = payloadOf
    this.#values = values
    this.#comments = comments
    const elements = new Map<string, { indices: string; path: string }[]>()
    for (const path of values.keys()) {
      const ids = path.replace(/\[[^\]]*\]/g, '').split(':')
      for (let length = 1; length < ids.length; length++) this.#holders.add(ids.slice(0, length).join(':'))
    }
    for (const path of new Set([...values.keys(), ...comments.keys()])) {
      if (!path.includes('[')) continue
      const indices = [...path.matchAll(/\[([^\]]*)\]/g)].map(([, index]) => index).join(';')
      const plain = path.replace(/\[[^\]]*\]/g, '')
      const list = elements.get(plain) ?? []
      list.push({ indices, path })
      elements.set(plain, list)
    }
    this.#elements = elements
  }

  /**
   * The sections that an interface declares; one without a name (`None`) where it has no sections.
   * @param surroundingsOf what counts for the members of a section
   */
  sections(
    root: StoredObject,
    surroundingsOf: (section: SectionName) => Surroundings,
    path = '',
    depth = 0,
  ): InterfaceSection[] {
    const top = childrenOf(this.#payloadOf(root), 'Member')
    const parts = partsOf(this.#store, root)
    const isSectioned = top.some(({ attributes }) => Number(attributes.ID) < highestSectionId)
    if (!isSectioned)
      return [{ section: 'None', members: this.all(top, { ...surroundingsOf('None'), parts }, path, depth) }]
    const found: InterfaceSection[] = []
    for (const section of top) {
      const name = sectionIds[section.attributes.ID ?? '']
      const around = { ...surroundingsOf(name ?? 'Static'), members: [], parts }
      if (section.attributes.Name === 'Base') found.push(...this.#base(section, parts, surroundingsOf, path, depth))
      else if (!name) this.problems.push(`a section that is not understood: ${section.attributes.Name}`)
      else if (around.hasCode || !codeSections.has(name))
        found.push({ section: name, members: this.members(section, around, path, depth) })
    }
    return found
  }

  /** The sections of the type that a block of the instruction library is made from. */
  #base(
    { attributes }: XmlElement,
    parts: Part['parts'],
    surroundingsOf: (section: SectionName) => Surroundings,
    path: string,
    depth: number,
  ): InterfaceSection[] {
    const type = parts[Number(attributes.SubPartIndex ?? Number.NaN)]
    const name = attributes.Type ?? ''
    if (!type || depth > mostNested) return []
    const own = path === '' ? attributes.ID! : `${path}:${attributes.ID}`
    const version = this.#versionOf(name, type)
    return [
      {
        section: 'Base',
        members: [],
        base: this.sections(type, surroundingsOf, own, depth + 1),
        baseKept: { attributes: { Datatype: name, ...(version === undefined ? {} : { Version: version }) } },
      },
    ]
  }

  /** The members of a section or structure: inside it, or in the part that it names. */
  members(holder: XmlElement, around: Part, path = '', depth = 0): InterfaceMember[] {
    const inside = childrenOf(holder, 'Member')
    if (inside.length > 0) return this.all(inside, around, path, depth)
    const index = holder.attributes.SubPartIndex
    const part = index === undefined ? undefined : around.parts[Number(index)]
    if (!part) return []
    const root = this.#payloadOf(part)
    // A type brings parts of its own; a section or structure shares those of the interface.
    const own = part.type === 'InterfaceVersionRootData' ? partsOf(this.#store, part) : around.parts
    return this.all(childrenOf(root, 'Member'), { ...around, parts: own }, path, depth)
  }
  all(members: readonly XmlElement[], around: Omit<Part, 'members'>, path = '', depth = 0) {
    const shown = members.filter(({ attributes }) => !isHidden(Number(attributes.MFlags ?? 0)))
    return shown.map((member) => this.#member(member, { ...around, members }, path, depth))
  }

  #member(element: XmlElement, around: Part, path: string, depth: number): InterfaceMember {
    const { attributes } = element
    const name = plainName(attributes.Name)
    if (++this.#count > mostMembers) throw new Error(`the interface has more than ${mostMembers} members`)
    if (depth > mostNested) {
      this.problems.push(`member "${name}": nested too deeply`)
      return { name, dataType: 'Struct', comment: {}, attributes: [], members: [] }
    }
    const own = path === '' ? (attributes.ID ?? '') : `${path}:${attributes.ID}`
    const reference = Number(attributes.RID ?? 0)
    const kind = reference >>> 24
    const isStructure = this.#isStructure(element, reference)
    const declared = attributes.Type
    const dataType = declared ?? (isStructure ? 'Struct' : this.#types.name(reference))
    if (dataType === undefined) this.problems.push(`member "${name}": the type ${attributes.RID} is not known`)
    const isOwnStruct = dataType === 'Struct' || /\bof Struct$/.test(dataType ?? '')
    const isOfType = !isOwnStruct && attributes.SubPartIndex !== undefined
    // The instance says whether an outermost member is retentive; it has none where the member is one of a type or a
    // pointer.
    const isSetInInstance =
      around.isSetInInstance && depth === 0 && !isOfType && attributes.SlotNo === undefined && kind !== 0
    const within = { ...around, isSetInInstance: false, isRetentive: false }
    const inner = isOwnStruct ? this.members(element, within, own, depth + 1) : []
    const isOfRun = around.hasRunValues && isReadOnly(Number(attributes.MFlags ?? 0))
    const value = isOfRun ? undefined : this.#values.get(own)
    const version = isOwnStruct
      ? undefined
      : this.#versionOf(dataType ?? '', around.parts[Number(attributes.SubPartIndex)])
    return {
      name,
      dataType: dataType ?? 'Variant',
      ...defined({ version, startValue: value }),
      comment: cultureTexts(this.#comments.get(own)),
      ...(attributes.Remanence === 'Remanent' || attributes.Remanence === 'Retain' || around.isRetentive
        ? { remanence: 'Retain' as const }
        : isSetInInstance
          ? { remanence: 'SetInIDB' as const }
          : {}),
      ...(attributes.Accessibility ? { accessibility: attributes.Accessibility } : {}),
      ...this.#flags(name, attributes.MFlags, around, isOfType),
      members: inner,
      ...(isOfType ? this.#copyOfType(element, dataType ?? '', around, own, depth) : {}),
      ...this.#subelements(own),
    }
  }

  /**
   * The version of a type of the instruction library, which the name of its interface has: `_BIVE:TON_TIME/1.0.5/…`.
   */
  #versionOf(dataType: string, part: StoredObject | undefined): string | undefined {
    const isOfProgram = dataType.includes('"')
    const version = isOfProgram ? undefined : /^_?BIVE:[^/]*\/(\d+\.\d+)\.\d+\//.exec(part?.name ?? '')?.[1]
    return version ?? this.#types.version(plainType(dataType))
  }

  #isStructure(element: XmlElement, reference: number): boolean {
    const kind = reference >>> 24
    return (
      kind === 0x91 ||
      kind === 0x93 ||
      (element.attributes.SubPartIndex !== undefined && (reference & 0xffff) === 0) ||
      childrenOf(element, 'Member').length > 0
    )
  }

  /**
   * Start values inside a member of a type are in a copy of the type's members. Of a type of the instruction library
   * there is always a copy, because a program may not have that type otherwise.
   */
  #copyOfType(element: XmlElement, dataType: string, around: Part, path: string, depth: number) {
    const part = around.parts[Number(element.attributes.SubPartIndex)]
    const isOfLibrary = isRoot(part) && !dataType.includes('"')
    if (!part || !(isOfLibrary || this.#hasInside(path))) return {}
    const hasRunValues = !around.isInstance && !isReadOnly(Number(element.attributes.MFlags ?? 0))
    const inside = { ...around, ...copyOfType, hasRunValues }
    const sections = isRoot(part)
      ? this.sections(part, () => inside, path, depth + 1)
      : [{ section: 'None' as const, members: this.members(element, inside, path, depth + 1) }]
    return sections.every(({ members, base }) => members.length === 0 && base === undefined) ? {} : { sections }
  }
  #hasInside(path: string): boolean {
    return this.#holders.has(path)
  }

  #subelements(path: string): { subelements?: Subelement[] } {
    const found = this.#elements.get(path)
    if (!found) return {}
    return {
      subelements: found.map(({ indices, path: full }) => {
        const value = this.#values.get(full)
        const comment = this.#comments.get(full)
        return {
          path: indices,
          ...defined({ startValue: value }),
          ...(comment ? { comment: cultureTexts(comment) } : {}),
        }
      }),
    }
  }

  #flags(name: string, flags: string | undefined, around: Surroundings, isOfType: boolean) {
    if (!around.hasAttributes) return { attributes: [] }
    const { attributes, problem } = readMemberFlags(
      Number(flags ?? 0),
      around.canBeSetPoint ? isOfType : undefined,
      around.isInstance,
    )
    if (problem !== undefined) this.problems.push(`member "${name}": ${problem}`)
    return { attributes }
  }
}

/** The content of a version of a library type has a relation of its own to its interface. */
export const interfaceOf = (store: TiaStore, block: StoredObject): StoredObject | undefined =>
  store.first(block, 'CurrentInterface') ?? store.first(block, 'CurrentLibraryInterface')

const isRoot = (part: StoredObject | undefined): boolean => part?.type === 'InterfaceVersionRootData'

/** The parts of an interface, in the order of `SubPartIndex`. */
export function partsOf(store: TiaStore, root: StoredObject): (StoredObject | undefined)[] {
  const related = root.relations.filter(({ name }) => name === 'UsedParts')
  return related.length > 0 ? related.map(({ target }) => store.get(target)) : store.listed(root)
}

/** The name of a type without quotes and array. */
const plainType = (dataType: string): string => dataType.replace(/^Array\[.*\] of /, '').replace(/^"(.*)"$/, '$1')
