/** Writes the parts of statements as text: chains of contacts and branches, boxes, values, and the names of wires. */

import type { LogicNetwork, WireEnd } from '../../model/logic-network.ts'
import type { Operand } from '../../model/operand.ts'
import { operandText, pathText } from '../../model/operand-text.ts'
import { type BraceOptions, bracesOf, literalBraces } from './braces.ts'
import { comparePins } from './canonical.ts'
import { countedPins, edgeBoxes, flowElements, isFlowPin, type ValueBox, valueBoxes } from './elements.ts'
import { cardOf, Flow, type FlowSource, railKey } from './flow.ts'
import { type Box, NetworkIndex } from './network-index.ts'

export interface ExpressionOptions extends BraceOptions {
  readonly language: 'LAD' | 'FBD' | (string & {})
}

/** How tightly an operator binds; higher binds tighter. */
const Binding = { or: 1, xor: 2, and: 3, comparison: 4, sum: 5, product: 6, not: 7, atom: 8 } as const

/** A part of a statement. */
export interface Text {
  readonly text: string
  readonly binding: number
  /** A single operand: a contact, where power flows. */
  readonly isBare?: boolean
}

export const openPin: Text = { text: '???', binding: Binding.atom }

/**
 * Writes the elements of a network as text. A wire that needs a name where it is first used becomes a statement of its
 * own.
 */
export abstract class TermWriter {
  protected readonly index: NetworkIndex
  protected readonly flow: Flow
  protected readonly options: ExpressionOptions
  protected readonly isLadder: boolean
  protected readonly statements: string[] = []
  /** Wires whose definition is written. */
  protected readonly defined = new Set<string>()
  protected readonly shown = new Set<number>()
  /** UIds of boxes that are written inside the statement that they feed. */
  protected readonly inlined = new Set<number>()
  /** Sources that the next statement refers to as `ENO` or `RLO`. */
  protected readonly carried = new Set<string>()
  readonly #names = new Map<string, string>()

  constructor(network: LogicNetwork, options: ExpressionOptions) {
    this.index = new NetworkIndex(network)
    this.options = options
    this.isLadder = options.language !== 'FBD'
    this.flow = new Flow(this.index, options.language)
  }

  protected push(text: string): void {
    this.statements.push(text)
  }

  protected valueCall(box: Box, shape: ValueBox, args: readonly string[]): { text: string; binding: number } {
    this.shown.add(box.uId)
    const braces = this.#braces(box)
    const { operator } = shape
    if (operator !== undefined && args.length > 1 && !braces.includes(';')) {
      const binding = operator === '+' || operator === '-' ? Binding.sum : Binding.product
      const texts = args.map((pin) => parenthesized(this.argument(box, pin, false), binding + 1))
      const [first, ...rest] = texts
      return { text: `${first} ${operator}${braces} ${rest.join(` ${operator} `)}`, binding }
    }
    const texts = args.map((pin) => this.argument(box, pin, false).text)
    const equation = box.kind === 'part' ? box.equation : undefined
    const all = equation === undefined ? texts : [`'${equation.replace(/[$']/g, '$$$&')}'`, ...texts]
    return { text: `${instructionName(box.name)}${braces}(${all.join(', ')})`, binding: Binding.atom }
  }

  protected valueArguments(box: Box, { args }: ValueBox): readonly string[] | undefined {
    const pins = this.index.inputs(box.uId).filter((pin) => pin !== 'en')
    if (args[0] !== 'in#') return pins.every((pin) => args.includes(pin)) ? args : undefined
    const { numbered, others } = this.index.numbered(pins, 'in')
    const last = Math.max(Number(numbered.at(-1)?.slice(2) ?? 0), Math.min(cardOf(box) ?? 0, 1000))
    if (others.length > 0 || last < 1) return undefined
    return Array.from({ length: last }, (_, i) => `in${i + 1}`)
  }

  /** Operands that an output is written to, and the wire that carries it further. */
  protected outputTargets(box: Box, pin: string): string[] {
    const end: WireEnd = { kind: 'pin', uId: box.uId, pin }
    const targets = this.index
      .sinks(end)
      .flatMap((sink) => (sink.kind === 'operand' ? [operandText(this.index.operand(sink.uId) as Operand)] : []))
    const source = this.flow.source(end)
    if (source !== undefined && !isCarried(source) && source.isNamed) {
      targets.push(this.nameOf(source))
      this.defined.add(source.key)
    }
    return targets.map((target) => (box.negated.includes(pin) ? `NOT{pin} ${target}` : target))
  }

  protected outputArguments(box: Box): string[] {
    return this.index
      .outputs(box.uId)
      .flatMap((pin) => this.outputTargets(box, pin).map((target) => `${argumentName(pin)} => ${target}`))
  }

