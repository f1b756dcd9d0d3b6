/** A canonical form of LAD and FBD networks: two spellings of one network are equal in it. */

import { defined } from '../../../lib/optional.ts'
import type { Instance } from '../../model/instance.ts'
import type { CallNode, InstructionNode, LogicNetwork, NetworkNode, Wire, WireEnd } from '../../model/logic-network.ts'
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
  const renamed = wires.map((ends) => canonicalEnds(ends, ids))
  renamed.sort((a, b) => compareEnds(a[0] as WireEnd, b[0] as WireEnd))
  return {
    labels: network.labels.map(({ uId: _, ...label }) => label),
    nodes,
    wires: renamed.map((ends, index): Wire => ({ uId: nodes.length + index + 1, ends })),
    ...defined({ kept: network.kept }),
  }
}

/** The ends of all wires, those of one source together, without pins that lead only to open connectors. */
function mergedWires(wires: readonly Wire[]): WireEnd[][] {
  const merged = new Map<string, WireEnd[]>()
  for (const { uId, ends } of wires) {
    const [source] = ends
    if (source === undefined) continue
    // Every open branch is a separate source.
    const key = source.kind === 'openbranch' ? `${uId}` : endKey(source)
    const known = merged.get(key)
    if (known === undefined) merged.set(key, [...ends])
    else known.push(...ends.slice(1))
  }
  const connected: WireEnd[][] = []
  for (const ends of merged.values()) {
    const real = ends.filter((end) => end.kind !== 'open')
    if (real.length > 1) connected.push(real)
  }
  return connected
}

function canonicalOrder(network: LogicNetwork, wires: readonly (readonly WireEnd[])[]): NetworkNode[] {
  const nodes = new Map(network.nodes.map((node) => [node.uId, node]))
  const before = new Map<number, Neighbour[]>()
  const after = new Map<number, Neighbour[]>()
  const feeds = new Set<number>()
  for (const [source, ...sinks] of wires) {
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

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
