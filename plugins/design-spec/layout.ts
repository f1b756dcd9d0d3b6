/** The sections of a design spec and their columns (docs/design.md#design-specs). */

/** Name of a section, as written in the square brackets. */
export type SectionName = 'Areas' | 'ProcessCells' | 'UnitTypes' | 'CmTypes' | 'Phases'

/** Columns of one section. */
export interface SectionLayout {
  readonly name: SectionName
  /** Columns in the order of the header. */
  readonly columns: readonly string[]
  /** A column that may precede the others. */
  readonly optionalFirst?: string
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
    name: 'Phases',
    columns: ['PhaseType', 'Step', 'StepName', 'IsInitial', 'IsFinal', 'EntryAction', 'Condition', 'NextStep'],
    optionalFirst: 'UnitType',
    rowMeaning: 'one step of a phase',
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
