/** Project files made byte by byte (plc/formats/tia-project/README.md, "Records"), for what no archive has. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { systemType } from '../plc/formats/tia-project/records.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** The lowest byte first. */
const whole = (size: number) => (value: number | bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)))
  return bytes.subarray(0, size)
}
export const u8 = whole(1)
export const u16 = whole(2)
export const u32 = whole(4)
export const u64 = whole(8)
export const bytesOf = (...parts: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))

/** Seven bits a byte, the lowest first. */
export const varint = (value: number): Buffer =>
  value < 128 ? u8(value) : bytesOf(u8((value % 128) + 128), varint(Math.floor(value / 128)))

/** A value behind its length, which counts itself. */
export function sized(value: Buffer | string): Buffer {
  const bytes = bytesOf(value)
  const [short, long] = [varint(bytes.length + 1), varint(bytes.length + 2)]
  return bytesOf(short.length === 1 ? short : long, bytes)
}

/** A text in several languages: LCIDs and texts. */
export function textsValue(texts: readonly (readonly [lcid: number, text: string])[]): Buffer {
  const offsets: number[] = []
  let at = 16 + 6 * texts.length
  for (const [, text] of texts) {
    offsets.push(at)
    at += 4 + Buffer.byteLength(text)
  }
  const rows = texts.map(([, text]) => bytesOf(u32(Buffer.byteLength(text)), text))
  const tables = [...texts.map(([lcid]) => u16(lcid)), ...offsets.map(u32)]
  return sized(bytesOf(u32(0), u32(0), u32(0), u32(texts.length), ...tables, ...rows))
}

/** A value in pages, `undefined` for an empty one: plain (0), packed (1), or in other records (4). */
export function blobValue(
  kind: 0 | 1 | 4,
  total: number,
  pageSize: number,
  pages: readonly (Buffer | undefined)[],
  pageCount = pages.length,
): Buffer {
  const words = Array.from({ length: Math.ceil(pages.length / 32) }, (_, word) =>
    pages.slice(32 * word, 32 * word + 32).reduce((bits, page, i) => bits + (page ? 2 ** i : 0), 0),
  )
  const stored = pages.flatMap((page) => {
    if (!page) return []
    const packed = deflateSync(page)
    return kind === 1 ? [varint(packed.length), packed] : [page]
  })
  return bytesOf(
    ...[u8(kind), u64(total), u32(0), u16(pageSize), u32(pageCount)],
    ...(kind === 4 ? [varint(pages.length), ...pages.map((page) => u32(page ? 1 : 0))] : [varint(words.length)]),
    ...(kind === 4 ? [] : words.map(u32)),
    ...stored,
  )
}

/** A set of attributes: numbers in place, and others by their offset; `undefined` for one that is not there. */
export function slotOf(...values: readonly (Buffer | { readonly at: Buffer | undefined })[]): Buffer {
  const head = values.reduce((size, value) => size + (Buffer.isBuffer(value) ? value.length : 4), 4)
  const fixed: Buffer[] = []
  const behind: Buffer[] = []
  let at = head
  for (const value of values)
    if (Buffer.isBuffer(value)) fixed.push(value)
    else {
      fixed.push(u32(value.at ? at : 0))
      behind.push(value.at ?? Buffer.alloc(0))
      at += value.at?.length ?? 0
    }
  return bytesOf(u32(at), ...fixed, ...behind)
}

/** Relations: number, type and id of the target of each. */
export const relationsOf = (...relations: readonly (readonly [number, number, number | bigint])[]): Buffer =>
  bytesOf(
    ...[u16(4 + 16 * relations.length), u16(relations.length)],
    ...relations.flatMap(([relation, type, id]) => [u32(relation), u32(type), u64(id)]),
  )

/** A record with what is behind its fixed part, and its hash. */
export function recordOf(type: number, id: number | bigint, content: Buffer, { flags = 0, slots = 0 } = {}): Buffer {
  const head = Buffer.alloc(44)
  u32(44 + content.length).copy(head)
  u32(type).copy(head, 4)
  u64(id).copy(head, 8)
  u16(flags).copy(head, 24)
  u8(slots).copy(head, 26)
  const record = bytesOf(head, content)
  return bytesOf(record, sha256(record))
}

/** An object with its slots, `undefined` for one that is not there. */
export function objectOf(
  type: number,
  id: number | bigint,
  slots: readonly (Buffer | undefined)[],
  isDeleted = false,
): Buffer {
  let at = 44 + 4 * slots.length
  const offsets = slots.map((slot) => {
    const offset = slot ? at : 0
    at += slot?.length ?? 0
    return u32(offset)
  })
  const content = bytesOf(...offsets, ...slots.map((slot) => slot ?? Buffer.alloc(0)))
  return recordOf(type, id, content, { flags: isDeleted ? 4 : 0, slots: slots.length })
}

/** Attributes by name whose names are numbers of the dictionary of their type. */
export const numberedSet = (values: readonly (readonly [number, number])[], data: Buffer = Buffer.alloc(0)): Buffer =>
  bytesOf(
    ...[u32(0), u32(0), u32(values.length), u8(2), u8(0), u32(0)],
    ...[...values.map(([name]) => u32(name)), ...values.map(([, value]) => u32(value))],
    data,
  )

/** Attributes by name with their names in them: name, code of the type, number. */
export function namedSet(
  values: readonly (readonly [string, number, number])[],
  data: Buffer = Buffer.alloc(0),
): Buffer {
  const names = values.map(([name]) => Buffer.from(`${name}\0`, 'utf16le'))
  const first = 18 + 8 * values.length
  const offsets = names.map((_, i) => first + names.slice(0, i).reduce((sum, name) => sum + name.length, 0))
  const table = first + names.reduce((sum, name) => sum + name.length, 0)
  return bytesOf(
    ...[u32(0), u32(0), u32(values.length), u8(1), u8(0), u32(table)],
    ...[...values.map(([, type]) => u32(type)), ...offsets.map(u32), ...names, ...values.map(([, , n]) => u32(n))],
    data,
  )
}

/** The names of the attributes of a type: number, name, code of the type of the value. */
export const dictionaryOf = (type: number, names: readonly (readonly [number, string, number])[]): Buffer =>
  recordOf(
    systemType.dictionary,
    type,
    bytesOf(
      ...[u32(0), u32(0), u32(type), u32(names.length), u32(0)],
      ...names.flatMap(([number, name, code]) => [u32(number), varint(Buffer.byteLength(name)), name, u32(code)]),
    ),
  )

/** A record with a type model. */
export function modelOf(xml: string, id = 1): Buffer {
  const packed = deflateSync(Buffer.from(xml))
  return recordOf(systemType.typeModel, id, bytesOf(u32(packed.length), packed))
}

/** The end of a save, at a time in milliseconds since 1970 UTC. */
export function commitOf(id: number, time: number): Buffer {
  const ticks = (BigInt(time) + 62_135_596_800_000n) * 10_000n
  return recordOf(systemType.commit, id, bytesOf(Buffer.alloc(24), u64(ticks)))
}

/** A file of these records. */
export function projectFile(...records: readonly Buffer[]): Buffer {
  const header = bytesOf(u32(0x40), u32(1), Buffer.alloc(57, 7))
  return bytesOf(header, sha256(header), u8(0), ...records)
}
