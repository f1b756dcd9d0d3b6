/**
 * The interface of the block of a phase: what docs/design.md#design-specs fixes, and what the spec adds. A member
 * exists only when the phase uses it.
 */
import { type DataType, parseElementaryType } from '../../../plc/model/data-type.ts'
import { type Expression, parseActions, parseCondition } from '../expressions/expression.ts'
import type { CmType, Interlock, Phase, PhaseParameter, PhaseStep, UnitType } from '../model/model.ts'
import { constantName, foldName } from '../model/names.ts'
import { variableKey } from '../model/scope.ts'
import { stateNames } from '../model/states.ts'
import { constantScl } from './constants.ts'

/** A member of the interface. */
export interface Member {
  readonly name: string
  /** Attributes in braces, before the type. */
  readonly attributes?: string
  /** As SCL writes it. */
  readonly type: string
  /** Its start or constant value in SCL. */
  readonly value?: string
  readonly comment: string
}

/** A variable of a control module that the phase writes and that has interlocks. */
export interface InterlockedVariable {
  readonly cmType: string
  readonly variable: string
  readonly dataType: DataType
  readonly safeValue: string
  /** The member that holds what the phase wants. */
  readonly request: string
  readonly rules: readonly Interlock[]
}

/** The interface of a phase, and what its body needs to know. */
export interface PhaseInterface {
  readonly inputs: readonly Member[]
  readonly outputs: readonly Member[]
  readonly statics: readonly Member[]
  readonly constants: readonly Member[]
  /** Control modules that the phase uses, in the order of the unit. */
  readonly modules: readonly CmType[]
  readonly parameters: readonly PhaseParameter[]
  readonly interlocked: readonly InterlockedVariable[]
  /** Whether a step has a time. */
  readonly isTimed: boolean
  /** Whether a step has a timeout. */
  readonly hasAlarm: boolean
  /** Whether the start is refused when a parameter is outside its limits. */
  readonly hasLimits: boolean
  /** Names of constants, by step number; 0 is idle. */
  readonly steps: ReadonlyMap<number, string>
  /** Names of constants or parameters, by step number. */
  readonly minTimes: ReadonlyMap<number, string>
  readonly timeouts: ReadonlyMap<number, string>
  /** Names of constants, by the folded name of the parameter. */
  readonly limits: ReadonlyMap<string, { readonly min?: string; readonly max?: string }>
}

/** Longest time of a step: the largest value of the type Time. */
const longestTime = 'T#24d_20h_31m_23s_647ms'

/** Name of the constant with {@link longestTime}. */
export const stepTimeMax = 'STEP_TIME_MAX'

/** What a unit has, for the interfaces of its phases. */
export interface UnitIndex {
  /** By folded name, with their places in the unit. */
  readonly modules: ReadonlyMap<string, { readonly place: number; readonly module: CmType }>
  /** By `variableKey`, in the order of the spec, with the place of the first. */
  readonly interlocks: ReadonlyMap<string, { readonly place: number; readonly rules: Interlock[] }>
}

/** Indexes a unit: once, however many phases it has. */
export function indexOf(unit: UnitType): UnitIndex {
  const modules = new Map(unit.cmTypes.map((module, place) => [foldName(module.name), { place, module }]))
  const interlocks = new Map<string, { place: number; rules: Interlock[] }>()
  for (const [place, rule] of (unit.interlocks ?? []).entries()) {
    const key = variableKey(rule.cmType, rule.variable)
    const known = interlocks.get(key)
    if (known) known.rules.push(rule)
    else interlocks.set(key, { place, rules: [rule] })
  }
  return { modules, interlocks }
}

