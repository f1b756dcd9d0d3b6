/**
 * Windows-1252, the ANSI of western Windows. Node 20 decodes it as Latin-1: €, dashes and quotation marks become
 * control characters.
 */

/** The characters of 0x80 to 0x9F; five codes have none and stay as they are. */
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const codes: ReadonlyMap<string, number> = new Map([...upper].map((character, i) => [character, 0x80 + i]))

export function fromWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.replace(/[\u0080-\u009f]/g, (character) => upper[character.charCodeAt(0) - 0x80] as string)
}

/** The code of a character; `undefined` when the code page does not have it. */
export function windows1252CodeOf(character: string): number | undefined {
  const code = character.charCodeAt(0)
  return codes.get(character) ?? (code < 0x80 || (code >= 0xa0 && code < 0x100) ? code : undefined)
}
