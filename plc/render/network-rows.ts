/**
 * Folds a network that is too wide into rows, as text is: what crosses the end of a row goes on at the beginning of the
 * next one, and both ends have the same number. Places of a network are those of one endless row; rows shift them.
 */
import type { Layout, Placed } from './network-layout.ts'
import { lineThrough, maxWidth, textAt } from './svg.ts'

export type Point = readonly [x: number, y: number]

/** A wire in the endless row: its segments are horizontal or vertical, from left to right. */
export interface Wire {
  readonly points: readonly Point[]
  /** The pin whose power flow it shows, or `rail`. */
  readonly flow?: string | undefined
  /** Where it branches. */
  readonly dots: readonly Point[]
}

export interface Row {
  /** The part of the endless row, and how far it is shifted. */
  readonly from: number
  readonly to: number
  readonly dx: number
  readonly dy: number
  /** In the picture. */
  readonly top: number
  readonly bottom: number
}

const rowGap = 22
/** Room for the number of a line that goes on. */
const markWidth = 28

/** The rows of a network; one that is not shifted when it is not too wide. */
export function rowsOf(layout: Layout, wires: readonly Wire[]): readonly Row[] {
  const { width, top, bottom, railX } = layout
  const whole: Row = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, dx: 0, dy: 0, top, bottom }
  const breaks = breaksOf(layout)
  if (width <= maxWidth || breaks.length === 0) return [whole]
  const extents = Array.from({ length: breaks.length + 1 }, () => ({ top: Infinity, bottom: -Infinity }))
  const cover = (x: number, up: number, down: number) => {
    const one = extents[rowAt(breaks, x)]
    if (one === undefined) return
    one.top = Math.min(one.top, up)
    one.bottom = Math.max(one.bottom, down)
  }
  for (const { x, y, shape } of layout.boxes.values()) cover(x, y - shape.up, y + shape.down)
  for (const { points } of wires)
    for (const [i, piece] of piecesOf(points, breaks))
      for (const [, y] of piece) cover(middle(breaks, i), y - 12, y + 12)
  const rows: Row[] = []
  let at = top
  for (const [i, extent] of extents.entries()) {
    const from = i === 0 ? whole.from : (breaks[i - 1] as number)
    const dy = i === 0 ? 0 : at - extent.top
    rows.push({
      ...{ from, to: breaks[i] ?? whole.to, dx: i === 0 ? 0 : railX + markWidth - from, dy },
      ...{ top: at, bottom: extent.bottom + dy },
    })
    at = extent.bottom + dy + rowGap
  }
  return rows
}

/** Between which columns rows end: as many columns in each as it has room for. */
function breaksOf({ columnEnds, width, railX }: Layout): number[] {
  const breaks: number[] = []
  let start = 0
  for (const [i, end] of columnEnds.entries()) {
    const next = columnEnds[i + 1] ?? width
    if (next - start <= maxWidth - 2 * markWidth || i === columnEnds.length - 1) continue
    // Where wires turn is left and right of it (network-svg.ts).
    breaks.push(end + 11)
    start = end + 11 - railX
  }
  return breaks
}

/** Number of the row at a place of the endless row. */
function rowAt(breaks: readonly number[], x: number): number {
  let row = 0
  while (row < breaks.length && x >= (breaks[row] as number)) row++
  return row
}

const middle = (breaks: readonly number[], row: number) => (row === 0 ? 0 : (breaks[row - 1] as number))

/** The parts of a line in the row where it begins and in that where it ends: through rows between it goes straight. */
function piecesOf(points: readonly Point[], breaks: readonly number[]): readonly (readonly [number, Point[]])[] {
  const pieces: [number, Point[]][] = []
  const [first] = points
  if (first === undefined) return []
  let row = rowAt(breaks, first[0])
  let piece: Point[] = [first]
  for (const point of points.slice(1)) {
    for (let last = rowAt(breaks, point[0]); row < last; row++) {
      const cut: Point = [breaks[row] as number, point[1]]
      pieces.push([row, [...piece, cut]])
      piece = [cut]
    }
    piece.push(point)
  }
  pieces.push([row, piece])
  return pieces.length > 2 ? [pieces[0]!, pieces.at(-1)!] : pieces
}

/** A place of a box in the picture. */
export function inRows(rows: readonly Row[], { x, y }: Pick<Placed, 'x' | 'y'>): Point {
  const row = rows.find(({ to }) => x < to) as Row
  return [x + row.dx, y + row.dy]
}

/** Right end of what is in rows. */
export function widthOf(rows: readonly Row[], width: number): number {
  return Math.max(...rows.map(({ to, dx }) => (Number.isFinite(to) ? to + dx + markWidth : width + dx)))
}

/** Draws wires with the numbers of those that go on in the next row. */
export function* drawnWires(
  rows: readonly Row[],
  wires: readonly Wire[],
  dot: (x: number, y: number) => string,
): Generator<string> {
  const breaks = rows.slice(0, -1).map(({ to }) => to)
  const numbers = new Map<string, number>()
  const begun = new Set<string>()
  for (const { points, flow, dots } of wires) {
    const pieces = piecesOf(points, breaks)
    for (const [i, [index, piece]] of pieces.entries()) {
      const { dx, dy } = rows[index] as Row
      const shifted = piece.map(([x, y]): Point => [x + dx, y + dy])
      yield lineThrough(shifted, 'wire', flow)
      if (i === pieces.length - 1) continue
      const [x, y] = piece.at(-1) as Point
      const key = `${index} ${y}`
      const number = numbers.get(key) ?? numbers.size + 1
      if (!numbers.has(key)) yield* markAt(x + dx, y + dy, number, 'end')
      numbers.set(key, number)
      const [target, [begin]] = pieces[i + 1] as readonly [number, [Point]]
      const next = rows[target] as Row
      if (!begun.has(`${target} ${begin[1]}`)) yield* markAt(begin[0] + next.dx, begin[1] + next.dy, number, 'begin')
      begun.add(`${target} ${begin[1]}`)
    }
    for (const [x, y] of dots) {
      const { dx, dy } = rows[rowAt(breaks, x)] as Row
      yield dot(x + dx, y + dy)
    }
  }
}

/** The end of a line that goes on, or its beginning in the next row: an arrow and the number. */
function* markAt(x: number, y: number, number: number, side: 'begin' | 'end'): Generator<string> {
  const tip = side === 'end' ? x + 7 : x
  yield `<path class="symbol" d="M${tip - 7} ${y - 4}L${tip} ${y}L${tip - 7} ${y + 4}Z"/>`
  yield side === 'end'
    ? textAt(tip + 4, y + 4, String(number), { className: 'type' })
    : textAt(tip - 10, y + 4, String(number), { className: 'type', anchor: 'end' })
}
