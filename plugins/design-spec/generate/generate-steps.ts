/** SCL of the steps of a phase, and of what both kinds of phase blocks have: parameters, step time, interlocks. */
import { parseElementaryType } from '../../../plc/model/data-type.ts'
import { parseCondition } from '../expressions/expression.ts'
import { compileActions, compileCondition, compileValue } from '../expressions/typing.ts'
import type { CommandName, Phase, PhaseStep, TimeoutReaction, UnitType } from '../model/model.ts'
import { commentText, foldName, sclName, textConstant } from '../model/names.ts'
import { type Scope, type ScopeCmType, type ScopeVariable, variableKey } from '../model/scope.ts'
import { indexOf, interfaceOf, type PhaseInterface, stepTimeMax } from '../read/phase-interface.ts'

/** A phase with its interface and the names of its expressions. */
export interface PhaseContext {
  readonly phase: Phase
  readonly face: PhaseInterface
  readonly scope: Scope
}

/** What the two kinds of phase blocks do in other ways. */
export interface StepStyle {
  /** Ends the phase after the final step. */
  readonly finish: readonly string[]
  /** After a timeout, beside the alarm. */
  react(reaction: TimeoutReaction): readonly string[]
}

/** Prepares a phase for the generator. */
export function contextOf(phase: Phase, unit: UnitType): PhaseContext {
  const face = interfaceOf(phase, indexOf(unit))
  const cmTypes = new Map<string, ScopeCmType>(
    face.modules.map(({ name, variables }) => [
      foldName(name),
      { name, variables: new Map(variables.map((one) => [foldName(one.name), scopeVariable(one)])) },
    ]),
  )
  const parameters = new Map(face.parameters.map((one) => [foldName(one.name), scopeVariable(one)]))
  const requests = new Map(
    face.interlocked.map(({ cmType, variable, request }) => [variableKey(cmType, variable), request]),
  )
  return { phase, face, scope: { cmTypes, parameters, requests } }
}

function scopeVariable(one: { name: string; dataType: string; direction?: 'In' | 'Out' }): ScopeVariable {
  return { name: one.name, direction: one.direction, dataType: parseElementaryType(one.dataType) }
}

/** Moves lines one level to the right. */
export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `    ${line}`))
}

/** A region with its content. */
export function region(name: string, lines: readonly string[]): string[] {
  return [`REGION ${name}`, ...indent(lines), 'END_REGION']
}

/** Joins parts with a blank line between them. */
export function spaced(parts: readonly (readonly string[])[]): string[] {
  return parts.filter((part) => part.length > 0).flatMap((part, i) => (i === 0 ? part : ['', ...part]))
}

/** Name of a step with what is special about it. */
export function stepTitle(step: PhaseStep): string {
  return commentText(`${step.name}${step.isInitial ? ' (initial)' : ''}${step.isFinal ? ' (final)' : ''}`)
}

/** The constant of a step, as SCL reads it. */
export function stepConstant({ face }: PhaseContext, number: number): string {
  return `#${face.steps.get(number)!}`
}

/** The initial step. */
export function initialStep({ phase }: PhaseContext): PhaseStep {
  const initial = phase.steps.find(({ isInitial }) => isInitial)
  if (!initial) throw new Error(`phase ${phase.name} has no initial step`)
  return initial
}

/** Assignments of an action, checked when the spec was loaded. */
function actionLines({ scope, phase }: PhaseContext, action: string): string[] {
  const { statements, faults } = compileActions(action, scope)
  sound(faults, phase, action)
  return statements.map((statement) => `${statement};`)
}

/** A condition in SCL, checked when the spec was loaded; undefined for the constant TRUE. */
export function conditionScl({ scope, phase }: PhaseContext, condition: string): string | undefined {
  const { scl, faults } = compileCondition(condition, scope)
  sound(faults, phase, condition)
  return scl === 'TRUE' ? undefined : scl
}

function sound(faults: readonly { readonly code: string; readonly message: string }[], phase: Phase, text: string) {
  const first = faults.find(({ code }) => code !== 'action_writes_input')
  if (first) throw new Error(`phase ${phase.name}, "${text}": ${first.message}`)
}

/** The actions of a command; empty when the spec has none. */
export function commandLines(context: PhaseContext, command: CommandName): string[] {
  const found = context.phase.commands?.find((one) => one.command === command)
  const lines = found ? actionLines(context, found.action) : []
  return lines.length === 0 ? [] : [`// [Commands] ${context.phase.name}, ${command}`, ...lines]
}

/** One branch of the CASE for each step. */
export function stepBranches(context: PhaseContext, style: StepStyle): string[][] {
  return context.phase.steps.map((step) => [
    `${stepConstant(context, step.number)}:  // Step ${step.number}: ${stepTitle(step)}`,
    ...indent([
      ...(step.comment === undefined ? [] : [`// ${commentText(step.comment)}`]),
      ...(step.isFinal ? finalStep(context, step, style) : waitingStep(context, step, style)),
    ]),
  ])
}

/** A final step ends the phase when it is evaluated. */
function finalStep(context: PhaseContext, step: PhaseStep, { finish }: StepStyle): string[] {
  const actions = actionLines(context, step.entryAction)
  return [...(actions.length === 0 ? [] : ['IF #_StepEntry THEN', ...indent(actions), 'END_IF;']), ...finish]
}

