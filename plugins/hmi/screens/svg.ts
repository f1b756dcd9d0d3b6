/** A screen as a drawing: what it shows before any value has come. */

import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'
import type { PropertyValue } from '../../../plc/formats/hmi/model.ts'
import type { ModelItem, ModelScreen } from '../station-model.ts'

/** SVG 1.1 of a screen, in the first of the cultures that a text has. */
export function svgOf(
  screen: ModelScreen,
  cultures: readonly string[],
  graphics: Readonly<Record<string, string>>,
): string {
  const { width, height, backColor } = screen
  const lines = screen.items.map((item) => `  ${drawing(item, cultures, graphics)}`)
  const title = `  <title>${escapeText(screen.name)}</title>`
  const ground = `  <rect width="${width}" height="${height}" fill="${escapeAttribute(colourOf(backColor, '#fff'))}"/>`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`
  return [head, title, ground, ...lines, '</svg>', ''].join('\n')
}

/** `r, g, b` and names as SVG takes them. */
function colourOf(value: PropertyValue | undefined, fallback: string): string {
  if (typeof value !== 'string' || value === '') return fallback
  const rgb = /^(\d{1,3}), ?(\d{1,3}), ?(\d{1,3})$/.exec(value)
  return rgb === null ? value : `rgb(${rgb[1]},${rgb[2]},${rgb[3]})`
}

function drawing(item: ModelItem, cultures: readonly string[], graphics: Readonly<Record<string, string>>): string {
  const { type, left, top, width, height, properties, texts, links, name } = item
  const isFilled = properties.backFillStyle !== 'Transparent'
  const fill = isFilled ? colourOf(properties.backColor, '#d9d9d9') : 'none'
  const stroke = colourOf(properties.borderColor, '#333333')
  const line = Number(properties.borderWidth ?? 1)
  const paint = attributes({ fill, stroke, 'stroke-width': line })
  const box = attributes({ x: left, y: top, width, height })
  const label = `<title>${escapeText(name)}</title>`
  switch (type) {
    case 'Circle':
    case 'Ellipse': {
      const [cx, cy, rx, ry] = [left + width / 2, top + height / 2, width / 2, height / 2]
      return `<ellipse${attributes({ cx, cy, rx, ry })}${paint}>${label}</ellipse>`
    }
    case 'Line':
      return `<line${attributes({ x1: left, y1: top, x2: left + width, y2: top + height, stroke, 'stroke-width': line || 1 })}>${label}</line>`
    case 'Polyline':
    case 'Polygon': {
      const points = String(properties.points ?? '')
      const tag = type === 'Polygon' ? 'polygon' : 'polyline'
      const inner = type === 'Polygon' ? paint : attributes({ fill: 'none', stroke, 'stroke-width': line || 1 })
      return `<${tag}${attributes({ points, transform: `translate(${left} ${top})` })}${inner}>${label}</${tag}>`
    }
    case 'GraphicView': {
      const image = graphics[String(links.picture ?? links.graphic ?? '').toLowerCase()]
      if (image === undefined) return `<rect${box}${paint}>${label}</rect>`
      return `<image${box}${attributes({ href: image })}>${label}</image>`
    }
    case 'FaceplateInstance': {
      const inner = (item.items ?? []).map((one) => drawing(one, cultures, graphics)).join('')
      const view = `0 0 ${item.innerWidth ?? width} ${item.innerHeight ?? height}`
      return `<svg${box}${attributes({ viewBox: view })}>${label}${inner}</svg>`
    }
    default: {
      const shown = texts.text ?? texts.textOff ?? {}
      const text =
        cultures.map((culture) => shown[culture]).find((one) => one !== undefined) ?? Object.values(shown)[0] ?? ''
      const size = Number(properties.fontSize ?? 14)
      const ink = colourOf(properties.foreColor, '#000000')
      const place = attributes({ x: left + width / 2, y: top + height / 2, fill: ink, 'font-size': size })
      const middle = attributes({
        'text-anchor': 'middle',
        'dominant-baseline': 'central',
        'font-family': 'sans-serif',
      })
      return `<g>${label}<rect${box}${paint}/><text${place}${middle}>${escapeText(text)}</text></g>`
    }
  }
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('')
}
