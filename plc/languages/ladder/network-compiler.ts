/** Compiles statements of the expression syntax tree to a network, one after the other. */

import type { LogicNetwork, WireEnd } from '../../model/logic-network.ts'
import { operandText } from '../../model/operand-text.ts'
import type { Enable } from './box-compiler.ts'
import type { NodeId } from './build.ts'
import { suggested } from './call-resolver.ts'
import { literalShape, literalType, operandType } from './data-types.ts'
import { coilInstructions, valueBoxes } from './elements.ts'
import { fault, ungrouped } from './expression-rules.ts'
import type {
  Argument,
  ArithmeticExpression,
  Assignment,
  Call,
  Conditional,
  Expression,
  Leave,
  OperandTarget,
  Statement,
} from './expression-syntax.ts'
import { knownInstruction } from './instructions.ts'
import { LogicCompiler } from './logic-compiler.ts'
import type { Targets } from './operand-typing.ts'
import type { ProgramNames } from './program-names.ts'

const powerRail: WireEnd = { kind: 'powerrail' }
const coilParts: ReadonlyMap<string, string> = new Map(
  [...coilInstructions].flatMap(([part, { text }]) => [
    [part.toUpperCase(), part] as const,
    [(text || part).toUpperCase(), part] as const,
  ]),
)

export class NetworkCompiler {
  readonly #logic: LogicCompiler
  readonly #names: ProgramNames
  isEmpty = true

  constructor(language: 'LAD' | 'FBD', names: ProgramNames) {
    this.#logic = new LogicCompiler(language, names)
    this.#names = names
  }

  network(): LogicNetwork {
    return this.#logic.network()
  }

  /**
   * Compiles one statement.
   * @throws ExpressionFault
   */
  statement(statement: Statement, enable?: Enable): void {
    this.isEmpty = false
    switch (statement.kind) {
      case 'label':
        this.#logic.builder.label(statement.name)
        return
      case 'jump':
      case 'return':
        this.#leave(statement, enable)
        return
      case 'call':
        this.#callStatement(statement.call, enable)
        return
      case 'if':
        this.#if(statement, enable)
        return
      case 'assign':
        this.#assign(statement, enable)
        return
    }
  }

