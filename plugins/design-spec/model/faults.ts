/**
 * The table of all faults and warnings of a design spec, and the collector for them.
 *
 * A fault prevents the load: nothing is loaded when there is one. A warning is reported with a model that was loaded.
 */

import type { CodeTable } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import { shortened } from '../../../lib/shortened.ts'

/** What a code means and what the user should do. The user documentation is generated from this table. */
export interface FaultDefinition {
  readonly severity: 'fault' | 'warning'
  readonly meaning: string
  readonly remedy: string
}

function fault(meaning: string, remedy: string): FaultDefinition {
  return { severity: 'fault', meaning, remedy }
}

function warning(meaning: string, remedy: string): FaultDefinition {
  return { severity: 'warning', meaning, remedy }
}

/**
 * All codes, in the order in which the reader checks the rules. Codes are stable, because clients may test for them.
 */
export const FAULTS = {
  not_utf8: fault('The file holds bytes that are not UTF-8.', 'Save it as UTF-8 (in Excel: "CSV UTF-8").'),
  csv_quote: fault(
    'A quoted field is not closed, or a quote stands inside a field.',
    'Write a quote inside a quoted field twice: "".',
  ),
  row_outside_section: fault(
    'A row stands before the first section line.',
    'Start the section with its name in square brackets.',
  ),
  separator_wrong: fault(
    'The fields are separated by commas, tabs or bars.',
    'Separate them with semicolons; a field that contains one stands in double quotes.',
  ),
  section_unknown: fault('The name in square brackets is no section.', 'Use one of the sections of the format.'),
  section_duplicate: fault('A section is started twice.', 'Put all rows of a section below one section line.'),
  section_missing: fault('A section that must be there is not.', 'Add the section with its header.'),
  section_empty: fault('A section that must have rows has none.', 'Add a row below its header.'),
  header_missing: fault(
    'The line after the section name is not the header.',
    'Write the column names below the section name.',
  ),
  column_unknown: fault('The header names a column that the section does not have.', 'Use the columns of the section.'),
  column_duplicate: fault('The header names a column twice.', 'Name each column once.'),
  column_missing: fault('The header lacks a column.', 'Write all columns of the section.'),
  column_order: fault(
    'The columns stand in another order than the format fixes.',
    'Write the columns in the order of the format.',
  ),
  row_too_long: fault('A row has more fields than the header.', 'Quote fields that contain a semicolon.'),
  value_missing: fault('A field that must have a value is empty.', 'Fill the field.'),
  name_invalid: fault(
    'A name cannot be a name in the controller.',
    'Use letters, digits and underscores, starting with a letter.',
  ),
  name_reserved: fault(
    'A control-module type has the name of an element that every phase block has.',
    'Rename the type.',
  ),
  hierarchy_duplicate: fault('An area, process cell or unit type is declared twice.', 'Declare each name once.'),
  area_unknown: fault(
    'A process cell refers to an area that is not declared.',
    'Declare the area in [Areas] or correct the name.',
  ),
  process_cell_unknown: fault(
    'A unit type refers to a process cell that is not declared.',
    'Declare it in [ProcessCells] or correct the name.',
  ),
  unit_type_unknown: fault(
    'A row refers to a unit type that is not declared.',
    'Declare it in [UnitTypes] or correct the name.',
  ),
  parent_needed: fault(
    'Several parents exist and the row does not say which one it belongs to.',
    'Name the parent in the leading column.',
  ),
  variable_duplicate: fault('A control-module type has the same variable twice.', 'Give each variable another name.'),
  cm_type_conflict: fault(
    'Two unit types have a control-module type of the same name with different variables.',
    'Both would be the same UDT: make them equal or rename one.',
  ),
  data_type_unknown: fault(
    'The data type is no elementary data type of the controller.',
    'Use an elementary type, String[n] or WString[n].',
  ),
  direction_unknown: fault(
    'Direction is neither Out nor In.',
    'Write Out (written by the phase) or In (read by the phase).',
  ),
  step_not_integer: fault('A step number is not a whole number.', 'Write a whole number.'),
  step_out_of_range: fault(
    'A step number is below 1 or above 32767. Step 0 is idle; _Step is an Int.',
    'Use 1 to 32767.',
  ),
  step_duplicate: fault('A phase has the same step number twice.', 'Give each step one row and one number.'),
  step_name_duplicate: fault('A phase has the same step name twice.', 'Give each step its own name.'),
  flag_invalid: fault('IsInitial or IsFinal is neither TRUE nor empty.', 'Write TRUE or leave the field empty.'),
  phase_split: fault('The rows of a phase stand in two places.', 'Keep the rows of a phase together.'),
  phase_duplicate: fault(
    'Two unit types have a phase of the same name.',
    'Both would be the same function block: rename one.',
  ),
  initial_missing: fault('A phase has no initial step.', 'Set IsInitial to TRUE on the first step.'),
  initial_several: fault('A phase has more than one initial step.', 'Leave IsInitial empty on all steps but one.'),
  final_missing: fault('A phase has no final step.', 'Set IsFinal to TRUE on the last step.'),
  next_step_missing: fault(
    'A step that is not final has no NextStep.',
    'Name the step that follows, or mark the step as final.',
  ),
  next_step_unknown: fault(
    'NextStep names a step that the phase does not have.',
    'Use the number of a step of the phase.',
  ),
  condition_missing: fault(
    'A step that is not final has no Condition.',
    'Write the condition, or TRUE to go on at once.',
  ),
  step_unreachable: fault(
    'No path of NextStep leads from the initial step to this step.',
    'Correct NextStep of the step before it, or delete the step.',
  ),
  expression_syntax: fault('An entry action or condition cannot be read.', 'Correct it at the position given.'),
  expression_unbalanced: fault('A parenthesis or a quote in an expression has no partner.', 'Close it, or delete it.'),
  expression_too_long: fault(
    'An expression is longer or nested deeper than is sensible in one step.',
    'Split it over several steps or variables.',
  ),
  literal_invalid: fault(
    'A constant is not written as the controller writes it.',
    'Correct the constant at the position given.',
  ),
  cm_type_unknown: fault(
    'An expression names a control-module type that the unit does not have.',
    'Declare it in [CmTypes] or correct the name.',
  ),
  variable_unknown: fault(
    'An expression names a variable that the control-module type does not have.',
    'Declare it in [CmTypes] or correct the name.',
  ),
  type_mismatch: fault('The data types in an expression do not fit together.', 'Use operands of fitting types.'),
  value_out_of_range: fault(
    'A constant does not fit into the data type.',
    'Use a value within the range given, or a larger type.',
  ),
  condition_not_boolean: fault(
    'A condition does not result in TRUE or FALSE.',
    'Write a comparison or a Bool variable.',
  ),
  phase_unknown: fault(
    'A row refers to a phase that [Phases] does not have.',
    'Add the steps of the phase to [Phases] or correct the name.',
  ),
  phase_type_duplicate: fault('[PhaseTypes] has the same phase twice.', 'Give each phase one row.'),
  states_unknown: fault('States is neither Basic nor ISA88.', 'Write Basic, ISA88, or leave the field empty.'),
  needs_isa88: fault(
    'Something is told that only a phase with the states of ISA-88 has.',
    'Set States to ISA88 in [PhaseTypes], or delete it.',
  ),
  parameter_duplicate: fault('A phase has the same parameter twice.', 'Give each parameter its own name.'),
  parameter_unknown: fault(
    'An expression names a parameter that the phase does not have.',
    'Declare it in [Parameters] or correct the name.',
  ),
  parameter_written: fault('An action writes a parameter.', 'Write a variable of a control module.'),
  limits_wrong: fault('Min is above Max, or Default is outside both.', 'Correct the limits or the default.'),
  limit_without_order: fault('A parameter of a type without order has a limit.', 'Leave Min and Max empty.'),
  command_unknown: fault('Command is no command of a phase.', 'Write Hold, Restart, Stop or Abort.'),
  command_duplicate: fault('A phase has the same command twice.', 'Join the actions with ";" in one row.'),
  interlock_input: fault(
    'An interlock blocks a variable whose Direction is In.',
    'Name a variable that phases write (Direction Out).',
  ),
  interlock_conflict: fault(
    'Two interlocks of a variable have different safe values.',
    'Give a variable one safe value.',
  ),
  time_invalid: fault(
    'MinTime or Timeout is neither a duration nor a parameter.',
    'Write a duration such as T#30s, or the name of a parameter of type Time.',
  ),
  time_order: fault('Timeout is not longer than MinTime.', 'Make Timeout longer.'),
  timeout_missing: fault('OnTimeout or AlarmText stands without a Timeout.', 'Write the Timeout, or delete them.'),
  reaction_unknown: fault('OnTimeout is no reaction.', 'Write Alarm, Hold, Stop (ISA88) or Abort.'),
  final_step_waits: fault(
    'A final step has a column that only a waiting step has.',
    'A final step ends at once: use its EntryAction, or a step before it.',
  ),
  text_too_long: fault('A text is longer than a String of the controller.', 'Use at most 254 characters.'),
  name_conflict: fault('A block would have the same name twice.', 'Rename the parameter or the control-module type.'),
  part_section: fault('A part has a section that belongs to another part.', 'Send each section in its own part.'),
  part_direction: fault(
    'The inputs have a row that is not In, or the outputs one that is not Out.',
    'Move the row to the other part.',
  ),
  part_empty: fault('A part, or the whole request, has no text.', 'Leave the part out, or send its section.'),
  too_many_faults: fault('There are more faults than are listed.', 'Correct those listed and load again.'),
  action_writes_input: warning(
    'An entry action writes a variable whose Direction is In.',
    'Check the Direction; the block writes the variable as told.',
  ),
  default_missing: warning(
    'A parameter without Default starts at 0, outside its limits: its phase refuses to start until a value is written.',
    'Write a Default within Min and Max, or have a value written before each start.',
  ),
  final_condition_ignored: warning(
    'A final step has a Condition other than TRUE. A final step ends the phase when it is evaluated.',
    'Put a waiting step before the final one.',
  ),
  final_next_step_ignored: warning(
    'A final step has a NextStep. After a final step the phase is idle.',
    'Leave NextStep empty on final steps.',
  ),
  too_many_warnings: warning('There are more warnings than are listed.', 'Correct those listed and load again.'),
} as const satisfies Record<string, FaultDefinition>

