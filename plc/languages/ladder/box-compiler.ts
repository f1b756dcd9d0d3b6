/**
 * Builds the boxes of a network: instructions, calls, arithmetic, with the inputs of their pins and the targets of
 * their results.
 */

import type { LogicNetwork, WireEnd } from '../../model/logic-network.ts'
import { operandText } from '../../model/operand-text.ts'
import { boxOptions, templatesOf } from './box-options.ts'
import { cardinality, type InstructionOptions, NetworkBuilder, type NodeId, pinEnd } from './build.ts'
import { CallResolver, checkArguments } from './call-resolver.ts'
import { countedPins, enoCanBeDisabled, isFlowPin, pinOfBox, pinsOfBox, valueBoxes } from './elements.ts'
import { argumentPins, arithmeticCall, fault, textOfLiteral } from './expression-rules.ts'
import type {
  Argument,
  ArithmeticExpression,
  Braces,
  Call,
  Expression,
  Target,
  ValueReference,
  WireTarget,
} from './expression-syntax.ts'
import { knownInstruction, withoutEnable } from './instructions.ts'
import { OperandTyping, type Targets } from './operand-typing.ts'
import type { CallableBlock, ProgramNames } from './program-names.ts'

/** The condition of an IF: the end of a power flow, or in FBD the expression written at each EN. */
export type Enable = WireEnd | { readonly kind: 'condition'; readonly condition: Expression }

/** A box whose ENO or value can be used. */
export interface PlacedBox {
  readonly node: NodeId
  readonly name: string
  /** A block of the program. */
  readonly isBlock: boolean
}

/** Boxes of both languages; the logic compiler places the expressions at their pins. */
export abstract class BoxCompiler {
  readonly builder = new NetworkBuilder()
  readonly isLadder: boolean
  readonly typing: OperandTyping
  readonly resolver: CallResolver
  /** The box and the coil that ENO and RLO refer to. */
  lastBox: NodeId | undefined
  lastCoil: NodeId | undefined
  readonly #wires = new Map<string, WireEnd>()
  /** Boxes with EN/ENO, and whether ENO is used. */
  readonly #enables = new Map<NodeId, boolean>()

  constructor(language: 'LAD' | 'FBD', names: ProgramNames) {
    this.isLadder = language === 'LAD'
    this.typing = new OperandTyping(names)
    this.resolver = new CallResolver(names)
  }

  /** A pin that takes an operand or a value. */
  abstract dataPin(node: NodeId, pin: string, value: Expression, type: string | undefined): void
  /** FBD: any expression at a pin. */
  abstract fbdPin(node: NodeId, pin: string, value: Expression, type: string | undefined): void
  /** A pin that takes the power flow. */
  protected abstract flowPin(node: NodeId, pin: string, value: Expression): void

  /** Where a named wire begins. */
  protected wireNamed(name: string): WireEnd | undefined {
    return this.#wires.get(name)
  }

