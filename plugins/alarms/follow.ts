/** Alarms of a controller as server-sent events. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamEvent } from '../../core/index.ts'
import type { AlarmEntry, Controller } from '../simulation/index.ts'
import type { AlarmViews } from './views.ts'

/** Entries that wait for a client; beyond, it gets the pending alarms anew. */
const mostWaiting = 1000

/**
 * Yields `pending` with all pending alarms, then `alarms` with the entries since, at most one message in an interval.
 * @param viewsNow views of the program that is loaded now
 * @param ended aborted when the instance is gone; then `end` is the last event
 */
export async function* followAlarms(
  controller: Controller,
  viewsNow: () => AlarmViews,
  intervalMs: number,
  signal: AbortSignal,
  ended: AbortSignal,
): AsyncGenerator<StreamEvent, void> {
  let waiting: AlarmEntry[] = []
  let missed = 0
  let isWhole = false
  let wake = () => {}
  const onAlarms = (entries: readonly AlarmEntry[]) => {
    if (waiting.length + entries.length > mostWaiting) {
      missed += waiting.length + entries.length
      waiting = []
      isWhole = false
    } else if (missed > 0 && !isWhole) missed += entries.length
    else waiting.push(...entries)
    wake()
  }
  const both = AbortSignal.any([signal, ended])
  const onAbort = () => wake()
  controller.events.on('alarms', onAlarms)
  both.addEventListener('abort', onAbort)
  try {
    while (!both.aborted) {
      if (!isWhole) {
        const views = viewsNow()
        const alarms = controller.alarms.pending.map((alarm) => views.pending(alarm))
        const data = { alarms, total: alarms.length, ...(missed > 0 ? { missed } : {}) }
        isWhole = true
        missed = 0
        waiting = []
        yield { event: 'pending', data }
      } else if (waiting.length > 0) {
        const views = viewsNow()
        const entries = waiting.map((entry) => views.entry(entry))
        waiting = []
        yield { event: 'alarms', data: { entries } }
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (both.aborted) resolve()
        })
        wake = () => {}
        continue
      }
      await sleep(intervalMs, undefined, { signal: both }).catch(() => undefined)
    }
    if (ended.aborted && !signal.aborted) yield { event: 'end', data: { reason: String(ended.reason) } }
  } finally {
    controller.events.off('alarms', onAlarms)
    both.removeEventListener('abort', onAbort)
  }
}
