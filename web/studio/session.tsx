/** Signing in and out of the studio: a key, or the token of the link that the gateway printed. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useClientId } from '../gateway.ts'
import { caller, enter, enterWhenShown, leave, resume } from '../session.ts'
import { t } from './i18n.ts'
import { Icon } from './ui/icon.tsx'
import { ProblemNote } from './ui/problem.tsx'

export { allows, entered, type Level } from '../session.ts'

/** Whether it is known if somebody has to sign in. */
export const isReady = signal(false)

useClientId('gantry-studio/1')

async function begin(): Promise<void> {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1]
  if (token !== undefined) {
    // The token is of no use a second time, and does not belong into the history.
    history.replaceState(undefined, '', '#/')
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  try {
    await (token === undefined ? resume() : enter({ token }))
  } catch {
    // A link that was used before: the session that it opened may still be there.
    if (token !== undefined) await resume().catch(() => undefined)
  }
  isReady.value = true
}
void begin()
enterWhenShown(resume)

/** Name and access level, and the way out. @param mayLeave asks when something would be lost */
export function Who({ mayLeave }: { mayLeave(): Promise<boolean> }): JSX.Element | null {
  const who = caller.value
  if (who === undefined) return null
  return (
    <span class="who">
      <Icon name="user" size={14} />
      <span title={t('entry.level')}>
        {who.name.split('/')[0]} · {who.access}
        {who.access === 'viewer' && `, ${t('entry.readOnly')}`}
      </span>
      <button type="button" class="plain" onClick={async () => (await mayLeave()) && leave()}>
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
          enter({ key }).catch(setFault)
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
