/** A running controller: its code with values, watch tables, curves, diagnostics, and why a value is what it is. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Answer, call, get, pathWith, post } from '../gateway.ts'
import { number, t, time, word } from '../i18n.ts'
import { go, link } from '../router.ts'
import { allows } from '../session.tsx'
import { changes, stations } from '../state.ts'
import { ask } from '../ui/dialog.tsx'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Missing } from '../ui/missing.tsx'
import { problemOf } from '../ui/problem.tsx'
import { Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.tsx'
import type { ViewProps } from '../view.ts'
import { Code } from './live/code.tsx'
import { Trend } from './live/trend.tsx'
import { clockTime } from './live/values.ts'
import { startInstance, Watch } from './live/watch.tsx'
import { Why } from './live/why.tsx'
import { InProject, MissingStation } from './whereabouts.tsx'

type Instance = Answer<'simulation.list-instances'>['instances'][number]

type Clock = Answer<'simulation.get-time'>

/** A device of the project with the controller that has its address. */
interface Pair {
  readonly device: string
  readonly instance: Instance
}

async function pairs(until: AbortSignal): Promise<readonly Pair[]> {
  const [{ instances }, { devices }] = await Promise.all([
    get<Answer<'simulation.list-instances'>>('/api/simulation/instances', until),
    get<Answer<'devices.list'>>('/api/projects/devices', until),
  ])
  return instances.flatMap((instance) => {
    const device = devices.find(({ ipAddress }) => ipAddress !== undefined && instance.ipAddresses.includes(ipAddress))
    return device === undefined ? [] : [{ device: device.name, instance }]
  })
}

const at = (instance: string, rest: string) => pathWith(`/api/simulation/instances/{instance}/${rest}`, { instance })

/** Operating state and virtual time of a controller. */
function Controls({ instance, onChange }: { readonly instance: Instance; onChange(): void }): JSX.Element {
  const [clock, setClock] = useState<Clock>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    const end = new AbortController()
    const read = () =>
      get<Clock>(at(instance.name, 'time'), end.signal).then(
        (told) => {
          setClock(told)
          clockTime.value = told.systemTime
        },
        () => setClock(undefined),
      )
    void read()
    const timer = setInterval(read, 2000)
    return () => {
      end.abort()
      clearInterval(timer)
    }
  }, [instance.name, instance.state, round])
  const canOperate = allows('operator')
  const act = (work: () => Promise<unknown>) => async () => {
    try {
      await work()
    } catch (error) {
      toast('error', problemOf(error).detail)
    }
    setRound((n) => n + 1)
    onChange()
  }
  const setTime = (body: object) => act(() => call(at(instance.name, 'time'), { method: 'PUT', body }))
  const advance = (body: object) => act(() => post(at(instance.name, 'actions/advance'), body))
  const { name, state } = instance
  const isOff = state === 'Off'
  const isStepped = clock?.mode === 'stepped'
  const stop = act(async () => {
    if (await ask(t('live.stop'), t('live.askStop', name), t('live.stop'), true)) await startInstance(name, 'stop')
  })
  return (
    <>
      <span class={`state ${state.toLowerCase()}`}>{state}</span>
      {isOff && (
        <button type="button" disabled={!canOperate} onClick={act(() => startInstance(name, 'power-on'))}>
          {t('live.powerOn')}
        </button>
      )}
      {!isOff && state !== 'Run' && (
        <button type="button" disabled={!canOperate} onClick={act(() => startInstance(name, 'run'))}>
          {t('live.run')}
        </button>
      )}
      {state === 'Run' && (
        <button type="button" disabled={!canOperate} onClick={stop}>
          {t('live.stop')}
        </button>
      )}
      {clock !== undefined && (
        <>
          <span class="separator" />
          <span class="mono" title={t('live.time')}>
            {time(clock.systemTime)}
          </span>
          <span class="quiet">{t('live.cycles', number(clock.cycles))}</span>
          <button
            type="button"
            disabled={!canOperate}
            aria-pressed={!isStepped && clock.factor === 1}
            onClick={setTime({ mode: 'real', factor: 1 })}
          >
            {t('live.realTime')}
          </button>
          <button
            type="button"
            disabled={!canOperate}
            aria-pressed={!isStepped && clock.factor === 100}
            onClick={setTime({ mode: 'real', factor: 100 })}
          >
            {t('live.fast')}
          </button>
          <button type="button" disabled={!canOperate} aria-pressed={isStepped} onClick={setTime({ mode: 'stepped' })}>
            {t('live.stepped')}
          </button>
          <button type="button" disabled={!canOperate || !isStepped} onClick={advance({ cycles: 1 })}>
            {t('live.oneCycle')}
          </button>
          <button type="button" disabled={!canOperate || !isStepped} onClick={advance({ milliseconds: 10_000 })}>
            {t('live.advance')}
          </button>
        </>
      )}
    </>
  )
}

