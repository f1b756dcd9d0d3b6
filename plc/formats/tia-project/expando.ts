/**
 * Attributes by name inside a record, beyond those of the type model. Their names are in the record itself, or numbers
 * of a dictionary that the file has for each type (records of type `systemType.dictionary`).
 */
import type { Cursor } from './cursor.ts'
import type { StoreRecord } from './records.ts'

/** Type codes of values, as far as they are read. */
export const expandoType = {
  boolean: 0x80000001,
  byte: 0x80000002,
  int: 0x80000005,
  long: 0x80000006,
  string: 0x8000000b,
  blob: 0x8000000e,
  texts: 0x8000001f,
} as const

/** A value: a number in place, or the place of a longer value. */
export interface ExpandoValue {
  readonly type: number
  /** The value of a boolean, byte or int; for others an offset into `data`. */
  readonly number: number
  /** Place of the longer values, absolute in the record. */
  readonly data: number
}

/** Names and types of the attributes of one type, by their number. */
export type ExpandoNames = ReadonlyMap<number, { readonly name: string; readonly type: number }>

const namesInline = 1
const namesByNumber = 2

/** Reads a dictionary: the type that it belongs to, and its names. */
function readDictionary(cursor: Cursor): { readonly type: number; readonly names: ExpandoNames } {
  cursor.at = 44
  cursor.u32()
  cursor.u32()
  const type = cursor.u32()
  const count = cursor.u32()
  cursor.u32()
  const names = new Map<number, { name: string; type: number }>()
  for (let i = 0; i < count; i++) {
    const number = cursor.u32()
    const name = cursor.take(cursor.varint()).toString('utf8')
    names.set(number, { name, type: cursor.u32() })
  }
  return { type, names }
}

/**
 * Reads the attributes of a set.
 * @param slot at the first byte of the set
 * @param names of the record's type
 */
export function readExpando(slot: Cursor, names: ExpandoNames | undefined): Map<string, ExpandoValue> {
  const start = slot.at
  slot.u32()
  slot.u32()
  const count = slot.u32()
  const kind = slot.u8()
  slot.u8()
  if (kind === namesInline) return readInline(slot, start, count)
  if (kind === namesByNumber) return readNumbered(slot, count, names)
  return new Map()
}

/**
 * Names are UTF-16 in the set; offsets of names count from the start of the set, those of values from their own table.
 */
function readInline(slot: Cursor, start: number, count: number): Map<string, ExpandoValue> {
  const values = slot.u32()
  const types = Array.from({ length: count }, () => slot.u32())
  const nameOffsets = Array.from({ length: count }, () => slot.u32())
  const found = new Map<string, ExpandoValue>()
  const data = start + values + 4 * count
  for (const [i, type] of types.entries()) {
    slot.at = start + nameOffsets[i]!
    let name = ''
    for (let unit = slot.u16(); unit !== 0; unit = slot.u16()) name += String.fromCharCode(unit)
    slot.at = start + values + 4 * i
    found.set(name, { type, number: slot.u32(), data })
  }
  return found
}

function readNumbered(slot: Cursor, count: number, names: ExpandoNames | undefined): Map<string, ExpandoValue> {
  slot.u32()
  const numbers = Array.from({ length: count }, () => slot.u32())
  const data = slot.at + 4 * count
  const found = new Map<string, ExpandoValue>()
  for (const number of numbers) {
    const value = slot.u32()
    const known = names?.get(number)
    if (known) found.set(known.name, { type: known.type, number: value, data })
  }
  return found
}

/** Finds the dictionaries among the records of a file. */
export function readDictionaries(records: Iterable<StoreRecord>, cursorOf: (record: StoreRecord) => Cursor) {
  const byType = new Map<number, ExpandoNames>()
  for (const record of records) {
    const { type, names } = readDictionary(cursorOf(record))
    byType.set(type, names)
  }
  return byType
}
