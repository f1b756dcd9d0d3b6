/** Reasons why a controller goes to STOP in the middle of its program. */
import { StackOverflow } from '../../../plc/runtime/host.ts'
import type { RawEntry } from './messages.ts'

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
      message: `Calls are nested too deep in "${at}": the controller goes to STOP.`,
      block: at,
    }
  }
  const text = fault instanceof Error ? fault.message : String(fault)
  return {
    severity: 'error',
    code: 'internal-fault',
    message: `The program ended in "${block}" (${text}): the controller goes to STOP.`,
    block,
  }
}