  network(): LogicNetwork {
    for (const [node, isUsed] of this.#enables) this.builder.change(node, { disabledEno: !isUsed })
    return this.builder.network()
  }

  isValueBox(value: Expression): boolean {
    if (value.kind === 'arithmetic') return true
    if (value.kind !== 'call' || value.output !== undefined || value.isBlock || value.instance !== undefined)
      return false
    const name = knownInstruction(value.name) ?? value.name
    return valueBoxes.has(name)
  }

  /** Arithmetic and the boxes that compute a value; the results go to the targets in order. */
  valueBox(value: ArithmeticExpression | Call, targets: Targets, enable: Enable | undefined): PlacedBox {
    const call = value.kind === 'arithmetic' ? arithmeticCall(value) : value
    const name = knownInstruction(call.name) ?? call.name
    const shape = valueBoxes.get(name)
    const outputs = shape?.result === 'out#' ? targets.map((_, i) => `out${i + 1}`) : ['out']
    if (targets.length > outputs.length) {
      const extra = targets[outputs.length] as Targets[number]
      throw fault(extra.target, `${name} has one result; only Move can write several`)
    }
    const box = this.box({ ...call, name }, enable, targets)
    targets.forEach(({ target, isNegated }, i) => {
      this.writeTo(box.node, outputs[i] as string, target, isNegated)
    })
    return box
  }

  writeTo(node: NodeId, pin: string, target: Target, isNegated: boolean): void {
    if (isNegated) this.builder.negate(node, pin)
    if (target.kind === 'open') return
    if (target.kind === 'wire') this.name(target, pinEnd(node, pin))
    else if (target.kind === 'operand') this.builder.output(node, pin, this.typing.operand(target.operand))
    else throw fault(target, 'the result of a box is written to an operand or a wire, not to a coil')
  }

  name(target: WireTarget, end: WireEnd): void {
    if (this.#wires.has(target.name)) throw fault(target, `wire#${target.name} is given twice`)
    this.#wires.set(target.name, end)
  }

  /** Places any box: an instruction or the call of a block. */
  box(given: Call, enable: Enable | undefined, targets: Targets = []): PlacedBox {
    const { call, block } = this.resolver.resolve(given)
    const name = call.name
    const args = this.placedArguments(call, argumentPins(call))
    const node = block === undefined ? this.#instruction(call, args, targets) : this.#blockCall(call, block, args)
    const isEnabled = block !== undefined || !withoutEnable.has(name)
    if (isEnabled && !args.has('en')) {
      if (enable !== undefined) this.enable(enable, node, 'en')
      else if (this.isLadder) this.builder.powerrail(node, 'en')
    } else if (enable !== undefined)
      throw fault(given, `${name} has no EN and cannot stand inside an IF; write the condition at its first input`)
    const sourceType = args.size === 0 ? undefined : this.#pinType(call, args, targets)
    for (const [pin, argument] of args) {
      if (argument.target !== undefined) {
        this.writeTo(node, pin, argument.target, argument.isNegated === true)
        continue
      }
      const value = argument.value as Expression
      const type = block?.parameters.find((parameter) => parameter.name === pin)?.type ?? sourceType?.(pin)
      if (block === undefined && isFlowPin(name, pin)) this.flowPin(node, pin, value)
      else this.dataPin(node, pin, value, type)
    }
    return { node, name, isBlock: block !== undefined }
  }

  #pinType(call: Call, args: ReadonlyMap<string, Argument>, targets: Targets): (pin: string) => string | undefined {
    const { name, braces } = call
    if (name === 'Move') {
      const [target] = targets
      const type = target && this.typing.targetType(target.target)
      return () => type
    }
    const { templates } = templatesOf(call, braces, this.typing.types(args, targets))
    const source = templates.find((template) => template.name === 'SrcType')?.value
    const target = templates.find((template) => template.name === 'DestType')?.value
    const isScale = name === 'Scale_X'
    return (pin) => {
      if (pin === 'n' || pin === 'en') return undefined
      return isScale && pin !== 'value' ? target : source
    }
  }

  #blockCall(call: Call, block: CallableBlock, args: ReadonlyMap<string, Argument>): NodeId {
    const { parameters } = block
    checkArguments(block, args)
    const instance = this.typing.instance(call)
    return this.builder.call(block.name, block.blockType, { parameters, ...(instance && { instance }) })
  }

