/**
 * CRC-32C (Castagnoli), as LevelDB stores it (util/crc32c.h). Node has only CRC-32, and a native module would need a
 * C++ runtime that Windows does not bring. 200 MB/s; a start reads at most one `.log` file of 4 MiB and the manifest.
 */

/** What each byte does to the remainder; the polynomial of RFC 3720, 12.1, reflected. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0x82f6_3b78 : rest >>> 1
  return rest
})

/**
 * The checksum of bytes, unsigned.
 * @param before checksum of the bytes before them
 */
export function crc32c(bytes: Uint8Array, before = 0): number {
  let rest = ~before
  for (const byte of bytes) rest = (table[(rest ^ byte) & 0xff] as number) ^ (rest >>> 8)
  return ~rest >>> 0
}
