/** Finds out what a file is from its content (a name such as `Main.scl` is only a hint and may be wrong). */

import { lex } from '../languages/scl/lexer.ts'
import { lastTrivia, TokenKind, tokenText } from '../languages/scl/tokens.ts'
import { type DecodedText, decodeText } from '../model/decode.ts'
import { Keyword } from '../model/keywords.ts'

export type FileFormat =
  /** SimaticML: `Document` with root objects. */
  | 'simaticml'
  /** Some other XML. */
  | 'xml'
  /** External source of SCL, STL, data blocks or types. */
  | 'source'
  /** SIMATIC SD program text. */
  | 's7dcl'
  /** SIMATIC SD texts. */
  | 's7res'
  | 'unknown'

export interface DetectedFile extends DecodedText {
  readonly format: FileFormat
  /** Names of the root objects of a SimaticML file, in order (`SW.Blocks.FB`). */
  readonly roots: readonly string[]
}

/** How many characters of a source are searched for its first block; header comments can be long. */
const sourceProbe = 262_144

/**
 * Decodes and classifies a file.
 * @throws FormatError code `encoding` when the bytes are no text.
 */
export function detectFile(bytes: Uint8Array): DetectedFile {
  const decoded = decodeText(bytes)
  const { text } = decoded
  const first = text.search(/\S/)
  if (first === -1) return { ...decoded, format: 'unknown', roots: [] }
  if (text[first] === '<') return { ...decoded, ...detectXml(text) }
  if (/^MultiLingualTexts\s*:/.test(text.slice(first, first + 200))) return { ...decoded, format: 's7res', roots: [] }
  return { ...decoded, format: detectSource(text.slice(0, sourceProbe)), roots: [] }
}

const objectTag = /<((?:SW|Hmi)\.[\w.]+)(\s[^<>]*)?>/g

/** Looks at the tags only; the reader checks the file. Objects inside others have a CompositionName, roots do not. */
function detectXml(text: string): { format: FileFormat; roots: string[] } {
  const root = /<([A-Za-z_][\w.:-]*)/.exec(withoutProlog(text))?.[1]
  if (root !== 'Document') return { format: 'xml', roots: [] }
  const roots: string[] = []
  for (const [, name = '', attributes = ''] of text.matchAll(objectTag))
    if (!attributes.includes('CompositionName') || / ID="0"/.test(attributes)) roots.push(name)
  return { format: 'simaticml', roots }
}

/** The text after the XML declaration and leading comments. */
function withoutProlog(text: string): string {
  let at = 0
  for (;;) {
    while (at < text.length && text.charCodeAt(at) <= 32) at++
    const end = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : ''
    if (end === '') return text.slice(at, at + 4096)
    const close = text.indexOf(end, at)
    if (close === -1) return ''
    at = close + end.length
  }
}

const blockKeywords = new Set([
  Keyword.FUNCTION,
  Keyword.FUNCTION_BLOCK,
  Keyword.ORGANIZATION_BLOCK,
  Keyword.DATA_BLOCK,
  Keyword.TYPE,
])

/**
 * A source begins with a block keyword, possibly after pragmas. SIMATIC SD looks similar but writes pragma values in
 * double quotes, closes networks and has the word TYPE on a line of its own (docs/formats.md#simatic-sd). A text that
 * fits both is reported as a source.
 */
function detectSource(text: string): FileFormat {
  const tokens = lex(text)
  let pragma = ''
  for (let i = 0; i < tokens.count; i++) {
    const kind = tokens.kind[i] as number
    if (kind <= lastTrivia) continue
    if (kind === TokenKind.Pragma) {
      pragma += tokenText(tokens, i)
      continue
    }
    if (kind === TokenKind.Identifier && pragma === '' && tokenText(tokens, i).toUpperCase() === 'NAMESPACE') {
      // The block's name, which may have several parts, is on the same line.
      while (i + 1 < tokens.count && tokens.kind[i + 1] !== TokenKind.NewLine) i++
      continue
    }
    if (!blockKeywords.has(tokens.keyword[i] as number)) return 'unknown'
    if (/S7_\w+\s*:=\s*"/.test(pragma)) return 's7dcl'
    if (/\{[^{}]*\bS7_\w+\s*:=\s*"/.test(text.slice(0, 65_536))) return 's7dcl'
    if (
      /^[ \t]*END_NETWORK\b/im.test(text) ||
      /^[ \t]*TYPE[ \t]*\r?\n\s*(?:\{[^{}]*\}\s*)?[^\s:]+[^\n:]*:\s*STRUCT\b/im.test(text)
    )
      return 's7dcl'
    return 'source'
  }
  return 'unknown'
}
