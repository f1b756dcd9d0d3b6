/** Takes out of an SVG what could run or load something, with sanitize-html and a list of what is allowed. */
import sanitizeHtml from 'sanitize-html'
import { problem } from '../../../core/index.ts'

/** Drawing elements of SVG 1.1. No script, foreignObject, animation of references, style sheets. */
const elements =
  'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath marker pattern mask clipPath linearGradient radialGradient stop filter feGaussianBlur feOffset feBlend feMerge feMergeNode feFlood feComposite feColorMatrix feMorphology feTile image switch'.split(
    ' ',
  )
const references = ['href', 'xlink:href']

/** Levels of elements; sanitize-html looks at all open ones for each. */
const maxDepth = 200

function isDeep(body: string): boolean {
  let depth = 0
  for (const [, end, , empty] of body.matchAll(/<(\/?)([a-z][^\s<>/]*)[^<>]*?(\/?)>/gi)) {
    if (end) depth--
    else if (!empty && ++depth > maxDepth) return true
  }
  return false
}

/**
 * @returns the SVG, and what was left out of it
 * @throws GatewayError `unacceptable_content` when nothing is left to draw
 */
export function cleanSvg(text: string, name: string): { svg: string; warnings: string[] } {
  const gone = new Set<string>()
  const body = text.replace(/<\?xml[^>]*\?>|<!DOCTYPE[^>[]*(\[[^\]]*\])?[^>]*>/gi, '')
  if (isDeep(body))
    throw problem('unacceptable_content', `${name}: elements are nested deeper than ${maxDepth} levels.`)
  const svg = sanitizeHtml(body, {
    allowedTags: elements,
    allowedAttributes: false,
    allowVulnerableTags: false,
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    nonTextTags: ['script', 'style', 'foreignObject', 'iframe', 'handler'],
    allowedSchemes: ['data'],
    allowedSchemesAppliedToAttributes: references,
    allowProtocolRelative: false,
    onOpenTag(tag) {
      if (!elements.includes(tag)) gone.add(`<${tag}>`)
    },
    transformTags: {
      '*': (tagName, attributes) => {
        const kept: Record<string, string> = {}
        for (const [attribute, value] of Object.entries(attributes)) {
          const reason = attributeFault(attribute, value)
          if (reason === undefined) kept[attribute] = value
          else gone.add(reason)
        }
        return { tagName, attribs: kept }
      },
    },
  })
  if (!/<svg[\s>]/.test(svg)) throw problem('unacceptable_content', `${name}: is no SVG that can be shown.`)
  const warnings = gone.size === 0 ? [] : [`${name}: left out of the SVG: ${[...gone].slice(0, 20).join(', ')}.`]
  return { svg, warnings }
}

function attributeFault(name: string, value: string): string | undefined {
  if (/^on/i.test(name)) return `the event handler ${name}`
  const isReference = references.includes(name)
  if (isReference && !/^\s*(#|data:image\/(png|jpeg|gif|webp);base64,)/i.test(value))
    return `the reference ${value.slice(0, 80)}`
  if (!isReference && /url\(\s*['"]?(?!['"]?#)/i.test(value)) return `the reference ${value.slice(0, 80)}`
  if (/javascript:|@import/i.test(value)) return `the attribute ${name}`
  return undefined
}
