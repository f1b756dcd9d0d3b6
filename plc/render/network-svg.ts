/** Draws a LAD or FBD network as SVG. */
import type { LogicNetwork } from '../model/logic-network.ts'
import { drawBox, pinOffset } from './box-shapes.ts'
import { flowName, graphOf, type Pin } from './network-graph.ts'
import { type Layout, layoutOf, type Placed } from './network-layout.ts'
import { drawnWires, inRows, type Row, rowsOf, type Wire, widthOf } from './network-rows.ts'
import { dot, lineHeight, lineThrough, picture, textAt, textWidth } from './svg.ts'

export interface NetworkHead {
  readonly number?: number
  readonly title?: string
  readonly comment?: string
  /** `LAD` or `FBD`. */
  readonly language: string
  /** Classes of boxes by the UId of their node; a box with a class has a `rect.mark` behind it. */
  readonly marks?: ReadonlyMap<number, string>
}

/**
 * A network as a picture. Each box is a group with `data-uid`, the UId of its node; each line
 * that carries power flow has `data-flow`, the name of its pin (`flowName`) or `rail`.
 * Colours follow the page (`currentColor`).
 */
export function networkPicture(network: LogicNetwork, head: NetworkHead): string {
  const { language } = head
  const titles = headLines(head, network)
  const top = titles.length * lineHeight + (titles.length > 0 ? 10 : 4)
  const layout = layoutOf(graphOf(network), language, top)
  const wires = wiresOf(layout, language)
  const rows = rowsOf(layout, wires)
  const [first, last] = [rows[0], rows.at(-1)] as [Row, Row]
  const width = Math.max(widthOf(rows, layout.width), ...titles.map(({ text }) => textWidth(text) * 1.1 + 20))
  const content = [
    ...titles.map(({ text, className }, i) => textAt(10, (i + 1) * lineHeight, text, { className })),
    ...(language === 'LAD'
      ? [
          lineThrough(
            [
              [layout.railX, top],
              [layout.railX, first.bottom + 6],
            ],
            'rail',
          ),
        ]
      : []),
    ...drawnWires(rows, wires, dot),
    ...[...layout.boxes.values()].map((placed) => {
      const [x, y] = inRows(rows, placed)
      return drawBox(placed.box, placed.shape, x, y, head.marks?.get(placed.box.node.uId))
    }),
  ]
  const label = `Network ${head.number ?? ''} in ${language}${head.title ? `: ${head.title}` : ''}`
  return picture(width, last.bottom + 14, label, content.join(''))
}

/** Title, comment and jump labels above the network. */
function headLines({ number, title, comment }: NetworkHead, { labels }: LogicNetwork) {
  const first = [number === undefined ? '' : `Network ${number}`, title ?? ''].filter((text) => text !== '').join(': ')
  return [
    ...(first === '' ? [] : [{ text: first, className: 'title' }]),
    ...(comment ?? '')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map((text) => ({ text, className: 'comment' })),
    ...labels.map(({ name }) => ({ text: `${name}:`, className: 'name' })),
  ]
}

function wiresOf({ boxes, railX }: Layout, language: string): Wire[] {
  const found: Wire[] = []
  for (const target of boxes.values())
    for (const pin of target.box.inputs) {
      const y = target.y + pinOffset(target.box, pin, target.shape.kind)
      const x = target.x
      for (const source of pin.sources) {
        if (source !== 'rail') found.push(wire(boxes.get(source.box) as Placed, source.pin, target, x, y))
        else if (language === 'LAD')
          found.push({
            points: [
              [railX, y],
              [x, y],
            ],
            flow: 'rail',
            dots: [],
          })
      }
    }
  return found
}

/** The wire from an output to an input at (x, y). */
function wire(source: Placed, pin: Pin, target: Placed, x: number, y: number): Wire {
  const fromX = source.x + source.shape.symbol
  const fromY = source.y + pinOffset(source.box, pin, source.shape.kind)
  const flow = flowName(source.box, pin)
  if (fromY === y)
    return {
      points: [
        [fromX, y],
        [x, y],
      ],
      flow,
      dots: [],
    }
  const isBranch = pin.targets.length > 1
  const turn = target.shape.kind === 'join' ? x + 2 : isBranch ? fromX + source.shape.right + 8 : x - 12
  return {
    points: [
      [fromX, fromY],
      [turn, fromY],
      [turn, y],
      [x, y],
    ],
    flow,
    dots: [
      ...(isBranch ? [[turn, fromY] as const] : []),
      ...(target.shape.kind === 'join' ? [[turn, y] as const] : []),
    ],
  }
}
