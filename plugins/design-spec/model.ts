/** The ISA-88 model of a design spec: Area > ProcessCell > UnitType > control-module types and phases. */
import { buildModel } from './build.ts'
import { readSpecTables } from './csv.ts'
import { FaultCollector, type SpecFault } from './faults.ts'

/** One variable of a control-module type. */
export interface CmVariable {
  readonly name: string
  /** Out: written by the phase. In: read by the phase. */
  readonly direction: 'In' | 'Out'
  /** As TIA Portal writes it: `Bool`, `Real`, `String[20]`. */
  readonly dataType: string
  readonly description: string
}

/** A control-module type: the user-defined type `UDT_<name>` and an input of each phase block of its unit. */
export interface CmType {
  readonly name: string
  readonly variables: readonly CmVariable[]
}

/** One step of a phase. Actions and conditions are kept as written; they have been checked. */
export interface PhaseStep {
  /** 1 to 32767; 0 is idle. */
  readonly number: number
  readonly name: string
  readonly isInitial: boolean
  readonly isFinal: boolean
  readonly entryAction: string
  /** Empty only on final steps. */
  readonly condition: string
  /** null only on final steps. */
  readonly nextStep: number | null
}

/** A phase: one function block `FB_<name>`. Steps stand in the order of their numbers. */
export interface Phase {
  readonly name: string
  readonly steps: readonly PhaseStep[]
}

/** A unit type with what it can do. */
export interface UnitType {
  readonly name: string
  readonly description: string
  readonly cmTypes: readonly CmType[]
  readonly phases: readonly Phase[]
}

/** A process cell of an area. */
export interface ProcessCell {
  readonly name: string
  readonly description: string
  readonly unitTypes: readonly UnitType[]
}

/** An area of the plant. */
export interface Area {
  readonly name: string
  readonly description: string
  readonly processCells: readonly ProcessCell[]
}

/**
 * Where the names of one level come from: its own section (`declared`), the leading column of the level below
 * (`referred`), or the file name because the spec does not mention the level (`default`).
 */
export type LevelOrigin = 'declared' | 'referred' | 'default'

/** A loaded design spec. Plain JSON: it can be stored and sent as it is. */
export interface DesignModel {
  /** Name of the file it was read from, with extension, without folders. */
  readonly sourceName: string
  readonly origins: { readonly areas: LevelOrigin; readonly processCells: LevelOrigin; readonly unitTypes: LevelOrigin }
  readonly areas: readonly Area[]
}

/** A model with its warnings, or everything that is wrong. */
export type SpecResult =
  | { readonly model: DesignModel; readonly warnings: readonly SpecFault[] }
  | { readonly faults: readonly SpecFault[] }

/**
 * Reads a whole design spec.
 * @param text the file: bytes (UTF-8 with or without byte order mark), or its text
 * @param fileName names the default area, process cell and unit type, and stands in the generated blocks
 * @param options `partial`: [CmTypes] and [Phases] may be missing, as in a spec that is being loaded in parts
 * @returns the model, or all faults; never throws for what is in the file.
 */
export async function parseDesignSpec(
  text: string | Uint8Array,
  fileName: string,
  options: { readonly partial?: boolean } = {},
): Promise<SpecResult> {
  const faults = new FaultCollector()
  const before = faults.count
  const tables = await readSpecTables(text, faults)
  // Bytes that cannot be decoded give no rows: "section missing" would only add noise.
  const decoded = tables.size > 0 || faults.count === before
  const complete = decoded && (options.partial !== true || tables.size === 0)
  const model = buildModel(tables, sourceNameOf(fileName), faults, { complete })
  const found = faults.faults()
  return found.length > 0 || model === undefined ? { faults: found } : { model, warnings: faults.warnings() }
}

/** The last part of a path, of either kind of slash; `DesignSpec.csv` when there is none. */
export function sourceNameOf(fileName: string): string {
  const name = fileName
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  return name === '' ? 'DesignSpec.csv' : name
}

/** All unit types with the cell and area above them, in model order. */
export function* unitTypesOf(model: DesignModel): Generator<{ area: Area; cell: ProcessCell; unit: UnitType }> {
  for (const area of model.areas) {
    for (const cell of area.processCells) {
      for (const unit of cell.unitTypes) yield { area, cell, unit }
    }
  }
}
