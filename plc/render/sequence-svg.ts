/** Draws a sequence of GRAPH as SVG. */
import type { Sequence } from '../model/sequence.ts'
import { sequenceCell } from './sequence-layout.ts'
import { lineHeight, picture, textAt, textWidth } from './svg.ts'

/**
 * A sequence as a picture. Steps are groups with `data-step`, transitions with `data-transition` (their numbers).
 * @param title above it
 */
export function sequencePicture(sequence: Sequence, title: string): string {
  const cell = sequenceCell(sequence)
  const top = title === '' ? 8 : lineHeight + 12
  const width = Math.max(cell.left + cell.right + 20, textWidth(title) * 1.1 + 20)
  const head = title === '' ? '' : textAt(10, lineHeight, title, { className: 'title' })
  return picture(
    width,
    top + cell.height + 10,
    title === '' ? 'Sequence' : title,
    head + cell.draw(cell.left + 10, top),
  )
}
