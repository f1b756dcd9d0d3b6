/**
 * Finds the structure of a LAD or FBD network: which wires are AND chains, where parallel branches split and join,
 * which values several places need, and the order of the statements.
 *
 * A *source* is the beginning of a wire: the power rail, an operand, or an output pin. Every source has a
 * *predecessor*: the flow it is an AND of. The predecessor of a contact is what feeds it; that of an `O` box is the
 * last source that all its branches come through (the nearest common dominator), so `a AND (b OR c)` is found again in
 * wires where `a` feeds both `b` and `c`. Values (boxes, inversions, edges) start a new chain: their predecessor is the
 * rail.
 */

import type { WireEnd } from '../../model/logic-network.ts'
import { boxesInOrder } from './box-order.ts'
import { endKey } from './build.ts'
import { coilInstructions, countedPins, edgeBoxes, flowElements } from './elements.ts'
import type { Box, NetworkIndex } from './network-index.ts'

export const railKey = 'powerrail'

/** The form of an element in the text. */
export type Role = 'factor' | 'junction' | 'inversion' | 'edge' | 'coil' | 'box'

/** Deeper expressions are split: a wire is named and the rest written before. */
const deepestExpression = 40

export interface FlowSource {
  readonly key: string
  readonly end: WireEnd & { readonly kind: 'pin' }
  readonly box: Box
  readonly role: Role
  /** Key of the source that it is an AND of. */
  predecessor: string
  depth: number
  /** Levels of parentheses in its text. */
  nesting: number
  /** Number of places that use it; with two or more it gets a name. */
  references: number
  isNamed: boolean
  /** While only one place uses it: the source that this place is relative to, whose text includes it. */
  base: string
  owner: number | string | undefined
}

export class Flow {
  readonly index: NetworkIndex
  readonly language: string
  /** Coils and boxes in the order of their statements. */
  readonly statements: readonly Box[]
  /** Statements that share their power flow, by the UId of the first one: written as one. */
  readonly groups = new Map<number, Box[]>()
  readonly #sources = new Map<string, FlowSource>()
  readonly #roles = new Map<number, Role>()

  constructor(index: NetworkIndex, language: string) {
    this.index = index
    this.language = language
    const order = boxesInOrder(index, (box) => this.isStatement(box))
    this.statements = order.filter((box) => this.isStatement(box))
    this.#link(order)
    this.#group()
    this.#count(order)
  }

  role(box: Box): Role {
    const known = this.#roles.get(box.uId)
    if (known !== undefined) return known
    const role = this.#roleOf(box)
    this.#roles.set(box.uId, role)
    return role
  }

