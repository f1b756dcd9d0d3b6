/** Parts of SVG pictures: escaped text, lines and boxes. Lengths are in CSS pixels. */

import { escapeAttribute, escapeText } from '../../lib/xml-text.ts'

/** Width of a character of the monospaced font of 11 px (0.6 em, rounded up). */
const charWidth = 6.7
/** Height of a line of text. */
export const lineHeight = 14

/** Width of a text. */
export function textWidth(text: string): number {
  return Math.ceil([...text].length * charWidth)
}

/** Shortens a text to a width, with an ellipsis at its end. */
export function shortened(text: string, width: number): string {
  const room = Math.max(1, Math.floor(width / charWidth))
  const characters = [...text]
  return characters.length <= room ? text : `${characters.slice(0, room - 1).join('')}…`
}

/**
 * Shortens an operand to a width: the end of a path says which member it is, so the ellipsis is before the middle of
 * it.
 */
export function shortenedOperand(text: string, width: number): string {
  const room = Math.max(1, Math.floor(width / charWidth))
  const characters = [...text]
  if (characters.length <= room) return text
  const head = Math.floor((room - 1) * 0.4)
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (room - 1 - head)).join('')}`
}

/** The lines of a text that is broken between words; a word that is longer than a line has one of its own. */
export function wrapped(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && textWidth(`${line} ${word}`) > width) {
      lines.push(line)
      line = ''
    }
    line += `${line === '' ? '' : ' '}${word}`
  }
  return [...lines, line]
}

/** Widest picture: about what a page shows without scrolling, and what is readable in print. */
export const maxWidth = 1000

export interface TextStyle {
  readonly anchor?: 'middle' | 'end'
  readonly className?: string
  /** Whole text, shown by the browser when the pointer is on a shortened one. */
  readonly title?: string
}

/** @param y of the base line */
export function textAt(x: number, y: number, text: string, { anchor, className, title }: TextStyle = {}): string {
  const attributes = `${anchor ? ` text-anchor="${anchor}"` : ''}${className ? ` class="${className}"` : ''}`
  const hint = title !== undefined && title !== text ? `<title>${escapeText(title)}</title>` : ''
  return `<text x="${number(x)}" y="${number(y)}"${attributes}>${hint}${escapeText(text)}</text>`
}

/**
 * A line through points, as `M x y L x y …`.
 * @param flow the pin whose power flow the line shows (`flowName` of power-flow.ts)
 */
export function lineThrough(
  points: readonly (readonly [x: number, y: number])[],
  className = 'wire',
  flow?: string,
): string {
  const d = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${number(x)} ${number(y)}`).join('')
  return `<path class="${className}" d="${d}"${flow === undefined ? '' : ` data-flow="${escapeAttribute(flow)}"`}/>`
}

export function rectangle(x: number, y: number, width: number, height: number, className = 'box'): string {
  return `<rect class="${className}" x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"/>`
}

export function circleAt(x: number, y: number, radius: number, className = 'box'): string {
  return `<circle class="${className}" cx="${number(x)}" cy="${number(y)}" r="${number(radius)}"/>`
}

export function dot(x: number, y: number): string {
  return circleAt(x, y, 2, 'dot')
}

/** At most one decimal. */
function number(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/**
 * The look of all pictures. Colours follow the page: `currentColor` for lines and texts, and custom properties that a
 * page may set. Wires are crisp: where two of them lie on each other they would look bolder.
 */
const style = `text{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:currentColor}
.wire,.box,.symbol,.rail{fill:none;stroke:currentColor;stroke-width:1.2}
.wire{stroke-width:1;shape-rendering:crispEdges}.rail{stroke-width:2.4}.box{fill:var(--box,#f8fafc)}.dot{fill:currentColor}
.name{font-weight:600}.instance,.type{fill:var(--muted,#64748b)}.comment{fill:var(--comment,#15803d)}
.title{font-weight:600;font-size:12px}.mark{fill:var(--mark,#fde68a);fill-opacity:.55;stroke:none}`

/**
 * A whole picture.
 * @param label describes it for people who do not see it
 */
export function picture(width: number, height: number, label: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeAttribute(label)}" width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" color="#0f172a"><style>${style}</style>${content}</svg>`
}
