/**
 * Arranges a sequence of GRAPH from top to bottom: steps, transitions, alternative and simultaneous branches beside
 * each other, jumps. Every cell is drawn around a vertical axis (IEC 60848, IEC 61131-3 clause 6.7).
 */
import { conditionText } from '../languages/ladder/condition-text.ts'
import type { Action, Branch, Sequence, SequenceNode, Step, Transition } from '../model/sequence.ts'
import { circleAt, lineThrough, rectangle, shortened, textAt, textWidth } from './svg.ts'

/** A part of the chart around its axis: widths to both sides, height, and how it is drawn. */
export interface Cell {
  readonly left: number
  readonly right: number
  readonly height: number
  /** @param x of the axis @param y of its upper end */
  readonly draw: (x: number, y: number) => string
}

const stepWidth = 120
const stepHeight = 38
const rowHeight = 18
const branchGap = 24
/** Widest text of an action or condition. */
const maxText = 420

/** A sequence as one cell; an empty one has no height. */
export function sequenceCell(sequence: Sequence): Cell {
  return stacked(new Chart(sequence).whole({ kind: 'step', number: firstStep(sequence) }))
}

function firstStep({ steps }: Sequence): number {
  return (steps.find(({ isInitial }) => isInitial) ?? steps[0])?.number ?? 0
}

/** Cells in order, and the end of a branch at which they stopped. */
interface Chain {
  readonly cells: readonly Cell[]
  readonly end?: Branch
}

class Chart {
  readonly #steps: ReadonlyMap<number, Step>
  readonly #transitions: ReadonlyMap<number, Transition>
  readonly #branches: ReadonlyMap<number, Branch>
  readonly #next = new Map<string, { readonly to: SequenceNode; readonly isJump: boolean }[]>()
  readonly #drawn = new Set<string>()
  /** Ends of branches below which a branch around goes on. */
  readonly #awaited = new Set<number>()

  constructor({ steps, transitions, branches, connections }: Sequence) {
    this.#steps = new Map(steps.map((step) => [step.number, step]))
    this.#transitions = new Map(transitions.map((transition) => [transition.number, transition]))
    this.#branches = new Map(branches.map((branch) => [branch.number, branch]))
    for (const { from, to, link } of connections) {
      const targets = this.#next.get(keyOf(from)) ?? []
      targets.push({ to, isJump: link === 'Jump' })
      this.#next.set(keyOf(from), targets)
    }
  }

