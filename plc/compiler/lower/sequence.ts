/**
 * Lowers GRAPH sequence programs to the intermediate form (S7-GRAPH manual; docs/plc-semantics.md#sequencers).
 *
 * Inputs: sequence-switches.ts; outputs: sequence-display.ts. One call does, in this order: the permanent instructions
 * before; parameters and modes; interlocks, supervisions and transitions of the steps that were active before, so that
 * a sequence advances by at most one step; the actions that end with a left step; actions of active steps; outputs; the
 * permanent instructions after. Event bits (S1, S0, V1 …) stay set for one call.
 *
 * Choices where the manual says nothing: a transition without a network is always fulfilled, a supervision never (a
 * coil right at the power rail counts as no network); a step that was left has neither interlock nor supervision error;
 * the first call of an instance starts its initial steps; an acknowledgement allows leaving a step that is still faulty
 * ("force switching to the next step"). T_MAX and T_WARN are values that a network compares with T (`#Step1.T >
 * #Step1.T_MAX`); without such a network they do nothing: every step has T#10s, and steps wait for longer.
 */

import { and, binary, constant, convert, isFalse, isTrue, local, not, or, setLocal, when } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import type { Condition, PermanentOperation, SequenceProgram, Step } from '../../model/sequence.ts'
import { literalOf, scalarValue } from '../../program/literals.ts'
import { Bool, DInt, DWord, Int, LInt, Time } from '../../program/scalars.ts'
import type { BlockContext } from './block-context.ts'
import { lowerLogicNetwork } from './ladder.ts'
import { lowerScl } from './scl.ts'
import { lowerActions } from './sequence-actions.ts'
import { type EdgeBit, SequenceData } from './sequence-data.ts'
import { SequenceDisplay } from './sequence-display.ts'
import { flowOf, type TransitionFlow } from './sequence-flow.ts'
import { SequenceSwitches } from './sequence-switches.ts'
import { lowerStatements } from './statement-list.ts'
import type { Variable } from './values.ts'

/** Lowers the sequence program of a GRAPH function block; faults are in `context.diagnostics`. */
export function lowerSequenceProgram(context: BlockContext, body: SequenceProgram): Statement[] {
  return new SequenceLowering(context, body).lower()
}

/**
 * Whether nothing leads to the coil at the end of a condition, or only the power rail: exports show an unprogrammed
 * condition so.
 */
function isEmpty({ nodes, wires }: LogicNetwork): boolean {
  const coil = nodes.find((node) => node.kind === 'part' && /^(?:Tr|Sv|Il)Coil$/.test(node.name))
  if (!coil) return true
  return !wires.some(
    ({ ends: [source, ...sinks] }) =>
      source?.kind !== 'open' &&
      source?.kind !== 'powerrail' &&
      sinks.some((end) => end.kind === 'pin' && end.uId === coil.uId && end.pin === 'in'),
  )
}

class SequenceLowering {
  readonly #context: BlockContext
  readonly #body: SequenceProgram
  readonly #data: SequenceData
  readonly #steps: readonly Step[]
  /** The first step with each number. */
  readonly #byNumber: ReadonlyMap<number, Step>
  readonly #flows: readonly TransitionFlow[]
  /** Registers that contain whether a step was active when the call began and may still be left. */
  readonly #available = new Map<number, number>()
  readonly #transitionBits = new Map<string, Variable>()
  readonly #memory: number
  readonly #now: number
  readonly #switches: SequenceSwitches
  readonly #display: SequenceDisplay

