/**
 * Cams of technology objects as MC_InterpolateCam interpolates their points. Between two points a cam is a straight
 * line, whatever interpolation is set; segments are not supported (plc/README.md). The interpolated points stay valid
 * until the next interpolation, as on a controller.
 */
import type { RuntimeContext } from '../context.ts'
import type { InstanceView } from './instance-view.ts'

export interface CamCurve {
  readonly start: number
  readonly end: number
  /** Value and slope at `x`; outside the range the value at its limit. */
  at(x: number): { readonly y: number; readonly slope: number }
}

const cams = new WeakMap<RuntimeContext, Map<number, CamCurve>>()
const noPoints = 0x80aa
const wrongPoints = 0x80ac
const interpolated = 1 << 5

/** Returns the cam as last interpolated; `undefined`: never, or there is no cam. */
export function camOf(view: InstanceView | undefined): CamCurve | undefined {
  return view && cams.get(view.context)?.get(view.cell.address)
}

/**
 * Interpolates a cam.
 * @returns 0, or the ErrorID with the reason why not
 */
export function interpolatedCam(view: InstanceView): number {
  const valid = view.elements('ValidPoint')
  const points = view
    .elements('Point')
    .filter((_point, i) => valid[i]?.value === 1)
    .map((point) => ({ x: point.number('x'), y: point.number('y') }))
    .sort((a, b) => a.x - b.x)
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return noPoints
  const isWrong = points.some(({ x, y }, i) => !Number.isFinite(x) || !Number.isFinite(y) || points[i - 1]?.x === x)
  if (points.length < 2 || isWrong) return wrongPoints
  const at = (x: number) => {
    const inside = Math.min(last.x, Math.max(first.x, x))
    let [low, high] = [0, points.length - 1]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((points[middle]?.x ?? 0) <= inside) low = middle
      else high = middle
    }
    const [a, b] = [points[low] ?? first, points[high] ?? last]
    const slope = (b.y - a.y) / (b.x - a.x)
    return { y: a.y + slope * (inside - a.x), slope }
  }
  const known = cams.get(view.context) ?? new Map<number, CamCurve>()
  cams.set(view.context, known)
  known.set(view.cell.address, { start: first.x, end: last.x, at })
  view.setAll({
    'StatusCam.StartLeadingValue': first.x,
    'StatusCam.EndLeadingValue': last.x,
    'StatusCam.NumberOfValidPoints': points.length,
    StatusWord: view.number('StatusWord') | interpolated,
  })
  return 0
}
