/**
 * Work that takes long for a large or hostile spec (about a microsecond for each byte). It runs on the engine, or in
 * the gateway's process when the spec is small. Input and output are texts, so that a model is not cloned on its way
 * between the processes.
 */

import { generatePhase, UnknownPhaseError } from '../generate/generate.ts'
import type { SpecFault } from '../model/faults.ts'
import type { DesignModel } from '../model/model.ts'
import { type LoadCounts, loadCounts } from '../model/model-view.ts'
import { mergeSeparate, type SpecParts } from '../read/merge.ts'
import { parseDesignSpec, type SpecResult } from '../read/parse.ts'
import { writeDesignSpec } from '../read/write.ts'

/** A model, or all faults. */
export type ReadSpec =
  | {
      readonly ok: true
      /** The `DesignModel` as JSON. */
      readonly model: string
      readonly sourceName: string
      readonly counts: Omit<LoadCounts, 'success'>
      readonly warnings: readonly SpecFault[]
      /** The spec written from the model; only for a merge. */
      readonly csv?: string
    }
  | { readonly ok: false; readonly faults: readonly SpecFault[] }

/** Reads a whole spec. `partial`: sections may be missing, as in the copy of a spec that is loaded in parts. */
export async function readSpec(input: {
  readonly bytes: Uint8Array
  readonly fileName: string
  readonly partial: boolean
}): Promise<ReadSpec> {
  return told(await parseDesignSpec(input.bytes, input.fileName, { partial: input.partial }))
}

/** Merges parts into the loaded model (JSON). */
export async function mergeSpec(input: {
  readonly parts: SpecParts
  readonly loaded: string | null
  readonly fileName: string
}): Promise<ReadSpec> {
  const loaded = input.loaded === null ? null : (JSON.parse(input.loaded) as DesignModel)
  const result = await mergeSeparate(input.parts, loaded, input.fileName)
  const read = told(result)
  return read.ok && 'model' in result ? { ...read, csv: writeDesignSpec(result.model) } : read
}

function told(result: SpecResult): ReadSpec {
  if ('faults' in result) return { ok: false, faults: result.faults }
  const { success: _, ...counts } = loadCounts(result.model)
  return {
    ok: true,
    model: JSON.stringify(result.model),
    sourceName: result.model.sourceName,
    counts,
    warnings: result.warnings,
  }
}

/** The sources of a phase, or the names of the existing phases. */
export type Generated =
  | {
      readonly ok: true
      /** As written in the model. */
      readonly phase: string
      readonly blockName: string
      readonly scl: string
      readonly udts: readonly { readonly name: string; readonly scl: string }[]
    }
  | { readonly ok: false; readonly phases: readonly string[] }

/** Generates a phase of a model (JSON). */
export async function generate(input: { readonly model: string; readonly phase: string }): Promise<Generated> {
  try {
    const generated = generatePhase(JSON.parse(input.model) as DesignModel, input.phase)
    return { ok: true, phase: generated.blockName.slice('FB_'.length), ...generated }
  } catch (error) {
    if (error instanceof UnknownPhaseError) return { ok: false, phases: error.phases }
    throw error
  }
}
