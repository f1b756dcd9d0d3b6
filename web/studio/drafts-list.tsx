/** What is typed and not stored, in the bar and as a list that leads to each. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { drafts, draftTitles, dropDraft, dropDrafts } from './drafts.ts'
import { t } from './i18n.ts'
import { ask, Dialog } from './ui/dialog.tsx'
import { Icon } from './ui/icon.tsx'

const isOpen = signal(false)
const close = () => {
  isOpen.value = false
}

/** The number of drafts, for the bar; nothing when there are none. */
export function Drafts(): JSX.Element | null {
  const count = drafts.value.length
  if (count === 0) return null
  return (
    <button type="button" class="drafts" title={t('drafts.title')} onClick={() => (isOpen.value = true)}>
      <Icon name="edit" size={14} /> <span>{t('drafts.count', count)}</span>
    </button>
  )
}

/** The list, once in the frame. */
export function DraftsDialog(): JSX.Element | null {
  if (!isOpen.value) return null
  return (
    <Dialog title={t('drafts.title')} onClose={close}>
      <div class="body">
        <p class="quiet">{t('drafts.hint')}</p>
        <ul class="draft-list">
          {drafts.value.map(([key, { title, address, text }]) => (
            <li key={key}>
              {address === '' ? (
                <span class="grow">{title}</span>
              ) : (
                <a class="grow" href={address} onClick={close}>
                  {title}
                </a>
              )}
              <button type="button" onClick={() => void navigator.clipboard?.writeText(text)}>
                {t('drafts.copy')}
              </button>
              <button type="button" onClick={() => dropDraft('', key)}>
                {t('program.discard')}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

/** Whether what is not stored may be thrown away, which a signing out does: another person may be the next one. */
export async function mayThrowAway(): Promise<boolean> {
  const titles = draftTitles.value
  if (titles.length === 0) return true
  const text = t('drafts.leave', titles.join(', '))
  if (!(await ask(t('entry.leave'), text, t('program.discard'), true))) return false
  dropDrafts()
  return true
}
