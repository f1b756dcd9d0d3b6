/** The page of a station. */
import { effect, signal } from '@preact/signals'
import { type JSX, render } from 'preact'
import type { StationModel } from '../../plugins/hmi/station-model.ts'
import { colour } from './convert.ts'
import { CallError, call, useKey } from './gateway.ts'
import { Item } from './items.tsx'
import { Runtime } from './runtime.ts'
import { say, spoken } from './words.ts'

const runtime = signal<Runtime | undefined>(undefined)
const fault = signal('')
const needsKey = signal(false)
/** Language of the browser: that of the page before a station is there. */
const own = navigator.language
const station = decodeURIComponent(/^\/hmi\/([^/]+)/.exec(location.pathname)?.[1] ?? '')

/** The model in the page, else that of the station in the address. */
async function load(): Promise<void> {
  const embedded = document.getElementById('station')?.textContent
  try {
    const model = embedded ? (JSON.parse(embedded) as StationModel) : await call<StationModel>(modelPath())
    needsKey.value = false
    fault.value = ''
    document.title = model.station
    const before = runtime.peek()
    before?.values.close()
    const next = new Runtime(model, before?.culture.peek())
    // A page that was saved with its model goes on with it.
    if (!embedded) next.values.onOutdated = () => void load()
    runtime.value = next
    const shown = before?.screenName.peek() ?? ''
    next.show(model.screens.some(({ name }) => name === shown) ? shown : model.startScreen)
  } catch (error) {
    needsKey.value = error instanceof CallError && error.status === 401
    fault.value = error instanceof CallError ? error.message : 'The gateway does not answer.'
  }
}

const modelPath = () => `/api/hmi/stations/${encodeURIComponent(station)}/model`

function KeyForm(): JSX.Element {
  return (
    <main class="key">
      <h1>{station}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          useKey(String(new FormData(event.currentTarget).get('key') ?? ''))
          void load()
        }}
      >
        <label>
          {say('API key', own)} <input name="key" type="password" autocomplete="off" required />
        </label>
        <button type="submit">{say('Open', own)}</button>
      </form>
      <p role="alert">{say(fault.value, own)}</p>
    </main>
  )
}

function Station({ of }: { readonly of: Runtime }): JSX.Element {
  const { model, values, culture, screen } = of
  const unreached = [...values.unreached.value]
  const alarms = values.alarms.value.length
  return (
    <>
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
        <output class="status">
          {say(values.fault.value || unreached.map(([, reason]) => reason).join(' ') || 'connected', culture.value)}
        </output>
      </header>
      <main>
        {screen && (
          // biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset
          <svg
            key={`${model.version}/${screen.name}`}
            class="screen"
            viewBox={`0 0 ${screen.width} ${screen.height}`}
            role="group"
            aria-label={screen.name}
            data-screen={screen.name}
          >
            <rect width={screen.width} height={screen.height} fill={colour(screen.backColor, '#ffffff')} />
            {screen.items.map((item, i) => (
              <Item key={`${i}/${item.name}`} runtime={of} item={item} />
            ))}
          </svg>
        )}
      </main>
    </>
  )
}

function App(): JSX.Element {
  if (runtime.value !== undefined) return <Station of={runtime.value} />
  if (needsKey.value) return <KeyForm />
  return (
    <main class="key">
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
render(<App />, document.getElementById('app') as HTMLElement)
void load()
