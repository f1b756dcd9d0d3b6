/** Names of the files of a LevelDB. */

/** Names of the copies of damaged `.log` files begin so; they are beside the database. */
export const keptPrefix = 'damaged-'

/** @param number of a file of the database */
export function fileName(number: number, kind: 'ldb' | 'log'): string {
  return `${String(number).padStart(6, '0')}.${kind}`
}

/**
 * Name of the table file that holds a key; `undefined` when none does.
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

/** A key as LevelDB prints it: bytes that are no printable ASCII are written as `\x` and two hex digits. */
function bytesOf(text: string): Buffer {
  const unescaped = text.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(unescaped, 'latin1')
}
