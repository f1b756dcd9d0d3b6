/** The view of pending alarms: of the station and of the programs of its controllers. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { ProgramAlarm } from '../../plugins/hmi/page/screen-view.ts'
import { inLanguage } from './convert.ts'
import { box, type ItemProps } from './drawing.ts'
import { alarmsOf } from './program-alarms.ts'
import type { Runtime } from './runtime.ts'
import { say } from './words.ts'

/** A line of the alarm view. */
interface AlarmLine {
  readonly key: string
  readonly time: number
  readonly alarmClass: string
  readonly text: string
  readonly state: string
  /** Absent: nothing is to be acknowledged. */
  readonly acknowledge?: () => Promise<unknown>
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

/** Date and time with 24 hours, as plants have it. */
function dateTime(milliseconds: number, culture: string): string {
  return new Date(milliseconds).toLocaleString(culture, { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' })
}

/**
 * How an alarm class is coloured. The classes of TIA Portal's classic and Unified panels and of programs are known by
 * their names; others look like information.
 */
export function weightOf(alarmClass: string): 'error' | 'warning' | 'information' {
  if (/^(errors?|alarm|critical|acknowledgement|fehler)/i.test(alarmClass)) return 'error'
  return /^(warn|high|medium)/i.test(alarmClass) ? 'warning' : 'information'
}

/** Pending alarms with their states; each can be acknowledged, or all together. */
export function AlarmView({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const program = runtime.programAlarms.value
  const all = linesOf(runtime, program)
  const wanted = useSignal('')
  const ofClass = useSignal('')
  const classes = [...new Set(all.map(({ alarmClass }) => alarmClass))].sort()
  const lines = all.filter(
    ({ text, alarmClass }) =>
      text.toLowerCase().includes(wanted.value.toLowerCase()) && (ofClass.value === '' || alarmClass === ofClass.value),
  )
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
          disabled={all.every(({ acknowledge }) => acknowledge === undefined)}
        >
          {word('Acknowledge all')}
        </button>{' '}
        <input
          type="search"
          class="filter"
          aria-label={word('Filter')}
          placeholder={word('Filter')}
          value={wanted}
          onInput={(event) => {
            wanted.value = event.currentTarget.value
          }}
        />{' '}
        <select
          aria-label={word('Class')}
          value={ofClass}
          onChange={(event) => {
            ofClass.value = event.currentTarget.value
          }}
        >
          <option value="">{word('All classes')}</option>
          {classes.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
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
                <td>{dateTime(time, runtime.culture.value)}</td>
                <td>
                  <span class={`weight ${weightOf(alarmClass)}`}>{alarmClass}</span>
                </td>
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
