/** Anchors of the headings of a page, as GitHub makes them: the same link works there and in the browser's manual. */

/**
 * A function that gives each heading of one page its anchor, in the order of the page: lower case, without
 * punctuation, a hyphen for each space; a repeated heading gets a number.
 */
export function headingAnchors(): (heading: string) => string {
  const taken = new Set<string>()
  return (heading) => {
    const slug = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; taken.has(anchor); count++) anchor = `${slug}-${count}`
    taken.add(anchor)
    return anchor
  }
}