  /** An element with unusual pins, or that writes an operand itself, is shown as a box with its pins by name. */
  #roleOf(box: Box): Role {
    if (box.kind === 'call') return 'box'
    const { name, uId } = box
    const outputs = this.index.outputs(uId)
    const writes = (pin: string) => this.index.sinks({ kind: 'pin', uId, pin }).some((sink) => sink.kind === 'operand')
    if (outputs.some((pin) => pin !== 'out' || writes(pin))) return 'box'
    const inputs = this.index.inputs(uId)
    const hasOnly = (...pins: readonly string[]) => inputs.every((pin) => pins.includes(pin))
    const element = flowElements.get(name)
    if (element !== undefined) return hasOnly(element.pre, ...element.args) ? 'factor' : 'box'
    if (name === 'O' || name === 'A' || name === 'X')
      return this.index.numbered(inputs, 'in').others.length === 0 ? 'junction' : 'box'
    if (name === 'Not') return hasOnly('in') ? 'inversion' : 'box'
    if (edgeBoxes.has(name)) return hasOnly('in', 'bit') ? 'edge' : 'box'
    const coil = coilInstructions.get(name)
    if (coil !== undefined) return hasOnly('in', ...coil.args) ? 'coil' : 'box'
    return name.endsWith('Coil') && hasOnly('in', 'operand', 'bit', 'value') ? 'coil' : 'box'
  }

  /** Whether it is written as a statement: coils, boxes, and elements that nothing follows. */
  isStatement(box: Box): boolean {
    const role = this.role(box)
    if (role === 'coil' || role === 'box') return true
    return !this.index.outputs(box.uId).some((pin) => this.#feedsPin(box.uId, pin))
  }

  #feedsPin(uId: number, pin: string): boolean {
    return this.index.sinks({ kind: 'pin', uId, pin }).some((sink) => sink.kind === 'pin')
  }

  /** The source that a wire begins with; `undefined` for the rail, operands and open ends. */
  source(end: WireEnd | undefined): FlowSource | undefined {
    return end?.kind === 'pin' ? this.#sources.get(endKey(end)) : undefined
  }

  byKey(key: string): FlowSource | undefined {
    return this.#sources.get(key)
  }

  /** Input pins of a junction, including open ones. */
  junctionPins(box: Box): string[] {
    const last = this.index.numbered(this.index.inputs(box.uId), 'in').numbered.at(-1)
    const count = Math.max(Number(last?.slice(2) ?? 0), Math.min(cardOf(box) ?? 0, 1000))
    return Array.from({ length: count }, (_, i) => `in${i + 1}`)
  }

  #link(order: readonly Box[]): void {
    for (const box of order) {
      for (const pin of this.index.outputs(box.uId)) {
        const end = { kind: 'pin', uId: box.uId, pin } as const
        if (!this.#feedsPin(box.uId, pin)) continue
        const key = endKey(end)
        const role = this.role(box)
        const predecessor = this.#predecessor(box, role)
        const nesting = this.#nesting(box, role)
        const isCut = nesting > deepestExpression
        this.#sources.set(key, {
          key,
          end,
          box,
          role,
          predecessor,
          depth: predecessor === railKey ? 1 : (this.#sources.get(predecessor)?.depth ?? 0) + 1,
          nesting: isCut ? 0 : nesting,
          references: 0,
          isNamed: isCut,
          base: railKey,
          owner: undefined,
        })
      }
    }
    // A ring of connections: what is used before it is known must have a name.
    const seen = new Set<number>()
    for (const box of order) {
      for (const pin of this.index.inputs(box.uId)) {
        const source = this.source(this.index.source(box.uId, pin))
        if (source !== undefined && !seen.has(source.box.uId)) source.isNamed = true
      }
      seen.add(box.uId)
    }
  }

  #predecessor(box: Box, role: Role): string {
    if (role === 'factor') return this.#keyAt(box, (flowElements.get(box.name) as { pre: string }).pre)
    if (role !== 'junction' || box.name !== 'O') return railKey
    let common: string | undefined
    for (const pin of this.junctionPins(box)) {
      const key = this.#keyAt(box, pin)
      common = common === undefined ? key : this.#nearestCommon(common, key)
      if (common === railKey) return railKey
    }
    return common ?? railKey
  }

  #keyAt(box: Box, pin: string): string {
    return this.source(this.index.source(box.uId, pin))?.key ?? railKey
  }

  #nearestCommon(a: string, b: string): string {
    let [x, y] = [a, b]
    while (x !== y) {
      const [left, right] = [this.#sources.get(x), this.#sources.get(y)]
      if (left === undefined || right === undefined) return railKey
      if (left.depth >= right.depth) x = left.predecessor
      else y = right.predecessor
    }
    return x
  }

  #nesting(box: Box, role: Role): number {
    let deepest = 0
    for (const pin of this.index.inputs(box.uId)) {
      const source = this.source(this.index.source(box.uId, pin))
      if (source === undefined) continue
      const isChain = role === 'factor' && pin === flowElements.get(box.name)?.pre
      deepest = Math.max(deepest, source.nesting + (isChain ? 0 : 1))
    }
    return deepest
  }

  /** Adjacent coils, or boxes, on the same wire become one statement. */
  #group(): void {
    let first: Box | undefined
    let last: Box | undefined
    for (const box of this.statements) {
      if (first !== undefined && last !== undefined && this.#canJoin(last, box)) {
        const members = this.groups.get(first.uId) ?? [first]
        members.push(box)
        this.groups.set(first.uId, members)
      } else first = box
      last = box
    }
  }

  #canJoin(before: Box, box: Box): boolean {
    const role = this.role(box)
    if (this.role(before) !== role) return false
    const pin = role === 'coil' ? 'in' : 'en'
    const source = this.source(this.index.source(box.uId, pin))
    const isSame = source !== undefined && source === this.source(this.index.source(before.uId, pin))
    if (!isSame || box.negated.includes(pin) || before.negated.includes(pin)) return false
    if (role !== 'coil' && role !== 'box') return false
    if (role === 'coil') return !this.#feedsPin(before.uId, 'out') && !this.#feedsPin(box.uId, 'out')
    // Inside an IF, the next box may not need what the one before computes in addition to its operands.
    return !this.index.outputs(before.uId).some((output) => this.#feedsPin(before.uId, output))
  }

  /** Counts the places that use each source, from the last statement back to the first. */
  #count(order: readonly Box[]): void {
    const joined = new Set([...this.groups.values()].flatMap((members) => members.slice(1).map((box) => box.uId)))
    for (const box of [...order].reverse()) {
      const role = this.role(box)
      if (this.isStatement(box)) {
        this.#finish(box)
        const shared = joined.has(box.uId) ? (role === 'coil' ? 'in' : 'en') : undefined
        for (const pin of this.index.inputs(box.uId))
          if (pin !== shared) this.#refer(this.index.source(box.uId, pin), railKey, box.uId)
        continue
      }
      for (const pin of this.index.outputs(box.uId)) {
        const source = this.source({ kind: 'pin', uId: box.uId, pin })
        if (source === undefined) continue
        this.#settle(source)
        this.#referParts(source)
      }
    }
  }

  #finish(box: Box): void {
    for (const pin of this.index.outputs(box.uId)) {
      const source = this.source({ kind: 'pin', uId: box.uId, pin })
      if (source !== undefined) this.#settle(source)
    }
  }

  #settle(source: FlowSource): void {
    if (source.references > 1) source.isNamed = true
    if (!source.isNamed) return
    source.base = railKey
    source.owner = source.key
  }

  #referParts({ box, role, predecessor, base, owner, key }: FlowSource): void {
    const place = owner ?? key
    if (role === 'junction' && box.name === 'O') {
      for (const pin of this.junctionPins(box)) {
        const end = this.index.source(box.uId, pin)
        if (this.source(end)?.key !== predecessor || predecessor === railKey) this.#refer(end, predecessor, place)
      }
      this.#referKey(predecessor, base, place)
      return
    }
    const pre = role === 'factor' ? flowElements.get(box.name)?.pre : undefined
    for (const pin of this.index.inputs(box.uId))
      if (pin !== pre) this.#refer(this.index.source(box.uId, pin), railKey, place)
    if (pre !== undefined) this.#referKey(predecessor, base, place)
  }

  #referKey(key: string, base: string, place: number | string): void {
    const source = key === base ? undefined : this.#sources.get(key)
    if (source !== undefined) this.#refer(source.end, base, place)
  }

  #refer(end: WireEnd | undefined, base: string, place: number | string): void {
    const source = this.source(end)
    if (source === undefined) return
    source.references++
    source.base = base
    source.owner = place
  }
}

/** Number of inputs or outputs that a box is drawn with, when it has a `Card`. */
export function cardOf(box: Box): number | undefined {
  if (box.kind === 'call' || !countedPins.has(box.name)) return undefined
  const value = box.templates.find(({ name }) => name === 'Card')?.value
  return value !== undefined && /^\d{1,4}$/.test(value) ? Number(value) : undefined
}
