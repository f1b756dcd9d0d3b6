/**
 * What is typed and not stored yet: texts of blocks and networks, forms that are half filled in. It is kept by its place
 * until it is stored or discarded, whatever the page shows meanwhile, and also when the page is loaded again.
 */
import { computed, signal } from '@preact/signals'
import { naturally } from './order.ts'
import { project } from './state.ts'

export interface Draft {
  /** The project that it belongs to; empty: none. */
  readonly project: string
  /** What it is, for people: `Calc`. */
  readonly title: string
  /** Where it is shown: an address after `#`. */
  readonly address: string
  readonly text: string
  /** What is stored where it was begun: another text there now is a change by somebody else. */
  readonly base: string
}

const prefix = 'gantry-draft '

function kept(): ReadonlyMap<string, Draft> {
  const all = new Map<string, Draft>()
  for (const key of Object.keys(sessionStorage)) {
    if (!key.startsWith(prefix)) continue
    try {
      all.set(key.slice(prefix.length), JSON.parse(sessionStorage.getItem(key) ?? '') as Draft)
    } catch {
      sessionStorage.removeItem(key)
    }
  }
  return all
}

const all = signal(kept())
/** The titles of the drafts of all projects, in order. */
export const draftTitles = computed(() => [...all.value.values()].map(({ title }) => title).sort(naturally))
const projectNow = () => project.value?.path ?? ''
const keyOf = (place: string) => `${projectNow()}\n${place}`

/** The drafts of the open project, in the order of their titles. */
export const drafts = computed(() =>
  [...all.value].filter(([, one]) => one.project === projectNow()).sort(([, a], [, b]) => naturally(a.title, b.title)),
)

/** The draft of a place, such as an address. */
export const draftOf = (place: string): Draft | undefined => all.value.get(keyOf(place))

/** Keeps what is typed in a place. */
export function keepDraft(place: string, draft: Omit<Draft, 'project'>): void {
  const key = keyOf(place)
  const whole = { ...draft, project: projectNow() }
  all.value = new Map(all.value).set(key, whole)
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(whole))
  } catch {
    // The browser has no room: it is kept as long as the page is.
  }
}

/** Forgets the draft of a place. @param key as `drafts` tells it; default: of `place` in the open project */
export function dropDraft(place: string, key: string = keyOf(place)): void {
  if (!all.value.has(key)) return
  const rest = new Map(all.value)
  rest.delete(key)
  all.value = rest
  sessionStorage.removeItem(prefix + key)
}

/** Forgets all, whatever project they belong to. */
export function dropDrafts(): void {
  for (const key of all.value.keys()) dropDraft('', key)
}

addEventListener('beforeunload', (event) => {
  if (all.value.size > 0) event.preventDefault()
})