  #if({ condition, body }: Conditional, enable: Enable | undefined): void {
    const end = this.#logic.isLadder
      ? this.#logic.flow(condition, enable === undefined || enable.kind === 'condition' ? powerRail : enable)
      : this.#fbdCondition(condition, enable)
    for (const inner of body) {
      if (inner.kind === 'label') throw fault(inner, 'a label stands at the begin of a network, not inside an IF')
      this.statement(inner, end)
    }
  }

  /** FBD: a box that can feed many others, or the expression that is repeated at each EN (an operand, a negation). */
  #fbdCondition(condition: Expression, enable: Enable | undefined): Enable {
    if (enable !== undefined)
      throw fault(condition, 'in FBD an IF cannot stand inside another one: join the conditions with AND')
    const inner = ungrouped(condition)
    const isPin = ['operand', 'not', 'rail', 'open'].includes(inner.kind)
    return isPin ? { kind: 'condition', condition: inner } : this.#logic.fbdEnd(inner)
  }

  #leave(statement: Leave, enable: Enable | undefined): void {
    const node = this.#logic.builder.instruction(statement.kind === 'jump' ? 'Jump' : 'ReturnTrue')
    this.#logic.enable(enable ?? powerRail, node, 'in')
    if (statement.kind === 'jump') this.#logic.builder.input(node, 'label', { kind: 'label', name: statement.label })
  }

  #callStatement(call: Call, enable: Enable | undefined): void {
    if (call.output !== undefined)
      throw fault(call, `the value of output ${call.output} is not used; write … := ${call.name}(…).${call.output}`)
    const word = call.name.toUpperCase()
    if (word === 'CONNECT' || word === 'UNCONNECTED')
      throw fault(call, `${word} shows a connection outside the logic; it cannot be read back`)
    if (coilParts.has(word) && !valueBoxes.has(call.name) && !call.isBlock && call.instance === undefined)
      throw fault(call, `a coil takes a condition: ${call.name}(…) := #condition;`)
    this.#logic.lastBox = this.#logic.box(call, enable).node
  }

  #assign(statement: Assignment, enable: Enable | undefined): void {
    const { targets, value } = statement
    const inner = ungrouped(value)
    if (this.#logic.isValueBox(inner)) {
      this.#logic.lastBox = this.#logic.valueBox(inner as ArithmeticExpression | Call, targets, enable).node
      return
    }
    const isCallResult =
      inner.kind === 'call' &&
      inner.output === undefined &&
      !this.#logic.isFlowCall(inner) &&
      targets.every(({ target }) => target.kind === 'operand')
    if (isCallResult) {
      this.#callResult(inner as Call, targets, enable)
      return
    }
    if (this.#isMove(inner, statement, enable)) {
      const move: Call = {
        kind: 'call',
        at: inner.at,
        name: 'Move',
        isBlock: false,
        args: [{ at: inner.at, value: inner }],
      }
      this.#logic.lastBox = this.#logic.valueBox(move, targets, enable).node
      return
    }
    if (enable !== undefined) {
      this.#conditional(statement, enable)
      return
    }
    this.#coils(targets, value)
  }

  /** An IF can contain only what has an EN; TRUE and FALSE become set and reset coils. */
  #conditional({ targets, value }: Assignment, enable: Enable): void {
    const inner = ungrouped(value)
    const constant =
      inner.kind === 'rail' && !inner.isWord
        ? 'SCoil'
        : inner.kind === 'operand' && inner.operand.kind === 'literal' && /^FALSE$/i.test(inner.operand.value)
          ? 'RCoil'
          : undefined
    for (const { target } of targets) {
      if (constant === undefined || target.kind !== 'operand')
        throw fault(
          value,
          'inside an IF a network can call boxes, move and compute values, and set bits to TRUE or FALSE; a coil takes its condition itself: #x := #condition AND …;',
        )
      const coil = this.#logic.builder.instruction(constant)
      this.#logic.enable(enable, coil, 'in')
      this.#logic.builder.input(coil, 'operand', this.#logic.typing.operand(target.operand))
      this.#logic.lastCoil = coil
    }
  }

  /** Whether `#y := #x` assigns a value that is not a bit. */
  #isMove(value: Expression, { targets }: Assignment, enable: Enable | undefined): boolean {
    if (value.kind !== 'operand' || targets.some(({ target }) => target.kind === 'call')) return false
    const { operand, braces } = value
    // A contact or a coil on a literal: both are written with the type.
    if (braces?.words.some((word) => word === 'direct' || (operand.kind === 'literal' && word === 'Bool'))) return false
    if (operand.kind === 'literal')
      return literalShape(operand.value) !== 'boolean' && literalType(operand.value) !== 'Bool'
    const types = [
      operandType(operand, this.#names),
      ...targets.map(({ target }) => this.#logic.typing.targetType(target)),
    ]
    return (
      types.some((type) => type !== undefined && type !== 'Bool') || (enable !== undefined && !types.includes('Bool'))
    )
  }

  /** `#y := "FC"(…)`: the return value, which a block with an instance does not have. */
  #callResult(call: Call, targets: Targets, enable: Enable | undefined): void {
    const { call: called } = this.#logic.resolver.resolve(call)
    const name = call.name || called.name
    if (!called.isBlock || called.instance !== undefined)
      throw fault(call, `say which output of ${name} is the value: ${name}(…).${called.isBlock ? 'Q' : 'out'}`)
    const { node } = this.#logic.box(call, enable)
    for (const { target } of targets) this.#logic.writeTo(node, 'Ret_Val', target, false)
    this.#logic.lastBox = node
  }

  #coils(targets: Targets, value: Expression): void {
    const direct = this.#logic.isLadder ? undefined : ungrouped(value)
    const isPin =
      direct !== undefined &&
      (direct.kind === 'not' || direct.kind === 'operand' || direct.kind === 'rail' || direct.kind === 'open')
    if (direct !== undefined && isPin && targets.some(({ target }) => target.kind === 'wire'))
      throw fault(value, 'in FBD a wire begins at a box; write the operand or inversion where it is used')
    const end = isPin
      ? undefined
      : this.#logic.isLadder
        ? this.#logic.flow(value, powerRail)
        : this.#logic.fbdEnd(value)
    for (const { target } of targets) {
      if (target.kind === 'wire') {
        this.#logic.name(target, end as WireEnd)
        continue
      }
      if (target.kind === 'open') continue
      const coil = this.#coil(target)
      if (end !== undefined) this.#logic.connect(end, coil, 'in')
      else this.#logic.fbdPin(coil, 'in', direct as Expression, 'Bool')
      this.#logic.lastCoil = coil
    }
  }

  #coil(target: OperandTarget | Call): NodeId {
    if (target.kind === 'operand') {
      const coil = this.#logic.builder.instruction('Coil')
      this.#logic.builder.input(coil, 'operand', this.#logic.typing.operand(target.operand))
      return coil
    }
    const isNegated = target.name.toUpperCase() === 'NOT'
    const name = isNegated ? 'Coil' : (coilParts.get(target.name.toUpperCase()) ?? target.name)
    if (
      target.isBlock ||
      target.instance !== undefined ||
      (knownInstruction(name) !== undefined && !coilInstructions.has(name))
    )
      throw fault(
        target,
        `${target.name} is no coil; its result is written with => inside the parentheses or read with .output behind them`,
      )
    if (!coilInstructions.has(name) && target.braces === undefined && !name.endsWith('Coil'))
      throw fault(
        target,
        `there is no coil ${target.name}${suggested(target.name)}; coils are S, R, P, N, NOT, JMP, CoilTON …`,
      )
    const { args: pins } = coilInstructions.get(name) ?? { args: [] }
    const args = this.#logic.placedArguments(target, pins, name)
    const options = this.#logic.options(name, target.braces, args, new Map())
    const coil = this.#logic.builder.instruction(name, options)
    for (const [pin, argument] of args) this.#coilPin(coil, name, pin, argument)
    if (isNegated) this.#logic.builder.negate(coil, 'operand')
    return coil
  }

  #coilPin(coil: NodeId, name: string, pin: string, { value, at }: Argument): void {
    if (value === undefined) throw fault({ at }, 'a coil has no outputs to write')
    if (pin === 'label') {
      const operand = value.kind === 'operand' ? value.operand : undefined
      if (operand === undefined) throw fault(value, `${name} needs the name of a label`)
      this.#logic.builder.input(coil, pin, { kind: 'label', name: operandText(operand).replace(/^"(.*)"$/, '$1') })
      return
    }
    this.#logic.dataPin(coil, pin, value, undefined)
  }
}
