/** The scripts of the phases of a model, for those who write tests of them. */
import { notFound } from '../../../core/index.ts'
import { generatePhase } from '../generate/generate.ts'
import { type DesignModel, unitTypesOf } from '../model/model.ts'
import { foldName } from '../model/names.ts'
import { checkedPhase } from './phase.ts'
import { planPhase } from './plan.ts'
import { type PhaseScript, ROWS } from './script.ts'

/** A phase with its block and its script. */
export interface ScriptedPhase {
  readonly blockName: string
  readonly script: PhaseScript
  /** What each row of the state table asks for. */
  readonly rules: Readonly<Record<string, string>>
}

/**
 * Plans the scripts. CPU-heavy for large models.
 * @param names of phases, case ignored; undefined: all
 * @throws GatewayError `not_found` with the nearest name
 */
export function scriptsOf(model: DesignModel, names: readonly string[] | undefined, maxScans: number): ScriptedPhase[] {
  const all = [...unitTypesOf(model)].flatMap(({ unit }) => unit.phases.map(({ name }) => name))
  const known = new Map(all.map((name) => [foldName(name), name]))
  const chosen = names?.map((name) => known.get(foldName(name.trim())) ?? fail(name, all)) ?? all
  return chosen.map((name) => ({
    blockName: generatePhase(model, name).blockName,
    script: planPhase(checkedPhase(model, name), maxScans),
    rules: ROWS,
  }))
}

function fail(name: string, all: readonly string[]): never {
  throw notFound('phase', name, all)
}
