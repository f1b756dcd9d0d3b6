/**
 * The power flow of a LAD or FBD network, and why a pin has its value, from the values of its operands. What only the
 * moment of execution knows (an edge, ENO of an instruction that can fail) is unknown here.
 */
import { coilInstructions, flowOutputs } from '../languages/ladder/elements.ts'
import { type Box, flowName, instanceText, type NetworkGraph, type Pin } from './network-graph.ts'

/** A value of a program; undefined: not known. */
export type Live = boolean | number | string | undefined
/** The value of an operand by its text. */
export type ValueOf = (operand: string) => Live

/** Something that decides a value: an operand, a comparison or a box. */
export interface Reason {
  /** UId of the node. */
  readonly uId: number
  readonly kind: 'operand' | 'comparison' | 'box'
  /** `"Start"`, `"DB".level > 60.0`, `TON #delay`. */
  readonly text: string
  /** What it gives on: with a negated contact not that of the operand. */
  readonly value: Live
  /** The operand is used negated. */
  readonly isNegated: boolean
  /** Its operands, by pin; `isNegated`: the pin of a box takes the opposite of the value. */
  readonly operands: readonly {
    readonly pin: string
    readonly text: string
    readonly value: Live
    readonly isNegated?: true
  }[]
  /** Of a box: what decides its inputs. */
  readonly because: readonly Reason[]
}

/** Reasons of one value at most: more is no explanation. */
const mostReasons = 100

const comparisons: Readonly<Record<string, readonly [sign: string, holds: (a: number, b: number) => boolean]>> = {
  Eq: ['=', (a, b) => a === b],
  Ne: ['<>', (a, b) => a !== b],
  Lt: ['<', (a, b) => a < b],
  Le: ['<=', (a, b) => a <= b],
  Gt: ['>', (a, b) => a > b],
  Ge: ['>=', (a, b) => a >= b],
}

const not = (value: Live): Live => (typeof value === 'boolean' ? !value : undefined)

/** AND of what may be unknown. */
function all(values: readonly Live[]): Live {
  if (values.some((value) => value === false)) return false
  return values.every((value) => value === true) ? true : undefined
}

const any = (values: readonly Live[]): Live => not(all(values.map(not)))

