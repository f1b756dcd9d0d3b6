/** Encodes text as the file was that it goes into. */
import { windows1252CodeOf } from '../../lib/windows-1252.ts'
import type { DecodedText } from './decode.ts'
import { FormatError } from './fault.ts'

/** @throws FormatError code `encoding` for what the code page of the file does not have, or one that is only read */
export function encodeText(text: string, { encoding, hasBom }: Pick<DecodedText, 'encoding' | 'hasBom'>): Uint8Array {
  const whole = hasBom ? `\ufeff${text}` : text
  if (encoding === 'utf-8') return Buffer.from(whole, 'utf8')
  if (encoding === 'utf-16le') return Buffer.from(whole, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(whole, 'utf16le').swap16()
  if (encoding === 'declared') throw notWritten('the file is in an encoding that is only read; save it as UTF-8 first')
  return Uint8Array.from(text, (character) => {
    const code = windows1252CodeOf(character)
    if (code !== undefined) return code
    throw notWritten(`the file is in Windows-1252, which has no "${character}"`)
  })
}

function notWritten(message: string): FormatError {
  return new FormatError([{ code: 'encoding', message, line: 1, column: 1 }])
}