/** The codes for `GET /api/errors/{code}` and the manual. */
export const specCodes: CodeTable = {
  title: 'Faults and warnings of design specs',
  codes: () =>
    new Map(
      Object.entries(FAULTS).map(([code, { severity, meaning, remedy }]) => [
        code,
        { severity, title: meaning.replace(/\. .*|\.$/s, ''), meaning, remedy },
      ]),
    ),
}

/** A stable fault code. */
export type FaultCode = keyof typeof FAULTS

/** A fault or a warning of a design spec. */
export interface SpecFault {
  readonly code: FaultCode
  /** Name of the section without brackets; empty when the position is outside all sections. */
  readonly section: string
  /** Line of the file (or part) on which the row starts, from 1. */
  readonly line: number
  /** Column as named in the header; empty when the fault does not concern a single column. */
  readonly column: string
  /** Number of the column in its row, from 1; 0 when the fault does not concern a single column. */
  readonly columnNumber: number
  /** Character within the field, from 1 (expressions only). */
  readonly position?: number
  /** The value found. */
  readonly value: string
  /** What is wrong and what is right, in one sentence. */
  readonly message: string
  /** The allowed values, or a description of them. */
  readonly allowed?: readonly string[] | string
  /** The nearest allowed value. */
  readonly suggestion?: string
  /**
   * Part of a separate load (`inputs`, `outputs`, `logic`, `configuration`), or `loaded model` for a row of an earlier
   * load.
   */
  readonly part?: string
}

