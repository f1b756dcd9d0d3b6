import { type CatalogEntry, deviceKind } from './entry.ts'
import {
  body,
  COLOR,
  channelLeds,
  channelsOf,
  displayKeys,
  modulePorts,
  nameStrip,
  portCount,
  ports,
  serialPort,
  shortName,
  statusLeds,
  switchPorts,
  terminals,
} from './image-parts.ts'
import { type Box, circle, line, rect, text } from './svg.ts'

/** One drawing for each kind of housing. Positions are offsets from the housing's corner, in millimetres. */

/** Draws the front of an entry into a box, as SVG text. */
export type Draw = (entry: CatalogEntry, box: Box) => string

/** S7-1500 CPU: name, LEDs, display with keys, ports behind the lower flap. */
export const drawDisplayCpu: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const screen: Box = { x: x + 8, y: y + 26, width: width - 16, height: 34 }
  const count = portCount(entry)
  const size = count > 3 ? 9 : 11
  const row = count * size + (count - 1) * 2.5
  return [
    body(box),
    nameStrip(entry, { x: x + 3, y: y + 4, width: width - 6, height: 8 }),
    statusLeds(x + 9, y + 19, 8, false),
    rect({ x: x + 4, y: y + 23, width: width - 8, height: 62 }, { rx: 2, fill: COLOR.dark }),
    rect(screen, { rx: 1, fill: COLOR.screen }),
    text(screen.x + 3, screen.y + 9, 4.5, shortName(entry), { fill: '#cfe8ff', maxWidth: screen.width - 6 }),
    text(screen.x + 3, screen.y + 18, 4, 'RUN', { fill: COLOR.green, 'font-weight': 600 }),
    displayKeys(x + width / 2, y + 73),
    rect(
      { x: x + 4, y: y + 90, width: width - 8, height: height - 95 },
      { rx: 1, fill: COLOR.front, stroke: COLOR.edge, 'stroke-width': 0.4 },
    ),
    ports(count, x + (width - row) / 2, y + 98, size),
    text(x + width / 2, y + height - 9, 3.4, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.ink,
      maxWidth: width - 12,
    }),
  ].join('')
}

/** S7-1200 and other wide CPUs: terminals above and below, LEDs at the left, ports at the lower left. */
export const drawCompactCpu: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const count = portCount(entry)
  return [
    body(box),
    terminals({ x: x + 6, y: y + 4, width: width - 12, height: 10 }, 20, 1),
    terminals({ x: x + 6, y: y + height - 14, width: width - 12, height: 10 }, 20, 1),
    rect({ x: x + 4, y: y + 18, width: width - 8, height: height - 36 }, { rx: 1, fill: COLOR.front }),
    nameStrip(entry, { x: x + 4, y: y + 18, width: width - 8, height: 9 }),
    statusLeds(x + 9, y + 34, 5, true),
    rect(
      { x: x + width - 42, y: y + 32, width: 34, height: 22 },
      { rx: 1, fill: COLOR.body, stroke: COLOR.edge, 'stroke-width': 0.5 },
    ),
    ports(count, x + 8, y + height - 36, 10),
    text(x + width - 25, y + height - 22, 3.2, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.ink,
      maxWidth: 38,
    }),
  ].join('')
}

/** S7-300, S7-400 and ET 200S CPUs: LEDs, mode switch, ports or MPI below. */
export const drawClassicCpu: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const count = portCount(entry)
  const dp = /DP/.test(entry.typeName)
  return [
    body(box),
    nameStrip(entry, { x: x + 3, y: y + 4, width: width - 6, height: 8 }),
    statusLeds(x + 8, y + 20, 6, true),
    rect(
      { x: x + width - 22, y: y + 17, width: 15, height: 20 },
      { rx: 1, fill: COLOR.front, stroke: COLOR.edge, 'stroke-width': 0.4 },
    ),
    rect({ x: x + width - 16, y: y + 22, width: 3, height: 8 }, { fill: COLOR.dark }),
    text(x + width - 14.5, y + 41, 2.8, 'RUN STOP MRES', { 'text-anchor': 'middle', fill: COLOR.faint, maxWidth: 17 }),
    rect({ x: x + 4, y: y + 46, width: width - 8, height: height - 50 }, { rx: 1, fill: COLOR.front }),
    dp ? serialPort(x + 8, y + 52) : '',
    ports(count, x + 8, y + 76, 10),
    text(x + width / 2, y + height - 8, 3.2, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.ink,
      maxWidth: width - 12,
    }),
  ].join('')
}

