/** Names of the files of a LevelDB database. */

/** Prefix of the names of the copies of damaged `.log` files, which are beside the database. */
export const keptPrefix = 'damaged-'

/** @param number number of a file of the database */
export function fileName(number: number, kind: 'ldb' | 'log'): string {
  return `${String(number).padStart(6, '0')}.${kind}`
}

/**
 * Name of the table file whose range contains a key; `undefined` when there is none.
 * @param tables LevelDB's property `leveldb.sstables`: one line for each table, with its number, bytes, first and last
 * key
 */
export function tableHolding(key: Buffer, tables: string): string | undefined {
  const line = /^ (\d+):\d+\['(.*)' @ \d+ : \d \.\. '(.*)' @ \d+ : \d\]$/gm
  for (const [, number, low, high] of tables.matchAll(line)) {
    const isInside = bytesOf(low as string).compare(key) <= 0 && bytesOf(high as string).compare(key) >= 0
    if (isInside) return fileName(Number(number), 'ldb')
  }
  return undefined
}

/** Parses a key as LevelDB prints it: bytes other than printable ASCII are `\x` and two hex digits. */
function bytesOf(text: string): Buffer {
  const unescaped = text.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(unescaped, 'latin1')
}
