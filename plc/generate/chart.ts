/** The body of a GRAPH function block from its specification: steps, transitions, branches, actions, conditions. */

import { defined } from '../../lib/optional.ts'
import { toText } from '../edit/input.ts'
import { type NetworkContext, readNetwork } from '../edit/network-input.ts'
import { FormatError } from '../model/fault.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import { scanOperand } from '../model/operand-reader.ts'
import type {
  Action,
  Condition,
  Connection,
  PermanentOperation,
  Sequence,
  SequenceNode,
  SequenceProgram,
  Step,
  Transition,
} from '../model/sequence.ts'
import { drawFlow, type Way } from './chart-flow.ts'
import type { SpecificationFaults } from './faults.ts'
import type {
  ActionSpecification,
  ChartSpecification,
  ConditionSpecification,
  NetworkSpecification,
  SequenceSpecification,
  StepSpecification,
  TransitionSpecification,
} from './specification.ts'

const qualifiers = ['', 'N', 'S', 'R', 'D', 'L', 'ON', 'OFF', 'CD', 'CR', 'CS', 'CU', 'TD', 'TF', 'TL', 'TR']
const events = ['', 'S1', 'S0', 'V1', 'V0', 'L1', 'L0', 'A1', 'R1']

/** Coils that end the network of a condition. */
export type ConditionCoil = 'TrCoil' | 'IlCoil' | 'SvCoil'

export class ChartReader {
  readonly #context: Omit<NetworkContext, 'at'>
  readonly #faults: SpecificationFaults
  readonly #language: 'LAD' | 'FBD'
  readonly #members: ReadonlySet<string>
  readonly #names = new Map<string, string>()
  readonly #steps = new Map<string, number>()
  readonly #numbers = { step: new Set<number>(), transition: new Set<number>() }
  /** Numbers below are taken. */
  readonly #next = { step: 1, transition: 1 }

  /**
   * @param language of conditions that name none
   * @param members names of the interface in upper case, which steps and transitions cannot have
   */
  constructor(
    context: Omit<NetworkContext, 'at'>,
    language: 'LAD' | 'FBD',
    members: ReadonlySet<string>,
    faults: SpecificationFaults,
  ) {
    this.#context = context
    this.#members = members
    this.#language = language
    this.#faults = faults
  }

