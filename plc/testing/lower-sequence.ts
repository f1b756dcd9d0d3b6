/** Builds and runs GRAPH function blocks in tests. */
import { defined } from '../../lib/optional.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import { scanOperand } from '../model/operand-reader.ts'
import type { Action, Branch, Connection, SequenceNode, SequenceProgram, Step } from '../model/sequence.ts'
import { readAddress } from '../program/absolute-address.ts'
import { Bool, DWord, Int, Time, USInt, Word } from '../program/scalars.ts'
import type { Type } from '../program/type.ts'
import { runScl, type SclRun, type SclTest, structure } from './runtime.ts'

const stepType = structure({
  ...Object.fromEntries('S1 L1 V1 R1 A1 S0 L0 V0 X LA VA RA AA SS LS VS'.split(' ').map((name) => [name, Bool])),
  SNO: Int,
  T: Time,
  U: Time,
  T_MAX: Time,
  T_WARN: Time,
  RESERVED: Word,
  CRIT_LOC: DWord,
  CRIT_LOC_ERR: DWord,
  CRIT_SUP: DWord,
})
const transitionType = structure({ TV: Bool, TT: Bool, TS: Bool, TNO: Int })
const bits = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, Bool]))
const runTimeData = structure({
  S_DISPIDX: USInt,
  MOP: structure({
    ...bits('AUTO MAN TAP TOP ACKREQ SSKIP LOCK SUP INIT OFF HALT TMS_HALT OPS_ZERO SACT_DISP'),
    ...bits('S_PREV S_NEXT S_ON S_OFF T_PUSH ACK REG IL_PERM T_PERM ILP_MAN'),
    PREVIOUS: DWord,
  }),
  S_DISPLAY: Int,
  SQ_FLAGS: structure(bits('ERR_FLT ERROR FAULT')),
})

/** A condition that is one contact. */
function contact(name: string, coil: string): LogicNetwork {
  return {
    labels: [],
    nodes: [
      { kind: 'operand', uId: 21, operand: { kind: 'symbol', scope: 'LocalVariable', path: [{ name }] } },
      { kind: 'part', uId: 22, name: 'Contact', negated: [], invisible: [], templates: [], automaticTyped: [] },
      { kind: 'part', uId: 23, name: coil, negated: [], invisible: [], templates: [], automaticTyped: [] },
    ],
    wires: [
      { uId: 24, ends: [{ kind: 'powerrail' }, { kind: 'pin', uId: 22, pin: 'in' }] },
      {
        uId: 25,
        ends: [
          { kind: 'operand', uId: 21 },
          { kind: 'pin', uId: 22, pin: 'operand' },
        ],
      },
      {
        uId: 26,
        ends: [
          { kind: 'pin', uId: 22, pin: 'out' },
          { kind: 'pin', uId: 23, pin: 'in' },
        ],
      },
    ],
  }
}

export interface StepSpec {
  /** `N #q`, `S1 S #q`, `D #q, T#5s`; a `C` before the qualifier needs the interlock. */
  readonly actions?: readonly string[]
  readonly interlock?: string
  readonly supervision?: string
  readonly maximumTime?: string
}

function action(line: string): Action {
  const [, event = '', interlock, qualifier = '', text = ''] =
    /^(?:(S1|S0|V1|V0|L1|L0|A1|R1) )?(C )?([A-Z]{1,3}) (.*)$/.exec(line) ?? []
  const operands = text.split(',').flatMap((part) => scanOperand(part.trim(), 0)?.operand ?? [])
  return { qualifier, event, needsInterlock: interlock !== undefined, text, operands }
}

const step = (number: number): SequenceNode => ({ kind: 'step', number })
const transition = (number: number): SequenceNode => ({ kind: 'transition', number })
const branch = (number: number, port: { in?: number; out?: number }): SequenceNode => ({
  kind: 'branch',
  number,
  ...port,
})

/**
 * Steps S1, S2 …, transitions t1, t2 … whose conditions are the inputs of the same names; `S1 t1 S2` are connections.
 */
