/** Converts rungs to a LAD or FBD network (docs/formats.md#simatic-sd). */

import { defined } from '../../../lib/optional.ts'
import {
  cardinality,
  type InstructionOptions,
  NetworkBuilder,
  type NodeId,
  pinEnd,
  typeTemplate,
} from '../../languages/ladder/build.ts'
import { defaultTemplates } from '../../languages/ladder/elements.ts'
import type { Instance, TemplateValue } from '../../model/instance.ts'
import type { CallParameter, LogicNetwork, WireEnd } from '../../model/logic-network.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { userType } from '../../model/names.ts'
import type { InterfaceSection } from '../../model/object.ts'
import type { Operand } from '../../model/operand.ts'
import { type Instruction, instructionNamed, otherInstruction, pinNamed } from './instructions.ts'
import { literalTypeByForm, literalTypes, typedLiteral } from './literal-types.ts'
import { type ProgramAround, typeOfGlobal, typeOfPath } from './program.ts'
import { countedPins, declaredParameters, otherTemplate, parametersOf, templateEntries } from './rung-parameters.ts'
import type { Argument, Element, RungNetwork, Value } from './rung-syntax.ts'

export interface RungContext {
  readonly sections: readonly InterfaceSection[]
  readonly program: ProgramAround
  /** Names of the block's constants (upper case). */
  readonly constants: ReadonlySet<string>
  readonly fault: (message: string, at: number) => void
  readonly warn: (message: string, at: number) => void
  /** Like `warn`, but only once per block. */
  readonly warnOnce: (message: string, at: number) => void
  /** Looks up the text of a resource id. */
  readonly text: (id: string, at: number) => MultilingualText
}

/** The place that a rung continues from. */
type Flow =
  | { readonly kind: 'open' }
  | { readonly kind: 'wire'; readonly name: string; readonly at: number }
  | { readonly kind: 'end'; readonly end: WireEnd }
  | { readonly kind: 'operand'; readonly operand: Operand; readonly isNegated: boolean }

interface Sink {
  readonly node: NodeId
  readonly pin: string
}

interface NamedWire {
  /** Set when it is inside a rung: the first of the flows that lead into it. */
  inline?: Flow
  inlineAt?: number
  readonly sources: Flow[]
  readonly sinks: Sink[]
  usedAt: number
  isResolving: boolean
  source?: WireEnd | undefined
  isNegated: boolean
  isResolved: boolean
}

/** A network, and the offsets of its nodes in the text by their UIds. */
export interface PlacedNetwork {
  readonly graph: LogicNetwork
  readonly places: ReadonlyMap<number, number>
}

/** Makes the network. Faults are reported to the context; the network is usable only when there are none. */
export function networkOfRungs(network: RungNetwork, context: RungContext): PlacedNetwork | undefined {
  if (network.labels.length === 0 && network.rungs.every(({ items, end }) => items.length === 0 && end === undefined))
    return undefined
  return new RungReader(context).read(network)
}

class RungReader {
  readonly #context: RungContext
  readonly #builder = new NetworkBuilder()
  readonly #wires = new Map<string, NamedWire>()

  constructor(context: RungContext) {
    this.#context = context
  }

  read(network: RungNetwork): PlacedNetwork {
    for (const { name } of network.labels) this.#builder.label(name)
    for (const rung of network.rungs) {
      this.#builder.place = rung.at
      let flow = this.#startOf(rung.start, rung.isStartNegated, rung.at)
      if (rung.items.length === 0 && rung.end === undefined && flow.kind === 'end')
        this.#builder.connect(flow.end, { kind: 'openbranch' })
      for (const item of rung.items) {
        this.#builder.place = item.at
        if (item.kind === 'element') flow = this.#element(item, flow)
        else {
          const wire = this.#wire(item.name, item.at)
          if (isPowerrail(item.name)) this.#context.fault('wire#powerrail can only begin a rung', item.at)
          else if (wire.inlineAt !== undefined)
            this.#context.fault(`wire#${item.name} stands inside two rungs; the others begin or end with it`, item.at)
          else {
            wire.inlineAt = item.at
            if (flow.kind !== 'open') wire.inline = flow
          }
          flow = { kind: 'wire', name: item.name, at: item.at }
        }
      }
      if (rung.end !== undefined) {
        if (isPowerrail(rung.end.name)) this.#context.fault('a rung cannot end in wire#powerrail', rung.end.at)
        else this.#wire(rung.end.name, rung.end.at).sources.push(flow)
      }
    }
    for (const [name, wire] of this.#wires) {
      this.#builder.place = wire.usedAt
      this.#resolve(name, wire)
    }
    const graph = this.#builder.network()
    return { graph, places: this.#builder.placesByUId }
  }

  #wire(name: string, at: number): NamedWire {
    const key = name.toUpperCase()
    let wire = this.#wires.get(key)
    if (wire === undefined) {
      wire = { sources: [], sinks: [], usedAt: at, isResolving: false, isResolved: false, isNegated: false }
      this.#wires.set(key, wire)
    }
    return wire
  }

