/**
 * What takes long with a large or hostile spec (reading takes about a microsecond per byte): run on the engine, or, when it is small, in
 * the gateway's process. What goes in and comes out is text, so that a model crosses between the processes without being copied apart.
 */
import type { SpecFault } from './faults.ts'
import { generatePhase, UnknownPhaseError } from './generate.ts'
import { mergeSeparate, type SpecParts } from './merge.ts'
import type { DesignModel } from './model.ts'
import { type LoadCounts, loadCounts } from './model-view.ts'
import { parseDesignSpec, type SpecResult } from './parse.ts'
import { writeDesignSpec } from './write.ts'

/** A model that was read, or everything that is wrong. */
export type ReadSpec =
  | {
      readonly ok: true
      /** The `DesignModel` as JSON. */
      readonly model: string
      readonly sourceName: string
      readonly counts: Omit<LoadCounts, 'success'>
      readonly warnings: readonly SpecFault[]
      /** The spec written from the model; only of a merge. */
      readonly csv?: string
    }
  | { readonly ok: false; readonly faults: readonly SpecFault[] }

/** Reads a whole spec. `partial`: sections may be missing, as in the copy of a spec that is being loaded in parts. */
export async function readSpec(input: {
  readonly bytes: Uint8Array
  readonly fileName: string
  readonly partial: boolean
}): Promise<ReadSpec> {
  return told(await parseDesignSpec(input.bytes, input.fileName, { partial: input.partial }))
}

/** Merges parts into the model (JSON) that is loaded. */
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

/** The sources of a phase, or the names of the phases there are. */
export type Generated =
  | {
      readonly ok: true
      /** As the model writes it. */
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
