/** A line of text in a disk sector of its own, with its checksum: a torn or damaged one is seen, and hurts no other. */
import { crc32 } from 'node:zlib'

/** Bytes of a sector, which a disk writes whole or not at all. */
export const sectorBytes = 512

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

/** @param text one line of Latin-1, some 500 characters at most */
export function sealedSector(text: string): Buffer {
  const sector = Buffer.alloc(sectorBytes, 0x20)
  sector.write(`${text} ${checksumOf(text)}\n`, 'latin1')
  return sector
}

/** What {@link sealedSector} was given; undefined when the sector holds anything else. */
export function readSealed(sector: Buffer): string | undefined {
  const [, text, checksum] = /^([^\n]*) ([0-9a-f]{8})\n *$/.exec(sector.toString('latin1')) ?? []
  return text !== undefined && checksumOf(text) === checksum ? text : undefined
}