function waitingStep(context: PhaseContext, step: PhaseStep, style: StepStyle): string[] {
  const entry = actionLines(context, step.entryAction)
  const condition = leaveCondition(context, step)
  const done = condition === undefined ? [] : ['#_StepEntry := FALSE;']
  return [
    ...(entry.length === 0
      ? done.map((line) => `${line}  // No entry action`)
      : ['IF #_StepEntry THEN', ...indent([...entry, ...done]), 'END_IF;']),
    ...actionLines(context, step.whileAction ?? ''),
    ...transition(context, step, condition, style),
  ]
}

/** When a step is left; undefined: at once. */
function leaveCondition(context: PhaseContext, step: PhaseStep): string | undefined {
  const condition = conditionScl(context, step.condition)
  const minTime = context.face.minTimes.get(step.number)
  if (minTime === undefined) return condition
  const elapsed = `#StepTime >= #${sclName(minTime)}`
  return condition === undefined ? elapsed : `${elapsed} AND ${isAlternative(step) ? `(${condition})` : condition}`
}

/** Whether AND would bind tighter than the operator of a condition. */
function isAlternative({ condition }: PhaseStep): boolean {
  const parsed = parseCondition(condition)
  if ('fault' in parsed || parsed.expression.kind !== 'binary') return false
  return parsed.expression.operator === 'OR' || parsed.expression.operator === 'XOR'
}

function transition(context: PhaseContext, step: PhaseStep, condition: string | undefined, style: StepStyle): string[] {
  const { phase, face } = context
  if (step.nextStep === null) throw new Error(`step ${step.number} of phase ${phase.name} leads nowhere`)
  const timeout = face.timeouts.get(step.number)
  const leave = [
    ...actionLines(context, step.exitAction ?? ''),
    ...(timeout === undefined ? [] : alarmOff),
    `#_Step := ${stepConstant(context, step.nextStep)};`,
    '#_StepEntry := TRUE;',
  ]
  if (condition === undefined) return leave
  const text = step.alarmText ?? `Step ${step.number} ${step.name} takes longer than ${step.timeout}`
  const late =
    timeout === undefined
      ? []
      : [
          `ELSIF #StepTime >= #${sclName(timeout)} THEN`,
          ...indent([
            '#Alarm := TRUE;',
            `#AlarmText := ${textConstant(text)};`,
            ...style.react(step.onTimeout ?? 'Alarm'),
          ]),
        ]
  return [`IF ${condition} THEN`, ...indent(leave), ...late, 'END_IF;']
}

/** Takes the alarm of a timeout back. */
export const alarmOff: readonly string[] = ['#Alarm := FALSE;', `#AlarmText := ${textConstant('')};`]

/** Measures the time in a step. */
export function stepTimeRegion({ face }: PhaseContext, isRunning: string): string[] {
  if (!face.isTimed) return []
  return region('Step time', [
    '// It starts again with each step and after Hold.',
    `#_StepTimer(IN := ${isRunning} AND NOT #_StepEntry,`,
    `            PT := #${stepTimeMax});`,
    '#StepTime := #_StepTimer.ET;',
  ])
}

/** Starts the phase when all parameters are within their limits; otherwise Error names the one that is not. */
export function checkedStart({ face }: PhaseContext, start: readonly string[]): string[] {
  const checks = face.parameters.flatMap(({ name, min, max, unit }) => {
    const limits = face.limits.get(foldName(name)) ?? {}
    const value = `#${sclName(name)}`
    const inside = [
      ...(limits.min === undefined ? [] : [`${value} >= #${limits.min}`]),
      ...(limits.max === undefined ? [] : [`${value} <= #${limits.max}`]),
    ]
    if (inside.length === 0) return []
    const range = [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])]
    const text = `${name} must be ${range.join(' and ')}${unit === undefined ? '' : ` ${unit}`}`
    // Written so that a Real that is not a number is refused too.
    return [{ outside: `NOT (${inside.join(' AND ')})`, text }]
  })
  if (checks.length === 0) return [...start]
  return [
    '// [Parameters]',
    ...checks.flatMap(({ outside, text }, i) => [
      `${i === 0 ? 'IF' : 'ELSIF'} ${outside} THEN`,
      ...indent(['#Error := TRUE;', `#ErrorText := ${textConstant(text)};`]),
    ]),
    'ELSE',
    ...indent(start),
    'END_IF;',
  ]
}

/** Writes the variables that have interlocks: their safe value, or what the phase wants. */
export function interlockRegion(context: PhaseContext): string[] {
  const { face, scope } = context
  if (face.interlocked.length === 0) return []
  const parts = face.interlocked.map(({ cmType, variable, dataType, safeValue, request, rules }, place) => {
    const target = `#${sclName(cmType)}.${sclName(variable)}`
    const safe = compileValue(safeValue, dataType, scope).scl
    const blocked = rules.flatMap(({ blockedWhen, reason }, i) => {
      const text = `#InterlockText := ${textConstant(reason)};`
      return [
        `${i === 0 ? 'IF' : 'ELSIF'} ${conditionScl(context, blockedWhen) ?? 'TRUE'} THEN`,
        ...indent([
          `${target} := ${safe};`,
          // The first reason is shown.
          ...(place > 0 ? ['IF NOT #Interlocked THEN', ...indent([text]), 'END_IF;'] : [text]),
          '#Interlocked := TRUE;',
        ]),
      ]
    })
    return [
      `// [Interlocks] ${commentText(`${cmType}.${variable}`)}`,
      ...blocked,
      'ELSE',
      ...indent([`${target} := #${sclName(request)};`]),
      'END_IF;',
    ]
  })
  const off = ['#Interlocked := FALSE;', `#InterlockText := ${textConstant('')};`]
  return region('Interlocks', spaced([off, ...parts]))
}
