/**
 * A line of text in a disk sector of its own, with its checksum: a torn or damaged one is detected and harms no other.
 */
import { crc32 } from 'node:zlib'

/** Bytes of a sector, which a disk writes completely or not at all. */
export const sectorBytes = 512

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

/** @param text one line of Latin-1, at most about 500 characters */
export function sealedSector(text: string): Buffer {
  const sector = Buffer.alloc(sectorBytes, 0x20)
  sector.write(`${text} ${checksumOf(text)}\n`, 'latin1')
  return sector
}

/** The text given to {@link sealedSector}; undefined when the sector contains anything else. */
export function readSealed(sector: Buffer): string | undefined {
  const [, text, checksum] = /^([^\n]*) ([0-9a-f]{8})\n *$/.exec(sector.toString('latin1')) ?? []
  return text !== undefined && checksumOf(text) === checksum ? text : undefined
}
