/** A canonical form of LAD and FBD networks: two spellings of one network are equal in it. */

import { compareTexts } from '../../../lib/compare-texts.ts'
import { defined } from '../../../lib/optional.ts'
import type { Instance } from '../../model/instance.ts'
import type { Kept } from '../../model/kept.ts'
import type { CallNode, InstructionNode, LogicNetwork, NetworkNode, Wire, WireEnd } from '../../model/logic-network.ts'
import type { SequenceProgram } from '../../model/sequence.ts'
import { endKey } from './build.ts'

/**
 * Returns the same network with UIds from 1 and everything in an order that follows from the connections: a box comes
 * after those that feed it, and boxes that nothing follows stay in document order (the order of evaluation). Wires from
 * one source are one wire; pins that are only marked as open count as not connected; numbers of instances, labels and
 * open connectors are left out. For comparing (deepEqual), not for writing.
 */
export function canonicalNetwork(network: LogicNetwork): LogicNetwork {
  const wires = mergedWires(network.wires)
  const order = canonicalOrder(network, wires)
  const ids = new Map(order.map((node, index) => [node.uId, index + 1]))
  const nodes = order.map((node, index) => canonicalNode(node, index + 1))
  const renamed = wires.map(({ ends, kept }) => ({ ends: canonicalEnds(ends, ids), ...defined({ kept }) }))
  renamed.sort((a, b) => compareEnds(a.ends[0] as WireEnd, b.ends[0] as WireEnd))
  return {
    labels: network.labels.map(({ uId: _, ...label }) => label),
    nodes,
    wires: renamed.map((wire, index): Wire => ({ uId: nodes.length + index + 1, ...wire })),
    ...defined({ kept: network.kept }),
  }
}

/** The same sequences with all their networks in the canonical form, and without UIds in what is kept as XML. */
export function canonicalSequences(program: SequenceProgram): SequenceProgram {
  const canonical = <T extends { readonly graph?: LogicNetwork; readonly kept?: Kept }>({ graph, kept, ...rest }: T) =>
    ({ ...rest, ...defined({ graph: graph && canonicalNetwork(graph), kept: kept && withoutUIds(kept) }) }) as T
  return {
    ...program,
    before: program.before.map(canonical),
    sequences: program.sequences.map((sequence) => ({
      ...sequence,
      steps: sequence.steps.map(({ actions, supervision, interlock, ...step }) => ({
        ...step,
        actions: actions.map(canonical),
        ...defined({
          supervision: supervision && canonical(supervision),
          interlock: interlock && canonical(interlock),
        }),
      })),
      transitions: sequence.transitions.map(canonical),
    })),
    after: program.after.map(canonical),
  }
}

const withoutUIds = ({ elements, ...rest }: Kept): Kept => ({
  ...rest,
  ...defined({ elements: elements?.map(({ at, xml }) => ({ at, xml: xml.replace(/ UId="\d+"/g, '') })) }),
})

/** Ends with what was kept of the wire that has them. */
interface JoinedWire {
  readonly ends: WireEnd[]
  readonly kept?: Kept
}

/** The ends of all wires, those of one source together, without pins that lead only to open connectors. */
function mergedWires(wires: readonly Wire[]): JoinedWire[] {
  const merged = new Map<string, JoinedWire>()
  for (const { uId, ends, kept } of wires) {
    const [source] = ends
    if (source === undefined) continue
    // Every open branch is a separate source.
    const key = source.kind === 'openbranch' ? `${uId}` : endKey(source)
    const known = merged.get(key)
    if (known === undefined) merged.set(key, { ends: [...ends], ...defined({ kept }) })
    else known.ends.push(...ends.slice(1))
  }
  const connected: JoinedWire[] = []
  for (const { ends, kept } of merged.values()) {
    const real = ends.filter((end) => end.kind !== 'open')
    if (real.length > 1) connected.push({ ends: real, ...defined({ kept }) })
  }
  return connected
}

