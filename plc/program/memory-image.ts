/**
 * Start values as bytes: the content of a data block before its program runs. Layout: layout.ts; formats:
 * docs/plc-semantics.md#data-types. Standard access is big-endian with packed bits, optimized access little-endian with
 * a byte for each Bool.
 */
import { defined } from '../../lib/optional.ts'
import type { ConstantValue } from './constants.ts'
import { accessInside, countOf, extentOf, layoutOf, type Offset, strideOf } from './layout.ts'
import { type DateFields, dateFields, literalOf, misfit, scalarValue } from './literals.ts'
import type { Program, ProgramBlock } from './program.ts'
import { memberNamed } from './start-values.ts'
import type { Access, ArrayType, ElementValue, Member, ScalarType, StringType, Type } from './type.ts'
import { parseValueText, type ValueTree } from './value-text.ts'

/** Linking already refuses blocks with larger data. */
const mostBytes = 16_777_216 + 65_536

/**
 * Returns the start values of a data block: those of its type, overwritten by those of its members, overwritten by its
 * own. A value that does not fit its type (linking reports it) keeps the value of the type. A block that is too large
 * gives no bytes.
 */
export function startImage(block: ProgramBlock, _program?: Program): Uint8Array {
  const { type, access } = block
  if (!type) return new Uint8Array(0)
  const { size } = extentOf(type, access)
  if (!(size <= mostBytes)) return new Uint8Array(0)
  const image = defaultImage(type, access).slice()
  const writer = new ImageWriter(image, access)
  for (const { path, value } of block.startValues ?? []) writer.element(type, { byte: 0 }, path, value)
  return image
}

/**
 * Returns the bytes of a single value in memory.
 * @param value as it is written: `5`, `T#5s`, `'abc'`, `[1, 2]`
 * @returns the bytes; a Bool of standard access has the bit 0 of one byte. `undefined`: the text is no value of the
 *   type
 */
export function encodeValue(type: Type, value: string, access: Access): Uint8Array | undefined {
  const { size } = extentOf(type, access)
  if (!(size <= mostBytes)) return undefined
  const image = type.kind === 'scalar' ? new Uint8Array(size) : defaultImage(type, access).slice()
  return new ImageWriter(image, access).text(type, { byte: 0, ...(isBit(type, access) ? { bit: 0 } : {}) }, value)
    ? image
    : undefined
}

function isBit(type: Type, access: Access): boolean {
  return extentOf(type, access).isBit
}

const defaults = { optimized: new WeakMap<object, Uint8Array>(), standard: new WeakMap<object, Uint8Array>() }

/** Returns the default bytes of a type. The bytes are shared: copy them before changing them. */
export function defaultImage(type: Type, access: Access): Uint8Array {
  const known = defaults[access].get(type)
  if (known) return known
  const { size } = extentOf(type, access)
  const image = new Uint8Array(Math.min(size, mostBytes))
  if (size <= mostBytes) new ImageWriter(image, access).defaults(type, { byte: 0 })
  defaults[access].set(type, image)
  return image
}

class ImageWriter {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #access: Access

