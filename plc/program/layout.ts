/**
 * Places of the parts of a value. Standard access: members follow in the order of declaration, bits are packed,
 * everything of 16 bits and more is on an even byte, and structures and arrays begin and end on even bytes, so that
 * absolute addresses are those of a real controller (docs/plc-semantics.md#layout-of-standard-access). Of optimized
 * access only the size can be seen from outside: here each member is aligned to its size and a Bool takes a byte.
 */
import type { Access, ArrayType, InstanceType, Member, ScalarType, StructType, Type } from './type.ts'

/** A place in a structure: the byte, and the bit in it for a Bool of standard access. */
export interface Offset {
  readonly byte: number
  readonly bit?: number
}

/** Size in bytes; `bits` is 1 for a Bool of standard access, which takes one bit only. */
export interface Extent {
  readonly size: number
  readonly align: number
  readonly isBit: boolean
}

/**
 * Bytes that this compiler uses for a Variant, Any or Pointer in optimized memory: address, type number, count,
 * reserved.
 */
const pointerSize = 16

/** Layout of a structure or an instance. */
export interface StructLayout extends Extent {
  /** In the order of the members; an overlay (`AT`) has the offset of what it overlays. */
  readonly offsets: readonly Offset[]
}

const extents = { optimized: new WeakMap<object, Extent>(), standard: new WeakMap<object, Extent>() }

/** Size and alignment of a value of the type. */
export function extentOf(type: Type, access: Access): Extent {
  if (type.kind === 'struct' || type.kind === 'instance') return extentOfMembers(type, access)
  const known = extents[access].get(type)
  if (known) return known
  const extent = extentOfOne(type, access)
  extents[access].set(type, extent)
  return extent
}

/** The access of the inside of a value: an instance of an FB has the access of its block. */
export function accessInside(type: Type, around: Access): Access {
  return type.kind === 'instance' ? (type.access ?? around) : around
}

/** In standard surroundings everything larger than a byte begins and ends on even bytes. */
function extentOfMembers(type: StructType | InstanceType, around: Access): Extent {
  const access = accessInside(type, around)
  const { size, align, isBit } = layoutOf(type.members, access)
  if (access === around) return { size, align, isBit }
  return around === 'standard' ? bytes(roundUp(size, 2), 2) : bytes(size, align)
}

function bytes(size: number, align: number): Extent {
  return { size, align, isBit: false }
}

function extentOfOne(type: Exclude<Type, { kind: 'struct' | 'instance' }>, access: Access): Extent {
  const isStandard = access === 'standard'
  switch (type.kind) {
    case 'scalar':
      return scalarExtent(type, isStandard)
    case 'string': {
      const characters = type.length < 0 ? 254 : type.length
      return type.isWide ? bytes(2 * characters + 4, 2) : bytes(characters + 2, isStandard ? 2 : 1)
    }
    case 'dateAndTime':
      return bytes(8, isStandard ? 2 : 1)
    case 'array':
      return arrayExtent(type, access)
    case 'reference':
      return bytes(4, 4)
    case 'pointer':
      if (isStandard && type.form !== 'Variant') return bytes(type.form === 'Any' ? 10 : 6, 2)
      return bytes(pointerSize, 4)
    case 'void':
    case 'unknown':
      return bytes(0, 1)
  }
}

function scalarExtent({ bits }: ScalarType, isStandard: boolean): Extent {
  if (bits === 1) return isStandard ? { size: 1, align: 1, isBit: true } : bytes(1, 1)
  const size = bits / 8
  return bytes(size, isStandard ? Math.min(size, 2) : size)
}

/** The number of elements over all dimensions. */
export function countOf({ dimensions }: ArrayType): number {
  let count = 1
  for (const { low, high } of dimensions)
    count *= low === undefined || high === undefined ? 0 : Math.max(0, high - low + 1)
  return count
}

/**
 * The distance between elements of the innermost dimension: in bits for an array of Bool in standard access, else in
 * bytes.
 */
export function strideOf({ element }: ArrayType, access: Access): { readonly size: number; readonly isBits: boolean } {
  const extent = extentOf(element, access)
  if (extent.isBit) return { size: 1, isBits: true }
  return { size: roundUp(extent.size, extent.align), isBits: false }
}

function arrayExtent(type: ArrayType, access: Access): Extent {
  const { size, isBits } = strideOf(type, access)
  const count = countOf(type)
  const isStandard = access === 'standard'
  const all = isBits ? Math.ceil(count / 8) : count * size
  if (isStandard) return bytes(roundUp(all, 2), 2)
  return bytes(all, extentOf(type.element, access).align)
}

const layouts = { optimized: new WeakMap<object, StructLayout>(), standard: new WeakMap<object, StructLayout>() }

/** Returns the layout of members that follow one another; an overlay (`AT`) takes no place of its own. */
export function layoutOf(members: readonly Member[], access: Access): StructLayout {
  const known = layouts[access].get(members)
  if (known) return known
  const layout = access === 'standard' ? standardLayout(members) : optimizedLayout(members)
  layouts[access].set(members, layout)
  return layout
}

function standardLayout(members: readonly Member[]): StructLayout {
  const offsets: Offset[] = []
  const places = new Map<string, Offset>()
  let byte = 0
  let bit = 0
  let section = members[0]?.section
  for (const member of members) {
    const overlaid = overlayPlace(member, places)
    if (overlaid) {
      offsets.push(overlaid)
      continue
    }
    // Each section of an interface begins on an even byte.
    if (member.section !== section && !member.isJoined) {
      section = member.section
      byte = roundUp(bit > 0 ? byte + 1 : byte, 2)
      bit = 0
    }
    const extent = memberExtent(member, 'standard')
    let offset: Offset
    if (extent.isBit) {
      offset = { byte, bit }
      bit++
      if (bit === 8) {
        bit = 0
        byte++
      }
    } else {
      if (bit > 0) {
        bit = 0
        byte++
      }
      byte = roundUp(byte, extent.align)
      offset = { byte }
      byte += extent.size
    }
    offsets.push(offset)
    places.set(member.name.toLowerCase(), offset)
  }
  if (bit > 0) byte++
  return { size: roundUp(byte, 2), align: 2, isBit: false, offsets }
}

function optimizedLayout(members: readonly Member[]): StructLayout {
  const offsets: Offset[] = []
  const places = new Map<string, Offset>()
  let byte = 0
  let align = 1
  for (const member of members) {
    const overlaid = overlayPlace(member, places)
    if (overlaid) {
      offsets.push(overlaid)
      continue
    }
    const extent = memberExtent(member, 'optimized')
    byte = roundUp(byte, extent.align)
    align = Math.max(align, extent.align)
    const offset = { byte }
    byte += extent.size
    offsets.push(offset)
    places.set(member.name.toLowerCase(), offset)
  }
  return { size: roundUp(byte, align), align, isBit: false, offsets }
}

/**
 * The extent of a member in an instance: for an in-out that is not a scalar, the instance stores the address of the
 * caller's value.
 */
function memberExtent({ section, type }: Member, access: Access): Extent {
  if (section !== 'InOut' || type.kind === 'scalar') return extentOf(type, access)
  return access === 'standard' ? bytes(6, 2) : bytes(pointerSize, 4)
}

function overlayPlace({ overlays }: Member, places: ReadonlyMap<string, Offset>): Offset | undefined {
  return overlays === undefined ? undefined : places.get(overlays.toLowerCase())
}

function roundUp(value: number, to: number): number {
  return Math.ceil(value / to) * to
}
