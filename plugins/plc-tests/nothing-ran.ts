/** Why a run has no test that ran. */
import { counted } from '../../lib/counted.ts'
import type { TestFault } from '../../plc/program-tests/model.ts'
import type { CaseResult } from '../../plc/program-tests/run-case.ts'
import type { Selection } from './prepare.ts'

interface Ran {
  readonly results: readonly CaseResult[]
  readonly faults: readonly TestFault[]
  /** Cases that were not selected. */
  readonly skipped: number
}

/** A note for a run without any case that ran, beside faults of files; empty for one that has some. */
export function nothingRan({ results, faults, skipped }: Ran, selection: Selection): string[] {
  if (faults.length > 0 || results.some(({ status }) => status !== 'skipped')) return []
  if (results.length > 0)
    return [`No test ran: ${counted(results.length, 'block')} named Test_… executed no assertion.`]
  if (skipped === 0) return ['There are no tests: no file *.test.yml and no block of tests (Test_…) in the folder.']
  return [`No case ran: none of the ${skipped} ${wantedText(selection)}.`]
}

function wantedText({ names = [], tags = [], changed }: Selection): string {
  const quoted = (texts: readonly string[]) => texts.map((text) => `"${text}"`).join(' or ')
  const wanted = [
    ...(names.length > 0 ? [`has a name with ${quoted(names)}`] : []),
    ...(tags.length > 0 ? [`has the tag ${quoted(tags)}`] : []),
    ...(changed ? ['is touched by what changed'] : []),
  ]
  return wanted.join(' and ')
}
