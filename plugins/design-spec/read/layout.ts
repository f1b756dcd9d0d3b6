/** The sections of a design spec and their columns (docs/design.md#design-specs). */

/** Name of a section, as written in the square brackets. */
export type SectionName =
  | 'Areas'
  | 'ProcessCells'
  | 'UnitTypes'
  | 'CmTypes'
  | 'PhaseTypes'
  | 'Parameters'
  | 'Phases'
  | 'Commands'
  | 'Interlocks'

/** Columns of one section. */
export interface SectionLayout {
  readonly name: SectionName
  /** Columns in the order of the header. */
  readonly columns: readonly string[]
  /** A column that may precede the others. */
  readonly optionalFirst?: string
  /** Columns that may follow the others, in any order. */
  readonly optional?: readonly string[]
  readonly rowMeaning: string
}

/** All sections, in the order in which a spec is written. */
export const SECTIONS: readonly SectionLayout[] = [
  { name: 'Areas', columns: ['Area', 'Description'], rowMeaning: 'one area of the plant' },
  { name: 'ProcessCells', columns: ['Area', 'ProcessCell', 'Description'], rowMeaning: 'one process cell of an area' },
  {
    name: 'UnitTypes',
    columns: ['ProcessCell', 'UnitType', 'Description'],
    rowMeaning: 'one unit type of a process cell',
  },
  {
    name: 'CmTypes',
    columns: ['CmType', 'Variable', 'Direction', 'DataType', 'Description'],
    optionalFirst: 'UnitType',
    rowMeaning: 'one variable of a control-module type',
  },
  {
    name: 'PhaseTypes',
    columns: ['PhaseType', 'States'],
    optional: ['Description'],
    rowMeaning: 'one phase with its options',
  },
  {
    name: 'Parameters',
    columns: ['PhaseType', 'Parameter', 'DataType'],
    optional: ['Unit', 'Default', 'Min', 'Max', 'Description'],
    rowMeaning: 'one parameter of a phase',
  },
  {
    name: 'Phases',
    columns: ['PhaseType', 'Step', 'StepName', 'IsInitial', 'IsFinal', 'EntryAction', 'Condition', 'NextStep'],
    optionalFirst: 'UnitType',
    optional: ['WhileAction', 'ExitAction', 'MinTime', 'Timeout', 'OnTimeout', 'AlarmText', 'Comment'],
    rowMeaning: 'one step of a phase',
  },
  {
    name: 'Commands',
    columns: ['PhaseType', 'Command', 'Action'],
    optional: ['Condition'],
    rowMeaning: 'what a phase does on a command',
  },
  {
    name: 'Interlocks',
    columns: ['CmType', 'Variable', 'BlockedWhen'],
    optionalFirst: 'UnitType',
    optional: ['SafeValue', 'Reason'],
    rowMeaning: 'one interlock of a variable of a control module',
  },
]

/** Finds the layout of a section by its name, ignoring case; undefined when there is no such section. */
export function findSection(name: string): SectionLayout | undefined {
  return SECTIONS.find((section) => section.name.toLowerCase() === name.toLowerCase())
}

/** Returns the header line as written in the file. */
export function headerText(section: SectionLayout): string {
  return section.columns.join(';')
}
