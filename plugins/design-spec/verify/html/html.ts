/** Writes HTML: everything that is put into a template is escaped, unless it is HTML already. */

import { escapeAttribute } from '../../../../lib/xml-text.ts'

/** A piece of HTML. */
export class Html {
  readonly text: string

  /** @param text HTML, not text: use {@link html} for everything that comes from outside */
  constructor(text: string) {
    this.text = text
  }
}

/** What a template takes: text is escaped, pieces are joined. */
export type Content = Html | string | number | readonly Content[]

function written(content: Content): string {
  if (content instanceof Html) return content.text
  if (Array.isArray(content)) return content.map(written).join('')
  return escapeAttribute(String(content))
}

/** A template of HTML. */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Html {
  return new Html(parts.map((part, i) => (i === 0 ? part : written(contents[i - 1]!) + part)).join(''))
}

/** A table with a head; nothing when there are no rows. */
export function table(kind: string, head: readonly Content[], rows: readonly (readonly Content[])[]): Html {
  if (rows.length === 0) return html``
  return html`<table class="${kind}"><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody></table>`
}
