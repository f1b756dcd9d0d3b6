/**
 * Decodes the bytes of a file to text. Files come with and without a byte order mark, in UTF-8 or UTF-16
 * (docs/formats.md#document-frame, docs/formats.md#external-sources). Anything that is not valid is a fault with its
 * byte offset; nothing is replaced by replacement characters.
 */

import { fromWindows1252 } from '../../lib/windows-1252.ts'
import { FormatError, LineIndex } from './fault.ts'

/** `declared`: another one, which the XML declaration names. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'declared'

export interface DecodedText {
  /** The text without byte order mark. */
  readonly text: string
  readonly encoding: TextEncoding
  readonly hasBom: boolean
}

/**
 * Decodes by the byte order mark, otherwise as UTF-8. What is neither: XML in the encoding that it declares, and a
 * source as ANSI, as TIA Portal does (docs/formats.md#external-sources): classic sources are encoded so.
 * @throws FormatError code `encoding` naming the byte offset and the offending bytes.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const { encoding, bomLength } = markOf(bytes)
  const body = bytes.subarray(bomLength)
  const hasBom = bomLength > 0
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  let text: string
  try {
    text = decoder.decode(body)
  } catch {
    if (!hasBom && encoding === 'utf-8') {
      const declared = declaredXml(body)
      if (declared !== undefined) return { ...declared, hasBom }
      const ansi = ansiSource(body)
      if (ansi !== undefined) return { text: ansi, encoding: 'windows-1252', hasBom }
    }
    throw new FormatError([encodingFault(body, encoding, bomLength)])
  }
  if (!text.includes('\u0000')) return { text, encoding, hasBom }
  throw new FormatError([zeroFault(text, encoding, bomLength)])
}

/** A zero is in no text of the formats: the file is binary, or a part of it was not written to the disk. */
function zeroFault(text: string, encoding: TextEncoding, bomLength: number) {
  const at = text.indexOf('\u0000')
  const before = text.slice(0, at)
  const offset = bomLength + (encoding === 'utf-8' ? Buffer.byteLength(before) : 2 * before.length)
  const message = `byte ${offset} is zero: this is a binary file and no text`
  return { code: 'encoding' as const, message, offset, ...new LineIndex(before).at(before.length) }
}

/** XML that declares an encoding, in that; `undefined` when it declares none that is known, or is not in it. */
function declaredXml(body: Uint8Array): { text: string; encoding: TextEncoding } | undefined {
  const head = Buffer.from(body.subarray(0, 200)).toString('latin1')
  const [, label] = /^\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head) ?? []
  if (label === undefined) return undefined
  try {
    const decoder = new TextDecoder(label, { fatal: true })
    if (decoder.encoding.startsWith('utf-')) return undefined
    if (decoder.encoding === 'windows-1252') return { text: fromWindows1252(body), encoding: 'windows-1252' }
    return { text: decoder.decode(body), encoding: 'declared' }
  } catch {
    return undefined
  }
}

/**
 * The text of a source in Windows-1252; `undefined` for text without a block, XML, and anything with control
 * characters.
 */
function ansiSource(body: Uint8Array): string | undefined {
  const text = fromWindows1252(body)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/^\s*</.test(text) || /[\u0000-\u0008\u000e-\u001f]/.test(text)) return undefined
  return /^\s*(FUNCTION|FUNCTION_BLOCK|ORGANIZATION_BLOCK|DATA_BLOCK|TYPE)\b/im.test(text) ? text : undefined
}

function markOf(bytes: Uint8Array): { encoding: TextEncoding; bomLength: number } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', bomLength: 3 }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', bomLength: 2 }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', bomLength: 2 }
  // Without a mark, markup in UTF-16 is recognised by the zero byte beside its first ASCII character.
  if (bytes[0] !== 0 && bytes[1] === 0 && bytes.length > 3 && bytes[3] === 0)
    return { encoding: 'utf-16le', bomLength: 0 }
  if (bytes[0] === 0 && bytes[1] !== 0 && bytes.length > 3 && bytes[2] === 0)
    return { encoding: 'utf-16be', bomLength: 0 }
  return { encoding: 'utf-8', bomLength: 0 }
}

function encodingFault(body: Uint8Array, encoding: TextEncoding, bomLength: number) {
  // Projects contain database files with names such as XRef.db.
  const zero = encoding === 'utf-8' ? body.subarray(0, 4096).indexOf(0) : -1
  const at = zero >= 0 ? zero : encoding === 'utf-8' ? invalidUtf8(body) : invalidUtf16(body, encoding === 'utf-16be')
  const before = new TextDecoder(encoding).decode(body.subarray(0, at))
  const position = new LineIndex(before).at(before.length)
  const hex = [...body.subarray(at, at + 4)].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')
  const advice =
    encoding === 'utf-8'
      ? 'save the file as UTF-8, best with a byte order mark (TIA Portal reads sources without one as ANSI)'
      : 'save the file as UTF-8'
  return {
    code: 'encoding' as const,
    message:
      zero >= 0
        ? `byte ${zero + bomLength} is zero: this is a binary file and no text`
        : `byte ${at + bomLength} (${hex}) is not valid ${encoding.toUpperCase()}: ${advice}`,
    offset: at + bomLength,
    ...position,
  }
}

/** Offset of the first byte that does not continue a well-formed UTF-8 text (Unicode standard, table 3-7). */
function invalidUtf8(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const lead = bytes[at] as number
    if (lead < 0x80) {
      at++
      continue
    }
    const length =
      lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
    if (length === 0) return at
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
    const second = bytes[at + 1]
    if (second === undefined || second < low || second > high) return at
    for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return at
    at += length
  }
  return at
}

/** Offset of the first unpaired surrogate, or of an odd last byte. */
function invalidUtf16(bytes: Uint8Array, bigEndian: boolean): number {
  const unit = (at: number): number => {
    const first = bytes[at] ?? 0
    const second = bytes[at + 1] ?? 0
    return bigEndian ? (first << 8) | second : (second << 8) | first
  }
  let at = 0
  for (; at + 1 < bytes.length; at += 2) {
    const code = unit(at)
    if (code < 0xd800 || code > 0xdfff) continue
    if (code > 0xdbff || at + 3 >= bytes.length || (unit(at + 2) & 0xfc00) !== 0xdc00) return at
    at += 2
  }
  return at
}
