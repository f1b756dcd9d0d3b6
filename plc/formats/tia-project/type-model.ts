/**
 * The type model that a project file carries: attribute sets, object types and relations, by name. Numbers differ
 * between versions of TIA Portal, names do not (V14 to V21), so everything is looked up by name.
 */

import { inflateSync } from 'node:zlib'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { TiaProjectError } from './problem.ts'
import type { StoreRecord } from './records.ts'

/** How an attribute's value is stored. */
export type AttributeType =
  | { readonly kind: 'number'; readonly type: NumberType }
  | { readonly kind: 'enumeration'; readonly type: NumberType; readonly names: ReadonlyMap<number, string> }
  /** An offset to numbers one after the other. */
  | { readonly kind: 'structure'; readonly elements: readonly { readonly name: string; readonly type: NumberType }[] }
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

/** Bytes of an unpacked type model; real ones have 1 to 3 MB. */
const mostModelBytes = 64 * 1024 * 1024
/** Elements in each other; real ones reach 8. */
const mostNested = 100

interface DeclaredAttribute {
  readonly name: string
  readonly type: string
  /** It has no place in a record. */
  readonly isConstant: boolean
}
interface DeclaredSet {
  readonly namespace: string
  readonly expando: boolean
  readonly attributes: DeclaredAttribute[]
}
interface DeclaredType {
  readonly namespace: string
  readonly bases: string[]
  /** Sets, and what the type says of attributes of them: whether they are constant. */
  readonly sets: { readonly reference: string | undefined; readonly constants: Map<string, boolean> }[]
}
interface DeclaredEnumeration {
  readonly base: string
  readonly names: Map<number, string>
}

interface DeclaredElement {
  readonly name: string
  readonly type: string
}

/**
 * A tag of a declaration: `/` of an end tag, name, attributes. What else the model has (behaviour of the tool, two
 * thirds of its tags) is passed over. No tag has a "<" in it, so a search ends at the next one: the work grows in line
 * with the text.
 */
