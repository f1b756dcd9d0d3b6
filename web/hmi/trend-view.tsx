/** Curves of values: what the controller recorded, then what comes. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { type Answer, call } from '../gateway.ts'
import { numberOf } from './convert.ts'
import { box, type ItemProps, valuesOf } from './drawing.ts'
import { type Columns, historyColumns } from './trend-history.ts'
import { say } from './words.ts'

/** Time of day with 24 hours, as plants have it. */
function clockTime(milliseconds: number, culture: string): string {
  return new Date(milliseconds).toLocaleTimeString(culture, { hourCycle: 'h23' })
}

/** Points that a trend keeps. */
const mostPoints = 3600
const colours = ['#2f7ed8', '#c00000', '#2e8b57', '#b8860b', '#7b3fa0', '#008b8b']

export function TrendView({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const holder = useRef<HTMLDivElement>(null)
  const before = useSignal(0)
  const culture = runtime.culture.value
  const gaps = runtime.values.gaps.value
  useEffect(() => {
    const variables = valuesOf(item).map(({ variable }) => variable)
    const names = variables.map((variable) => runtime.model.variables[variable]?.name ?? '')
    let data: Columns = [[], ...variables.map(() => [])]
    const plot = new uPlot(
      {
        width,
        height: Math.max(40, height - 40),
        axes: [{ values: (_plot, at) => at.map((seconds) => clockTime(seconds * 1000, culture)) }, {}],
        series: [
          { label: say('Time', culture) },
          ...names.map((label, i) => ({ label, stroke: colours[i % colours.length]!, width: 2 })),
        ],
      },
      data as uPlot.AlignedData,
      holder.current as HTMLDivElement,
    )
    const draw = () => plot.setData(data as uPlot.AlignedData)
    let isOpen = true
    // What the controller recorded before the page was opened, and while it had no stream.
    const load = async () => {
      const path = `${runtime.values.path}/trends`
      const { series } = await call<Answer<'hmi.read-trends'>>(path, { body: { variables, points: mostPoints } })
      const first = data[0]![0]
      const now = first === undefined || first === null ? Date.now() : first * 1000
      const history = historyColumns(variables, series, now)
      if (!isOpen) return
      before.value = history[0]!.length
      data = data.map((column, i) => [...history[i]!, ...column])
      draw()
    }
    // A trend without its past says so.
    if (variables.length > 0)
      load().catch((error: unknown) => {
        if (isOpen) runtime.values.note(error instanceof Error ? error.message : String(error))
      })
    // Values come when they change; between that the last one holds.
    const timer = setInterval(() => {
      data[0]!.push(Date.now() / 1000)
      for (const [i, variable] of variables.entries()) {
        const number = numberOf(runtime.values.of(variable).peek())
        const isBad = runtime.values.faultOf(variable).peek() !== undefined
        data[i + 1]!.push(isBad || Number.isNaN(number) ? null : number)
      }
      const over = data[0]!.length - 2 * mostPoints
      if (over > 0) for (const column of data) column.splice(0, over)
      draw()
    }, 500)
    return () => {
      isOpen = false
      clearInterval(timer)
      plot.destroy()
    }
  }, [item, width, height, culture, gaps])
  return (
    <foreignObject x={left} y={top} width={width} height={height}>
      <div
        class="trend"
        role="img"
        aria-label={`${say('Trend', runtime.culture.value)} ${item.name}: ${valuesOf(item).length} ${say('values', runtime.culture.value)}`}
        data-recorded={before.value}
        ref={holder}
      />
    </foreignObject>
  )
}
