/** The values on the wires of a network while it is lowered. */

import { constant, convert, isFalse, isTrue, local, not, setLocal, when } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { endKey } from '../../../languages/ladder/build.ts'
import { type Box, NetworkIndex } from '../../../languages/ladder/network-index.ts'
import type { InstructionNode, LogicNetwork, WireEnd } from '../../../model/logic-network.ts'
import type { Operand as ModelOperand } from '../../../model/operand.ts'
import { operandText } from '../../../model/operand-text.ts'
import type { Diagnostic } from '../../../program/program.ts'
import { Bool, DInt, scalarNamed } from '../../../program/scalars.ts'
import type { ScalarType, Type } from '../../../program/type.ts'
import { assign } from '../assignments.ts'
import type { BlockContext } from '../block-context.ts'
import { implicitConversion } from '../conversions.ts'
import { withEnable } from '../enable.ts'
import { lowerOperand } from '../model-operand.ts'
import { unary } from '../operators.ts'
import { load, readAs } from '../reading.ts'
import { type S5Element, s5Element, s5Number, s5State } from '../s5.ts'
import type { SourceRange } from '../source-range.ts'
import type { CallArgument } from '../values.ts'
import { type Operand, wrong } from '../values.ts'
import { loosely } from './pin-types.ts'

/** What a network needs from its surroundings. */
export interface NetworkSurroundings {
  /** The statement of a jump to each label, by the label in upper case. */
  readonly jumps?: ReadonlyMap<string, Statement>
  /** Conditions of GRAPH end in one of three coils; returns the statements that use the result. */
  readonly condition?: (coil: 'TrCoil' | 'SvCoil' | 'IlCoil', value: Expression) => readonly Statement[]
}

/** Lowers one box: reads its inputs and delivers its outputs. */
export type InstructionLowering = (network: NetworkValues, box: InstructionNode) => void

export interface EnableOptions {
  readonly isBlock?: boolean
  /** The instruction cannot fail: ENO is EN. */
  readonly cannotFail?: boolean
}

/** Longest term in operators. Longer terms go into a register, because later passes process terms recursively. */
const longestTerm = 100

export class NetworkValues {
  readonly context: BlockContext
  readonly index: NetworkIndex
  readonly surroundings: NetworkSurroundings
  statements: Statement[] = []
  /** Values of output pins that inputs read, by `endKey`. */
  readonly #values = new Map<string, Operand>()
  /** Those of them that are still terms, not registers: they must be evaluated before anything is written. */
  readonly #terms = new Set<string>()
  /** Registers that are written only once, here. Others contain variables of the block, which may change. */
  readonly #registers = new Set<number>()
  readonly #done = new Set<number>()
  readonly #reported = new Set<number>()
  /** Pins that are drawn as open connections. */
  readonly #open = new Set<string>()
  #isConditional = false

  constructor(context: BlockContext, network: LogicNetwork, surroundings: NetworkSurroundings) {
    this.context = context
    this.index = new NetworkIndex(network)
    for (const { ends } of network.wires)
      if (ends.some(({ kind }) => kind === 'open')) for (const end of ends) this.#open.add(endKey(end))
    this.surroundings = surroundings
  }

  at({ uId }: Box): SourceRange {
    return { uId }
  }

  report(box: Box, code: Diagnostic['code'], message: string, hint?: string): void {
    this.context.report(code, this.at(box), message, hint)
  }

  /** Records whether the condition of an element was TRUE and FALSE, where the execution is recorded. */
  probed(box: Box, condition: Expression): Expression {
    return this.context.probes?.condition(this.at(box), condition) ?? condition
  }

  done(box: Box): void {
    this.#done.add(box.uId)
  }

  isConnected(box: Box, pin: string): boolean {
    return this.index.source(box.uId, pin) !== undefined
  }

  /** Returns the value at an input, inverted where the pin is. */
  input(box: Box, pin: string): Operand {
    const value = this.#atPin(box, pin)
    if (!box.negated.includes(pin) || value.kind === 'wrong') return value
    const at = this.at(box)
    return unary(this.context, 'NOT', { operand: value, at }, at)
  }

