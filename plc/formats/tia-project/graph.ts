/**
 * GRAPH: the stored sequence with its steps, transitions, conditions and actions. Each of them is a unit of its own,
 * found by the reference id of its step or transition; names, numbers and times are in the static members of the same
 * name.
 */
import { defined } from '../../../lib/optional.ts'
import type { InterfaceMember, InterfaceSection } from '../../model/object.ts'
import type { Operand } from '../../model/operand.ts'
import { operandText } from '../../model/operand-text.ts'
import type {
  Action,
  Branch,
  Condition,
  Connection,
  PermanentOperation,
  Sequence,
  SequenceNode,
  SequenceProgram,
  Step,
  Transition,
} from '../../model/sequence.ts'
import { child, childrenOf, type XmlElement } from '../simaticml/xml.ts'
import type { Identifiers } from './identifiers.ts'
import { readLogicNetwork, type VersionOf } from './logic-network.ts'

/** A unit of a GRAPH block. */
export interface GraphUnit {
  /**
   * `GraphSequence`, `Transition`, `Supervision`, `Interlock`, `Actions`, `PreOperation`, `PostOperation`, `AddInfos`.
   */
  readonly context: string
  /** Language of its network, as exports call it. */
  readonly language: string
  readonly root: XmlElement | undefined
}

const noText = {}
const qualifiers = new Set('N S R D L CD CR CS CU ON OFF TD TF TL TR'.split(' '))
const branchTypes = ['SimBegin', 'SimEnd', 'AltBegin', 'AltEnd'] as const
const events = new Set('S1 S0 V1 V0 L1 L0 A1 R1'.split(' '))

/**
 * Reads the sequences of a block.
 * @throws Error for a structure that is not understood
 */
export function readSequenceProgram(
  units: readonly GraphUnit[],
  around: {
    readonly identifiers: Identifiers
    readonly versionOf: VersionOf
    readonly sections: readonly InterfaceSection[]
  },
): { program: SequenceProgram; problems: string[] } {
  return new Reader(units, around).read()
}

class Reader {
  readonly #problems: string[] = []
  readonly #units: readonly GraphUnit[]
  readonly #identifiers: Identifiers
  readonly #versionOf: VersionOf
  readonly #statics: ReadonlyMap<string, InterfaceMember>
  /** Units of steps and transitions, by context and reference id. */
  readonly #byReference = new Map<string, GraphUnit>()

  constructor(
    units: readonly GraphUnit[],
    { identifiers, versionOf, sections }: Parameters<typeof readSequenceProgram>[1],
  ) {
    this.#units = units
    this.#identifiers = identifiers
    this.#versionOf = versionOf
    const statics = sections.find(({ section }) => section === 'Static')?.members ?? []
    this.#statics = new Map(statics.map((member) => [member.name, member]))
    for (const unit of units) {
      const reference = unit.root?.attributes.RefId
      if (reference !== undefined) this.#byReference.set(`${unit.context} ${reference}`, unit)
    }
  }

