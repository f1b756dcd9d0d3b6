/** Search over the whole project. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Answer, CallError, get, post, queryOf } from '../gateway.ts'
import { t } from '../i18n.ts'
import { go } from '../router.ts'
import { allows } from '../session.tsx'
import { onEvent, project } from '../state.ts'
import { Dialog } from './dialog.tsx'
import { Icon, type IconName } from './icon.tsx'
import { List } from './list.tsx'
import { Loading } from './loaded.tsx'
import { ProblemNote } from './problem.tsx'

type Found = Answer<'projects.search'>['results'][number]

type Results = Answer<'projects.search'>

const shownResults = 200

/** The project that has been indexed from this page. Opened again, it has no index. */
let indexed: string | undefined
onEvent(({ type }) => {
  if (type === 'projects.opened') indexed = undefined
})

async function index(): Promise<void> {
  await post('/api/projects/actions/index')
  indexed = project.value?.path
}

/** Searches; the index is made before the first search, and when it is too old. */
async function search(words: string, until: AbortSignal): Promise<Results> {
  const ask = () => get<Results>(`/api/projects/search${queryOf({ q: words, limit: shownResults })}`, until)
  if (!allows('engineer')) return ask()
  if (indexed === undefined || indexed !== project.value?.path) await index()
  const answer = await ask()
  if (!answer.stale) return answer
  await index()
  return ask()
}

const icons: Readonly<Record<string, IconName>> = {
  device: 'station',
  block: 'block',
  type: 'type',
  tag: 'tag',
  'tag-table': 'table',
  'watch-table': 'watch',
}

/** Where a result is shown. */
function open({ kind, name, device = '', path = '' }: Found): void {
  if (kind === 'block') go('/program', [device, name])
  else if (kind === 'type') go('/project', [device, 'types', name])
  else if (kind === 'tag-table') go('/project', [device, 'tags', name])
  else if (kind === 'tag') go('/project', [device, 'tags'], { filter: name })
  else if (kind.startsWith('watch')) go('/project', [device, 'watch', name])
  else if (kind.startsWith('hmi')) go('/project', [device, 'hmi'], { filter: name })
  else go('/project', [device === '' ? name : device], path === '' ? {} : { filter: name })
}

export function Search({ onClose }: { onClose(): void }): JSX.Element {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [answer, setAnswer] = useState<Results>()
  const [error, setError] = useState<unknown>()
  /** Words that are being searched for. */
  const [isSearching, setSearching] = useState(false)
  const lacksIndex = error instanceof CallError && error.problem.code === 'conflict' && !allows('engineer')
  useEffect(() => {
    const end = new AbortController()
    const words = text.trim()
    setSearching(words !== '')
    if (words === '') return setAnswer(undefined)
    const timer = setTimeout(() => {
      search(words, end.signal).then(
        (found) => {
          if (end.signal.aborted) return
          setAnswer(found)
          setError(undefined)
          setAt(0)
          setSearching(false)
        },
        (reason: unknown) => {
          if (end.signal.aborted) return
          setError(reason)
          setSearching(false)
        },
      )
    }, 120)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [text])
  const results = answer?.results ?? []
  const choose = (index: number) => {
    const found = results[index]
    if (found === undefined) return
    onClose()
    open(found)
  }
  return (
    <Dialog title={t('search.title')} size="high" onClose={onClose}>
      <div class="finder">
        <input
          type="text" // Escape closes the dialog; a field of type search would only be emptied.
          aria-label={t('search.find')}
          placeholder={t('search.find')}
          autocomplete="off"
          value={text}
          autofocus
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setAt(Math.min(results.length - 1, at + 1))
            else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
            else if (event.key === 'Enter') choose(at)
            else return
            event.preventDefault()
          }}
        />
        {isSearching && <Loading />}
        {lacksIndex && (
          <p class="notice" role="status">
            {t('search.noIndex')}
          </p>
        )}
        {error !== undefined && !lacksIndex && <ProblemNote error={error} />}
        {answer?.stale === true && error === undefined && (
          <p class="notice" role="status">
            {t('search.stale')}
          </p>
        )}
        {answer !== undefined && error === undefined && (
          <div class="results">
            <List
              items={results}
              label={t('search.title')}
              chosen={at}
              rowHeight={26}
              onChoose={(index) => {
                setAt(index)
                choose(index)
              }}
              row={({ kind, name, device, path }) => (
                <>
                  <Icon name={icons[kind] ?? 'hmi'} size={14} />
                  <span class="text">{name}</span>
                  <span class="grow" />
                  <span class="quiet">{[device, path].filter((part) => part).join(' / ')}</span>
                </>
              )}
            />
            {results.length === 0 && !isSearching && <p class="quiet pad">{t('frame.none')}</p>}
          </div>
        )}
        {answer !== undefined && answer.total > results.length && (
          <p class="quiet pad">{t('search.more', results.length, answer.total)}</p>
        )}
      </div>
    </Dialog>
  )
}
