/** Cycle times as RT_INFO returns them. */
import type { CycleTimes } from '../../../plc/runtime/context.ts'
import type { ControllerOptions, CycleStatistics } from './contract.ts'

const nanoseconds = (ms: number) => BigInt(Math.round(ms * 1e6))

/** The measured times of cycles and the limits of the controller, in nanoseconds. */
export function cycleTimesOf(
  { lastMs, minimumMs, maximumMs }: CycleStatistics,
  { minimumCycleTimeMs, maximumCycleTimeMs }: ControllerOptions,
): CycleTimes {
  const measured =
    maximumMs > 0
      ? { last: nanoseconds(lastMs), shortest: nanoseconds(minimumMs), longest: nanoseconds(maximumMs) }
      : {}
  return { ...measured, minimum: nanoseconds(minimumCycleTimeMs), monitoring: nanoseconds(maximumCycleTimeMs) }
}
