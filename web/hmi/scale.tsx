/** Scales of bars and gauges: marks at round values. */
import type { JSX } from 'preact'
import { textOf } from './convert.ts'

/**
 * Round values from `low` to `high`, in steps of 1, 2 or 5 times a power of ten.
 * @param most marks that have room, at least 2
 */
export function marks(low: number, high: number, most: number): number[] {
  const [from, to] = low <= high ? [low, high] : [high, low]
  const raw = (to - from) / Math.max(1, most - 1)
  if (!(raw > 0) || !Number.isFinite(raw)) return []
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= raw * (1 - 1e-9)) ?? 10 * power
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  // Rounded to the step: 3 * 0.1 is not 0.3.
  return Array.from({ length: last - first + 1 }, (_one, i) => Number(((first + i) * step).toPrecision(12)))
}

interface BarScaleProps {
  readonly at: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
  readonly low: number
  readonly high: number
  readonly isAcross: boolean
}

/** A scale beside a bar: below one that lies, to the right of one that rises. */
export function BarScale({ at: { left, top, width, height }, low, high, isAcross }: BarScaleProps): JSX.Element {
  const size = 11
  const most = Math.max(2, Math.floor(isAcross ? width / 45 : height / 24))
  return (
    <g class="scale" font-size={size}>
      {marks(low, high, most).map((value) => {
        const part = (value - low) / (high - low)
        const [x, y] = isAcross ? [left + width * part, top] : [left, top + height * (1 - part)]
        // The outermost texts stay within the box.
        const anchor = part < 0.05 ? 'start' : part > 0.95 ? 'end' : 'middle'
        const baseline = part < 0.05 ? 'auto' : part > 0.95 ? 'hanging' : 'central'
        return (
          <g key={value}>
            <line x1={x} y1={y} x2={isAcross ? x : x + 4} y2={isAcross ? y + 4 : y} />
            {isAcross ? (
              <text x={x} y={y + 4 + size} text-anchor={anchor}>
                {textOf(value)}
              </text>
            ) : (
              <text x={x + 6} y={y} dominant-baseline={baseline}>
                {textOf(value)}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

/** A point of a gauge: how far its value is along the arc of 270 degrees, at a distance from the centre. */
export function onArc(cx: number, cy: number, radius: number, part: number): { x: number; y: number } {
  const at = ((135 + 270 * part) * Math.PI) / 180
  return { x: cx + radius * Math.cos(at), y: cy + radius * Math.sin(at) }
}

interface GaugeScaleProps {
  readonly cx: number
  readonly cy: number
  readonly radius: number
  readonly low: number
  readonly high: number
}

/** Marks inside the arc of a gauge, with their values where there is room. */
export function GaugeScale({ cx, cy, radius, low, high }: GaugeScaleProps): JSX.Element {
  const most = radius < 40 ? 2 : radius < 70 ? 6 : 11
  return (
    <g class="scale" font-size={Math.max(8, radius / 8)}>
      {marks(low, high, most).map((value) => {
        const part = (value - low) / (high - low)
        const [outer, inner] = [onArc(cx, cy, radius, part), onArc(cx, cy, radius * 0.88, part)]
        const text = onArc(cx, cy, radius * 0.72, part)
        return (
          <g key={value}>
            <line x1={outer.x} y1={outer.y} x2={inner.x} y2={inner.y} />
            {radius >= 40 && (
              <text {...text} text-anchor="middle" dominant-baseline="central">
                {textOf(value)}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}
