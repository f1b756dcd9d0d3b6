/**
 * Events of organization blocks that no clock brings: hardware interrupts, time and diagnostic errors, pulled modules,
 * failed racks. Whoever has one calls `raise`; the controller takes them by priority. Each block has a queue of its own
 * ("Events to be queued", S7-1500 system manual, CPU overload behavior): an event that finds it full is lost.
 */

/** Start information by field name, in upper case and without the prefix of classic blocks (`LADDR`, `FAULT_ID`). */
export type StartInformation = Readonly<Record<string, number | boolean | bigint>>

/** An organization block that was started, with what it was told. */
export interface StartedBlock {
  readonly number: number
  readonly priority: number
  readonly eventClass: string
  readonly information: StartInformation
}

/** What a controller knows of its organization blocks. */
export interface StartedBlocks {
  readonly current?: StartedBlock | undefined
  /** Absent: the program has no startup block. */
  readonly startup?: StartedBlock | undefined
}

/**
 * The outcome of an event: it waits for its turn; it was lost, because the queue is full, the controller does not run
 * or the program locked it (DIS_IRT); or the program has no such block.
 */
export type Raised = 'queued' | 'lost' | 'no-block'

/** Events of a block that wait when its attribute `EventsToBeQueued` does not say how many. */
const usualQueue = 16

/** The waiting events of the blocks of one program. */
export class BlockEvents {
  readonly #queues = new Map<number, { readonly most: number; readonly events: StartInformation[] }>()

  /** @param blocks numbers of the organization blocks, with the length of their queues */
  constructor(blocks: Iterable<{ readonly number: number; readonly eventsToBeQueued?: number }>) {
    for (const { number, eventsToBeQueued: most = usualQueue } of blocks) this.#queues.set(number, { most, events: [] })
  }

  /**
   * Raises an event.
   * @param block number of the organization block
   */
  raise(block: number, information: StartInformation): Raised {
    const queue = this.#queues.get(block)
    if (queue === undefined) return 'no-block'
    if (queue.events.length >= queue.most) return 'lost'
    queue.events.push(information)
    return 'queued'
  }

  /** Takes the oldest event of a block. */
  take(block: number): StartInformation | undefined {
    return this.#queues.get(block)?.events.shift()
  }

  isWaiting(block: number): boolean {
    return (this.#queues.get(block)?.events.length ?? 0) > 0
  }

  /** Forgets all events. */
  clear(): void {
    for (const { events } of this.#queues.values()) events.length = 0
  }
}