/** ET 200SP CPU and interface module: wide block with the BusAdapter's ports. */
export const drawHeadModule: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const count = portCount(entry)
  return [
    body(box),
    nameStrip(entry, { x: x + 3, y: y + 4, width: width - 6, height: 8 }),
    statusLeds(x + 7, y + 19, 5, true),
    rect(
      { x: x + 4, y: y + height - 36, width: Math.min(width - 8, 44), height: 26 },
      { rx: 1, fill: COLOR.front, stroke: COLOR.edge, 'stroke-width': 0.4 },
    ),
    ports(count, x + 7, y + height - 31, 10),
    text(x + width / 2, y + height - 4, 3.2, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.ink,
      maxWidth: width - 8,
    }),
  ].join('')
}

/** ET 200SP I/O: a narrow module on its base unit. */
export const drawSlimModule: Draw = (entry, box) => {
  const { x, y, width, height } = box
  return [
    body(box),
    nameStrip(entry, { x: x + 1, y: y + 2, width: width - 2, height: 5 }),
    circle(x + 3, y + 10, 0.9, { fill: COLOR.green }),
    channelLeds(entry, { x: x + 2, y: y + 13, width: width - 4, height: 20 }),
    terminals({ x: x + 1.5, y: y + 36, width: width - 3, height: height - 38 }, 2, 8),
  ].join('')
}

/** S7-1200 signal, communication and technology modules and signal boards. */
export const drawTerminalModule: Draw = (entry, box) => {
  const { x, y, width, height } = box
  return [
    body(box),
    terminals({ x: x + 4, y: y + 4, width: width - 8, height: 10 }, 8, 1),
    terminals({ x: x + 4, y: y + height - 14, width: width - 8, height: 10 }, 8, 1),
    rect({ x: x + 3, y: y + 18, width: width - 6, height: height - 36 }, { rx: 1, fill: COLOR.front }),
    nameStrip(entry, { x: x + 3, y: y + 18, width: width - 6, height: 7 }),
    circle(x + 7, y + 30, 1.2, { fill: COLOR.green }),
    channelLeds(entry, { x: x + 12, y: y + 28, width: width - 20, height: 34 }),
    modulePorts(entry, x + 6, y + height - 36),
    text(x + width / 2, y + height - 20, 2.8, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.ink,
      maxWidth: width - 8,
    }),
  ].join('')
}

/** S7-1500, ET 200MP, S7-300 and S7-400 modules: LEDs above, front connector or ports below. */
export const drawModuleFront: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const wired = deviceKind(entry) === 'IO' || entry.kind === 'TM' || entry.kind === 'PS'
  const lower: Box = { x: x + 4, y: y + height * 0.5, width: width - 8, height: height * 0.42 }
  return [
    body(box),
    nameStrip(entry, { x: x + 2, y: y + 4, width: width - 4, height: 7 }),
    circle(x + 6, y + 17, 1.2, { fill: COLOR.green }),
    circle(x + 11, y + 17, 1.2, { fill: COLOR.red }),
    circle(x + 16, y + 17, 1.2, { fill: COLOR.yellow }),
    channelLeds(entry, { x: x + 8, y: y + 23, width: width - 16, height: height * 0.5 - 28 }),
    wired ? terminals(lower, 2, entry.kind === 'PS' ? 4 : 14) : modulePorts(entry, x + 6, lower.y + 4),
    text(x + width / 2, y + height - 4, 2.8, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.ink,
      maxWidth: width - 4,
    }),
  ].join('')
}

