/** The project as a whole: its stations; opening, creating and closing a project. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { save } from '../commands.ts'
import { type Answer, get, post } from '../gateway.ts'
import { t, time } from '../i18n.ts'
import { go } from '../router.ts'
import { allows } from '../session.tsx'
import { project, refresh, type Station, stations } from '../state.ts'
import { ask } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { KeptForm } from '../ui/kept-form.tsx'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { Table } from '../ui/table.tsx'
import { toastProblem } from '../ui/toast.tsx'
import { StationActions } from './station-actions.tsx'

/** No project is open: those that are known, any other one, a new one. */
export function StartProject(): JSX.Element {
  const known = useLoaded((until) => get<Answer<'projects.history'>>('/api/projects/history', until), [])
  const [error, setError] = useState<unknown>()
  const run = async (path: string, body: object) => {
    setError(undefined)
    try {
      await post(path, body)
      await refresh()
    } catch (reason) {
      setError(reason)
      throw reason
    }
  }
  return (
    <div class="start">
      <h1>{t('project.none')}</h1>
      {error !== undefined && <ProblemNote error={error} />}
      <div class="cards">
        <KeptForm
          place="create"
          title={t('project.create')}
          onSend={(body) => run('/api/projects/actions/create-sync', body)}
        >
          <h2>{t('project.create')}</h2>
          <label>
            {t('project.name')} <input name="name" required autocomplete="off" />
          </label>
          <button type="submit" class="primary">
            <Icon name="plus" size={14} /> {t('project.create')}
          </button>
        </KeptForm>
        <KeptForm
          place="open"
          title={t('project.open')}
          onSend={(body) => run('/api/projects/actions/open-sync', body)}
        >
          <h2>{t('project.open')}</h2>
          <label>
            {t('project.path')} <input name="path" required autocomplete="off" />
          </label>
          <button type="submit">
            <Icon name="folder" size={14} /> {t('project.openPath')}
          </button>
        </KeptForm>
      </div>
      {known.value === undefined && <Show of={known}>{() => null}</Show>}
      {known.value !== undefined && known.value.history.length > 0 && (
        <section>
          <h2>{t('project.known')}</h2>
          <ul class="known">
            {known.value.history.map(({ path, name, lastAccess }) => (
              <li key={path}>
                <button
                  type="button"
                  onClick={() => void run('/api/projects/actions/open-sync', { path }).catch(() => undefined)}
                >
                  <Icon name="project" size={14} /> {name}
                </button>
                <span class="quiet mono">{path}</span>
                <span class="quiet">{time(lastAccess)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

async function closeProject(): Promise<void> {
  const isModified = project.value?.isModified ?? false
  if (isModified && !(await ask(t('project.close'), t('project.closeAsk'), t('project.close'), true))) return
  try {
    await post('/api/projects/actions/close-sync', isModified ? { force: true } : {})
    await refresh()
    go('/project')
  } catch (error) {
    toastProblem(error)
  }
}

/** Project and stations; with a station what can be done with it. */
export function Overview({ station: one }: { readonly station: Station | undefined }): JSX.Element {
  const { name, path, version, isModified } = project.value ?? { name: '', path: '', version: '', isModified: false }
  return (
    <>
      <div class="toolbar">
        <h1>{one?.name ?? name}</h1>
        {one === undefined ? (
          <>
            <span class="quiet mono ellipsis">{path}</span>
            <span class="badge">{version}</span>
            {isModified && <span class="badge is-warning">{t('project.modified')}</span>}
            <span class="grow" />
            <button type="button" disabled={!allows('engineer')} onClick={() => void save()}>
              <Icon name="save" size={14} /> {t('project.save')}
            </button>
            <button type="button" disabled={!allows('engineer')} onClick={() => void closeProject()}>
              {t('project.close')}
            </button>
          </>
        ) : (
          <span class="quiet">
            {one.typeName} · {one.orderNumber}
          </span>
        )}
      </div>
      {one === undefined ? <Stations /> : <StationActions key={one.name} station={one} />}
    </>
  )
}

function Stations(): JSX.Element {
  const [chosen, setChosen] = useState<Station>()
  const [error, setError] = useState<unknown>()
  return (
    <>
      <Table
        label={t('project.stations')}
        rows={stations.value}
        chosen={chosen}
        empty={t('project.noStation')}
        columns={[
          { key: 'name', title: t('project.name'), value: ({ name }) => name },
          { key: 'kind', title: t('project.kind'), width: '6rem', value: ({ kind }) => kind },
          { key: 'type', title: t('project.type'), value: ({ typeName }) => typeName },
          {
            key: 'order',
            title: t('project.orderNumber'),
            value: ({ orderNumber }) => orderNumber,
            cell: ({ orderNumber }) => <span class="mono">{orderNumber}</span>,
          },
          {
            key: 'address',
            title: t('project.address'),
            width: '9rem',
            value: ({ ipAddress }) => ipAddress,
            cell: ({ ipAddress }) => <span class="mono">{ipAddress}</span>,
          },
        ]}
        onChoose={setChosen}
        onOpen={({ name }) => go('/project', [name])}
      />
      {error !== undefined && <ProblemNote error={error} />}
      <KeptForm
        place="station"
        title={t('project.addStation')}
        class="toolbar below"
        onSend={async (body) => {
          try {
            await post('/api/projects/devices/actions/add-sync', body)
            setError(undefined)
            await refresh()
          } catch (reason) {
            setError(reason)
            throw reason
          }
        }}
      >
        <label>
          {t('project.orderNumber')} <input name="orderNumber" required autocomplete="off" />
        </label>
        <label>
          {t('project.name')} <input name="name" required autocomplete="off" />
        </label>
        <button type="submit" disabled={!allows('engineer')}>
          <Icon name="plus" size={14} /> {t('project.addStation')}
        </button>
      </KeptForm>
    </>
  )
}
