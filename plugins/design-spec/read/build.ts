/** Builds the model from the tables of a spec and applies every rule that concerns more than one field. */

import { defined } from '../../../core/index.ts'
import { type FaultCollector, PROPOSAL_LIMIT } from '../model/faults.ts'
import {
  type Area,
  type CmType,
  type CmVariable,
  type DesignModel,
  type Interlock,
  type Phase,
  unitTypesOf,
} from '../model/model.ts'
import { foldName, PHASE_BLOCK_NAMES } from '../model/names.ts'
import type { Scope, ScopeCmType, ScopeVariable } from '../model/scope.ts'
import type { SpecRow, SpecTable, SpecTables } from './csv.ts'
import { cellOf, readDataType, readName } from './fields.ts'
import { type Hierarchy, type Level, resolveHierarchy } from './hierarchy.ts'
import { findSection, headerText } from './layout.ts'
import { indexOf, nameConflicts } from './phase-interface.ts'
import { checkCommands, type PhaseParts, readInterlocks, readPhaseParts } from './phase-parts.ts'
import { buildSteps } from './phase-rules.ts'

/** Options of {@link buildModel}. */
export interface BuildOptions {
  /** True for a whole file, which needs [CmTypes] and [Phases]; a merge of parts may lack either. */
  readonly complete: boolean
}

/** A control-module type while its rows are read. */
interface CmTypeDraft {
  readonly name: string
  readonly unit: string
  readonly firstRow: SpecRow
  readonly variables: Map<string, ScopeVariable & { readonly description: string }>
}

interface PhaseDraft {
  readonly name: string
  readonly unit: string | undefined
  readonly rows: SpecRow[]
}

/**
 * Builds the model from the tables and checks all rules; faults are added to `faults`.
 * @param sourceName name of the file, with extension; the default hierarchy is named after it
 * @returns the model; undefined when faults prevent building it
 */
export function buildModel(
  tables: SpecTables,
  sourceName: string,
  faults: FaultCollector,
  options: BuildOptions,
): DesignModel | undefined {
  if (options.complete) checkSections(tables, faults)
  const hierarchy = resolveHierarchy(tables, sourceName, faults)
  const cmTable = tables.get('CmTypes')
  const cmTypes = readCmTypes(cmTable, hierarchy, faults)
  const readable = (cmTable !== undefined || !options.complete) && (cmTable?.readable ?? true)
  const phases = readPhases(tables.get('Phases'), hierarchy, faults)
  const built = new Map<PhaseDraft, Phase>()
  const scopes = readable ? scopesOf(cmTypes, hierarchy) : undefined
  const phaseTable = tables.get('Phases')
  const isPhasesKnown = phaseTable?.readable === true
  const phaseNames = isPhasesKnown ? new Map(phases.map(({ name }) => [foldName(name), name])) : undefined
  const parts = readPhaseParts(tables, phaseNames, faults)
  const interlocks = readInterlocks(tables, hierarchy, scopes, faults)
  for (const phase of phases) {
    const isKnown = phase.unit !== undefined && tables.get('Parameters')?.readable !== false
    const scope = isKnown ? scopes?.(phase.unit) : undefined
    built.set(phase, buildPhase(phase, parts.get(foldName(phase.name)), scope, faults))
  }
  if (faults.count > 0) return undefined
  const model = assemble(sourceName, hierarchy, cmTypes, interlocks, built)
  checkInterfaces(model, parts, phases, faults)
  return faults.count > 0 ? undefined : model
}