export const drawBusAdapter: Draw = (entry, box) =>
  [
    body(box),
    nameStrip(entry, { x: box.x + 2, y: box.y + 3, width: box.width - 4, height: 7 }),
    ports(entry.pnPorts ?? 2, box.x + 8, box.y + 20, 10),
    text(box.x + box.width / 2, box.y + box.height - 4, 2.8, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.ink,
      maxWidth: box.width - 4,
    }),
  ].join('')

/** ET 200eco PN: round M12 sockets, as many as in the name. */
export const drawFieldBlock: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const { inputs, outputs } = channelsOf(entry.typeName)
  const named = /(\d+)xM12/.exec(entry.typeName)?.[1]
  const sockets = Math.min(8, Math.max(4, Number(named ?? inputs + outputs)))
  const round = Array.from({ length: sockets }, (_, i) => {
    const cx = x + width * (i % 2 === 0 ? 0.3 : 0.7)
    const cy = y + 62 + Math.floor(i / 2) * 26
    return (
      circle(cx, cy, 7, { fill: COLOR.metal, stroke: COLOR.edge, 'stroke-width': 0.6 }) +
      circle(cx, cy, 4.5, { fill: COLOR.port })
    )
  })
  return [
    rect(box, { rx: 5, fill: COLOR.dark }),
    nameStrip(entry, { x: x + 4, y: y + 6, width: width - 8, height: 8 }),
    statusLeds(x + 10, y + 20, 7, false),
    circle(x + width * 0.3, y + 36, 6, { fill: COLOR.petrol }),
    circle(x + width * 0.7, y + 36, 6, { fill: COLOR.petrol }),
    ...round,
    text(x + width / 2, y + height - 5, 3.2, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: '#fff',
      maxWidth: width - 8,
    }),
  ].join('')
}

/** HMI panel: screen with a small process picture; function keys below when the name begins with K. */
export const drawPanel: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const keys = /KTP/.test(entry.typeName) ? 8 : 0
  const screen: Box = { x: x + 8, y: y + 9, width: width - 16, height: height - (keys ? 30 : 18) }
  const keyWidth = screen.width / 8
  const keyRow = Array.from({ length: keys }, (_, i) => {
    const kx = screen.x + i * keyWidth + 1
    const ky = y + height - 17
    return (
      rect({ x: kx, y: ky, width: keyWidth - 2, height: 7 }, { rx: 1, fill: COLOR.metal }) +
      text(kx + keyWidth / 2 - 1, ky + 5, 3, `F${i + 1}`, { 'text-anchor': 'middle', fill: COLOR.ink })
    )
  })
  const mid = screen.y + screen.height / 2
  return [
    rect(box, { rx: 3, fill: COLOR.dark, stroke: COLOR.edge, 'stroke-width': 0.6 }),
    text(x + 8, y + 6.5, 3.6, 'SIMATIC HMI', { fill: '#fff', 'font-weight': 600 }),
    rect(screen, { rx: 1, fill: COLOR.screen }),
    rect({ x: screen.x, y: screen.y, width: screen.width, height: 7 }, { fill: COLOR.petrol }),
    text(screen.x + 3, screen.y + 5.2, 4, shortName(entry), { fill: '#fff', maxWidth: screen.width - 6 }),
    rect(
      { x: screen.x + screen.width * 0.12, y: mid - 7, width: screen.width * 0.2, height: 20 },
      { rx: 2, fill: 'none', stroke: '#9fc4e2', 'stroke-width': 0.8 },
    ),
    rect(
      { x: screen.x + screen.width * 0.12, y: mid + 3, width: screen.width * 0.2, height: 10 },
      { rx: 2, fill: '#4a90c8' },
    ),
    line(screen.x + screen.width * 0.32, mid + 8, screen.x + screen.width * 0.7, mid + 8, {
      stroke: '#9fc4e2',
      'stroke-width': 0.8,
    }),
    circle(screen.x + screen.width * 0.75, mid + 8, 5, { fill: 'none', stroke: COLOR.green, 'stroke-width': 1 }),
    ...keyRow,
    text(x + width - 8, y + height - 3, 3, entry.orderNumber, { 'text-anchor': 'end', fill: '#c9ced3' }),
  ].join('')
}

