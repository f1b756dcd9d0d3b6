/** Texts of objects for the search index. */

/** Longest text of one object in the search index: text beyond it is rarely searched and costs memory. */
export const maxSearchText = 50_000

/** Words of a source or an XML without its tags. */
export function plainText(text: string): string {
  const words = text.startsWith('<') ? text.replace(/<[^>]*>/g, ' ') : text
  return words.replace(/\s+/g, ' ').slice(0, maxSearchText)
}
