/**
 * Types as bytes: the runtime needs them for a value whose type only the compiler knows (Variant, Serialize, MOVE_BLK
 * …). Four bytes with the length, then JSON. Equal types give equal bytes, so that a program contains one constant for
 * each type.
 */

import { defined } from '../../lib/optional.ts'
import { scalarNamed } from './scalars.ts'
import type { Member, PointerType, Section, Type } from './type.ts'
import { typeName } from './type-name.ts'

type Coded =
  | string
  | { readonly a: readonly (readonly [number | null, number | null])[]; readonly e: Coded }
  | {
      readonly s: readonly (readonly [name: string, type: Coded, section: Section, isJoined?: 1])[]
      readonly n?: string
      readonly i?: 1
    }
  | { readonly t: number; readonly w?: 1 }

function encode(type: Type): Coded {
  switch (type.kind) {
    case 'scalar':
      return type.name
    case 'string':
      return { t: type.length, ...(type.isWide ? { w: 1 as const } : {}) }
    case 'array':
      return {
        a: type.dimensions.map(({ low, high }) => [low ?? null, high ?? null] as const),
        e: encode(type.element),
      }
    case 'struct':
    case 'instance':
      return {
        s: type.members
          .filter(({ overlays }) => overlays === undefined)
          .map(({ name, type: own, section, isJoined }) =>
            isJoined === true ? ([name, encode(own), section, 1] as const) : ([name, encode(own), section] as const),
          ),
        ...defined({ n: type.name }),
        ...(type.kind === 'instance' ? { i: 1 as const } : {}),
      }
    case 'dateAndTime':
      return '?dt'
    case 'pointer':
      return `${pointerCode}${type.form}`
    case 'reference':
      // The name of the target type distinguishes references.
      return `${referenceCode}${typeName(type.target).toLowerCase()}`
    default:
      return '?none'
  }
}

/** Prefix of the form of a Variant, Any or Pointer. */
const pointerCode = '?pointer '

/** Prefix of the name of the type that a reference points to. */
const referenceCode = '?ref '

function decode(code: Coded): Type {
  if (typeof code === 'string') {
    if (code === '?dt') return { kind: 'dateAndTime' }
    if (code.startsWith(pointerCode))
      return { kind: 'pointer', form: code.slice(pointerCode.length) as PointerType['form'] }
    if (code.startsWith(referenceCode))
      return { kind: 'reference', target: { kind: 'unknown', text: code.slice(referenceCode.length) } }
    return scalarNamed(code) ?? { kind: 'unknown', text: code }
  }
  if ('a' in code)
    return {
      kind: 'array',
      dimensions: code.a.map(([low, high]) => ({ low: low ?? undefined, high: high ?? undefined })),
      element: decode(code.e),
    }
  if ('t' in code) return { kind: 'string', isWide: code.w === 1, length: code.t }
  const members = code.s.map(
    ([name, type, section, isJoined]): Member => ({
      name,
      type: decode(type),
      section,
      isRetentive: false,
      comment: '',
      ...(isJoined ? { isJoined: true } : {}),
    }),
  )
  const name = code.n === undefined ? {} : { name: code.n }
  return { kind: 'struct', isSystem: false, members, ...name }
}

/** Encodes a type as bytes. */
export function typeCode(type: Type): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(encode(type)))
  const bytes = new Uint8Array(4 + text.length)
  new DataView(bytes.buffer).setUint32(0, text.length, true)
  bytes.set(text, 4)
  return bytes
}

/**
 * Replaces the length in the type of an `Array[*]`; the number of its dimensions is added
 * (compiler/lower/instructions/regions.ts).
 */
export const openTypeMark = 0xf000_0000

/** Decodes the type whose bytes are at an address. */
export function typeAt(memory: Uint8Array, address: number): Type {
  const length = new DataView(memory.buffer, memory.byteOffset + address, 4).getUint32(0, true)
  const text = new TextDecoder().decode(memory.slice(address + 4, address + 4 + length))
  return decode(JSON.parse(text) as Coded)
}
