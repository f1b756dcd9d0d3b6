/** Encodes text as the file was that it goes into. */
import { windows1252CodeOf } from '../../lib/windows-1252.ts'
import type { DecodedText } from './decode.ts'
import { FormatError } from './fault.ts'

/** @throws FormatError code `encoding` for a character that the code page of the file does not have */
export function encodeText(text: string, { encoding, hasBom }: Pick<DecodedText, 'encoding' | 'hasBom'>): Uint8Array {
  const whole = hasBom ? `\ufeff${text}` : text
  if (encoding === 'utf-8') return Buffer.from(whole, 'utf8')
  if (encoding === 'utf-16le') return Buffer.from(whole, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(whole, 'utf16le').swap16()
  return Uint8Array.from(text, (character) => {
    const code = windows1252CodeOf(character)
    if (code !== undefined) return code
    throw new FormatError([
      { code: 'encoding', message: `the file is in Windows-1252, which has no "${character}"`, line: 1, column: 1 },
    ])
  })
}