/** Builds the interface of a phase. The same phase gives the same names. */
export function interfaceOf(phase: Phase, unit: UnitIndex): PhaseInterface {
  const isStates = phase.states === 'ISA88'
  const { steps, parameters = [] } = phase
  const { modules, written } = usageOf(phase, unit)
  const hasAlarm = steps.some(({ timeout }) => timeout !== undefined)
  const isTimed = hasAlarm || steps.some(({ minTime }) => minTime !== undefined)
  const hasLimits = parameters.some(({ min, max }) => min !== undefined || max !== undefined)
  const interlocks = [...written].flatMap((key) => unit.interlocks.get(key) ?? []).sort((a, b) => a.place - b.place)
  const times = new Map(parameters.map(({ name }) => [foldName(name), name]))
  const fixed = isStates ? stateInterface : basicInterface
  const inputs: Member[] = [
    ...fixed.inputs,
    ...modules.map(({ name }) => ({ name, type: `"UDT_${name}"`, comment: 'Control module' })),
    ...parameters.map(parameterMember),
  ]
  const outputs: Member[] = [
    ...fixed.outputs,
    ...(hasLimits ? [{ name: 'ErrorText', type: 'WString', comment: 'Why the start was refused' }] : []),
    ...(isTimed ? [{ name: 'StepTime', type: 'Time', comment: 'Time in the active step' }] : []),
    ...(hasAlarm ? alarmOutputs : []),
    ...(interlocks.length > 0 ? interlockOutputs : []),
  ]
  const statics: Member[] = [
    ...fixed.statics,
    ...(isTimed ? [stepTimer] : []),
    ...(isStates ? [] : timeoutMembers(steps)),
  ]
  const names = new NameTable([...inputs, ...outputs, ...statics].map(({ name }) => name))
  const interlocked = interlockedOf(interlocks, unit, names)
  for (const { cmType, variable, dataType, request } of interlocked)
    statics.push({ name: request, type: dataType.name, comment: `${cmType}.${variable} as the phase wants it` })
  const constants: Member[] = []
  const add = (wanted: string, type: string, value: string, comment: string): string => {
    const name = names.unique(wanted)
    constants.push({ name, type, value, comment })
    return name
  }
  if (isStates) for (const [i, state] of stateNames.entries()) add(`STATE_${state.toUpperCase()}`, 'Int', `${i}`, state)
  const stepNames = new Map([[0, add('STEP_IDLE', 'Int', '0', 'No step is active')]])
  for (const { number, name } of steps)
    stepNames.set(number, add(constantName('STEP', name, number), 'Int', `${number}`, name))
  const [minTimes, timeouts] = [new Map<number, string>(), new Map<number, string>()]
  for (const step of steps) {
    const { number, name, minTime, timeout } = step
    if (minTime !== undefined)
      minTimes.set(
        number,
        timeName(minTime, times) ??
          add(constantName('MIN_TIME', name, number), 'Time', timeScl(minTime), `MinTime of ${name}`),
      )
    if (timeout !== undefined)
      timeouts.set(
        number,
        timeName(timeout, times) ??
          add(constantName('TIMEOUT', name, number), 'Time', timeScl(timeout), `Timeout of ${name}`),
      )
  }
  if (isTimed) add(stepTimeMax, 'Time', longestTime, 'The step timer never ends by itself')
  const limits = new Map(
    parameters.map((parameter) => {
      const { name, dataType, min, max, unit: unitText = '' } = parameter
      const limit = (word: string, text: string) =>
        add(constantName('', `${name}_${word}`, 0), dataType, constantScl(text, typeOf(dataType)), unitText)
      const found = {
        ...(min === undefined ? {} : { min: limit('MIN', min) }),
        ...(max === undefined ? {} : { max: limit('MAX', max) }),
      }
      return [foldName(name), found] as const
    }),
  )
  return {
    inputs,
    outputs,
    statics,
    constants,
    modules,
    parameters,
    interlocked,
    isTimed,
    hasAlarm,
    hasLimits,
    steps: stepNames,
    minTimes,
    timeouts,
    limits,
  }
}

const bool = (name: string, comment: string): Member => ({ name, type: 'Bool', comment })

/** The interface that docs/design.md#design-specs fixes. */
const basicInterface = {
  inputs: [
    bool('Execute', 'Rising edge starts the phase'),
    bool('Abort', 'TRUE takes the active phase back to idle'),
    bool('Hold', 'TRUE keeps the active phase in its step'),
  ],
  outputs: [
    bool('Done', 'The final step has been reached'),
    bool('Active', 'The phase is in a step'),
    bool('Held', 'The active phase is held'),
    bool('Error', 'The phase could not start or go on'),
  ],
  statics: [
    { name: '_Step', type: 'Int', comment: 'Active step, 0 = idle' },
    bool('_StepEntry', 'In a step: entry action to be done. In idle: Execute not yet FALSE again'),
  ],
}

