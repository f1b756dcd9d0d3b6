/** Reads the text of a design spec into its model. */

import { FaultCollector, type SpecFault } from '../model/faults.ts'
import type { DesignModel } from '../model/model.ts'
import { buildModel } from './build.ts'
import { readSpecTables } from './csv.ts'

/** A model with its warnings, or all faults. */
export type SpecResult =
  | { readonly model: DesignModel; readonly warnings: readonly SpecFault[] }
  | { readonly faults: readonly SpecFault[] }

/**
 * Reads a whole design spec. It never throws because of the content of the file.
 * @param text the file: bytes (UTF-8 with or without byte order mark), or its text
 * @param fileName names the default area, process cell and unit type, and appears in the generated blocks
 * @param options `partial`: [CmTypes] and [Phases] may be missing, as in a spec that is loaded in parts
 * @returns the model, or all faults
 */
export async function parseDesignSpec(
  text: string | Uint8Array,
  fileName: string,
  options: { readonly partial?: boolean } = {},
): Promise<SpecResult> {
  const faults = new FaultCollector()
  const before = faults.count
  const tables = await readSpecTables(text, faults)
  // Bytes that cannot be decoded have no rows: reporting missing sections as well would not help.
  const decoded = tables.size > 0 || faults.count === before
  const complete = decoded && (options.partial !== true || tables.size === 0)
  const model = buildModel(tables, sourceNameOf(fileName), faults, { complete })
  const found = faults.faults()
  return found.length > 0 || model === undefined ? { faults: found } : { model, warnings: faults.warnings() }
}

/** The last part of a path with either kind of slash; `DesignSpec.csv` when it is empty. */
export function sourceNameOf(fileName: string): string {
  const name = fileName
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  return name === '' ? 'DesignSpec.csv' : name
}