  read(): { program: SequenceProgram; problems: string[] } {
    const structure = this.#units.find(({ root }) => root?.name === 'GraphStructure')?.root
    if (!structure) throw new Error('the sequence of the GRAPH block is not in the file')
    const sequences = childrenOf(structure, 'Sequence').map((element) => this.#sequence(element))
    for (const { context, root } of this.#units)
      if (context === 'AddInfos' && root && hasOwnAlarms(root))
        this.#problems.push('the alarm settings of the sequence are not read')
    return {
      program: { before: this.#permanent('PreOperation'), sequences, after: this.#permanent('PostOperation') },
      problems: this.#problems,
    }
  }

  #permanent(context: string): PermanentOperation[] {
    return this.#units
      .filter((unit) => unit.context === context)
      .map((unit) => {
        if (unit.root && unit.root.name !== 'FlgNet')
          this.#problems.push(`${context}: code of the kind ${unit.root.name} is not read`)
        return { title: noText, comment: noText, ...this.#condition(unit, context) }
      })
  }

  #sequence(element: XmlElement): Sequence {
    const steps = childrenOf(child(element, 'Steps'), 'Step').map((step) => this.#step(step))
    const transitions = childrenOf(child(element, 'Transitions'), 'Transition').map((one) => this.#transition(one))
    const branches = (child(element, 'Branches')?.children ?? []).map(branch)
    return {
      title: noText,
      comment: noText,
      steps,
      transitions,
      branches,
      connections: childrenOf(child(element, 'Structure'), 'Connection').map((one) =>
        connection(one, steps, transitions, branches),
      ),
    }
  }

  #step({ attributes }: XmlElement): Step {
    const { name, value } = this.#member(attributes.RefId)
    const own = <T>(context: string, read: (unit: GraphUnit) => T) => {
      const unit = this.#byReference.get(`${context} ${attributes.RefId}`)
      return unit && read(unit)
    }
    return {
      number: Number(value('SNO') ?? Number.NaN),
      name,
      isInitial: attributes.Init === 'true',
      ...defined({ maximumTime: value('T_MAX'), warningTime: value('T_WARN') }),
      comment: noText,
      actions: own('Actions', (unit) => this.#actions(unit, name)) ?? [],
      ...defined({
        supervision: own('Supervision', (unit) => this.#condition(unit, `supervision of ${name}`)),
        interlock: own('Interlock', (unit) => this.#condition(unit, `interlock of ${name}`)),
      }),
    }
  }

  #transition({ attributes }: XmlElement): Transition {
    const { name, value } = this.#member(attributes.RefId)
    const unit = this.#byReference.get(`Transition ${attributes.RefId}`)
    if (!unit) this.#problems.push(`transition ${name}: its condition is not in the file`)
    return {
      number: Number(value('TNO') ?? Number.NaN),
      name,
      comment: noText,
      ...(unit ? this.#condition(unit, `transition ${name}`) : { language: 'LAD' }),
    }
  }

  /** The static member that a reference id leads to: its name, and the start values inside it. */
  #member(reference: string | undefined): { name: string; value: (name: string) => string | undefined } {
    const operand = this.#identifiers.operand(reference)
    const name = operand?.kind === 'symbol' ? operand.path.at(-1)!.name : undefined
    const member = name === undefined ? undefined : this.#statics.get(name)
    if (name === undefined || !member)
      throw new Error(`a step or transition of the sequence (${reference}) is not in the identifiers`)
    const values = new Map(
      (member.sections ?? []).flatMap(({ members }) => members.map((one) => [one.name, one.startValue] as const)),
    )
    return { name, value: (of) => values.get(of) }
  }

  #condition({ language, root }: GraphUnit, where: string): Condition {
    if (root?.name !== 'FlgNet') return { language }
    const { network, problems } = readLogicNetwork(root, this.#identifiers, this.#versionOf)
    this.#problems.push(...problems.map((text) => `${where}: ${text}`))
    return network.nodes.length === 0 ? { language } : { language, graph: network }
  }

  #actions({ root }: GraphUnit, step: string): Action[] {
    return childrenOf(root, 'Action').map((element, index) => {
      const report = (text: string) => this.#problems.push(`step ${step}, action ${index + 1}: ${text}`)
      const event = element.attributes.Event ?? ''
      if (event !== '' && !events.has(event)) report(`the event ${event} is not understood`)
      const qualifier = child(element, 'Operator')?.attributes.Operation ?? ''
      if (qualifier !== '' && !qualifiers.has(qualifier)) report(`the operation ${qualifier} is not understood`)
      const operands: Operand[] = []
      let text = ''
      for (const { name, attributes } of element.children) {
        if (name === 'Token') text += attributes.Text ?? ''
        else if (name === 'OpdAccess') {
          const operand = this.#identifiers.operand(attributes.RefId)
          if (operand) operands.push(operand)
          else report(`the operand ${attributes.RefId} is not understood`)
          text += operand ? operandText(operand) : ''
        } else if (name !== 'Operator') report(`${name} is not understood`)
      }
      return {
        qualifier,
        event,
        needsInterlock: element.attributes.Interlock === 'true',
        text: text.replace(/\n$/, ''),
        operands,
      }
    })
  }
}

/** A branch has the names that exports have; `AltBegin` was seen in a file. */
function branch({ name, attributes }: XmlElement): Branch {
  const { No, Type, Cardinality } = attributes
  const type = branchTypes.find((one) => one === Type)
  if (name !== 'Branch' || !type) throw new Error(`a branch of the kind ${Type ?? name} is not understood`)
  return { number: wholeNumber(No, 'a branch'), type, cardinality: wholeNumber(Cardinality, 'a branch') }
}

function wholeNumber(text: string | undefined, of: string): number {
  if (!/^\d+$/.test(text ?? ''))
    throw new Error(`${of} of a GRAPH sequence has "${text ?? ''}" where a number is needed`)
  return Number(text)
}

/**
 * The ends of a connection name steps and transitions by their places in the lists, and branches by their number with
 * the index of its connection.
 */
function connection(
  element: XmlElement,
  steps: readonly Step[],
  transitions: readonly Transition[],
  branches: readonly Branch[],
): Connection {
  const [from, to] = element.children
  const node = (end: XmlElement | undefined): SequenceNode => {
    if (end?.name === 'End') return { kind: 'end' }
    if (end?.name === 'BranchRef') {
      const { No, In, Out } = end.attributes
      const number = wholeNumber(No, 'a branch')
      if (!branches.some((one) => one.number === number) || (In === undefined) === (Out === undefined))
        throw new Error(`an end of a connection (branch ${number}) is not understood`)
      return In === undefined
        ? { kind: 'branch', number, out: wholeNumber(Out, 'an end') }
        : { kind: 'branch', number, in: wholeNumber(In, 'an end') }
    }
    const place = Number(end?.attributes.No) - 1
    const found =
      end?.name === 'StepRef' ? steps[place] : end?.name === 'TransitionRef' ? transitions[place] : undefined
    if (!end || !found) throw new Error(`an end of a connection (${end?.name ?? 'nothing'}) is not understood`)
    return { kind: end.name === 'StepRef' ? 'step' : 'transition', number: found.number }
  }
  const link = to?.attributes.LinkType ?? 'Direct'
  if (link !== 'Direct' && link !== 'Jump') throw new Error(`a connection of the kind ${link} is not understood`)
  return { from: node(from), to: node(to), link }
}

/** Settings of alarms that are not those of a new block. */
const newBlock: Readonly<Record<string, string>> = {
  InterlockReactionCategory: '1',
  InterlockCategory: '1',
  SupervisionCategory: '1',
  WarningCategory: '2',
}

function hasOwnAlarms(root: XmlElement): boolean {
  const alarming = child(root, 'Alarming')
  const isOther = ({ name, attributes }: XmlElement) =>
    /ategory/.test(name) && attributes.Index !== (newBlock[name] ?? '0')
  return (
    (child(root, 'AdditionalTexts')?.children.length ?? 0) > 0 ||
    (child(root, 'ExternalJumps')?.children.length ?? 0) > 0 ||
    (alarming?.children.filter(({ name }) => name !== 'CategoryProperties').some(isOther) ?? false) ||
    childrenOf(child(alarming, 'CategoryProperties'), 'Category').some(
      (one) => child(one, 'EnablerOperand')?.attributes.RefId !== '0' || child(one, 'DisplayClass')?.text !== '0',
    )
  )
}
