/**
 * Converts values of any type between memory and JSON. Scalars: scalar-codec.ts; texts and dates: text-codec.ts. Arrays
 * are JSON arrays, one level per dimension. Structures are objects; a written object contains only the members to
 * change. `DTL` is a text. Members without a value (Variants, references, addresses of InOut parameters) or hidden from
 * programs are left out of an object that is read.
 *
 * Codecs are made once for each type and layout, so reading a value does not examine types.
 */

import { isObject, nearest } from '../../../core/index.ts'
import type { SymbolType } from '../../../plc/program/program-symbols.ts'
import type { Access } from '../../../plc/program/type.ts'
import { bitCodec, type Codec, scalarCodec } from './scalar-codec.ts'
import { dateAndTimeCodec, dtlParts, dtlRange, dtlValue, stringCodec } from './text-codec.ts'
import { type JsonValue, shown, ValueFault } from './value-fault.ts'

/** Returns the codec of a type of the table inside a layout; `isBit` says whether a Bool occupies only a bit. */
export type CodecSource = (type: number, around: Access, isBit: boolean) => Codec

/** Makes the codec of a type in a layout. */
export function codecOf(type: SymbolType, around: Access, isBit: boolean, source: CodecSource): Codec {
  switch (type.kind) {
    case 'scalar':
      return isBit ? bitCodec : scalarCodec(type.scalar, around)
    case 'string':
      return stringCodec(type.string, around)
    case 'dateAndTime':
      return dateAndTimeCodec
    case 'array':
      return arrayCodec(type, around, source)
    case 'struct':
      return structCodec(type, type.access ?? around, source)
    case 'opaque':
      return opaqueCodec(type.text)
  }
}

function opaqueCodec(text: string): Codec {
  return {
    leaves: 0,
    decode: () => null,
    encode(_sink, _at, _bit, value, path) {
      throw new ValueFault(`${text} has no value that can be written`, path, value, 'nothing')
    },
  }
}

// ── Structures ──────────────────────────────────────────────────────────────────────────────────────────────────────

type Structure = Extract<SymbolType, { kind: 'struct' }>

interface Field {
  readonly name: string
  readonly byte: number
  readonly bit: number
  readonly codec: Codec
}

function structCodec(type: Structure, access: Access, source: CodecSource): Codec {
  const fields = type.members
    .filter(({ isHidden }) => !isHidden)
    .map(({ name, byte, bit, type: of }): Field => {
      return { name, byte, bit: bit ?? 0, codec: source(of, access, bit !== undefined) }
    })
  const readable = fields.filter(({ codec }) => codec.leaves > 0)
  const byName = new Map(fields.map((field) => [field.name.toLowerCase(), field]))
  const isDtl = type.name?.toUpperCase() === 'DTL'
  const plain: Codec = {
    leaves: readable.reduce((all, { codec }) => all + codec.leaves, 0),
    decode(view, at) {
      const value: Record<string, JsonValue> = {}
      for (const { name, byte, bit, codec } of readable) put(value, name, codec.decode(view, at + byte, bit))
      return value
    },
    encode(sink, at, _bit, value, path) {
      if (!isObject(value)) {
        const allowed = isDtl ? dtlRange : `an object with members of ${fields.map(({ name }) => name).join(', ')}`
        throw new ValueFault(
          `${shown(value)} is no value of ${type.name ?? 'Struct'} (${allowed})`,
          path,
          value,
          allowed,
        )
      }
      for (const [name, one] of Object.entries(value)) {
        const field = byName.get(name.toLowerCase())
        if (!field) throw unknownMember(type, name, path, fields)
        field.codec.encode(sink, at + field.byte, field.bit, one as JsonValue, `${path}.${field.name}`)
      }
    },
  }
  return isDtl ? dtlCodec(plain) : plain
}

/** Also works for a member named `__proto__`. */
function put(target: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, enumerable: true })
  else target[name] = value
}

function unknownMember(type: Structure, name: string, path: string, fields: readonly Field[]): ValueFault {
  const names = fields.map((field) => field.name)
  const near = nearest(name, names)
  const hint = near === undefined ? '' : ` (did you mean "${near}"?)`
  return new ValueFault(`${type.name ?? 'Struct'} has no member "${name}"${hint}`, path, name, names.join(', '))
}

function dtlCodec(members: Codec): Codec {
  return {
    leaves: 1,
    decode: (view, at, bit) => dtlValue(members.decode(view, at, bit) as Readonly<Record<string, JsonValue>>),
    encode(sink, at, bit, value, path) {
      if (typeof value !== 'string') {
        members.encode(sink, at, bit, value, path)
        return
      }
      const parts = dtlParts(value)
      if (!parts) throw new ValueFault(`${shown(value)} is no value of DTL (${dtlRange})`, path, value, dtlRange)
      members.encode(sink, at, bit, { ...parts }, path)
    },
  }
}

// ── Arrays ──────────────────────────────────────────────────────────────────────────────────────────────────────────

type ArrayOf = Extract<SymbolType, { kind: 'array' }>

function arrayCodec({ dimensions, element, stride, isBits }: ArrayOf, access: Access, source: CodecSource): Codec {
  const codec = source(element, access, isBits)
  const lengths = dimensions.map(({ low, high }) => Math.max(0, high - low + 1))
  const levels = dimensions.map(({ low, high }, i) => ({
    low,
    high,
    length: lengths[i] as number,
    /** Number of elements from one index to the next. */
    step: lengths.slice(i + 1).reduce((all, length) => all * length, 1),
    isLast: i === lengths.length - 1,
  }))
  type Level = (typeof levels)[number]

  const decode = (view: DataView, at: number, bit: number, dimension: number, first: number): JsonValue[] => {
    const { length, step, isLast } = levels[dimension] as Level
    const values: JsonValue[] = new Array(length)
    if (!isLast) for (let i = 0; i < length; i++) values[i] = decode(view, at, bit, dimension + 1, first + i * step)
    else if (isBits)
      for (let i = 0; i < length; i++) {
        const bits = bit + first + i
        values[i] = codec.decode(view, at + (bits >> 3), bits & 7)
      }
    else for (let i = 0; i < length; i++) values[i] = codec.decode(view, at + (first + i) * stride, 0)
    return values
  }

  const encode: (...args: [...Parameters<Codec['encode']>, dimension: number, first: number]) => void = (
    sink,
    at,
    bit,
    value,
    path,
    dimension,
    first,
  ) => {
    const { low, high, length, step, isLast } = levels[dimension] as Level
    if (!Array.isArray(value) || value.length !== length) {
      const allowed = `an array of ${length} elements, ${low} to ${high}`
      const given = Array.isArray(value) ? `An array of ${value.length} elements` : shown(value)
      throw new ValueFault(`${given} does not fit (${allowed})`, path, value, allowed)
    }
    for (const [i, one] of (value as JsonValue[]).entries()) {
      // All indices of one element are in one pair of brackets.
      const way = `${dimension === 0 ? `${path}[` : `${path.slice(0, -1)},`}${low + i}]`
      if (!isLast) encode(sink, at, bit, one, way, dimension + 1, first + i * step)
      else if (isBits) {
        const bits = bit + first + i
        codec.encode(sink, at + (bits >> 3), bits & 7, one, way)
      } else codec.encode(sink, at + (first + i) * stride, 0, one, way)
    }
  }

  return {
    leaves: lengths.reduce((all, length) => all * length, codec.leaves),
    decode: (view, at, bit) => decode(view, at, bit, 0, 0),
    encode: (sink, at, bit, value, path) => encode(sink, at, bit, value, path, 0, 0),
  }
}
