/** A phase with its parsed expressions and its variables. */
import { defined } from '../../../core/index.ts'
import { type DataType, elementaryType, parseElementaryType } from '../../../plc/model/data-type.ts'
import { type Assignment, type Expression, parseActions, parseCondition } from '../expressions/expression.ts'
import { startValue, type Value } from '../expressions/value.ts'
import {
  type CommandName,
  type DesignModel,
  type Phase,
  type PhaseStep,
  type UnitType,
  unitTypesOf,
} from '../model/model.ts'
import { foldName } from '../model/names.ts'
import { constantValue } from '../read/constants.ts'
import { indexOf, interfaceOf, type PhaseInterface } from '../read/phase-interface.ts'

/** A variable of a control module of the phase, a parameter, or what the phase wants of a variable with interlocks. */
export interface ModuleVariable {
  /** `Valve.Open` */
  readonly name: string
  /** Path of members in the instance that leads to it. */
  readonly path: readonly string[]
  readonly type: DataType
  readonly direction: 'In' | 'Out' | 'Parameter'
  /** Before anything is written. */
  readonly start: Value
  /** Limits of a parameter. */
  readonly min?: Value
  readonly max?: Value
}

/** A step with its parsed expressions. */
export interface CheckedStep extends Pick<PhaseStep, 'number' | 'name' | 'isFinal' | 'nextStep' | 'onTimeout'> {
  readonly actions: readonly Assignment[]
  readonly whileActions: readonly Assignment[]
  readonly exitActions: readonly Assignment[]
  /** The condition, as written. */
  readonly text: string
  /** Absent on final steps. */
  readonly condition?: Expression
  readonly minTime?: Expression
  readonly timeout?: Expression
  readonly alarmText: string
}

/** What a phase does on a command. */
export interface CheckedCommand {
  readonly actions: readonly Assignment[]
  readonly condition?: Expression
  /** The condition, as written. */
  readonly text: string
}

/** A variable with interlocks. */
export interface CheckedInterlock {
  /** Keys of the variable, and of what the phase wants. */
  readonly key: string
  readonly request: string
  readonly safe: Value
  readonly rules: readonly { readonly condition: Expression; readonly text: string; readonly reason: string }[]
}

/** A phase with its steps and variables. */
export interface CheckedPhase {
  readonly name: string
  readonly isStates: boolean
  readonly initial: CheckedStep
  /** By number. */
  readonly steps: ReadonlyMap<number, CheckedStep>
  /** By {@link keyOf}. */
  readonly variables: ReadonlyMap<string, ModuleVariable>
  /** Parameters with limits, in the order of the spec, and the text of the error for one that is outside. */
  readonly limits: readonly { readonly key: string; readonly text: string }[]
  readonly commands: ReadonlyMap<CommandName, CheckedCommand>
  readonly interlocks: readonly CheckedInterlock[]
  /** Keys of what the phase wants, by the key of the variable that actions name. */
  readonly requests: ReadonlyMap<string, string>
  readonly face: PhaseInterface
}

/** Key of a variable in maps. */
export function keyOf(cmType: string, variable: string): string {
  return `${foldName(cmType)}.${foldName(variable)}`
}

/** Key of what an action writes. */
export function targetOf(phase: CheckedPhase, { target }: Assignment): string {
  const key = keyOf(target.cmType, target.variable)
  return phase.requests.get(key) ?? key
}

/**
 * Finds a phase and parses its expressions.
 * @throws Error when the model has no such phase, which callers check before
 */
export function checkedPhase(model: DesignModel, name: string): CheckedPhase {
  for (const { unit } of unitTypesOf(model)) {
    const phase = unit.phases.find((one) => foldName(one.name) === foldName(name))
    if (phase) return checked(phase, unit)
  }
  throw new Error(`there is no phase ${name}`)
}

