/**
 * The first characters of a text and `…`, so that what a client sent does not fill a message.
 * @param most characters (UTF-16 units) that are kept; a text that has no more is told whole
 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  // The first half of a pair (Unicode, surrogates) is no character.
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return `${text.slice(0, isHalf ? most - 1 : most)}…`
}
