/**
 * Absolute addresses as SimaticML writes them: `%MW10` -> Area Memory, Type Word, BitOffset 80
 * (docs/formats.md#lad-and-fbd-networks).
 */

export interface AbsoluteAddress {
  readonly Area: string
  readonly Type: string
  readonly BlockNumber?: number
  readonly BitOffset: number
}

const areas: Readonly<Record<string, string>> = { I: 'Input', E: 'Input', Q: 'Output', A: 'Output', M: 'Memory' }
const types: Readonly<Record<string, string>> = { '': 'Bool', X: 'Bool', B: 'Byte', W: 'Word', D: 'DWord', L: 'LWord' }

/** Parses `%I0.0`, `%QW4`, `%DB1.DBX0.0`, `%DB5`; `undefined` for anything else. */
export function parseAddress(text: string): AbsoluteAddress | undefined {
  const io = /^%([IQM])([XBWDL]?)(\d{1,7})(?:\.([0-7]))?$/i.exec(text)
  if (io !== null) {
    const width = (io[2] ?? '').toUpperCase()
    const bit = io[4]
    if ((width === '' || width === 'X') !== (bit !== undefined)) return undefined
    const area = areas[(io[1] as string).toUpperCase()] as string
    return { Area: area, Type: types[width] as string, BitOffset: Number(io[3]) * 8 + Number(bit ?? 0) }
  }
  const db = /^%DB(\d{1,5})\.DB([XBWDL])(\d{1,7})(?:\.([0-7]))?$/i.exec(text)
  if (db === null) return undefined
  const width = (db[2] as string).toUpperCase()
  if ((width === 'X') !== (db[4] !== undefined)) return undefined
  return {
    Area: 'DB',
    Type: types[width] as string,
    BlockNumber: Number(db[1]),
    BitOffset: Number(db[3]) * 8 + Number(db[4] ?? 0),
  }
}
