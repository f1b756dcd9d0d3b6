/** Functions that write SVG text. Lengths are user units; one unit is one millimetre of the front. */

import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'

/** A rectangle in millimetres. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Attributes = Readonly<Record<string, string | number | undefined>>

export function element(name: string, attributes: Attributes, content = ''): string {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escapeAttribute(String(value))}"`)
    .join('')
  return content === '' ? `<${name}${list}/>` : `<${name}${list}>${content}</${name}>`
}

export function rect(box: Box, attributes: Attributes = {}): string {
  return element('rect', { x: box.x, y: box.y, width: box.width, height: box.height, ...attributes })
}

export function circle(cx: number, cy: number, r: number, attributes: Attributes = {}): string {
  return element('circle', { cx, cy, r, ...attributes })
}

export function line(x1: number, y1: number, x2: number, y2: number, attributes: Attributes = {}): string {
  return element('line', { x1, y1, x2, y2, ...attributes })
}

/**
 * Text that is compressed when it would be wider than `maxWidth` (the width of a letter is taken as 0.56 of the size).
 */
export function text(
  x: number,
  y: number,
  size: number,
  content: string,
  attributes: Attributes & { maxWidth?: number } = {},
): string {
  const { maxWidth, ...rest } = attributes
  const squeeze = maxWidth !== undefined && content.length * size * 0.56 > maxWidth
  const fit = squeeze ? { textLength: maxWidth, lengthAdjust: 'spacingAndGlyphs' } : {}
  return element('text', { x, y, 'font-size': size, ...fit, ...rest }, escapeText(content))
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}
