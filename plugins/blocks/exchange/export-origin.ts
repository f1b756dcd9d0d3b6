/** What exported files contain about their project: its version and the languages of its texts. */

import { extname } from 'node:path'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { decodeText } from '../../../plc/model/decode.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import { isReadable } from '../../program-objects/index.ts'
import type { FilesOrigin, ProjectFiles } from '../../projects/index.ts'

const versionInXml = /<Engineering\s+version\s*=\s*"(V\d+(?:\.[1-9]\d*)?)[^"]*"/
/** A text of a header, and one of a member: `<Culture>de-DE</Culture><Text>…`, `<MultiLanguageText Lang="de-DE">…`. */
const textsInXml =
  /<Culture>([A-Za-z]{2,3}-[\w-]{2,12})<\/Culture>\s*<Text\s*(?:\/>|>([^<]?))|<MultiLanguageText\s+Lang="([A-Za-z]{2,3}-[\w-]{2,12})"\s*(?:\/>|>([^<]?))/g
/** `    de-DE: text` of a `.s7res` file. */
const textsInResources = /^\s+([a-z]{2,3}-[A-Z][\w-]{1,11}):[ \t]*(\S?)/gm

/** Reads all files once. Unreadable ones are reported by the import itself. */
export async function originOf(files: ProjectFiles): Promise<FilesOrigin> {
  const versions = new Map<string, number>()
  /** The number of non-empty texts of each language. */
  const texts = new Map<string, number>()
  let hasObjects = false
  for (const path of files.list().filter((one) => isReadable(one, []))) {
    const extension = extname(path).toLowerCase()
    const text = textOf(await files.read(path))
    if (text === undefined) continue
    if (extension !== '.xml') hasObjects ||= extension !== '.s7res'
    else if (text.includes('<SW.')) hasObjects = true
    else continue
    const version = extension === '.xml' ? versionInXml.exec(text)?.[1] : undefined
    if (version !== undefined) versions.set(version, (versions.get(version) ?? 0) + 1)
    const pattern = extension === '.xml' ? textsInXml : extension === '.s7res' ? textsInResources : undefined
    if (pattern === undefined) continue
    for (const [, header, first, member, firstOfMember] of text.matchAll(pattern)) {
      const culture = (header ?? member) as string
      texts.set(culture, (texts.get(culture) ?? 0) + ((first ?? firstOfMember ?? '') === '' ? 0 : 1))
    }
  }
  const cultures = [...texts].sort(([a, n], [b, m]) => m - n || compareTexts(a, b)).map(([culture]) => culture)
  return { versions, cultures, hasObjects }
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return decodeText(bytes).text
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}
