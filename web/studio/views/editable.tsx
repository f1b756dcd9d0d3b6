/** A cell of a table that is edited in place: Enter or leaving it stores, Escape does not. A viewer can only read it. */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { t } from '../i18n.ts'
import { allows } from '../session.tsx'

export interface EditableProps {
  readonly value: string
  readonly label: string
  readonly isCode?: boolean
  /** Stores; a rejection is shown by the caller, and the cell keeps its old text. */
  onStore(value: string): Promise<unknown>
}

export function Editable({ value, label, isCode = false, onStore }: EditableProps): JSX.Element {
  const [draft, setDraft] = useState<string>()
  const isStoring = useRef(false)
  const canEdit = allows('engineer')
  const store = async () => {
    if (draft === undefined || isStoring.current) return
    if (draft !== value) {
      isStoring.current = true
      await onStore(draft).catch(() => undefined)
      isStoring.current = false
    }
    setDraft(undefined)
  }
  return (
    <input
      class={isCode ? 'cell mono' : 'cell'}
      aria-label={label}
      readOnly={!canEdit}
      title={canEdit ? undefined : t('frame.needsLevel', 'engineer')}
      value={draft ?? value}
      onFocus={() => canEdit && setDraft(value)}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => void store()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        else if (event.key === 'Escape') {
          setDraft(undefined)
          isStoring.current = true
          event.currentTarget.blur()
          isStoring.current = false
        } else return
        event.preventDefault()
      }}
    />
  )
}
