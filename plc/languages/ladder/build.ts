/**
 * Builds a LAD or FBD network step by step; UIds and the order of elements are those TIA Portal writes
 * (docs/formats.md#lad-and-fbd-networks).
 */

import { defined } from '../../../lib/optional.ts'
import type { Instance, TemplateValue } from '../../model/instance.ts'
import type {
  CallNode,
  CallParameter,
  InstructionNode,
  LogicNetwork,
  NetworkLabel,
  NetworkNode,
  OperandNode,
  Wire,
  WireEnd,
} from '../../model/logic-network.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import type { Operand } from '../../model/operand.ts'

/** TIA Portal's first UId in a network. */
const firstUid = 21

interface BoxOptions {
  readonly negated?: readonly string[]
  readonly invisible?: readonly string[]
  readonly comment?: MultilingualText
}

export interface InstructionOptions extends BoxOptions {
  readonly version?: string
  readonly disabledEno?: boolean
  readonly equation?: string
  readonly instance?: Instance
  readonly templates?: readonly TemplateValue[]
  readonly automaticTyped?: readonly string[]
}

export interface CallOptions extends BoxOptions {
  readonly blockNumber?: number
  readonly instance?: Instance
  readonly parameters?: readonly CallParameter[]
}

/** Number of an operand, instruction or call while the network is built; `network()` gives the final UIds. */
export type NodeId = number

/**
 * Collects nodes and connections. `connect` may be called in any order: everything that leaves one source, including
 * the power rail, becomes one wire with several sinks (a branch). Operands are listed before instructions, both in the
 * order they were added.
 */
export class NetworkBuilder {
  readonly #labels: NetworkLabel[] = []
  readonly #operands: OperandNode[] = []
  readonly #boxes = new Map<NodeId, InstructionNode | CallNode>()
  /** By the end that a wire leaves: its ends, each once, by their keys. */
  readonly #wires = new Map<string, Map<string, WireEnd>>()
  readonly #connected = new Set<string>()
  readonly #places = new Map<NodeId, number>()
  #lastId = 0
  /** The offset in a text that the nodes which are added now come from. */
  place: number | undefined
  /** The offsets of nodes by their final UIds, after `network()`; only of those that were added with a `place`. */
  readonly placesByUId = new Map<number, number>()

  /** Adds a jump label to the network. */
  label(name: string, comment?: MultilingualText): this {
    this.#labels.push({ name, ...defined({ comment }) })
    return this
  }

  /** Adds an operand that is not connected yet; each use of an operand has its own node. */
  operand(operand: Operand): NodeId {
    const uId = this.#newId()
    this.#operands.push({ kind: 'operand', uId, operand })
    return uId
  }

  /** Adds an instruction (`Contact`, `O`, `TON` …). */
  instruction(name: string, options: InstructionOptions = {}): NodeId {
    const uId = this.#newId()
    const { negated = [], invisible = [], templates = [], automaticTyped = [], ...rest } = options
    this.#boxes.set(uId, { kind: 'part', uId, name, ...rest, negated, invisible, templates, automaticTyped })
    return uId
  }

  /** Adds a call of a block of the program. */
  call(name: string, blockType: string, options: CallOptions = {}): NodeId {
    const uId = this.#newId()
    const { negated = [], invisible = [], parameters = [], ...rest } = options
    this.#boxes.set(uId, { kind: 'call', uId, name, blockType, ...rest, negated, invisible, parameters })
    return uId
  }

