/**
 * GRAPH: sequencers to the intermediate form (S7-GRAPH manual; plc-semantics.md 2.10).
 *
 * One call does, in this order: the permanent instructions before; parameters and modes; interlocks, supervisions and transitions of the steps
 * that were active before, so that a sequence goes on by one step at most; what ends with a step that was left; actions of active steps; outputs;
 * the permanent instructions after. Event bits (S1, S0, V1 …) stand for one call.
 *
 * Choices where the manual says nothing: a transition or supervision without a network is always fulfilled or never; a step that was left has
 * neither interlock nor supervision error; the first call of an instance starts its initial steps.
 */
import type { Condition, LogicGraph, PermanentOperation, SequenceChart, Step } from '../model/network.ts'
import type { Expression, Statement } from '../program/ir.ts'
import { and, binary, constant, convert, isFalse, isTrue, local, not, setLocal, when } from '../program/ir-build.ts'
import { Bool, DInt, DWord, Int, LInt, Time } from '../program/scalars.ts'
import type { BlockContext } from './block-context.ts'
import { lowerActions } from './chart-actions.ts'
import { ChartData, type EdgeBit } from './chart-data.ts'
import { flowOf, type TransitionFlow } from './chart-flow.ts'
import { lowerGraph } from './ladder.ts'
import { lowerScl } from './scl.ts'
import { lowerStatements } from './statement-list.ts'
import type { Variable } from './values.ts'

/** Lowers the chart of a GRAPH function block; faults are in `context.diagnostics`. */
export function lowerChart(context: BlockContext, chart: SequenceChart): Statement[] {
  return new ChartLowering(context, chart).lower()
}

const or = (left: Expression, right: Expression): Expression => binary('or', Bool, left, right)

/** Nothing leads to the coil at the end of a condition. */
function isEmpty({ nodes, wires }: LogicGraph): boolean {
  const coil = nodes.find((node) => node.kind === 'part' && /^(?:Tr|Sv|Il)Coil$/.test(node.name))
  if (!coil) return true
  return !wires.some(
    ({ ends: [source, ...sinks] }) =>
      source?.kind !== 'open' && sinks.some((end) => end.kind === 'pin' && end.uId === coil.uId && end.pin === 'in'),
  )
}

class ChartLowering {
  readonly #context: BlockContext
  readonly #chart: SequenceChart
  readonly #data: ChartData
  readonly #steps: readonly Step[]
  readonly #flows: readonly TransitionFlow[]
  /** Register that says whether a step was active when the call began and may still be left. */
  readonly #available = new Map<number, number>()
  readonly #transitionBits = new Map<string, Variable>()
  readonly #memory: number
  readonly #now: number