  /** @param oneAt pointer of the only sequence, when it is not in the chart */
  read({ before = [], sequences, after = [] }: ChartSpecification, at: string, oneAt?: string): SequenceProgram {
    const place = (i: number) => oneAt ?? `${at}/sequences/${i}`
    // Numbers that are given first: what has none gets the next free one.
    const places = sequences.map((sequence, i) => this.#numbered(sequence, place(i)))
    return {
      before: this.#operations(before, `${at}/before`),
      sequences: sequences.map((sequence, i) => this.#sequence(sequence, places[i] as Numbered, place(i))),
      after: this.#operations(after, `${at}/after`),
    }
  }

  /** An unmodified block has one empty operation before and one after. */
  #operations(given: readonly NetworkSpecification[], at: string): PermanentOperation[] {
    if (given.length === 0) return [{ title: {}, comment: {}, language: this.#language }]
    return given.flatMap((network, i): PermanentOperation[] => {
      const place = `${at}/${i}`
      // SCL is refused whatever is in it.
      const context = { ...this.#of(place, network.language), isDraft: true }
      const read = this.#faults.part(place, () => readNetwork(network, context))
      if (read === undefined) return []
      const { title, comment, language, graph, statements, text } = read.network
      if (text !== undefined) {
        this.#faults.add(place, 'a permanent instruction is a network in LAD, FBD or STL')
        return []
      }
      return [{ title, comment, language, ...defined({ graph, statements }) }]
    })
  }

  #of(at: string, language = this.#language as string): NetworkContext {
    // The reader of networks asks what a block of that language can hold.
    return { ...this.#context, blockLanguage: language.toUpperCase() === 'STL' ? 'STL' : this.#language, at }
  }

  #numbered({ steps, transitions = [] }: SequenceSpecification, at: string): Numbered {
    const stepNumbers = this.#given('step', steps, `${at}/steps`)
    const transitionNumbers = this.#given('transition', transitions, `${at}/transitions`)
    return { steps: stepNumbers, transitions: transitionNumbers, at }
  }

  #given(
    kind: 'step' | 'transition',
    list: readonly { readonly number?: number; readonly name: string }[],
    at: string,
  ): (number | undefined)[] {
    return list.map(({ number, name }, i) => {
      const key = name.toUpperCase()
      const other = this.#names.get(key)
      if (name.trim() === '') this.#faults.add(`${at}/${i}/name`, `a ${kind} needs a name`)
      else if (this.#members.has(key))
        this.#faults.add(`${at}/${i}/name`, `${JSON.stringify(name)} is the name of a member of the interface`)
      else if (other === undefined) this.#names.set(key, `${at}/${i}`)
      else
        this.#faults.add(
          `${at}/${i}/name`,
          `${JSON.stringify(name)} is already the name at ${other}; names of steps and transitions must differ`,
        )
      if (number !== undefined && this.#numbers[kind].has(number))
        this.#faults.add(`${at}/${i}/number`, `${kind} ${number} is given twice`)
      if (number !== undefined) this.#numbers[kind].add(number)
      return number
    })
  }

  #free(kind: 'step' | 'transition', given: number | undefined): number {
    if (given !== undefined) return given
    const taken = this.#numbers[kind]
    while (taken.has(this.#next[kind])) this.#next[kind]++
    taken.add(this.#next[kind])
    return this.#next[kind]
  }

  #sequence(given: SequenceSpecification, { steps: own, transitions: ownTransitions }: Numbered, at: string): Sequence {
    const initial = given.steps.filter(({ initial: is }) => is === true)
    if (given.steps.length === 0) this.#faults.add(`${at}/steps`, 'a sequence needs at least one step')
    if (initial.length > 1)
      this.#faults.add(`${at}/steps`, `a sequence has one initial step, this one has ${initial.length}`)
    const numbers = given.steps.map((_, i) => this.#free('step', own[i]))
    for (const [i, { name }] of given.steps.entries()) this.#steps.set(name.toUpperCase(), numbers[i] as number)
    const steps = given.steps.map((step, i) =>
      this.#step(
        step,
        numbers[i] as number,
        initial.length === 0 ? i === 0 : step.initial === true,
        `${at}/steps/${i}`,
      ),
    )
    const listed = given.transitions ?? []
    const transitions = listed.map((transition, i) =>
      this.#transition(transition, this.#free('transition', ownTransitions[i]), `${at}/transitions/${i}`),
    )
    const title = toText(given.title ?? '', this.#context.culture)
    return {
      title,
      comment: toText(given.comment ?? '', this.#context.culture),
      steps,
      transitions,
      ...this.#flow(given, listed, steps, transitions, at),
      // As an engineering tool writes a sequence without a title.
      ...(Object.keys(title).length === 0 ? { kept: { elements: [{ at: 0, xml: '<Title />' }] } } : {}),
    }
  }

  #flow(
    { branches, connections }: SequenceSpecification,
    listed: readonly TransitionSpecification[],
    steps: readonly Step[],
    transitions: readonly Transition[],
    at: string,
  ): Pick<Sequence, 'branches' | 'connections'> {
    if (connections !== undefined) {
      listed.forEach(({ from, to }, i) => {
        if (from !== undefined || to !== undefined)
          this.#faults.add(`${at}/transitions/${i}`, 'give from and to, or connections of the sequence, not both')
      })
      const known = {
        S: new Set(steps.map(({ number }) => number)),
        T: new Set(transitions.map(({ number }) => number)),
        B: new Map((branches ?? []).map((branch) => [branch.number, branch])),
      }
      return {
        branches: (branches ?? []).map(({ number, type, cardinality }) => ({ number, type, cardinality })),
        connections: connections.flatMap(({ from, to, jump }, i): Connection[] => {
          const nodes = [
            this.#node(from, 'out', known, `${at}/connections/${i}/from`),
            this.#node(to, 'in', known, `${at}/connections/${i}/to`),
          ]
          const [first, second] = nodes
          return first && second ? [{ from: first, to: second, link: jump === true ? 'Jump' : 'Direct' }] : []
        }),
      }
    }
    if (branches !== undefined) this.#faults.add(`${at}/branches`, 'branches go with connections')
    const ways = listed.map((one, i): Way => {
      const stepsOf = (names: TransitionSpecification['from'], field: string): number[] =>
        [names ?? []].flat().flatMap((name) => {
          const number = this.#steps.get(name.toUpperCase())
          if (number === undefined)
            this.#faults.add(
              `${at}/transitions/${i}/${field}`,
              `there is no step ${JSON.stringify(name)}; there are ${steps.map((step) => step.name).join(', ')}`,
            )
          return number ?? []
        })
      const from = stepsOf(one.from, 'from')
      if (from.length === 0 && [one.from ?? []].flat().length === 0)
        this.#faults.add(`${at}/transitions/${i}/from`, 'a transition needs the step that it leaves')
      return {
        number: (transitions[i] as Transition).number,
        from,
        to: stepsOf(one.to, 'to'),
        isJump: one.jump === true,
      }
    })
    const order = [...steps].sort((a, b) => Number(b.isInitial) - Number(a.isInitial)).map(({ number }) => number)
    return drawFlow(order, ways, (i, message) => this.#faults.add(`${at}/transitions/${i}`, message))
  }

  #node(
    text: string,
    side: 'in' | 'out',
    known: {
      readonly S: ReadonlySet<number>
      readonly T: ReadonlySet<number>
      readonly B: ReadonlyMap<number, { readonly type: string; readonly cardinality: number }>
    },
    at: string,
  ): SequenceNode | undefined {
    if (/^end$/i.test(text) && side === 'in') return { kind: 'end' }
    const [, kind, digits, index = '0'] = /^([STB])(\d{1,6})(?:\.(\d{1,4}))?$/i.exec(text) ?? []
    const number = Number(digits)
    switch (kind?.toUpperCase()) {
      case 'S':
        if (known.S.has(number)) return { kind: 'step', number }
        break
      case 'T':
        if (known.T.has(number)) return { kind: 'transition', number }
        break
      case 'B': {
        const branch = known.B.get(number)
        if (branch === undefined) break
        const ways = branch.type.endsWith('Begin') === (side === 'out') ? branch.cardinality : 1
        if (Number(index) < ways) return { kind: 'branch', number, [side]: Number(index) }
        this.#faults.add(at, `branch ${number} has ${ways} ways ${side}, counted from 0`)
        return undefined
      }
    }
    this.#faults.add(
      at,
      kind === undefined
        ? `${JSON.stringify(text)} is no place; places are S1 (step), T1 (transition), B1.0 (way of a branch), END`
        : `there is no ${text}`,
    )
    return undefined
  }

  #step(given: StepSpecification, number: number, isInitial: boolean, at: string): Step {
    const actions = (given.actions ?? []).flatMap((action, i) => this.#action(action, `${at}/actions/${i}`) ?? [])
    return {
      number,
      name: given.name,
      isInitial,
      maximumTime: given.maximumTime ?? 'T#10S',
      warningTime: given.warningTime ?? 'T#7S',
      comment: toText(given.comment ?? '', this.#context.culture),
      // An unmodified list ends with an empty line.
      actions: actions.at(-1)?.text === '' ? actions : [...actions, emptyAction],
      ...defined({
        supervision: this.#condition(given.supervision ?? 'TRUE', 'SvCoil', `${at}/supervision`),
        interlock: this.#condition(given.interlock ?? 'TRUE', 'IlCoil', `${at}/interlock`),
      }),
    }
  }

  #transition(given: TransitionSpecification, number: number, at: string): Transition {
    const condition = this.#condition(given.condition ?? 'TRUE', 'TrCoil', `${at}/condition`)
    return {
      ...(condition ?? { language: this.#language }),
      number,
      name: given.name,
      comment: toText(given.comment ?? '', this.#context.culture),
    }
  }

  #condition(given: ConditionSpecification, coil: ConditionCoil, at: string): Condition | undefined {
    const { language = this.#language, expressions = 'TRUE', graph, alarmText } = plainCondition(given)
    if (coil === 'TrCoil' && alarmText !== undefined) this.#faults.add(`${at}/alarmText`, 'a transition has none')
    const isPlain = typeof given === 'string' || Array.isArray(given)
    const read = this.#faults.part(at, () => {
      const input = graph === undefined ? { expressions: withCoil(expressions, coil) } : { graph }
      const context = { ...this.#of(at), blockLanguage: language }
      return asGiven(isPlain, coil, () => readNetwork({ language, ...input }, context).network.graph)
    })
    if (read !== undefined) this.#checkCoil(read, coil, at)
    return {
      language,
      ...defined({ graph: read }),
      ...(alarmText === undefined ? {} : { alarmText: toText(alarmText, this.#context.culture) }),
    }
  }

  #checkCoil({ nodes }: LogicNetwork, coil: ConditionCoil, at: string): void {
    const coils = nodes.filter((node) => node.kind === 'part' && /^(?:Tr|Il|Sv)Coil$/.test(node.name))
    const [only] = coils
    if (coils.length !== 1 || only?.kind !== 'part' || only.name !== coil) this.#faults.add(at, `ends in one ${coil}`)
  }

  #action(given: ActionSpecification, at: string): Action | undefined {
    const parsed = typeof given === 'string' ? parseAction(given) : given
    if (parsed === undefined) {
      this.#faults.add(at, `${JSON.stringify(given)} is no action; an action is "N #motor", "S1 S #x", "D #lamp, T#5s"`)
      return undefined
    }
    const { event = '', qualifier = '', needsInterlock = false, text } = parsed
    if (!qualifiers.includes(qualifier))
      this.#faults.add(`${at}/qualifier`, `${JSON.stringify(qualifier)} is none of ${qualifiers.slice(1).join(', ')}`)
    if (!events.includes(event))
      this.#faults.add(`${at}/event`, `${JSON.stringify(event)} is none of ${events.slice(1).join(', ')}`)
    if (/[\r\n]/.test(text)) this.#faults.add(`${at}/text`, 'an action is one line')
    return { qualifier, event, needsInterlock, text, operands: operandsOf(text) }
  }
}

/**
 * Runs work; its faults are in the text as it was given: without the coil in front, and without the field of a network.
 */
function asGiven<T>(isPlain: boolean, coil: ConditionCoil, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const before = `${coil}() := `.length
    throw new FormatError(
      error.faults.map((fault) => ({
        ...fault,
        ...(fault.line === 1 && fault.column > before ? { column: fault.column - before } : {}),
        ...(isPlain && fault.path !== undefined ? { path: fault.path.replace('/expressions', '') } : {}),
      })),
    )
  }
}

type PlainCondition = Exclude<ConditionSpecification, string | readonly string[]>

function plainCondition(given: ConditionSpecification): PlainCondition {
  if (typeof given === 'string' || Array.isArray(given)) return { expressions: given as string | readonly string[] }
  return given as PlainCondition
}

interface Numbered {
  readonly steps: readonly (number | undefined)[]
  readonly transitions: readonly (number | undefined)[]
  readonly at: string
}

const emptyAction: Action = { qualifier: '', event: '', needsInterlock: false, text: '', operands: [] }

const actionForm = new RegExp(
  `^\\s*(?:(${events.slice(1).join('|')})\\s+)?(?:(${qualifiers
    .slice(1)
    .sort((a, b) => b.length - a.length)
    .join('|')})(C?)\\s+)?(\\S.*)$`,
)

function parseAction(text: string): Exclude<ActionSpecification, string> | undefined {
  const [, event = '', qualifier = '', interlock, rest] = actionForm.exec(text) ?? []
  if (rest === undefined || (event === '' && qualifier === '' && !/:=|\(/.test(rest))) return undefined
  return { event, qualifier, needsInterlock: interlock === 'C', text: rest.trim() }
}

/** Variables and constants of a line, in order. */
function operandsOf(line: string): Action['operands'] {
  const found: Action['operands'][number][] = []
  for (let at = 0; at < line.length; ) {
    const scanned = scanOperand(line, at)
    if (scanned === undefined) at++
    else {
      found.push(scanned.operand)
      at = scanned.end
    }
  }
  return found
}

/** The statements with the coil at the end: the last one, when it is only an expression, is the condition. */
function withCoil(given: string | readonly string[], coil: ConditionCoil): string | string[] {
  if (typeof given === 'string') return given.includes(`${coil}(`) ? given : `${coil}() := ${statement(given)}`
  if (given.some((one) => one.includes(`${coil}(`))) return [...given]
  return [...given.slice(0, -1), `${coil}() := ${statement(given.at(-1) ?? 'TRUE')}`]
}

const statement = (text: string): string => `${text.trim().replace(/;$/, '')};`
