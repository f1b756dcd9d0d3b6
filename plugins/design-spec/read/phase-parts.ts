/** Reads the sections that add to phases: [PhaseTypes], [Parameters], [Commands] and [Interlocks]. */
import { nearest } from '../../../core/index.ts'
import type { DataType } from '../../../plc/model/data-type.ts'
import { compileActions, compileCondition } from '../expressions/typing.ts'
import type { FaultCollector } from '../model/faults.ts'
import type { CommandName, Interlock, PhaseCommand, PhaseParameter } from '../model/model.ts'
import { foldName } from '../model/names.ts'
import type { Scope, ScopeVariable } from '../model/scope.ts'
import { defaultConstant, isOrdered, readConstant } from './constants.ts'
import type { SpecRow, SpecTables } from './csv.ts'
import { cellOf, readDataType, readName, reportExpression } from './fields.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { SectionName } from './layout.ts'

/** A parameter, and what expressions see of it. */
export interface ParameterDraft {
  readonly parameter: PhaseParameter
  readonly variable: ScopeVariable
}

/** What [PhaseTypes], [Parameters] and [Commands] say of one phase. */
export interface PhaseParts {
  states?: 'ISA88'
  description?: string
  readonly parameters: Map<string, ParameterDraft>
  readonly commands: Map<CommandName, { readonly row: SpecRow; readonly command: PhaseCommand }>
  /** A row that declares something, for faults about names. */
  readonly rows: Map<string, SpecRow>
}

const commandNames: readonly CommandName[] = ['Hold', 'Restart', 'Stop', 'Abort']

/** Longest text that a block shows: the length of a String. */
export const textLimit = 254

/**
 * Reads [PhaseTypes], [Parameters] and [Commands].
 * @param phases the phases of [Phases], folded names to names; undefined: not known, references are not checked
 */
export function readPhaseParts(
  tables: SpecTables,
  phases: ReadonlyMap<string, string> | undefined,
  faults: FaultCollector,
): Map<string, PhaseParts> {
  const parts = new Map<string, PhaseParts>()
  const typed = new Set<string>()
  if (tables.get('PhaseTypes')?.readable === false)
    for (const key of phases?.keys() ?? []) parts.set(key, { ...noParts(), states: assumedStates })
  for (const row of rowsOf(tables, 'PhaseTypes')) {
    const found = partsOf(row, parts, phases, faults)
    const states = readStates(row, faults)
    if (!found) continue
    const key = foldName(cellOf(row, 'PhaseType'))
    if (typed.has(key)) {
      const message = `[PhaseTypes] has ${cellOf(row, 'PhaseType')} twice.`
      faults.add(row, 'phase_type_duplicate', message, { column: 'PhaseType', allowed: 'each phase once' })
    }
    typed.add(key)
    if (states) found.states = states
    const description = cellOf(row, 'Description')
    if (description !== '') found.description = description
  }
  for (const row of rowsOf(tables, 'Parameters')) {
    const found = partsOf(row, parts, phases, faults)
    const parameter = readParameter(row, faults)
    if (found && parameter) addParameter(found, parameter, row, faults)
  }
  for (const row of rowsOf(tables, 'Commands')) {
    const found = partsOf(row, parts, phases, faults)
    const command = readCommand(row, faults)
    if (found && command) addCommand(found, command, row, faults)
  }
  return parts
}

const noParts = (): PhaseParts => ({ parameters: new Map(), commands: new Map(), rows: new Map() })

/** The states of a phase that does not tell them in a way that can be read: they forbid nothing; no fault follows. */
const assumedStates = 'ISA88'

function rowsOf(tables: SpecTables, section: SectionName): readonly SpecRow[] {
  return tables.get(section)?.rows ?? []
}

