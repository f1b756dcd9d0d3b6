/**
 * Writes LAD and FBD networks as rungs (docs/formats.md#simatic-sd). Layout and order of the rungs follow TIA Portal,
 * as far as seen in its files.
 */

import { endKey } from '../../languages/ladder/build.ts'
import { comparePins } from '../../languages/ladder/canonical.ts'
import type { TemplateValue } from '../../model/instance.ts'
import type { CallNode, InstructionNode, LogicNetwork, NetworkNode, WireEnd } from '../../model/logic-network.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import type { Operand } from '../../model/operand.ts'
import { type Instruction, instructionWritten, otherInstruction, writtenPin } from './instructions.ts'
import { sdName, sdOperand, sdPath } from './names.ts'

export interface RungWriteContext {
  /** Returns the id of a text. */
  readonly textId: (text: MultilingualText) => string | undefined
}

/** Thrown when a network has no form in this format. */
export class NotExpressible extends Error {}

/**
 * Writes the lines of the rungs, indented from the level of NETWORK's content.
 * @throws NotExpressible saying what the format has no form for
 */
export function writeRungs(network: LogicNetwork | undefined, language: string, context: RungWriteContext): string[] {
  const isLadder = language.endsWith('LAD')
  const start = isLadder ? 'RUNG wire#powerrail' : 'RUNG'
  if (network === undefined || (network.nodes.length === 0 && network.wires.length === 0)) {
    const labels = (network?.labels ?? []).map(({ name }) => `Label( ${labelText(name)} )`)
    return [...labels, start, 'END_RUNG']
  }
  return new RungWriter(network, isLadder, context).write()
}

type Box = InstructionNode | CallNode

/** A source with everything connected to it. */
interface Net {
  readonly source: WireEnd
  readonly sinks: WireEnd[]
  name?: string
  /** The rung that leads to it is written, so rungs can begin with its name. */
  isWritten: boolean
}

type PinSink = WireEnd & { kind: 'pin' }

class RungWriter {
  readonly #network: LogicNetwork
  readonly #isLadder: boolean
  readonly #context: RungWriteContext
  readonly #nodes: ReadonlyMap<number, NetworkNode>
  readonly #nets = new Map<string, Net>()
  /** Nets at the pins of each box, in the order of the wires; a pin is either the source or a sink of a net. */
  readonly #pins = new Map<number, { readonly pin: string; readonly net: Net; readonly isSource: boolean }[]>()
  readonly #joins = new Map<number, boolean>()
  /** Net that leads into a pin. */
  readonly #into = new Map<string, Net>()
  readonly #entries = new Map<number, Instruction>()
  readonly #written = new Set<number>()
  readonly #lines: string[] = []
  #names = 0

  constructor(network: LogicNetwork, isLadder: boolean, context: RungWriteContext) {
    this.#network = network
    this.#isLadder = isLadder
    this.#context = context
    this.#nodes = new Map(network.nodes.map((node) => [node.uId, node]))
    for (const [index, { ends }] of network.wires.entries()) {
      const [source, ...sinks] = ends
      if (source === undefined) continue
      const key = source.kind === 'openbranch' ? `openbranch ${index}` : endKey(source)
      const net = this.#nets.get(key) ?? { source, sinks: [], isWritten: false }
      this.#nets.set(key, net)
      net.sinks.push(...sinks)
      for (const sink of sinks) if (sink.kind === 'pin') this.#into.set(endKey(sink), net)
    }
    for (const net of this.#nets.values()) {
      if (net.source.kind === 'pin') this.#pin(net.source, net, true)
      for (const sink of net.sinks) if (sink.kind === 'pin') this.#pin(sink, net, false)
    }
  }

