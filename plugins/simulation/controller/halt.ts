/** What ends a run of the program, or disturbs it: entries of the diagnostics buffer. */
import { defined } from '../../../core/index.ts'
import { StackOverflow } from '../../../plc/runtime/host.ts'
import { eventId } from './event-ids.ts'
import type { RawEntry } from './messages.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'

/** Thrown to end the current run of the program. */
export class Halt extends Error {
  readonly entry: Omit<RawEntry, 'time'>

  constructor(entry: Omit<RawEntry, 'time'>) {
    super(entry.message)
    this.entry = entry
  }
}

/** Returns the diagnostic entry for the fault that ended a run. */
export function haltEntry(fault: unknown, block: string): Omit<RawEntry, 'time'> {
  if (fault instanceof Halt) return fault.entry
  // V8's own stack may overflow before the stack of frames does.
  if (fault instanceof StackOverflow || fault instanceof RangeError) {
    const at = fault instanceof StackOverflow ? fault.block : block
    return {
      severity: 'error',
      code: 'nesting-depth',
      eventId: eventId.stopNesting,
      message: `Calls are nested too deep in "${at}": the controller goes to STOP.`,
      block: at,
    }
  }
  const text = fault instanceof Error ? fault.message : String(fault)
  return {
    severity: 'error',
    code: 'internal-fault',
    eventId: eventId.stopSystem,
    message: `The program ended in "${block}" (${text}): the controller goes to STOP.`,
    block,
  }
}

/** Events of a block came before it could run for the earlier ones. */
export function eventsLost({ number, name }: OrganizationBlockPlan): Omit<RawEntry, 'time'> {
  return {
    severity: 'warning',
    code: 'event-lost',
    eventId: eventId.eventsLost,
    message: `OB ${number} came again before it could run: events were lost.`,
    block: name,
  }
}

/** The maximum cycle time was exceeded, and OB 80 runs. */
export function cycleTimeExceeded(
  { name }: OrganizationBlockPlan,
  limit: number,
  timeError: OrganizationBlockPlan,
): Omit<RawEntry, 'time'> {
  return {
    severity: 'warning',
    code: 'cycle-time-exceeded',
    eventId: eventId.cycleTime,
    message: `The maximum cycle time of ${limit} ms was exceeded in "${name}"; OB ${timeError.number} runs.`,
    block: name,
  }
}

/** The maximum cycle time was exceeded, twice in one cycle or without OB 80. Times in ms. */
export function timeExceeded(
  block: string,
  site: number | undefined,
  { elapsed, limit, hasHandler }: { readonly elapsed: number; readonly limit: number; readonly hasHandler: boolean },
): Halt {
  const twice = elapsed > 2 * limit ? ' twice' : ''
  const without = hasHandler ? '' : ' and there is no OB 80'
  return new Halt({
    severity: 'error',
    code: 'cycle-time-exceeded',
    eventId: eventId.stopTimeError,
    message: `The maximum cycle time of ${limit} ms was exceeded${twice} in "${block}"${without}: the controller goes to STOP.`,
    block,
    ...defined({ site }),
  })
}

/** A command ended the program while a block ran. */
export function stoppedInside(block: string, site: number): Halt {
  return new Halt({
    severity: 'information',
    code: 'mode-change',
    eventId: eventId.stopCommand,
    message: `The controller goes to STOP by command, in the middle of "${block}".`,
    block,
    site,
  })
}

/** STP was called under an organization block. */
export function stopInstruction(running: OrganizationBlockPlan | undefined): Halt {
  return new Halt({
    severity: 'information',
    code: 'stop-instruction',
    eventId: eventId.stopInstruction,
    message: `STP was called under OB ${running?.number ?? 0}: the controller goes to STOP.`,
    ...(running === undefined ? {} : { block: running.name }),
  })
}
