/**
 * What is wrong with a zip archive or a workbook, in plain words: yauzl, zlib and hucre say where they looked, or which
 * number they did not expect.
 */

const cutOff = 'it is no zip archive, or it was cut off: its directory, the end of every zip, is missing'
const directory = 'its directory is damaged: it was changed, or not copied whole'
const outOfPlace = 'a file is not where its directory says: the archive was changed, or not copied whole'
const size = 'a file unpacks to another size than its directory says'
const data = 'its packed data are damaged'

/** Patterns of messages of yauzl 3 and zlib, first to last. */
const known: readonly (readonly [RegExp, string])[] = [
  [/end of central dir\w* record signature not found/i, cutOff],
  [/^(expected|invalid) comment length|are there extra bytes/i, 'there are more bytes behind its end'],
  [/multi-?disk|spanned/i, 'it is one part of a split archive'],
  [/encrypt/i, 'it is encrypted'],
  [/local file header|file data overflows/i, outOfPlace],
  [/central directory|zip64|extra field|unexpected EOF/i, directory],
  [/bytes in the stream|create a buffer larger|compressed.*size mismatch|uncompressed size/i, size],
  [/^(invalid|incorrect|unexpected end|too many|unknown|need dictionary|buffer error)/i, data],
]

/** The message of an error that a zip archive caused, without a full stop; one that is not known here is left. */
export function zipFault(error: unknown): string {
  const message = (error as Error).message.replace(/\.+$/, '')
  const [, method] = /^unsupported compression method: (\d+)/.exec(message) ?? []
  if (method !== undefined) return `a file is packed by method ${method}, which is not read`
  const [, path] = /^(?:absolute path|invalid relative path|invalid characters in fileName): (.*)$/.exec(message) ?? []
  if (path !== undefined) return `its entry ${JSON.stringify(path)} has a path that is not allowed`
  const [, part] = /^Invalid XLSX: (?:missing|cannot find) (.*)$/.exec(message) ?? []
  if (part !== undefined) return `its part ${part} is missing`
  return known.find(([pattern]) => pattern.test(message))?.[1] ?? message
}
