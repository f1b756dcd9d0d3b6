/**
 * Limits for the unpacked size of the parts of a workbook. The archive is unpacked part by part and packed again
 * without compression, so that a reader cannot unpack more than was counted.
 */
import type { Readable } from 'node:stream'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { isGatewayError, problem } from '../../../core/index.ts'
import { zipEntryFault } from '../../../lib/zip-entries.ts'
import { zipFault } from '../../../lib/zip-faults.ts'

/** 250 000 rows take 110 MB. */
const maxBytes = 128 * 1024 * 1024
const maxEntries = 1000
/** Sheets of equal rows reach 60; a zip bomb has 1000. Checked beyond `ratioFromBytes`. */
const maxRatio = 200
const ratioFromBytes = 16 * 1024 * 1024

/**
 * Returns the archive without compression.
 * @throws GatewayError `unacceptable_content`, `payload_too_large`
 */
export async function boundedArchive(bytes: Uint8Array): Promise<Uint8Array> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (content.length >= 8 && content.readBigUInt64BE(0) === 0xd0cf11e0a1b11ae1n)
    throw unacceptable('it is an .xls file or has a password; save it as .xlsx without one')
  const zip = await fromBufferPromise(content, { lazyEntries: true }).catch(refuse)
  const stored = new ZipFile()
  const parts = new Set<string>()
  let total = 0
  try {
    if (zip.entryCount > maxEntries)
      throw unacceptable(`it has ${zip.entryCount} parts; at most ${maxEntries} are taken`)
    for await (const entry of zip.eachEntry()) {
      const fault = zipEntryFault(entry)
      if (fault !== undefined) throw unacceptable(`its part "${entry.fileName}" ${fault}`)
      if (entry.fileName.endsWith('/')) continue
      // Readers differ in which of two they take.
      if (parts.has(entry.fileName)) throw unacceptable(`it has the part "${entry.fileName}" twice`)
      parts.add(entry.fileName)
      if (entry.uncompressedSize > maxBytes - total) throw tooLarge()
      const chunks: Buffer[] = []
      const stream: Readable = await zip.openReadStreamPromise(entry)
      try {
        for await (const chunk of stream) {
          total += (chunk as Buffer).length
          if (total > maxBytes) throw tooLarge()
          if (total > ratioFromBytes && total > content.length * maxRatio)
            throw unacceptable(
              `its ${content.length} bytes unpack to more than ${maxRatio} times as many: it is taken for a zip bomb`,
            )
          chunks.push(chunk as Buffer)
        }
      } finally {
        stream.destroy()
      }
      stored.addBuffer(Buffer.concat(chunks), entry.fileName, { compress: false, mtime: new Date(0) })
    }
  } catch (error) {
    return refuse(error)
  } finally {
    zip.close()
  }
  requireWorkbook(parts)
  stored.end()
  const packed: Buffer[] = []
  for await (const chunk of stored.outputStream as Readable) packed.push(chunk as Buffer)
  return Buffer.concat(packed)
}

/** Other zip archives are named for what they are: the reader would only miss its parts. */
function requireWorkbook(parts: ReadonlySet<string>): void {
  if (parts.has('[Content_Types].xml')) return
  const other = parts.has('content.xml')
    ? 'an OpenDocument file (.ods); save it as .xlsx'
    : [...parts].some((part) => /(^|\/)System\/PEData\.plf$/i.test(part))
      ? 'an archive of a TIA Portal project'
      : 'a zip archive without the parts of one'
  throw unacceptable(`it is ${other}`)
}

function tooLarge() {
  return problem('payload_too_large', `The workbook unpacks to more than ${maxBytes} bytes; that is the limit.`)
}

function unacceptable(reason: string) {
  return problem('unacceptable_content', `The file is not a workbook (.xlsx) that can be read: ${reason}.`)
}

function refuse(error: unknown): never {
  if (isGatewayError(error)) throw error
  throw unacceptable(zipFault(error))
}