function canonicalOrder(network: LogicNetwork, wires: readonly JoinedWire[]): NetworkNode[] {
  const nodes = new Map(network.nodes.map((node) => [node.uId, node]))
  const before = new Map<number, Neighbour[]>()
  const after = new Map<number, Neighbour[]>()
  const feeds = new Set<number>()
  for (const {
    ends: [source, ...sinks],
  } of wires) {
    for (const sink of sinks) {
      if (source?.kind === 'operand' && sink.kind === 'pin') add(before, sink.uId, source.uId, sink.pin)
      else if (source?.kind === 'pin' && sink.kind === 'operand') add(after, source.uId, sink.uId, source.pin)
      else if (source?.kind === 'pin' && sink.kind === 'pin') {
        add(before, sink.uId, source.uId, sink.pin)
        feeds.add(source.uId)
      }
    }
  }
  for (const list of [...before.values(), ...after.values()]) list.sort((a, b) => comparePins(a.pin, b.pin))

  const order: NetworkNode[] = []
  const visited = new Set<number>()
  const boxes = network.nodes.filter((node) => node.kind !== 'operand')
  // Boxes in a ring of connections feed no final box: they come last, in document order.
  for (const root of [...boxes.filter((box) => !feeds.has(box.uId)), ...boxes]) visit(root.uId)
  for (const node of network.nodes) if (!visited.has(node.uId)) order.push(node)
  return order

  /** Depth first without recursion: a network may be a chain of thousands of contacts. */
  function visit(root: number): void {
    const pending: { readonly uId: number; isDone: boolean }[] = [{ uId: root, isDone: false }]
    for (let at = pending.at(-1); at !== undefined; at = pending.at(-1)) {
      const node = nodes.get(at.uId)
      if (node === undefined || (!at.isDone && visited.has(at.uId))) pending.pop()
      else if (at.isDone || node.kind === 'operand') {
        pending.pop()
        visited.add(at.uId)
        order.push(node)
        for (const { uId } of after.get(at.uId) ?? []) {
          const operand = nodes.get(uId)
          if (operand !== undefined && !visited.has(uId)) order.push(operand)
          visited.add(uId)
        }
      } else {
        at.isDone = true
        visited.add(at.uId)
        const inputs = before.get(at.uId) ?? []
        for (let i = inputs.length - 1; i >= 0; i--) pending.push({ uId: (inputs[i] as Neighbour).uId, isDone: false })
      }
    }
  }
}

interface Neighbour {
  readonly uId: number
  readonly pin: string
}

function add(neighbours: Map<number, Neighbour[]>, of: number, uId: number, pin: string): void {
  const list = neighbours.get(of)
  if (list === undefined) neighbours.set(of, [{ uId, pin }])
  else list.push({ uId, pin })
}

function canonicalNode(node: NetworkNode, uId: number): NetworkNode {
  if (node.kind === 'operand') return { ...node, uId }
  const box: InstructionNode | CallNode = {
    ...node,
    uId,
    negated: [...node.negated].sort(),
    invisible: [...node.invisible].sort(),
    ...(node.instance === undefined ? {} : { instance: withoutUId(node.instance) }),
  }
  if (box.kind === 'call') return box
  const { disabledEno, ...rest } = box
  return {
    ...rest,
    // Older versions write that EN/ENO is not switched off, newer ones leave it out.
    ...(disabledEno === true ? { disabledEno } : {}),
    templates: [...box.templates].sort((a, b) => compareTexts(a.name, b.name)),
    automaticTyped: [...box.automaticTyped].sort(),
  }
}

function withoutUId({ uId: _, ...instance }: Instance): Instance {
  return instance
}

function canonicalEnds(ends: readonly WireEnd[], ids: ReadonlyMap<number, number>): WireEnd[] {
  const [source, ...sinks] = ends.map((end): WireEnd => {
    if (end.kind !== 'pin' && end.kind !== 'operand') return end
    return { ...end, uId: ids.get(end.uId) ?? -end.uId }
  })
  return [source as WireEnd, ...sinks.sort(compareEnds)]
}

const endRank = { powerrail: 0, openbranch: 1, operand: 2, pin: 2, open: 3 } as const

function compareEnds(a: WireEnd, b: WireEnd): number {
  return (
    endRank[a.kind] - endRank[b.kind] ||
    ('uId' in a ? a.uId : 0) - ('uId' in b ? b.uId : 0) ||
    comparePins('pin' in a ? a.pin : '', 'pin' in b ? b.pin : '')
  )
}

/** Compares pins so that `in2` is before `in10`. */
export function comparePins(a: string, b: string): number {
  const [, nameA = a, numberA = ''] = /^(.*?)(\d*)$/s.exec(a) ?? []
  const [, nameB = b, numberB = ''] = /^(.*?)(\d*)$/s.exec(b) ?? []
  return compareTexts(nameA, nameB) || Number(numberA) - Number(numberB) || compareTexts(numberA, numberB)
}