  /** All that follows from a node on; behind a join that other ways have met before, a jump to what is drawn there. */
  whole(first: SequenceNode): Cell[] {
    const { cells, end } = this.#from(first)
    return [...cells, ...(end === undefined ? [] : this.#beyond(end))]
  }

  /** What follows from a node on, down to the end, a jump, or the end of the branch around it. */
  #from(first: SequenceNode): Chain {
    const cells: Cell[] = []
    let node: SequenceNode | undefined = first
    while (node !== undefined) {
      if (node.kind === 'end') return { cells: [...cells, endCell()] }
      const key = keyOf(node)
      const branch: Branch | undefined = node.kind === 'branch' ? this.#branches.get(node.number) : undefined
      if (branch?.type.endsWith('End')) return { cells, end: branch }
      // A way back to what is drawn already is a jump.
      if (this.#drawn.has(key)) return { cells: [...cells, jumpCell(this.#nameOf(node))] }
      this.#drawn.add(key)
      if (branch !== undefined) {
        const { cell, end, isOfOuter } = this.#branched(branch, key)
        cells.push(cell)
        if (end === undefined) return { cells }
        if (isOfOuter) return { cells, end }
        this.#awaited.delete(end.number)
        node = this.#follow({ kind: 'branch', number: end.number }, cells)
        continue
      }
      const cell = this.#cellOf(node)
      if (cell !== undefined) cells.push(cell)
      node = this.#follow(node, cells)
    }
    return { cells }
  }

  /** The next node; a jump is added to the cells and ends the chain. */
  #follow(node: SequenceNode, cells: Cell[]): SequenceNode | undefined {
    const [next] = this.#next.get(keyOf(node)) ?? []
    if (next === undefined) return undefined
    if (!next.isJump) return next.to
    cells.push(jumpCell(this.#nameOf(next.to)))
    return undefined
  }

  #cellOf(node: SequenceNode): Cell | undefined {
    if (node.kind === 'step') {
      const step = this.#steps.get(node.number)
      return step && stepCell(step)
    }
    const transition = node.kind === 'transition' ? this.#transitions.get(node.number) : undefined
    return transition && transitionCell(transition)
  }

  /** The ways of a branch beside each other. They meet where the first that ends does. */
  #branched({ type }: Branch, key: string): { cell: Cell; end: Branch | undefined; isOfOuter: boolean } {
    let end: Branch | undefined
    let isOfOuter = false
    const columns: Column[] = []
    for (const { to, isJump } of this.#next.get(key) ?? []) {
      const { cells, end: own }: Chain = isJump ? { cells: [jumpCell(this.#nameOf(to))] } : this.#from(to)
      if (own !== undefined && end === undefined) {
        end = own
        isOfOuter = this.#awaited.has(own.number)
        this.#awaited.add(own.number)
      }
      const isOpen = own !== undefined && own === end
      columns.push({ cell: stacked(isOpen || own === undefined ? cells : [...cells, ...this.#beyond(own)]), isOpen })
    }
    return { cell: branchCell(columns, type.startsWith('Sim')), end, isOfOuter }
  }

  /**
   * What a way goes on with that meets others elsewhere: a jump to where that is drawn, else all that follows.
   * @param passed ends of branches that it came by: those of a damaged file can lead to each other
   */
  #beyond(end: Branch, passed: ReadonlySet<number> = new Set()): Cell[] {
    const cells: Cell[] = []
    if (passed.has(end.number)) return cells
    let node = this.#follow({ kind: 'branch', number: end.number }, cells)
    if (node === undefined) return cells
    if (!this.#awaited.has(end.number)) {
      const chain = this.#from(node)
      const further = chain.end === undefined ? [] : this.#beyond(chain.end, new Set([...passed, end.number]))
      return [...chain.cells, ...further]
    }
    const seen = new Set<number>()
    while (node?.kind === 'branch') {
      if (seen.has(node.number)) return []
      seen.add(node.number)
      node = this.#next.get(keyOf(node))?.[0]?.to
    }
    return node === undefined ? [] : [node.kind === 'end' ? endCell() : jumpCell(this.#nameOf(node))]
  }

  #nameOf(node: SequenceNode): string {
    if (node.kind === 'step') return `S${node.number} ${this.#steps.get(node.number)?.name ?? ''}`.trim()
    return node.kind === 'transition' ? `T${node.number}` : ''
  }
}

/** All connections of a branch begin at it, whatever their index. */
function keyOf(node: SequenceNode): string {
  return node.kind === 'end' ? 'end' : `${node.kind} ${node.number}`
}

/** Cells below each other on one axis. */
function stacked(cells: readonly Cell[]): Cell {
  return {
    left: Math.max(0, ...cells.map(({ left }) => left)),
    right: Math.max(0, ...cells.map(({ right }) => right)),
    height: cells.reduce((sum, { height }) => sum + height, 0),
    draw(x, y) {
      let at = y
      return cells
        .map((cell) => {
          const drawn = cell.draw(x, at)
          at += cell.height
          return drawn
        })
        .join('')
    },
  }
}

function stepCell(step: Step): Cell {
  const { number, name, isInitial, maximumTime, actions, interlock, supervision } = step
  const notes = [
    ...actions.filter(({ text }) => text !== '').map(actionText),
    ...conditionNote('C', interlock),
    ...conditionNote('V', supervision),
  ]
  const tableWidth = Math.max(0, ...notes.map((note) => Math.min(maxText, textWidth(note)))) + 12
  const height = Math.max(stepHeight, notes.length * rowHeight)
  const half = stepWidth / 2
  return {
    left: half + 4,
    right: half + (notes.length > 0 ? 16 + tableWidth : 4),
    height: height + 12,
    draw(x, y) {
      const top = y + 6
      const rows = notes.map((note, i) => {
        const rowY = top + i * rowHeight
        const left = x + half + 16
        return (
          rectangle(left, rowY, tableWidth, rowHeight) +
          textAt(left + 6, rowY + 13, shortened(note, maxText), { title: note })
        )
      })
      return [
        `<g data-step="${number}">`,
        lineThrough([
          [x, y],
          [x, y + height + 12],
        ]),
        rectangle(x - half, top, stepWidth, stepHeight),
        ...(isInitial ? [rectangle(x - half + 3, top + 3, stepWidth - 6, stepHeight - 6)] : []),
        textAt(x, top + 16, `S${number}${maximumTime === undefined ? '' : `  ${maximumTime}`}`, { anchor: 'middle' }),
        textAt(x, top + 30, shortened(name, stepWidth - 12), { anchor: 'middle', className: 'name', title: name }),
        ...(notes.length > 0
          ? [
              lineThrough([
                [x + half, top + rowHeight / 2],
                [x + half + 16, top + rowHeight / 2],
              ]),
            ]
          : []),
        ...rows,
        '</g>',
      ].join('')
    },
  }
}

function actionText({ event, qualifier, needsInterlock, text }: Action): string {
  return [event, needsInterlock ? `${qualifier}C` : qualifier, text].filter((part) => part !== '').join(' ')
}

function conditionNote(sign: string, condition: Step['interlock']): string[] {
  const text = condition === undefined ? '' : conditionText(condition)
  return text === '' || text === 'TRUE' ? [] : [`${sign}: ${text}`]
}

function transitionCell(transition: Transition): Cell {
  const { number, name } = transition
  const condition = conditionText(transition)
  const text = `T${number}${name === '' || name === `Trans${number}` ? '' : ` ${name}`}${condition === '' ? '' : `: ${condition}`}`
  return {
    left: 16,
    right: 20 + Math.min(maxText, textWidth(text)),
    height: 36,
    draw: (x, y) =>
      `<g data-transition="${number}">${lineThrough([
        [x, y],
        [x, y + 36],
      ])}${lineThrough(
        [
          [x - 12, y + 18],
          [x + 12, y + 18],
        ],
        'rail',
      )}${textAt(x + 18, y + 22, shortened(text, maxText), { title: text })}</g>`,
  }
}

function jumpCell(target: string): Cell {
  return {
    left: 8,
    right: 12 + textWidth(target),
    height: 30,
    draw: (x, y) =>
      `${lineThrough([
        [x, y],
        [x, y + 14],
      ])}${lineThrough([
        [x - 5, y + 8],
        [x, y + 15],
        [x + 5, y + 8],
      ])}${textAt(x + 10, y + 18, target, { className: 'name' })}`,
  }
}

function endCell(): Cell {
  return {
    left: 8,
    right: 8,
    height: 18,
    draw: (x, y) =>
      `${lineThrough([
        [x, y],
        [x, y + 6],
      ])}${circleAt(x, y + 10, 4)}`,
  }
}

interface Column {
  readonly cell: Cell
  /** It goes on below the branch. */
  readonly isOpen: boolean
}

/** Chains beside each other, between horizontal lines: one for alternatives, two for simultaneous ones. */
function branchCell(columns: readonly Column[], isSimultaneous: boolean): Cell {
  const offsets: number[] = []
  let right = 0
  for (const { cell } of columns) {
    offsets.push(offsets.length === 0 ? 0 : right + branchGap + cell.left)
    right = (offsets.at(-1) as number) + cell.right
  }
  const height = Math.max(0, ...columns.map(({ cell }) => cell.height))
  const bars = (x: number, y: number, to: number) =>
    (isSimultaneous ? [y - 2, y + 2] : [y])
      .map((at) =>
        lineThrough([
          [x - (isSimultaneous ? 10 : 0), at],
          [to + (isSimultaneous ? 10 : 0), at],
        ]),
      )
      .join('')
  return {
    left: (columns[0]?.cell.left ?? 0) + 4,
    right: right + 4,
    height: height + 16,
    draw(x, y) {
      const top = y + 6
      const bottom = y + height + 10
      const open = columns.flatMap(({ isOpen }, i) => (isOpen ? [x + (offsets[i] as number)] : []))
      return [
        lineThrough([
          [x, y],
          [x, top],
        ]),
        bars(x, top, x + (offsets.at(-1) ?? 0)),
        ...columns.map(({ cell, isOpen }, i) => {
          const at = x + (offsets[i] as number)
          return (
            cell.draw(at, top) +
            (isOpen
              ? lineThrough([
                  [at, top + cell.height],
                  [at, bottom],
                ])
              : '')
          )
        }),
        ...(open.length > 0
          ? [
              bars(x, bottom, open.at(-1) as number),
              lineThrough([
                [x, bottom],
                [x, bottom + 6],
              ]),
            ]
          : []),
      ].join('')
    },
  }
}
