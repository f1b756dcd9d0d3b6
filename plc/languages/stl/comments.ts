/** Comments of STL in the form of SimaticML: `LineComment` with its texts (SW.Common_v3.xsd). */

import { escapeText } from '../../../lib/xml-text.ts'
import type { Kept } from '../../model/kept.ts'

/** Returns `// text` as TIA Portal writes it. */
export function lineCommentXml(text: string): string {
  return `<LineComment Inserted="false">${text === '' ? '<Text />' : `<Text>${escapeText(text)}</Text>`}</LineComment>`
}

/** Returns the texts of the comments among what was kept of an element, in order. */
export function keptComments(kept: Kept | undefined): string[] {
  const texts: string[] = []
  for (const { xml } of kept?.elements ?? []) {
    if (!/^<(?:LineComment|Comment)[ >/]/.test(xml)) continue
    const inner = [...xml.matchAll(/<(Text|MultiLanguageText)(?: [^>]*)?>([^<]*)<\/\1>/g)].map(([, , text]) =>
      unescaped(text ?? ''),
    )
    texts.push(inner.join(' '))
  }
  return texts
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Undoes what `escapeText` and `escapeAttribute` do. */
function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|(\w+));/gi, (whole, hex: string | undefined, name: string | undefined) => {
    if (hex === undefined) return characters[name ?? ''] ?? whole
    const code = Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
