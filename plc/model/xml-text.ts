/** Characters of XML: what must be escaped in texts and attributes, what no document can carry. */

/** Characters XML 1.0 cannot hold, not even as a reference: controls, lone surrogates, U+FFFE, U+FFFF. */
export const FORBIDDEN = /(?![\t\n\r\u007f-\u009f])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu

export const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
  '\n': '&#xA;',
  '\t': '&#x9;',
}

/** Whether `text` holds a character that no XML document can carry. */
export function hasForbiddenCharacters(text: string): boolean {
  FORBIDDEN.lastIndex = 0
  return FORBIDDEN.test(text)
}

/** Text between tags. Forbidden characters become U+FFFD. */
export function escapeText(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>\r]/g, (char) => ENTITIES[char] as string)
}

/** Text in an attribute: line breaks and tabs as references, since parsers turn the plain characters into blanks. */
export function escapeAttribute(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"\r\n\t]/g, (char) => ENTITIES[char] as string)
}
