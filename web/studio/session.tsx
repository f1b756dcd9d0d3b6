/** Who uses the studio: the key is entered once and kept in the tab. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { needsEntry, useIdentity } from './gateway.ts'
import { t } from './i18n.ts'

const storageKey = 'gantry-key'
const kept = sessionStorage.getItem(storageKey)
if (kept) useIdentity({ 'X-API-Key': kept })

/** Counts entries: views load again when it changes. */
export const entered = signal(0)

export function Entry(): JSX.Element {
  return (
    <main class="entry">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
          sessionStorage.setItem(storageKey, key)
          useIdentity({ 'X-API-Key': key })
          needsEntry.value = false
          entered.value++
        }}
      >
        <h1>Gantry</h1>
        <label>
          {t('entry.key')} <input name="key" type="password" autocomplete="off" required />
        </label>
        <p class="quiet">{t('entry.hint')}</p>
        <button type="submit" class="primary">
          {t('entry.open')}
        </button>
      </form>
    </main>
  )
}