/** The interface of a phase with the states of ISA-88. */
const stateInterface = {
  inputs: [
    bool('Start', 'Rising edge starts the phase in Idle'),
    bool('Hold', 'Running, Restarting: to Holding'),
    bool('Restart', 'Held: to Restarting'),
    bool('Stop', 'To Stopping'),
    bool('Abort', 'To Aborting'),
    bool('Reset', 'Complete, Stopped, Aborted: to Idle'),
  ],
  outputs: [
    bool('Done', 'The phase is Complete'),
    bool('Active', 'The phase is in a state other than Idle, Complete, Stopped, Aborted'),
    bool('Held', 'The phase is Held'),
    bool('Error', 'The phase could not start or go on'),
    { name: 'State', type: 'Int', comment: 'State of ISA-88: a constant STATE_...' },
  ],
  statics: [
    { name: '_Step', type: 'Int', comment: 'Active step, 0 = none' },
    bool('_StepEntry', 'The entry action of the step is to be done'),
    bool('_StateEntry', 'The action of the state is to be done'),
    bool('_StartSeen', 'Start at the last call'),
  ],
}

const alarmOutputs: readonly Member[] = [
  bool('Alarm', 'A step was not ended in time'),
  { name: 'AlarmText', type: 'WString', comment: 'Which one' },
]
const interlockOutputs: readonly Member[] = [
  bool('Interlocked', 'An interlock keeps a control module at its safe value'),
  { name: 'InterlockText', type: 'WString', comment: 'Why' },
]

const stepTimer: Member = {
  name: '_StepTimer',
  attributes: "{InstructionName := 'TON_TIME'; LibVersion := '1.0'}",
  type: 'TON_TIME',
  comment: 'Measures the time in a step',
}

function timeoutMembers(steps: readonly PhaseStep[]): Member[] {
  const reacts = (reaction: string) => steps.some(({ onTimeout }) => onTimeout === reaction)
  return [
    ...(reacts('Hold') ? [bool('_TimeoutHold', 'A timeout holds the phase until Hold was TRUE')] : []),
    ...(reacts('Abort') ? [bool('_TimeoutAbort', 'A timeout aborts the phase')] : []),
  ]
}

function parameterMember({ name, dataType, unit, defaultValue, min, max, description }: PhaseParameter): Member {
  const range = min === undefined && max === undefined ? undefined : `${min ?? '...'} to ${max ?? '...'}`
  const value = defaultValue === undefined ? {} : { value: constantScl(defaultValue, typeOf(dataType)) }
  const meaning = [
    description,
    range && `(${range}${unit ? ` ${unit}` : ''})`,
    range ? undefined : unit && `in ${unit}`,
  ]
  const comment = meaning.filter((part) => part).join(' ')
  return { name, type: dataType, ...value, comment: comment === '' ? 'Parameter' : `Parameter: ${comment}` }
}

/** The data type of a name that was checked when the spec was loaded. */
function typeOf(name: string): DataType {
  const type = parseElementaryType(name)
  if (!type) throw new Error(`${name} is no elementary type`)
  return type
}

function timeScl(text: string): string {
  return constantScl(text, typeOf('Time'))
}

/** The name of the parameter that a time is; undefined for a constant. */
function timeName(text: string, parameters: ReadonlyMap<string, string>): string | undefined {
  return parameters.get(foldName(text.replaceAll('"', '').trim()))
}

function interlockedOf(
  interlocks: readonly { readonly rules: readonly Interlock[] }[],
  unit: UnitIndex,
  names: NameTable,
): InterlockedVariable[] {
  return interlocks.map(({ rules }) => {
    const [first] = rules
    const { module } = unit.modules.get(foldName(first!.cmType))!
    const variable = module.variables.find(({ name }) => foldName(name) === foldName(first!.variable))!
    return {
      cmType: module.name,
      variable: variable.name,
      dataType: typeOf(variable.dataType),
      safeValue: first!.safeValue,
      request: names.unique(`_${module.name}_${variable.name}`),
      rules,
    }
  })
}

// ── What a phase uses ───────────────────────────────────────────────────────────────────────────────────────────────

