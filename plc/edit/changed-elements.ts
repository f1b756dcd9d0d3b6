/** Which elements of two drawn networks differ: boxes are matched by what they do, not by their ids. */
import { diffArrays } from 'diff'
import type { LogicNetwork } from '../model/logic-network.ts'
import { operandText, pathText } from '../model/operand-text.ts'

/** `changed`: another operand, type or connection; `removed` is on the left side only, `added` on the right one. */
export type ElementMark = 'added' | 'removed' | 'changed'

/** Marks of boxes by the UId of their node. Boxes without a mark are the same on both sides. */
export interface ChangedElements {
  readonly left: ReadonlyMap<number, ElementMark>
  readonly right: ReadonlyMap<number, ElementMark>
}

interface Element {
  readonly uId: number
  /** What instruction or block it is. */
  readonly name: string
  /** Everything about it but what other boxes are connected to it. */
  readonly key: string
  /** `pin<uId.pin` or `pin<rail` for each connection from the left. */
  readonly sources: readonly { readonly pin: string; readonly from?: number; readonly fromPin: string }[]
}

/** The most moves of a search for the nearest alignment. */
const mostMoves = 2000

/**
 * Matches the boxes of two networks. First boxes that are equal in their order, then equal ones elsewhere, then in each
 * gap boxes of one instruction (those are changed). An equal box whose connections changed is marked as changed, unless
 * the box at the other end of the connection is marked itself: then that one is the reason.
 */
export function changedElements(left: LogicNetwork, right: LogicNetwork): ChangedElements {
  const [a, b] = [elementsOf(left), elementsOf(right)]
  const partner = new Map<number, number>()
  const marks = { left: new Map<number, ElementMark>(), right: new Map<number, ElementMark>() }
  const gaps: { left: Element[]; right: Element[] }[] = [{ left: [], right: [] }]
  const runs = diffArrays(
    a.map(({ key }) => key),
    b.map(({ key }) => key),
    { maxEditLength: mostMoves },
  ) ?? [
    { removed: true, added: false, value: a.map(({ key }) => key) },
    { removed: false, added: true, value: b.map(({ key }) => key) },
  ]
  let [i, j] = [0, 0]
  for (const { added, removed, value } of runs) {
    if (removed) gaps.at(-1)?.left.push(...value.map(() => a[i++]!))
    else if (added) gaps.at(-1)?.right.push(...value.map(() => b[j++]!))
    else {
      for (let k = 0; k < value.length; k++) partner.set(a[i++]!.uId, b[j++]!.uId)
      gaps.push({ left: [], right: [] })
    }
  }
  const elsewhere = grouped(gaps.flatMap((gap) => gap.right).map((one) => [one.key, one]))
  const taken = new Set<number>()
  for (const gap of gaps)
    gap.left = gap.left.filter((one) => {
      const found = elsewhere.get(one.key)?.shift()
      if (found === undefined) return true
      partner.set(one.uId, found.uId)
      taken.add(found.uId)
      return false
    })
  for (const gap of gaps) {
    const free = grouped(gap.right.filter(({ uId }) => !taken.has(uId)).map((one) => [one.name, one]))
    for (const one of gap.left) {
      const found = free.get(one.name)?.shift()
      marks.left.set(one.uId, found === undefined ? 'removed' : 'changed')
      if (found === undefined) continue
      partner.set(one.uId, found.uId)
      marks.right.set(found.uId, 'changed')
    }
    for (const rest of free.values()) for (const { uId } of rest) marks.right.set(uId, 'added')
  }
  markRewired(a, b, partner, marks)
  return marks
}

function markRewired(
  a: readonly Element[],
  b: readonly Element[],
  partner: ReadonlyMap<number, number>,
  marks: { readonly left: Map<number, ElementMark>; readonly right: Map<number, ElementMark> },
): void {
  const others = new Map(b.map((one) => [one.uId, one]))
  const rewired: [number, number][] = []
  for (const one of a) {
    const other = others.get(partner.get(one.uId) ?? Number.NaN)
    if (other === undefined || marks.left.has(one.uId)) continue
    const ends = (element: Element, marked: ReadonlyMap<number, ElementMark>, name: (uId: number) => unknown) => ({
      isExplained: element.sources.some(({ from }) => from !== undefined && marked.has(from)),
      text: element.sources
        .map(({ pin, from, fromPin }) => `${pin}<${from === undefined ? fromPin : `${name(from)}.${fromPin}`}`)
        .sort()
        .join(),
    })
    const from = ends(one, marks.left, (uId) => partner.get(uId))
    const to = ends(other, marks.right, (uId) => uId)
    if (from.text !== to.text && !from.isExplained && !to.isExplained) rewired.push([one.uId, other.uId])
  }
  for (const [from, to] of rewired) {
    marks.left.set(from, 'changed')
    marks.right.set(to, 'changed')
  }
}

function grouped<T>(entries: readonly (readonly [string, T])[]): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const [key, one] of entries) {
    const list = found.get(key)
    if (list === undefined) found.set(key, [one])
    else list.push(one)
  }
  return found
}

function elementsOf({ nodes, wires }: LogicNetwork): Element[] {
  const operands = new Map<number, string>()
  const pins = new Map<number, string[]>()
  const sources = new Map<number, { pin: string; from?: number; fromPin: string }[]>()
  for (const node of nodes) {
    if (node.kind === 'operand') operands.set(node.uId, operandText(node.operand))
    else {
      pins.set(node.uId, [])
      sources.set(node.uId, [])
    }
  }
  for (const { ends } of wires) {
    const [first, ...rest] = ends
    for (const end of rest) {
      if (end.kind === 'operand' && first?.kind === 'pin')
        pins.get(first.uId)?.push(`${first.pin}=>${operands.get(end.uId)}`)
      if (end.kind !== 'pin') continue
      if (first?.kind === 'operand') pins.get(end.uId)?.push(`${end.pin}:=${operands.get(first.uId)}`)
      if (first?.kind === 'powerrail') sources.get(end.uId)?.push({ pin: end.pin, fromPin: 'rail' })
      if (first?.kind === 'pin') sources.get(end.uId)?.push({ pin: end.pin, from: first.uId, fromPin: first.pin })
    }
  }
  return nodes.flatMap((node): Element[] => {
    if (node.kind === 'operand') return []
    const { uId, instance, negated, name } = node
    // How many inputs an OR has follows from its connections, which are compared by themselves.
    const kind =
      node.kind === 'call'
        ? [node.blockType]
        : [
            node.disabledEno === true,
            node.equation,
            node.templates.filter(({ type }) => type !== 'Cardinality').map((one) => `${one.name}=${one.value}`),
          ]
    const own = instance === undefined ? '' : pathText(instance.scope, instance.path)
    const key = JSON.stringify([name, kind, own, [...negated].sort(), (pins.get(uId) ?? []).sort()])
    return [{ uId, name, key, sources: sources.get(uId) ?? [] }]
  })
}