export const drawSwitch: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const count = switchPorts(entry)
  const columns = Math.min(8, Math.ceil(count / 4) * 2)
  const row = columns * 12 - 2.5
  return [
    body(box),
    rect({ x: x + 3, y: y + 3, width: width - 6, height: height - 6 }, { rx: 1.5, fill: COLOR.front }),
    nameStrip(entry, { x: x + 3, y: y + 3, width: width - 6, height: 8 }),
    ...['L1', 'L2', 'F'].map((label, i) => {
      const color = i < 2 ? COLOR.green : COLOR.red
      return (
        circle(x + 9 + i * 10, y + 18, 1.3, { fill: color }) +
        text(x + 11 + i * 10, y + 19, 2.8, label, { fill: COLOR.faint })
      )
    }),
    ports(count, x + (width - row) / 2, y + 27, 9.5, columns),
    terminals({ x: x + 8, y: y + height - 20, width: Math.min(34, width - 16), height: 7 }, 4, 1),
    text(x + width / 2, y + height - 6.5, 3.2, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.ink,
      maxWidth: width - 10,
    }),
  ].join('')
}

/** Drives: housing with vents; control units and compact drives with an operator panel and ports. */
export const drawDrive: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const vents = Array.from({ length: 9 }, (_, i) =>
    line(x + 10, y + 6 + i * 2.4, x + width - 10, y + 6 + i * 2.4, { stroke: COLOR.edge, 'stroke-width': 0.8 }),
  )
  const panel =
    entry.kind === 'drive'
      ? rect({ x: x + 14, y: y + 46, width: width - 28, height: 40 }, { rx: 2, fill: COLOR.dark }) +
        rect({ x: x + 18, y: y + 50, width: width - 36, height: 16 }, { rx: 1, fill: COLOR.screen }) +
        text(x + width / 2, y + 61, 6, '50.0 Hz', { 'text-anchor': 'middle', fill: '#cfe8ff' }) +
        displayKeys(x + width / 2, y + 76)
      : ''
  return [
    body(box),
    ...vents,
    nameStrip(entry, { x: x + 4, y: y + 32, width: width - 8, height: 9 }),
    panel,
    ports(entry.pnPorts ?? 0, x + 14, y + 94, 10),
    terminals({ x: x + 10, y: y + height - 24, width: width - 20, height: 9 }, 6, 1),
    text(x + width / 2, y + height - 7, 3.4, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.ink,
      maxWidth: width - 10,
    }),
  ].join('')
}

export const drawRail: Draw = (entry, box) => {
  const { x, y, width, height } = box
  const holes = [0.06, 0.94].map((share) =>
    circle(x + width * share, y + height / 2, 3, { fill: COLOR.front, stroke: COLOR.edge, 'stroke-width': 0.5 }),
  )
  return [
    rect(box, { rx: 1, fill: COLOR.metal, stroke: COLOR.edge, 'stroke-width': 0.6 }),
    line(x, y + height * 0.25, x + width, y + height * 0.25, { stroke: COLOR.edge, 'stroke-width': 0.6 }),
    line(x, y + height * 0.75, x + width, y + height * 0.75, { stroke: COLOR.edge, 'stroke-width': 0.6 }),
    ...holes,
    text(x + width / 2, y + height / 2 + 1.5, 4.5, entry.typeName, { 'text-anchor': 'middle', fill: COLOR.ink }),
  ].join('')
}
