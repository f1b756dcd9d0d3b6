/**
 * Start information that all classic organization blocks have: class of the event, priority, number, date and time
 * (System Software for S7-300/400, OBs).
 */
import type { Information, OrganizationBlockPlan } from './organization-blocks.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Class 1, coming event. */
const comingEvent = 0x11

/** Start information of a classic organization block. */
export function classicInformation(block: OrganizationBlockPlan, time: VirtualTime): Information {
  const { information, priority, number } = block
  if (!information.some(({ name }) => name === 'EV_CLASS')) return {}
  return {
    EV_CLASS: comingEvent,
    PRIORITY: priority,
    OB_NUMBR: Math.min(number, 255),
    EXC_FREQ: Math.min(Math.round((block.cycleTimeUs ?? 0) / 1000), 65_535),
    PHASE_OFFSET: Math.min(Math.round((block.phaseUs ?? 0) / 1000), 65_535),
    DATE_TIME: time.systemTime() + time.localOffset(),
  }
}
