/** Says what a file is that a reader of another kind was given: a guess from how it begins, for messages only. */

import { decodeText } from '../model/decode.ts'
import { FormatError } from '../model/fault.ts'
import { detectFile } from './detect.ts'

export type FileKind =
  | 'program'
  | 'hmi'
  | 'hardware'
  | 'gsd'
  | 'workbook'
  | 'old-workbook'
  | 'project'
  | 'zip'
  | 'tag-list'
  | 'json'
  | 'picture'
  | 'design-spec'

/** The kind of a file; `undefined` for one that is not recognised. */
export function kindOfFile(bytes: Uint8Array): FileKind | undefined {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const begins = (mark: string) => content.subarray(0, mark.length / 2).toString('hex') === mark
  if (begins('504b0304')) return kindOfZip(content)
  // PNG, JPEG, GIF.
  if (begins('89504e47') || begins('ffd8ff') || begins('47494638')) return 'picture'
  if (begins('d0cf11e0')) return 'old-workbook'
  return kindOfText(bytes) ?? kindOfStart(content.subarray(0, 4096).toString('latin1'))
}

/** Names of entries stand unpacked in an archive. */
function kindOfZip(content: Buffer): FileKind {
  if (content.includes('System/PEData.plf') || content.includes('System\\PEData.plf')) return 'project'
  return content.includes('xl/workbook.xml') ? 'workbook' : 'zip'
}

function kindOfText(bytes: Uint8Array): FileKind | undefined {
  try {
    const { format, roots } = detectFile(bytes)
    if (format === 'simaticml')
      return roots[0] === undefined ? undefined : roots[0].startsWith('Hmi.') ? 'hmi' : 'program'
    if (format === 'source' || format === 's7dcl' || format === 's7res') return 'program'
    return kindOfStart(decodeText(bytes).text.slice(0, 4096))
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

function kindOfStart(start: string): FileKind | undefined {
  const text = start.replace(/^(\s|<\?[^>]*\?>|<!--[\s\S]*?-->)+/, '')
  if (/^<CAEXFile\b/.test(text)) return 'hardware'
  if (/^<ISO15745Profile\b/.test(text)) return 'gsd'
  if (/^<svg\b/.test(text)) return 'picture'
  if (/^<Tagtables?\b/.test(text)) return 'tag-list'
  if (/^\[(CmTypes|Phases)\]/i.test(text)) return 'design-spec'
  if (/^[{[]/.test(text)) return 'json'
  const [line = ''] = /^[^\r\n]*/.exec(text) ?? []
  const isHeader = /[,;\t]/.test(line) && /\bData ?Type\b|\bLogical ?Address\b/i.test(line)
  return isHeader || /^"[^"]*","[^"]*","|^126,\S/.test(line) ? 'tag-list' : undefined
}
