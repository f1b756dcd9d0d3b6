/** A text per culture, e.g. `{ 'en-US': 'Motor', 'de-DE': 'Motor' }`. */

export type MultilingualText = Readonly<Record<string, string>>

/** Returns the first text that is not empty. */
export function anyText(text: MultilingualText): string {
  return Object.values(text).find((value) => value !== '') ?? ''
}
