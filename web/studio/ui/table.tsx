/** A long table: sorted by a click on a heading, one chosen row, only the rows to be seen in the page. */
import type { ComponentChildren, JSX } from 'preact'
import { useId, useMemo, useState } from 'preact/hooks'
import { naturally } from '../order.ts'
import { Icon } from './icon.tsx'
import { printing } from './print.ts'
import { rowAfterKey, useWindowed } from './windowed.ts'

export interface Column<T> {
  readonly key: string
  readonly title: string
  /** `minmax(8rem, 1fr)`: a track of CSS grid. Default `minmax(6rem, 1fr)`. */
  readonly width?: string
  /** For a narrow column of icons: the title is only read out. */
  readonly isTitleHidden?: boolean
  /** Numbers are at the right. */
  readonly isNumber?: boolean
  /** What it is sorted by, and shown when there is no `cell`. */
  value(row: T): string | number | boolean | undefined
  cell?(row: T): ComponentChildren
}

export interface TableProps<T> {
  readonly rows: readonly T[]
  readonly columns: readonly Column<NoInfer<T>>[]
  readonly label: string
  readonly chosen?: NoInfer<T> | undefined
  /** Tells rows apart whose cells are edited: a cell must not go over to another row that takes its place. */
  keyOf?(row: NoInfer<T>): string
  /** Shown when there are no rows. */
  readonly empty?: ComponentChildren
  /** More classes of a row. */
  rowClass?(row: NoInfer<T>): string
  onChoose?(row: NoInfer<T>): void
  /** Enter or double click. */
  onOpen?(row: NoInfer<T>): void
}

const rowHeight = 24

export function Table<T>(props: TableProps<T>): JSX.Element {
  const { rows, columns, label, chosen, keyOf, empty, rowClass, onChoose, onOpen } = props
  const [order, setOrder] = useState<{ readonly key: string; readonly isDown: boolean } | undefined>()
  const sorted = useMemo(() => sort(rows, columns, order), [rows, order, columns])
  const seen = useWindowed<HTMLDivElement>(sorted.length, rowHeight, rowHeight)
  const id = useId()
  const at = chosen === undefined ? -1 : sorted.indexOf(chosen)
  const tracks = columns.map(({ width }) => width ?? 'minmax(6rem, 1fr)').join(' ')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const row = sorted[at]
    if (event.key === 'Enter' && row !== undefined) onOpen?.(row)
    const next = rowAfterKey(event.key, at, sorted.length)
    const nextRow = next === undefined ? undefined : sorted[next]
    if (next === undefined || nextRow === undefined) return
    event.preventDefault()
    onChoose?.(nextRow)
    seen.show(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot have only a part of its rows
    <div
      ref={seen.ref}
      class="table"
      role="grid"
      aria-label={label}
      aria-rowcount={sorted.length + 1}
      tabIndex={0}
      {...(at >= seen.from && at < seen.to ? { 'aria-activedescendant': `${id}-${at}` } : {})}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
      <div class="head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
        {columns.map(({ key, title, isNumber, isTitleHidden }) => (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: the button inside has the focus
          <div
            key={key}
            role="columnheader"
            class={isNumber ? 'number' : ''}
            aria-sort={order?.key === key ? (order.isDown ? 'descending' : 'ascending') : 'none'}
          >
            <button type="button" onClick={() => setOrder({ key, isDown: order?.key === key && !order.isDown })}>
              <span class={isTitleHidden ? 'hidden' : ''}>{title}</span>
              {order?.key === key && <span aria-hidden="true">{order.isDown ? ' ▾' : ' ▴'}</span>}
            </button>
          </div>
        ))}
      </div>
      <div style={{ height: `${seen.before}px` }} role="presentation" />
      {sorted.slice(seen.from, seen.to).map((row, i) => {
        const index = seen.from + i
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keyboard
          <div
            key={keyOf?.(row) ?? index}
            id={`${id}-${index}`}
            class={`row ${rowClass?.(row) ?? ''}`}
            role="row"
            aria-rowindex={index + 2}
            aria-selected={row === chosen}
            // On paper a row is as high as its longest text.
            style={{ gridTemplateColumns: tracks, height: printing.value ? 'auto' : `${rowHeight}px` }}
            onClick={() => onChoose?.(row)}
            onDblClick={() => onOpen?.(row)}
          >
            {columns.map((column) => (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
              <div key={column.key} role="gridcell" class={column.isNumber ? 'number' : ''}>
                {column.cell ? column.cell(row) : shown(column.value(row))}
              </div>
            ))}
          </div>
        )
      })}
      <div style={{ height: `${seen.after}px` }} role="presentation" />
      {sorted.length === 0 && (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
        <div class="quiet none" role="row">
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
          <span role="gridcell">{empty}</span>
        </div>
      )}
    </div>
  )
}

function shown(value: string | number | boolean | undefined): ComponentChildren {
  return typeof value === 'boolean' ? value && <Icon name="ok" size={12} /> : value
}

function sort<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  order: { readonly key: string; readonly isDown: boolean } | undefined,
): readonly T[] {
  const column = columns.find(({ key }) => key === order?.key)
  if (column === undefined || order === undefined) return rows
  const sign = order.isDown ? -1 : 1
  return [...rows].sort((a, b) => {
    const [x, y] = [column.value(a) ?? '', column.value(b) ?? '']
    return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : naturally(String(x), String(y)))
  })
}
