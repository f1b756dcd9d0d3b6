/** A text per culture, e.g. `{ 'en-US': 'Motor', 'de-DE': 'Motor' }`. */
export type MultilingualText = Readonly<Record<string, string>>
