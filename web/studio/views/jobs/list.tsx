// biome-ignore-all lint/a11y/useSemanticElements: only the rows to be seen are in the page
// biome-ignore-all lint/a11y/useFocusableInteractive: only the rows to be seen are in the page
/** All jobs, newest first: pages are asked for as far as is scrolled, and the rows to be seen are in the page. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Answer, get, queryOf } from '../../gateway.ts'
import { number, t, time, word } from '../../i18n.ts'
import { go } from '../../router.ts'
import { onEvent } from '../../state.ts'
import { Loading } from '../../ui/loaded.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { rowAfterKey, useWindowed } from '../../ui/windowed.ts'
import { Detail } from './detail.tsx'

export type Job = Page['jobs'][number]

type Page = Answer<'jobs.list'>

const rowHeight = 24
const pageSize = 500
const statuses = ['Pending', 'Running', 'Completed', 'Failed', 'Cancelled'] as const

export function Jobs({ chosen }: { readonly chosen: string }): JSX.Element {
  const [status, setStatus] = useState('')
  const [command, setCommand] = useState('')
  const [page, setPage] = useState<Page>()
  const [error, setError] = useState<unknown>()
  const [version, setVersion] = useState(0)
  const path = (cursor?: string) =>
    `/api/jobs${queryOf({ status, command: command === '' ? '' : `*${command}*`, limit: pageSize, cursor })}`
  useEffect(() => {
    const end = new AbortController()
    get<Page>(path(), end.signal).then(
      (fresh) => {
        setError(undefined)
        setPage((now) => {
          // What came before stays below the first page.
          const known = new Set(fresh.jobs.map(({ jobId }) => jobId))
          const rest = version === 0 ? [] : (now?.jobs ?? []).filter(({ jobId }) => !known.has(jobId))
          const cursor = rest.length > 0 ? now?.nextCursor : fresh.nextCursor
          return {
            jobs: [...fresh.jobs, ...rest],
            ...(fresh.total === undefined ? {} : { total: fresh.total }),
            ...(cursor === undefined ? {} : { nextCursor: cursor }),
          }
        })
      },
      (reason: unknown) => end.signal.aborted || setError(reason),
    )
    return () => end.abort()
  }, [status, command, version])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onEvent(({ type }) => {
      if (!type.startsWith('job.')) return
      timer ??= setTimeout(() => {
        timer = undefined
        setVersion((n) => n + 1)
      }, 300)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  const jobs = page?.jobs ?? []
  const seen = useWindowed<HTMLDivElement>(jobs.length, rowHeight, rowHeight)
  const cursor = seen.to >= jobs.length - 20 ? page?.nextCursor : undefined
  useEffect(() => {
    if (cursor === undefined) return
    const end = new AbortController()
    get<Page>(path(cursor), end.signal).then(
      (next) =>
        setPage((now) => ({
          jobs: [...(now?.jobs ?? []), ...next.jobs],
          ...(next.total === undefined ? {} : { total: next.total }),
          ...(next.nextCursor === undefined ? {} : { nextCursor: next.nextCursor }),
        })),
      (reason: unknown) => end.signal.aborted || setError(reason),
    )
    return () => end.abort()
  }, [cursor])
  const at = jobs.findIndex(({ jobId }) => jobId === chosen)
  const choose = (row: number) => {
    const job = jobs[row]
    if (job === undefined) return
    go('/jobs', [], { job: job.jobId }, false)
    seen.show(row)
  }
  const columns = ['jobs.time', 'jobs.command', 'jobs.status', 'jobs.actor', 'jobs.duration'] as const
  return (
    <div class="split jobs">
      <div class="main">
        <div class="toolbar">
          <label>
            {t('jobs.status')}{' '}
            <select
              value={status}
              onChange={(event) => {
                setPage(undefined)
                setVersion(0)
                setStatus(event.currentTarget.value)
              }}
            >
              <option value="">{t('jobs.all')}</option>
              {statuses.map((one) => (
                <option key={one} value={one}>
                  {word('status', one)}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t('jobs.filter')}{' '}
            <input
              value={command}
              onInput={(event) => {
                setPage(undefined)
                setVersion(0)
                setCommand(event.currentTarget.value)
              }}
            />
          </label>
          <span class="grow" />
          <span class="quiet">{page?.total !== undefined && t('jobs.total', number(page.total))}</span>
        </div>
        {error !== undefined && <ProblemNote error={error} />}
        {page === undefined && error === undefined && <Loading />}
        {page !== undefined && jobs.length === 0 && <p class="quiet pad">{t('frame.none')}</p>}
        <div
          ref={seen.ref}
          class="rows"
          role="grid"
          aria-label={t('jobs.jobs')}
          aria-rowcount={page?.total ?? -1}
          aria-busy={page === undefined || cursor !== undefined}
          tabIndex={0}
          onKeyDown={(event) => {
            const next = rowAfterKey(event.key, at, jobs.length)
            if (next === undefined) return
            event.preventDefault()
            choose(next)
          }}
        >
          <div class="head" role="row">
            {columns.map((key) => (
              <span key={key} role="columnheader">
                {t(key)}
              </span>
            ))}
          </div>
          <div style={{ height: `${seen.before}px` }} role="presentation" />
          {jobs.slice(seen.from, seen.to).map((job, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the table has the keyboard
            <div
              key={job.jobId}
              class="row"
              role="row"
              aria-rowindex={seen.from + i + 1}
              aria-selected={job.jobId === chosen}
              style={{ height: `${rowHeight}px` }}
              onClick={() => choose(seen.from + i)}
            >
              <span role="gridcell" class="mono">
                {time(job.createdAt)}
              </span>
              <span role="gridcell">{job.command}</span>
              <span role="gridcell" class={`status ${job.status.toLowerCase()}`}>
                {job.status === 'Running' ? `${job.progress} %` : word('status', job.status)}
              </span>
              <span role="gridcell" class="quiet">
                {job.actor}
              </span>
              <span role="gridcell" class="number">
                {job.durationMs === undefined ? '' : `${number(job.durationMs)} ms`}
              </span>
            </div>
          ))}
          <div style={{ height: `${seen.after}px` }} role="presentation" />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="side right" tabIndex={0} aria-label={t('jobs.detail')}>
        {chosen === '' ? (
          <p class="quiet pad">{t('jobs.choose')}</p>
        ) : (
          <Detail key={chosen} jobId={chosen} version={jobs[at]?.status} />
        )}
      </section>
    </div>
  )
}
