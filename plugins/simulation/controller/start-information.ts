/**
 * Start information that all classic organization blocks have: class of the event, priority, number, date and time
 * (System Software for S7-300/400, OBs).
 */
import { areaCode, classicArea, type ProgrammingFault, reactionCode, widthCode } from '../../../plc/library/faults.ts'
import type { RunnableProgram } from './messages.ts'
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

/**
 * Start information of OB 121.
 * @param dataBlock number of the data block of the fault; 0 for none
 * @param code number and kind of the block with the fault
 * @param running the organization block that was interrupted
 */
export function faultInformation(
  fault: ProgrammingFault,
  dataBlock: number,
  code: { readonly number: number; readonly type: number } | undefined,
  running: OrganizationBlockPlan | undefined,
): Information {
  return {
    FAULT_ID: fault.id & 0xff,
    SW_FLT: fault.id & 0xff,
    REACTION: reactionCode(fault),
    AREA: areaCode(fault),
    WIDTH: widthCode(fault),
    MEM_AREA: classicArea(fault),
    DBNR: dataBlock,
    BLOCKNR: code?.number ?? 0,
    BLOCKTYPE: code?.type ?? 0,
    BLK_TYPE: code?.type ?? 0,
    BLK_NUM: code?.number ?? 0,
    CSG_OBNR: running?.number ?? 0,
    CSG_PRIO: running?.priority ?? 0,
  }
}

/** Number of the data block at an address; 0 when there is none. */
export function dataBlockNumber(program: RunnableProgram | undefined, address: number | undefined): number {
  if (address === undefined) return 0
  for (const [number, block] of program?.numbers ?? []) if (block.address === address) return number
  return 0
}
