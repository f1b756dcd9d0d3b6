/** The alarms of the programs of the controllers, followed once for the whole page: the count and all alarm views. */
import { effect, type Signal, signal } from '@preact/signals'
import type { ProgramAlarm } from '../../plugins/hmi/page/screen-view.ts'
import { type Answer, CallError, call, events, whileShown } from '../gateway.ts'
import { entered } from '../session.ts'
import type { Values } from './values.ts'

/** Where the gateway has the alarms of an instance. */
export const alarmsOf = (instance: string) => `/api/simulation/instances/${encodeURIComponent(instance)}/alarms`

/**
 * Follows the alarms of the program of each controller, in one language, until the values are closed.
 * @returns the pending ones by instance
 */
export function followProgramAlarms(
  values: Values,
  culture: Signal<string>,
): { readonly alarms: Signal<ReadonlyMap<string, readonly ProgramAlarm[]>>; end(): void } {
  const alarms = signal<ReadonlyMap<string, readonly ProgramAlarm[]>>(new Map())
  const follow = async (instance: string, language: string, ended: AbortSignal) => {
    while (!ended.aborted) {
      try {
        const stream = events(`${alarmsOf(instance)}/stream`, { signal: ended })
        for await (const _one of stream) {
          const path = `${alarmsOf(instance)}?culture=${encodeURIComponent(language)}`
          const found = await call<Answer<'alarms.list-pending'>>(path)
          if (!ended.aborted) alarms.value = new Map(alarms.peek()).set(instance, found.alarms)
        }
      } catch (error) {
        if (ended.aborted) return
        // A controller that is off has none.
        alarms.value = new Map(alarms.peek()).set(instance, [])
        const { status } = error instanceof CallError ? error.problem : { status: 0 }
        if (status >= 400 && status < 500 && status !== 409) return
      }
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
  const end = effect(() => {
    const aborter = new AbortController()
    const language = culture.value
    // Begins again with another caller.
    void entered.value
    for (const instance of values.instances.value)
      void whileShown(aborter.signal, (until) => follow(instance, language, until))
    return () => aborter.abort()
  })
  return { alarms, end }
}
