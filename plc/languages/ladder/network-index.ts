/** Indexes a LAD or FBD network by its connections: what comes before and after each pin. */

import type { CallNode, InstructionNode, LogicNetwork, NetworkNode, WireEnd } from '../../model/logic-network.ts'
import type { Operand } from '../../model/operand.ts'
import { endKey } from './build.ts'
import { comparePins } from './canonical.ts'
import { inputPins, pinOfBox } from './elements.ts'

export type Box = InstructionNode | CallNode

/** A connection that has no place in the logic, e.g. a second source of a pin, or an operand wired to an operand. */
export interface StrayConnection {
  readonly from: WireEnd
  readonly to: WireEnd
}

/** Files may write pins in another case than TIA Portal, whose imports correct it (`pinOfBox`). */
function withPinsSpelled(node: NetworkNode): NetworkNode {
  if (node.kind !== 'part' || node.negated.length + node.invisible.length === 0) return node
  const spelled = (pins: readonly string[]) => pins.map((pin) => pinOfBox(node.name, pin) ?? pin)
  const [negated, invisible] = [spelled(node.negated), spelled(node.invisible)]
  const isSame = [...negated, ...invisible].every((pin, i) => pin === [...node.negated, ...node.invisible][i])
  return isSame ? node : { ...node, negated, invisible }
}

export class NetworkIndex {
  readonly #nodes = new Map<number, NetworkNode>()
  readonly #sources = new Map<number, Map<string, WireEnd>>()
  readonly #sinks = new Map<string, WireEnd[]>()
  readonly #outputs = new Map<number, string[]>()
  readonly #reached = new Set<number>()
  readonly strays: StrayConnection[] = []
  readonly boxes: readonly Box[]
  /** Operands without a wire. */
  readonly unconnected: readonly Operand[]

  constructor(network: LogicNetwork) {
    const nodes = network.nodes.map(withPinsSpelled)
    for (const node of nodes) this.#nodes.set(node.uId, node)
    this.boxes = nodes.filter((node) => node.kind !== 'operand')
    for (const wire of network.wires) {
      const ends = wire.ends.map((end) => this.#spelled(end))
      const source = this.#sourceOf(ends)
      if (source !== undefined) for (const end of ends) if (end !== source) this.#connect(source, end)
    }
    this.unconnected = nodes.flatMap((node) =>
      node.kind === 'operand' && !this.#reached.has(node.uId) ? [node.operand] : [],
    )
  }

  #spelled(end: WireEnd): WireEnd {
    const node = end.kind === 'pin' ? this.#nodes.get(end.uId) : undefined
    if (end.kind !== 'pin' || node?.kind !== 'part') return end
    const pin = pinOfBox(node.name, end.pin) ?? end.pin
    return pin === end.pin ? end : { ...end, pin }
  }

  #connect(from: WireEnd, to: WireEnd): void {
    if (from.kind === 'open' || to.kind === 'open') return
    for (const end of [from, to]) if (end.kind === 'operand') this.#reached.add(end.uId)
    const target = 'uId' in to ? this.#nodes.get(to.uId) : undefined
    const isPossible =
      to.kind === 'pin'
        ? target !== undefined && target.kind !== 'operand' && !this.#sources.get(to.uId)?.has(to.pin)
        : to.kind === 'operand' && from.kind === 'pin' && target?.kind === 'operand'
    const feeder = 'uId' in from ? this.#nodes.get(from.uId) : undefined
    const canFeed =
      from.kind === 'operand'
        ? feeder?.kind === 'operand'
        : from.kind !== 'pin' || (feeder !== undefined && feeder.kind !== 'operand')
    if (!isPossible || !canFeed) {
      this.strays.push({ from, to })
      return
    }
    if (to.kind === 'pin') {
      const pins = this.#sources.get(to.uId) ?? new Map<string, WireEnd>()
      this.#sources.set(to.uId, pins)
      pins.set(to.pin, from)
    }
    const key = endKey(from)
    const sinks = this.#sinks.get(key)
    if (sinks !== undefined) {
      sinks.push(to)
      return
    }
    this.#sinks.set(key, [to])
    if (from.kind !== 'pin') return
    const outputs = this.#outputs.get(from.uId)
    if (outputs === undefined) this.#outputs.set(from.uId, [from.pin])
    else outputs.push(from.pin)
  }

  node(uId: number): NetworkNode | undefined {
    return this.#nodes.get(uId)
  }

  box(uId: number): Box | undefined {
    const node = this.#nodes.get(uId)
    return node?.kind === 'operand' ? undefined : node
  }

  operand(uId: number): Operand | undefined {
    const node = this.#nodes.get(uId)
    return node?.kind === 'operand' ? node.operand : undefined
  }

  /** The source that feeds a pin; `undefined` when it is open. */
  source(uId: number, pin: string): WireEnd | undefined {
    return this.#sources.get(uId)?.get(pin)
  }

  /** Operand that is wired directly to an input. */
  operandAt(uId: number, pin: string): Operand | undefined {
    const source = this.source(uId, pin)
    return source?.kind === 'operand' ? this.operand(source.uId) : undefined
  }

  /** Connected inputs, in the order of the wires. */
  inputs(uId: number): readonly string[] {
    return [...(this.#sources.get(uId)?.keys() ?? [])]
  }

  /** Connected outputs, in the order of the wires. */
  outputs(uId: number): readonly string[] {
    return this.#outputs.get(uId) ?? []
  }

  sinks(source: WireEnd): readonly WireEnd[] {
    return this.#sinks.get(endKey(source)) ?? []
  }

  /** The connected pins numbered `prefix1`, `prefix2` …, and the others, in order. */
  numbered(pins: readonly string[], prefix: string): { readonly numbered: string[]; readonly others: string[] } {
    const isNumbered = (pin: string) => pin.startsWith(prefix) && /^[1-9]\d{0,3}$/.test(pin.slice(prefix.length))
    return {
      numbered: pins.filter(isNumbered).sort(comparePins),
      others: pins.filter((pin) => !isNumbered(pin)),
    }
  }

  /**
   * The end that feeds the others: the first one, unless that is a pin of an instruction which can only be an input.
   */
  #sourceOf(ends: readonly WireEnd[]): WireEnd | undefined {
    const [first] = ends
    if (first?.kind !== 'pin' || !this.#isInput(first)) return first
    const isSource = (end: WireEnd) =>
      end.kind === 'powerrail' || end.kind === 'operand' || (end.kind === 'pin' && !this.#isInput(end))
    return ends.find(isSource) ?? first
  }

  /** Parameters of blocks may have any name. */
  #isInput({ uId, pin }: WireEnd & { readonly kind: 'pin' }): boolean {
    return inputPins.has(pin) && this.#nodes.get(uId)?.kind !== 'call'
  }
}
