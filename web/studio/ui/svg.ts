/** A drawing of the gateway as an element of the page: parsed, without styles and programs of its own. */
export function svgElement(text: string): SVGElement | undefined {
  // The page's policy forbids it, and its own styles have the same classes.
  const withoutStyle = text.replace(/<style>[^<]*<\/style>/g, '')
  const root = new DOMParser().parseFromString(withoutStyle, 'image/svg+xml').documentElement
  if (root.localName !== 'svg') return undefined
  for (const one of root.querySelectorAll('style, script, foreignObject, image')) one.remove()
  root.removeAttribute('color')
  root.setAttribute('class', 'drawing')
  // Its name is `svg`, as was checked.
  return document.importNode(root, true) as unknown as SVGElement
}