/** The parts of the phase that a row names; undefined when there is no such phase (the fault is reported). */
function partsOf(
  row: SpecRow,
  parts: Map<string, PhaseParts>,
  phases: ReadonlyMap<string, string> | undefined,
  faults: FaultCollector,
): PhaseParts | undefined {
  const name = cellOf(row, 'PhaseType')
  const key = foldName(name)
  if (name === '') {
    faults.add(row, 'value_missing', 'PhaseType is empty.', { column: 'PhaseType', allowed: 'the name of a phase' })
    return undefined
  }
  if (phases && !phases.has(key)) {
    const names = [...phases.values()]
    const suggestion = nearest(name, names)
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
    const message = `[Phases] has no phase ${name}.${hint}`
    faults.add(row, 'phase_unknown', message, { column: 'PhaseType', value: name, allowed: names, suggestion })
    return undefined
  }
  let found = parts.get(key)
  if (!found) {
    found = noParts()
    parts.set(key, found)
  }
  return found
}

function readStates(row: SpecRow, faults: FaultCollector): 'ISA88' | undefined {
  const value = cellOf(row, 'States')
  if (/^(basic)?$/i.test(value)) return undefined
  if (/^isa[- ]?88$/i.test(value)) return 'ISA88'
  const message = `States is ${value}; it must be Basic or ISA88.`
  faults.add(row, 'states_unknown', message, { column: 'States', value, allowed: ['Basic', 'ISA88', ''] })
  return assumedStates
}

// ── Parameters ──────────────────────────────────────────────────────────────────────────────────────────────────────

function readParameter(row: SpecRow, faults: FaultCollector): ParameterDraft | undefined {
  const name = readName(row, 'Parameter', '', faults)
  const type = readDataType(row, faults)
  const unit = cellOf(row, 'Unit')
  const description = cellOf(row, 'Description')
  const values = type && readLimits(row, name, type, faults)
  if (name === '') return undefined
  // A parameter with a wrong type or limit is known all the same: its uses are no faults of their own.
  const texts = { ...(unit === '' ? {} : { unit }), ...(description === '' ? {} : { description }) }
  return {
    parameter: { name, dataType: type?.name ?? '', ...values, ...texts },
    variable: { name, direction: undefined, dataType: type },
  }
}

/** What a value of a type with an order begins with. */
const zero = { value: 0 }

type Limits = Pick<PhaseParameter, 'defaultValue' | 'min' | 'max'>

/** Reads Default, Min and Max; undefined when one is wrong. */
function readLimits(row: SpecRow, name: string, type: DataType, faults: FaultCollector): Limits | undefined {
  const before = faults.count
  const fields = { defaultValue: 'Default', min: 'Min', max: 'Max' } as const
  const found = new Map<keyof typeof fields, { text: string; value: ReturnType<typeof readConstant> }>()
  for (const [key, column] of Object.entries(fields) as [keyof typeof fields, 'Default' | 'Min' | 'Max'][]) {
    const text = cellOf(row, column)
    if (text === '') continue
    if (key !== 'defaultValue' && !isOrdered(type)) {
      const message = `${name} is of type ${type.name}, which has no order; it cannot have a ${column}.`
      faults.add(row, 'limit_without_order', message, { column, value: text, allowed: 'numbers and durations' })
      continue
    }
    found.set(key, { text, value: readConstant(row, column, text, type, faults) })
  }
  if (faults.count > before) return undefined
  const [low, start, high] = [found.get('min'), found.get('defaultValue'), found.get('max')]
  const above = (a?: { value: unknown }, b?: { value: unknown }) =>
    a !== undefined && b !== undefined && (a.value as number) > (b.value as number)
  if (above(low, high)) {
    const message = `Min of ${name} is ${low!.text}, above Max ${high!.text}.`
    faults.add(row, 'limits_wrong', message, { column: 'Min', value: low!.text, allowed: `at most ${high!.text}` })
  } else if (above(low, start) || above(start, high)) {
    const range = [low && `at least ${low.text}`, high && `at most ${high.text}`].filter(Boolean).join(', ')
    const message = `Default of ${name} is ${start!.text}, outside its limits.`
    faults.add(row, 'limits_wrong', message, { column: 'Default', value: start!.text, allowed: range })
  } else if (start === undefined && (above(low, zero) || above(zero, high))) {
    const message = `${name} has no Default and starts at 0, outside its limits: the phase does not start until a value is written.`
    faults.add(row, 'default_missing', message, { column: 'Default', value: '', allowed: 'from Min to Max' })
  }
  return Object.fromEntries([...found].map(([key, { text }]) => [key, text]))
}

