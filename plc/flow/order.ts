/** The order in which an analysis passes over a graph: most ways lead forwards in it, so that few passes are needed. */
import type { FlowGraph, Step, Way } from './graph.ts'

/**
 * Returns the steps that the start reaches, each after those that lead to it, apart from the ways back of loops.
 * @param isTaken whether a way counts
 */
export function inFlowOrder({ start }: FlowGraph, isTaken: (way: Way) => boolean = () => true): Step[] {
  const order: Step[] = []
  const seen = new Set<Step>([start])
  const open: { readonly step: Step; next: number }[] = [{ step: start, next: 0 }]
  while (open.length > 0) {
    const top = open.at(-1)!
    const way = top.step.out[top.next++]
    if (way === undefined) {
      order.push(top.step)
      open.pop()
    } else if (!seen.has(way.to) && isTaken(way)) {
      seen.add(way.to)
      open.push({ step: way.to, next: 0 })
    }
  }
  return order.reverse()
}

/** Collects steps to be looked at, each once at a time, the first of the order first. */
export class Pending {
  readonly #rank: ReadonlyMap<Step, number>
  readonly #order: readonly Step[]
  #now = new Ranks()
  #later = new Ranks()

  constructor(order: readonly Step[]) {
    this.#order = order
    this.#rank = new Map(order.map((step, i) => [step, i]))
  }

  /** @param at the rank of the step that is looked at: those before it wait for the next pass */
  add(step: Step, at = -1): void {
    const rank = this.#rank.get(step)
    if (rank !== undefined) (rank > at ? this.#now : this.#later).add(rank)
  }

  /** Calls `look` for each collected step until there is none. */
  run(look: (step: Step, rank: number) => void): void {
    while (this.#now.size > 0 || this.#later.size > 0) {
      if (this.#now.size === 0) {
        this.#now = this.#later
        this.#later = new Ranks()
      }
      const rank = this.#now.takeFirst()
      look(this.#order[rank]!, rank)
    }
  }
}

/** Numbers, each once, of which the least is taken: a binary heap. */
class Ranks {
  readonly #heap: number[] = []
  readonly #known = new Set<number>()

  get size(): number {
    return this.#heap.length
  }

  add(rank: number): void {
    if (this.#known.has(rank)) return
    this.#known.add(rank)
    const heap = this.#heap
    let at = heap.push(rank) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (heap[above]! <= rank) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = rank
  }

  /** There must be one. */
  takeFirst(): number {
    const heap = this.#heap
    const first = heap[0]!
    const last = heap.pop()!
    this.#known.delete(first)
    let at = 0
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && heap[below + 1]! < heap[below]!) below++
      if (heap[below]! >= last) break
      heap[at] = heap[below]!
      at = below
    }
    if (heap.length > 0) heap[at] = last
    return first
  }
}
