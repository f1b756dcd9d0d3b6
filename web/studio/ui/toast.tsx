/** Short notes at the edge of the page. Faults stay until they are closed. */
import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { t } from '../i18n.ts'
import { Icon, type IconName } from './icon.tsx'
import { problemOf } from './problem.tsx'

type Kind = 'ok' | 'info' | 'warning' | 'error'

interface Toast {
  readonly id: number
  readonly kind: Kind
  readonly content: ComponentChildren
  readonly action?: { readonly title: string; run(): void }
}

const toasts = signal<readonly Toast[]>([])
let last = 0

/** How long a note stays, ms. */
const shownMs = 6000

const close = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Shows a note. @param action a button in it, for example "Undo" */
export function toast(kind: Kind, content: ComponentChildren, action?: Toast['action']): void {
  const id = ++last
  toasts.value = [...toasts.value.slice(-4), { id, kind, content, ...(action === undefined ? {} : { action }) }]
  if (kind !== 'error') setTimeout(close, shownMs, id)
}

/** Shows the problem of an error. */
export function toastProblem(error: unknown): void {
  const { detail, suggestion } = problemOf(error)
  toast('error', suggestion === undefined ? detail : `${detail} ${suggestion}`)
}

const icons: Readonly<Record<Kind, IconName>> = { ok: 'ok', info: 'info', warning: 'warning', error: 'error' }

/** Where notes are shown: once in the frame. */
export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, kind, content, action }) => (
        <div key={id} class={`toast ${kind}`}>
          <Icon name={icons[kind]} />
          <span>{content}</span>
          {action !== undefined && (
            <button
              type="button"
              onClick={() => {
                close(id)
                action.run()
              }}
            >
              {action.title}
            </button>
          )}
          <button type="button" class="plain" aria-label={t('frame.close')} onClick={() => close(id)}>
            <Icon name="close" size={12} />
          </button>
        </div>
      ))}
    </div>
  )
}
