/**
 * The interfaces that objects of a program offer to each other, as hashes: compiled code and "is consistent" stay valid
 * while the used interfaces are the same. Comments and code are not part of an interface.
 */
import { createHash } from 'node:crypto'
import { dataTypeNames } from '../model/data-type.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection } from '../model/object.ts'

/** Interface of one document. */
export interface InterfaceFacts {
  /** Documents with the same hash have the same interface. */
  readonly hash: string
  /** Hash of everything but the code: everything that linking reads. */
  readonly declaration: string
  /**
   * Names of the program that occur in the interface, in lower case: types, constants of array limits, the block of an
   * instance.
   */
  readonly names: readonly string[]
}

/** An object as others see it. */
export interface Visible {
  readonly name: string
  readonly kind: string
  readonly number?: number | undefined
  /** `undefined`: its document could not be read; then it equals no other. */
  readonly facts?: { readonly hash: string; readonly names?: readonly string[] }
}

/** The rows of a tag table. */
export interface VisibleTable {
  readonly tags?: readonly { readonly name: string; readonly dataType: string; readonly logicalAddress: string }[]
  readonly constants?: readonly { readonly name: string; readonly dataType: string; readonly value: string }[]
  /** Any other object may have one of its names, and is what the name means then. */
  readonly isSystem?: boolean
}

/** Means all names of the program: code that iterates over them depends on each. */
export const everyName = '*'

/** The name for the object that has a number: `FB 12`. */
export function numberName(key: string): string {
  return `#${key.toLowerCase()}`
}

/** Returns a hash of 132 bits, short enough to store thousands of them. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** What an object means to those who use its name. */
export function objectFingerprint({ kind, number, facts }: Omit<Visible, 'name'>): string {
  return `${kind} ${number ?? ''} ${facts?.hash ?? '?'}`
}

/** What a tag means to those who use its name. */
export function tagFingerprint({ dataType, logicalAddress }: NonNullable<VisibleTable['tags']>[number]): string {
  return `tag ${dataType} ${logicalAddress}`
}

/** What a user constant means to those who use its name. */
export function constantFingerprint({ dataType, value }: NonNullable<VisibleTable['constants']>[number]): string {
  return `constant ${dataType} ${value}`
}

/**
 * Returns one hash of the meaning of names.
 * @param fingerprintOf '' for a name that the program does not have
 */
export function hashOfNames(names: readonly string[], fingerprintOf: (name: string) => string): string {
  return shortHash(names.map((name) => `${name} ${fingerprintOf(name)}`).join('\n'))
}

/** Sections that callers and instances do not see. */
const ownSections: ReadonlySet<string> = new Set(['Temp', 'Constant'])

/** Returns the interface of a document. */
export function interfaceFacts(object: ImportedObject): InterfaceFacts {
  const isData = object.kind.endsWith('DB')
  const names = new Set<string>()
  const sections = object.interface.map((section) => {
    const shape = shapeOf(section, isData, names)
    return ownSections.has(section.section) ? undefined : shape
  })
  if (object.instanceOf !== undefined) names.add(object.instanceOf.replaceAll('"', '').toLowerCase())
  const attributes = object.attributes.filter(({ name }) => layoutAttributes.has(name))
  const { kind, memoryLayout, instanceOf, secondaryType } = object
  const text = JSON.stringify([kind, memoryLayout, instanceOf, secondaryType, attributes, sections])
  const { networks: _code, xml: _xml, text: source, title: _title, comment: _comment, ...declared } = object
  // The text of a data block contains its start values.
  const declaration = shortHash(JSON.stringify(isData ? [declared, source] : declared))
  return { hash: shortHash(text), declaration, names: [...names] }
}

/** Attributes that determine the layout of data, or the type of an array data block. */
const layoutAttributes: ReadonlySet<string> = new Set([
  'MemoryLayout',
  'S7_Optimized_Access',
  'ArrayDataType',
  'ArrayLimitUpperBound',
  'OfSystemLibElement',
  'OfSystemLibVersion',
  'InstanceOfName',
  'InstanceOfType',
])

function shapeOf(section: InterfaceSection, isData: boolean, names: Set<string>): unknown {
  const base = (section.base ?? []).map((inner) => shapeOf(inner, isData, names))
  return [section.section, section.members.map((member) => memberShape(member, isData, names)), base]
}