  #pin({ uId, pin }: PinSink, net: Net, isSource: boolean): void {
    const list = this.#pins.get(uId)
    if (list === undefined) this.#pins.set(uId, [{ pin, net, isSource }])
    else list.push({ pin, net, isSource })
  }

  write(): string[] {
    for (const { name } of this.#network.labels) this.#lines.push(`Label( ${labelText(name)} )`)
    const boxes = this.#network.nodes.filter((node): node is Box => node.kind !== 'operand')
    for (const box of boxes) if (!this.#isJoin(box)) this.#entries.set(box.uId, this.#entryOf(box))
    for (const box of boxes)
      if (!this.#isJoin(box) && this.#isLast(box) && !this.#written.has(box.uId)) this.#rungTo(box)
    // Boxes that lead only to open ends, or in a circle.
    for (const box of boxes) if (!this.#isJoin(box) && !this.#written.has(box.uId)) this.#rungTo(box)
    for (const net of this.#nets.values()) this.#openBranches(net)
    const lost = boxes.find((box) => !this.#isJoin(box) && !this.#written.has(box.uId))
    if (lost !== undefined) throw new NotExpressible(`${this.#title(lost)} is part of a circle of connections`)
    return this.#lines
  }

  #title(box: Box): string {
    return `${box.kind === 'call' ? `the call of "${box.name}"` : box.name} (UId ${box.uId})`
  }

  /** In LAD an `O` is the place where rungs meet, not an instruction. */
  #isJoin(node: NetworkNode | undefined): node is InstructionNode {
    if (node === undefined) return false
    const known = this.#joins.get(node.uId)
    if (known !== undefined) return known
    const isJoin = this.#findJoin(node)
    this.#joins.set(node.uId, isJoin)
    return isJoin
  }

  #findJoin(node: NetworkNode): boolean {
    if (!this.#isLadder || node.kind !== 'part' || node.name !== 'O' || node.negated.length > 0) return false
    const card = Number(node.templates.find(({ name }) => name === 'Card')?.value ?? 0)
    if (!(card >= 2 && card < 10_000)) return false
    if (this.#netFrom(node.uId, 'out')?.sinks.some((end) => end.kind === 'pin' || end.kind === 'openbranch') !== true)
      return false
    for (let i = 1; i <= card; i++) {
      const net = this.#into.get(endKey({ kind: 'pin', uId: node.uId, pin: `in${i}` }))
      if (net === undefined || net.source.kind === 'open' || net.source.kind === 'openbranch') return false
    }
    return true
  }

  #entryOf(box: Box): Instruction {
    const flowIn = this.#into.has(pinKey(box.uId, 'en')) ? 'en' : undefined
    if (box.kind === 'call') return { ...otherInstruction(box.name, box.instance !== undefined, 'en'), hasEno: false }
    const entry = instructionWritten(box.name, box.negated, box.instance !== undefined, flowIn)
    if (entry === undefined)
      throw new NotExpressible(`${this.#title(box)} cannot be told apart from another instruction of this format`)
    return entry
  }

  #netInto(uId: number, pin: string | undefined): Net | undefined {
    return pin === undefined ? undefined : this.#into.get(pinKey(uId, pin))
  }

  #netFrom(uId: number, pin: string | undefined): Net | undefined {
    return pin === undefined ? undefined : this.#nets.get(pinKey(uId, pin))
  }

  /** Whether the rung of a box ends with it: nothing continues from its flow output. */
  #isLast(box: Box): boolean {
    const net = this.#netFrom(box.uId, this.#entries.get(box.uId)?.flowOut)
    return net === undefined || !net.sinks.some((end) => end.kind === 'pin')
  }

  /** How many other places use the net: more than one means that it needs a name. */
  #branches(net: Net): number {
    return net.sinks.filter((end) => end.kind === 'pin' || end.kind === 'openbranch').length
  }

  #nameOf(net: Net): string {
    net.name ??= `wire#w${++this.#names}`
    return net.name
  }

  /** Writes the rung that ends with a box, then the rungs that its wires need. */
  #rungTo(box: Box): void {
    const path = this.#pathTo(box)
    const waiting = this.#rung(path, undefined)
    this.#feed(waiting)
  }

  /**
   * The path from the last box back to where a rung can begin: the power rail, a wire that is already written, an
   * operand or nothing. Joins are passed through their first input.
   */
  #pathTo(box: Box): Path {
    return this.#pathFrom(this.#netInto(box.uId, this.#entries.get(box.uId)?.flowIn), [{ kind: 'box', box }])
  }

  #pathFrom(last: Net | undefined, behind: Step[]): Path {
    const steps = [...behind].reverse()
    const passed = new Set<Net>()
    let net = last
    for (;;) {
      if (net === undefined || net.source.kind === 'open' || net.source.kind === 'openbranch')
        return { start: '', steps: steps.reverse() }
      if (net.source.kind === 'powerrail') return { start: 'wire#powerrail', steps: steps.reverse() }
      if (net.isWritten) return { start: this.#nameOf(net), steps: steps.reverse() }
      if (passed.has(net)) throw new NotExpressible('the connections lead around in a circle')
      passed.add(net)
      if (net.source.kind === 'operand') {
        if (this.#branches(net) > 1) steps.push({ kind: 'wire', net })
        return { start: this.#operandAt(net.source.uId), steps: steps.reverse() }
      }
      const source = net.source as PinSink
      const node = this.#nodes.get(source.uId)
      if (this.#isJoin(node)) {
        steps.push({ kind: 'wire', net, join: node })
        net = this.#into.get(pinKey(node.uId, 'in1'))
        continue
      }
      const entry = this.#entries.get(source.uId)
      if (node === undefined || node.kind === 'operand' || entry === undefined)
        throw new NotExpressible(`a wire begins at UId ${source.uId}, which is no box`)
      // Outputs other than the flow are named where they are: `done => wire#w1`.
      if (entry.flowOut !== source.pin || this.#written.has(node.uId))
        return { start: this.#nameOf(net), steps: steps.reverse() }
      if (this.#branches(net) > 1 || net.name !== undefined) steps.push({ kind: 'wire', net })
      steps.push({ kind: 'box', box: node })
      net = this.#netInto(node.uId, entry.flowIn)
    }
  }

  /** Writes a rung. Returns the wires in it, in order; rungs that lead to them must follow. */
  #rung(path: Path, end: string | undefined): Net[] {
    const waiting: Net[] = []
    this.#lines.push(path.start === '' ? 'RUNG' : `RUNG ${path.start}`)
    for (const step of path.steps) {
      if (step.kind === 'wire') {
        this.#lines.push(`    ${this.#nameOf(step.net)}`)
        step.net.isWritten = true
        waiting.push(step.net)
      } else {
        this.#written.add(step.box.uId)
        this.#lines.push(...this.#element(step.box, waiting).map((line) => `    ${line}`))
      }
    }
    this.#lines.push(end === undefined ? 'END_RUNG' : `END_RUNG ${end}`)
    return waiting
  }

  /** Writes the rungs that lead to wires: further inputs of joins, and the connections of parameters. */
  #feed(waiting: readonly Net[]): void {
    for (const net of waiting) {
      const { source } = net
      const node = source.kind === 'pin' ? this.#nodes.get(source.uId) : undefined
      const isJoin = this.#isJoin(node)
      if (!net.isWritten) {
        net.isWritten = true
        if (isJoin) this.#feeder(this.#into.get(pinKey(node.uId, 'in1')), net)
        else if (source.kind === 'operand')
          this.#lines.push(`RUNG ${this.#operandAt(source.uId)}`, `END_RUNG ${this.#nameOf(net)}`)
        else if (node !== undefined && node.kind !== 'operand' && !this.#written.has(node.uId)) {
          const entry = this.#entries.get(node.uId)
          if (entry?.flowOut === (source as PinSink).pin) {
            const nested = this.#rung(this.#pathTo(node), this.#nameOf(net))
            this.#feed(nested)
          }
        }
      }
      if (!isJoin || this.#fed.has(net)) continue
      this.#fed.add(net)
      const count = Number(node.templates.find(({ name }) => name === 'Card')?.value ?? 0)
      for (let i = 2; i <= count; i++) this.#feeder(this.#into.get(pinKey(node.uId, `in${i}`)), net)
    }
  }

  readonly #fed = new Set<Net>()

  /** Writes a rung from the source of `from`, ending in `into`. */
  #feeder(from: Net | undefined, into: Net): void {
    const steps: Step[] = []
    if (from !== undefined && !from.isWritten && from.source.kind === 'pin' && this.#branches(from) > 1) {
      // The branch is in the middle of this rung: its name is written before the end.
      const node = this.#nodes.get(from.source.uId)
      if (!this.#isJoin(node)) {
        const entry = this.#entries.get(from.source.uId)
        if (entry?.flowOut !== from.source.pin || this.#written.has(from.source.uId)) {
          this.#lines.push(`RUNG ${this.#nameOf(from)}`, `END_RUNG ${this.#nameOf(into)}`)
          return
        }
      }
    }
    const path = this.#pathFrom(from, steps)
    this.#feed(this.#rung(path, this.#nameOf(into)))
  }

  /** A wire that leads nowhere: an empty rung. */
  #openBranches(net: Net): void {
    for (const sink of net.sinks) {
      if (sink.kind !== 'openbranch') continue
      if (net.source.kind === 'powerrail') this.#lines.push('RUNG wire#powerrail', 'END_RUNG')
      else if (net.isWritten) this.#lines.push(`RUNG ${this.#nameOf(net)}`, 'END_RUNG')
      else throw new NotExpressible('a branch that leads to nothing begins where no rung does')
    }
  }

  #operandAt(uId: number): string {
    const node = this.#nodes.get(uId)
    if (node?.kind !== 'operand') throw new NotExpressible(`a wire leads to UId ${uId}, which is no operand`)
    return operandOf(node.operand)
  }

  #element(box: Box, waiting: Net[]): string[] {
    const entry = this.#entries.get(box.uId) as Instruction
    const values = this.#arguments(box, entry, waiting)
    const isNegated = entry.flowIn !== undefined && box.negated.includes(entry.flowIn)
    const head = `${isNegated ? 'NOT ' : ''}${this.#headOf(box, entry)}`
    return [...this.#pragma(box, entry), ...layout(head, values, entry)]
  }

  #headOf(box: Box, entry: Instruction): string {
    const { instance } = box
    if (instance !== undefined && instance.scope !== 'LocalVariable' && instance.scope !== 'GlobalVariable')
      throw new NotExpressible(`${this.#title(box)} has instance data of the scope ${instance.scope}`)
    if (box.kind === 'call') {
      if (instance === undefined) return `"${box.name}"`
      return sdPath(instance.scope, instance.path)
    }
    return instance === undefined ? entry.sd : `${sdPath(instance.scope, instance.path)}.${entry.sd}`
  }

  #pragma(box: Box, entry: Instruction): string[] {
    const entries: [string, string][] = []
    if (box.kind === 'part') {
      const types = box.templates.filter(({ type }) => type === 'Type')
      if (types.length > 0) entries.push(['S7_Templates', templatesText(types)])
      for (const { name, type, value } of box.templates)
        if (type !== 'Type' && !(name === 'Card' && entry.counted !== undefined)) entries.push([name, value])
      if (entry.hasEno && box.disabledEno !== true) entries.push(['S7_GenerateENO', 'TRUE'])
      if (!entry.hasEno && box.disabledEno === true) entries.push(['S7_GenerateENO', 'FALSE'])
      if (box.equation !== undefined) entries.push(['S7_Expression', box.equation])
    }
    const comment = box.comment === undefined ? undefined : this.#context.textId(box.comment)
    if (comment !== undefined) entries.push(['S7_MLC', comment])
    const texts = entries.map(([name, value]) => `${name} := ${pragmaText(value)}`)
    if (texts.length === 0) return []
    if (texts.length === 1) return [`{ ${texts[0]} }`]
    return ['{', ...texts.map((text, i) => `    ${text}${i < texts.length - 1 ? '; ' : ''}`), '}']
  }

  #arguments(box: Box, entry: Instruction, waiting: Net[]): WrittenArgument[] {
    const list: WrittenArgument[] = []
    const own = (pin: string) => entry.negated.includes(pin)
    const negated = box.negated.filter((pin) => pin !== entry.flowIn && !own(pin))
    const add = (pin: string, isSource: boolean, value: string, order: number): void => {
      const listed = writtenPin(entry, pin)
      const parameter = box.kind === 'call' ? box.parameters.findIndex(({ name }) => name === pin) : -1
      const isNegated = negated.includes(pin)
      if (isNegated && isSource) throw new NotExpressible(`output ${pin} of ${this.#title(box)} is inverted`)
      list.push({
        pin,
        sd: listed?.sd ?? pinText(pin),
        arrow: listed?.arrow ?? isSource,
        order: listed?.order ?? (parameter === -1 ? 1_000_000 + order : parameter),
        value: isNegated ? `NOT ${value}` : value,
      })
    }
    for (const [order, { pin, net, isSource }] of (this.#pins.get(box.uId) ?? []).entries()) {
      if (!isSource) {
        if (pin !== entry.flowIn) add(pin, false, this.#inputValue(net, waiting), order)
      } else if (pin !== entry.flowOut || net.sinks.some((end) => end.kind === 'operand'))
        add(pin, true, this.#outputValue(box, net, waiting), order)
    }
    for (const pin of box.negated)
      if (pin !== entry.flowIn && !list.some((item) => item.pin === pin) && !own(pin))
        throw new NotExpressible(
          pin === entry.flowOut
            ? `the output ${pin} of ${this.#title(box)} is inverted`
            : `pin ${pin} of ${this.#title(box)} is inverted but not connected`,
        )
    this.#fillCount(box, entry, list)
    return list.sort((a, b) => a.order - b.order || comparePins(a.pin, b.pin))
  }

  /** Adds inputs or outputs of the box that nothing is connected to: their number is not written otherwise. */
  #fillCount(box: Box, entry: Instruction, list: WrittenArgument[]): void {
    const numbered = entry.pins.find(({ from }) => from !== undefined)
    if (box.kind === 'call' || entry.counted === undefined || numbered?.from === undefined) return
    const count = Number(box.templates.find(({ name }) => name === 'Card')?.value ?? 0)
    if (!(count < 10_000)) throw new NotExpressible(`${this.#title(box)} has the count ${count}`)
    for (let number = numbered.from; number <= count; number++) {
      const pin = `${numbered.pin}${number}`
      if (list.some((item) => item.pin === pin)) continue
      const listed = writtenPin(entry, pin)
      if (listed !== undefined) list.push({ ...listed, pin, value: '' })
    }
  }

  #inputValue(net: Net, waiting: Net[]): string {
    switch (net.source.kind) {
      case 'operand':
        if (this.#branches(net) > 1) break
        return this.#operandAt(net.source.uId)
      case 'powerrail':
        return 'wire#powerrail'
      case 'open':
      case 'openbranch':
        return ''
      case 'pin':
        break
    }
    waiting.push(net)
    return this.#nameOf(net)
  }

  #outputValue(box: Box, net: Net, waiting: Net[]): string {
    const operands = net.sinks.filter((end) => end.kind === 'operand')
    const pins = net.sinks.filter((end) => end.kind === 'pin')
    const [only] = operands
    if (operands.length + (pins.length > 0 ? 1 : 0) > 1)
      throw new NotExpressible(`an output of ${this.#title(box)} leads to several operands`)
    if (only?.kind === 'operand') return this.#operandAt(only.uId)
    if (pins.length === 0) return ''
    net.isWritten = true
    waiting.push(net)
    return this.#nameOf(net)
  }
}

