/** Texts that are typed and not stored yet: leaving them asks first. */
import { signal } from '@preact/signals'
import { t } from '../i18n.ts'
import { ask } from '../ui/dialog.tsx'

/** The block whose text is changed and not stored. */
export const draft = signal<{ readonly block: string } | undefined>(undefined)

/** Whether the view may be left. */
export async function mayLeave(): Promise<boolean> {
  const open = draft.value
  if (open === undefined) return true
  if (!(await ask(t('program.discard'), t('program.leaveAsk', open.block), t('program.discard'), true))) return false
  draft.value = undefined
  return true
}

addEventListener('beforeunload', (event) => {
  if (draft.value !== undefined) event.preventDefault()
})
