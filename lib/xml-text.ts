/** Characters of XML: which must be escaped in texts and attributes, and which no document can contain. */

/** Characters that XML 1.0 cannot contain, not even as a reference: controls, lone surrogates, U+FFFE, U+FFFF. */
export const forbidden = /(?![\t\n\r\u007f-\u009f])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu

export const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
  '\n': '&#xA;',
  '\t': '&#x9;',
}

/** Whether `text` contains a character that no XML document can contain. */
export function hasForbiddenCharacters(text: string): boolean {
  forbidden.lastIndex = 0
  return forbidden.test(text)
}

/** Escapes text between tags. Forbidden characters become U+FFFD. */
export function escapeText(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>\r]/g, (char) => entities[char] as string)
}

/**
 * Escapes text in an attribute: line breaks and tabs as references, since parsers turn the plain characters into
 * blanks.
 */
export function escapeAttribute(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"\r\n\t]/g, (char) => entities[char] as string)
}