type Step =
  | { readonly kind: 'box'; readonly box: Box }
  | { readonly kind: 'wire'; readonly net: Net; readonly join?: InstructionNode }

interface Path {
  readonly start: string
  readonly steps: readonly Step[]
}

interface WrittenArgument {
  readonly pin: string
  readonly sd: string
  readonly arrow: boolean
  readonly order: number
  readonly value: string
}

function pinKey(uId: number, pin: string): string {
  return endKey({ kind: 'pin', uId, pin })
}

/** One argument is written on the line of its instruction, several on lines of their own. */
function layout(head: string, values: readonly WrittenArgument[], entry: Instruction): string[] {
  const [only] = values
  if (only === undefined) return [entry.single === undefined ? `${head}()` : `${head}( )`]
  if (values.length === 1 && only.pin === entry.single)
    return [only.value === '' ? `${head}( )` : `${head}( ${only.value} )`]
  if (values.length === 1 && only.value === '' && only.arrow) return [`${head}(${argumentText(only)})`]
  if (values.length === 1) return [`${head}( ${argumentText(only)} )`]
  return [`${head}(`, ...values.map((value, i) => `    ${argumentText(value)}${i < values.length - 1 ? ',' : ''}`), ')']
}

function argumentText({ sd, arrow, value }: WrittenArgument): string {
  return `${sd} ${arrow ? '=>' : ':='} ${value === '' ? ' ' : value}`
}

function pinText(pin: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(pin) ? pin : `"${pin}"`
}

function operandOf(operand: Operand): string {
  if (operand.kind === 'label') return labelText(operand.name)
  if (operand.kind === 'other') throw new NotExpressible(`operands of the scope ${operand.scope}`)
  if (operand.kind === 'indirect' || operand.kind === 'status') throw new NotExpressible('operands of STL')
  return sdOperand(operand)
}

function labelText(name: string): string {
  return name === '' ? '' : sdName(name)
}

function templatesText(types: readonly TemplateValue[]): string {
  const list = types.map(({ name, value }) => `${name} := ${value}`).join(', ')
  return types.length > 1 ? `[${list}]` : list
}

/** A value of an attribute. */
export function pragmaText(value: string): string {
  return `"${value.replace(/[$"]/g, (char) => `$${char}`)}"`
}