/** The control modules that a phase uses, and the variables that it writes, by `variableKey`. */
function usageOf(phase: Phase, unit: UnitIndex): { modules: readonly CmType[]; written: ReadonlySet<string> } {
  const used = new Set<string>()
  const written = new Set<string>()
  const read = (text: string) => {
    const parsed = text.trim() === '' ? undefined : parseCondition(text)
    if (parsed && 'expression' in parsed) for (const name of modulesIn(parsed.expression)) used.add(name)
  }
  const write = (text: string) => {
    const parsed = parseActions(text)
    for (const { target, value } of 'actions' in parsed ? parsed.actions : []) {
      used.add(foldName(target.cmType))
      written.add(variableKey(target.cmType, target.variable))
      for (const name of modulesIn(value)) used.add(name)
    }
  }
  for (const { entryAction, whileAction, exitAction, condition, isFinal } of phase.steps) {
    for (const action of [entryAction, whileAction, exitAction]) if (action !== undefined) write(action)
    if (!isFinal) read(condition)
  }
  for (const { action, condition } of phase.commands ?? []) {
    write(action)
    if (condition !== undefined) read(condition)
  }
  for (const key of written) for (const { blockedWhen } of unit.interlocks.get(key)?.rules ?? []) read(blockedWhen)
  const found = [...used].flatMap((name) => unit.modules.get(name) ?? []).sort((a, b) => a.place - b.place)
  return { modules: found.map(({ module }) => module), written }
}

/** Folded names of the control modules in an expression. */
function* modulesIn(node: Expression): Generator<string> {
  if (node.kind === 'variable' && node.cmType !== '') yield foldName(node.cmType)
  else if (node.kind === 'unary') yield* modulesIn(node.operand)
  else if (node.kind === 'binary') {
    yield* modulesIn(node.left)
    yield* modulesIn(node.right)
  }
}

// ── Names ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Two members of a block that would have the same name. */
export interface NameConflict {
  readonly name: string
  readonly first: string
  readonly second: string
}

/** Names that the block of a phase would have twice. */
export function nameConflicts(phase: Phase, unit: UnitIndex): NameConflict[] {
  const isPlain =
    !phase.states && !phase.parameters && phase.steps.every(({ minTime, timeout }) => !minTime && !timeout)
  // The names that every block has were compared with those of the control modules before.
  if (isPlain && unit.interlocks.size === 0) return []
  const { inputs, outputs, statics, modules, parameters, interlocked } = interfaceOf(phase, unit)
  const kinds = new Map<string, string>()
  for (const { name } of modules) kinds.set(name, 'a control module')
  for (const { name } of parameters) if (!kinds.has(name)) kinds.set(name, 'a parameter')
  const requests = new Set(interlocked.map(({ request }) => request))
  const seen = new Map<string, string>()
  const found: NameConflict[] = []
  const add = (name: string, kind: string) => {
    const first = seen.get(foldName(name))
    if (first === undefined) seen.set(foldName(name), kind)
    else found.push({ name, first, second: kind === first ? `another ${kind.replace(/^an? /, '')}` : kind })
  }
  for (const { name } of outputs) add(name, 'an output')
  for (const { name } of statics) if (!requests.has(name)) add(name, 'an internal variable')
  for (const name of ['EN', 'ENO']) add(name, 'a connection that every block has')
  const fixed = inputs.length - modules.length - parameters.length
  for (const { name } of inputs.slice(0, fixed)) add(name, 'an input that every such block has')
  for (const { name } of modules) add(name, 'a control module')
  for (const { name } of parameters) add(name, 'a parameter')
  return found
}

/** Names in use; the controller ignores the case of letters. */
class NameTable {
  readonly #used: Set<string>
  /** The number that was added last, by name. */
  readonly #numbers = new Map<string, number>()

  constructor(names: readonly string[]) {
    this.#used = new Set(names.map(foldName))
  }

  /** The name, with a number when it is in use. */
  unique(wanted: string): string {
    const key = foldName(wanted)
    let number = this.#numbers.get(key) ?? 1
    let name = wanted
    while (this.#used.has(foldName(name))) name = `${wanted}_${++number}`
    this.#numbers.set(key, number)
    this.#used.add(foldName(name))
    return name
  }
}
