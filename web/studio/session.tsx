/**
 * Who uses the studio: a key, or the token of the link that the gateway printed, becomes a session of this browser
 * (POST /api/session). The cookie is out of reach for scripts; the page keeps the token that changes need.
 */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, needsEntry, useIdentity } from './gateway.ts'
import { t } from './i18n.ts'
import { Icon } from './ui/icon.tsx'
import { ProblemNote } from './ui/problem.tsx'

const levels = ['viewer', 'engineer', 'operator', 'admin'] as const
export type Level = (typeof levels)[number]

interface Caller {
  readonly name: string
  readonly access: Level
  readonly csrfToken?: string
}

/** Counts entries: views load again when it changes. */
export const entered = signal(0)
/** Who it is; undefined until the gateway has told. */
export const caller = signal<Caller | undefined>(undefined)
/** Whether it is known if somebody has to sign in. */
export const isReady = signal(false)

/** Whether the key allows what needs a level. */
export function allows(level: Level): boolean {
  return levels.indexOf(caller.value?.access ?? 'viewer') >= levels.indexOf(level)
}

function use(who: Caller): void {
  useIdentity(who.csrfToken === undefined ? {} : { 'X-CSRF-Token': who.csrfToken })
  caller.value = who
  needsEntry.value = false
  entered.value++
}

async function begin(): Promise<void> {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1]
  if (token !== undefined) {
    // The token is of no use a second time, and does not belong into the history.
    history.replaceState(undefined, '', '#/')
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  try {
    use(token === undefined ? await call('/api/session') : await call('/api/session', { body: { token } }))
  } catch {
    // A link that was used before: the session that it opened may still be there.
    if (token !== undefined) await call<Caller>('/api/session').then(use, () => undefined)
  }
  isReady.value = true
}
void begin()

/** Ends the session. */
async function leave(): Promise<void> {
  await call('/api/session', { method: 'DELETE' }).catch(() => undefined)
  useIdentity({})
  caller.value = undefined
  needsEntry.value = true
}

/** Name and access level, and the way out. */
export function Who(): JSX.Element | null {
  const who = caller.value
  if (who === undefined) return null
  return (
    <span class="who">
      <Icon name="user" size={14} />
      <span title={t('entry.level')}>
        {who.name.split('/')[0]} · {who.access}
        {who.access === 'viewer' && `, ${t('entry.readOnly')}`}
      </span>
      <button type="button" class="plain" onClick={() => void leave()}>
        {t('entry.leave')}
      </button>
    </span>
  )
}

export function Entry(): JSX.Element {
  const [fault, setFault] = useState<unknown>()
  return (
    <main class="entry">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
          call<Caller>('/api/session', { body: { key } }).then(use, setFault)
        }}
      >
        <h1>Gantry</h1>
        <label>
          {t('entry.key')} <input name="key" type="password" autocomplete="off" required />
        </label>
        <p class="quiet">{t('entry.hint')}</p>
        {fault !== undefined && <ProblemNote error={fault} />}
        <button type="submit" class="primary">
          {t('entry.open')}
        </button>
      </form>
    </main>
  )
}
