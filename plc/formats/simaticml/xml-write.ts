/** Builds XML text: escaping and an indented writer. */

import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'

export type XmlAttributes = Readonly<Record<string, string | number | undefined>>

/** Writes elements, one per line, indented by two blanks a level as TIA Portal does. */
export class XmlWriter {
  readonly #lines: string[] = []
  #indent: string

  /** `depth` is the level of the first element in the document the text goes into. */
  constructor(depth = 0) {
    this.#indent = '  '.repeat(depth)
  }

  open(name: string, attributes: XmlAttributes = {}): void {
    this.#lines.push(`${this.#indent}<${name}${attributesText(attributes)}>`)
    this.#indent += '  '
  }

  close(name: string): void {
    this.#indent = this.#indent.slice(2)
    this.#lines.push(`${this.#indent}</${name}>`)
  }

  /** Writes an element that contains only text; without text it is self-closing. */
  leaf(name: string, attributes: XmlAttributes = {}, text = ''): void {
    const start = `${this.#indent}<${name}${attributesText(attributes)}`
    this.#lines.push(text === '' ? `${start} />` : `${start}>${escapeText(text)}</${name}>`)
  }

  /** Writes finished XML as it is. */
  raw(xml: string): void {
    this.#lines.push(this.#indent + xml)
  }

  /** Writes an element around `content`; without content it is self-closing. */
  element(name: string, attributes: XmlAttributes, content: () => void): void {
    const at = this.#lines.length
    this.open(name, attributes)
    content()
    if (this.#lines.length === at + 1) {
      this.#lines.pop()
      this.#indent = this.#indent.slice(2)
      this.leaf(name, attributes)
    } else this.close(name)
  }

  /** Lines joined by LF, without the indentation before the first one. */
  toString(): string {
    return this.#lines.join('\n').trimStart()
  }
}

function attributesText(attributes: XmlAttributes): string {
  let text = ''
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) text += ` ${name}="${escapeAttribute(String(value))}"`
  return text
}
