/** Checking specs in tests, without a gateway. */
import { type DesignModel, unitTypesOf } from '../../plugins/design-spec/model/model.ts'
import { type PhaseReport, refusedReport } from '../../plugins/design-spec/verify/report.ts'
import { makeScratch, type Scratch } from '../../plugins/design-spec/verify/scratch.task.ts'
import { runScratch } from '../../plugins/design-spec/verify/verify.ts'

/** Checks all phases of a model. */
export async function checkModel(model: DesignModel, maxScans = 10_000): Promise<PhaseReport[]> {
  const phases = [...unitTypesOf(model)].flatMap(({ unit }) => unit.phases.map(({ name }) => name))
  return checkScratch(await makeScratch({ model: JSON.stringify(model), phases, maxScans }))
}

/** Checks what was made already. */
export async function checkScratch(scratch: Scratch): Promise<PhaseReport[]> {
  const refused = scratch.refused.map(({ phase, blockName, errors }) => refusedReport(phase, blockName, 0, errors))
  return [...refused, ...(await runScratch(scratch, new AbortController().signal))]
}

/** What a failed assertion should show. */
export function faultsOf({ phase, result, failures, errors, unreachable, rows }: PhaseReport) {
  const missing = rows.flatMap((row) => row.missing.map((one) => ({ row: row.row, ...one })))
  return { phase, result, failures: failures.slice(0, 1), errors, unreachable, missing }
}
