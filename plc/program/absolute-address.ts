/**
 * Absolute addresses in programs: `%I0.0`, `%MW10`, `DB1.DBX2.3`, `%QB4:P`, `%T5`. German letters (E, A, Z) are
 * accepted too.
 */
import { defined } from '../../lib/optional.ts'
import type { AbsoluteAddress } from './program.ts'

const widths: Readonly<Record<string, number>> = { '': 1, X: 1, B: 8, W: 16, D: 32, L: 64 }
const areas: Readonly<Record<string, AbsoluteAddress['area']>> = {
  I: 'I',
  E: 'I',
  Q: 'Q',
  A: 'Q',
  M: 'M',
  T: 'T',
  C: 'C',
  Z: 'C',
}
const peripheries: Readonly<Record<string, AbsoluteAddress['area']>> = { I: 'PI', Q: 'PQ' }

/** Parses an address; `undefined` when the text is not one. */
export function readAddress(text: string): AbsoluteAddress | undefined {
  const upper = text.trim().toUpperCase().replace(/^%/, '')
  const inBlock = /^DB(\d+)\.DB([XBWDL])(\d+)(?:\.([0-7]))?$/.exec(upper)
  if (inBlock) return sized('DB', inBlock[2] ?? '', inBlock[3], inBlock[4], Number(inBlock[1]))
  const timer = /^([TCZ])(\d+)$/.exec(upper)
  if (timer) return { area: areas[timer[1] ?? ''] ?? 'T', byte: Number(timer[2]), bits: 16 }
  const [, letter = '', width = '', byte, bit, periphery] =
    /^([IEQAM])([XBWDL]?)(\d+)(?:\.([0-7]))?(:P)?$/.exec(upper) ?? []
  const area = areas[letter]
  if (!area) return undefined
  if (periphery === undefined) return sized(area, width, byte, bit)
  const direct = peripheries[area]
  return direct && sized(direct, width, byte, bit)
}

/** A bit number is required for bits, and allowed only for them. */
function sized(
  area: AbsoluteAddress['area'],
  width: string,
  byte: string | undefined,
  bit: string | undefined,
  block?: number,
): AbsoluteAddress | undefined {
  const bits = widths[width]
  if (bits === undefined || (bits === 1) !== (bit !== undefined)) return undefined
  return {
    area,
    byte: Number(byte),
    bits,
    ...(bit === undefined ? {} : { bit: Number(bit) }),
    ...defined({ block }),
  }
}