  /** Returns the power flow at an input; `undefined`: there is a fault, which is then reported. */
  flow(box: Box, pin: string): Expression | undefined {
    const value = readAs(this.context, this.#atPin(box, pin), Bool, this.at(box), `At ${pin} of ${box.name}`)
    return value && box.negated.includes(pin) ? not(value) : value
  }

  /** Returns the flow at a coil. FBD has no power rail: a coil that is drawn open there is always on. */
  coilFlow(box: InstructionNode): Expression | undefined {
    if (!this.isConnected(box, 'in') && this.#open.has(endKey({ kind: 'pin', uId: box.uId, pin: 'in' })))
      return box.negated.includes('in') ? isFalse : isTrue
    return this.flow(box, 'in')
  }

  /** Returns the operand at a pin unchanged, as coils need it to write to it. */
  target(box: Box, pin: string): Operand {
    return this.#atPin(box, pin)
  }

  #atPin(box: Box, pin: string): Operand {
    const source = this.index.source(box.uId, pin)
    if (source === undefined || source.kind === 'openbranch') {
      const hint = 'Every input that an instruction needs is connected.'
      this.report(box, 'open-pin', `Nothing is connected to ${pin} of ${box.name}.`, hint)
      return wrong
    }
    if (source.kind === 'powerrail') return { kind: 'result', type: Bool, expression: isTrue }
    if (source.kind === 'operand') return this.#operand(source.uId)
    if (source.kind !== 'pin') return wrong
    const key = endKey(source)
    const value = this.#values.get(key)
    this.#terms.delete(key)
    if (value) return value
    if (!this.#done.has(source.uId))
      this.report(box, 'connection-ring', `What feeds ${pin} of ${box.name} comes from ${box.name} itself.`)
    return wrong
  }

  #operand(uId: number): Operand {
    const operand = this.index.operand(uId)
    if (!operand || this.#reported.has(uId)) return wrong
    const s5 = this.#s5State(operand, uId)
    if (s5) return s5
    const found = lowerOperand(this.context, operand, { uId })
    if (found.kind === 'wrong') this.#reported.add(uId)
    return found
  }

  /** The state of an S5 timer or counter, which is its value as an operand. */
  #s5State(operand: ModelOperand, uId: number): Operand | undefined {
    const found = s5Number(this.context, operand)
    if (!found) return undefined
    const element = s5Element(this.context, found.kind, found.number, { uId })
    if (!element) return wrong
    const { before, value } = s5State(element)
    return flowValue(before.length === 0 ? value : { kind: 'sequence', statements: before, value })
  }

  #s5At(box: Box, pin: string): ReturnType<typeof s5Number> {
    const operand = this.index.operandAt(box.uId, pin)
    return operand && s5Number(this.context, operand)
  }

  /** Returns the S5 timer or counter at a pin; `undefined` for any other operand. */
  s5(box: Box, pin: string): S5Element | undefined {
    const found = this.#s5At(box, pin)
    return found && s5Element(this.context, found.kind, found.number, this.at(box))
  }

  /** Returns the S5 timer at a pin; `undefined`: there is none, which is then reported. */
  s5Timer(box: Box, pin: string): S5Element | undefined {
    const operand = this.index.operandAt(box.uId, pin)
    if (this.#s5At(box, pin)?.kind === 'T') return this.s5(box, pin)
    // The fault of an undeclared operand is already reported.
    if (this.#atPin(box, pin).kind === 'wrong') return undefined
    const given = operand ? operandText(operand) : 'nothing'
    this.report(box, 'wrong-operand', `${box.name} works on an S5 timer; ${given} is given.`)
    return undefined
  }

  /** Returns the number of the S5 timer or counter at a pin, as calls pass it on; `undefined` for any other operand. */
  s5Argument(box: Box, pin: string): Operand | undefined {
    const found = this.#s5At(box, pin)
    const type = scalarNamed(found?.kind === 'T' ? 'TIMER' : 'COUNTER')
    if (!found || !type) return undefined
    const { number } = found
    const expression =
      typeof number === 'number' ? constant(type, BigInt(number)) : convert(number, DInt, type, 'value')
    return { kind: 'result', type, expression }
  }

  /** Adds statements after those that evaluate the values on the wires. */
  emit(...statements: readonly Statement[]): void {
    if (statements.length === 0) return
    this.#settleAll()
    this.statements.push(...statements)
  }

  #settleAll(): void {
    for (const key of this.#terms) {
      const value = this.#values.get(key)
      if (value) this.#values.set(key, this.#settled(value))
    }
    this.#terms.clear()
  }

  #settled(value: Operand): Operand {
    if (value.kind !== 'result') return value
    return { ...value, expression: this.settle(value.expression, value.type) }
  }