/** The visible part of a member. Start values of data blocks do not matter to their users. */
function memberShape(member: InterfaceMember, isData: boolean, names: Set<string>): unknown {
  const { name, dataType, version, startValue, startValueConstant, remanence, attributes, members, subelements } =
    member
  for (const one of namesInType(dataType)) names.add(one)
  for (const value of [startValue, startValueConstant, ...(subelements ?? []).map((one) => one.startValue)])
    if (value !== undefined) for (const one of namesInValue(value)) names.add(one)
  const values = isData
    ? []
    : [startValue, startValueConstant, (subelements ?? []).map((one) => [one.path, one.startValue])]
  const overlaid = attributes.find((attribute) => attribute.name === 'At')?.value
  return [name, dataType, version, remanence, overlaid, values, members.map((one) => memberShape(one, isData, names))]
}

const systemWords: ReadonlySet<string> = new Set(
  [...dataTypeNames, 'array', 'of', 'struct', 'variant', 'any', 'pointer', 'void', 'ref_to', 'true', 'false'].map(
    (name) => name.toLowerCase(),
  ),
)

/**
 * Returns names of the program in the text of a data type, in lower case. Words that are not names of the program do no
 * harm.
 */
export function namesInType(text: string): string[] {
  const names: string[] = []
  for (const [, quoted, word] of text.matchAll(/"([^"]+)"|(?<![#\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)/gu)) {
    const name = (quoted ?? word ?? '').toLowerCase()
    if (quoted !== undefined || !systemWords.has(name)) names.push(name)
  }
  return names
}

/** Returns names in a start value: a constant in quotes or a bare word. */
function namesInValue(text: string): string[] {
  const value = text.trim()
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(value)) return systemWords.has(value.toLowerCase()) ? [] : [value.toLowerCase()]
  if (value.startsWith("'")) return []
  return [...value.matchAll(/"([^"]+)"/g)].map(([, name]) => (name as string).toLowerCase())
}

/** The meaning of every name of a program, as hashes. */
export class ProgramInterfaces {
  readonly #fingerprints = new Map<string, string>()
  readonly #names = new Map<string, readonly string[]>()
  readonly #uses = new Map<string, { readonly uses: readonly string[]; readonly interfaces: string }>()
  #every: string | undefined

  constructor(objects: Iterable<Visible>, tables: Iterable<VisibleTable>) {
    for (const object of objects) {
      const { name, kind, number, facts } = object
      const key = name.toLowerCase()
      this.#fingerprints.set(key, objectFingerprint(object))
      if (facts?.names) this.#names.set(key, facts.names)
      if (number === undefined) continue
      const holder = numberName(`${kind.endsWith('DB') ? 'DB' : kind} ${number}`)
      // Sources of classic programs name types by number: `FB10`.
      const plain = `${kind}${number}`.toLowerCase()
      for (const alias of [holder, plain]) {
        if (this.#fingerprints.has(alias)) continue
        this.#fingerprints.set(alias, key)
        this.#names.set(alias, [key])
      }
    }
    // Tables of the system come last: a name that is taken means something else.
    const sorted = [...tables].sort((a, b) => Number(a.isSystem === true) - Number(b.isSystem === true))
    for (const { tags, constants, isSystem } of sorted) {
      for (const tag of tags ?? []) this.#add(tag.name, tagFingerprint(tag), tag.dataType)
      for (const constant of constants ?? []) {
        const { name, dataType, value } = constant
        if (isSystem === true && this.#fingerprints.has(name.toLowerCase())) continue
        this.#add(name, constantFingerprint(constant), `${dataType} ${value}`)
      }
    }
  }

  #add(name: string, fingerprint: string, types: string): void {
    const key = name.toLowerCase()
    this.#fingerprints.set(key, fingerprint)
    const names = namesInType(types)
    if (names.length > 0) this.#names.set(key, names)
  }

  /** Returns the names, all names in their interfaces, and so on; sorted. */
  closure(names: Iterable<string>): string[] {
    const found = new Set(names)
    // Iterating over a set includes what is added meanwhile.
    for (const name of found) for (const inner of this.#names.get(name) ?? []) found.add(inner)
    return [...found].sort()
  }

  /** Returns what one name depends on: its closure, with its hash. */
  usesOf(name: string): { readonly uses: readonly string[]; readonly interfaces: string } {
    let known = this.#uses.get(name)
    if (known === undefined) {
      const uses = this.closure([name])
      known = { uses, interfaces: this.hashOf(uses) }
      this.#uses.set(name, known)
    }
    return known
  }

  /** Returns one hash of the current meaning of all the names. */
  hashOf(names: readonly string[]): string {
    return hashOfNames(names, (name) => this.#fingerprint(name))
  }

  #fingerprint(name: string): string {
    if (name !== everyName) return this.#fingerprints.get(name) ?? ''
    this.#every ??= shortHash([...this.#fingerprints.keys()].sort().join('\n'))
    return this.#every
  }
}