const tags =
  /<(\/?)(?:\w+:)?(Namespace|ObjectType|AttributeSet|Enumeration|Structure|Base|Implements|Attribute|Element|Constant|Relation|Inverse)\b((?:[^<>"]|"[^"<]*")*)>/g

const noIds: ReadonlySet<number> = new Set()

/** Type models of a file, merged: of two declarations of one name the later one counts. */
export class TypeModel {
  readonly #enumerations = new Map<string, DeclaredEnumeration>()
  readonly #sets = new Map<string, DeclaredSet>()
  readonly #types = new Map<string, DeclaredType>()
  readonly #structures = new Map<string, DeclaredElement[]>()
  readonly #enumerationTypes = new Map<string, AttributeType>()
  readonly #typeNames = new Map<number, string>()
  readonly #localNames = new Map<number, string>()
  readonly #relations = new Map<number, string>()
  readonly #relationIds = new Map<string, Set<number>>()
  readonly #layouts = new Map<string, readonly AttributeSet[]>()

  /** @param record of type `systemType.typeModel` */
  add(record: StoreRecord): void {
    const place = { offset: record.offset }
    const { bytes } = record
    const length = bytes.length < 48 ? bytes.length : bytes.readUInt32LE(44)
    if (48 + length > record.size)
      throw new TiaProjectError('damaged', 'The type model is longer than its record', place)
    let text: string
    try {
      // Only descriptions, which are passed over, have other characters than ASCII: so a character takes one byte.
      text = inflateSync(bytes.subarray(48, 48 + length), { maxOutputLength: mostModelBytes }).toString('latin1')
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
    return this.#localNames.get(id)
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

  /** Reads the declarations. */
  #read(text: string): void {
    const open: string[] = []
    let namespace = ''
    let type: DeclaredType | undefined
    let set: DeclaredSet | undefined
    let enumeration: DeclaredEnumeration | undefined
    let constants: Map<string, boolean> | undefined
    let structure: DeclaredElement[] | undefined
    tags.lastIndex = 0
    for (let tag = tags.exec(text); tag; tag = tags.exec(text)) {
      const [, slash, kind = '', given = ''] = tag
      if (slash) {
        if (open.pop() !== kind) throw new TiaProjectError('damaged', `The type model has a </${kind}> of no element`)
        continue
      }
      const parent = open.at(-1)
      if (!given.endsWith('/') && open.push(kind) > mostNested)
        throw new TiaProjectError('damaged', 'Elements of the type model are nested too deeply')
      const name = attributeOf(given, 'name')
      if (kind === 'Namespace') namespace = name ?? ''
      else if (kind === 'Relation' || kind === 'Inverse') this.#addRelation(given)
      else if (parent === 'Namespace' && name !== undefined) {
        const full = `${namespace}.${name}`
        if (kind === 'ObjectType') {
          type = { namespace, bases: [], sets: [] }
          this.#types.set(full, type)
          const id = numberOf(attributeOf(given, 'id'))
          if (id !== undefined) {
            this.#typeNames.set(id, full)
            this.#localNames.set(id, name)
          }
        } else if (kind === 'AttributeSet') {
          set = { namespace, expando: attributeOf(given, 'expando') === 'true', attributes: [] }
          this.#sets.set(full, set)
        } else if (kind === 'Enumeration') {
          enumeration = { base: attributeOf(given, 'base') ?? 'xs:int', names: new Map() }
          this.#enumerations.set(full, enumeration)
        } else if (kind === 'Structure') {
          structure = []
          this.#structures.set(full, structure)
        }
      } else if (kind === 'Base' && parent === 'ObjectType') type?.bases.push(attributeOf(given, 'ref') ?? '')
      else if (kind === 'Implements' && parent === 'ObjectType') {
        constants = new Map()
        type?.sets.push({ reference: attributeOf(given, 'ref'), constants })
      } else if (kind === 'Attribute' && parent === 'Implements') {
        const constant = attributeOf(given, 'constant')
        if (constant !== undefined) constants?.set(name ?? '', constant === 'true')
      } else if (kind === 'Attribute' && parent === 'AttributeSet') {
        if (attributeOf(given, 'intrinsic') === 'true') continue
        const isConstant = attributeOf(given, 'constant') === 'true'
        set?.attributes.push({ name: name ?? '', type: attributeOf(given, 'type') ?? '', isConstant })
      } else if (kind === 'Element' && parent === 'Structure') {
        structure?.push({ name: name ?? '', type: attributeOf(given, 'type') ?? '' })
      } else if (kind === 'Constant' && parent === 'Enumeration') {
        const value = numberOf(attributeOf(given, 'value'))
        if (value !== undefined) enumeration?.names.set(value, name ?? '')
      }
    }
    if (open.length > 0) throw new TiaProjectError('damaged', `The type model has no </${open.at(-1)}>`)
  }

  #addRelation(given: string): void {
    const id = numberOf(attributeOf(given, 'id'))
    const name = attributeOf(given, 'name')
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
      const { namespace, sets } = this.#types.get(name)!
      for (const { reference, constants: given } of sets) {
        const set = resolve(reference, namespace, this.#sets)
        if (set === undefined) continue
        const constants = implemented.get(set) ?? new Map<string, boolean>()
        implemented.set(set, constants)
        for (const [attribute, isConstant] of given) if (!constants.has(attribute)) constants.set(attribute, isConstant)
      }
    }
    return [...implemented.keys()].sort(compareTexts).map((set) => this.#setOf(set, implemented.get(set)!))
  }

  /** The type itself, then its bases; each once, where it is last. */
  #withBases(type: string): string[] {
    const walked: string[] = []
    const walk = (name: string, depth: number): void => {
      if (depth > 100) throw new TiaProjectError('damaged', `Type "${name}" of the type model is its own base`)
      walked.push(name)
      const { namespace, bases } = this.#types.get(name)!
      for (const base of bases) {
        const found = resolve(base, namespace, this.#types)
        if (found !== undefined) walk(found, depth + 1)
      }
    }
    walk(type, 0)
    return [...new Set(walked.reverse())].reverse()
  }

  #setOf(full: string, constants: ReadonlyMap<string, boolean>): AttributeSet {
    const { namespace, expando, attributes: declared } = this.#sets.get(full)!
    const attributes: Attribute[] = []
    for (const { name, type: reference, isConstant } of declared) {
      if (constants.get(name) ?? isConstant) continue
      const type = this.#attributeType(reference, namespace)
      if (type) attributes.push({ name, type })
    }
    return { name: localName(full), expando, attributes }
  }

  /** undefined: a relation, which has no place in the slot. */
  #attributeType(type: string, namespace: string): AttributeType | undefined {
    const [prefix, base = ''] = type.split(':')
    if (prefix === 'xs' || prefix === 'pe')
      return base in numberSizes ? { kind: 'number', type: base as NumberType } : { kind: 'offset', type: base }
    const known = resolve(type, namespace, this.#enumerations)
    if (known !== undefined) {
      const type = this.#enumerationTypes.get(known) ?? enumerationType(this.#enumerations.get(known)!)
      this.#enumerationTypes.set(known, type)
      return type
    }
    if (resolve(type, namespace, this.#types) !== undefined) return undefined
    const structure = resolve(type, namespace, this.#structures)
    const elements = (structure === undefined ? [] : this.#structures.get(structure)!).map(({ name, type: of }) => ({
      name,
      type: of.split(':')[1] ?? '',
    }))
    return elements.length > 0 && elements.every(isNumberElement)
      ? { kind: 'structure', elements }
      : { kind: 'offset', type: 'structure' }
  }
}

function enumerationType({ base, names }: DeclaredEnumeration): AttributeType {
  const type = base.split(':')[1] ?? 'int'
  return { kind: 'enumeration', type: type in numberSizes ? (type as NumberType) : 'int', names }
}

const isNumberElement = (one: DeclaredElement): one is { name: string; type: NumberType } => one.type in numberSizes

/** The full name that a reference means: as it stands, or in its own namespace. */
function resolve(reference: string | undefined, namespace: string, table: ReadonlyMap<string, unknown>) {
  if (reference === undefined) return undefined
  if (table.has(reference)) return reference
  const local = `${namespace}.${reference}`
  return table.has(local) ? local : undefined
}

const attributeNames = ['name', 'id', 'ref', 'type', 'value', 'base', 'constant', 'intrinsic', 'expando'] as const
type AttributeName = (typeof attributeNames)[number]
const patterns = Object.fromEntries(
  attributeNames.map((name) => [name, new RegExp(`\\s${name}="([^"]*)"`)]),
) as Readonly<Record<AttributeName, RegExp>>

/** An attribute of a start tag. Names and numbers of the model have no character that XML escapes. */
const attributeOf = (given: string, name: AttributeName): string | undefined => patterns[name].exec(given)?.[1]

/** Decimal or `0x…`. */
function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isNaN(value) ? undefined : value
}

const localName = (full: string): string => full.slice(full.lastIndexOf('.') + 1)
