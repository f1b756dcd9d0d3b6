/**
 * An object of a project: its attributes by set and name, and its relations. Values are read when they are asked for.
 */
import { type PageRecords, readBlob } from './blob.ts'
import { Cursor } from './cursor.ts'
import { type ExpandoNames, type ExpandoValue, expandoType, readExpando } from './expando.ts'
import type { RecordPlace } from './problem.ts'
import type { StoreRecord } from './records.ts'
import { type AttributeSet, type AttributeType, type NumberType, numberSizes, type TypeModel } from './type-model.ts'

/** What names an object: unique in a file. */
export interface ObjectReference {
  /** Number of its type. */
  readonly type: number
  readonly id: number
}

/** Text by LCID (1033 is en-US; [MS-LCID]). */
export type TextByLcid = ReadonlyMap<number, string>

export interface Relation {
  readonly name: string
  readonly target: ObjectReference
}

/** What reads secrets is not there: attributes of these names have no value. */
const neverRead = /Encrypted|Password/i

/** Offset of a value that is not there. */
const noValue = 0xffffffff

/** A relation: its number, and type and id of its target. */
const relationSize = 16

/** What the objects of a file share. */
export interface FileContext {
  readonly model: TypeModel
  readonly pages: PageRecords
  readonly dictionaries: ReadonlyMap<number, ExpandoNames>
}

/** What the objects of one type share: there are many objects and few types. */
export class ObjectShape {
  /** Local name of the type, such as `CodeBlockData`. */
  readonly type: string
  readonly file: FileContext
  readonly names: ExpandoNames | undefined
  readonly #id: number
  #layout: readonly AttributeSet[] | undefined
  readonly #indices = new Map<string, number>()

  constructor(id: number, type: string, file: FileContext) {
    this.type = type
    this.file = file
    this.names = file.dictionaries.get(id)
    this.#id = id
  }