  constructor(context: BlockContext, chart: SequenceChart) {
    this.#context = context
    this.#chart = chart
    this.#data = new ChartData(context)
    this.#steps = chart.sequences.flatMap(({ steps }) => steps)
    this.#flows = chart.sequences.flatMap((sequence) => {
      const { transitions, faults } = flowOf(sequence)
      for (const fault of faults)
        context.report('chart-structure', {}, fault, 'Steps and transitions follow each other in turn.')
      return transitions
    })
    this.#memory = context.local(DWord)
    this.#now = context.local(DInt)
  }

  lower(): Statement[] {
    const { before, after } = this.#chart
    const actions = this.#lowerActions()
    return [
      ...before.flatMap((operation) => this.#permanent(operation)),
      ...this.#begin(),
      ...this.#steps.flatMap((step) => this.#clearEvents(step)),
      ...this.#initialise(),
      ...this.#modes(),
      ...this.#steps.flatMap((step) => this.#measure(step)),
      ...this.#steps.flatMap((step) => this.#supervise(step)),
      ...this.#flows.flatMap((flow) => this.#evaluate(flow)),
      ...this.#flows.flatMap((flow) => this.#fire(flow)),
      ...this.#manual(),
      ...this.#steps.flatMap((step) => this.#interlock(step)),
      ...actions,
      ...this.#outputs(),
      ...this.#write(this.#edgeMemory, this.#data.edgeWord()),
      ...after.flatMap((operation) => this.#permanent(operation)),
    ]
  }

  #permanent({ graph, statements, text, language }: PermanentOperation): Statement[] {
    if (graph && graph.nodes.length > 0) return lowerGraph(this.#context, graph)
    if (statements) return lowerStatements(this.#context, statements)
    if (text !== undefined && text.trim() !== '') {
      if (language === 'SCL') return lowerScl(this.#context, text)
      this.#context.report('unsupported-language', {}, `Permanent instructions in ${language} cannot be compiled.`)
    }
    return []
  }

  #lowerActions(): Statement[] {
    const byName = new Map(this.#steps.map((step) => [step.name.toUpperCase(), step]))
    const lowered = this.#steps.map((step) => lowerActions(this.#context, this.#data, step, byName))
    return [...lowered.flatMap(({ ending }) => ending), ...lowered.flatMap(({ doing }) => doing)]
  }

  // ── Parts of steps ────────────────────────────────────────────────────────────────────────────────────────────────

  #part(step: Step, name: string) {
    return this.#data.part(step.name, name)
  }

  #bit(step: Step, name: string): Expression {
    return this.#data.read(this.#part(step, name))
  }

  #setBit(step: Step, name: string, value: Expression = isTrue): Statement[] {
    return this.#write(this.#part(step, name), value)
  }

  #write(...given: Parameters<ChartData['write']>): Statement[] {
    return this.#data.write(...given)
  }

  /** The word that keeps edges lies in the first step, in a part that nothing else uses. */
  get #edgeMemory() {
    const [first] = this.#steps
    return first && this.#part(first, 'CRIT_SUP')
  }

  #activate(step: Step): Statement[] {
    return [
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
        ...['LA', 'VA', 'AA', 'RA', 'VS'].flatMap((name) => this.#setBit(step, name, isFalse)),
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
    return this.#data.rises(bit, this.#edges)
  }

  /** The clock in milliseconds, and the edges of the last call. */
  #begin(): Statement[] {
    const milliseconds = binary('divide', LInt, { kind: 'now' }, constant(LInt, 1_000_000n))
    return [
      setLocal(this.#now, convert(milliseconds, LInt, DInt, 'bits')),
      setLocal(this.#memory, this.#data.read(this.#edgeMemory, DWord)),
    ]
  }

  #clearEvents(step: Step): Statement[] {
    return ['S1', 'S0', 'V1', 'V0', 'L1', 'L0', 'A1', 'R1'].flatMap((name) => this.#setBit(step, name, isFalse))
  }

  /** The first call and INIT_SQ start the initial steps; OFF_SQ leaves all; requests of the actions ON and OFF come in between. */
  #initialise(): Statement[] {
    const isFirst = not(this.#data.was('CALLED', this.#edges))
    const init = this.#rises('INIT_SQ')
    const off = this.#rises('OFF_SQ')
    const starts = this.#context.local(Bool)
    const requests = this.#steps.flatMap((step) => [
      when(this.#bit(step, 'LS'), [...this.#setBit(step, 'LS', isFalse), ...this.#deactivate(step)]),
      when(this.#bit(step, 'SS'), [
        ...this.#setBit(step, 'SS', isFalse),
        when(not(this.#bit(step, 'X')), this.#activate(step)),
      ]),
    ])
    const leaveAll = this.#steps.flatMap((step) => this.#deactivate(step))
    const startAll = this.#steps.filter(({ isInitial }) => isInitial).flatMap((step) => this.#activate(step))
    const numbers = this.#steps.flatMap((step) =>
      this.#write(this.#part(step, 'SNO'), constant(Int, BigInt(step.number))),
    )
    return [
      ...requests,
      setLocal(starts, init ? or(isFirst, init) : isFirst),
      when(isFirst, numbers),
      ...(off ? [when(off, leaveAll)] : []),
      when(local(Bool, starts), [...leaveAll, ...startAll]),
      ...this.#steps.map((step) => {
        const register = this.#context.local(Bool)
        this.#available.set(step.number, register)
        // What began in this call goes on in the next one at the earliest.
        return setLocal(register, and(this.#bit(step, 'X'), not(this.#bit(step, 'S1'))))
      }),
    ]
  }

  /** SW_AUTO, SW_MAN, SW_TAP and SW_TOP choose the mode when they rise. */
  #modes(): Statement[] {
    const modes = ['AUTO', 'MAN', 'TAP', 'TOP'] as const
    const choose = (chosen: string) =>
      modes.flatMap((mode) => this.#write(this.#data.mode(mode), mode === chosen ? isTrue : isFalse))
    const any = modes.map((mode) => this.#mode(mode)).reduce(or)
    return [
      when(not(any), choose('AUTO')),
      ...modes.flatMap((mode) => {
        const rises = this.#rises(`SW_${mode}`)
        return rises ? [when(rises, choose(mode))] : []
      }),
    ]
  }

  /** A block without run-time data works automatically. */
  #mode(name: string): Expression {
    const mode = this.#data.mode(name)
    return !mode && name === 'AUTO' ? isTrue : this.#data.read(mode)
  }

  // ── Times, supervision, interlock ─────────────────────────────────────────────────────────────────────────────────

  /** T counts from the activation, U only without an error. */
  #measure(step: Step): Statement[] {
    const since = (part: string) =>
      binary('subtract', DInt, this.now, convert(this.#data.read(this.#part(step, part), DWord), DWord, DInt, 'bits'))
    const undisturbed = this.#part(step, 'U')
    const passed = binary(
      'add',
      Time,
      this.#data.read(undisturbed, Time),
      convert(since('CRIT_LOC_ERR'), DInt, Time, 'bits'),
    )
    return [
      when(this.#bit(step, 'X'), [
        ...this.#write(this.#part(step, 'T'), convert(since('CRIT_LOC'), DInt, Time, 'bits')),
        when(not(or(this.#bit(step, 'LA'), this.#bit(step, 'VA'))), this.#write(undisturbed, passed)),
        ...this.#write(this.#part(step, 'CRIT_LOC_ERR'), convert(this.now, DInt, DWord, 'bits')),
      ]),
    ]
  }

  /** The result of a condition in a register. */
  #condition(condition: Condition | undefined, whenEmpty: boolean): { before: Statement[]; value: Expression } {
    if (!condition?.graph || isEmpty(condition.graph)) return { before: [], value: whenEmpty ? isTrue : isFalse }
    const register = this.#context.local(Bool)
    const before = lowerGraph(this.#context, condition.graph, {
      condition: (_coil, value) => [setLocal(register, value)],
    })
    return { before: [setLocal(register, isFalse), ...before], value: local(Bool, register) }
  }

  /** A supervision error stops the step's transitions until it is gone and, with acknowledgement required, was acknowledged. */
  #supervise(step: Step): Statement[] {
    const acknowledged = this.#rises('ACK_EF')
    const registered = this.#rises('REG_EF')
    const { before, value } = this.#condition(step.supervision, false)
    const isError = or(this.#bit(step, 'LA'), this.#bit(step, 'VA'))
    const needsAck = this.#mode('ACKREQ')
    return [
      when(this.#bit(step, 'X'), [
        ...before,
        ...(acknowledged
          ? [
              when(and(acknowledged, isError), [
                ...this.#setBit(step, 'A1'),
                ...this.#setBit(step, 'AA'),
                ...this.#setBit(step, 'VS', isFalse),
              ]),
            ]
          : []),
        ...(registered ? [when(registered, this.#setBit(step, 'R1'))] : []),
        when(
          value,
          [
            when(not(this.#bit(step, 'VA')), [
              ...this.#setBit(step, 'VA'),
              ...this.#setBit(step, 'V1'),
              ...this.#setBit(step, 'AA', isFalse),
              ...this.#setBit(step, 'VS', needsAck),
            ]),
          ],
          [
            when(and(this.#bit(step, 'VA'), not(this.#bit(step, 'VS'))), [
              ...this.#setBit(step, 'VA', isFalse),
              ...this.#setBit(step, 'V0'),
            ]),
          ],
        ),
      ]),
    ]
  }

  #interlock(step: Step): Statement[] {
    const { before, value } = this.#condition(step.interlock, true)
    return [
      when(this.#bit(step, 'X'), [
        ...before,
        when(
          value,
          [when(this.#bit(step, 'LA'), [...this.#setBit(step, 'LA', isFalse), ...this.#setBit(step, 'L0')])],
          [when(not(this.#bit(step, 'LA')), [...this.#setBit(step, 'LA'), ...this.#setBit(step, 'L1')])],
        ),
      ]),
    ]
  }

  // ── Transitions ───────────────────────────────────────────────────────────────────────────────────────────────────

  #stepsOf(numbers: readonly number[], { transition }: TransitionFlow): Step[] {
    return numbers.flatMap((number) => {
      const step = this.#steps.find((one) => one.number === number)
      if (!step)
        this.#context.report(
          'chart-structure',
          {},
          `Transition ${transition.number} is connected with step ${number}, which does not exist.`,
        )
      return step ?? []
    })
  }

  /** TV, TT or TS of a transition; the ones of a block whose interface does not show them are registers. */
  #transitionPart({ transition }: TransitionFlow, name: string): Variable {
    const key = `${transition.number} ${name}`
    const known = this.#transitionBits.get(key)
    if (known) return known
    const bit: Variable = this.#data.partOf(transition.name, name) ?? {
      kind: 'variable',
      type: Bool,
      at: { kind: 'local', local: this.#context.local(Bool) },
      text: `${transition.name}.${name}`,
    }
    this.#transitionBits.set(key, bit)
    return bit
  }

  /** Conditions of all transitions are worked out before any of them switches. */
  #evaluate(flow: TransitionFlow): Statement[] {
    const { before, value } = this.#condition(flow.transition, true)
    const from = this.#stepsOf(flow.from, flow)
    const valid = from.map((step) => local(Bool, this.#available.get(step.number) ?? 0)).reduce(and, isTrue)
    const set = (name: string, bit: Expression) => this.#write(this.#transitionPart(flow, name), bit)
    return [
      ...set('TV', from.length > 0 ? valid : isFalse),
      ...set('TS', isFalse),
      when(this.#transitionBit(flow, 'TV'), [...before, ...set('TT', value)], set('TT', isFalse)),
    ]
  }

  #transitionBit(flow: TransitionFlow, name: string): Expression {
    return this.#data.read(this.#transitionPart(flow, name))
  }

  /** Leaves the steps before and activates those behind. A step that an alternative further left has left already is no longer there. */
  #fire(flow: TransitionFlow): Statement[] {
    const from = this.#stepsOf(flow.from, flow)
    const to = this.#stepsOf(flow.to, flow)
    if (from.length === 0) return []
    const available = from.map((step) => local(Bool, this.#available.get(step.number) ?? 0)).reduce(and)
    const isFree = from.map((step) => not(this.#bit(step, 'VA'))).reduce(and)
    const push = this.#rises('T_PUSH') ?? isFalse
    const met = this.#transitionBit(flow, 'TT')
    const goes = or(
      and(met, or(this.#mode('AUTO'), and(this.#mode('TAP'), push))),
      and(this.#mode('TOP'), or(met, push)),
    )
    return [
      when(and(and(available, isFree), goes), [
        ...this.#write(this.#transitionPart(flow, 'TS'), isTrue),
        ...from.flatMap((step) => [
          setLocal(this.#available.get(step.number) ?? 0, isFalse),
          ...this.#deactivate(step),
        ]),
        ...to.flatMap((step) => this.#activate(step)),
      ]),
    ]
  }

  /** Manual mode: S_ON and S_OFF work on the step that S_SEL names. */
  #manual(): Statement[] {
    const selected = this.#data.parameter('S_SEL')
    if (!selected) return []
    const number = this.#data.read(selected, selected.type.kind === 'scalar' ? selected.type : Int)
    const type = selected.type.kind === 'scalar' ? selected.type : Int
    const [on, off] = [this.#rises('S_ON'), this.#rises('S_OFF')]
    const body = this.#steps.map((step) =>
      when(binary('equal', type, number, constant(type, BigInt(step.number))), [
        ...(off ? [when(off, this.#deactivate(step))] : []),
        ...(on ? [when(and(on, not(this.#bit(step, 'X'))), this.#activate(step))] : []),
      ]),
    )
    return [when(this.#mode('MAN'), body)]
  }

  // ── Outputs ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #outputs(): Statement[] {
    const output = (name: string, value: Expression) => this.#write(this.#data.parameter(name), value)
    const anyOf = (values: Expression[]) => values.reduce(or, isFalse)
    const active = this.#steps.map((step) => convert(this.#bit(step, 'X'), Bool, DInt))
    const total = active.reduce((sum, one) => binary('add', DInt, sum, one), constant(DInt, 0n))
    return [
      ...this.#shownStep(),
      ...output('S_MORE', binary('greater', DInt, total, constant(DInt, 1n))),
      ...output('ERR_FLT', anyOf(this.#steps.map((step) => or(this.#bit(step, 'LA'), this.#bit(step, 'VA'))))),
      ...output('AUTO_ON', this.#mode('AUTO')),
      ...output('MAN_ON', this.#mode('MAN')),
      ...output('TAP_ON', this.#mode('TAP')),
      ...output('TOP_ON', this.#mode('TOP')),
    ]
  }

  /** S_NO: the step shown. In manual mode the selected one; else an active one, which S_NEXT and S_PREV change. */
  #shownStep(): Statement[] {
    const context = this.#context
    const shown = context.local(Int)
    const [least, most, next, previous] = [0, 1, 2, 3].map(() => context.local(Int)) as [number, number, number, number]
    const isShownActive = context.local(Bool)
    const output = this.#data.parameter('S_NO')
    const zero = constant(Int, 0n)
    const is = (register: number, number: number | bigint) =>
      binary('equal', Int, local(Int, register), constant(Int, BigInt(number)))
    const ascending = [...this.#steps].sort((a, b) => a.number - b.number)
    const collect = (): Statement[] => [
      setLocal(isShownActive, isFalse),
      ...[least, most, next, previous].map((register) => setLocal(register, zero)),
      ...ascending.map((step) => {
        const number = constant(Int, BigInt(step.number))
        return when(this.#bit(step, 'X'), [
          when(is(least, 0), [setLocal(least, number)]),
          setLocal(most, number),
          when(is(shown, step.number), [setLocal(isShownActive, isTrue)]),
          when(and(is(next, 0), binary('greater', Int, number, local(Int, shown))), [setLocal(next, number)]),
          when(binary('less', Int, number, local(Int, shown)), [setLocal(previous, number)]),
        ])
      }),
    ]
    const [forward, back] = [this.#rises('S_NEXT'), this.#rises('S_PREV')]
    const orElse = (register: number, otherwise: number): Expression => ({
      kind: 'select',
      type: Int,
      condition: is(register, 0),
      whenTrue: local(Int, otherwise),
      otherwise: local(Int, register),
    })
    const selected = this.#data.parameter('S_SEL')
    const chosen = selected ? this.#data.read(selected, Int) : zero
    const isChoice = ascending
      .map((step) => binary('equal', Int, chosen, constant(Int, BigInt(step.number))))
      .reduce(or, isFalse)
    return [
      setLocal(shown, this.#data.read(output, Int)),
      ...collect(),
      ...(forward ? [when(and(forward, local(Bool, isShownActive)), [setLocal(shown, orElse(next, least))])] : []),
      ...(back ? [when(and(back, local(Bool, isShownActive)), [setLocal(shown, orElse(previous, most))])] : []),
      when(not(local(Bool, isShownActive)), [setLocal(shown, local(Int, least))]),
      when(and(this.#mode('MAN'), isChoice), [setLocal(shown, chosen)]),
      ...collect(),
      ...this.#write(output, local(Int, shown)),
      ...this.#write(this.#data.parameter('S_ACTIVE'), local(Bool, isShownActive)),
    ]
  }
}