  constructor(bytes: Uint8Array, access: Access) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#access = access
  }

  get #isLittle(): boolean {
    return this.#access === 'optimized'
  }

  /** Instances of FBs may have another layout than the data around them. */
  #inside(type: Type): ImageWriter {
    const access = accessInside(type, this.#access)
    return access === this.#access ? this : new ImageWriter(this.#bytes, access)
  }

  /** Writes the default value of a type. */
  defaults(type: Type, at: Offset): void {
    switch (type.kind) {
      case 'string':
        this.#string(type, at, '')
        return
      case 'dateAndTime':
        this.#dateAndTime(at, {
          year: 1990,
          month: 1,
          day: 1,
          hour: 0,
          minute: 0,
          second: 0,
          nanosecond: 0,
          weekday: 2,
        })
        return
      case 'struct':
      case 'instance': {
        const inside = this.#inside(type)
        if (inside !== this) {
          inside.defaults(type, at)
          return
        }
        const { offsets } = layoutOf(type.members, this.#access)
        for (const [i, member] of type.members.entries()) this.#member(member, moved(at, offsets[i] ?? { byte: 0 }))
        return
      }
      case 'array':
        this.#arrayDefaults(type, at)
        return
      default:
        return
    }
  }

  #member(member: Member, at: Offset): void {
    // An overlay shares memory that is already written; an in-out that is not a scalar is an address.
    if (member.overlays !== undefined || (member.section === 'InOut' && member.type.kind !== 'scalar')) return
    if (member.type.kind !== 'scalar') this.#bytes.set(defaultImage(member.type, this.#access), at.byte)
    if (member.startValue !== undefined) this.text(member.type, at, member.startValue)
    for (const { path, value } of member.parts ?? []) this.element(member.type, at, path, value)
  }

  #arrayDefaults(type: ArrayType, at: Offset): void {
    if (type.element.kind === 'scalar') return
    const { size } = strideOf(type, this.#access)
    const image = defaultImage(type.element, this.#access)
    if (!image.some((byte) => byte !== 0)) return
    const count = countOf(type)
    for (let i = 0; i < count; i++) this.#bytes.set(image, at.byte + i * size)
  }

  /** Writes a value to the element of a type that the path leads to. */
  element(type: Type, from: Offset, path: ElementValue['path'], value: string): void {
    const inside = this.#inside(type)
    if (inside !== this) {
      inside.element(type, from, path, value)
      return
    }
    let at = from
    let of = type
    for (const [i, step] of path.entries()) {
      if (this.#inside(of) !== this) {
        this.element(of, at, path.slice(i), value)
        return
      }
      if (typeof step === 'string') {
        if (of.kind !== 'struct' && of.kind !== 'instance') return
        const { member, index = 0 } = memberNamed(of.members, step) ?? {}
        if (!member || (member.section === 'InOut' && member.type.kind !== 'scalar')) return
        at = moved(at, layoutOf(of.members, this.#access).offsets[index] ?? { byte: 0 })
        of = member.type
      } else {
        if (of.kind !== 'array') return
        const { dimensions } = of
        let index = 0
        for (const [i, { low = 0, high = 0 }] of dimensions.entries())
          index = index * (high - low + 1) + ((step[i] ?? low) - low)
        at = this.#element(of, at, index)
        of = of.element
      }
    }
    this.text(of, at, value)
  }

  #element(type: ArrayType, at: Offset, index: number): Offset {
    const { size, isBits } = strideOf(type, this.#access)
    if (!isBits) return { byte: at.byte + index * size }
    const bits = (at.bit ?? 0) + index
    return { byte: at.byte + (bits >> 3), bit: bits & 7 }
  }

  /** Writes a value given as program text. Returns false when it is no value of the type, or only in parts. */
  text(type: Type, at: Offset, text: string): boolean {
    const tree = parseValueText(text)
    return tree !== undefined && this.#tree(type, at, tree)
  }

  #tree(type: Type, at: Offset, tree: ValueTree): boolean {
    if (tree.kind === 'one') return this.#one(type, at, tree.text)
    if (tree.kind === 'list') {
      if (tree.items.length === 0) return true
      if (type.kind === 'array') return this.#list(type, at, tree, 0) >= 0
      if (type.kind !== 'struct') return false
      const { offsets } = layoutOf(type.members, this.#access)
      let position = 0
      for (const { count, value } of tree.items)
        for (let i = 0; i < count && position < type.members.length; i++, position++) {
          const member = type.members[position]
          if (!member || !this.#tree(member.type, moved(at, offsets[position] ?? { byte: 0 }), value)) return false
        }
      return true
    }
    if (type.kind !== 'struct' && type.kind !== 'instance') return false
    const inside = this.#inside(type)
    if (inside !== this) return inside.#tree(type, at, tree)
    const { offsets } = layoutOf(type.members, this.#access)
    let isRight = true
    for (const { name, value } of tree.fields) {
      const index = type.members.findIndex((one) => one.name.toLowerCase() === name.toLowerCase())
      const member = type.members[index]
      if (!member || !this.#tree(member.type, moved(at, offsets[index] ?? { byte: 0 }), value)) isRight = false
    }
    return isRight
  }

  /**
   * Writes elements from index `from` on. Returns the next index, or -1 when a value does not fit. An inner list
   * continues the outer one, except where the elements are lists themselves.
   */
  #list(type: ArrayType, at: Offset, tree: Extract<ValueTree, { kind: 'list' }>, from: number): number {
    const count = countOf(type)
    const isElementList = type.element.kind === 'array' || type.element.kind === 'struct'
    let index = from
    for (const item of tree.items)
      for (let i = 0; i < item.count; i++) {
        if (index >= count) return -1
        if (item.value.kind === 'list' && !isElementList) {
          const next = this.#list(type, at, item.value, index)
          if (next < 0) return -1
          // An empty list may be repeated a billion times.
          if (next === index) break
          index = next
        } else {
          if (!this.#tree(type.element, this.#element(type, at, index), item.value)) return -1
          index++
        }
      }
    return index
  }

  #one(type: Type, at: Offset, text: string): boolean {
    const read = literalOf(text)
    if (!('kind' in read) || misfit(read, type) !== undefined) return false
    return this.#constant(type, at, read)
  }

  #constant(type: Type, at: Offset, constant: ConstantValue): boolean {
    switch (type.kind) {
      case 'scalar': {
        const fitting = scalarValue(constant, type)
        if ('fault' in fitting) return false
        this.#scalar(type, at, fitting.value)
        return true
      }
      case 'string': {
        const { value } = constant
        this.#string(type, at, typeof value === 'string' ? value : String.fromCharCode(Number(value)))
        return true
      }
      case 'dateAndTime':
      case 'struct': {
        const parts = typeof constant.value === 'string' ? dateFields(constant.value) : undefined
        if (!parts) return false
        if (type.kind === 'dateAndTime') this.#dateAndTime(at, parts)
        else this.#dtl(at, parts)
        return true
      }
      default:
        return false
    }
  }

  #scalar(type: ScalarType, { byte, bit }: Offset, value: bigint | number): void {
    const view = this.#view
    if (type.bits === 1) {
      const mask = 1 << (bit ?? 0)
      const before = view.getUint8(byte)
      if (bit === undefined) view.setUint8(byte, Number(value))
      else view.setUint8(byte, Number(value) === 0 ? before & ~mask : before | mask)
    } else if (type.family === 'real') {
      if (type.bits === 32) view.setFloat32(byte, Number(value), this.#isLittle)
      else view.setFloat64(byte, Number(value), this.#isLittle)
    } else if (type.bits === 64) view.setBigUint64(byte, BigInt.asUintN(64, BigInt(value)), this.#isLittle)
    else {
      const number = Number(BigInt.asUintN(type.bits, BigInt(value)))
      if (type.bits === 8) view.setUint8(byte, number)
      else if (type.bits === 16) view.setUint16(byte, number, this.#isLittle)
      else view.setUint32(byte, number, this.#isLittle)
    }
  }

  /** Writes a text: maximum length, actual length, characters. */
  #string({ isWide, length }: StringType, { byte }: Offset, text: string): void {
    const room = length < 0 ? 254 : length
    const used = Math.min(room, text.length)
    if (isWide) {
      this.#view.setUint16(byte, room, this.#isLittle)
      this.#view.setUint16(byte + 2, used, this.#isLittle)
      for (let i = 0; i < used; i++) this.#view.setUint16(byte + 4 + 2 * i, text.charCodeAt(i), this.#isLittle)
    } else {
      this.#bytes[byte] = room
      this.#bytes[byte + 1] = used
      for (let i = 0; i < used; i++) this.#bytes[byte + 2 + i] = text.charCodeAt(i) & 0xff
    }
  }

  /** Writes eight bytes of BCD: year, month, day, hour, minute, second, milliseconds in three digits, weekday. */
  #dateAndTime({ byte }: Offset, parts: DateFields): void {
    const milliseconds = Math.floor(parts.nanosecond / 1_000_000)
    const pairs = [
      parts.year % 100,
      parts.month,
      parts.day,
      parts.hour,
      parts.minute,
      parts.second,
      Math.floor(milliseconds / 10),
    ]
    for (const [i, pair] of pairs.entries()) this.#bytes[byte + i] = (Math.floor(pair / 10) << 4) | (pair % 10)
    this.#bytes[byte + 7] = ((milliseconds % 10) << 4) | parts.weekday
  }

  #dtl({ byte }: Offset, parts: DateFields): void {
    this.#view.setUint16(byte, parts.year, this.#isLittle)
    const small = [parts.month, parts.day, parts.weekday, parts.hour, parts.minute, parts.second]
    for (const [i, part] of small.entries()) this.#bytes[byte + 2 + i] = part
    this.#view.setUint32(byte + 8, parts.nanosecond, this.#isLittle)
  }
}

function moved(at: Offset, by: Offset): Offset {
  return { byte: at.byte + by.byte, ...defined({ bit: by.bit }) }
}
