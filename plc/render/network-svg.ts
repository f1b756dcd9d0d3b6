/** Draws a LAD or FBD network as SVG. */
import type { LogicNetwork } from '../model/logic-network.ts'
import { drawBox, pinOffset } from './box-shapes.ts'
import { flowName, graphOf } from './network-graph.ts'
import { type Layout, laneX, layoutOf, type Placed } from './network-layout.ts'
import { drawnWires, inRows, type Point, type Row, rowsOf, type Wire, widthOf } from './network-rows.ts'
import { dot, lineHeight, lineThrough, maxWidth, picture, textAt, textWidth, wrapped } from './svg.ts'

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
  const width = Math.max(
    widthOf(rows, layout.width),
    ...titles.map(({ text, className }) => textWidth(text) * (className === 'title' ? titleScale : 1) + 20),
  )
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

/** The font of titles is a little larger. */
const titleScale = 1.1
const room = maxWidth - 20

/** Title, comment and jump labels above the network. */
function headLines({ number, title, comment }: NetworkHead, { labels }: LogicNetwork) {
  const first = [number === undefined ? '' : `Network ${number}`, title ?? ''].filter((text) => text !== '').join(': ')
  return [
    ...(first === '' ? [] : wrapped(first, room / titleScale).map((text) => ({ text, className: 'title' }))),
    ...(comment ?? '')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .flatMap((line) => wrapped(line.trimEnd(), room))
      .map((text) => ({ text, className: 'comment' })),
    ...labels.map(({ name }) => ({ text: `${name}:`, className: 'name' })),
  ]
}

function wiresOf(layout: Layout, language: string): Wire[] {
  const { boxes, railX } = layout
  const found: Wire[] = []
  for (const target of boxes.values()) {
    const { box, shape, x } = target
    const turning: Turning[] = []
    for (const pin of box.inputs) {
      const y = target.y + pinOffset(box, pin, shape.kind)
      for (const source of pin.sources) {
        if (source === 'rail') {
          const begin = [railX, y] as const
          if (language === 'LAD') found.push({ points: [begin, [x, y]], flow: 'rail', dots: [] })
          continue
        }
        const from = boxes.get(source.box) as Placed
        const begin = [from.x + from.shape.symbol, from.y + pinOffset(from.box, source.pin, from.shape.kind)] as const
        const flow = flowName(from.box, source.pin)
        if (begin[1] === y) found.push({ points: [begin, [x, y]], flow, dots: [] })
        else if (shape.kind === 'join')
          found.push(turned(begin, x + 2, [x, y], flow, true, source.pin.targets.length > 1))
        else if (source.pin.targets.length > 1) {
          // All branches leave in one line, right of what the column has in other rows.
          const turn = (layout.columnEnds[from.column] as number) + 8
          found.push(turned(begin, turn, [x, y], flow, false, true))
        } else turning.push({ begin, y, flow })
      }
    }
    for (const [i, { begin, y, flow }] of inLanes(turning).entries())
      found.push(turned(begin, laneX(target, turning.length - 1 - i), [x, y], flow, false, false))
  }
  return found
}

/** A line that turns before the box it leads to, at the height of its pin. */
interface Turning {
  readonly begin: Point
  readonly y: number
  readonly flow: string | undefined
}

/** Lines from the left to the right, so that they do not cross: the way to the pin is right of the turn. */
function inLanes(turning: readonly Turning[]): readonly Turning[] {
  const isFromAbove = ({ begin, y }: Turning) => begin[1] < y
  return [
    ...turning.filter(isFromAbove).sort((a, b) => b.y - a.y),
    ...turning.filter((one) => !isFromAbove(one)).sort((a, b) => a.y - b.y),
  ]
}

/** A line that goes to `turn`, to the height of its end, and to its end. */
function turned(
  begin: Point,
  turn: number,
  end: Point,
  flow: string | undefined,
  isJoined: boolean,
  isBranch: boolean,
): Wire {
  const [corner, other]: Point[] = [
    [turn, begin[1]],
    [turn, end[1]],
  ]
  return {
    points: [begin, corner!, other!, end],
    flow,
    dots: [...(isBranch ? [corner!] : []), ...(isJoined ? [other!] : [])],
  }
}