/** Position of a row; each fault refers to one. */
export interface RowPlace {
  readonly section: string
  readonly line: number
  /** Maps a column name to its number in the row, from 1. */
  readonly columnNumbers: Readonly<Record<string, number>>
  readonly part?: string
}

/** Optional details of a fault. */
export interface FaultDetails {
  readonly column?: string
  readonly columnNumber?: number
  readonly position?: number
  readonly value?: string
  readonly allowed?: readonly string[] | string
  readonly suggestion?: string | undefined
}

/** Maximum number of allowed values listed in a fault. */
export const ALLOWED_LIMIT = 50

/**
 * Maximum number of unknown names that are compared with the known names: each comparison takes time, and more unknown
 * names are not typing mistakes.
 */
export const PROPOSAL_LIMIT = 200

/**
 * Faults beyond this number are counted but not listed: a file of another kind would cause one for each row. The same
 * number of warnings is listed.
 */
export const FAULT_LIMIT = 1000

/** Collects faults and warnings. */
export class FaultCollector {
  readonly #faults: SpecFault[] = []
  readonly #warnings: SpecFault[] = []
  readonly #unlisted = { fault: 0, warning: 0 }

  /** Number of faults so far, without warnings. */
  get count(): number {
    return this.#faults.length + this.#unlisted.fault
  }

