/**
 * A cell of a table that is edited in place: Enter or leaving it stores, also when the view is left; Escape does not.
 * A viewer only reads it.
 */
import type { JSX, TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../i18n.ts'
import { allows } from '../session.tsx'
import { printing } from '../ui/print.ts'

export interface EditableProps {
  readonly value: string
  readonly label: string
  readonly isCode?: boolean
  /** A text of any length: it is shown whole, in lines. Shift and Enter begins a new one. */
  readonly isLong?: boolean
  /** Stores; a rejection is shown by the caller, and the cell keeps its old text. */
  onStore(value: string): Promise<unknown>
}

export function Editable({ value, label, isCode = false, isLong = false, onStore }: EditableProps): JSX.Element {
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
  const isChanged = draft !== undefined && draft !== value
  const leave = useRef(() => {})
  leave.current = () => {
    if (isChanged && !isStoring.current) void onStore(draft).catch(() => undefined)
  }
  useEffect(() => () => leave.current(), [])
  useEffect(() => {
    if (!isChanged) return
    const warn = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])
  // A field would cut its text on paper.
  if (printing.value && draft === undefined) return <span class={isCode ? 'mono' : ''}>{value}</span>
  const shared = {
    class: isCode ? 'cell mono' : 'cell',
    'aria-label': label,
    readOnly: !canEdit,
    title: canEdit ? undefined : t('frame.needsLevel', 'engineer'),
    value: draft ?? value,
    onFocus: () => canEdit && setDraft(value),
    onBlur: () => void store(),
    onKeyDown: (event: TargetedKeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      if (event.key === 'Enter' && !(isLong && event.shiftKey)) event.currentTarget.blur()
      else if (event.key === 'Escape') {
        setDraft(undefined)
        isStoring.current = true
        event.currentTarget.blur()
        isStoring.current = false
      } else return
      event.preventDefault()
    },
  }
  if (!isLong) return <input {...shared} onInput={(event) => setDraft(event.currentTarget.value)} />
  const lines = shared.value.split('\n').length
  return <textarea {...shared} rows={lines} onInput={(event) => setDraft(event.currentTarget.value)} />
}