  #newId(): NodeId {
    const id = ++this.#lastId
    if (this.place !== undefined) this.#places.set(id, this.place)
    return id
  }

  /** Adds sinks to the wire that leaves `source`. A connector is written once, however often it is connected. */
  connect(source: WireEnd, ...sinks: readonly WireEnd[]): this {
    const key = endKey(source)
    const ends = this.#wires.get(key) ?? new Map([[key, source]])
    this.#wires.set(key, ends)
    this.#connected.add(key)
    for (const sink of sinks) {
      const sinkKey = endKey(sink)
      if (!ends.has(sinkKey)) ends.set(sinkKey, sink)
      this.#connected.add(sinkKey)
    }
    return this
  }

  /** Connects a pin to the power rail. */
  powerrail(node: NodeId, pin: string): this {
    return this.connect({ kind: 'powerrail' }, pinEnd(node, pin))
  }

  /**
   * Adds an operand and connects it to an input (`operand` and `bit` of contacts and coils are inputs in this sense).
   */
  input(node: NodeId, pin: string, operand: Operand): NodeId {
    const uId = this.operand(operand)
    this.connect({ kind: 'operand', uId }, pinEnd(node, pin))
    return uId
  }

  /** Adds an operand that an output is written to. */
  output(node: NodeId, pin: string, operand: Operand): NodeId {
    const uId = this.operand(operand)
    this.connect(pinEnd(node, pin), { kind: 'operand', uId })
    return uId
  }

  /** Leaves a pin visibly open, as TIA Portal draws an unconnected input or output. */
  open(node: NodeId, pin: string, side: 'input' | 'output'): this {
    const open: WireEnd = { kind: 'open', uId: ++this.#lastId }
    return side === 'input' ? this.connect(open, pinEnd(node, pin)) : this.connect(pinEnd(node, pin), open)
  }

  /** Negates a pin, drawn as a circle (`operand` for a contact or coil); a second call removes the negation. */
  negate(node: NodeId, pin: string): this {
    const box = this.#boxes.get(node)
    if (box === undefined) throw new RangeError(`the network has no box ${node}`)
    const negated = box.negated.includes(pin) ? box.negated.filter((name) => name !== pin) : [...box.negated, pin]
    this.#boxes.set(node, { ...box, negated })
    return this
  }

  /** Changes properties of an instruction, e.g. `Card` when an input came later. */
  change(node: NodeId, options: InstructionOptions): this {
    const box = this.#boxes.get(node)
    if (box?.kind !== 'part') throw new RangeError(`the network has no instruction ${node}`)
    this.#boxes.set(node, { ...box, ...options })
    return this
  }

  /** Whether anything is connected to the pin. */
  isConnected(node: NodeId, pin: string): boolean {
    return this.#connected.has(endKey(pinEnd(node, pin)))
  }

  /**
   * Returns the network with UIds from 21: operands, boxes (an instance takes the number after its box), wires and open
   * connectors.
   */
  network(): LogicNetwork {
    const ids = new Map<NodeId, number>()
    let next = firstUid
    const labels = this.#labels.map((label) => ({ uId: next++, ...label }))
    const nodes: NetworkNode[] = []
    for (const node of this.#operands) {
      ids.set(node.uId, next)
      nodes.push({ ...node, uId: next++ })
    }
    for (const box of this.#boxes.values()) {
      ids.set(box.uId, next)
      const numbered = { ...box, uId: next++ }
      nodes.push(box.instance === undefined ? numbered : { ...numbered, instance: { ...box.instance, uId: next++ } })
    }
    for (const [node, place] of this.#places) {
      const final = ids.get(node)
      if (final !== undefined) this.placesByUId.set(final, place)
    }
    const wires: Wire[] = []
    for (const ends of this.#wires.values()) {
      if (ends.size < 2) continue
      const uId = next++
      wires.push({
        uId,
        ends: [...ends.values()].map((end) => {
          if (end.kind === 'powerrail' || end.kind === 'openbranch') return end
          if (end.kind === 'open') return { kind: 'open', uId: next++ }
          const final = ids.get(end.uId)
          if (final === undefined) throw new RangeError(`the network has no node ${end.uId}`)
          return { ...end, uId: final }
        }),
      })
    }
    return { labels, nodes, wires }
  }
}

/** The connector of a pin. */
export function pinEnd(uId: NodeId, pin: string): WireEnd {
  return { kind: 'pin', uId, pin }
}

/** Identifies a wire end: the same text for the same connector. */
export function endKey(end: WireEnd): string {
  switch (end.kind) {
    case 'pin':
      return `p${end.uId}.${end.pin}`
    case 'operand':
      return `o${end.uId}`
    case 'open':
      return `x${end.uId}`
    default:
      return end.kind
  }
}

/** `{ name: 'Card', type: 'Cardinality' }`: how many inputs or outputs a box has. */
export function cardinality(count: number): TemplateValue {
  return { name: 'Card', type: 'Cardinality', value: String(count) }
}

/** A data type of a box: `SrcType`, `DestType`, `time_type` … */
export function typeTemplate(name: string, type: string): TemplateValue {
  return { name, type: 'Type', value: type }
}
