import { problem } from '../../../core/index.ts'
import { fromWindows1252 } from '../../../lib/windows-1252.ts'
import { decodeText } from '../../../plc/model/decode.ts'
import { FormatError } from '../../../plc/model/fault.ts'

/**
 * Decodes a text, with a warning when its encoding was guessed.
 * @throws GatewayError `unacceptable_content` for other content
 */
export async function decodeTable(bytes: Uint8Array): Promise<{ text: string; warnings: string[] }> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03
  if (isZip) throw problem('unacceptable_content', 'The file is a workbook (.xlsx), not a text; import it as xlsx.')
  const { text, warnings } = await decoded(bytes)
  const at = text.indexOf('\u0000')
  if (at >= 0) throw problem('unacceptable_content', `The file is not a text: character ${at + 1} is NUL.`)
  return { text, warnings }
}

async function decoded(bytes: Uint8Array): Promise<{ text: string; warnings: string[] }> {
  try {
    return { text: decodeText(bytes).text, warnings: [] }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const hasMark =
      (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) || bytes[0] === 0xef
    if (hasMark)
      throw problem('unacceptable_content', `The file cannot be decoded: ${error.faults[0]!.message}.`, {
        errors: error.faults.map((fault) => ({ ...fault })),
      })
    const text = fromWindows1252(bytes)
    return { text, warnings: ['the file is not UTF-8; it was read as Windows-1252 (ANSI)'] }
  }
}