function Diagnostics({ instance }: { readonly instance: string }): JSX.Element {
  const entries = useLoaded(
    async (until) => (await get<Answer<'simulation.get-diagnostics'>>(at(instance, 'diagnostics'), until)).entries,
    [instance],
  )
  return (
    <>
      <div class="toolbar">
        <button type="button" onClick={entries.reload}>
          {t('live.reload')}
        </button>
      </div>
      <Show of={entries}>
        {(rows) => (
          <Table
            rows={rows}
            label={t('live.diagnostics')}
            columns={[
              { key: 'number', title: '#', width: '4rem', isNumber: true, value: (row) => row.number },
              {
                key: 'time',
                title: t('live.time'),
                width: '12rem',
                value: (row) => row.time,
                cell: (row) => time(row.time),
              },
              {
                key: 'severity',
                title: t('live.severity'),
                width: '8rem',
                value: (row) => word('severity', row.severity),
              },
              { key: 'event', title: t('live.event'), width: '7rem', value: (row) => row.eventId ?? '' },
              { key: 'message', title: t('live.message'), width: 'minmax(20rem, 1fr)', value: (row) => row.message },
            ]}
          />
        )}
      </Show>
    </>
  )
}

const tabs = ['code', 'watch', 'trend', 'diagnostics', 'why'] as const

/** No controller runs, or none with the program of the station that the address names. */
function NotRunning({
  wanted,
  running,
}: {
  readonly wanted: string | undefined
  readonly running: readonly string[]
}): JSX.Element {
  if (wanted === undefined) return <p class="quiet pad">{t('live.none')}</p>
  const others = stations.value.filter(({ name }) => running.includes(name))
  if (!stations.value.some(({ name }) => name === wanted))
    return <MissingStation name={wanted} view="/live" others={others} />
  const ways = others.map(({ name }) => ({ title: name, href: link('/live', [name]) }))
  return <Missing text={t('missing.running', wanted)} ways={ways} />
}

export default function View(props: ViewProps): JSX.Element {
  return <InProject>{() => <Live {...props} />}</InProject>
}

function Live({ route }: ViewProps): JSX.Element {
  const found = useLoaded(pairs, [changes.value])
  const wanted = route.parts[0]
  const { tab = 'code', name = '', block = '' } = route.query
  const pair = found.value?.find(({ device }) => wanted === undefined || device === wanted)
  return (
    <div class="view live">
      <Show of={found}>
        {(list) =>
          pair === undefined ? (
            <NotRunning wanted={wanted} running={list.map(({ device }) => device)} />
          ) : (
            <>
              <header class="toolbar">
                <label>
                  {t('live.controller')}{' '}
                  <select value={pair.device} onChange={(event) => go('/live', [event.currentTarget.value], { tab })}>
                    {list.map(({ device, instance }) => (
                      <option key={device} value={device}>
                        {device} ({instance.name}, {instance.ipAddresses[0]})
                      </option>
                    ))}
                  </select>
                </label>
                <Controls instance={pair.instance} onChange={found.reload} />
              </header>
              <Tabs
                label={t('live.title')}
                chosen={tab}
                tabs={tabs.map((key) => ({ key, title: t(`live.${key}`) }))}
                onChoose={(key) => go('/live', [pair.device], { tab: key, ...(block === '' ? {} : { block }) })}
              >
                {tab === 'code' && (
                  <Code
                    device={pair.device}
                    block={block}
                    onBlock={(one) => go('/live', [pair.device], { block: one })}
                  />
                )}
                {tab === 'watch' && <Watch key={pair.device} device={pair.device} instance={pair.instance.name} />}
                {tab === 'trend' && (
                  <Trend key={pair.device} device={pair.device} instance={pair.instance.name} more={name} />
                )}
                {tab === 'diagnostics' && <Diagnostics instance={pair.instance.name} />}
                {tab === 'why' && <Why device={pair.device} name={name} />}
              </Tabs>
            </>
          )
        }
      </Show>
    </div>
  )
}
