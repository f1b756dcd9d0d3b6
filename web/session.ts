/**
 * Who uses a page of the gateway. Either the session of this browser (POST /api/session), whose cookie is out of reach
 * for scripts and whose token goes with each change; or an API key that is kept in this tab alone.
 */
import { signal } from '@preact/signals'
import { CallError, call, needsEntry, onStaleToken, useIdentity } from './gateway.ts'

const levels = ['viewer', 'engineer', 'operator', 'admin'] as const
export type Level = (typeof levels)[number]

export interface Caller {
  readonly name: string
  readonly access: Level
  readonly csrfToken?: string
}

/** Counts entries: what has ended without a caller begins again when it changes. */
export const entered = signal(0)
/** Who it is; undefined until the gateway has answered, and without a caller. */
export const caller = signal<Caller | undefined>(undefined)

/** Whether the caller's access level includes another one. */
export function allows(level: Level): boolean {
  return levels.indexOf(caller.value?.access ?? 'viewer') >= levels.indexOf(level)
}

function use(who: Caller, key?: string): void {
  const token: Record<string, string> = who.csrfToken === undefined ? {} : { 'X-CSRF-Token': who.csrfToken }
  useIdentity(key === undefined ? token : { 'X-API-Key': key })
  caller.value = who
  needsEntry.value = false
}

const ask = () => call<Caller>('/api/session')

/** Goes on with the session that this browser has. @throws CallError when there is no session */
export async function resume(): Promise<void> {
  useIdentity({})
  use(await ask())
  entered.value++
}

/** Begins a session with a key, or with the token of a link. @throws CallError */
export async function enter(by: { readonly key: string } | { readonly token: string }): Promise<void> {
  use(await call<Caller>('/api/session', { body: by }))
  entered.value++
}

/** Ends the session of the browser. */
export async function leave(): Promise<void> {
  await call('/api/session', { method: 'DELETE' }).catch(() => undefined)
  useIdentity({})
  caller.value = undefined
  needsEntry.value = true
}

let renewing: Promise<boolean> | undefined
// Several calls can find at the same time that the token is old: they wait for one answer.
onStaleToken(() => {
  renewing ??= ask()
    .then(
      (who) => {
        use(who)
        return true
      },
      () => false,
    )
    .finally(() => {
      renewing = undefined
    })
  return renewing
})

const keptAt = 'gantry-key'
const notPrintable = 'An API key has letters, digits and signs of ASCII only, and no spaces.'

/** The API key of this tab. */
export const keptKey = (): string | undefined => sessionStorage.getItem(keptAt) ?? undefined

/**
 * Uses a key in this tab, whatever session the browser has. It has no end of its own, as a session has: a panel runs
 * longer than a day. @throws CallError when the gateway does not know it; then the caller is the one before
 */
export async function enterWithKey(key: string): Promise<void> {
  const isNeeded = needsEntry.peek()
  if (!/^[\x21-\x7e]+$/.test(key)) throw new CallError({ status: 401, code: 'unauthorized', detail: notPrintable })
  const who = await call<Caller>('/api/session', { headers: { 'X-API-Key': key } }).catch((error: unknown) => {
    needsEntry.value = isNeeded
    throw error
  })
  sessionStorage.setItem(keptAt, key)
  use(who, key)
  entered.value++
}

/** Forgets the key of this tab. */
export function forgetKey(): void {
  sessionStorage.removeItem(keptAt)
  useIdentity({})
  caller.value = undefined
}

/** Goes on with the key of this tab, else with the session of the browser. @throws CallError */
export async function enterAgain(): Promise<void> {
  const key = keptKey()
  if (key === undefined) return resume()
  await enterWithKey(key).catch((error: unknown) => {
    if (!(error instanceof CallError) || error.problem.status !== 401) throw error
    // It was removed or renewed.
    forgetKey()
    return resume()
  })
}

/** Tries again when the page is shown and nobody is signed in: another tab may have done it meanwhile. */
export function enterWhenShown(again: () => Promise<void>): void {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && needsEntry.peek()) again().catch(() => undefined)
  })
}