  /** `"DB".TON{…}(IN := #a, PT := T#5s, Q => #late)`. */
  protected call(box: Box, outputs: readonly string[]): string {
    this.shown.add(box.uId)
    const braces = this.#braces(box)
    const name = box.kind === 'call' ? `"${box.name}"` : instructionName(box.name)
    const instance = box.instance === undefined ? '' : `${pathText(box.instance.scope, box.instance.path)}.`
    const inputs = this.#parameterOrder(box).map(
      (pin) =>
        `${argumentName(pin)} := ${this.argument(box, pin, isFlowPin(box.name, pin) && box.kind === 'part').text}`,
    )
    return `${instance}${name}${braces}(${[...inputs, ...outputs].join(', ')})`
  }

  /** Inputs except EN; those of a call in the order of its interface. */
  #parameterOrder(box: Box): string[] {
    const pins = this.index.inputs(box.uId).filter((pin) => pin !== 'en' || this.flow.role(box) !== 'box')
    if (box.kind === 'part') return pins
    const rank = new Map(box.parameters.map(({ name }, at) => [name, at]))
    return [...pins].sort((a, b) => (rank.get(a) ?? 1e9) - (rank.get(b) ?? 1e9) || comparePins(a, b))
  }

  #braces(box: Box): string {
    const isEnoUsed = this.flow.source({ kind: 'pin', uId: box.uId, pin: 'eno' }) !== undefined
    return bracesOf(box, this.options, (name) => this.#countOf(box, name), isEnoUsed)
  }

  /** Number of inputs or outputs in the text, from which `Card` is derived when it is read back. */
  #countOf(box: Box, template: string): number | undefined {
    const prefix = template === 'Card' ? countedPins.get(box.name) : undefined
    if (prefix === undefined) return undefined
    const pins = prefix === 'in' ? this.index.inputs(box.uId) : this.index.outputs(box.uId)
    const last = Number(this.index.numbered(pins, prefix).numbered.at(-1)?.slice(prefix.length) ?? 0)
    const shape = valueBoxes.get(box.name)
    const isValue = shape !== undefined && this.valueArguments(box, shape) !== undefined
    return isValue ? Math.max(last, Math.min(cardOf(box) ?? 1, 1000), 1) : last
  }

  /** The text at a pin. `isFlow`: a bare operand in the text is a contact there (LAD). */
  protected argument(box: Box, pin: string, isFlow: boolean): Text {
    const own = this.plain(box, pin, isFlow)
    if (!box.negated.includes(pin)) return own
    // Braces directly after a NOT would belong to the NOT.
    const plain = own.text.startsWith('{') ? { ...own, text: `(${own.text})` } : own
    if (this.isLadder) return { text: `NOT{pin} ${parenthesized(plain, Binding.not + 1)}`, binding: Binding.not }
    return { text: `NOT ${parenthesized(plain, Binding.not + 1)}`, binding: Binding.not }
  }

  protected plain(box: Box, pin: string, isFlow = false): Text {
    const end = this.index.source(box.uId, pin)
    switch (end?.kind) {
      case 'operand': {
        const operand = this.index.operand(end.uId) as Operand
        const braces = literalBraces(operand, box, pin, this.options)
        const isDirect = isFlow && this.isLadder
        const marks = !isDirect ? braces : braces === '' ? '{direct} ' : braces.replace('{', '{direct, ')
        return { text: `${marks}${operandText(operand)}`, binding: Binding.atom }
      }
      case 'pin': {
        const source = this.flow.source(end)
        if (source === undefined) return openPin
        const text = this.#isDirect(source) ? this.#value(source) : this.#chain(source, railKey)
        const mustMark = this.isLadder && !isFlow && text.isBare === true
        return mustMark ? { text: `(${text.text})`, binding: Binding.atom } : text
      }
      case 'powerrail':
        return { text: isFlow && this.isLadder ? 'TRUE' : 'RAIL', binding: Binding.atom }
      case 'openbranch':
        return { text: 'OPENBRANCH', binding: Binding.atom }
      default:
        return openPin
    }
  }

  /** Whether a value is not power flow: it is written alone, not in a chain. */
  #isDirect(source: FlowSource): boolean {
    return source.role === 'box' && !source.isNamed
  }

  /**
   * The AND chain from `base` (not included) to a source. `isDefinition`: the source is written in full although it has
   * a name.
   */
  #chain(source: FlowSource, base: string, isDefinition = false): Text {
    const factors: Text[] = []
    for (let at: FlowSource | undefined = source; at !== undefined && at.key !== base; ) {
      if (at.isNamed && !(isDefinition && factors.length === 0)) {
        factors.push({ text: this.reference(at), binding: Binding.atom })
        break
      }
      factors.push(this.#factor(at))
      const feed = this.#openFeed(at)
      if (feed !== undefined) factors.push(feed)
      at = this.flow.byKey(at.predecessor)
    }
    return inSeries(factors.reverse())
  }

  /** The text before a contact that follows no other logic, when that is not the power rail. */
  #openFeed({ role, box }: FlowSource): Text | undefined {
    const element = role === 'factor' ? flowElements.get(box.name) : undefined
    if (element === undefined) return undefined
    const feed = this.index.source(box.uId, element.pre)
    if (feed?.kind === 'pin') return this.flow.source(feed) === undefined ? openPin : undefined
    if (feed?.kind === 'powerrail') return this.isLadder ? undefined : { text: 'RAIL', binding: Binding.atom }
    if (feed === undefined) return this.isLadder ? openPin : undefined
    const plain = this.plain(box, element.pre, true)
    return plain
  }

  protected elementAlone(box: Box): string {
    const role = this.flow.role(box)
    const end = { kind: 'pin', uId: box.uId, pin: 'out' } as const
    const source: FlowSource = {
      key: `alone ${box.uId}`,
      end,
      box,
      role,
      predecessor: this.#feedKey(box, role),
      depth: 0,
      nesting: 0,
      references: 1,
      isNamed: false,
      base: railKey,
      owner: box.uId,
    }
    return this.#chain(source, railKey).text
  }

  #feedKey(box: Box, role: string): string {
    const pre = role === 'factor' ? flowElements.get(box.name)?.pre : undefined
    if (pre === undefined) return railKey
    return this.flow.source(this.index.source(box.uId, pre))?.key ?? railKey
  }

  /** One member of a chain. */
  #factor(source: FlowSource): Text {
    const { box, role, end } = source
    const text = this.#factorText(source)
    if (role === 'box' || role === 'coil' || !box.negated.includes(end.pin)) return text
    return { text: `NOT{out} ${parenthesized(text, Binding.not + 1)}`, binding: Binding.not }
  }

  #factorText(source: FlowSource): Text {
    const { box, role } = source
    if (role === 'box' || role === 'coil') return this.#value(source)
    this.shown.add(box.uId)
    if (role === 'junction') return this.#junction(source)
    if (role === 'edge') return this.#edge(box)
    if (role === 'inversion') return this.#inversion(box)
    return this.#element(box)
  }

  #element(box: Box): Text {
    const element = flowElements.get(box.name) as { args: readonly string[]; operator?: string; call?: string }
    const braces = bracesOf(box, this.options, () => undefined)
    if (element.operator === undefined && element.call === undefined && braces !== '')
      return {
        text: `${box.name}${braces}(operand := ${this.argument(box, 'operand', false).text})`,
        binding: Binding.atom,
      }
    if (element.operator !== undefined) {
      const [left, right] = element.args.map((pin) =>
        parenthesized(this.argument(box, pin, false), Binding.comparison + 1),
      )
      return { text: `${left} ${element.operator}${braces} ${right}`, binding: Binding.comparison }
    }
    if (element.call === undefined) return this.#contact(box)
    const args = element.args.map((pin) => this.argument(box, pin, false).text)
    return { text: `${element.call}${braces}(${args.join(', ')})`, binding: Binding.atom }
  }

  #contact(box: Box): Text {
    const operand = this.plain(box, 'operand')
    const isNegated = box.negated.includes('operand')
    const feed = box.negated.includes('in') ? 'NOT{in} ' : ''
    // Parentheses distinguish a literal contact from the power rail, and its type from the braces of a NOT.
    const text = /^(TRUE|FALSE|\{.*)$/is.test(operand.text) ? `(${operand.text})` : operand.text
    return {
      text: `${feed}${isNegated ? 'NOT ' : ''}${text}`,
      binding: isNegated || feed !== '' ? Binding.not : Binding.atom,
      isBare: true,
    }
  }

  #junction({ box, predecessor }: FlowSource): Text {
    const pins = this.flow.junctionPins(box)
    const name = box.name
    const braces = bracesOf(box, this.options, () => pins.length)
    const parts = pins.map((pin) => this.#branch(box, pin, name === 'O' ? predecessor : railKey))
    if (pins.length < 2 || braces !== '')
      return {
        text: `${name}${braces}(${parts.map(({ text }, i) => `${pins[i]} := ${text}`).join(', ')})`,
        binding: Binding.atom,
      }
    const binding = name === 'O' ? Binding.or : name === 'A' ? Binding.and : Binding.xor
    const word = name === 'O' ? ' OR ' : name === 'A' ? ' AND ' : ' XOR '
    return { text: parts.map((part) => parenthesized(part, binding + 1)).join(word), binding }
  }

  /** One branch, relative to where the branches split. */
  #branch(box: Box, pin: string, base: string): Text {
    const end = this.index.source(box.uId, pin)
    const isNegated = box.negated.includes(pin)
    const source = this.flow.source(end)
    let text: Text
    if (this.isLadder && end?.kind === 'powerrail')
      text = { text: base === railKey ? 'TRUE' : 'RAIL', binding: Binding.atom }
    else if (source === undefined) text = this.plain(box, pin, true)
    else if (base !== railKey && source.key === base) text = { text: 'TRUE', binding: Binding.atom }
    else text = this.#chain(source, base)
    if (!isNegated) return text
    const not = this.isLadder ? 'NOT{pin}' : 'NOT'
    return { text: `${not} ${parenthesized(text, Binding.not + 1)}`, binding: Binding.not }
  }

  #edge(box: Box): Text {
    const name = edgeBoxes.get(box.name) as string
    const braces = bracesOf(box, this.options, () => undefined)
    const text = `${name}${braces}(${this.argument(box, 'in', true).text}, ${this.argument(box, 'bit', false).text})`
    return { text, binding: Binding.atom }
  }

  #inversion(box: Box): Text {
    const inner = this.argument(box, 'in', true)
    const braces = bracesOf(box, this.options, () => undefined)
    if (!this.isLadder || braces !== '') return { text: `Not${braces}(in := ${inner.text})`, binding: Binding.atom }
    return { text: `NOT (${inner.text})`, binding: Binding.not }
  }

  /** An output of a box, or what a coil passes on. */
  #value(source: FlowSource): Text {
    const { box, end, key } = source
    if (this.carried.has(key)) return { text: negatedOutput(box, end.pin, carriedText(source)), binding: Binding.atom }
    if (!this.inlined.has(box.uId)) return { text: this.reference(source), binding: Binding.atom }
    if (box.kind === 'part' && box.instance === undefined && end.pin === 'out' && !box.negated.includes('out')) {
      const shape = valueBoxes.get(box.name)
      const args = shape?.result === 'out' ? this.valueArguments(box, shape) : undefined
      const others = this.index.outputs(box.uId).length
      if (shape !== undefined && args !== undefined && others === 1) {
        const { text, binding } = this.valueCall(box, shape, args)
        return shape.operator === undefined ? { text: `${text}.out`, binding } : { text, binding }
      }
    }
    const call = `${this.call(box, this.outputArguments(box))}.${argumentName(end.pin)}`
    if (!box.negated.includes(end.pin)) return { text: call, binding: Binding.atom }
    return { text: `NOT{out} ${call}`, binding: Binding.not }
  }

  /** Name of a wire; its definition is written before, if it is not written yet. */
  protected reference(source: FlowSource): string {
    if (this.defined.has(source.key)) return this.nameOf(source)
    this.defined.add(source.key)
    const { role, box } = source
    if (role === 'box' || role === 'coil') {
      // Used before its box is executed: a ring. The box's own statement names the wire.
      if (!this.inlined.has(box.uId)) {
        this.defined.delete(source.key)
        source.isNamed = true
        return this.nameOf(source)
      }
    }
    // After its own definition, a wire of a ring is written by its name.
    const { text } = this.#chain(source, railKey, true)
    const name = this.nameOf(source)
    this.push(`${name} := ${text};`)
    return name
  }

  protected nameOf({ key }: FlowSource): string {
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const name = `wire#${this.#names.size + 1}`
    this.#names.set(key, name)
    return name
  }
}

/** Whether the next statement can refer to an output by a word: ENO of a box, RLO after a coil. */
export function isCarried({ role, end }: FlowSource): boolean {
  return role === 'coil' || (role === 'box' && end.pin === 'eno')
}

export function carriedText({ role }: FlowSource): string {
  return role === 'coil' ? 'RLO' : 'ENO'
}

export function negatedOutput(box: Box, pin: string, text: string): string {
  return box.negated.includes(pin) ? `NOT{out} ${text}` : text
}

function inSeries(factors: readonly Text[]): Text {
  const [only] = factors
  if (only === undefined) return { text: 'TRUE', binding: Binding.atom }
  if (factors.length === 1) return only
  return { text: factors.map((factor) => parenthesized(factor, Binding.and + 1)).join(' AND '), binding: Binding.and }
}

function parenthesized({ text, binding }: Text, least: number): string {
  return binding < least ? `(${text})` : text
}

/** Names of instructions that are not plain words are written `Part{Name := '…'}`, pins likewise in apostrophes. */
export function instructionName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `Part'${name.replace(/[$']/g, '$$$&')}'`
}

function argumentName(pin: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(pin) ? pin : `'${pin.replace(/[$']/g, '$$$&')}'`
}
