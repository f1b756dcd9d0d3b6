/** A text per culture, e.g. `{ 'en-US': 'Motor', 'de-DE': 'Motor' }`. */

export type MultilingualText = Readonly<Record<string, string>>

/** Returns the first text that is not empty. */
export function anyText(text: MultilingualText): string {
  return Object.values(text).find((value) => value !== '') ?? ''
}

/** The text in a culture, e.g. `en-US`; where it is missing or empty, {@link anyText}. */
export function textIn(text: MultilingualText, culture: string | undefined): string {
  return (culture === undefined ? undefined : text[culture]) || anyText(text)
}
