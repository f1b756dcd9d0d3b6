/**
 * The type model that a project file carries: attribute sets, object types and relations, by name. Numbers differ
 * between versions of TIA Portal, names do not (V14 to V21), so everything is looked up by name.
 */
import { inflateSync } from 'node:zlib'
import { parseXml, type XmlElement } from '../simaticml/xml.ts'
import { TiaProjectError } from './problem.ts'
import type { StoreRecord } from './records.ts'

/** How an attribute's value is stored. */
export type AttributeType =
  | { readonly kind: 'number'; readonly type: NumberType }
  | { readonly kind: 'enumeration'; readonly type: NumberType; readonly names: ReadonlyMap<number, string> }
  /** An offset to a value of variable length, of one of these: string, text, blob; others are not read. */
  | { readonly kind: 'offset'; readonly type: string }

export interface Attribute {
  readonly name: string
  readonly type: AttributeType
}

/** A set of attributes, in the order of its slot. */
export interface AttributeSet {
  /** Local name, such as `ICoreAttributes`. */
  readonly name: string
  /** Attributes by name in the record itself; not read. */
  readonly expando: boolean
  readonly attributes: readonly Attribute[]
}

/** Sizes of the numbers, bytes. */
export const numberSizes = {
  boolean: 1,
  unsignedByte: 1,
  byte: 1,
  short: 2,
  ushort: 2,
  unsignedShort: 2,
  CharT: 2,
  int: 4,
  uint: 4,
  unsignedInt: 4,
  float: 4,
  long: 8,
  ulong: 8,
  unsignedLong: 8,
  double: 8,
  dateTime: 8,
  GuidT: 16,
} as const
export type NumberType = keyof typeof numberSizes

/** Bytes of an unpacked type model; real ones have 1 to 2 MB. */
const mostModelBytes = 64 * 1024 * 1024

/** A declaration of the model. A model has thousands and a project uses few, so each is parsed when it is asked for. */
class Declaration {
  readonly namespace: string
  readonly #text: string
  #element: XmlElement | undefined

  constructor(text: string, namespace: string) {
    this.#text = text
    this.namespace = namespace
  }
  get element(): XmlElement {
    this.#element ??= parseXml(this.#text)
    return this.#element
  }
}