function addParameter(parts: PhaseParts, draft: ParameterDraft, row: SpecRow, faults: FaultCollector): void {
  const { name } = draft.variable
  const key = foldName(name)
  if (parts.parameters.has(key)) {
    const message = `${cellOf(row, 'PhaseType')} has the parameter ${name} twice.`
    const details = { column: 'Parameter', value: name, allowed: 'each parameter once in a phase' }
    faults.add(row, 'parameter_duplicate', message, details)
    return
  }
  parts.parameters.set(key, draft)
  parts.rows.set(key, row)
}

// ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────────────

function readCommand(row: SpecRow, faults: FaultCollector): PhaseCommand | undefined {
  const value = cellOf(row, 'Command')
  const command = commandNames.find((name) => foldName(name) === foldName(value))
  if (!command) {
    const suggestion = nearest(value, commandNames)
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
    const message = value === '' ? 'Command is empty.' : `${value} is no command of a phase.${hint}`
    const code = value === '' ? 'value_missing' : 'command_unknown'
    faults.add(row, code, message, { column: 'Command', value, allowed: commandNames, suggestion })
    return undefined
  }
  const condition = cellOf(row, 'Condition')
  return { command, action: cellOf(row, 'Action'), ...(condition === '' ? {} : { condition }) }
}

function addCommand(parts: PhaseParts, command: PhaseCommand, row: SpecRow, faults: FaultCollector): void {
  const phase = cellOf(row, 'PhaseType')
  const isStates = parts.states === 'ISA88'
  if (parts.commands.has(command.command)) {
    const message = `${phase} has the command ${command.command} twice; write several actions with ";" between them.`
    const details = { column: 'Command', value: command.command, allowed: 'each command once in a phase' }
    faults.add(row, 'command_duplicate', message, details)
    return
  }
  if (command.command === 'Stop' && !isStates) {
    const message = `Only a phase with the states of ISA-88 can be stopped; ${phase} has Hold, Restart and Abort.`
    const details = { column: 'Command', value: 'Stop', allowed: ['Hold', 'Restart', 'Abort'] }
    faults.add(row, 'needs_isa88', message, details)
  }
  if (command.condition !== undefined && !isStates) {
    const message = `A Condition ends a state of ISA-88 (Holding, Restarting, Aborting); ${phase} does not have them.`
    faults.add(row, 'needs_isa88', message, { column: 'Condition', value: command.condition, allowed: [''] })
  }
  parts.commands.set(command.command, { row, command })
}

/** Checks the actions and conditions of the commands of a phase. */
export function checkCommands(parts: PhaseParts, scope: Scope | undefined, faults: FaultCollector): void {
  for (const { row, command } of parts.commands.values()) {
    reportExpression(row, 'Action', compileActions(command.action, scope).faults, faults)
    if (command.condition !== undefined)
      reportExpression(row, 'Condition', compileCondition(command.condition, scope).faults, faults)
  }
}

// ── Interlocks ──────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Reads [Interlocks], by the folded name of the unit type.
 * @param scopeOf the names of a unit type; undefined when [CmTypes] could not be read
 */
export function readInterlocks(
  tables: SpecTables,
  hierarchy: Hierarchy,
  scopeOf: ((unit: string) => Scope) | undefined,
  faults: FaultCollector,
): Map<string, Interlock[]> {
  const byUnit = new Map<string, Interlock[]>()
  const safeValues = new Map<string, string>()
  for (const row of rowsOf(tables, 'Interlocks')) {
    const unit = hierarchy.unitOf(row)
    const scope = unit === undefined ? undefined : scopeOf?.(unit)
    const interlock = readInterlock(row, scope, faults)
    if (!interlock || unit === undefined) continue
    const key = JSON.stringify([unit, foldName(interlock.cmType), foldName(interlock.variable)])
    const other = safeValues.get(key)
    if (other !== undefined && other !== interlock.safeValue) {
      const name = `${interlock.cmType}.${interlock.variable}`
      const message = `${name} has the SafeValue ${other} in a row before; a variable has one.`
      faults.add(row, 'interlock_conflict', message, {
        column: 'SafeValue',
        value: interlock.safeValue,
        allowed: other,
      })
    }
    safeValues.set(key, interlock.safeValue)
    const siblings = byUnit.get(unit)
    if (siblings) siblings.push(interlock)
    else byUnit.set(unit, [interlock])
  }
  return byUnit
}

