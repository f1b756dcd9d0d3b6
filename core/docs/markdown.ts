/** Pages of the manual as HTML, and their headings with anchors (marked, https://marked.js.org). */

import { Marked, type Tokens } from 'marked'
import { escapeAttribute, escapeText } from '../../lib/xml-text.ts'
import { headingAnchors } from './anchors.ts'

/** A heading of a page and the text below it, up to the next one. */
export interface Passage {
  /** 1 for the title of the page. */
  readonly depth: number
  readonly heading: string
  /** The part of an address behind `#`. */
  readonly anchor: string
  /** Markdown. */
  readonly text: string
}

/** Where a link leads: an address, or undefined for a target that is no page of the manual. */
export type LinkTarget = (href: string) => string | undefined

const plain = new Marked({ gfm: true })

/** Cuts a page at its headings. A `#` in a code block is none. */
export function passagesOf(markdown: string): Passage[] {
  const anchorOf = headingAnchors()
  const passages: Passage[] = []
  let open: { depth: number; heading: string; anchor: string; text: string[] } | undefined
  const end = () => open && passages.push({ ...open, text: open.text.join('').trim() })
  for (const token of plain.lexer(markdown)) {
    if (token.type === 'heading') {
      end()
      const heading = textOf(token.tokens ?? [])
      open = { depth: (token as Tokens.Heading).depth, heading, anchor: anchorOf(heading), text: [] }
    } else open?.text.push(token.raw)
  }
  end()
  return passages
}

/**
 * A page as HTML. HTML in the page is shown as text, so that a page of a plugin can bring no markup of its own; a link
 * that leads nowhere in the manual is text too.
 */
export function htmlOf(markdown: string, target: LinkTarget): string {
  const anchorOf = headingAnchors()
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escapeText(text),
      heading({ tokens, depth }) {
        const anchor = escapeAttribute(anchorOf(textOf(tokens)))
        const mark = depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to this heading">#</a>`
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${mark}</h${depth}>\n`
      },
      code: ({ text, lang }) =>
        `<pre data-lang="${escapeAttribute(lang?.split(/\s/)[0] ?? '')}"><code>${escapeText(text)}</code></pre>\n`,
      table({ header, rows }) {
        const cells = (tag: string, row: typeof header) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = rows.map((row) => cells('td', row)).join('\n')
        return `<div class="table"><table><thead>${cells('th', header)}</thead><tbody>${body}</tbody></table></div>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const address = target(href)
        return address === undefined ? inner : `<a href="${escapeAttribute(address)}">${inner}</a>`
      },
      // Nothing is loaded, also no image.
      image: ({ text }) => escapeText(text),
    },
  })
  return marked.parse(markdown, { async: false })
}

/** The text of inline Markdown without its marks. */
function textOf(tokens: readonly Tokens.Generic[]): string {
  return tokens.map(({ tokens: inner, text }) => (inner ? textOf(inner) : String(text ?? ''))).join('')
}
