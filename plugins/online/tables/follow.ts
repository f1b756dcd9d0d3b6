/** Monitors a table with the triggers of its rows ("monitor all"), as server-sent events. */
import { isGatewayError, type StreamEvent } from '../../../core/index.ts'
import type { WatchTable } from '../../watch-tables/index.ts'
import type { OnlineDevice } from './live-table.ts'
import { type RowView, readRows, type TableValues } from './row-values.ts'

/** Waits, and can be woken. */
class Pause {
  #wake: (() => void) | undefined
  readonly wake = () => this.#wake?.()

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, milliseconds)
      this.#wake = done
      function done() {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/**
 * The values of a table: first all readable rows, then changed ones, at most one message in an interval; all of one
 * message are of one scan boundary. Rows that are monitored at the transition to STOP are sent then, those monitored
 * once are sent once, in RUN. A change of the table or of the program begins anew. Ends when the device goes offline,
 * the table is deleted, or on the signal.
 */
export async function* followTable(
  { controller, ended }: OnlineDevice,
  tableNow: () => WatchTable | undefined,
  intervalMs: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void> {
  const pause = new Pause()
  let triggers = new Triggers()
  let seen = ''
  let told = new Map<number, string>()
  let stateTold = ''
  let isFirst = true
  const onState = (state: string) => {
    if (state !== 'Stop') return
    triggers.stopped()
    pause.wake()
  }
  controller.events.on('state', onState)
  ended.addEventListener('abort', pause.wake)
  signal.addEventListener('abort', pause.wake)
  try {
    while (!signal.aborted) {
      const table = tableNow()
      if (ended.aborted || !table) {
        yield { event: 'end', data: { reason: table ? 'The device went offline.' : 'The table was deleted.' } }
        return
      }
      triggers.begin()
      const { state } = controller
      const reading = await readOrFault(controller, table)
      const now = 'error' in reading ? `${table.document} ${reading.error}` : `${table.document} ${reading.program}`
      if (now !== seen) {
        told = new Map()
        triggers = new Triggers()
        isFirst = true
        seen = now
      }
      if ('error' in reading) {
        if (isFirst) yield { event: 'values', data: { state, rows: [], error: reading.error } }
      } else {
        const { rows, cycle, timestamp } = reading
        const due = rows.filter((row) => triggers.isDue(row, state === 'Run'))
        const changed = due.filter((row) => told.get(row.position) !== JSON.stringify(row))
        for (const row of changed) told.set(row.position, JSON.stringify(row))
        if (isFirst || changed.length > 0 || state !== stateTold) {
          const waiting = rows.filter(({ position }) => !told.has(position)).map(({ position }) => position)
          yield { event: 'values', data: { state, cycle, timestamp, rows: changed, waiting } }
        }
      }
      triggers.done()
      isFirst = false
      stateTold = state
      if (!signal.aborted && !ended.aborted && !triggers.isStopping) await pause.wait(intervalMs)
    }
  } finally {
    controller.events.off('state', onState)
    ended.removeEventListener('abort', pause.wake)
    signal.removeEventListener('abort', pause.wake)
  }
}

async function readOrFault(
  controller: OnlineDevice['controller'],
  table: WatchTable,
): Promise<TableValues | { readonly error: string }> {
  try {
    return await readRows(controller, table)
  } catch (error) {
    if (isGatewayError(error)) return { error: error.message }
    throw error
  }
}

/** The rows to send. */
class Triggers {
  readonly #once = new Set<number>()
  /** Number of transitions to STOP, and of those that were sent. */
  #stops = 0
  #stopsTold = 0
  #stopsNow = 0

  stopped(): void {
    this.#stops++
  }

  /** What is read from here on is after the transitions so far. */
  begin(): void {
    this.#stopsNow = this.#stops
  }

  /** True when a transition to STOP was not sent yet. */
  get isStopping(): boolean {
    return this.#stops > this.#stopsTold
  }

  isDue({ position, monitorTrigger }: RowView, isRunning: boolean): boolean {
    const isOnce = monitorTrigger.startsWith('OnceOnly')
    if (isOnce && this.#once.has(position)) return false
    const isDue = monitorTrigger.endsWith('AtStop') ? this.#stopsNow > this.#stopsTold : !isOnce || isRunning
    if (isDue && isOnce) this.#once.add(position)
    return isDue
  }

  /** Marks due rows as sent. */
  done(): void {
    this.#stopsTold = this.#stopsNow
  }
}