function readInterlock(row: SpecRow, scope: Scope | undefined, faults: FaultCollector): Interlock | undefined {
  const [cmType, variable] = [cellOf(row, 'CmType'), cellOf(row, 'Variable')]
  const blockedWhen = cellOf(row, 'BlockedWhen')
  const before = faults.count
  for (const [column, value] of Object.entries({ CmType: cmType, Variable: variable, BlockedWhen: blockedWhen }))
    if (value === '') faults.add(row, 'value_missing', `${column} is empty.`, { column, allowed: meaningOf[column]! })
  const reason = readText(row, 'Reason', faults) || `${cmType}.${variable} is interlocked`
  if (blockedWhen !== '') reportExpression(row, 'BlockedWhen', compileCondition(blockedWhen, scope).faults, faults)
  if (!scope || faults.count > before) return undefined
  const type = interlockedType(row, cmType, variable, scope, faults)
  const given = cellOf(row, 'SafeValue')
  const safeValue = type && (given || defaultConstant(type))
  if (type && safeValue === undefined) {
    const message = `${cmType}.${variable} is of type ${type.name}, which has no usual safe value.`
    faults.add(row, 'value_missing', message, { column: 'SafeValue', allowed: `a constant of type ${type.name}` })
  }
  if (type && given !== '') readConstant(row, 'SafeValue', given, type, faults)
  if (safeValue === undefined) return undefined
  return { cmType, variable, blockedWhen, safeValue, reason }
}

const meaningOf: Readonly<Record<string, string>> = {
  CmType: 'a control-module type of the unit',
  Variable: 'one of its variables with Direction Out',
  BlockedWhen: 'a Bool expression that is TRUE while the variable is blocked',
}

/** The type of the variable of an interlock, which must have the Direction Out. */
function interlockedType(
  row: SpecRow,
  cmType: string,
  variable: string,
  { cmTypes }: Scope,
  faults: FaultCollector,
): DataType | undefined {
  const module = cmTypes.get(foldName(cmType))
  if (!module) {
    const names = [...cmTypes.values()].map(({ name }) => name)
    const suggestion = nearest(cmType, names)
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
    const message = `The unit has no control-module type ${cmType}.${hint}`
    faults.add(row, 'cm_type_unknown', message, { column: 'CmType', value: cmType, allowed: names, suggestion })
    return undefined
  }
  const found = module.variables.get(foldName(variable))
  const outs = [...module.variables.values()].filter(({ direction }) => direction === 'Out').map(({ name }) => name)
  if (!found) {
    const suggestion = nearest(variable, outs)
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
    const message = `${module.name} has no variable ${variable}.${hint}`
    faults.add(row, 'variable_unknown', message, { column: 'Variable', value: variable, allowed: outs, suggestion })
    return undefined
  }
  if (found.direction === 'In') {
    const message = `${module.name}.${found.name} has Direction In; an interlock blocks what phases write.`
    faults.add(row, 'interlock_input', message, { column: 'Variable', value: variable, allowed: outs })
    return undefined
  }
  return found.dataType
}

/** Reads a text that the block shows. */
function readText(row: SpecRow, column: string, faults: FaultCollector): string {
  const text = cellOf(row, column)
  if (text.length > textLimit) {
    const message = `${column} has ${text.length} characters.`
    faults.add(row, 'text_too_long', message, { column, value: text, allowed: `at most ${textLimit} characters` })
  }
  return text
}
