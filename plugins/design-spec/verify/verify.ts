/**
 * Checks phases of the loaded spec: the engine makes program and scripts, one private controller after the other runs
 * them.
 */
import { notFound, type QueryContext } from '../../../core/index.ts'
import { modelOf } from '../load/load.ts'
import { type DesignModel, type Phase, type UnitType, unitTypesOf } from '../model/model.ts'
import { foldName } from '../model/names.ts'
import type { LoadedSpec } from '../spec.ts'
import { choosePhase, withPrivateController } from './private-controller.ts'
import { type PhaseReport, refusedReport, reportOf } from './report.ts'
import { type RunOptions, runScript } from './run-script.ts'
import type { Scratch } from './scratch.task.ts'

/** Number of phases that share a program and a controller: a spec with thousands of phases is checked in parts. */
const phasesTogether = 20

/**
 * The end of the last check. Checks run one after the other: each has its own thread and would only slow down the
 * others.
 */
let last: Promise<unknown> = Promise.resolve()

/**
 * Checks phases of a spec against the state table.
 * @param names names of phases, ignoring case; undefined: all
 * @param maxScans maximum number of scans for each phase
 * @throws GatewayError `not_found` with the nearest name
 */
export async function verifyPhases(
  ctx: QueryContext,
  spec: LoadedSpec,
  names: readonly string[] | undefined,
  maxScans: number,
  options: RunOptions = {},
): Promise<PhaseReport[]> {
  const phases = await chosenPhases(ctx, spec, names)
  const done = last.then(() => verifyInTurn(ctx, spec, phases, maxScans, options))
  last = done.catch(() => undefined)
  return done
}

async function verifyInTurn(
  ctx: QueryContext,
  spec: LoadedSpec,
  phases: readonly Phase[],
  maxScans: number,
  options: RunOptions,
): Promise<PhaseReport[]> {
  const model = await modelOf(ctx, spec)
  const module = new URL('./scratch.task.ts', import.meta.url).href
  const reports = new Map<string, PhaseReport>()
  for (let i = 0; i < phases.length; i += phasesTogether) {
    ctx.signal.throwIfAborted()
    const together = phases.slice(i, i + phasesTogether)
    const part = JSON.stringify(partOf(model, new Set(together)))
    const input = { model: part, phases: together.map(({ name }) => name), maxScans }
    const scratch = await ctx.engine.run<Scratch>({ module, fn: 'makeScratch', input })
    for (const { phase, blockName, errors } of scratch.refused) {
      const total = together.find(({ name }) => name === phase)?.steps.length ?? 0
      reports.set(phase, refusedReport(phase, blockName, total, errors))
    }
    for (const report of await runScratch(scratch, ctx.signal, options)) reports.set(report.phase, report)
  }
  return phases.map(({ name }) => reports.get(name)!)
}

/** The unit types of some phases, and nothing else, so that a large model is not sent to the engine for each part. */
function partOf(model: DesignModel, phases: ReadonlySet<Phase>): DesignModel {
  const unitsOf = (units: readonly UnitType[]) =>
    units
      .map((unit) => ({ ...unit, phases: unit.phases.filter((phase) => phases.has(phase)) }))
      .filter((unit) => unit.phases.length > 0)
  const areas = model.areas.map((area) => {
    const processCells = area.processCells.map((cell) => ({ ...cell, unitTypes: unitsOf(cell.unitTypes) }))
    return { ...area, processCells: processCells.filter(({ unitTypes }) => unitTypes.length > 0) }
  })
  return { ...model, areas: areas.filter(({ processCells }) => processCells.length > 0) }
}

/** Runs the scripts of a scratch program on its own controller. */
export async function runScratch(
  { program, phases }: Scratch,
  signal: AbortSignal,
  options: RunOptions = {},
): Promise<PhaseReport[]> {
  if (!program) return []
  const reports: PhaseReport[] = []
  let left = [...phases]
  // A phase that stops its controller must not affect the checks of the others.
  while (left.length > 0)
    left = await withPrivateController(program, async (controller) => {
      for (const [i, { number, instance, script, blockName, blockHash }] of left.entries()) {
        await choosePhase(controller, number)
        const run = await runScript(controller, instance, script, signal, options)
        reports.push({ ...reportOf(blockName, script, run), blockHash })
        if (controller.state !== 'Run') return left.slice(i + 1)
      }
      return []
    })
  return reports
}

async function chosenPhases(
  ctx: QueryContext,
  spec: LoadedSpec,
  names: readonly string[] | undefined,
): Promise<readonly Phase[]> {
  const all = [...unitTypesOf(await modelOf(ctx, spec))].flatMap(({ unit }) => unit.phases)
  if (names === undefined) return all
  const byName = new Map(all.map((phase) => [foldName(phase.name), phase]))
  const chosen = names.map((name) => {
    const phase = byName.get(foldName(name.trim()))
    if (phase) return phase
    throw notFound(
      'phase',
      name,
      all.map((one) => one.name),
    )
  })
  return [...new Set(chosen)]
}
