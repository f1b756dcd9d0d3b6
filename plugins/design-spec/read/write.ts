/** Writes a model as a design spec, so that a model merged from parts can be saved and loaded again. */
import { stringify } from 'csv-stringify/sync'
import {
  type CmType,
  type CmVariable,
  type DesignModel,
  type Phase,
  type PhaseStep,
  type UnitType,
  unitTypesOf,
} from '../model/model.ts'
import type { SpecRow, SpecTable, SpecTables } from './csv.ts'
import { SECTIONS, type SectionLayout, type SectionName } from './layout.ts'

/** The part named in faults of rows of an earlier load. */
export const LOADED_PART = 'loaded model'

type Cells = Readonly<Record<string, string>>

/**
 * Writes the spec of a model: UTF-8 text without byte order mark, CRLF line ends, every field quoted that needs it.
 * `parseDesignSpec(writeDesignSpec(model), model.sourceName)` gives the same model.
 */
export function writeDesignSpec(model: DesignModel): string {
  const output: string[] = []
  for (const [name, rows] of cellsOf(model)) {
    const layout = SECTIONS.find((section) => section.name === name)!
    const columns = columnsOf(layout, model, rows)
    output.push(`[${name}]\r\n${tableText(columns, rows)}`)
  }
  return output.join('\r\n')
}

/** The model as the tables from which it could have been read; line numbers are those of `writeDesignSpec`. */
export function tablesOf(model: DesignModel): SpecTables {
  const tables = new Map<SectionName, SpecTable>()
  let line = 1
  for (const [name, rows] of cellsOf(model)) {
    const layout = SECTIONS.find((section) => section.name === name)!
    const columnNumbers = Object.fromEntries(columnsOf(layout, model, rows).map((column, index) => [column, index + 1]))
    const place = { section: name, line, columnNumbers: {}, part: LOADED_PART }
    const specRows = rows.map(
      (values, index): SpecRow => ({
        section: name,
        line: place.line + 2 + index,
        columnNumbers,
        values,
        part: LOADED_PART,
      }),
    )
    tables.set(name, { section: name, place, readable: true, rows: specRows })
    line += rows.length + 3
  }
  return tables
}

/** Columns of a section; optional ones only when a row uses them. */
function columnsOf(layout: SectionLayout, model: DesignModel, rows: readonly Cells[]): string[] {
  const used = new Set(rows.flatMap((row) => Object.keys(row).filter((column) => (row[column] ?? '') !== '')))
  const withUnit = layout.optionalFirst !== undefined && model.origins.unitTypes !== 'default'
  const first = withUnit ? [layout.optionalFirst!] : []
  return [...first, ...layout.columns, ...(layout.optional ?? []).filter((column) => used.has(column))]
}

/** The rows of each section that the model needs, in the order of a file. */
function cellsOf(model: DesignModel): [SectionName, Cells[]][] {
  const sections: [SectionName, Cells[]][] = []
  const { origins, areas } = model
  // A level that the spec did not declare is created again from the file name or from references to it.
  const areaName = (name: string) => (origins.areas === 'default' ? '' : name)
  const cellName = (name: string) => (origins.processCells === 'default' ? '' : name)
  const unitName = (name: string) => (origins.unitTypes === 'default' ? '' : name)
  if (origins.areas === 'declared') {
    sections.push(['Areas', areas.map((area) => ({ Area: area.name, Description: area.description }))])
  }
  if (origins.processCells === 'declared') {
    const rows = areas.flatMap((area) =>
      area.processCells.map((cell) => ({
        Area: areaName(area.name),
        ProcessCell: cell.name,
        Description: cell.description,
      })),
    )
    sections.push(['ProcessCells', rows])
  }
  const units = [...unitTypesOf(model)]
  if (origins.unitTypes === 'declared') {
    const rows = units.map(({ cell, unit }) => ({
      ProcessCell: cellName(cell.name),
      UnitType: unit.name,
      Description: unit.description,
    }))
    sections.push(['UnitTypes', rows])
  }
  sections.push(['CmTypes', units.flatMap(({ unit }) => cmTypeRows(unit, unitName(unit.name)))])
  const phases = units.flatMap(({ unit }) => unit.phases)
  const more: [SectionName, Cells[]][] = [
    ['PhaseTypes', phases.flatMap(phaseTypeRows)],
    ['Parameters', phases.flatMap(parameterRows)],
    ['Phases', units.flatMap(({ unit }) => phaseRows(unit, unitName(unit.name)))],
    ['Commands', phases.flatMap(commandRows)],
    ['Interlocks', units.flatMap(({ unit }) => interlockRows(unit, unitName(unit.name)))],
  ]
  return [...sections, ...more.filter(([, rows]) => rows.length > 0)]
}

