/** Views of many values: alarms and trends. */
import { useComputed, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { inLanguage, isOn, numberOf, textOf } from './convert.ts'
import { box, type ItemProps } from './drawing.ts'
import { CallError, call, events } from './gateway.ts'
import type { Runtime } from './runtime.ts'

/** A line of the alarm view. */
interface AlarmLine {
  readonly key: string
  readonly time: string
  readonly alarmClass: string
  readonly text: string
  readonly state: string
  readonly isAcknowledged: boolean
}

/** The alarms of the station itself that are present now. */
export function presentAlarms(runtime: Runtime): AlarmLine[] {
  return runtime.model.alarms.flatMap(({ name, variable, type, bit, limit, mode, alarmClass, text }) => {
    const { value, bad } = runtime.values.of(variable).value
    if (bad !== undefined) return []
    const number = numberOf(value)
    const isOver = mode === 'Below' ? number < limit : number > limit
    const isBit = typeof value === 'boolean' ? isOn(value) : Math.floor(number / 2 ** bit) % 2 !== 0
    if (!(type === 'analog' ? isOver : isBit)) return []
    const shown = inLanguage(text, runtime.culture.value) || name
    return [{ key: name, time: '', alarmClass, text: shown, state: 'incoming', isAcknowledged: true }]
  })
}

interface PendingAlarm {
  readonly id: number
  readonly incomingAt: string
  readonly alarmClass: string
  readonly text: string
  readonly state: string
  readonly alarm: string
  readonly needsAcknowledgement: boolean
  readonly isAcknowledged: boolean
}

export function AlarmView({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const pending = useSignal<readonly PendingAlarm[]>([])
  const instance = useComputed(() => runtime.values.instances.value[0])
  const culture = runtime.culture.value
  const path = instance.value && `/api/simulation/instances/${encodeURIComponent(instance.value)}/alarms`
  useEffect(() => {
    if (!path) return undefined
    const aborter = new AbortController()
    const load = async () => {
      const { alarms } = await call<{ alarms: PendingAlarm[] }>(`${path}?culture=${encodeURIComponent(culture)}`)
      pending.value = alarms
    }
    const follow = async () => {
      while (!aborter.signal.aborted) {
        try {
          for await (const _one of events(`${path}/stream`, undefined, aborter.signal)) await load()
        } catch (error) {
          if (aborter.signal.aborted) return
          if (error instanceof CallError && error.status < 500 && error.status !== 409) return
        }
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }
    void follow()
    return () => aborter.abort()
  }, [path, culture])
  const acknowledge = async (ids?: readonly number[]) => {
    if (!path) return
    try {
      await call(`${path}/actions/acknowledge`, ids === undefined ? {} : { ids })
    } catch (error) {
      runtime.values.fault.value = error instanceof CallError ? error.message : 'The gateway does not answer.'
    }
  }
  const own = presentAlarms(runtime)
  return (
    <foreignObject x={left} y={top} width={width} height={height}>
      <section class="table alarms" aria-label={item.name} tabindex={0}>
        <button type="button" onClick={() => void acknowledge()} disabled={pending.value.length === 0}>
          Acknowledge all
        </button>
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Class</th>
              <th scope="col">Text</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {own.map(({ key, alarmClass, text }) => (
              <tr key={key} class="incoming">
                <td />
                <td>{alarmClass}</td>
                <td>{text}</td>
                <td>present</td>
              </tr>
            ))}
            {pending.value.map((one) => (
              <tr key={one.id} class={one.state}>
                <td>{one.incomingAt.slice(11, 19)}</td>
                <td>{one.alarmClass}</td>
                <td>{one.text || one.alarm}</td>
                <td>
                  {one.needsAcknowledgement && !one.isAcknowledged ? (
                    <button type="button" onClick={() => void acknowledge([one.id])}>
                      Acknowledge
                    </button>
                  ) : (
                    one.state
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </foreignObject>
  )
}

/** Points that a trend keeps. */
const mostPoints = 3600
const colours = ['#2f7ed8', '#c00000', '#2e8b57', '#b8860b', '#7b3fa0', '#008b8b']

export function TrendView({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const variables = item.bindings.map(({ variable }) => variable)
    const names = variables.map((variable) => runtime.model.variables[variable]?.name ?? '')
    const data: (number | null)[][] = [[], ...variables.map(() => [])]
    const plot = new uPlot(
      {
        width,
        height: Math.max(40, height - 40),
        series: [{}, ...names.map((label, i) => ({ label, stroke: colours[i % colours.length]!, width: 2 }))],
      },
      data as uPlot.AlignedData,
      holder.current as HTMLDivElement,
    )
    // Values come when they change; between that the last one holds.
    const timer = setInterval(() => {
      data[0]!.push(Date.now() / 1000)
      for (const [i, variable] of variables.entries()) {
        const { value, bad } = runtime.values.of(variable).peek()
        const number = numberOf(value)
        data[i + 1]!.push(bad !== undefined || Number.isNaN(number) ? null : number)
      }
      if (data[0]!.length > mostPoints) for (const column of data) column.shift()
      plot.setData(data as uPlot.AlignedData)
    }, 500)
    return () => {
      clearInterval(timer)
      plot.destroy()
    }
  }, [item, width, height])
  return (
    <foreignObject x={left} y={top} width={width} height={height}>
      <div
        class="trend"
        role="img"
        aria-label={`Trend ${item.name}: ${textOf(item.bindings.length)} values`}
        ref={holder}
      />
    </foreignObject>
  )
}
