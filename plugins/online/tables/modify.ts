/** What modifying and forcing rows puts into memory, checked as a whole before any of it is done. */
import { type Fault, isGatewayError, problem } from '../../../core/index.ts'
import type { Force, Modification } from '../../simulation/index.ts'
import {
  ForcedBits,
  forceFault,
  forcesOf,
  parseModifyValue,
  type ResolvedTag,
  resolveTag,
  writeValue,
} from '../../simulation/index.ts'
import { type ChosenRow, faultOf, rowFaults } from './live-table.ts'
import type { ModifyJob } from './modify-jobs.ts'

type Program = Parameters<typeof resolveTag>[0]
type Writes = ReturnType<typeof writeValue>

/** A row with its place and what its value puts there. */
export interface PlannedRow {
  readonly row: ChosenRow
  readonly tag: ResolvedTag
  readonly writes: Writes
}

/**
 * @param place where a row's value is written, by its tag; throws when it must not be
 * @throws GatewayError `unacceptable_content` with the fault of each row
 */
function planned(
  program: Program,
  rows: readonly ChosenRow[],
  place: (tag: ResolvedTag, row: ChosenRow) => ResolvedTag,
): PlannedRow[] {
  const faults: Fault[] = []
  const plan: PlannedRow[] = []
  for (const row of rows) {
    try {
      if (row.operand === '') throw rowFaults([faultOf(row, 'it shows nothing that could be written')])
      const tag = place(resolveTag(program, row.operand, faults.length < mostSuggestions), row)
      const { value, displayFormat } = row
      const writes = typeof value === 'string' ? parseModifyValue(tag, value, displayFormat) : writeValue(tag, value)
      plan.push({ row, tag, writes })
    } catch (error) {
      if (!isGatewayError(error)) throw error
      const [first] = error.details.errors ?? []
      const message = error.message.replace(/ ?Nothing was (?:written|done)\.$/, '').replace(/\.$/, '')
      faults.push(
        first?.path === `/rows/${row.position}`
          ? first
          : faultOf(row, message, first?.allowed === undefined ? {} : { allowed: first.allowed }),
      )
    }
  }
  if (faults.length > 0) throw rowFaults(faults)
  return plan
}

/** As many as operations on virtual controllers take. */
const mostForces = 1000

/** A nearest name takes a look at all names of the program. */
const mostSuggestions = 20

/** What "modify now" writes: of inputs the periphery, so that the value holds until the process writes another one. */
export function planNow(program: Program, rows: readonly ChosenRow[]): PlannedRow[] {
  return planned(program, rows, (tag) => tag)
}

/**
 * What "modify with trigger" writes. Inputs are written in the process image only: they have the values of the
 * periphery again when it ends. `Permanent` is for outputs at the end of the cycle, so that it holds against the
 * program, and at its start for the rest.
 */
export function planJobs(program: Program, rows: readonly ChosenRow[]): ModifyJob[] {
  const plan = planned(program, rows, (tag) => ({ ...tag, writeAddress: tag.address }))
  return plan.map(({ row, tag, writes }) => {
    const at = pointOf(row.modifyTrigger, tag)
    const once = row.modifyTrigger.startsWith('OnceOnly')
    const modifications = writes.map((write, part): Modification => {
      const key = `${row.operand} ${part}`
      return { key, ...write, at, ...(once ? { once } : {}) }
    })
    return { row, at, once, modifications }
  })
}

function pointOf(trigger: string, { area }: ResolvedTag): Modification['at'] {
  if (trigger.endsWith('AtStop')) return 'stop'
  if (trigger.endsWith('AtEnd')) return 'end'
  if (trigger.endsWith('AtStart')) return 'start'
  return area === 'Q' ? 'end' : 'start'
}

/** Forces of rows. No two may hold the same bit. */
export function planForces(program: Program, rows: readonly ChosenRow[]): { plan: PlannedRow[]; forces: Force[] } {
  const plan = planned(program, rows, (tag, row) => {
    const fault = forceFault(tag)
    if (fault !== undefined) throw rowFaults([faultOf(row, fault)])
    return tag
  })
  const forces = plan.flatMap(({ tag, writes }) => forcesOf(tag, writes))
  if (forces.length > mostForces) {
    const message = `${forces.length} forces are too many: a controller has at most ${mostForces}`
    throw problem('unacceptable_content', `/entries: ${message}.`, { errors: [{ path: '/entries', message }] })
  }
  const held = new ForcedBits<ChosenRow>()
  for (const { row, writes } of plan) {
    const other = held.take(row, writes)
    if (other) throw rowFaults([faultOf(row, `is in what row ${other.position} (${other.operand}) forces`)])
  }
  return { plan, forces }
}