function phaseTypeRows({ name, states, description }: Phase): Cells[] {
  if (states === undefined && description === undefined) return []
  return [{ PhaseType: name, States: states ?? 'Basic', Description: description ?? '' }]
}

function parameterRows({ name, parameters = [] }: Phase): Cells[] {
  return parameters.map((parameter) => ({
    PhaseType: name,
    Parameter: parameter.name,
    DataType: parameter.dataType,
    Unit: parameter.unit ?? '',
    Default: parameter.defaultValue ?? '',
    Min: parameter.min ?? '',
    Max: parameter.max ?? '',
    Description: parameter.description ?? '',
  }))
}

function commandRows({ name, commands = [] }: Phase): Cells[] {
  return commands.map(({ command, action, condition = '' }) => ({
    PhaseType: name,
    Command: command,
    Action: action,
    Condition: condition,
  }))
}

function interlockRows({ interlocks = [] }: UnitType, unitName: string): Cells[] {
  return interlocks.map(({ cmType, variable, blockedWhen, safeValue, reason }) => ({
    UnitType: unitName,
    CmType: cmType,
    Variable: variable,
    BlockedWhen: blockedWhen,
    SafeValue: safeValue,
    Reason: reason,
  }))
}

function cmTypeRows(unit: UnitType, unitName: string): Cells[] {
  return unit.cmTypes.flatMap((cmType) => cmType.variables.map((variable) => cmVariableRow(unitName, cmType, variable)))
}

function cmVariableRow(unitName: string, cmType: CmType, variable: CmVariable): Cells {
  return {
    UnitType: unitName,
    CmType: cmType.name,
    Variable: variable.name,
    Direction: variable.direction,
    DataType: variable.dataType,
    Description: variable.description,
  }
}

function phaseRows(unit: UnitType, unitName: string): Cells[] {
  return unit.phases.flatMap((phase) => phase.steps.map((step) => stepRow(unitName, phase.name, step)))
}

function stepRow(unitName: string, phase: string, step: PhaseStep): Cells {
  return {
    UnitType: unitName,
    PhaseType: phase,
    Step: String(step.number),
    StepName: step.name,
    IsInitial: step.isInitial ? 'TRUE' : '',
    IsFinal: step.isFinal ? 'TRUE' : '',
    EntryAction: step.entryAction,
    Condition: step.condition,
    NextStep: step.nextStep === null ? '' : String(step.nextStep),
    WhileAction: step.whileAction ?? '',
    ExitAction: step.exitAction ?? '',
    MinTime: step.minTime ?? '',
    Timeout: step.timeout ?? '',
    OnTimeout: step.onTimeout ?? '',
    AlarmText: step.alarmText ?? '',
    Comment: step.comment ?? '',
  }
}

const expressionColumns: ReadonlySet<string> = new Set([
  ...['EntryAction', 'WhileAction', 'ExitAction', 'Condition', 'Action', 'BlockedWhen'],
])

/** Actions and conditions are always quoted, as the format requires; other fields only when necessary. */
function tableText(columns: readonly string[], rows: readonly Cells[]): string {
  return stringify([...rows], {
    header: true,
    columns: [...columns],
    delimiter: ';',
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]|^\s|\s$|^\[.*\]$/s,
    cast: {
      string: (value, { column, header }) =>
        !header && value !== '' && expressionColumns.has(String(column)) ? { value, quoted: true } : value,
    },
  })
}