  /** Attribute sets in the order of their slots. */
  get layout(): readonly AttributeSet[] {
    if (this.#layout) return this.#layout
    this.#layout = this.file.model.layout(this.#id)
    for (const [index, { name }] of this.#layout.entries()) if (!this.#indices.has(name)) this.#indices.set(name, index)
    return this.#layout
  }
  /** The slot of a set, undefined for one that the type does not have. */
  indexOf(set: string): number | undefined {
    return this.layout.length === 0 ? undefined : this.#indices.get(set)
  }
}

export class StoredObject {
  readonly record: StoreRecord
  readonly #shape: ObjectShape

  constructor(record: StoreRecord, shape: ObjectShape) {
    this.record = record
    this.#shape = shape
  }

  /** Local name of its type, such as `CodeBlockData`. */
  get type(): string {
    return this.#shape.type
  }
  get place(): RecordPlace {
    return { offset: this.record.offset, type: this.type, id: this.record.id }
  }
  /** The name in `ICoreAttributes`, '' for an object without one. */
  get name(): string {
    return this.text('ICoreAttributes', 'Name') ?? ''
  }

  /** Whether a set is stored with this object. */
  has(set: string): boolean {
    const index = this.#shape.indexOf(set)
    return index !== undefined && this.record.slot(index) !== 0
  }
  /** A string. */
  text(set: string, name: string): string | undefined {
    const value = this.#offsetValue(set, name, 'string')
    if (!value) return undefined
    const start = value.at
    const length = value.varint()
    // The length counts itself.
    return value.take(length - (value.at - start)).toString('utf8')
  }
  /** A number, or the name of an enumeration's value; an unknown value of an enumeration is a number. */
  value(set: string, name: string): number | string | undefined {
    const found = this.#find(set, name)
    if (!found || found.type.kind === 'offset' || found.type.kind === 'structure') return undefined
    const number = readNumber(found.slot, found.type.type)
    return found.type.kind === 'enumeration' ? (found.type.names.get(number) ?? number) : number
  }
  /** The numbers of a structure by their names; behind their size they are in the order of the model. */
  structure(set: string, name: string): ReadonlyMap<string, number> | undefined {
    const found = this.#find(set, name)
    if (found?.type.kind !== 'structure') return undefined
    const offset = found.slot.u32()
    if (offset === 0 || offset >= found.slot.bytes.length) return undefined
    const start = new Cursor(found.slot.bytes, this.place, offset)
    const size = start.u32()
    start.at = offset
    const numbers = new Cursor(start.take(size), this.place, 4)
    return new Map(found.type.elements.map((element) => [element.name, readNumber(numbers, element.type)]))
  }
  flag(set: string, name: string): boolean | undefined {
    const value = this.value(set, name)
    return value === undefined ? undefined : value === 1
  }
  /** A text in several languages. */
  texts(set: string, name: string): TextByLcid | undefined {
    const value = this.#offsetValue(set, name, 'CoreTextAttributeT')
    return value && readTexts(value)
  }
  /** A value of any length: bytes, mostly XML. */
  blob(set: string, name: string): Buffer | undefined {
    const value = this.#offsetValue(set, name, 'BlobT', 'XmlT', 'MapT')
    return value && this.#blobAt(value)
  }
  #blobAt(value: Cursor): Buffer {
    const start = value.at
    const length = value.varint()
    return readBlob(new Cursor(value.take(length - (value.at - start)), this.place), this.#shape.file.pages)
  }
  /** Attributes by name of an expando set; see `expandoFlag` and `expandoTexts`. */
  expando(set: string): ReadonlyMap<string, ExpandoValue> {
    const found = this.#slotOf(set)
    if (!found) return new Map()
    return readExpando(new Cursor(this.record.bytes, this.place, this.record.slot(found.index)), this.#shape.names)
  }
  /** A yes or no of an expando set. */
  expandoFlag(set: string, name: string): boolean | undefined {
    const value = this.expando(set).get(name)
    return value?.type === expandoType.boolean ? value.number !== 0 : undefined
  }
  /** A whole number of 8 bits of an expando set. */
  expandoByte(set: string, name: string): number | undefined {
    const value = this.expando(set).get(name)
    return value?.type === expandoType.byte ? value.number & 0xff : undefined
  }
  /** A whole number of 32 bits of an expando set. */
  expandoInt(set: string, name: string): number | undefined {
    const value = this.expando(set).get(name)
    return value?.type === expandoType.int ? value.number : undefined
  }
  /** The first bytes of a longer value of an expando set; undefined where the record has fewer. */
  expandoBytes({ data, number }: ExpandoValue, length: number): Buffer | undefined {
    const { bytes } = this.record
    return data + number + length <= bytes.length ? bytes.subarray(data + number, data + number + length) : undefined
  }
  /** A whole number of 64 bits of an expando set. */
  expandoLong(set: string, name: string): bigint | undefined {
    const value = this.expando(set).get(name)
    if (value?.type !== expandoType.long || value.number === noValue) return undefined
    return new Cursor(this.record.bytes, this.place, value.data + value.number).take(8).readBigInt64LE()
  }
  /** A string of an expando set. */
  expandoString(set: string, name: string): string | undefined {
    const value = this.expando(set).get(name)
    if (value?.type !== expandoType.string || value.number === noValue) return undefined
    const at = new Cursor(this.record.bytes, this.place, value.data + value.number)
    const length = at.varint()
    return at.take(length - (at.at - value.data - value.number)).toString('utf8')
  }
  /** A value of any length of an expando set. */
  expandoBlob(set: string, name: string): Buffer | undefined {
    const value = this.expando(set).get(name)
    if (value?.type !== expandoType.blob || value.number === noValue) return undefined
    return this.#blobAt(new Cursor(this.record.bytes, this.place, value.data + value.number))
  }
  /** The texts of an expando set, by their names. */
  expandoTexts(set: string): Map<string, TextByLcid> {
    const found = new Map<string, TextByLcid>()
    for (const [name, { type, number, data }] of this.expando(set))
      if (type === expandoType.texts)
        found.set(name, readTexts(new Cursor(this.record.bytes, this.place, data + number)))
    return found
  }

  /** Relations by name, in the order of the file. */
  get relations(): readonly Relation[] {
    const found: Relation[] = []
    this.eachRelation((relation, type, id) =>
      found.push({
        name: this.#shape.file.model.relationName(relation) ?? `relation ${relation}`,
        target: { type, id },
      }),
    )
    return found
  }
  /** Calls with the number of each relation, and type and id of its target. */
  eachRelation(use: (relation: number, type: number, id: number) => void): void {
    const { record } = this
    const first = this.#shape.layout.length
    for (let index = first; index < Math.min(first + 2, record.slotCount); index++) {
      const slot = record.slot(index)
      if (slot === 0) continue
      const start = slot + 4
      const end = start + relationSize * record.u16(slot + 2)
      if (end > record.size) throw new Cursor(record.bytes, this.place).damaged('relations lead out of the record')
      for (let at = start; at < end; at += relationSize) use(record.u32(at), record.u32(at + 4), record.u64(at + 8))
    }
  }
  /** Long lists of objects, without the name of their relation. */
  get lists(): readonly (readonly ObjectReference[])[] {
    const found: ObjectReference[][] = []
    for (let index = this.#shape.layout.length + 2; index < this.record.slotCount; index++) {
      const slot = this.record.slot(index)
      if (slot === 0) continue
      const list = new Cursor(this.record.bytes, this.place, slot)
      const size = list.u32()
      list.u32()
      const count = list.u32()
      if (12 + 12 * count > size) continue
      found.push(Array.from({ length: count }, () => ({ type: list.u32(), id: list.u64() })))
    }
    return found
  }

  #slotOf(set: string): { readonly index: number; readonly layout: AttributeSet } | undefined {
    const index = this.#shape.indexOf(set)
    return index !== undefined && this.record.slot(index) !== 0
      ? { index, layout: this.#shape.layout[index]! }
      : undefined
  }
  #find(set: string, name: string): { readonly type: AttributeType; readonly slot: Cursor } | undefined {
    const found = this.#slotOf(set)
    if (!found || found.layout.expando || neverRead.test(name)) return undefined
    const start = new Cursor(this.record.bytes, this.place, this.record.slot(found.index))
    const from = start.at
    const length = start.u32()
    start.at = from
    const slot = new Cursor(start.take(length), this.place, 4)
    for (const attribute of found.layout.attributes) {
      if (attribute.name === name) return { type: attribute.type, slot }
      slot.at += 'type' in attribute.type && attribute.type.kind !== 'offset' ? numberSizes[attribute.type.type] : 4
    }
    return undefined
  }
  #offsetValue(set: string, name: string, ...types: readonly string[]): Cursor | undefined {
    const found = this.#find(set, name)
    if (found?.type.kind !== 'offset' || !types.includes(found.type.type)) return undefined
    const offset = found.slot.u32()
    return offset === 0 || offset >= found.slot.bytes.length
      ? undefined
      : new Cursor(found.slot.bytes, this.place, offset)
  }
}

function readNumber(slot: Cursor, type: NumberType): number {
  const bytes = slot.take(numberSizes[type])
  switch (type) {
    case 'byte':
      return bytes.readInt8()
    case 'short':
      return bytes.readInt16LE()
    case 'int':
      return bytes.readInt32LE()
    case 'float':
      return bytes.readFloatLE()
    case 'double':
      return bytes.readDoubleLE()
    case 'long':
      return Number(bytes.readBigInt64LE())
    case 'ulong':
    case 'unsignedLong':
    case 'dateTime':
      return Number(bytes.readBigUInt64LE())
    default:
      return bytes.readUIntLE(0, Math.min(bytes.length, 4))
  }
}

function readTexts(value: Cursor): Map<number, string> {
  const whole = value.varint()
  const base = value.at
  if (whole < 16) return new Map()
  value.u32()
  value.u32()
  value.u32()
  const count = value.u32()
  const languages = Array.from({ length: count }, () => value.u16())
  const offsets = Array.from({ length: count }, () => value.u32())
  const texts = new Map<number, string>()
  for (const [i, lcid] of languages.entries()) {
    value.at = base + offsets[i]!
    texts.set(lcid, value.take(value.u32()).toString('utf8'))
  }
  return texts
}
