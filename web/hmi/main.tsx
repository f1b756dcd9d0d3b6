/** The page of a station. */
import { effect, signal } from '@preact/signals'
import { type JSX, render } from 'preact'
import type { StationModel } from '../../plugins/hmi/station-model.ts'
import { CallError, call, messageOf, useClientId } from '../gateway.ts'
import { enterAgain, entered, enterWhenShown } from '../session.ts'
import { EntryForm, showsEntry, Who } from './entry.tsx'
import { Runtime } from './runtime.ts'
import { ScreenView } from './screen.tsx'
import { alarmCount, Notices, PlcStates } from './status.tsx'
import { say, spoken } from './words.ts'

const runtime = signal<Runtime | undefined>(undefined)
const fault = signal('')
/** Language of the browser: that of the page before a station is there. */
const own = navigator.language
const station = decodeURIComponent(/^\/hmi\/([^/]+)/.exec(location.pathname)?.[1] ?? '')

useClientId('gantry-hmi/1')

/** Signs in with what the tab or the browser has, until the gateway answers; a form asks when it wants a key. */
async function begin(): Promise<void> {
  for (;;) {
    try {
      return await enterAgain()
    } catch (error) {
      fault.value = messageOf(error)
      if (!(error instanceof CallError) || (error.problem.status > 0 && error.problem.status < 500)) return
    }
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
}

/** The model in the page, else that of the station in the address. */
async function load(): Promise<void> {
  const embedded = document.getElementById('station')?.textContent
  try {
    const model = embedded ? (JSON.parse(embedded) as StationModel) : await call<StationModel>(modelPath())
    fault.value = ''
    document.title = model.station
    const before = runtime.peek()
    before?.close()
    const next = new Runtime(model, before?.culture.peek())
    // A page that was saved with its model goes on with it.
    if (!embedded) next.values.onOutdated = () => void load()
    runtime.value = next
    const shown = before?.screenName.peek() ?? ''
    next.show(model.screens.some(({ name }) => name === shown) ? shown : model.startScreen)
  } catch (error) {
    fault.value = messageOf(error)
  }
}

const modelPath = () => `/api/hmi/stations/${encodeURIComponent(station)}/model`

function Station({ of }: { readonly of: Runtime }): JSX.Element {
  const { model, values, culture, screen } = of
  const unreached = [...values.plcs.value].filter(([, { isReached }]) => !isReached)
  const alarms = alarmCount(of)
  return (
    <>
      {showsEntry() && <EntryForm station={model.station} culture={culture.value} />}
      <header>
        <h1>{model.station}</h1>
        <label>
          {say('Screen', culture.value)}{' '}
          <select value={of.screenName.value} onChange={(event) => of.show(event.currentTarget.value)}>
            {model.screens.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say('Language', culture.value)}{' '}
          <select
            value={culture.value}
            onChange={(event) => {
              culture.value = event.currentTarget.value
            }}
          >
            {model.cultures.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <span class={alarms > 0 ? 'count present' : 'count'}>
          {alarms} {say('alarms', culture.value)}
        </span>
        <PlcStates of={of} />
        <Who culture={culture.value} />
        <output class="status">
          {say(values.fault.value || unreached.map(([, { reason }]) => reason).join(' ') || 'connected', culture.value)}
        </output>
      </header>
      <Notices of={of} />
      <main>{screen && <ScreenView key={`${model.version}/${screen.name}`} of={of} screen={screen} />}</main>
    </>
  )
}

function App(): JSX.Element {
  if (runtime.value !== undefined) return <Station of={runtime.value} />
  if (showsEntry()) return <EntryForm station={station} culture={own} />
  return (
    <main class="entry">
      <h1>{station || 'HMI'}</h1>
      <p role="status">{say(fault.value || 'Loading …', own)}</p>
    </main>
  )
}

effect(() => {
  const culture = runtime.value?.culture.value
  // The texts of the station are in the language of the viewer, even where the words of the page are not.
  document.documentElement.lang = culture ?? spoken(own)
})
// With each entry: the station when there is none yet, else the values that had ended.
effect(() => {
  if (entered.value === 0) return
  const shown = runtime.peek()
  if (shown === undefined) void load()
  else void shown.values.followAgain()
})
render(<App />, document.getElementById('app') as HTMLElement)
if (document.getElementById('station') !== null) void load()
void begin()
enterWhenShown(enterAgain)