  /** Puts a value in a register, so that it can be read again. */
  settle(value: Expression, type: ScalarType = Bool): Expression {
    if (this.#isFixed(value)) return value
    const register = this.#take(type)
    this.statements.push(setLocal(register, value))
    return local(type, register)
  }

  #isFixed(value: Expression): boolean {
    return value.kind === 'constant' || (value.kind === 'local' && this.#registers.has(value.local))
  }

  #take(type: ScalarType): number {
    const register = this.context.local(type)
    this.#registers.add(register)
    return register
  }

  /** Returns the flow through a coil: evaluated once when an element follows it. */
  through(box: Box, flow: Expression): Expression {
    return this.index.outputs(box.uId).length > 0 ? this.settle(flow) : flow
  }

  /** Takes a register as a variable for an output that is passed by reference. */
  register(type: ScalarType, text: string): Extract<Operand, { kind: 'variable' }> {
    return { kind: 'variable', type, at: { kind: 'local', local: this.#take(type) }, text }
  }

  /**
   * Delivers the value of an output to everything connected to it: writes to operands, and stores it for inputs.
   * @param condition when operands are written; absent: always
   */
  deliver(box: Box, pin: string, value: Operand, isMove = false, condition?: Expression): void {
    const end = { kind: 'pin', uId: box.uId, pin } as const
    const sinks = this.index.sinks(end)
    if (value.kind === 'wrong' || sinks.length === 0) return
    const at = this.at(box)
    let given = box.negated.includes(pin) ? unary(this.context, 'NOT', { operand: value, at }, at) : value
    const isShared = sinks.length > 1 || this.#isConditional
    const isAsked = sinks.some(({ kind }) => kind === 'pin')
    const now = isAsked && given.kind === 'variable' ? load(given) : undefined
    if (now && given.kind === 'variable' && given.type.kind === 'scalar')
      given = { kind: 'result', type: given.type, expression: now }
    if (isShared || isLong(given)) given = this.#settled(given)
    const key = endKey(end)
    if (isAsked) {
      this.#values.set(key, given)
      if (given.kind === 'result' && !this.#isFixed(given.expression)) this.#terms.add(key)
    }
    const outer = this.statements
    this.statements = []
    for (const sink of sinks) if (sink.kind === 'operand') this.write(box, this.#sink(sink), given, isMove)
    const written = this.statements
    this.statements = outer
    this.emit(...(condition && written.length > 0 ? [when(condition, written)] : written))
  }

  /** `target := value` */
  write(box: Box, target: Operand, value: Operand, isMove = false): void {
    const at = this.at(box)
    const fitting =
      target.kind === 'variable' && target.type.kind === 'scalar'
        ? loosely(this.context, value, target.type, at, `For ${target.text}`, isMove)
        : value
    this.emit(...assign(this.context, target, fitting, at, at))
  }

  #sink(end: WireEnd & { readonly kind: 'operand' }): Operand {
    return this.#operand(end.uId)
  }

  /** Returns the destinations of the outputs of a call, and the statements that remain after it. */
  outputs(
    box: Box,
    pins: readonly string[],
    typeOf: (pin: string) => Type | undefined,
  ): { readonly given: readonly CallArgument[]; deliver(): void } {
    const given: CallArgument[] = []
    const after: (() => void)[] = []
    for (const pin of pins) {
      const sinks = this.index.sinks({ kind: 'pin', uId: box.uId, pin })
      const [first] = sinks.filter((sink) => sink.kind === 'operand')
      const at = this.at(box)
      const type = typeOf(pin)
      if (first && sinks.length === 1 && !box.negated.includes(pin)) {
        const target = this.#sink(first)
        if (!this.#isLossy(type, target)) {
          given.push({ name: pin, isOutput: true, operand: target, at: { uId: first.uId } })
          continue
        }
      }
      if (type?.kind === 'scalar') {
        const variable = this.register(type, `${box.name}.${pin}`)
        given.push({ name: pin, isOutput: true, operand: variable, at })
        after.push(() => this.deliver(box, pin, variable))
      } else if (type) {
        const place = this.context.frame(type)
        const variable: Operand = { kind: 'variable', type, at: { kind: 'place', place }, text: `${box.name}.${pin}` }
        given.push({ name: pin, isOutput: true, operand: variable, at })
        after.push(() => this.deliver(box, pin, variable))
      } else if (first) {
        const target = this.#sink(first)
        given.push({ name: pin, isOutput: true, operand: target, at: { uId: first.uId } })
        after.push(() => this.deliver(box, pin, target))
      } else this.report(box, 'unsupported', `The type that ${pin} of ${box.name} gives is not known.`)
    }
    return {
      given,
      deliver() {
        for (const one of after) one()
      },
    }
  }

  /** Whether an output reaches its operand only by a conversion of LAD and FBD (pin-types.ts). */
  #isLossy(type: Type | undefined, target: Operand): boolean {
    if (type?.kind !== 'scalar' || target.kind !== 'variable' || target.type.kind !== 'scalar') return false
    return implicitConversion(type, target.type, this.context.block.isIecCheckOn) === undefined
  }

  /**
   * Evaluates a box under its EN and delivers its ENO. Without EN and ENO the box simply runs.
   * @param run emits the code of the box and delivers its outputs
   */
  enabled(box: Box, { isBlock = false, cannotFail = false }: EnableOptions, run: () => void): void {
    const { context } = this
    const at = this.at(box)
    const hasEn = this.isConnected(box, 'en')
    const hasEno = this.index.outputs(box.uId).includes('eno')
    const condition = hasEn ? this.flow(box, 'en') : isTrue
    if (!condition) {
      // The box may have faults of its own.
      this.#collect(run)
      return
    }
    const isAlways = condition.kind === 'constant' && condition.value === 1n
    const { probes } = context
    const own = isAlways ? probes?.run : probes?.byte()
    if (probes && own !== undefined) probes.note('box', at, [own])
    const isWatched = hasEno && !cannotFail && !(box.kind === 'part' && box.disabledEno === true)
    this.#settleAll()
    const enable = isAlways || !hasEno ? condition : this.settle(condition)
    const given: CallArgument[] = []
    if (!isAlways) given.push({ name: 'EN', isOutput: false, operand: flowValue(enable), at })
    const eno = isWatched ? this.register(Bool, 'eno') : undefined
    if (eno) given.push({ name: 'ENO', isOutput: true, operand: eno, at })
    const before = context.setsEno
    context.setsEno = false
    const called = withEnable(context, given, isBlock, () => ({
      statements: isAlways
        ? this.#collectPlain(run)
        : [...(probes && own !== undefined ? [probes.mark(own)] : []), ...this.#collect(run)],
    }))
    context.setsEno = before
    this.statements.push(...called.statements)
    if (hasEno) this.deliver(box, 'eno', eno ?? flowValue(enable))
  }

  #collectPlain(run: () => void): Statement[] {
    const outer = this.statements
    this.statements = []
    run()
    // ENO is read after everything the box does.
    this.#settleAll()
    const own = this.statements
    this.statements = outer
    return own
  }

  #collect(run: () => void): Statement[] {
    const before = this.#isConditional
    this.#isConditional = true
    const own = this.#collectPlain(run)
    this.#isConditional = before
    return own
  }
}

/** Returns power flow as an operand. */
export function flowValue(expression: Expression): Operand {
  return { kind: 'result', type: Bool, expression }
}

function isLong(value: Operand): boolean {
  if (value.kind !== 'result') return false
  let length = 0
  const pending: Expression[] = [value.expression]
  for (let one = pending.pop(); one !== undefined && length <= longestTerm; one = pending.pop()) {
    length++
    if (one.kind === 'binary') pending.push(one.left, one.right)
    else if (one.kind === 'unary' || one.kind === 'convert') pending.push(one.operand)
  }
  return length > longestTerm
}