/** Builds a phase from its rows in all sections. */
function buildPhase(
  { name, rows }: PhaseDraft,
  parts: PhaseParts | undefined,
  unitScope: Scope | undefined,
  faults: FaultCollector,
): Phase {
  if (!parts) return { name, steps: buildSteps(name, rows, unitScope, faults) }
  const parameters = [...parts.parameters.values()].map(({ parameter }) => parameter)
  const variables = new Map([...parts.parameters].map(([key, { variable }]) => [key, variable]))
  const scope = unitScope && { ...unitScope, parameters: variables }
  const { states, description } = parts
  const steps = buildSteps(name, rows, scope, faults, states ? { states } : {})
  checkCommands(parts, scope, faults)
  const commands = [...parts.commands.values()].map(({ command }) => command)
  return {
    name,
    steps,
    ...(states ? { states } : {}),
    ...defined({ description }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(commands.length > 0 ? { commands } : {}),
  }
}

/** Names that a block would have twice. */
function checkInterfaces(
  model: DesignModel,
  parts: ReadonlyMap<string, PhaseParts>,
  drafts: readonly PhaseDraft[],
  faults: FaultCollector,
): void {
  const rows = new Map(drafts.map((draft) => [foldName(draft.name), draft.rows[0]!]))
  for (const { unit } of unitTypesOf(model)) {
    const index = indexOf(unit)
    for (const phase of unit.phases) {
      const key = foldName(phase.name)
      for (const { name, first, second } of nameConflicts(phase, index)) {
        const row = parts.get(key)?.rows.get(foldName(name)) ?? rows.get(key)!
        const message = `${name} would be ${first} and ${second} of the block FB_${phase.name}.`
        const column = row.section === 'Parameters' ? 'Parameter' : 'PhaseType'
        faults.add(row, 'name_conflict', message, { column, value: name, allowed: 'another name for one of them' })
      }
    }
  }
}

function checkSections(tables: SpecTables, faults: FaultCollector): void {
  for (const name of ['CmTypes', 'Phases'] as const) {
    const table = tables.get(name)
    const header = headerText(findSection(name)!)
    if (table === undefined) {
      const place = { section: name, line: 1, columnNumbers: {} }
      faults.add(place, 'section_missing', `The section [${name}] is missing.`, {
        allowed: `[${name}] followed by ${header}`,
      })
    } else if (name === 'Phases' && table.readable && table.rows.length === 0) {
      faults.add(table.place, 'section_empty', 'The section [Phases] has no rows.', { allowed: header })
    }
  }
}

function readCmTypes(
  table: SpecTable | undefined,
  hierarchy: Hierarchy,
  faults: FaultCollector,
): Map<string, CmTypeDraft[]> {
  const byUnit = new Map<string, CmTypeDraft[]>()
  const drafts = new Map<string, CmTypeDraft>()
  const judgedNames = new Set<string>()
  for (const row of table?.rows ?? []) {
    const unit = hierarchy.unitOf(row)
    const rawName = cellOf(row, 'CmType')
    // A wrong type name is one fault, however many variables the type has.
    const name = judgedNames.has(rawName) && rawName !== '' ? rawName : readName(row, 'CmType', 'UDT_', faults)
    if (!judgedNames.has(rawName)) checkReserved(row, name, faults)
    judgedNames.add(rawName)
    const variable = readVariable(row, faults)
    if (name === '' || unit === undefined) continue
    const key = JSON.stringify([unit, foldName(name)])
    let draft = drafts.get(key)
    if (draft === undefined) {
      draft = { name, unit, firstRow: row, variables: new Map() }
      drafts.set(key, draft)
      const siblings = byUnit.get(unit)
      if (siblings === undefined) byUnit.set(unit, [draft])
      else siblings.push(draft)
    }
    addVariable(draft, variable, row, faults)
  }
  checkSharedTypes(drafts.values(), faults)
  return byUnit
}

function checkReserved(row: SpecRow, name: string, faults: FaultCollector): void {
  const clash = PHASE_BLOCK_NAMES.find((reserved) => foldName(reserved) === foldName(name))
  if (clash === undefined) return
  const message = `CmType ${name} has the name of an element of every phase block (${PHASE_BLOCK_NAMES.join(', ')}).`
  faults.add(row, 'name_reserved', message, {
    column: 'CmType',
    value: name,
    allowed: `a name other than ${PHASE_BLOCK_NAMES.join(', ')}`,
  })
}

type VariableDraft = ScopeVariable & { readonly description: string }

function readVariable(row: SpecRow, faults: FaultCollector): VariableDraft {
  const name = readName(row, 'Variable', '', faults)
  return {
    name,
    direction: readDirection(row, faults),
    dataType: readDataType(row, faults),
    description: cellOf(row, 'Description'),
  }
}

function readDirection(row: SpecRow, faults: FaultCollector): 'In' | 'Out' | undefined {
  const direction = cellOf(row, 'Direction')
  if (/^out$/i.test(direction)) return 'Out'
  if (/^in$/i.test(direction)) return 'In'
  const missing = direction === ''
  const message = missing ? 'Direction is empty.' : `Direction is ${direction}; it must be Out or In.`
  faults.add(row, missing ? 'value_missing' : 'direction_unknown', message, {
    column: 'Direction',
    value: direction,
    allowed: ['Out', 'In'],
  })
  return undefined
}

function addVariable(draft: CmTypeDraft, variable: VariableDraft, row: SpecRow, faults: FaultCollector): void {
  if (variable.name === '') return
  const key = foldName(variable.name)
  if (draft.variables.has(key)) {
    const message = `${draft.name} has the variable ${variable.name} twice.`
    faults.add(row, 'variable_duplicate', message, {
      column: 'Variable',
      value: variable.name,
      allowed: 'each variable once in a type',
    })
    return
  }
  draft.variables.set(key, variable)
}

/** Two unit types may share a control-module type. It is one UDT, so it must be the same in both. */
function checkSharedTypes(drafts: Iterable<CmTypeDraft>, faults: FaultCollector): void {
  const first = new Map<string, { draft: CmTypeDraft; shape: string }>()
  for (const draft of drafts) {
    // What a wrong declaration was to be is not known.
    if ([...draft.variables.values()].some(({ direction, dataType }) => !direction || !dataType)) continue
    const key = foldName(draft.name)
    const shape = [...draft.variables]
      .map(([name, { direction, dataType }]) => `${name} ${direction} ${dataType!.name}`)
      .join('\n')
    const other = first.get(key)
    if (other === undefined) {
      first.set(key, { draft, shape })
    } else if (other.shape !== shape) {
      const message = `${draft.name} has other variables here than on line ${other.draft.firstRow.line}; both would be the type UDT_${draft.name}.`
      faults.add(draft.firstRow, 'cm_type_conflict', message, {
        column: 'CmType',
        value: draft.name,
        allowed: 'the same variables, directions and data types in the same order',
      })
    }
  }
}

function readPhases(table: SpecTable | undefined, hierarchy: Hierarchy, faults: FaultCollector): PhaseDraft[] {
  const phases: PhaseDraft[] = []
  const byName = new Map<string, PhaseDraft>()
  let current: PhaseDraft | undefined
  for (const row of table?.rows ?? []) {
    const unit = hierarchy.unitOf(row)
    const name = cellOf(row, 'PhaseType')
    const known = byName.get(foldName(name))
    if (name === '' || known === undefined) readName(row, 'PhaseType', 'FB_', faults)
    if (name === '') continue
    if (known === undefined) {
      current = { name, unit, rows: [row] }
      phases.push(current)
      byName.set(foldName(name), current)
    } else if (known.unit !== unit && known.unit !== undefined && unit !== undefined) {
      if (current?.name !== name || current.unit !== unit) reportDuplicate(row, known, faults)
      current = { name, unit, rows: [] } // reported once; its rows are not checked as steps of the other phase
    } else {
      if (current !== known) {
        const message = `The rows of ${known.name} stand in two places; the first ended before line ${row.line}.`
        faults.add(row, 'phase_split', message, {
          column: 'PhaseType',
          value: name,
          allowed: 'all rows of a phase together',
        })
      }
      current = known
      known.rows.push(row)
    }
  }
  return phases
}

function reportDuplicate(row: SpecRow, known: PhaseDraft, faults: FaultCollector): void {
  const message = `Phase ${known.name} already stands on line ${known.rows[0]!.line} for another unit type; both would be the block FB_${known.name}.`
  faults.add(row, 'phase_duplicate', message, {
    column: 'PhaseType',
    value: known.name,
    allowed: 'each phase name once',
  })
}

/**
 * Returns a function that gives the scope of a unit type. Each scope is built once, however many phases the unit has.
 */
function scopesOf(cmTypes: ReadonlyMap<string, readonly CmTypeDraft[]>, hierarchy: Hierarchy): (unit: string) => Scope {
  // Looked up only for names that the unit itself does not have, so one table serves all units.
  const elsewhere = new Map<string, string>()
  for (const [owner, drafts] of cmTypes) {
    const name = hierarchy.unitTypes.nodes.get(owner)?.name ?? owner
    for (const draft of drafts) elsewhere.set(foldName(draft.name), name)
  }
  const proposals = { left: PROPOSAL_LIMIT }
  const scopes = new Map<string, Scope>()
  return (unit) => {
    let scope = scopes.get(unit)
    if (scope === undefined) {
      const own = new Map<string, ScopeCmType>()
      for (const draft of cmTypes.get(unit) ?? []) own.set(foldName(draft.name), draft)
      scope = { cmTypes: own, elsewhere, proposals }
      scopes.set(unit, scope)
    }
    return scope
  }
}

type Node = Level['nodes'] extends ReadonlyMap<string, infer N> ? N : never

/** Returns a function that gives the nodes of a level below one parent, in file order. */
function childrenOf(level: Level): (parent: string) => readonly (readonly [string, Node])[] {
  const children = new Map<string | undefined, (readonly [string, Node])[]>()
  for (const entry of level.nodes) {
    const siblings = children.get(entry[1].parent)
    if (siblings === undefined) children.set(entry[1].parent, [entry])
    else siblings.push(entry)
  }
  return (parent) => children.get(parent) ?? []
}

function assemble(
  sourceName: string,
  hierarchy: Hierarchy,
  cmTypes: ReadonlyMap<string, readonly CmTypeDraft[]>,
  interlocks: ReadonlyMap<string, readonly Interlock[]>,
  phases: ReadonlyMap<PhaseDraft, Phase>,
): DesignModel {
  const cells = childrenOf(hierarchy.processCells)
  const units = childrenOf(hierarchy.unitTypes)
  const phasesOf = new Map<string | undefined, Phase[]>()
  for (const [{ unit }, phase] of phases) {
    const siblings = phasesOf.get(unit)
    if (siblings === undefined) phasesOf.set(unit, [phase])
    else siblings.push(phase)
  }
  const areas: Area[] = [...hierarchy.areas.nodes].map(([areaKey, area]) => ({
    name: area.name,
    description: area.description,
    processCells: cells(areaKey).map(([cellKey, cell]) => ({
      name: cell.name,
      description: cell.description,
      unitTypes: units(cellKey).map(([unitKey, unit]) => ({
        name: unit.name,
        description: unit.description,
        cmTypes: (cmTypes.get(unitKey) ?? []).map(toCmType),
        phases: phasesOf.get(unitKey) ?? [],
        ...(interlocks.has(unitKey) ? { interlocks: interlocks.get(unitKey)! } : {}),
      })),
    })),
  }))
  const origins = {
    areas: hierarchy.areas.origin,
    processCells: hierarchy.processCells.origin,
    unitTypes: hierarchy.unitTypes.origin,
  }
  return { sourceName, origins, areas }
}

function toCmType(draft: CmTypeDraft): CmType {
  const variables: CmVariable[] = [...draft.variables.values()].map((variable) => ({
    name: variable.name,
    direction: variable.direction!,
    dataType: variable.dataType!.name,
    description: variable.description,
  }))
  return { name: draft.name, variables }
}
