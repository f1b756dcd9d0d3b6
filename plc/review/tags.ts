/** Addresses of tags in bits. */
import type { TagEntry } from '../model/object.ts'
import { parseOperand } from '../model/operand-reader.ts'
import { scalarNamed } from '../program/scalars.ts'

/** Memory of a tag: area `I`, `Q` or `M`, its first bit and its size in bits. */
export interface TagBits {
  readonly area: 'I' | 'Q' | 'M'
  readonly first: number
  readonly bits: number
}

const areas: Readonly<Record<string, TagBits['area']>> = { Input: 'I', Output: 'Q', Memory: 'M' }

/** Size of an elementary type in bits; `undefined` for others. */
export function widthOf(dataType: string): number | undefined {
  return scalarNamed(dataType)?.bits
}

/** Memory of a tag; `undefined` without address, for timers and counters, and for types of unknown size. */
export function bitsOfTag({
  logicalAddress,
  dataType,
}: Pick<TagEntry, 'logicalAddress' | 'dataType'>): TagBits | undefined {
  const operand = logicalAddress === '' ? undefined : parseOperand(logicalAddress)
  if (operand?.kind !== 'address' || operand.bitOffset === undefined) return undefined
  const [area, bits] = [areas[operand.area], widthOf(dataType)]
  return area === undefined || bits === undefined ? undefined : { area, first: operand.bitOffset, bits }
}