  constructor(context: BlockContext, body: SequenceProgram) {
    this.#context = context
    this.#body = body
    this.#data = new SequenceData(context)
    this.#steps = body.sequences.flatMap(({ steps }) => steps)
    this.#byNumber = new Map(this.#steps.toReversed().map((step) => [step.number, step]))
    this.#flows = body.sequences.flatMap((sequence) => {
      const { transitions, faults } = flowOf(sequence)
      for (const fault of faults)
        context.report('chart-structure', {}, fault, 'Steps and transitions follow each other in turn.')
      return transitions
    })
    this.#memory = context.local(DWord)
    this.#now = context.local(DInt)
    this.#switches = new SequenceSwitches(context, this.#data, this.#edges)
    this.#display = new SequenceDisplay(context, this.#data, this.#switches, this.#steps)
  }

  lower(): Statement[] {
    const { before, after } = this.#body
    const actions = this.#lowerActions()
    return [
      ...before.flatMap((operation) => this.#permanent(operation)),
      ...this.#begin(),
      ...this.#steps.flatMap((step) => this.#clearEvents(step)),
      ...this.#initialise(),
      ...this.#switches.lower(),
      ...this.#steps.flatMap((step) => this.#measure(step)),
      ...this.#steps.flatMap((step) => this.#supervise(step)),
      ...this.#flows.flatMap((flow) => this.#evaluate(flow)),
      ...this.#fireAll(),
      ...this.#display.choose(),
      ...this.#manual(),
      ...this.#steps.flatMap((step) => this.#interlock(step)),
      ...actions,
      ...this.#display.outputs(
        this.#flows.map((flow) => ({ number: flow.transition.number, isValid: this.#transitionBit(flow, 'TV') })),
      ),
      ...this.#write(this.#edgeMemory, this.#data.edgeWord(this.#switches.all)),
      ...this.#data.endRequests(),
      ...after.flatMap((operation) => this.#permanent(operation)),
    ]
  }

  #permanent({ graph, statements, text, language }: PermanentOperation): Statement[] {
    if (graph && graph.nodes.length > 0) return lowerLogicNetwork(this.#context, graph)
    if (statements) return lowerStatements(this.#context, { statements })
    if (text !== undefined && text.trim() !== '') {
      if (language === 'SCL') return lowerScl(this.#context, text)
      this.#context.report('unsupported-language', {}, `Permanent instructions in ${language} cannot be compiled.`)
    }
    return []
  }

  #lowerActions(): Statement[] {
    const zeroed = this.#switches.kept('OP_ZEROED')
    const byName = new Map(this.#steps.map((step) => [step.name.toUpperCase(), step]))
    const lowered = this.#steps.map((step) =>
      this.#context.within(stepText(step), () => lowerActions(this.#context, this.#data, step, byName, zeroed)),
    )
    return [...lowered.flatMap(({ ending }) => ending), ...lowered.flatMap(({ doing }) => doing)]
  }

  // ── Parts of steps ────────────────────────────────────────────────────────────────────────────────────────────────

  #part(step: Step, name: string) {
    return this.#data.member(step.name, name)
  }

  #bit(step: Step, name: string): Expression {
    return this.#data.read(this.#part(step, name))
  }

  #setBit(step: Step, name: string, value: Expression = isTrue): Statement[] {
    return this.#write(this.#part(step, name), value)
  }

  #write(...given: Parameters<SequenceData['write']>): Statement[] {
    return this.#data.write(...given)
  }

  /** The word of the edges is in the first step, in a part that nothing else uses. */
  get #edgeMemory() {
    const [first] = this.#steps
    return first && this.#part(first, 'CRIT_SUP')
  }

  #activate(step: Step): Statement[] {
    return [
      ...(this.#context.probes?.reached('step', stepText(step)) ?? []),
      ...this.#setBit(step, 'X'),
      ...this.#setBit(step, 'S1'),
      ...this.#write(this.#part(step, 'T'), constant(Time, 0n)),
      ...this.#write(this.#part(step, 'U'), constant(Time, 0n)),
      ...this.#write(this.#part(step, 'CRIT_LOC'), convert(this.now, DInt, DWord, 'bits')),
      ...this.#write(this.#part(step, 'CRIT_LOC_ERR'), convert(this.now, DInt, DWord, 'bits')),
    ]
  }

  /** Leaves a step that is active. */
  #deactivate(step: Step): Statement[] {
    return [
      when(this.#bit(step, 'X'), [
        ...this.#setBit(step, 'X', isFalse),
        ...this.#setBit(step, 'S0'),
        ...['LA', 'VA', 'AA', 'RA', 'LS', 'VS'].flatMap((name) => this.#setBit(step, name, isFalse)),
      ]),
    ]
  }

  // ── Begin of a call ───────────────────────────────────────────────────────────────────────────────────────────────

  get now(): Expression {
    return local(DInt, this.#now)
  }

  get #edges(): Expression {
    return local(DWord, this.#memory)
  }

  #rises(bit: EdgeBit): Expression | undefined {
    return this.#switches.rises(bit)
  }

  /** Reads the clock in milliseconds, and the edges of the last call. */
  #begin(): Statement[] {
    const milliseconds = binary('divide', LInt, { kind: 'now' }, constant(LInt, 1_000_000n))
    return [
      setLocal(this.#now, convert(milliseconds, LInt, DInt, 'bits')),
      setLocal(this.#memory, this.#data.read(this.#edgeMemory, DWord)),
      ...this.#display.begin(),
    ]
  }

  #clearEvents(step: Step): Statement[] {
    return ['S1', 'S0', 'V1', 'V0', 'L1', 'L0', 'A1', 'R1'].flatMap((name) => this.#setBit(step, name, isFalse))
  }

  /**
   * The first call and INIT_SQ start the initial steps; OFF_SQ leaves all; requests of the actions ON and OFF run in
   * between.
   */
  #initialise(): Statement[] {
    const isFirst = not(this.#data.was('CALLED', this.#edges))
    const init = this.#rises('INIT_SQ')
    const off = this.#rises('OFF_SQ')
    const starts = this.#context.local(Bool)
    const requests = this.#steps.flatMap((step) => [
      // OFF has priority over ON: help page "Event-dependent actions".
      when(this.#bit(step, 'RA'), [...this.#setBit(step, 'SS', isFalse), ...this.#deactivate(step)]),
      ...this.#setBit(step, 'RA', isFalse),
      when(this.#bit(step, 'SS'), [
        ...this.#setBit(step, 'SS', isFalse),
        when(not(this.#bit(step, 'X')), this.#activate(step)),
      ]),
    ])
    const leaveAll = this.#steps.flatMap((step) => this.#deactivate(step))
    const startAll = this.#steps.filter(({ isInitial }) => isInitial).flatMap((step) => this.#activate(step))
    const numbers = this.#steps.flatMap((step) => [
      ...this.#write(this.#part(step, 'SNO'), constant(Int, BigInt(step.number))),
      ...this.#timeOf(step, 'T_MAX', step.maximumTime),
      ...this.#timeOf(step, 'T_WARN', step.warningTime),
    ])
    return [
      ...requests,
      setLocal(starts, init ? or(isFirst, init) : isFirst),
      when(isFirst, [...numbers, ...this.#switches.initialise()]),
      ...(off ? [when(off, leaveAll)] : []),
      when(local(Bool, starts), [...leaveAll, ...startAll]),
      ...this.#steps.map((step) => {
        const register = this.#context.local(Bool)
        this.#available.set(step.number, register)
        // A step that began in this call can be left in the next one at the earliest.
        return setLocal(register, and(this.#bit(step, 'X'), not(this.#bit(step, 'S1'))))
      }),
    ]
  }

  /** Sets T_MAX and T_WARN of a step from its properties, unless its data already contain a time. */
  #timeOf(step: Step, part: string, text: string | undefined): Statement[] {
    const variable = this.#data.memberOf(step.name, part)
    if (!variable || text === undefined || text.trim() === '') return []
    const read = literalOf(text)
    const time = 'kind' in read ? scalarValue(read, Time) : { fault: read.message }
    if ('fault' in time) {
      this.#context.report(
        'chart-data',
        { element: stepText(step) },
        `${part} of the step ${step.name} is no time: ${time.fault.replace(/\.$/, '')}.`,
        'E.g. T#10s.',
      )
      return []
    }
    const isUnset = binary('equal', Time, this.#data.read(variable, Time), constant(Time, 0n))
    return [when(isUnset, this.#write(variable, constant(Time, time.value)))]
  }

  #mode(name: string): Expression {
    return this.#switches.mode(name)
  }

  // ── Times, supervision, interlock ─────────────────────────────────────────────────────────────────────────────────

  /**
   * T counts from the activation, U counts only without an error. While times are halted both stop: the activation time
   * moves on with the clock.
   */
  #measure(step: Step): Statement[] {
    const halted = this.#switches.kept('TM_HALTED')
    const moved = binary(
      'add',
      DInt,
      convert(this.#data.read(this.#part(step, 'CRIT_LOC'), DWord), DWord, DInt, 'bits'),
      this.#since(step, 'CRIT_LOC_ERR'),
    )
    const undisturbed = this.#part(step, 'U')
    const passed = binary(
      'add',
      Time,
      this.#data.read(undisturbed, Time),
      convert(this.#since(step, 'CRIT_LOC_ERR'), DInt, Time, 'bits'),
    )
    return [
      when(this.#bit(step, 'X'), [
        when(halted, this.#write(this.#part(step, 'CRIT_LOC'), convert(moved, DInt, DWord, 'bits'))),
        ...this.#write(this.#part(step, 'T'), convert(this.#since(step, 'CRIT_LOC'), DInt, Time, 'bits')),
        when(not(or(halted, or(this.#bit(step, 'LA'), this.#bit(step, 'VA')))), this.#write(undisturbed, passed)),
        ...this.#write(this.#part(step, 'CRIT_LOC_ERR'), convert(this.now, DInt, DWord, 'bits')),
      ]),
    ]
  }

  /** Milliseconds since the time in a part of the step. */
  #since(step: Step, part: string): Expression {
    const moment = convert(this.#data.read(this.#part(step, part), DWord), DWord, DInt, 'bits')
    return binary('subtract', DInt, this.now, moment)
  }

  /** Returns the result of a condition in a register; `element` is what messages name. */
  #condition(
    condition: Condition | undefined,
    element: string,
    whenEmpty: boolean,
  ): { before: Statement[]; value: Expression } {
    if (!condition?.graph || isEmpty(condition.graph)) return { before: [], value: whenEmpty ? isTrue : isFalse }
    const register = this.#context.local(Bool)
    const { graph } = condition
    const before = this.#context.within(element, () =>
      lowerLogicNetwork(this.#context, graph, { condition: (_coil, value) => [setLocal(register, value)] }),
    )
    return { before: [setLocal(register, isFalse), ...before], value: local(Bool, register) }
  }

  /** Whether the input for all steps rises, or the one for the step that S_NO shows. */
  #risesFor(step: Step, all: EdgeBit, shown: EdgeBit): Expression | undefined {
    const one = this.#rises(shown)
    return [this.#rises(all), one && and(one, this.#display.isShown(step))]
      .filter((edge) => edge !== undefined)
      .reduce<Expression | undefined>((left, right) => (left ? or(left, right) : right), undefined)
  }

  /**
   * A supervision error blocks the step's transitions until it is gone and, where acknowledgement is required,
   * acknowledged. VS and LS are the results of supervision and interlock (help page "Static parameters of a step"); AA,
   * which is reserved there, says that nothing is left to acknowledge, RA that an action OFF asked for the end.
   */
  #supervise(step: Step): Statement[] {
    const acknowledged = this.#risesFor(step, 'ACK_EF', 'ACK_S')
    const registered = this.#risesFor(step, 'REG_EF', 'REG_S')
    const isOn = this.#mode('SUP')
    const { before, value } = this.#condition(step.supervision, stepText(step), false)
    const isError = or(this.#bit(step, 'LA'), this.#bit(step, 'VA'))
    const needsAck = this.#mode('ACKREQ')
    return [
      when(this.#bit(step, 'X'), [
        ...before,
        ...this.#setBit(step, 'VS', value),
        when(not(isOn), this.#setBit(step, 'AA')),
        ...(acknowledged
          ? [when(and(acknowledged, isError), [...this.#setBit(step, 'A1'), ...this.#setBit(step, 'AA')])]
          : []),
        ...(registered ? [when(registered, this.#setBit(step, 'R1'))] : []),
        when(
          and(value, isOn),
          [
            when(not(this.#bit(step, 'VA')), [
              ...this.#setBit(step, 'VA'),
              ...this.#setBit(step, 'V1'),
              ...this.#setBit(step, 'AA', not(needsAck)),
            ]),
          ],
          [
            when(and(this.#bit(step, 'VA'), this.#bit(step, 'AA')), [
              ...this.#setBit(step, 'VA', isFalse),
              ...this.#setBit(step, 'V0'),
            ]),
          ],
        ),
      ]),
    ]
  }

  #interlock(step: Step): Statement[] {
    const { before, value } = this.#condition(step.interlock, stepText(step), true)
    const isActive = this.#bit(step, 'X')
    return [
      when(or(isActive, this.#allInterlocks), [...before, ...this.#setBit(step, 'LS', value)]),
      when(isActive, [
        when(
          or(value, not(this.#mode('LOCK'))),
          [when(this.#bit(step, 'LA'), [...this.#setBit(step, 'LA', isFalse), ...this.#setBit(step, 'L0')])],
          [when(not(this.#bit(step, 'LA')), [...this.#setBit(step, 'LA'), ...this.#setBit(step, 'L1')])],
        ),
      ]),
    ]
  }

  /** Whether the interlocks of all steps are processed, also of those that are not active. */
  get #allInterlocks(): Expression {
    return or(this.#mode('IL_PERM'), and(this.#mode('MAN'), this.#mode('ILP_MAN')))
  }

  // ── Transitions ───────────────────────────────────────────────────────────────────────────────────────────────────

  #stepsOf(numbers: readonly number[], { transition }: TransitionFlow): Step[] {
    return numbers.flatMap((number) => {
      const step = this.#byNumber.get(number)
      if (!step)
        this.#context.report(
          'chart-structure',
          {},
          `Transition ${transition.number} is connected with step ${number}, which does not exist.`,
        )
      return step ?? []
    })
  }

  /** Returns TV, TT or TS of a transition; when the interface of the block lacks them, they are registers. */
  #transitionPart({ transition }: TransitionFlow, name: string): Variable {
    const key = `${transition.number} ${name}`
    const known = this.#transitionBits.get(key)
    if (known) return known
    const bit: Variable = this.#data.memberOf(transition.name, name) ?? {
      kind: 'variable',
      type: Bool,
      at: { kind: 'local', local: this.#context.local(Bool) },
      text: `${transition.name}.${name}`,
    }
    this.#transitionBits.set(key, bit)
    return bit
  }

  /** Evaluates the conditions of all transitions before any of them switches. */
  #evaluate(flow: TransitionFlow): Statement[] {
    const { before, value } = this.#condition(flow.transition, transitionText(flow), true)
    const from = this.#stepsOf(flow.from, flow)
    const valid = from.map((step) => local(Bool, this.#available.get(step.number) ?? 0)).reduce(and, isTrue)
    const set = (name: string, bit: Expression) => this.#write(this.#transitionPart(flow, name), bit)
    return [
      ...set('TV', from.length > 0 ? valid : isFalse),
      ...set('TS', isFalse),
      when(
        or(this.#transitionBit(flow, 'TV'), or(this.#skips, this.#mode('T_PERM'))),
        [...before, ...set('TT', value)],
        set('TT', isFalse),
      ),
    ]
  }

  #transitionBit(flow: TransitionFlow, name: string): Expression {
    return this.#data.read(this.#transitionPart(flow, name))
  }

  /** A step is skipped when the transitions before and after it are fulfilled in the same call. */
  get #skips(): Expression {
    return this.#switches.maySkip ? this.#mode('SSKIP') : isFalse
  }

  /** Switches all transitions once; with skipping repeatedly until none switches. */
  #fireAll(): Statement[] {
    if (!this.#switches.maySkip) return this.#flows.flatMap((flow) => this.#fire(flow))
    const context = this.#context
    const [label, fired, rounds] = [context.label(), context.local(Bool), context.local(DInt)]
    const most = constant(DInt, BigInt(this.#steps.length))
    const isLast = binary('greaterOrEqual', DInt, local(DInt, rounds), most)
    return [
      setLocal(rounds, constant(DInt, 0n)),
      {
        kind: 'loop',
        label,
        site: 0,
        atMost: this.#steps.length + 1,
        body: [
          setLocal(fired, isFalse),
          ...this.#flows.flatMap((flow) => this.#fire(flow, fired)),
          setLocal(rounds, binary('add', DInt, local(DInt, rounds), constant(DInt, 1n))),
          when(or(not(and(local(Bool, fired), this.#skips)), isLast), [{ kind: 'leave', label }]),
        ],
      },
    ]
  }

  /**
   * Leaves the steps before and activates those after. A step that an alternative further left has already left is no
   * longer available.
   */
  #fire(flow: TransitionFlow, fired?: number): Statement[] {
    const from = this.#stepsOf(flow.from, flow)
    const to = this.#stepsOf(flow.to, flow)
    if (from.length === 0) return []
    const register = (step: Step) => this.#available.get(step.number) ?? 0
    const available = from.map((step) => local(Bool, register(step))).reduce(and)
    const isFree = from
      .map((step) => {
        const acknowledged = this.#risesFor(step, 'ACK_EF', 'ACK_S')
        const isRight = not(this.#bit(step, 'VA'))
        return acknowledged ? or(isRight, acknowledged) : isRight
      })
      .reduce(and)
    const push = this.#rises('T_PUSH') ?? isFalse
    const met = this.#transitionBit(flow, 'TT')
    const goes = or(
      and(met, or(this.#mode('AUTO'), and(this.#mode('TAP'), push))),
      and(this.#mode('TOP'), or(met, push)),
    )
    const skipped = from.map((step) =>
      when(this.#bit(step, 'S1'), [...this.#setBit(step, 'S1', isFalse), ...this.#setBit(step, 'S0', isFalse)]),
    )
    const again = to.map((step) => setLocal(register(step), this.#skips))
    return [
      when(and(and(available, isFree), and(goes, not(this.#switches.kept('SQ_HALTED')))), [
        ...(this.#context.probes?.reached('transition', transitionText(flow)) ?? []),
        ...this.#write(this.#transitionPart(flow, 'TS'), isTrue),
        ...from.flatMap((step) => [setLocal(register(step), isFalse), ...this.#deactivate(step)]),
        ...(fired === undefined ? [] : skipped),
        ...to.flatMap((step) => this.#activate(step)),
        ...(fired === undefined ? [] : [...again, setLocal(fired, isTrue)]),
      ]),
    ]
  }

  /** Manual mode: S_ON and S_OFF work on the step that S_NO shows. */
  #manual(): Statement[] {
    const [on, off] = [this.#rises('S_ON'), this.#rises('S_OFF')]
    const body = this.#steps.map((step) =>
      when(this.#display.isShown(step), [
        ...(off ? [when(off, this.#deactivate(step))] : []),
        ...(on ? [when(and(on, not(this.#bit(step, 'X'))), this.#activate(step))] : []),
      ]),
    )
    return on || off ? [when(this.#mode('MAN'), body)] : []
  }
}

function transitionText({ transition: { number, name } }: TransitionFlow): string {
  return `Transition ${number} "${name}"`
}

/** A step as messages name it. */
function stepText({ number, name }: Step): string {
  return `Step ${number} "${name}"`
}
