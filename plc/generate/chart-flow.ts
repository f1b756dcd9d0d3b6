/**
 * Branches and connections of a sequence from what each transition leaves and activates (docs/formats.md#graph):
 * several transitions of one step are an alternative branch, several steps of one transition a simultaneous one.
 */

import type { Branch, Connection, SequenceNode } from '../model/sequence.ts'

/** A transition with the numbers of the steps before and after it. */
export interface Way {
  readonly number: number
  readonly from: readonly number[]
  /** None: the end of the sequence. */
  readonly to: readonly number[]
  /** Asked for; ways back are jumps in any case. */
  readonly isJump: boolean
}

export interface DrawnFlow {
  readonly branches: readonly Branch[]
  readonly connections: readonly Connection[]
}

const step = (number: number): SequenceNode => ({ kind: 'step', number })
const transition = (number: number): SequenceNode => ({ kind: 'transition', number })
const keyOf = (numbers: readonly number[]): string => [...numbers].sort((a, b) => a - b).join()

/**
 * Draws the flow.
 * @param steps numbers in order, the initial step first where there is one
 * @param fault is told the index of a way that cannot be drawn, and why
 */
export function drawFlow(
  steps: readonly number[],
  ways: readonly Way[],
  fault: (index: number, message: string) => void,
): DrawnFlow {
  const branches: Branch[] = []
  const connections: Connection[] = []
  const connect = (from: SequenceNode, to: SequenceNode, link: Connection['link'] = 'Direct'): void => {
    connections.push({ from, to, link })
  }
  const branch = (type: Branch['type'], cardinality: number) => {
    const number = branches.length + 1
    branches.push({ number, type, cardinality })
    return {
      into: (index = 0): SequenceNode => ({ kind: 'branch', number, in: index }),
      out: (index = 0): SequenceNode => ({ kind: 'branch', number, out: index }),
    }
  }

  // Ways with the same steps before them are alternatives.
  const sources = grouped(ways, ({ from }) => keyOf(from))
  const groupOfStep = new Map<number, string>()
  for (const [key, group] of sources)
    for (const number of group[0]!.from) {
      const other = groupOfStep.get(number)
      if (other !== undefined && other !== key) {
        const index = ways.indexOf(group[0]!)
        fault(index, `leaves step ${number} together with other steps than another transition does; put a step between`)
      }
      groupOfStep.set(number, key)
    }
  for (const group of sources.values()) {
    const { from } = group[0]!
    let source: SequenceNode | undefined = from.length === 1 ? step(from[0]!) : undefined
    if (from.length > 1) {
      const join = branch('SimEnd', from.length)
      for (const [i, number] of from.entries()) connect(step(number), join.into(i))
      source = join.out()
    }
    if (source === undefined) continue
    if (group.length === 1) connect(source, transition(group[0]!.number))
    else {
      const split = branch('AltBegin', group.length)
      connect(source, split.into())
      for (const [i, way] of group.entries()) connect(split.out(i), transition(way.number))
    }
  }

  const backward = backwardWays(steps, ways)
  const isJump = (way: Way) => way.to.length === 1 && (way.isJump || backward.has(way))
  for (const way of ways) {
    if (way.to.length === 0) connect(transition(way.number), { kind: 'end' })
    if (isJump(way)) connect(transition(way.number), step(way.to[0]!), 'Jump')
    if (way.isJump && way.to.length !== 1) fault(ways.indexOf(way), 'a jump leads to one step')
  }
  const targets = grouped(
    ways.filter((way) => way.to.length > 0 && !isJump(way)),
    ({ to }) => keyOf(to),
  )
  // A step can be reached by simultaneous branches and alone: each way is drawn, joined before the step.
  const reached = new Map<number, SequenceNode[]>()
  for (const group of targets.values()) {
    const { to } = group[0]!
    let last: SequenceNode = transition(group[0]!.number)
    if (group.length > 1) {
      const join = branch('AltEnd', group.length)
      for (const [i, way] of group.entries()) connect(transition(way.number), join.into(i))
      last = join.out()
    }
    if (to.length === 1) note(reached, to[0]!, last)
    else {
      const split = branch('SimBegin', to.length)
      connect(last, split.into())
      for (const [i, number] of to.entries()) note(reached, number, split.out(i))
    }
  }
  for (const [number, ends] of reached) {
    if (ends.length === 1) connect(ends[0]!, step(number))
    else {
      const join = branch('AltEnd', ends.length)
      for (const [i, end] of ends.entries()) connect(end, join.into(i))
      connect(join.out(), step(number))
    }
  }
  return { branches, connections }
}

function note<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function grouped(ways: readonly Way[], key: (way: Way) => string): Map<string, Way[]> {
  const groups = new Map<string, Way[]>()
  for (const way of ways) note(groups, key(way), way)
  return groups
}

/** Ways that lead to a step from which they come (depth first from the first step). Without recursion. */
function backwardWays(steps: readonly number[], ways: readonly Way[]): Set<Way> {
  const outOf = new Map<number, Way[]>()
  for (const way of ways) for (const number of way.from) note(outOf, number, way)
  const backward = new Set<Way>()
  const state = new Map<number, 'open' | 'done'>()
  for (const root of steps) {
    if (state.has(root)) continue
    const path: { readonly number: number; readonly edges: (readonly [Way, number])[] }[] = []
    const open = (number: number): void => {
      state.set(number, 'open')
      const edges = (outOf.get(number) ?? []).flatMap((way) => way.to.map((to) => [way, to] as const))
      path.push({ number, edges: edges.reverse() })
    }
    open(root)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = top.edges.pop()
      if (edge === undefined) {
        state.set(top.number, 'done')
        path.pop()
        continue
      }
      const [way, to] = edge
      if (state.get(to) === 'open') backward.add(way)
      else if (!state.has(to)) open(to)
    }
  }
  return backward
}
