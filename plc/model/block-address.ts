/**
 * Addresses behind the name of a data block or a DB_ANY: `"Recipes".%DBW4`, `#db.%DBX2.0` (TIA help V19, "Indirect
 * addressing of a data block via DB_ANY data type"). In a path they are the slice of the component: `dbw4`,
 * `dbx2.0`; in SimaticML an `AbsoluteOffset` behind the component.
 */

const types: Readonly<Record<string, readonly [type: string, bits: number]>> = {
  X: ['Bool', 1],
  B: ['Byte', 8],
  W: ['Word', 16],
  D: ['DWord', 32],
  L: ['LWord', 64],
}

export interface BlockAddress {
  /** Bool, Byte, Word, DWord or LWord. */
  readonly type: string
  /** Size in bits. */
  readonly bits: number
  readonly byte: number
  readonly bit?: number
}

/** Reads `dbw4`, `%DBX2.0`; `undefined` for anything else. */
export function readBlockAddress(slice: string): BlockAddress | undefined {
  const [, letter = '', byte, bit] = /^%?DB([XBWDL])(\d{1,7})(?:\.([0-7]))?$/i.exec(slice) ?? []
  const found = types[letter.toUpperCase()]
  if (!found || (bit !== undefined) !== (found[1] === 1)) return undefined
  return { type: found[0], bits: found[1], byte: Number(byte), ...(bit === undefined ? {} : { bit: Number(bit) }) }
}

/** Returns the offset of an address from the beginning of its block, in bits. */
export function bitOffsetOf({ byte, bit = 0 }: BlockAddress): number {
  return byte * 8 + bit
}

/**
 * Returns the slice of an address in bits: `dbw4` of a Word at 32; `undefined` for a type without a letter.
 * @param bitOffset as `bitOffsetOf` gives it
 */
export function blockAddressSlice(type: string, bitOffset: number): string | undefined {
  const [letter, [, bits] = ['', 0]] = Object.entries(types).find(([, [name]]) => name === type) ?? []
  if (letter === undefined || !Number.isInteger(bitOffset) || bitOffset < 0 || (bits > 1 && bitOffset % 8 !== 0))
    return undefined
  return `db${letter.toLowerCase()}${bitOffset >> 3}${bits === 1 ? `.${bitOffset & 7}` : ''}`
}

const partTypes: Readonly<Record<string, string>> = { x: 'Bool', b: 'Byte', w: 'Word', d: 'DWord' }

/** Returns the type of a slice: `x7` is a Bool, `dbw4` a Word. */
export function sliceType(slice: string): string {
  return readBlockAddress(slice)?.type ?? partTypes[slice.charAt(0).toLowerCase()] ?? 'Bool'
}
