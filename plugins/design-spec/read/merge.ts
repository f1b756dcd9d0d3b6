/**
 * Separate load: merges parts of a spec into the loaded model. Each part replaces only what it covers. When there is a
 * fault, nothing is merged.
 */

import { FaultCollector } from '../model/faults.ts'
import type { DesignModel } from '../model/model.ts'
import { foldName } from '../model/names.ts'
import { buildModel } from './build.ts'
import { readSpecTables, type SpecRow, type SpecTable, type SpecTables } from './csv.ts'
import type { SectionName } from './layout.ts'
import { type SpecResult, sourceNameOf } from './parse.ts'
import { tablesOf } from './write.ts'

/** The parts of a separate load; each is the text of the sections it covers. */
export interface SpecParts {
  /** [CmTypes] rows with Direction In. */
  readonly inputs?: string
  /** [CmTypes] rows with Direction Out. */
  readonly outputs?: string
  /** [Phases], [PhaseTypes], [Parameters], [Commands], [Interlocks]. */
  readonly logic?: string
  /** [Areas], [ProcessCells], [UnitTypes]. */
  readonly configuration?: string
}

/** Name of a part. */
export type PartName = keyof SpecParts

/** Sections of each part. Except in the configuration, the line of the first section may be omitted. */
const PART_SECTIONS: Readonly<Record<PartName, readonly SectionName[]>> = {
  inputs: ['CmTypes'],
  outputs: ['CmTypes'],
  logic: ['Phases', 'PhaseTypes', 'Parameters', 'Commands', 'Interlocks'],
  configuration: ['Areas', 'ProcessCells', 'UnitTypes'],
}

const PART_NAMES = Object.keys(PART_SECTIONS) as PartName[]

/**
 * Merges parts into a model.
 * @param parts at least one; what an absent part covers is kept
 * @param loaded the loaded model, or null
 * @param fileName names the default hierarchy when nothing is loaded
 * @returns the merged model, or all faults: those in the parts, and those that the parts cause in the rows that are
 *   kept
 */
export async function mergeSeparate(
  parts: SpecParts,
  loaded: DesignModel | null,
  fileName = 'DesignSpec.csv',
): Promise<SpecResult> {
  const faults = new FaultCollector()
  const given = PART_NAMES.filter((name) => parts[name] !== undefined)
  if (given.length === 0) {
    const place = { section: '', line: 1, columnNumbers: {} }
    faults.add(place, 'part_empty', 'No part is given.', { allowed: PART_NAMES })
  }
  const read = new Map<PartName, SpecTables>()
  for (const name of given) read.set(name, await readPart(name, parts[name]!, faults))
  const before = loaded === null ? new Map<SectionName, SpecTable>() : tablesOf(loaded)
  const tables = combine(before, read)
  const model = buildModel(tables, loaded?.sourceName ?? sourceNameOf(fileName), faults, { complete: false })
  const found = faults.faults()
  return found.length > 0 || model === undefined ? { faults: found } : { model, warnings: faults.warnings() }
}

async function readPart(part: PartName, text: string, faults: FaultCollector): Promise<SpecTables> {
  const sections = PART_SECTIONS[part]
  const place = { section: '', line: 1, columnNumbers: {}, part }
  const expected = sections.map((section) => `[${section}]`)
  const before = faults.count
  const tables = await readSpecTables(text, faults, {
    part,
    ...(part === 'configuration' ? {} : { impliedSection: sections[0]! }),
  })
  if (tables.size === 0 && faults.count === before) {
    faults.add(place, 'part_empty', `The part ${part} has no section; leave it out to keep what is loaded.`, {
      allowed: expected,
    })
  }
  const kept = new Map<SectionName, SpecTable>()
  for (const [name, table] of tables) {
    if (sections.includes(name)) {
      kept.set(name, table)
    } else {
      const owners = PART_NAMES.filter((other) => PART_SECTIONS[other].includes(name))
      const message = `[${name}] does not belong into the part ${part}, but into ${owners.join(' or ')}.`
      faults.add(table.place, 'part_section', message, { value: name, allowed: expected })
    }
  }
  if (part === 'inputs') checkDirections(kept.get('CmTypes'), part, 'In', faults)
  if (part === 'outputs') checkDirections(kept.get('CmTypes'), part, 'Out', faults)
  return kept
}

function directionOf(row: SpecRow): string {
  return (row.values.Direction ?? '').trim().toLowerCase()
}

function checkDirections(
  table: SpecTable | undefined,
  part: PartName,
  expected: 'In' | 'Out',
  faults: FaultCollector,
): void {
  for (const row of table?.rows ?? []) {
    const direction = directionOf(row)
    const other = expected === 'In' ? 'out' : 'in'
    if (direction !== other) continue
    const message = `The part ${part} holds the variables of Direction ${expected}; ${row.values.CmType}.${row.values.Variable} is ${row.values.Direction}.`
    faults.add(row, 'part_direction', message, {
      column: 'Direction',
      value: row.values.Direction ?? '',
      allowed: [expected],
    })
  }
}

function combine(before: SpecTables, read: ReadonlyMap<PartName, SpecTables>): SpecTables {
  const tables = new Map(before)
  const configuration = read.get('configuration')
  if (configuration !== undefined && configuration.size > 0) {
    // The hierarchy is replaced as a whole: a section that the new configuration lacks is not kept.
    for (const section of PART_SECTIONS.configuration) tables.delete(section)
    for (const [section, table] of configuration) tables.set(section, table)
  }
  for (const [section, table] of read.get('logic') ?? []) tables.set(section, table)
  for (const [part, direction] of [
    ['outputs', 'out'],
    ['inputs', 'in'],
  ] as const) {
    const table = read.get(part)?.get('CmTypes')
    if (table !== undefined) tables.set('CmTypes', replaceDirection(tables.get('CmTypes'), table, direction))
  }
  return tables
}

/** Replaces the rows of one direction. An existing variable keeps its position, so the UDT keeps its layout. */
function replaceDirection(before: SpecTable | undefined, part: SpecTable, direction: 'in' | 'out'): SpecTable {
  const fresh = new Map<string, SpecRow[]>()
  for (const row of part.rows) {
    const key = keyOf(row)
    fresh.set(key, [...(fresh.get(key) ?? []), row])
  }
  const rows: SpecRow[] = []
  for (const row of before?.rows ?? []) {
    if (directionOf(row) !== direction || row.part === part.place.part) {
      rows.push(row)
      continue
    }
    const replacement = fresh.get(keyOf(row))
    if (replacement === undefined) continue
    rows.push(...replacement)
    fresh.delete(keyOf(row))
  }
  for (const added of fresh.values()) rows.push(...added)
  return { section: 'CmTypes', place: part.place, readable: part.readable && (before?.readable ?? true), rows }
}

function keyOf(row: SpecRow): string {
  return JSON.stringify(
    [row.values.UnitType ?? '', row.values.CmType ?? '', row.values.Variable ?? ''].map((name) =>
      foldName(name.trim()),
    ),
  )
}
