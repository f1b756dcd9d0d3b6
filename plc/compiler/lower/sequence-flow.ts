/** The steps that each transition leaves and activates, from the connections of a sequence. */
import type { Connection, Sequence, SequenceNode, Transition } from '../../model/sequence.ts'

/** A transition with the numbers of the steps before and after it. */
export interface TransitionFlow {
  readonly transition: Transition
  /** Steps that must all be active. */
  readonly from: readonly number[]
  /** Steps that all become active. None: the end of the sequence. */
  readonly to: readonly number[]
  /** Position among the transitions of one alternative branch, from left to right. */
  readonly priority: readonly number[]
}

export interface SequenceFlow {
  /** Transitions in the order of evaluation. */
  readonly transitions: readonly TransitionFlow[]
  /** Faults of the connections. */
  readonly faults: readonly string[]
}

/** Follows the connections of a sequence. */
export function flowOf(sequence: Sequence): SequenceFlow {
  const flow = new Flow(sequence)
  const transitions = sequence.transitions.map((transition) => flow.of(transition))
  transitions.sort((a, b) => compare(a.priority, b.priority))
  return { transitions, faults: flow.faults }
}

/** Orders from left to right: by the first place where two paths differ. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

class Flow {
  readonly faults: string[] = []
  readonly #sequence: Sequence
  readonly #into = new Map<string, Connection[]>()
  readonly #outOf = new Map<string, Connection[]>()

  constructor(sequence: Sequence) {
    this.#sequence = sequence
    for (const connection of sequence.connections) {
      add(this.#into, keyOf(connection.to), connection)
      add(this.#outOf, keyOf(connection.from), connection)
    }
  }

  of(transition: Transition): TransitionFlow {
    const node: SequenceNode = { kind: 'transition', number: transition.number }
    const priority: number[] = []
    const from = this.#before(node, new Set(), priority)
    const to = this.#behind(node, new Set())
    if (from.length === 0)
      this.faults.push(`No step stands before transition ${transition.number} (${transition.name}).`)
    return { transition, from: [...new Set(from)], to: [...new Set(to)], priority }
  }

  /** Steps before a node; a closing simultaneous branch has several. */
  #before(node: SequenceNode, seen: Set<string>, priority: number[]): number[] {
    const key = keyOf(node)
    if (seen.has(key)) return this.#round(key)
    seen.add(key)
    const connections = this.#into.get(key) ?? []
    const branch = node.kind === 'branch' ? this.#branch(node.number) : undefined
    if (connections.length > 1 && branch?.type !== 'SimEnd') {
      this.faults.push(
        `${nameOf(node)} is reached in ${connections.length} ways; only a simultaneous branch joins steps.`,
      )
      return []
    }
    return connections.flatMap(({ from }) => {
      if (from.kind === 'step') return [from.number]
      if (from.kind === 'branch') {
        if (this.#branch(from.number)?.type === 'AltBegin') priority.unshift(from.out ?? 0)
        return this.#before(from, seen, priority)
      }
      return []
    })
  }

  /** Steps after a node; an opening simultaneous branch has several. */
  #behind(node: SequenceNode, seen: Set<string>): number[] {
    const key = keyOf(node)
    if (seen.has(key)) return this.#round(key)
    seen.add(key)
    const connections = this.#outOf.get(key) ?? []
    const branch = node.kind === 'branch' ? this.#branch(node.number) : undefined
    if (connections.length > 1 && branch?.type !== 'SimBegin') {
      this.faults.push(`${nameOf(node)} leads to ${connections.length} places; only a simultaneous branch does.`)
      return []
    }
    return connections.flatMap(({ to }) => {
      if (to.kind === 'step') return [to.number]
      return to.kind === 'branch' ? this.#behind(to, seen) : []
    })
  }

  #branch(number: number) {
    return this.#sequence.branches.find((branch) => branch.number === number)
  }

  #round(key: string): [] {
    this.faults.push(`The connections of ${key} lead round in a circle without a step.`)
    return []
  }
}

function add(map: Map<string, Connection[]>, key: string, connection: Connection): void {
  const list = map.get(key)
  if (list) list.push(connection)
  else map.set(key, [connection])
}

function keyOf(node: SequenceNode): string {
  return node.kind === 'end' ? 'end' : `${node.kind} ${node.number}`
}

function nameOf(node: SequenceNode): string {
  const key = keyOf(node)
  return key.charAt(0).toUpperCase() + key.slice(1)
}
