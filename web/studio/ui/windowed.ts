/** Which rows of a long list are to be seen: only those are in the page. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { printing } from './print.ts'

export interface Windowed<E extends HTMLElement> {
  readonly ref: RefObject<E | null>
  /** First row, and the one after the last. */
  readonly from: number
  readonly to: number
  /** Height of the rows before and after, px. */
  readonly before: number
  readonly after: number
  /** Scrolls as far as needed to see a row. */
  show(row: number): void
}

/** Rows beyond the edge, so that scrolling shows no gap. */
const margin = 8

/**
 * @param count rows of the list
 * @param rowHeight of each row, px
 * @param head height of what is above the rows and stays, px
 */
export function useWindowed<E extends HTMLElement>(count: number, rowHeight: number, head = 0): Windowed<E> {
  const ref = useRef<E>(null)
  const [seen, setSeen] = useState({ from: 0, to: 40 })
  const measure = () => {
    const box = ref.current
    if (box === null) return
    const from = Math.max(0, Math.floor(box.scrollTop / rowHeight) - margin)
    const to = Math.ceil((box.scrollTop + box.clientHeight) / rowHeight) + margin
    setSeen((now) => (now.from === from && now.to === to ? now : { from, to }))
  }
  useLayoutEffect(measure, [count, rowHeight])
  useEffect(() => {
    const box = ref.current
    if (box === null) return
    box.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => {
      box.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [rowHeight])
  // Paper is not scrolled.
  const to = printing.value ? count : Math.min(count, seen.to)
  const from = printing.value ? 0 : Math.min(seen.from, to)
  return {
    ref,
    from,
    to,
    before: from * rowHeight,
    after: (count - to) * rowHeight,
    show(row) {
      const box = ref.current
      if (box === null || row < 0) return
      const top = row * rowHeight
      if (top < box.scrollTop) box.scrollTop = top
      else if (top + rowHeight + head > box.scrollTop + box.clientHeight)
        box.scrollTop = top + rowHeight + head - box.clientHeight
      measure()
    },
  }
}

/** The row that a key of the keyboard leads to; undefined for other keys. */
export function rowAfterKey(key: string, row: number, count: number): number | undefined {
  const page = 20
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: count - 1,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next))
}
