/** A long list with one chosen row. */
import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { rowAfterKey, useWindowed } from './windowed.ts'

export interface ListProps<T> {
  readonly items: readonly T[]
  readonly label: string
  /** The chosen row; -1 for none. */
  readonly chosen: number
  /** Height of each row, px. Default 24. */
  readonly rowHeight?: number
  row(item: T, index: number): ComponentChildren
  onChoose(index: number): void
  /** Enter or double click. */
  onOpen?(index: number): void
}

export function List<T>({ items, label, chosen, rowHeight = 24, row, onChoose, onOpen }: ListProps<T>): JSX.Element {
  const seen = useWindowed<HTMLDivElement>(items.length, rowHeight)
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && chosen >= 0) onOpen?.(chosen)
    const next = rowAfterKey(event.key, chosen, items.length)
    if (next === undefined || items.length === 0) return
    event.preventDefault()
    onChoose(next)
    seen.show(next)
  }
  return (
    <div
      ref={seen.ref}
      class="list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      {...(chosen >= seen.from && chosen < seen.to ? { 'aria-activedescendant': `${id}-${chosen}` } : {})}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: `${seen.before}px` }} role="presentation" />
      {items.slice(seen.from, seen.to).map((item, i) => {
        const index = seen.from + i
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keyboard
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
          <div
            key={index}
            id={`${id}-${index}`}
            class="row"
            style={{ height: `${rowHeight}px` }}
            role="option"
            aria-selected={index === chosen}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            onClick={() => onChoose(index)}
            onDblClick={() => onOpen?.(index)}
          >
            {row(item, index)}
          </div>
        )
      })}
      <div style={{ height: `${seen.after}px` }} role="presentation" />
    </div>
  )
}