  #instruction(call: Call, args: ReadonlyMap<string, Argument>, targets: Targets): NodeId {
    const instance = this.typing.instance(call)
    const { name } = call
    const equation = args.get('equation')?.value
    const formula = equation?.kind === 'operand' ? equation : undefined
    if (equation && (!formula || !operandText(formula.operand).startsWith("'")))
      throw fault(call, "the formula of Calc stands first, in apostrophes: Calc('IN1 + IN2', …)")
    const options = this.options(
      name,
      call.braces,
      args,
      new Map(targets.map((target, i) => [`out${i + 1}`, target])),
      call,
    )
    const node = this.builder.instruction(name, {
      ...options,
      ...(instance && { instance }),
      ...(formula ? { equation: textOfLiteral(formula) } : {}),
    })
    ;(args as Map<string, Argument>).delete('equation')
    if (
      enoCanBeDisabled.has(name) &&
      options.disabledEno === undefined &&
      call.braces?.entries.get('DisabledENO') === undefined
    )
      this.#enables.set(node, false)
    return node
  }

  options(
    name: string,
    braces: Braces | undefined,
    args: ReadonlyMap<string, Argument>,
    results: ReadonlyMap<string, Targets[number]>,
    call?: Call,
  ): InstructionOptions {
    const types = this.typing.types(args, [...results.values()])
    const options = boxOptions(call ?? { name, at: braces?.at ?? 0 }, braces, types)
    const counted = countedPins.get(name)
    if (counted === undefined || options.templates?.some((template) => template.name === 'Card')) return options
    const pins = counted === 'in' ? [...args.keys()] : [...results.keys(), ...args.keys()]
    const count = pins.filter((pin) => pin.startsWith(counted) && /^\d+$/.test(pin.slice(counted.length))).length
    return { ...options, templates: [cardinality(Math.max(1, count)), ...(options.templates ?? [])] }
  }

  /** Arguments by their pins; those without a name take the pins in order. `box`: the instruction, '' for a block. */
  placedArguments(call: Call, pins: readonly string[], box = call.isBlock ? '' : call.name): Map<string, Argument> {
    const placed = new Map<string, Argument>()
    let next = 0
    for (const argument of call.args) {
      const pin = argument.name === undefined ? pins[next++] : this.#pinOf(box, argument.name, argument)
      if (pin === undefined) {
        const names = pins.length === 0 ? '' : `, in the order ${pins.join(', ')}`
        throw fault(
          argument,
          `arguments of ${call.name || 'this call'} need their names${pins.length === 0 ? '' : ` or at most ${pins.length} of them can stand${names}`}: name := …`,
        )
      }
      if (placed.has(pin) && argument.target === undefined) throw fault(argument, `${pin} is given twice`)
      placed.set(pin, argument)
    }
    return placed
  }

  #pinOf(box: string, pin: string, at: { readonly at: number }): string {
    const found = pinOfBox(box, pin)
    if (found === undefined) throw fault(at, `${box} has no pin ${pin}; it has ${pinsOfBox(box)}`)
    return found
  }

  /** An output of a box inside an expression. */
  protected boxValue(call: Call): WireEnd {
    // exactOptionalPropertyTypes: an absent output and an undefined one are the same here.
    if (this.isValueBox({ ...call, output: undefined } as unknown as Call)) {
      const { output = 'out', ...rest } = call
      const name = knownInstruction(call.name) ?? call.name
      return pinEnd(this.box({ ...rest, name }, undefined).node, this.#pinOf(name, output, call))
    }
    const { output, ...rest } = call
    if (output === undefined) throw fault(call, `say which output is the value: ${call.name || 'instance'}(…).Q`)
    const { node, name, isBlock } = this.box(rest, undefined)
    const pin = isBlock ? output : this.#pinOf(name, output, call)
    if (pin === 'eno') this.#useEnable(node)
    return pinEnd(node, pin)
  }

  protected known(expression: ValueReference): WireEnd {
    if (expression.kind === 'wire') {
      const end = this.#wires.get(expression.name)
      if (end === undefined)
        throw fault(
          expression,
          `wire#${expression.name} is not given before; write wire#${expression.name} := …; first`,
        )
      return end
    }
    if (expression.kind === 'eno') {
      if (this.lastBox === undefined) throw fault(expression, 'ENO needs a box in a statement before')
      this.#useEnable(this.lastBox)
      return pinEnd(this.lastBox, 'eno')
    }
    if (this.lastCoil === undefined) throw fault(expression, 'RLO needs a coil in a statement before')
    return pinEnd(this.lastCoil, 'out')
  }

  #useEnable(node: NodeId): void {
    if (this.#enables.has(node)) this.#enables.set(node, true)
  }

  enable(enable: Enable, node: NodeId, pin: string): void {
    if (enable.kind === 'condition') this.fbdPin(node, pin, enable.condition, 'Bool')
    else this.connect(enable, node, pin)
  }

  connect(end: WireEnd, node: NodeId, pin: string): void {
    if (end.kind !== 'open') this.builder.connect(end, pinEnd(node, pin))
  }

  protected arithmeticValue(value: ArithmeticExpression): WireEnd {
    return pinEnd(this.box(arithmeticCall(value), undefined).node, 'out')
  }
}
