/** Places in a running program: the start of a tag or data block, and a step into a structure or an array. */
import { defined } from '../../../core/index.ts'
import type { DataBlockSymbol, SymbolMember, SymbolType, TypeNumber } from '../../../plc/program/program-symbols.ts'
import { isRetentiveWhole } from '../../../plc/program/symbol-rows.ts'
import type { Access, ScalarType } from '../../../plc/program/type.ts'
import { pathName } from './name-path.ts'
import type { ProgramIndex, Root } from './program-index.ts'
import type { TagArea } from './resolved-tag.ts'

/** A place in the memory of a program. */
export interface Place {
  readonly name: string
  readonly area: TagArea
  readonly block?: DataBlockSymbol
  readonly byte: number
  readonly bit?: number
  readonly access: Access
  readonly isRetentive: boolean
  readonly comment: string
  /** Type of the table, or of a part of a value that is not in the table. */
  readonly of: TypeNumber | ScalarType
}

/** The place of a value whose type is in the table. */
export interface SymbolPlace extends Place {
  readonly of: TypeNumber
}

/** Returns the place of a tag or a data block. */
export function rootPlace(index: ProgramIndex, root: Root): SymbolPlace {
  if (root.kind === 'tag') {
    const { name, area, byte, bit, type, comment } = root.tag
    const isBit = bit !== undefined && isBool(index.type(type))
    return {
      name: pathName(name),
      area,
      byte,
      ...(isBit ? { bit } : {}),
      access: 'standard',
      isRetentive: false,
      comment,
      of: type,
    }
  }
  const { block } = root
  const { name, access, type } = block
  const isRetentive = isRetentiveWhole(block)
  return { name: pathName(name), area: 'DB', block, byte: 0, access, isRetentive, comment: '', of: type }
}

function isBool(type: SymbolType): boolean {
  return type.kind === 'scalar' && type.scalar.bits === 1
}

/** Returns the place of a member in the structure at a place. */
export function memberPlace(
  place: Place,
  type: Extract<SymbolType, { kind: 'struct' }>,
  member: SymbolMember,
): SymbolPlace {
  const { bit: _bit, ...around } = place
  return {
    ...around,
    name: `${place.name}.${pathName(member.name)}`,
    byte: place.byte + member.byte,
    ...defined({ bit: member.bit }),
    access: type.access ?? place.access,
    isRetentive: place.isRetentive || member.isRetentive,
    comment: member.comment === '' ? place.comment : member.comment,
    of: member.type,
  }
}

/**
 * Returns the place of an element in the array at a place.
 * @param name name with the indices
 * @param position index from the first element; the last dimension changes first
 */
export function elementPlace(
  place: Place,
  { stride, isBits, element }: Extract<SymbolType, { kind: 'array' }>,
  name: string,
  position: number,
): SymbolPlace {
  const { bit = 0, ...around } = place
  if (!isBits) return { ...around, name, byte: place.byte + position * stride, of: element }
  const bits = bit + position
  return { ...around, name, byte: place.byte + (bits >> 3), bit: bits & 7, of: element }
}
