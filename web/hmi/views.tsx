/** Views of many values: alarms and trends. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { inLanguage, numberOf } from './convert.ts'
import { box, type ItemProps, valuesOf } from './drawing.ts'
import { CallError, call, events } from './gateway.ts'
import type { Runtime } from './runtime.ts'
import { say } from './words.ts'

/** An alarm of a controller's program. */
interface ProgramAlarm {
  readonly id: number
  readonly incomingAt: string
  readonly alarmClass: string
  readonly text: string
  readonly state: string
  readonly alarm: string
  readonly needsAcknowledgement: boolean
  readonly isAcknowledged: boolean
}

/** A line of the alarm view. */
interface AlarmLine {
  readonly key: string
  readonly time: number
  readonly alarmClass: string
  readonly text: string
  readonly state: string
  /** Absent: nothing is to be acknowledged. */
  readonly acknowledge?: () => Promise<void>
}

const alarmsOf = (instance: string) => `/api/simulation/instances/${encodeURIComponent(instance)}/alarms`

/** Follows the alarms of the program of each controller, in one language. */
function useProgramAlarms(runtime: Runtime): ReadonlyMap<string, readonly ProgramAlarm[]> {
  const found = useSignal<ReadonlyMap<string, readonly ProgramAlarm[]>>(new Map())
  const instances = runtime.values.instances.value
  const culture = runtime.culture.value
  useEffect(() => {
    const aborter = new AbortController()
    const load = async (instance: string) => {
      const path = `${alarmsOf(instance)}?culture=${encodeURIComponent(culture)}`
      const { alarms } = await call<{ alarms: ProgramAlarm[] }>(path)
      found.value = new Map(found.peek()).set(instance, alarms)
    }
    const follow = async (instance: string) => {
      while (!aborter.signal.aborted) {
        try {
          const stream = events(`${alarmsOf(instance)}/stream`, undefined, aborter.signal)
          for await (const _one of stream) await load(instance)
        } catch (error) {
          if (aborter.signal.aborted) return
          if (error instanceof CallError && error.status < 500 && error.status !== 409) return
        }
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }
    for (const instance of instances) void follow(instance)
    return () => aborter.abort()
  }, [instances.join('\n'), culture])
  return found.value
}

/** Alarms of the station, and of the programs of its controllers; newest first. */
function linesOf(runtime: Runtime, program: ReadonlyMap<string, readonly ProgramAlarm[]>): AlarmLine[] {
  const { values, model } = runtime
  const known = new Map(model.alarms.map((alarm) => [alarm.name, alarm]))
  const own = values.alarms.value.map((one): AlarmLine => {
    const { alarmClass = '', text } = known.get(one.name) ?? {}
    const isOpen = one.needsAcknowledgement && !one.isAcknowledged
    return {
      key: one.name,
      time: one.incomingAt,
      alarmClass,
      text: inLanguage(text, runtime.culture.value) || one.name,
      state: one.state,
      ...(isOpen ? { acknowledge: () => values.acknowledge([one.name]) } : {}),
    }
  })
  const others = [...program].flatMap(([instance, alarms]) =>
    alarms.map((one): AlarmLine => {
      const isOpen = one.needsAcknowledgement && !one.isAcknowledged
      const path = `${alarmsOf(instance)}/actions/acknowledge`
      return {
        key: `${instance}/${one.id}`,
        time: Date.parse(one.incomingAt),
        alarmClass: one.alarmClass,
        text: one.text || one.alarm,
        state: one.state,
        ...(isOpen ? { acknowledge: () => values.ask(path, { alarms: [one.id] }) } : {}),
      }
    }),
  )
  return [...own, ...others].sort((a, b) => b.time - a.time)
}

/** Time of day with 24 hours, as plants have it. */
function clockTime(milliseconds: number, culture: string): string {
  return new Date(milliseconds).toLocaleTimeString(culture, { hourCycle: 'h23' })
}

/** Pending alarms with their states; each can be acknowledged, or all together. */
export function AlarmView({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const program = useProgramAlarms(runtime)
  const lines = linesOf(runtime, program)
  const word = (text: string) => say(text, runtime.culture.value)
  const acknowledgeAll = async () => {
    const { values } = runtime
    if (values.alarms.peek().some((one) => one.needsAcknowledgement && !one.isAcknowledged)) await values.acknowledge()
    for (const [instance, alarms] of program)
      if (alarms.some((one) => one.needsAcknowledgement && !one.isAcknowledged))
        await values.ask(`${alarmsOf(instance)}/actions/acknowledge`, { all: true })
  }
  return (
    <foreignObject x={left} y={top} width={width} height={height}>
      <section class="table alarms" aria-label={item.name} tabindex={0}>
        <button
          type="button"
          onClick={() => void acknowledgeAll()}
          disabled={lines.every(({ acknowledge }) => acknowledge === undefined)}
        >
          {word('Acknowledge all')}
        </button>
        <table>
          <thead>
            <tr>
              {['Time', 'Class', 'Text', 'State', 'Operation'].map((name) => (
                <th key={name} scope="col">
                  {word(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ key, time, alarmClass, text, state, acknowledge }) => (
              <tr key={key} class={state} data-alarm={key}>
                <td>{clockTime(time, runtime.culture.value)}</td>
                <td>{alarmClass}</td>
                <td>{text}</td>
                <td>{word(state)}</td>
                <td>
                  {acknowledge && (
                    <button
                      type="button"
                      aria-label={`${word('Acknowledge')} ${text}`}
                      onClick={() => void acknowledge()}
                    >
                      {word('Acknowledge')}
                    </button>
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

/** Columns of uPlot: times in seconds, then the values of each variable; null: none. */
type Columns = (number | null)[][]

/** What a controller recorded of a variable. */
interface Recorded {
  readonly variable: number
  /** Time of the controller; its clock may be another than that of this page. */
  readonly now: number
  readonly points: readonly (readonly [time: number, value: number])[]
}

/** The columns of what was recorded, with times of this page's clock. */
function historyColumns(variables: readonly number[], series: readonly Recorded[], now: number): Columns {
  const rows = new Map<number, (number | null)[]>()
  for (const { variable, now: theirs, points } of series) {
    const at = variables.indexOf(variable)
    for (const [time, value] of points) {
      const seconds = (time + now - theirs) / 1000
      const row = rows.get(seconds) ?? variables.map(() => null)
      row[at] = value
      rows.set(seconds, row)
    }
  }
  const times = [...rows.keys()].sort((a, b) => a - b)
  return [times, ...variables.map((_one, i) => times.map((time) => rows.get(time)![i]!))]
}

export function TrendView({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const holder = useRef<HTMLDivElement>(null)
  const before = useSignal(0)
  const culture = runtime.culture.value
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
    // What the controller recorded before the page was opened.
    const load = async () => {
      const path = `${runtime.values.path}/trends`
      const { series } = await call<{ series: Recorded[] }>(path, { variables, points: mostPoints })
      const first = data[0]![0]
      const now = first === undefined || first === null ? Date.now() : first * 1000
      const history = historyColumns(variables, series, now)
      if (!isOpen) return
      before.value = history[0]!.length
      data = data.map((column, i) => [...history[i]!, ...column])
      draw()
    }
    if (variables.length > 0) load().catch(() => undefined)
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
  }, [item, width, height, culture])
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
