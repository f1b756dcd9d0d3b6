/**
 * Detects programs that hang where the watchdog does not look: it checks loops and calls, but not routines of the
 * runtime.
 */
import type { ControllerOptions } from './contract.ts'
import { type ControlBlock, monotonic } from './control-block.ts'

/** Real time allowed for an organization block regardless of cycle monitoring, ms. */
const hangLimit = 10_000

/** Whether an organization block has exceeded the maximum cycle time by so much that it must be considered endless. */
export function hasHung({ runningSince }: ControlBlock, { time, maximumCycleTimeMs }: ControllerOptions): boolean {
  const factor = time.mode === 'real' ? time.factor : 1
  return runningSince > 0 && monotonic() - runningSince > Math.max(hangLimit, (4 * maximumCycleTimeMs) / factor)
}
