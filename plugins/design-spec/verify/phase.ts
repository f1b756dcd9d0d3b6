/** A phase with its parsed expressions and its variables. */
import { type DataType, parseElementaryType } from '../../../plc/model/data-type.ts'
import { type Assignment, type Expression, parseActions, parseCondition } from '../expression.ts'
import { type DesignModel, type PhaseStep, type UnitType, unitTypesOf } from '../model.ts'
import { foldName } from '../names.ts'

/** A variable of a control module of the phase. */
export interface ModuleVariable {
  /** `Valve.Open` */
  readonly name: string
  /** Path of members in the instance that leads to it. */
  readonly path: readonly [cmType: string, variable: string]
  readonly type: DataType
  readonly direction: 'In' | 'Out'
}

/** A step with its parsed expressions. */
export interface CheckedStep extends Pick<PhaseStep, 'number' | 'name' | 'isFinal' | 'nextStep'> {
  readonly actions: readonly Assignment[]
  /** The condition, as written. */
  readonly text: string
  /** Absent on final steps. */
  readonly condition?: Expression
}

/** A phase with its steps and variables. */
export interface CheckedPhase {
  readonly name: string
  readonly initial: CheckedStep
  /** By number. */
  readonly steps: ReadonlyMap<number, CheckedStep>
  /** By {@link keyOf}. */
  readonly variables: ReadonlyMap<string, ModuleVariable>
}

/** Key of a variable in maps. */
export function keyOf(cmType: string, variable: string): string {
  return `${foldName(cmType)}.${foldName(variable)}`
}

/**
 * Finds a phase and parses its expressions.
 * @throws Error when the model has no such phase, which callers check before
 */
export function checkedPhase(model: DesignModel, name: string): CheckedPhase {
  for (const { unit } of unitTypesOf(model)) {
    const phase = unit.phases.find((one) => foldName(one.name) === foldName(name))
    if (!phase) continue
    const steps = new Map(phase.steps.map((step) => [step.number, checkedStep(step)]))
    const initial = steps.get(phase.steps.find(({ isInitial }) => isInitial)?.number ?? 0)
    if (!initial) throw new Error(`phase ${name} has no initial step`)
    return { name: phase.name, initial, steps, variables: variablesOf(unit) }
  }
  throw new Error(`there is no phase ${name}`)
}

function checkedStep({ number, name, isFinal, nextStep, entryAction, condition: text }: PhaseStep): CheckedStep {
  const parsed = parseActions(entryAction)
  const condition = isFinal ? undefined : parseCondition(text)
  if ('fault' in parsed || (condition && 'fault' in condition)) throw new Error(`step ${number} cannot be read`)
  const step = { number, name, isFinal, nextStep, actions: parsed.actions, text }
  return condition ? { ...step, condition: condition.expression } : step
}

function variablesOf({ cmTypes }: UnitType): Map<string, ModuleVariable> {
  const found = new Map<string, ModuleVariable>()
  for (const cmType of cmTypes)
    for (const { name, dataType, direction } of cmType.variables) {
      const type = parseElementaryType(dataType)
      if (!type) throw new Error(`${cmType.name}.${name} has no elementary type`)
      const variable = { name: `${cmType.name}.${name}`, path: [cmType.name, name] as const, type, direction }
      found.set(keyOf(cmType.name, name), variable)
    }
  return found
}
