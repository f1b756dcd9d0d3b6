/**
 * Places the boxes of a network: columns from left to right along the power flow, rows so that the flow from the first
 * input of a box is one straight line and branches are below it. Work grows in line with boxes and connections, apart
 * from the columns that a branch spans.
 */
import { pinOffset, type Shape, shapeOf } from './box-shapes.ts'
import type { Box, NetworkGraph, Pin } from './network-graph.ts'

export interface Placed {
  readonly box: Box
  readonly shape: Shape
  readonly column: number
  /** Left side of the symbol. */
  x: number
  /** Line of its first pin. */
  y: number
  isPlaced: boolean
}

/** The places of one endless row (network-rows.ts folds it). */
export interface Layout {
  readonly boxes: ReadonlyMap<Box, Placed>
  readonly railX: number
  readonly width: number
  /** Right end of each column, labels included. */
  readonly columnEnds: readonly number[]
  readonly top: number
  readonly bottom: number
}

const railX = 10
const columnGap = 26
const rowGap = 10
/** Distance of lines that turn beside each other, and of the last of them from the labels of the box. */
const laneWidth = 8
const laneGap = 6

/** Lines from other boxes that can turn before a box: each has a place of its own left of the labels. */
function lanesOf({ inputs }: Box): number {
  const wired = inputs.filter((pin) => sourcesOf(pin).length > 0)
  return (
    wired.reduce((sum, pin) => sum + sourcesOf(pin).length, 0) - (wired.length > 0 && wired[0] === inputs[0] ? 1 : 0)
  )
}

/** Where a line turns before a box. @param lane from 0, the one next to the box */
export function laneX({ x, shape }: Placed, lane: number): number {
  return x - shape.left - laneGap - lane * laneWidth
}

export function layoutOf(graph: NetworkGraph, language: string, top: number): Layout {
  const columns = columnsOf(graph)
  const last = Math.max(0, ...columns.values())
  const boxes = new Map<Box, Placed>()
  for (const box of graph.boxes) {
    const shape = shapeOf(box, language)
    const isEnd = shape.kind === 'coil' && box.outputs.every(({ targets }) => targets.length === 0)
    boxes.set(box, { box, shape, column: isEnd ? last : (columns.get(box) ?? 0), x: 0, y: 0, isPlaced: false })
  }
  const { width, columnEnds } = placeColumns([...boxes.values()], last)
  const bottoms = new Rows(boxes, last + 1, top).place(graph)
  return { boxes, railX, width, columnEnds, top, bottom: Math.max(top + 20, ...bottoms) }
}

/** The longest way to each box from the left. A circle of wires, which no program has, is cut. */
function columnsOf({ boxes }: NetworkGraph): Map<Box, number> {
  const waiting = new Map(boxes.map((box) => [box, box.inputs.reduce((sum, pin) => sum + sourcesOf(pin).length, 0)]))
  const columns = new Map<Box, number>(boxes.map((box) => [box, 0]))
  const ready = boxes.filter((box) => waiting.get(box) === 0)
  for (let box = ready.shift(); box !== undefined; box = ready.shift()) {
    for (const { targets } of box.outputs)
      for (const { box: next } of targets) {
        columns.set(next, Math.max(columns.get(next) ?? 0, (columns.get(box) ?? 0) + 1))
        const left = (waiting.get(next) ?? 0) - 1
        waiting.set(next, left)
        if (left === 0) ready.push(next)
      }
  }
  return columns
}

const sourcesOf = ({ sources }: Pin) => sources.filter((source) => source !== 'rail')

/** Sets the x of all boxes. @returns the width of the network, and where columns end */
function placeColumns(boxes: readonly Placed[], last: number): Pick<Layout, 'width' | 'columnEnds'> {
  const left = new Array<number>(last + 1).fill(0)
  const symbol = new Array<number>(last + 1).fill(0)
  const right = new Array<number>(last + 1).fill(0)
  for (const { box, column, shape } of boxes) {
    const lanes = shape.kind === 'box' ? lanesOf(box) : 0
    left[column] = Math.max(left[column] as number, shape.left + lanes * laneWidth)
    symbol[column] = Math.max(symbol[column] as number, shape.symbol)
    right[column] = Math.max(right[column] as number, shape.right)
  }
  const starts: number[] = []
  const columnEnds: number[] = []
  let x = railX + columnGap
  for (let column = 0; column <= last; column++) {
    starts.push(x + (left[column] as number))
    x += (left[column] as number) + (symbol[column] as number) + (right[column] as number) + columnGap
    columnEnds.push(x - columnGap)
  }
  for (const placed of boxes) {
    const { column, shape } = placed
    placed.x = (starts[column] as number) + ((symbol[column] as number) - shape.symbol) / 2
  }
  return { width: x, columnEnds }
}

/** Gives boxes their rows, chain by chain. */
class Rows {
  readonly #boxes: ReadonlyMap<Box, Placed>
  /** Lowest line that is used in each column. */
  readonly #bottoms: number[]

  constructor(boxes: ReadonlyMap<Box, Placed>, columns: number, top: number) {
    this.#boxes = boxes
    this.#bottoms = new Array<number>(columns).fill(top)
  }

  place({ boxes, fromRail }: NetworkGraph): readonly number[] {
    for (const { box, pin } of fromRail) this.#branch(box, pin, 0)
    // FBD: chains begin at boxes that only operands feed.
    for (const box of boxes) if (box.inputs.every((pin) => sourcesOf(pin).length === 0)) this.#branch(box, undefined, 0)
    for (const box of boxes) this.#branch(box, undefined, 0)
    return this.#bottoms
  }

  /** Places a box and what follows it in one line, then the branches that leave this line. */
  #branch(first: Box, pin: Pin | undefined, from: number): void {
    const chain: Placed[] = []
    let least = 0
    let into: Pin | undefined = pin
    let box: Box | undefined = first
    while (box !== undefined) {
      const placed = this.#boxes.get(box) as Placed
      if (placed.isPlaced) {
        if (into !== undefined) least = placed.y + pinOffset(box, into, placed.shape.kind)
        break
      }
      placed.isPlaced = true
      chain.push(placed)
      const next: { box: Box; pin: Pin } | undefined = box.outputs.flatMap(({ targets }) => targets)[0]
      into = next?.pin
      box = next?.box
    }
    if (chain.length === 0) return
    const joined = box === undefined ? undefined : (this.#boxes.get(box) as Placed)
    // A line reaches into the column of the point where it joins another one; a box it meets at its left side.
    const end =
      joined === undefined ? (chain.at(-1) as Placed).column : joined.column - (joined.shape.kind === 'join' ? 0 : 1)
    let y = least
    const inChain = new Map(chain.map((placed) => [placed.column, placed.shape]))
    const begin = Math.min(from, chain[0]?.column ?? 0)
    for (let column = begin; column <= end; column++) {
      const up = inChain.get(column)?.up ?? 8
      y = Math.max(y, (this.#bottoms[column] as number) + rowGap + up)
    }
    for (const placed of chain) placed.y = y
    // Also where only the line to the first box passes.
    for (let column = begin; column <= end; column++)
      this.#bottoms[column] = Math.max(this.#bottoms[column] as number, y + (inChain.get(column)?.down ?? 8))
    for (const placed of [...chain].reverse())
      for (const { targets } of placed.box.outputs)
        for (const target of targets) this.#branch(target.box, target.pin, placed.column + 1)
  }
}
