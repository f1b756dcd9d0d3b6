/**
 * The hierarchy above the rows: areas, process cells, unit types, and the unit type of each row.
 *
 * Each level is optional. Without its section, its names come from the leading column of the level below; without that
 * column, there is one node, named after the file. An empty leading column means the only parent.
 */
import { nearest } from '../../../core/index.ts'
import { type FaultCollector, PROPOSAL_LIMIT } from '../model/faults.ts'
import type { LevelOrigin } from '../model/model.ts'
import { foldName } from '../model/names.ts'
import type { SpecRow, SpecTables } from './csv.ts'
import type { SectionName } from './layout.ts'

/** One node of a level, with the name of its parent on the level above. */
export interface HierarchyNode {
  readonly name: string
  readonly description: string
  /** Folded name of the parent; undefined at the top level. */
  readonly parent: string | undefined
}

/** The nodes of one level by folded name. */
export interface Level {
  readonly origin: LevelOrigin
  readonly nodes: ReadonlyMap<string, HierarchyNode>
}

/** The three levels. */
export interface Hierarchy {
  readonly areas: Level
  readonly processCells: Level
  readonly unitTypes: Level
  /**
   * Folded name of the unit type of a row in [CmTypes] or [Phases]; undefined when it is unknown (the fault is
   * reported).
   */
  unitOf(row: SpecRow): string | undefined
}

const DESCRIPTION = 'Description'

/** Resolves the hierarchy. Faults in references are added to `faults`. `sourceName` is the file name with extension. */
export function resolveHierarchy(tables: SpecTables, sourceName: string, faults: FaultCollector): Hierarchy {
  const defaultName = sourceName.replace(/\.[^.]*$/, '').trim() || sourceName
  const rows = (section: SectionName): readonly SpecRow[] => tables.get(section)?.rows ?? []
  const areas = level(tables, 'Areas', 'Area', rows('ProcessCells'), defaultName, faults)
  const cellParent = parentFinder(tables, 'Areas', 'Area', areas, 'area_unknown', faults)
  const processCells = level(tables, 'ProcessCells', 'ProcessCell', rows('UnitTypes'), defaultName, faults, {
    section: 'Areas',
    column: 'Area',
    find: cellParent,
    level: areas,
  })
  const unitParent = parentFinder(tables, 'ProcessCells', 'ProcessCell', processCells, 'process_cell_unknown', faults)
  const unitTypes = level(
    tables,
    'UnitTypes',
    'UnitType',
    [...rows('CmTypes'), ...rows('Phases')],
    defaultName,
    faults,
    {
      section: 'ProcessCells',
      column: 'ProcessCell',
      find: unitParent,
      level: processCells,
    },
  )
  const unitOf = parentFinder(tables, 'UnitTypes', 'UnitType', unitTypes, 'unit_type_unknown', faults)
  return { areas, processCells, unitTypes, unitOf }
}

interface Parent {
  readonly section: SectionName
  readonly column: string
  readonly level: Level
  find(row: SpecRow): string | undefined
}

function level(
  tables: SpecTables,
  section: 'Areas' | 'ProcessCells' | 'UnitTypes',
  column: string,
  children: readonly SpecRow[],
  defaultName: string,
  faults: FaultCollector,
  parent?: Parent,
): Level {
  const nodes = new Map<string, HierarchyNode>()
  const table = tables.get(section)
  if (table !== undefined) {
    for (const row of table.rows) addDeclared(row, column, nodes, faults, parent)
    return { origin: 'declared', nodes }
  }
  const onlyParent = parent === undefined ? undefined : [...parent.level.nodes.keys()][0]
  for (const row of children) {
    const name = (row.values[column] ?? '').trim()
    if (name === '' || nodes.has(foldName(name))) continue
    nodes.set(foldName(name), { name, description: '', parent: onlyParent })
  }
  const referred = nodes.size > 0
  if (!referred) nodes.set(foldName(defaultName), { name: defaultName, description: '', parent: onlyParent })
  const origin = referred ? 'referred' : 'default'
  if (parent !== undefined && parent.level.nodes.size !== 1)
    reportNoParent(tables, section, column, children, parent, faults)
  return { origin, nodes }
}

/**
 * The nodes of an undeclared level belong to the only parent; with no parent or several, the level must be declared.
 */
function reportNoParent(
  tables: SpecTables,
  section: SectionName,
  column: string,
  children: readonly SpecRow[],
  parent: Parent,
  faults: FaultCollector,
): void {
  const parentTable = tables.get(parent.section)
  if (parentTable?.readable === false || (faults.count > 0 && parent.level.nodes.size === 0)) return
  const place = { ...(children[0] ?? parentTable?.place ?? { line: 1, columnNumbers: {} }), section }
  const names = [...parent.level.nodes.values()].map((node) => node.name)
  const message =
    names.length === 0
      ? `[${parent.section}] has no rows, so no ${column} can belong to it.`
      : `[${section}] is missing: there are several of ${parent.column}, and it says which one each ${column} belongs to.`
  faults.add(place, names.length === 0 ? 'section_empty' : 'section_missing', message, { allowed: names })
}

function addDeclared(
  row: SpecRow,
  column: string,
  nodes: Map<string, HierarchyNode>,
  faults: FaultCollector,
  parent: Parent | undefined,
): void {
  const name = (row.values[column] ?? '').trim()
  const parentKey = parent?.find(row)
  if (name === '') {
    faults.add(row, 'value_missing', `${column} is empty.`, { column, allowed: `a name` })
    return
  }
  if (/[\p{Cc}[\]]/u.test(name)) {
    faults.add(row, 'name_invalid', `${column} holds a square bracket, a line break or another control character.`, {
      column,
      value: name,
      allowed: 'a name on one line, without square brackets',
    })
  }
  if (nodes.has(foldName(name))) {
    faults.add(row, 'hierarchy_duplicate', `${column} ${name} is declared twice.`, {
      column,
      value: name,
      allowed: 'each name once',
    })
    return
  }
  nodes.set(foldName(name), { name, description: row.values[DESCRIPTION] ?? '', parent: parentKey })
}

/**
 * Returns a function that finds the node to which a row refers in `column`, and reports a reference to an unknown node.
 */
function parentFinder(
  tables: SpecTables,
  section: 'Areas' | 'ProcessCells' | 'UnitTypes',
  column: string,
  target: Level,
  code: 'area_unknown' | 'process_cell_unknown' | 'unit_type_unknown',
  faults: FaultCollector,
): (row: SpecRow) => string | undefined {
  const readable = tables.get(section)?.readable ?? true
  const names = [...target.nodes.values()].map((node) => node.name)
  let proposals = PROPOSAL_LIMIT
  return (row) => {
    const name = (row.values[column] ?? '').trim()
    const key = foldName(name)
    if (name === '') {
      const [only] = target.nodes.keys()
      if (target.nodes.size === 1) return only
      if (!readable) return undefined
      const needed =
        target.nodes.size === 0
          ? `[${section}] has no rows, so nothing can belong to it.`
          : `There are several of ${column}; the row must name its own.`
      faults.add(row, target.nodes.size === 0 ? code : 'parent_needed', needed, {
        column,
        columnNumber: row.columnNumbers[column] ?? 1,
        allowed: names,
      })
      return undefined
    }
    if (target.nodes.has(key)) return key
    if (!readable) return undefined
    const suggestion = proposals-- > 0 ? nearest(name, names) : undefined
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
    faults.add(row, code, `${column} ${name} is not declared in [${section}].${hint}`, {
      column,
      value: name,
      allowed: names,
      suggestion,
    })
    return undefined
  }
}
