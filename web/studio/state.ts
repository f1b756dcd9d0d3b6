/** The open project and its stations, kept up to date by the events of the gateway. */
import { batch, computed, effect, signal } from '@preact/signals'
import { type Answer, CallError, events, get, needsEntry, whileShown } from './gateway.ts'
import { entered, isReady } from './session.tsx'

export type Project = Answer<'projects.list'>['projects'][number]

export type Station = Answer<'devices.list'>['devices'][number]

/** An event of `GET /api/events`. */
export interface GatewayEvent {
  readonly type: string
  readonly entity?: string
  readonly jobId?: string
  readonly actor?: string
}

/** undefined: not known yet; null: none is open. */
export const project = signal<Project | null | undefined>(undefined)
export const stations = signal<readonly Station[]>([])
export const controllers = computed(() => stations.value.filter(({ kind }) => kind === 'PLC'))
/** Why it is not known which project is open; undefined when it is. */
export const loadFault = signal<CallError | undefined>(undefined)
/** Counts changes of the project: what shows parts of it loads again. */
export const changes = signal(0)

type Listener = (event: GatewayEvent) => unknown
const listeners = new Set<Listener>()
/** Calls a function with every event of the gateway. @returns ends that */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Asks again for project and stations. */
export async function refresh(): Promise<void> {
  try {
    const { projects } = await get<Answer<'projects.list'>>('/api/projects')
    const [open = null] = projects
    const devices = open === null ? [] : (await get<Answer<'devices.list'>>('/api/projects/devices')).devices
    // At once: a project without its stations would look like one that has none.
    batch(() => {
      project.value = open
      stations.value = devices
      loadFault.value = undefined
    })
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    loadFault.value = error
  }
}

let timer: ReturnType<typeof setTimeout> | undefined
/**
 * Several events of one job are one change. The project comes first: when it was closed, what shows its parts must not
 * ask for them again.
 */
function changed(): void {
  clearTimeout(timer)
  timer = setTimeout(async () => {
    await refresh()
    changes.value++
  }, 150)
}

const isWork = /^(job|audit|session|simulation|gateway|assistant)\./

/** The last event that came: the next stream goes on behind it, so that nothing is missed. */
let lastEvent = ''

/** Follows the gateway's events; what happened before the first stream was there is asked for when it is. */
async function follow(until: AbortSignal): Promise<void> {
  for (let isFirst = true; !until.aborted; isFirst = false) {
    const opened = async () => {
      await refresh()
      if (!isFirst) changes.value++
    }
    try {
      const headers: Readonly<Record<string, string>> = lastEvent === '' ? {} : { 'Last-Event-ID': lastEvent }
      for await (const { event, id, data } of events('/api/events', { signal: until, headers }, opened)) {
        if (id !== '') lastEvent = id
        const one = { ...(data as GatewayEvent), type: event }
        for (const listener of listeners) listener(one)
        if (!isWork.test(event) && event !== 'message') changed()
      }
    } catch (error) {
      if (until.aborted) return
      if (error instanceof CallError && error.problem.status === 401) return
      // The events of another gateway, or of one whose data was taken back: its own begin anew.
      if (error instanceof CallError && error.problem.status === 400) lastEvent = ''
    }
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

let end: AbortController | undefined
effect(() => {
  entered.value
  end?.abort()
  // Before it is known who asks, a refusal would only show the form.
  if (!isReady.value || needsEntry.value) return
  end = new AbortController()
  void whileShown(end.signal, follow)
})