/** A literal as a value: `TRUE`, `5`, `1.5`, `16#FF`, `INT#3`; undefined for others. */
export function literalValue(text: string): Live {
  const bare = text.replace(/^[a-z_]+#/i, '').replaceAll('_', '')
  if (/^(true|false)$/i.test(bare)) return bare.toLowerCase() === 'true'
  const [, base, digits] = /^(2|8|16)#([\da-f]+)$/i.exec(bare) ?? []
  if (base !== undefined) return Number.parseInt(digits as string, Number(base))
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(bare) ? Number(bare) : undefined
}

/** All operands of a network: the names whose values the power flow needs. */
export function operandsOf({ boxes }: NetworkGraph): string[] {
  const names = new Set<string>()
  for (const box of boxes) {
    const instance = instanceText(box)
    for (const text of [box.operand, ...box.inputs.map(({ operand }) => operand)]) if (text) names.add(text)
    for (const { name, operand } of box.outputs) {
      if (instance !== undefined) names.add(`${instance}.${name}`)
      // An output that is assigned to several operands has them all in its text.
      if (operand) for (const one of operand.split(', ')) names.add(one)
    }
  }
  return [...names]
}

/** The flow through one network. */
export class PowerFlow {
  readonly #valueOf: ValueOf
  readonly #outputs = new Map<Pin, Live>()
  readonly #graph: NetworkGraph

  constructor(graph: NetworkGraph, read: ValueOf) {
    this.#graph = graph
    this.#valueOf = (text) => literalValue(text) ?? read(text)
    for (const box of inFlowOrder(graph))
      for (const pin of box.outputs) {
        const value = this.#output(box, pin)
        this.#outputs.set(pin, pin.isNegated ? not(value) : value)
      }
  }

  /** The value of each pin by {@link flowName}: booleans of the flow, and numbers and texts at boxes. */
  *pins(): Generator<{ readonly name: string; readonly operand?: string; readonly value: Live }> {
    for (const box of this.#graph.boxes) {
      if (box.operand !== undefined)
        yield { name: `${box.node.uId} operand`, operand: box.operand, value: this.#valueOf(box.operand) }
      for (const pin of box.inputs) yield { name: flowName(box, pin), ...operandOf(pin), value: this.input(box, pin) }
      for (const pin of box.outputs)
        yield { name: flowName(box, pin), ...operandOf(pin), value: this.#outputs.get(pin) }
    }
  }

  /** What arrives at an input. */
  input(_box: Box, pin: Pin): Live {
    const { sources, operand, isNegated } = pin
    const given =
      sources.length === 0
        ? operand === undefined
          ? undefined
          : this.#valueOf(operand)
        : sources.length === 1
          ? this.#sourceValue(sources[0] as Pin['sources'][number])
          : any(sources.map((source) => this.#sourceValue(source)))
    return isNegated ? not(given) : given
  }

  #sourceValue(source: Pin['sources'][number]): Live {
    return source === 'rail' ? true : this.#outputs.get(source.pin)
  }

  #named(box: Box, name: string): Live {
    const pin = box.inputs.find((one) => one.name === name)
    return pin && this.input(box, pin)
  }

  #output(box: Box, pin: Pin): Live {
    const { node } = box
    const name = node.kind === 'part' ? node.name : ''
    const inputs = () => box.inputs.map((one) => this.input(box, one))
    if (name === 'Contact') return all([this.#named(box, 'in'), this.#contact(box)])
    if (name === 'O') return any(inputs())
    if (name === 'A') return all(inputs())
    if (name === 'X') return oddOf(inputs())
    if (name === 'Not') return not(this.#named(box, 'in'))
    if (name in comparisons) return all([...this.#before(box), this.#comparison(box)])
    if (this.#before(box).includes(false)) return false
    if (name === 'InRange' || name === 'OutRange') return all([...this.#before(box), this.#range(box, name)])
    if (name === 'PContact' || name === 'NContact') return undefined
    // At the other level of what arrives there is no edge.
    if (name === 'PBox' || name === 'NBox') return this.#named(box, 'in') === (name === 'NBox') ? false : undefined
    if (name === 'Sr' || name === 'Rs') return box.operand === undefined ? undefined : this.#valueOf(box.operand)
    if (coilInstructions.has(name)) return this.#named(box, 'in')
    if (pin.name.toLowerCase() === 'eno') {
      const enabled = this.#named(box, 'en') ?? this.#named(box, 'EN')
      // Only MOVE cannot fail.
      return enabled === false || name === 'Move' ? enabled : undefined
    }
    const instance = instanceText(box)
    // A block that did not run gives nothing on; what its outputs are assigned to keeps its value.
    if (pin.targets.length > 0 && this.#named(box, 'en') === false && isFlow(box, pin)) return false
    if (instance !== undefined) return this.#valueOf(`${instance}.${pin.name}`)
    const [assigned] = pin.operand?.split(', ') ?? []
    return assigned === undefined ? undefined : this.#valueOf(assigned)
  }

  #contact(box: Box): Live {
    const value = box.operand === undefined ? undefined : this.#valueOf(box.operand)
    return box.node.negated.includes('operand') ? not(value) : value
  }

  /** The power flow before a comparison: one in FBD has none. */
  #before(box: Box): Live[] {
    return box.inputs.filter(({ name }) => name === 'pre').map((pin) => this.input(box, pin))
  }

  #comparison(box: Box): Live {
    const [, holds] = comparisons[box.node.kind === 'part' ? box.node.name : ''] ?? []
    const [a, b] = [this.#named(box, 'in1'), this.#named(box, 'in2')]
    if (holds === undefined || a === undefined || b === undefined) return undefined
    if (typeof a === 'number' && typeof b === 'number') return holds(a, b)
    // Texts (times, dates) are only known to be equal or not.
    if (typeof a === typeof b && holds === comparisons.Eq?.[1]) return a === b
    return typeof a === typeof b && holds === comparisons.Ne?.[1] ? a !== b : undefined
  }

  #range(box: Box, name: string): Live {
    const [min, value, max] = ['min', 'in', 'max'].map((pin) => this.#named(box, pin))
    if (typeof min !== 'number' || typeof value !== 'number' || typeof max !== 'number') return undefined
    return (min <= value && value <= max) === (name === 'InRange')
  }

  /**
   * What decides the value at an input now: the open contacts of a flow that is off, the closed ones of one that is
   * on.
   */
  reasonsOf(box: Box, pin: Pin): Reason[] {
    const found: Reason[] = []
    this.#because(box, pin, found, new Set())
    return found
  }

  #because(box: Box, pin: Pin, found: Reason[], seen: Set<Pin>) {
    const todo: { readonly box: Box; readonly pin: Pin }[] = [{ box, pin }]
    for (let next = todo.shift(); next !== undefined && found.length < mostReasons; next = todo.shift()) {
      if (seen.has(next.pin)) continue
      seen.add(next.pin)
      const { sources, operand } = next.pin
      if (sources.length === 0) {
        if (operand !== undefined && literalValue(operand) === undefined)
          found.push(this.#operandReason(next.box, next.pin.name, operand, next.pin.isNegated))
        continue
      }
      // One source that is on is enough; all that are not on keep it off.
      const isOn = any(sources.map((source) => this.#sourceValue(source))) === true
      for (const source of sources) {
        if (source === 'rail' || (isOn && this.#sourceValue(source) !== true)) continue
        todo.push(...this.#inside(source.box, source.pin, found, seen))
      }
    }
  }

  /** The reasons that an output of a box has itself; answers the inputs to look at next. */
  #inside(box: Box, pin: Pin, found: Reason[], seen: Set<Pin>): { readonly box: Box; readonly pin: Pin }[] {
    const { node } = box
    const name = node.kind === 'part' ? node.name : ''
    const given = this.#outputs.get(pin)
    // What the box gives before a negation of its output.
    const value = pin.isNegated ? not(given) : given
    const inputs = (wanted: (pin: Pin) => boolean) => box.inputs.filter(wanted).map((one) => ({ box, pin: one }))
    const isFed = (one: Pin) => one.sources.length > 0
    if (name === 'Contact' || name === 'PContact' || name === 'NContact') {
      const contact = name === 'Contact' ? this.#contact(box) : undefined
      if (box.operand !== undefined && (value === true || contact !== true))
        found.push(this.#operandReason(box, 'operand', box.operand, node.negated.includes('operand')))
      return inputs((one) => isFed(one) && (value === true || this.input(box, one) !== true))
    }
    if (name in comparisons) {
      const holds = this.#comparison(box)
      if (value === true || holds !== true) found.push(this.#comparisonReason(box, name, holds))
      return inputs((one) => one.name === 'pre' && (value === true || this.input(box, one) !== true))
    }
    // Inputs that agree with the result: of an AND that is off those that are off, of an OR that is on those on.
    if (name === 'A') return inputs((one) => value === true || this.input(box, one) !== true)
    if (name === 'O') return inputs((one) => value !== true || this.input(box, one) === true)
    if (name === 'X' || name === 'Not' || coilInstructions.has(name)) return inputs(() => true)
    const because: Reason[] = []
    if (!seen.has(pin)) {
      seen.add(pin)
      for (const one of box.inputs) {
        const fed = this.input(box, one)
        if (isFed(one) && (typeof fed === 'boolean' || fed === undefined)) this.#because(box, one, because, seen)
      }
    }
    found.push(this.#boxReason(box, pin, given, because))
    return []
  }

  #operandReason(box: Box, pin: string, text: string, isNegated: boolean): Reason {
    const value = this.#valueOf(text)
    const { uId } = box.node
    const operands = [{ pin, text, value }]
    return { uId, kind: 'operand', text, value: isNegated ? not(value) : value, isNegated, operands, because: [] }
  }

  #comparisonReason(box: Box, name: string, value: Live): Reason {
    const operands = box.inputs
      .filter((pin) => pin.name === 'in1' || pin.name === 'in2')
      .map((pin) => ({ pin: pin.name, text: pin.operand ?? '…', value: this.input(box, pin) }))
    const text = operands.map((one) => one.text).join(` ${comparisons[name]?.[0]} `)
    return { uId: box.node.uId, kind: 'comparison', text, value, isNegated: false, operands, because: [] }
  }

  #boxReason(box: Box, { name, isNegated }: Pin, value: Live, because: readonly Reason[]): Reason {
    const { node } = box
    const operands = box.inputs.flatMap((pin) => {
      if (pin.operand === undefined) return []
      const one = { pin: pin.name, text: pin.operand, value: this.#valueOf(pin.operand) }
      return [pin.isNegated ? { ...one, isNegated: true as const } : one]
    })
    const text = [node.name, instanceText(box) ?? box.operand, `(${name})`].filter(Boolean).join(' ')
    return { uId: node.uId, kind: 'box', text, value, isNegated, operands, because }
  }
}

/** Whether an output is a bit, which a wire takes on as power flow. */
function isFlow({ node }: Box, { name }: Pin): boolean {
  if (node.kind === 'part') return flowOutputs.get(node.name) === name
  return node.parameters.some((one) => one.name === name && one.type?.toLowerCase() === 'bool')
}

const operandOf = ({ operand }: Pin) => (operand === undefined ? {} : { operand })

function oddOf(values: readonly Live[]): Live {
  if (!values.every((value) => typeof value === 'boolean')) return undefined
  return values.filter((value) => value === true).length % 2 === 1
}

/** Each box after those that feed it. Boxes in a circle, which no program has, are left out: their flow is unknown. */
function inFlowOrder({ boxes }: NetworkGraph): Box[] {
  const waiting = new Map(
    boxes.map((box) => [box, box.inputs.reduce((n, { sources }) => n + sources.filter((s) => s !== 'rail').length, 0)]),
  )
  const ready = boxes.filter((box) => waiting.get(box) === 0)
  for (let i = 0; i < ready.length; i++)
    for (const { targets } of (ready[i] as Box).outputs)
      for (const { box } of targets) {
        const left = (waiting.get(box) ?? 0) - 1
        waiting.set(box, left)
        if (left === 0) ready.push(box)
      }
  return ready
}
