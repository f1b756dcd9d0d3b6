import { type CatalogEntry, deviceKind, isFailsafe } from './entry.ts'
import { type Box, circle, element, rect, text } from './svg.ts'

/** Parts that several module fronts share: housing, name strip, LEDs, ports, terminals. */

/** Colours of the drawings. */
export const COLOR = {
  body: '#d9dcdf',
  front: '#eef0f2',
  dark: '#3b4249',
  edge: '#8b939b',
  ink: '#1d2329',
  faint: '#6b747d',
  petrol: '#0a7c86',
  failsafe: '#f2c500',
  screen: '#17324a',
  green: '#2fb457',
  red: '#d43a2f',
  yellow: '#e8b400',
  port: '#20262c',
  metal: '#b4bac0',
} as const

/** The housing. */
export function body(box: Box): string {
  return rect(box, { rx: 2, fill: COLOR.body, stroke: COLOR.edge, 'stroke-width': 0.6 })
}

/** The coloured strip with the short name; yellow on failsafe hardware, as on the product. */
export function nameStrip(entry: CatalogEntry, strip: Box): string {
  const safe = isFailsafe(entry)
  // A narrow front has space for the kind only; the caption contains the name.
  const label = strip.width < 20 ? entry.kind : shortName(entry)
  const name = text(strip.x + strip.width / 2, strip.y + strip.height * 0.72, strip.height * 0.62, label, {
    'text-anchor': 'middle',
    'font-weight': 600,
    fill: safe ? COLOR.ink : '#fff',
    maxWidth: strip.width - 2,
  })
  return rect(strip, { fill: safe ? COLOR.failsafe : COLOR.petrol }) + name
}

/** Type name without the family's words. */
export function shortName(entry: CatalogEntry): string {
  return entry.typeName.replace(/^SIPLUS (NET |HMI |ET 200SP |ET 200S |S7-\d+ )?/, '').replace(/^ET200ecoPN[,:] /, '')
}

/** The status LEDs; `gap` in millimetres. */
export function statusLeds(x: number, y: number, gap: number, vertical: boolean): string {
  const leds = [
    { color: COLOR.green, label: 'RUN' },
    { color: COLOR.red, label: 'ERR' },
    { color: COLOR.yellow, label: 'MAINT' },
  ]
  return leds
    .map(({ color, label }, i) => {
      const cx = vertical ? x : x + i * gap
      const cy = vertical ? y + i * gap : y
      const caption = vertical ? text(cx + 2.5, cy + 1, 2.8, label, { fill: COLOR.faint }) : ''
      return circle(cx, cy, 1.3, { fill: color }) + caption
    })
    .join('')
}

/** RJ45 sockets in a row, numbered from P1; `size` is the width of each. */
export function ports(count: number, x: number, y: number, size: number, perRow = count): string {
  return Array.from({ length: count }, (_, i) => {
    const px = x + (i % perRow) * (size + 2.5)
    const py = y + Math.floor(i / perRow) * (size + 4.5)
    return (
      rect(
        { x: px, y: py, width: size, height: size * 0.85 },
        { rx: 0.6, fill: COLOR.port, stroke: COLOR.metal, 'stroke-width': 0.5 },
      ) +
      rect({ x: px + size * 0.3, y: py + size * 0.6, width: size * 0.4, height: size * 0.25 }, { fill: COLOR.metal }) +
      text(px + size / 2, py + size * 0.85 + 2.8, 2.4, `P${i + 1}`, { 'text-anchor': 'middle', fill: COLOR.faint })
    )
  }).join('')
}

/** Screw or push-in terminals. */
export function terminals(box: Box, columns: number, rows: number): string {
  const dx = box.width / columns
  const dy = box.height / rows
  const holes = Array.from({ length: columns * rows }, (_, i) => {
    const cx = box.x + ((i % columns) + 0.5) * dx
    const cy = box.y + (Math.floor(i / columns) + 0.5) * dy
    return circle(cx, cy, Math.min(dx, dy) * 0.28, { fill: COLOR.dark })
  })
  return rect(box, { fill: COLOR.metal }) + holes.join('')
}