  /** Adds a fault or a warning, depending on the code. */
  add(place: RowPlace, code: FaultCode, message: string, details: FaultDetails = {}): void {
    const { severity } = FAULTS[code]
    const list = severity === 'warning' ? this.#warnings : this.#faults
    if (list.length >= FAULT_LIMIT) {
      this.#unlisted[severity] += 1
      return
    }
    const column = details.column ?? ''
    list.push({
      code,
      section: place.section,
      line: place.line,
      column,
      columnNumber: details.columnNumber ?? place.columnNumbers[column] ?? 0,
      ...defined({ position: details.position }),
      value: shortened(details.value ?? '', 200),
      message,
      ...(details.allowed === undefined ? {} : { allowed: clipList(details.allowed) }),
      ...defined({ suggestion: details.suggestion, part: place.part }),
    })
  }

  /** All faults, sorted by part and line. */
  faults(): SpecFault[] {
    return withUnlisted(sortFaults(this.#faults), 'too_many_faults', this.#unlisted.fault)
  }

  /** All warnings, sorted by part and line. */
  warnings(): SpecFault[] {
    return withUnlisted(sortFaults(this.#warnings), 'too_many_warnings', this.#unlisted.warning)
  }
}

/** The last entry of a list that is too long says how many are not in it. */
function withUnlisted(listed: SpecFault[], code: FaultCode, unlisted: number): SpecFault[] {
  if (unlisted === 0) return listed
  const message = `${unlisted} more ${FAULTS[code].severity}s are not listed.`
  return [...listed, { ...listed.at(-1)!, code, message, value: String(unlisted), column: '', columnNumber: 0 }]
}

function sortFaults(faults: readonly SpecFault[]): SpecFault[] {
  return [...faults].sort(
    (a, b) =>
      (a.part ?? '').localeCompare(b.part ?? '', 'en') ||
      a.line - b.line ||
      a.columnNumber - b.columnNumber ||
      (a.position ?? 0) - (b.position ?? 0),
  )
}

function clipList(allowed: readonly string[] | string): readonly string[] | string {
  return typeof allowed === 'string' || allowed.length <= ALLOWED_LIMIT
    ? allowed
    : [...allowed.slice(0, ALLOWED_LIMIT), '…']
}
