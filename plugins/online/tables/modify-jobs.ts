/**
 * What watch tables modify with triggers in running controllers. It belongs to the online connection, as in TIA Portal:
 * it ends when the device goes offline, another program is loaded, or the controller goes off.
 */
import type { Controller, CycleCounts, Modification } from '../../simulation/index.ts'
import type { ChosenRow } from './live-table.ts'

/** A row that is modified with its trigger. */
export interface ModifyJob {
  readonly row: ChosenRow
  /** At the start or end of the cycle, or at the transition to STOP. */
  readonly at: Modification['at']
  readonly once: boolean
  readonly modifications: readonly Modification[]
}

/** `active`: is written each time; `waiting`: will be written once; `done`: was written. */
export type JobState = 'active' | 'waiting' | 'done'

interface Entry extends ModifyJob {
  /** Of a job that is done once, at the start or end of a cycle: the cycles before it; undefined: not known yet. */
  after: CycleCounts | undefined
  /** It was given while the controller was in RUN. */
  wasRunning: boolean
  isDone: boolean
}

/** The jobs of one controller, by table. */
class ModifyJobs {
  readonly #controller: Controller
  readonly #tables = new Map<string, readonly Entry[]>()
  /** One change after the other. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(controller: Controller) {
    this.#controller = controller
    controller.events.on('program', () => this.#tables.clear())
    controller.events.on('state', (state, before) => {
      if (state === 'Startup') for (const entry of this.#open) entry.after = { cycles: 0, begunCycles: 0 }
      if (state === 'Run') for (const entry of this.#open) entry.wasRunning = true
      if (state === 'Stop' && before !== 'Booting') this.#stopped()
    })
  }

  /**
   * Replaces the jobs of a table; none: its modifying ends.
   * @throws GatewayError what `Controller.setModifications` throws; the jobs of before stay then
   */
  set(table: string, jobs: readonly ModifyJob[]): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#tables.get(table)
      const wasRunning = ['Run', 'Hold', 'Freeze'].includes(this.#controller.state)
      const entries = jobs.map((job): Entry => ({ ...job, after: undefined, wasRunning, isDone: false }))
      if (entries.length > 0) this.#tables.set(table, entries)
      else if (!this.#tables.delete(table)) return
      try {
        const after = await this.#send()
        for (const entry of entries) entry.after = after
      } catch (error) {
        if (before) this.#tables.set(table, before)
        else this.#tables.delete(table)
        throw error
      }
    })
  }

  /** The jobs of a table with their states. */
  of(table: string): { readonly job: ModifyJob; readonly state: JobState }[] {
    this.#settle()
    return (this.#tables.get(table) ?? []).map((entry) => ({
      job: entry,
      state: entry.isDone ? 'done' : entry.once ? 'waiting' : 'active',
    }))
  }

  get #open(): readonly Entry[] {
    return [...this.#tables.values()].flat().filter(({ isDone }) => !isDone)
  }

  async #send(): Promise<CycleCounts> {
    this.#settle()
    return this.#controller.setModifications(this.#open.flatMap(({ modifications }) => modifications))
  }

  /** What is written once at the start of a cycle is done when the next has begun, at the end when one has ended. */
  #settle(): void {
    const { cycles, begunCycles } = this.#controller.statistics
    for (const entry of this.#open) {
      const { once, at, after } = entry
      if (once && after && (at === 'start' ? begunCycles > after.begunCycles : at === 'end' && cycles > after.cycles))
        entry.isDone = true
    }
  }

  /** Of what was given just now it is not known whether a cycle has written it: it is not written again. */
  #stopped(): void {
    this.#settle()
    for (const entry of this.#open)
      if (entry.once && (entry.at === 'stop' || (entry.wasRunning && !entry.after))) entry.isDone = true
    if (this.#tables.size > 0) void this.#inTurn(() => this.#send()).catch(() => undefined)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work, work)
    this.#queue = done.catch(() => undefined)
    return done
  }
}

const jobs = new WeakMap<Controller, ModifyJobs>()

function jobsOf(controller: Controller): ModifyJobs {
  let known = jobs.get(controller)
  if (!known) {
    known = new ModifyJobs(controller)
    jobs.set(controller, known)
  }
  return known
}

/** Connections whose end ends the jobs of tables. */
const watched = new WeakMap<AbortSignal, Set<string>>()

/**
 * Modifies rows of a table with their triggers, instead of what the table modified before. Ends with the connection.
 * @param table key of the table, unique over all devices
 */
export async function startModifying(
  controller: Controller,
  table: string,
  rows: readonly ModifyJob[],
  ended: AbortSignal,
): Promise<void> {
  let tables = watched.get(ended)
  if (!tables) {
    const all = new Set<string>()
    tables = all
    watched.set(ended, all)
    const end = () => {
      for (const each of all) stopModifying(controller, each).catch(() => undefined)
    }
    ended.addEventListener('abort', end, { once: true })
  }
  tables.add(table)
  await jobsOf(controller).set(table, rows)
}

/** Ends what a table modifies. */
export async function stopModifying(controller: Controller, table: string): Promise<void> {
  await jobs.get(controller)?.set(table, [])
}

/** What a table modifies. */
export function modifying(
  controller: Controller,
  table: string,
): { readonly job: ModifyJob; readonly state: JobState }[] {
  return jobs.get(controller)?.of(table) ?? []
}