/** Number of channels by direction, read from the type name: `DI 16x24VDC/DQ 16xRelay` has 16 inputs and 16 outputs. */
export function channelsOf(typeName: string): { inputs: number; outputs: number } {
  let inputs = 0
  let outputs = 0
  for (const [, before, kind, , after] of typeName.matchAll(
    /(\d+)?\s?(DIQ|DIO|DI|DQ|DO|RQ|AI|AQ|AO)(\s?(\d+)\s?x)?/g,
  )) {
    const count = Number(after ?? before ?? 0)
    if (kind === 'DIQ' || kind === 'DIO' || kind?.endsWith('I')) inputs += count
    else outputs += count
  }
  return { inputs, outputs }
}

/** One LED for each channel, inputs in the first columns, at most 32. */
export function channelLeds(entry: CatalogEntry, box: Box): string {
  const { inputs, outputs } = channelsOf(entry.typeName)
  const total = Math.min(32, inputs + outputs)
  if (total === 0) return ''
  const columns = total > 8 && box.width >= 10 ? 2 : 1
  const rows = Math.ceil(total / columns)
  const dy = Math.min(4, box.height / rows)
  const dx = box.width / columns
  return Array.from({ length: total }, (_, i) => {
    const cx = box.x + (Math.floor(i / rows) + 0.5) * dx
    const cy = box.y + ((i % rows) + 0.5) * dy
    return circle(cx, cy, Math.min(0.9, dy * 0.35), { fill: i < inputs ? COLOR.green : COLOR.yellow })
  }).join('')
}

/** Number of ports to draw on a CPU or head module: as many as known, at least one when the name contains PN. */
export function portCount(entry: CatalogEntry): number {
  return entry.pnPorts ?? (/\bPN\b/.test(entry.typeName) ? 1 : 0)
}

/** The five keys of a display: one at (`cx`, `cy`) and four around it. */
export function displayKeys(cx: number, cy: number): string {
  const key = (dx: number, dy: number) =>
    rect({ x: cx + dx - 2.5, y: cy + dy - 2, width: 5, height: 4 }, { rx: 1, fill: COLOR.metal })
  return [key(0, -5), key(-8, 0), key(8, 0), key(0, 5), circle(cx, cy, 2, { fill: COLOR.metal })].join('')
}

/** Nine-pole D-sub socket (MPI, PROFIBUS DP). */
export function serialPort(x: number, y: number): string {
  const d = `M${x} ${y + 1}q0 -1 1 -1h24q1 0 1 1l-1.5 9q0 1 -1 1h-21q-1 0 -1 -1z`
  return (
    element('path', { d, fill: COLOR.port, stroke: COLOR.metal, 'stroke-width': 0.6 }) +
    text(x + 30, y + 8, 3, 'X1 DP', { fill: COLOR.faint })
  )
}

/** Sockets of a communication or head module: the known PROFINET ports, otherwise a socket of the kind in its name. */
export function modulePorts(entry: CatalogEntry, x: number, y: number): string {
  if (deviceKind(entry) === 'IO' || deviceKind(entry) === 'Technology') return ''
  if (entry.pnPorts) return ports(entry.pnPorts, x, y, 10, 2)
  if (/DP|RS\d|42-5|43-5|PtP/.test(entry.typeName)) return serialPort(x - 2, y)
  return entry.kind === 'CP' || entry.kind === 'Coupler' ? ports(1, x, y, 10) : ''
}

/**
 * Number of ports of a SCALANCE, read from its name: the last two digits of the number are the electrical ports (XC208:
 * 8, X224: 24), `-3` adds further, mostly optical ones (X307-3: 7 + 3, XC216-4C: 16 + 4), `-2BA` has the named ones in
 * two BusAdapters; S615 and SC6xx: the last digit.
 */
export function switchPorts(entry: CatalogEntry): number {
  const name = /\bX[A-Z]*\d(\d\d)(?:-(\d+)(?!BA))?/.exec(entry.typeName)
  if (name) return Math.min(32, Math.max(1, Number(name[1]) + Number(name[2] ?? 0)))
  const security = /\bSC?6\d(\d)/.exec(entry.typeName)
  return security ? Math.max(1, Number(security[1])) : 4
}