export function sequenceProgram(
  specs: readonly StepSpec[],
  ways: string,
  branches: readonly Branch[] = [],
): SequenceProgram {
  const node = (text: string, isFrom: boolean): SequenceNode => {
    const [, kind, number, port] = /^([StB])(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    if (kind === undefined) return { kind: 'end' }
    if (kind === 'S') return step(Number(number))
    if (kind === 't') return transition(Number(number))
    return branch(Number(number), isFrom ? { out: Number(port ?? 0) } : { in: Number(port ?? 0) })
  }
  const connections = ways.split(';').flatMap((way): Connection[] => {
    const names = way.trim().split(/\s+/)
    return names
      .slice(1)
      .map((to, i) => ({ from: node(names[i] ?? '', true), to: node(to, false), link: 'Direct' as const }))
  })
  const numbers = new Set(
    connections.flatMap(({ from, to }) => [from, to]).flatMap((one) => (one.kind === 'transition' ? [one.number] : [])),
  )
  return {
    before: [],
    after: [],
    sequences: [
      {
        title: {},
        comment: {},
        steps: specs.map(
          (spec, i): Step => ({
            number: i + 1,
            name: `S${i + 1}`,
            isInitial: i === 0,
            comment: {},
            actions: (spec.actions ?? []).map(action),
            ...defined({ maximumTime: spec.maximumTime }),
            ...(spec.interlock === undefined
              ? {}
              : { interlock: { language: 'LAD', graph: contact(spec.interlock, 'IlCoil') } }),
            ...(spec.supervision === undefined
              ? {}
              : { supervision: { language: 'LAD', graph: contact(spec.supervision, 'SvCoil') } }),
          }),
        ),
        transitions: [...numbers].map((number) => ({
          number,
          name: `t${number}`,
          comment: {},
          language: 'LAD',
          graph: contact(`go${number}`, 'TrCoil'),
        })),
        branches,
        connections,
      },
    ],
  }
}

/** Inputs and outputs of a block with the largest set of parameters, and the variables that the tests use. */
const bools =
  'HALT_SQ HALT_TM ZERO_OP EN_IL EN_SV EN_ACKREQ EN_SSKIP ACK_S REG_EF REG_S DISP_SACT DISP_SEF DISP_SALL T_PREV T_NEXT T_MORE ERROR FAULT ' +
  'SQ_ISOFF SQ_HALTED TM_HALTED OP_ZEROED IL_ENABLED SV_ENABLED ACKREQ_ENABLED SSKIP_ENABLED SACT_DISP SEF_DISP SALL_DISP ' +
  'OFF_SQ INIT_SQ ACK_EF S_PREV S_NEXT SW_AUTO SW_TAP SW_TOP SW_MAN S_ON S_OFF T_PUSH S_MORE S_ACTIVE ERR_FLT AUTO_ON TAP_ON TOP_ON MAN_ON q r ok sv go1 go2 go3 go4 go5'

/** A block with a sequence program. @param more members beside those of each block */
export function test(of: SequenceProgram, more: Readonly<Record<string, Type | string>> = {}): SclTest {
  const members: Record<string, Type | string> = {
    RT_DATA: runTimeData,
    S_SEL: 'Int',
    S_NO: 'Int',
    n: 'Int',
    T_NO: 'Int',
    S_TIME: 'Time',
    S_TIMEOK: 'Time',
    S_STATE: 'Word',
    ...more,
  }
  for (const name of bools.split(' ')) members[name] = 'Bool'
  for (const { steps, transitions } of of.sequences) {
    for (const { name } of steps) members[name] = stepType
    for (const { name } of transitions) members[name] = transitionType
  }
  const tags = ['T5', 'C3'].map((name) => ({ name, type: Int, comment: '', address: readAddress(name) as never }))
  return { members, body: '', tags, networks: [{ number: 1, title: '', language: 'GRAPH', chart: of }] }
}

export class Running {
  readonly run: SclRun
  readonly #steps: readonly string[]

  constructor(
    of: SequenceProgram,
    more: Readonly<Record<string, Type | string>> = {},
    sequence?: NonNullable<SclTest['sequence']>,
  ) {
    this.run = runScl({ ...test(of, more), ...defined({ sequence }) })
    this.#steps = of.sequences.flatMap(({ steps }) => steps.map(({ name }) => name))
  }

  /** One call with these values; returns the names of active steps. */
  scan(values: Readonly<Record<string, boolean | number>> = {}, milliseconds = 0): string {
    this.run.clock.advanceMilliseconds(milliseconds)
    for (const [name, value] of Object.entries(values)) this.run.set(name, value)
    this.run.scan()
    return this.active()
  }

  active(): string {
    return this.#steps.filter((name) => this.run.get(`${name}.X`)).join(' ')
  }

  get(name: string): unknown {
    return this.run.get(name)
  }
}

export const line = 'S1 t1 S2 t2 S1'
export const start = (specs: readonly StepSpec[], ways = line, branches: readonly Branch[] = []) =>
  new Running(sequenceProgram(specs, ways, branches))
