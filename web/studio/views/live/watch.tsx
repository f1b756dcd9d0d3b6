// biome-ignore-all lint/a11y/useSemanticElements: only the rows to be seen are in the page
// biome-ignore-all lint/a11y/useFocusableInteractive: only the rows to be seen are in the page
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: only the rows to be seen are in the page
/** Values of tags in a table: own lists and watch tables, modified and forced after a question. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Answer, call, get, pathWith, post } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { allows } from '../../session.tsx'
import { ask } from '../../ui/dialog.tsx'
import { Loading, useLoaded } from '../../ui/loaded.tsx'
import { ProblemNote, problemOf } from '../../ui/problem.tsx'
import { toast } from '../../ui/toast.tsx'
import { useWindowed } from '../../ui/windowed.ts'
import { LiveTags, mostFollowed, typedValue, valueText } from './values.ts'

const rowHeight = 24
const keptNames = (device: string) => `gantry-watch-${device}`

/** The names that a person has put together for a controller, kept in the browser. */
function keptList(device: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(keptNames(device)) ?? '[]')
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** A field that finds tags of the running program. */
export function AddTag({ instance, onAdd }: { readonly instance: string; onAdd(name: string): void }): JSX.Element {
  const [text, setText] = useState('')
  const found = useLoaded(
    async (until) =>
      text.length < 2
        ? []
        : (
            await get<Answer<'simulation.list-tags'>>(
              `${pathWith('/api/simulation/instances/{instance}/tags', { instance })}?${new URLSearchParams({ q: text, limit: '30' })}`,
              until,
            )
          ).tags,
    [text, instance],
  )
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') return
        onAdd(text.trim())
        setText('')
      }}
    >
      <label>
        <span class="hidden">{t('live.add')}</span>
        <input
          value={text}
          list="live-tags"
          placeholder={t('live.add')}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <datalist id="live-tags">
        {(found.value ?? []).map(({ name, dataType }) => (
          <option key={name} value={name}>
            {dataType}
          </option>
        ))}
      </datalist>
      <button type="submit">{t('frame.add')}</button>
    </form>
  )
}

interface RowProps {
  readonly tags: LiveTags
  readonly name: string
  readonly isForced: boolean
  readonly isFollowed: boolean
  onWrite(name: string, text: string, isForce: boolean): void
  onRemove?: (() => void) | undefined
}

/** Type and value: what is drawn again with each message. A row that has none says why; one that is not live is grey. */
function Value({ tags, name, isForced, isFollowed }: Pick<RowProps, 'tags' | 'name' | 'isForced' | 'isFollowed'>) {
  const value = tags.of(name).value
  const shown = value === undefined || value.quality === 'Bad' ? undefined : value.value
  const error = isFollowed ? value?.error : t('live.notFollowed', mostFollowed)
  const state = error !== undefined ? 'bad' : !tags.isLive.value ? 'old' : typeof shown === 'boolean' ? `${shown}` : ''
  return (
    <>
      <span role="cell" class="quiet">
        {value?.dataType ?? ''}
      </span>
      <span role="cell" class={`value mono ${state}`} title={error ?? (state === 'old' ? t('live.old') : undefined)}>
        {isForced && <b class="forced">F</b>} {error ?? valueText(shown)}
      </span>
    </>
  )
}

function Row({ tags, name, isForced, isFollowed, onWrite, onRemove }: RowProps): JSX.Element {
  const [text, setText] = useState('')
  const canWrite = allows('operator')
  return (
    <div class="row" style={{ height: `${rowHeight}px` }} role="row" data-name={name}>
      <span role="cell" class="mono">
        {name}
      </span>
      <Value tags={tags} name={name} isForced={isForced} isFollowed={isFollowed} />
      <span role="cell" class="new">
        <input
          aria-label={`${t('live.new')} ${name}`}
          value={text}
          disabled={!canWrite}
          title={canWrite ? undefined : t('frame.needsLevel', 'operator')}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && text !== '') onWrite(name, text, false)
          }}
        />
        <button type="button" disabled={!canWrite || text === ''} onClick={() => onWrite(name, text, false)}>
          {t('live.modify')}
        </button>
        <button type="button" disabled={!canWrite || text === ''} onClick={() => onWrite(name, text, true)}>
          {t('live.force')}
        </button>
        {onRemove !== undefined && (
          <button type="button" class="plain" aria-label={`${t('frame.remove')} ${name}`} onClick={onRemove}>
            ×
          </button>
        )}
      </span>
    </div>
  )
}

