/** Addresses of tags in bits. */
import type { TagEntry } from '../model/object.ts'
import { parseOperand } from '../model/operand-reader.ts'

/** Memory of a tag: area `I`, `Q` or `M`, its first bit and its size in bits. */
export interface TagBits {
  readonly area: 'I' | 'Q' | 'M'
  readonly first: number
  readonly bits: number
}

const areas: Readonly<Record<string, TagBits['area']>> = { Input: 'I', Output: 'Q', Memory: 'M' }

const widths: Readonly<Record<string, number>> = {
  bool: 1,
  byte: 8,
  char: 8,
  sint: 8,
  usint: 8,
  word: 16,
  int: 16,
  uint: 16,
  wchar: 16,
  date: 16,
  s5time: 16,
  dword: 32,
  dint: 32,
  udint: 32,
  real: 32,
  time: 32,
  time_of_day: 32,
  tod: 32,
  lword: 64,
  lint: 64,
  ulint: 64,
  lreal: 64,
  ltime: 64,
  ldt: 64,
  ltime_of_day: 64,
}

/** Size of an elementary type in bits; `undefined` for others. */
export function widthOf(dataType: string): number | undefined {
  return widths[dataType.toLowerCase()]
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
