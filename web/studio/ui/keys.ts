/** Keyboard shortcuts: one table, which the help shows. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TextKey } from '../i18n.ts'

/** `Ctrl+K` (Cmd on a Mac), `/`, `Alt+1`, `F8`, `Shift+F8`. */
export interface Shortcut {
  readonly keys: string
  readonly title: TextKey
  /** Works while text is typed too; others do not. */
  readonly inFields?: boolean
  run(): void
}

/** Those that work now. */
export const shortcuts = signal<readonly Shortcut[]>([])

/** `Ctrl+Shift+K` of an event. */
function keysOf(event: KeyboardEvent): string {
  const name = event.key.length === 1 && event.key !== ' ' ? event.key.toUpperCase() : event.key
  const isLetter = /^[A-Z]$/.test(name)
  return [
    event.ctrlKey || event.metaKey ? 'Ctrl' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey && (isLetter || name.length > 1) ? 'Shift' : '',
    name,
  ]
    .filter((part) => part !== '')
    .join('+')
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable=true]')

addEventListener('keydown', (event) => {
  if (event.defaultPrevented) return
  const keys = keysOf(event)
  const found = shortcuts.value.findLast((one) => one.keys === keys && (one.inFields || !isField(event.target)))
  if (found === undefined) return
  event.preventDefault()
  found.run()
})

/** Shortcuts while a component is shown. The last one of a key wins. */
export function useShortcuts(own: readonly Shortcut[]): void {
  const names = own.map(({ keys }) => keys).join(' ')
  useEffect(() => {
    shortcuts.value = [...shortcuts.peek(), ...own]
    return () => {
      shortcuts.value = shortcuts.peek().filter((one) => !own.includes(one))
    }
  }, [names])
}