export function Watch({ device, instance }: { readonly device: string; readonly instance: string }): JSX.Element {
  const [own, setOwn] = useState(() => keptList(device))
  const [table, setTable] = useState('')
  const tables = useLoaded(
    async (until) =>
      await get<Answer<'watch-tables.list'>>(pathWith('/api/devices/{device}/watch-tables', { device }), until),
    [device],
  )
  const rows = useLoaded(
    async (until) =>
      table === ''
        ? []
        : (
            await get<Answer<'watch-tables.get'>>(
              pathWith('/api/devices/{device}/watch-tables/{table}', { device, table }),
              until,
            )
          ).entries
            .filter(({ isComment }) => !isComment)
            .map(({ name, address }) => name || address),
    [device, table],
  )
  const forces = useLoaded(
    async (until) =>
      (
        await get<Answer<'simulation.get-forces'>>(
          pathWith('/api/simulation/instances/{instance}/forces', { instance }),
          until,
        )
      ).forces,
    [instance],
  )
  const names = table === '' ? own : (rows.value ?? [])
  const tags = useMemo(() => new LiveTags(), [])
  useEffect(() => {
    tags.follow(instance, names, 100)
    return () => tags.close()
  }, [tags, instance, names.join('\n')])
  const keep = (next: readonly string[]) => {
    setOwn(next)
    localStorage.setItem(keptNames(device), JSON.stringify(next))
  }
  const write = async (name: string, text: string, isForce: boolean) => {
    const question = t(isForce ? 'live.askForce' : 'live.askModify', text, name, instance)
    if (!(await ask(t(isForce ? 'live.force' : 'live.modify'), question, undefined, true))) return
    try {
      const value = typedValue(text)
      const at = '/api/simulation/instances/{instance}'
      const one = name.startsWith('%') ? { address: name, value } : { tag: name, value }
      if (isForce) await call(pathWith(`${at}/forces`, { instance }), { method: 'PUT', body: { forces: [one] } })
      else await call(pathWith(`${at}/tags/{name}`, { instance, name }), { method: 'PUT', body: { value } })
      forces.reload()
    } catch (error) {
      toast('error', problemOf(error).detail)
    }
  }
  const unforce = async () => {
    if (!(await ask(t('live.unforce'), t('live.askUnforce', instance), undefined, true))) return
    await call(pathWith('/api/simulation/instances/{instance}/forces', { instance }), { method: 'DELETE' })
    forces.reload()
  }
  const seen = useWindowed<HTMLDivElement>(names.length, rowHeight, rowHeight)
  const forced = new Set((forces.value ?? []).map(({ tag }) => tag))
  const listed = tables.value?.watchTables ?? []
  return (
    <>
      <div class="toolbar">
        <label>
          {t('live.table')}{' '}
          <select value={table} onChange={(event) => setTable(event.currentTarget.value)}>
            <option value="">{t('live.ownList')}</option>
            {listed.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {table === '' && <AddTag instance={instance} onAdd={(name) => keep([...new Set([...own, name])])} />}
        <span class="grow" />
        {(forces.value?.length ?? 0) > 0 && (
          <>
            <span class="forced">{t('live.forces', forces.value?.length ?? 0)}</span>
            <button type="button" disabled={!allows('operator')} onClick={() => void unforce()}>
              {t('live.unforce')}
            </button>
          </>
        )}
      </div>
      {tags.fault.value !== '' && (
        <p class="notice" role="status">
          {t('live.lost', tags.fault.value)}
        </p>
      )}
      {rows.error !== undefined ? (
        <ProblemNote error={rows.error} onRetry={rows.reload} />
      ) : table !== '' && rows.isLoading && names.length === 0 ? (
        <Loading />
      ) : names.length === 0 ? (
        <p class="quiet pad">{t('live.noWatch')}</p>
      ) : (
        <div
          ref={seen.ref}
          class="watch"
          role="table"
          aria-label={t('live.watch')}
          aria-rowcount={names.length}
          tabIndex={0}
        >
          <div class="head" role="row">
            {(['live.name', 'live.type', 'live.value', 'live.new'] as const).map((key) => (
              <span key={key} role="columnheader">
                {t(key)}
              </span>
            ))}
          </div>
          <div style={{ height: `${seen.before}px` }} role="presentation" />
          {names.slice(seen.from, seen.to).map((name, i) => (
            <Row
              key={name}
              tags={tags}
              name={name}
              isForced={forced.has(name)}
              isFollowed={seen.from + i < mostFollowed}
              onWrite={(...given) => void write(...given)}
              onRemove={table === '' ? () => keep(own.filter((one) => one !== name)) : undefined}
            />
          ))}
          <div style={{ height: `${seen.after}px` }} role="presentation" />
        </div>
      )}
    </>
  )
}

export const startInstance = (instance: string, action: 'run' | 'stop' | 'power-on') =>
  post(pathWith(`/api/simulation/instances/{instance}/${action}`, { instance }))