  #startOf(start: Value, isNegated: boolean, at: number): Flow {
    switch (start.kind) {
      case 'wire':
        if (isPowerrail(start.name)) return { kind: 'end', end: { kind: 'powerrail' } }
        this.#wire(start.name, at)
        return { kind: 'wire', name: start.name, at }
      case 'operand':
        return { kind: 'operand', operand: start.operand, isNegated }
      case 'open':
        return { kind: 'open' }
    }
  }

  /** Gives a wire its source (an `O` when there are several) and connects the sinks of the wire. */
  #resolve(name: string, wire: NamedWire): void {
    if (wire.isResolved) return
    const { fault } = this.#context
    if (wire.isResolving) {
      fault(`wire#${name.toLowerCase()} leads into itself`, wire.usedAt)
      return
    }
    wire.isResolving = true
    const flows = [...(wire.inline === undefined ? [] : [wire.inline]), ...wire.sources]
    if (flows.length === 0 && wire.inlineAt === undefined)
      fault(`wire#${name.toLowerCase()} has no source: no rung ends in it and none holds it`, wire.usedAt)
    const [only] = flows
    if (flows.length === 1 && only !== undefined) {
      const { end, isNegated } = this.#sourceOf(only)
      wire.source = end
      wire.isNegated = isNegated
    } else if (flows.length > 1) {
      const node = this.#builder.instruction('O', { templates: [cardinality(flows.length)] })
      for (const [index, flow] of flows.entries()) this.#lead(flow, { node, pin: `in${index + 1}` })
      wire.source = pinEnd(node, 'out')
    }
    wire.isResolving = false
    wire.isResolved = true
    for (const sink of wire.sinks) this.#connectWire(wire, sink)
  }

  #connectWire(wire: NamedWire, { node, pin }: Sink): void {
    if (wire.source === undefined) this.#builder.open(node, pin, 'input')
    else this.#builder.connect(wire.source, pinEnd(node, pin))
    if (wire.isNegated) this.#builder.negate(node, pin)
  }

  #sourceOf(flow: Flow): { end: WireEnd | undefined; isNegated: boolean } {
    switch (flow.kind) {
      case 'open':
        return { end: undefined, isNegated: false }
      case 'end':
        return { end: flow.end, isNegated: false }
      case 'operand': {
        const uId = this.#builder.operand(this.#typed(flow.operand, 'Bool'))
        return { end: { kind: 'operand', uId }, isNegated: flow.isNegated }
      }
      case 'wire': {
        const wire = this.#wire(flow.name, flow.at)
        this.#resolve(flow.name, wire)
        return { end: wire.source, isNegated: wire.isNegated }
      }
    }
  }

  /** Connects a pin with what leads to it. */
  #lead(flow: Flow, sink: Sink): void {
    if (flow.kind === 'wire') {
      const wire = this.#wire(flow.name, flow.at)
      if (wire.isResolved) this.#connectWire(wire, sink)
      else wire.sinks.push(sink)
      return
    }
    const { end, isNegated } = this.#sourceOf(flow)
    if (end === undefined) this.#builder.open(sink.node, sink.pin, 'input')
    else this.#builder.connect(end, pinEnd(sink.node, sink.pin))
    if (isNegated) this.#builder.negate(sink.node, sink.pin)
  }

  #element(element: Element, flow: Flow): Flow {
    const found = this.#identify(element)
    if (found === undefined) return { kind: 'open' }
    const { entry, node } = found
    if (entry.flowIn !== undefined) {
      const isGiven = element.arguments.some(
        ({ name }) => name !== undefined && pinNamed(entry, name).pin === entry.flowIn,
      )
      if (!isGiven || flow.kind !== 'open') {
        // An instruction of FBD that begins a rung has no preceding logic to show.
        if (flow.kind !== 'open' || entry.flowIn !== 'pre') this.#lead(flow, { node, pin: entry.flowIn })
      }
      if (element.isNegated) this.#builder.negate(node, entry.flowIn)
    } else if (flow.kind !== 'open')
      this.#context.fault(`${entry.sd} has no input that a rung could lead into`, element.at)
    for (const argument of element.arguments) this.#argument(argument, element, found)
    if (element.arguments.length === 0 && entry.single !== undefined) this.#builder.open(node, entry.single, 'input')
    if (entry.flowOut === undefined) return { kind: 'open' }
    return { kind: 'end', end: pinEnd(node, entry.flowOut) }
  }

  #argument(argument: Argument, element: Element, { entry, node, typeOfPin, isOutputPin }: Found): void {
    const { fault } = this.#context
    const { name, value } = argument
    let pin = entry.single
    let isOutput = argument.arrow
    if (name !== undefined) {
      const named = pinNamed(entry, name)
      pin = named.pin
      isOutput = isOutputPin?.(pin) ?? named.isOutput ?? argument.arrow
      if (entry.pins.length > 0 && named.isOutput === undefined)
        this.#context.warn(`${entry.sd} is not known to have a pin ${name}`, argument.at)
    }
    if (pin === undefined) {
      fault(`${entry.sd} needs the names of its parameters: name := value`, argument.at)
      return
    }
    if (this.#builder.isConnected(node, pin)) {
      fault(`pin ${name ?? pin} of ${entry.sd} is connected twice`, argument.at)
      return
    }
    if (argument.isNegated) this.#builder.negate(node, pin)
    if (value.kind === 'open') this.#builder.open(node, pin, isOutput ? 'output' : 'input')
    else if (value.kind === 'operand') {
      if (typeOfPin(pin) === undefined) this.#tellGuessedType(value.operand, pin, entry, argument.at)
      const operand = this.#typed(
        value.operand,
        typeOfPin(pin),
        pin === 'label' || /^dst\d+$/.test(pin) || element.name === 'Switch',
      )
      if (isOutput) this.#builder.output(node, pin, operand)
      else this.#builder.input(node, pin, operand)
    } else if (isPowerrail(value.name)) this.#builder.powerrail(node, pin)
    else if (isOutput) this.#wire(value.name, argument.at).sources.push({ kind: 'end', end: pinEnd(node, pin) })
    else {
      const wire = this.#wire(value.name, argument.at)
      wire.sinks.push({ node, pin })
    }
  }

  /** A literal whose type neither its pin nor another operand gives has that of its form. Calls name it themselves. */
  #tellGuessedType(operand: Operand, pin: string, { part, sd }: Instruction, at: number): void {
    if (operand.kind !== 'literal' || operand.scope !== 'LiteralConstant' || sd.startsWith('"')) return
    const type = literalTypeByForm(operand.value)
    if (type === 'Bool' || type === 'String' || type === 'Char') return
    this.#context.warnOnce(
      `the type of literals at ${pin} of ${part} does not follow from what is at hand; they are taken to be ${type}`,
      at,
    )
  }

  /** Finds which instruction or call an element is, and makes its node. */
  #identify(element: Element): Found | undefined {
    const { name, target } = element
    if (name !== undefined) {
      const entry = instructionNamed(name) ?? otherInstruction(name, false)
      if (entry.hasInstance) {
        this.#context.fault(`${name} needs instance data before it: #instance.${name}( … )`, element.at)
        return undefined
      }
      return this.#instruction(element, entry, undefined)
    }
    if (target?.kind !== 'symbol' || (target.scope !== 'LocalVariable' && target.scope !== 'GlobalVariable')) {
      this.#context.fault('only blocks, instances and instructions can be called', element.at)
      return undefined
    }
    const asInstruction = this.#instanceCall(target)
    if (asInstruction !== undefined) return this.#instruction(element, asInstruction.entry, asInstruction.instance)
    return this.#call(element, target)
  }

  /** Reads `#timer.TON` as a call when the last name is an instruction and not a member. */
  #instanceCall(target: Operand & { kind: 'symbol' }): { entry: Instruction; instance: Instance } | undefined {
    const last = target.path.at(-1)
    if (last === undefined || last.indices !== undefined) return undefined
    if (target.path.length < 2) {
      // `"Edge_DB"( CLK := … )`: the data block is an instance of a block of the system.
      const { program } = this.#context
      const type = target.scope === 'GlobalVariable' ? program.instanceOf?.(last.name) : undefined
      const entry = type === undefined || program.interfaceOf?.(type) ? undefined : instructionNamed(type)
      return entry?.hasInstance === true ? { entry, instance: { scope: target.scope, path: target.path } } : undefined
    }
    const path = target.path.slice(0, -1)
    const entry = instructionNamed(last.name)
    const type = this.#typeOf({ ...target, path })
    // A member of that name is itself an instance: `#motors.TON( … )`.
    if (this.#typeOf(target) !== undefined) return undefined
    const isKnown = entry?.hasInstance === true
    const isSystem = type !== undefined && userType(type) === undefined && !/^Struct$/i.test(type)
    if (!isKnown && !isSystem && target.scope === 'LocalVariable') return undefined
    return {
      entry: isKnown ? entry : otherInstruction(last.name, true),
      instance: { scope: target.scope, path },
    }
  }

  #instruction(element: Element, entry: Instruction, instance: Instance | undefined): Found {
    const templates: TemplateValue[] = []
    let disabledEno = entry.hasEno
    let equation: string | undefined
    let comment: MultilingualText | undefined
    for (const { name, value } of element.pragma) {
      switch (name.toUpperCase()) {
        case 'S7_TEMPLATES':
          for (const [key, type] of templateEntries(value)) templates.push(typeTemplate(key, type))
          break
        case 'S7_GENERATEENO':
          disabledEno = !/^true$/i.test(value)
          break
        case 'DISABLEENO':
          disabledEno = /^true$/i.test(value)
          break
        case 'S7_EXPRESSION':
          equation = value
          break
        case 'S7_MLC':
          comment = this.#context.text(value, element.at)
          break
        default:
          if (/^S7_/i.test(name))
            this.#context.warn(`the attribute ${name} of ${entry.sd} is not known and was left out`, element.at)
          else if (!(name === 'Card' && entry.counted !== undefined)) templates.push(otherTemplate(name, value))
      }
    }
    if (entry.counted !== undefined) templates.unshift(cardinality(countedPins(element, entry)))
    const isAutomatic = entry.automatic !== undefined && !templates.some(({ name }) => name === entry.automatic)
    const usual = instance && defaultTemplates.get(entry.part)
    if (usual && !templates.some(({ name }) => name === usual[0]))
      templates.push(typeTemplate(usual[0], this.#workingType(instance) ?? usual[1]))
    const types = literalTypes(entry, templates)
    const options: InstructionOptions = {
      negated: entry.negated,
      templates,
      ...(isAutomatic ? { automaticTyped: [entry.automatic as string] } : {}),
      ...(disabledEno ? { disabledEno: true } : {}),
      ...defined({ version: entry.version, equation }),
      ...(instance === undefined ? {} : { instance: this.#typedInstance(instance) }),
      ...defined({ comment }),
    }
    const node = this.#builder.instruction(entry.part, options)
    const common = this.#commonType(element, entry)
    return { entry, node, typeOfPin: (pin) => types(pin) ?? common }
  }

  /**
   * The data type that a timer or counter works with: `LTime` of `TON_LTIME`; `undefined` for types that do not name
   * it.
   */
  #workingType({ scope, path }: Instance): string | undefined {
    const type = this.#typeOf({ kind: 'symbol', scope, path })
    const name = /^(?:TON|TOF|TP|TONR|CTU|CTD|CTUD)_(\w+)$/i.exec(type ?? '')?.[1]?.toUpperCase()
    return ['Time', 'LTime', 'SInt', 'Int', 'DInt', 'LInt', 'USInt', 'UInt', 'UDInt', 'ULInt'].find(
      (one) => one.toUpperCase() === name,
    )
  }

  /**
   * Type of the variables at a box without a template; it applies to the literals beside them: that of the first output
   * of a Move, that of the first variable of a calculation.
   */
  #commonType(element: Element, entry: Instruction): string | undefined {
    if (!/^S?_?Move$/.test(entry.part) && entry.automatic === undefined) return undefined
    for (const { value } of element.arguments) {
      const type = value.kind === 'operand' ? this.#typeOf(value.operand) : undefined
      if (type !== undefined) return type
    }
    return undefined
  }

  #call(element: Element, target: Operand & { kind: 'symbol' }): Found {
    const { program } = this.#context
    const [first] = target.path
    const name = first?.name ?? ''
    let callee = name
    let instance: Instance | undefined
    if (target.scope === 'LocalVariable' || target.path.length > 1) {
      const type = this.#typeOf(target)
      callee = (type === undefined ? undefined : userType(type)) ?? target.path.at(-1)?.name ?? ''
      instance = { scope: target.scope, path: target.path }
      if (type === undefined)
        this.#context.warn(
          `what ${name} is an instance of is not declared in this block; it is taken to be of "${callee}"`,
          element.at,
        )
    } else {
      const block = program.instanceOf?.(name)
      const guessed =
        block === undefined && program.interfaceOf?.(name) === undefined
          ? /^(.+)_DB(_\d+)?$/.exec(name)?.[1]
          : undefined
      if (guessed !== undefined)
        this.#context.warn(
          `data block "${name}" is not at hand; it is taken to be an instance of "${guessed}"`,
          element.at,
        )
      if (block !== undefined || guessed !== undefined) {
        callee = block ?? (guessed as string)
        instance = { scope: 'GlobalVariable', path: target.path }
      }
    }
    const known = program.interfaceOf?.(callee)
    if (known === undefined)
      this.#context.warnOnce(
        instance === undefined
          ? `what "${callee}" is, is not at hand; it is taken to be a function whose parameters are those of the calls`
          : `the interface of "${callee}" is not at hand; its parameters are those of the calls`,
        element.at,
      )
    const parameters = known === undefined ? parametersOf(element) : declaredParameters(known.sections)
    let comment: MultilingualText | undefined
    for (const { name: pragma, value } of element.pragma)
      if (pragma.toUpperCase() === 'S7_MLC') comment = this.#context.text(value, element.at)
      else
        this.#context.warn(
          `the attribute ${pragma} of the call of "${callee}" is not known and was left out`,
          element.at,
        )
    const node = this.#builder.call(callee, instance === undefined ? 'FC' : 'FB', {
      parameters: parameters.map((parameter) => this.#withType(parameter, element)),
      ...(instance === undefined ? {} : { instance: this.#typedInstance(instance) }),
      ...defined({ comment }),
    })
    const entry: Instruction = { ...otherInstruction(callee, instance !== undefined), sd: `"${callee}"`, hasEno: false }
    const find = (pin: string) => parameters.find((parameter) => parameter.name === pin)
    return {
      entry,
      node,
      typeOfPin: (pin) => find(pin)?.type,
      ...(known === undefined
        ? {}
        : { isOutputPin: (pin: string) => find(pin)?.section === 'Output' || find(pin)?.section === 'Return' }),
    }
  }

  /** A parameter that is declared nowhere gets the type of what it is connected to. */
  #withType(parameter: CallParameter, element: Element): CallParameter {
    if (parameter.type !== undefined) return parameter
    const value = element.arguments.find(({ name }) => name === parameter.name)?.value
    if (value?.kind === 'wire') return { ...parameter, type: 'Bool' }
    if (value?.kind !== 'operand') return parameter
    const type =
      this.#typeOf(value.operand) ??
      (value.operand.kind === 'literal' ? literalTypeByForm(value.operand.value) : undefined)
    return type === undefined ? parameter : { ...parameter, type }
  }

  #typeOf(operand: Operand): string | undefined {
    const { sections, program } = this.#context
    if (operand.kind === 'address') return operand.type
    if (operand.kind === 'constant') return typeOfPath(sections, [{ name: operand.name }], program)
    if (operand.kind !== 'symbol') return undefined
    return operand.scope === 'LocalVariable'
      ? typeOfPath(sections, operand.path, program)
      : typeOfGlobal(operand.path, program)
  }

  #typedInstance(instance: Instance): Instance {
    return { ...instance, path: instance.path.map((component) => this.#typedComponent(component)) }
  }

  #typedComponent<C extends { indices?: readonly Operand[] }>(component: C): C {
    if (component.indices === undefined) return component
    return { ...component, indices: component.indices.map((index) => this.#typed(index, 'DInt')) }
  }

  /** Completes an operand with what the text leaves out: constants are recognised by name, literals get a type. */
  #typed(operand: Operand, type: string | undefined, isLabel = false): Operand {
    if (operand.kind === 'literal') return typedLiteral(operand, type)
    if (operand.kind !== 'symbol') return operand
    const [first] = operand.path
    if (first === undefined) return operand
    const isAlone = operand.path.length === 1 && first.indices === undefined && first.slice === undefined
    if (isLabel && isAlone) return { kind: 'label', name: first.name }
    if (operand.scope === 'LocalVariable' && isAlone && this.#context.constants.has(first.name.toUpperCase()))
      return { kind: 'constant', scope: 'LocalConstant', name: first.name }
    if (operand.scope === 'GlobalVariable' && isAlone && this.#context.program.isConstant?.(first.name) === true)
      return { kind: 'constant', scope: 'GlobalConstant', name: first.name }
    return { ...operand, path: operand.path.map((component) => this.#typedComponent(component)) }
  }
}

interface Found {
  readonly entry: Instruction
  readonly node: NodeId
  readonly typeOfPin: (pin: string) => string | undefined
  readonly isOutputPin?: (pin: string) => boolean
}

function isPowerrail(name: string): boolean {
  return name.toUpperCase() === 'POWERRAIL'
}
