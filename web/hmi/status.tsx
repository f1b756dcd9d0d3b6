/** What the frame of the page tells beside the screen: states of the PLCs, alarms, and what was refused. */
import type { JSX } from 'preact'
import type { Runtime } from './runtime.ts'
import { say } from './words.ts'

/** Pending alarms: those of the station and those of the programs of its controllers. */
export function alarmCount({ values, programAlarms }: Runtime): number {
  const ofPrograms = [...programAlarms.value.values()].reduce((sum, alarms) => sum + alarms.length, 0)
  return values.alarms.value.length + ofPrograms
}

/** The PLCs that are reached and do not run. */
export function PlcStates({ of }: { readonly of: Runtime }): JSX.Element {
  const others = [...of.values.plcs.value].flatMap(([plc, { isReached, state }]) =>
    isReached && state !== undefined && state !== 'Run' ? [{ plc, state }] : [],
  )
  return (
    <>
      {others.map(({ plc, state }) => (
        <output key={plc} class="plc-state" data-plc={plc}>
          {plc}: {state.toUpperCase()}
        </output>
      ))}
    </>
  )
}

/** What was refused or went wrong; it stays until it was seen. */
export function Notices({ of }: { readonly of: Runtime }): JSX.Element | null {
  const { values, culture } = of
  const notices = values.notices.value
  // Always there, so that readers of the screen tell what comes into it.
  return (
    <section class={notices.length > 0 ? 'notices' : 'notices none'} role="alert">
      <ul>
        {notices.map(({ id, time, text }) => (
          <li key={id}>
            <time>{new Date(time).toLocaleTimeString(culture.value, { hourCycle: 'h23' })}</time>{' '}
            {say(text, culture.value)}
          </li>
        ))}
      </ul>
      {notices.length > 0 && (
        <button type="button" onClick={() => values.seen()}>
          {say('OK', culture.value)}
        </button>
      )}
    </section>
  )
}
