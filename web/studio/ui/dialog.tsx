/** A dialog in front of the page, and a question in one. */
import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../i18n.ts'
import { Icon } from './icon.tsx'

export interface DialogProps {
  readonly title: string
  /** Default: as wide as it needs. `high`: near the upper edge, as its height changes. */
  readonly size?: 'wide' | 'high'
  readonly children: ComponentChildren
  /** Escape, or the button. */
  onClose(): void
}

/** Shown as long as it is in the page; the focus goes back when it ends. */
export function Dialog({ title, size, children, onClose }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog
    <dialog
      ref={ref}
      class={size ?? ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A browser may close a dialog without asking.
      onClose={() => ref.current?.isConnected && onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div class="frame">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="plain" aria-label={t('frame.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

interface Question {
  readonly title: string
  readonly text: ComponentChildren
  readonly yes: string
  readonly isDangerous: boolean
  answer(yes: boolean): void
}

const question = signal<Question | undefined>(undefined)

/** Asks in a dialog. @param yes text of the button that goes on */
export function ask(
  title: string,
  text: ComponentChildren,
  yes: string = t('frame.ok'),
  isDangerous = false,
): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = {
      title,
      text,
      yes,
      isDangerous,
      answer(result) {
        question.value = undefined
        resolve(result)
      },
    }
  })
}

/** Where questions are shown: once in the frame. */
export function Questions(): JSX.Element | null {
  const asked = question.value
  if (asked === undefined) return null
  return (
    <Dialog title={asked.title} onClose={() => asked.answer(false)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is no part of a form */}
      <div class="body" tabIndex={0} role="group" aria-label={asked.title}>
        {asked.text}
      </div>
      <footer>
        <button type="button" onClick={() => asked.answer(false)}>
          {t('frame.cancel')}
        </button>
        <button
          type="button"
          class={asked.isDangerous ? 'primary danger' : 'primary'}
          onClick={() => asked.answer(true)}
        >
          {asked.yes}
        </button>
      </footer>
    </Dialog>
  )
}