function checked(phase: Phase, unit: UnitType): CheckedPhase {
  const face = interfaceOf(phase, indexOf(unit))
  const steps = new Map(phase.steps.map((step) => [step.number, checkedStep(step)]))
  const initial = steps.get(phase.steps.find(({ isInitial }) => isInitial)?.number ?? 0)
  if (!initial) throw new Error(`phase ${phase.name} has no initial step`)
  const interlocks = face.interlocked.map(({ cmType, variable, dataType, safeValue, request, rules }) => ({
    key: keyOf(cmType, variable),
    request: keyOf('', request),
    safe: constantValue(safeValue, dataType) ?? startValue(dataType),
    rules: rules.map(({ blockedWhen, reason }) => ({ condition: parsed(blockedWhen), text: blockedWhen, reason })),
  }))
  const commands = (phase.commands ?? []).map(({ command, action, condition }) => {
    const text = condition ?? ''
    const rest = condition === undefined ? {} : { condition: parsed(condition) }
    return [command, { actions: actionsOf(action), text, ...rest }] as const
  })
  return {
    name: phase.name,
    isStates: phase.states === 'ISA88',
    initial,
    steps,
    variables: variablesOf(face),
    limits: limitsOf(face),
    commands: new Map(commands),
    interlocks,
    requests: new Map(interlocks.map(({ key, request }) => [key, request])),
    face,
  }
}

function parsed(text: string): Expression {
  const result = parseCondition(text)
  if ('fault' in result) throw new Error(`"${text}" cannot be read`)
  return result.expression
}

function actionsOf(text: string): readonly Assignment[] {
  const result = parseActions(text)
  if ('fault' in result) throw new Error(`"${text}" cannot be read`)
  return result.actions
}

function checkedStep(step: PhaseStep): CheckedStep {
  const { number, name, isFinal, nextStep, condition: text, minTime, timeout, onTimeout } = step
  return {
    number,
    name,
    isFinal,
    nextStep,
    actions: actionsOf(step.entryAction),
    whileActions: actionsOf(step.whileAction ?? ''),
    exitActions: actionsOf(step.exitAction ?? ''),
    text,
    alarmText: step.alarmText ?? `Step ${number} ${name} takes longer than ${timeout}`,
    ...(isFinal ? {} : { condition: parsed(text) }),
    ...(minTime === undefined ? {} : { minTime: parsed(minTime) }),
    ...(timeout === undefined ? {} : { timeout: parsed(timeout) }),
    ...defined({ onTimeout }),
  }
}

function typeNamed(name: string): DataType {
  return parseElementaryType(name) ?? elementaryType('Bool')
}

function variablesOf({ modules, parameters, interlocked }: PhaseInterface): Map<string, ModuleVariable> {
  const found = new Map<string, ModuleVariable>()
  for (const cmType of modules)
    for (const { name, dataType, direction } of cmType.variables) {
      const type = typeNamed(dataType)
      const path = [cmType.name, name]
      found.set(keyOf(cmType.name, name), { name: path.join('.'), path, type, direction, start: startValue(type) })
    }
  for (const { name, dataType, defaultValue, min, max } of parameters) {
    const type = typeNamed(dataType)
    const value = (text: string | undefined) => (text === undefined ? undefined : constantValue(text, type))
    const [low, high] = [value(min), value(max)]
    found.set(keyOf('', name), {
      name,
      path: [name],
      type,
      direction: 'Parameter',
      start: value(defaultValue) ?? startValue(type),
      ...defined({ min: low, max: high }),
    })
  }
  for (const { request: name, dataType: type } of interlocked)
    found.set(keyOf('', name), { name, path: [name], type, direction: 'Out', start: startValue(type) })
  return found
}

function limitsOf({ parameters }: PhaseInterface): { key: string; text: string }[] {
  return parameters.flatMap(({ name, min, max, unit }) => {
    if (min === undefined && max === undefined) return []
    const range = [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])]
    return [{ key: keyOf('', name), text: `${name} must be ${range.join(' and ')}${unit ? ` ${unit}` : ''}` }]
  })
}