/** Start tags that are looked at, and the end of a namespace. */
const tags =
  /<(?:(\/)(?:\w+:)?Namespace|(?:\w+:)?(Namespace|Enumeration|AttributeSet|ObjectType|Relation|Inverse)\b((?:[^>"]|"[^"]*")*))>/g

const noIds: ReadonlySet<number> = new Set()

/** Type models of a file, merged: of two declarations of one name the later one counts. */
export class TypeModel {
  readonly #enumerations = new Map<string, Declaration>()
  readonly #sets = new Map<string, Declaration>()
  readonly #types = new Map<string, Declaration>()
  readonly #enumerationTypes = new Map<string, AttributeType>()
  readonly #typeNames = new Map<number, string>()
  readonly #relations = new Map<number, string>()
  readonly #relationIds = new Map<string, Set<number>>()
  readonly #layouts = new Map<string, readonly AttributeSet[]>()

  /** @param record of type `systemType.typeModel` */
  add(record: StoreRecord): void {
    const place = { offset: record.offset }
    const length = record.bytes.readUInt32LE(44)
    if (48 + length > record.size)
      throw new TiaProjectError('damaged', 'The type model is longer than its record', place)
    let text: string
    try {
      text = inflateSync(record.bytes.subarray(48, 48 + length), { maxOutputLength: mostModelBytes }).toString('utf8')
    } catch (error) {
      throw new TiaProjectError('damaged', `The type model cannot be unpacked: ${(error as Error).message}`, place)
    }
    if (text.includes('<!')) throw new TiaProjectError('damaged', 'The type model has more than elements', place)
    this.#read(text)
    this.#layouts.clear()
    this.#enumerationTypes.clear()
  }

  get isEmpty(): boolean {
    return this.#types.size === 0
  }
  /** Local name of a type, such as `CodeBlockData`. */
  typeName(id: number): string | undefined {
    const name = this.#typeNames.get(id)
    return name === undefined ? undefined : localName(name)
  }
  /** Name of a relation; that of its inverse is a name of its own. */
  relationName(id: number): string | undefined {
    return this.#relations.get(id)
  }

  /** The numbers of the relations of a name. */
  relationIds(name: string): ReadonlySet<number> {
    return this.#relationIds.get(name) ?? noIds
  }

  /** The attribute sets of a type in the order of its slots: sorted by their full names. */
  layout(typeId: number): readonly AttributeSet[] {
    const type = this.#typeNames.get(typeId)
    if (type === undefined) return []
    const known = this.#layouts.get(type)
    if (known) return known
    const layout = this.#layoutOf(type)
    this.#layouts.set(type, layout)
    return layout
  }

  #read(text: string): void {
    const namespaces: string[] = []
    tags.lastIndex = 0
    for (let tag = tags.exec(text); tag; tag = tags.exec(text)) {
      const [start, isEnd, kind, given = ''] = tag
      if (isEnd) namespaces.pop()
      else if (kind === 'Relation' || kind === 'Inverse') this.#addRelation(given)
      else if (kind === 'Namespace') {
        if (!given.endsWith('/')) namespaces.push(attribute(given, 'name') ?? '')
      } else {
        const namespace = namespaces.at(-1)
        const name = attribute(given, 'name')
        if (name === undefined || namespace === undefined) continue
        const end = given.endsWith('/') ? tags.lastIndex : endOf(text, tag.index, start)
        const declaration = new Declaration(text.slice(tag.index, end), namespace)
        const full = `${namespace}.${name}`
        if (kind === 'Enumeration') this.#enumerations.set(full, declaration)
        else if (kind === 'AttributeSet') this.#sets.set(full, declaration)
        else {
          this.#types.set(full, declaration)
          const id = numberOf(attribute(given, 'id'))
          if (id !== undefined) this.#typeNames.set(id, full)
        }
      }
    }
  }

  #addRelation(given: string): void {
    const id = numberOf(attribute(given, 'id'))
    const name = attribute(given, 'name')
    if (id === undefined || !name) return
    this.#relationIds.get(this.#relations.get(id) ?? '')?.delete(id)
    this.#relations.set(id, name)
    const ids = this.#relationIds.get(name)
    if (ids) ids.add(id)
    else this.#relationIds.set(name, new Set([id]))
  }

  #layoutOf(type: string): AttributeSet[] {
    /** Constant attributes have no place in a record: the type's own word counts before that of the set. */
    const implemented = new Map<string, Map<string, boolean>>()
    for (const name of this.#withBases(type)) {
      const { element, namespace } = this.#types.get(name)!
      for (const implement of element.children) {
        if (implement.name !== 'Implements') continue
        const set = resolve(implement.attributes.ref, namespace, this.#sets)
        if (set === undefined) continue
        const constants = implemented.get(set) ?? new Map<string, boolean>()
        implemented.set(set, constants)
        for (const { name: kind, attributes } of implement.children)
          if (kind === 'Attribute' && attributes.constant !== undefined && !constants.has(attributes.name ?? ''))
            constants.set(attributes.name ?? '', attributes.constant === 'true')
      }
    }
    return [...implemented.keys()].sort(byCode).map((set) => this.#setOf(set, implemented.get(set)!))
  }

  /** The type itself, then its bases; each once, where it stands last. */
  #withBases(type: string): string[] {
    const walked: string[] = []
    const walk = (name: string, depth: number): void => {
      if (depth > 100) throw new TiaProjectError('damaged', `Type "${name}" of the type model is its own base`)
      walked.push(name)
      const { element, namespace } = this.#types.get(name)!
      for (const base of element.children) {
        const found = base.name === 'Base' ? resolve(base.attributes.ref, namespace, this.#types) : undefined
        if (found !== undefined) walk(found, depth + 1)
      }
    }
    walk(type, 0)
    return [...new Set(walked.reverse())].reverse()
  }

  #setOf(full: string, constants: ReadonlyMap<string, boolean>): AttributeSet {
    const { element, namespace } = this.#sets.get(full)!
    const attributes: Attribute[] = []
    for (const { name: kind, attributes: at } of element.children) {
      if (kind !== 'Attribute' || at.intrinsic === 'true') continue
      const name = at.name ?? ''
      if (constants.get(name) ?? at.constant === 'true') continue
      const type = this.#attributeType(at.type ?? '', namespace)
      if (type) attributes.push({ name, type })
    }
    return { name: localName(full), expando: element.attributes.expando === 'true', attributes }
  }

  /** undefined: a relation, which has no place in the slot. */
  #attributeType(type: string, namespace: string): AttributeType | undefined {
    const [prefix, base = ''] = type.split(':')
    if (prefix === 'xs' || prefix === 'pe')
      return base in numberSizes ? { kind: 'number', type: base as NumberType } : { kind: 'offset', type: base }
    const known = resolve(type, namespace, this.#enumerations)
    if (known !== undefined) {
      const type = this.#enumerationTypes.get(known) ?? enumeration(this.#enumerations.get(known)!.element)
      this.#enumerationTypes.set(known, type)
      return type
    }
    return resolve(type, namespace, this.#types) === undefined ? { kind: 'offset', type: 'structure' } : undefined
  }
}

function enumeration(element: XmlElement): AttributeType {
  const names = new Map<number, string>()
  for (const { name, attributes } of element.children) {
    const value = name === 'Constant' ? numberOf(attributes.value) : undefined
    if (value !== undefined) names.set(value, attributes.name ?? '')
  }
  const base = (element.attributes.base ?? 'xs:int').split(':')[1] ?? 'int'
  return { kind: 'enumeration', type: base in numberSizes ? (base as NumberType) : 'int', names }
}

/** The full name that a reference means: as it stands, or in its own namespace. */
function resolve(reference: string | undefined, namespace: string, table: ReadonlyMap<string, unknown>) {
  if (reference === undefined) return undefined
  if (table.has(reference)) return reference
  const local = `${namespace}.${reference}`
  return table.has(local) ? local : undefined
}

const attributePatterns = { name: /\sname="([^"]*)"/, id: /\sid="([^"]*)"/ }

/** An attribute of a start tag. Names and numbers of the model have no character that XML escapes. */
const attribute = (given: string, name: keyof typeof attributePatterns): string | undefined =>
  attributePatterns[name].exec(given)?.[1]

/** The end of the element that begins at an offset; elements of a kind are not in each other. */
function endOf(text: string, at: number, startTag: string): number {
  const end = `</${/^<([\w:]+)/.exec(startTag)![1]}>`
  const found = text.indexOf(end, at)
  if (found === -1) throw new TiaProjectError('damaged', `The type model has no ${end}`)
  return found + end.length
}

/** Decimal or `0x…`. */
function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isNaN(value) ? undefined : value
}

const localName = (full: string): string => full.slice(full.lastIndexOf('.') + 1)
const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
