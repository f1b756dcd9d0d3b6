/** What organization blocks are told when they begin, and which of them run, for RD_SINFO. */
import type { StartedBlocks } from '../../../plc/runtime/block-events.ts'
import type { Information, OrganizationBlockPlan } from './organization-blocks.ts'

/** OB100_STRTUP: warm restart by command (System Software for S7-300/400, OB 100). */
export const warmRestart = 0x81
/** Start information of cycle OBs. */
export const firstCycle: Information = { INITIAL_CALL: true, SCAN_1: 1 }
export const laterCycle: Information = { INITIAL_CALL: false, SCAN_1: 3 }

interface Start {
  readonly block: OrganizationBlockPlan
  readonly information: Information
}

/** The organization blocks that run, one in the middle of another, and the last startup block, for RD_SINFO. */
export class BlockStarts {
  #current: Start | undefined
  #startup: Start | undefined

  /** The innermost organization block that runs. */
  get running(): OrganizationBlockPlan | undefined {
    return this.#current?.block
  }

  /** A block begins. Returns the one that it interrupts, for `leave`. */
  enter(start: Start): Start | undefined {
    const before = this.#current
    this.#current = start
    if (start.block.eventClass === 'Startup') this.#startup = start
    return before
  }

  /** A block has ended: what it interrupted goes on; `undefined`: nothing runs. */
  leave(before: Start | undefined): void {
    this.#current = before
  }

  told(): StartedBlocks {
    const of = (start: Start | undefined) => start && { ...start.block, information: start.information }
    return { current: of(this.#current), startup: of(this.#startup) }
  }
}
