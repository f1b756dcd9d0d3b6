/** One job: input, events, what it changed, its end; cancelled or taken back. */
import type { JSX } from 'preact'
import { type Answer, call, get, post, queryOf, tryOut } from '../../gateway.ts'
import { t, time, word } from '../../i18n.ts'
import { link } from '../../router.ts'
import { allows } from '../../session.tsx'
import { JobChanges } from '../../ui/changed-objects.tsx'
import { ask } from '../../ui/dialog.tsx'
import { Json } from '../../ui/json.tsx'
import { Show, useLoaded } from '../../ui/loaded.tsx'
import { problemOf } from '../../ui/problem.tsx'
import { toast } from '../../ui/toast.tsx'

/** What the acceptance and the end of a job have besides others. */
const dataOf = (entry: Answer<'audit.list'>['entries'][number] | undefined) =>
  (entry?.data ?? {}) as { input?: unknown; result?: unknown; error?: unknown; group?: string }

/** Asks what would be taken back, and does it. */
async function takeBack(which: { readonly jobId?: string; readonly group?: string }): Promise<void> {
  try {
    const { jobId } = await tryOut('/api/history/undo', which)
    const text = (
      <>
        <p>{t('jobs.askUndo')}</p>
        <JobChanges jobId={jobId} />
      </>
    )
    if (!(await ask(t('jobs.undo'), text, undefined, true))) return
    await post('/api/history/undo', which)
    toast('ok', t('jobs.undone'))
  } catch (error) {
    toast('error', problemOf(error).detail)
  }
}

export function Detail({ jobId, version }: { readonly jobId: string; readonly version: unknown }): JSX.Element {
  const job = useLoaded((until) => get<Answer<'jobs.get'>>(`/api/jobs/${jobId}`, until), [jobId, version])
  const log = useLoaded(
    async (until) =>
      (await get<Answer<'audit.list'>>(`/api/audit${queryOf({ jobId, order: 'asc', limit: 500 })}`, until)).entries,
    [jobId, version],
  )
  return (
    <div class="detail">
      <Show of={job} ways={[{ title: t('missing.jobs'), href: link('/jobs') }]}>
        {({ command, status, actor, createdAt }) => (
          <header>
            <h2>{command}</h2>
            <p class="quiet">
              <span class={`status ${status.toLowerCase()}`}>{word('status', status)}</span> · {actor} ·{' '}
              {time(createdAt)} · <code>{jobId}</code>
            </p>
            <p class="actions">
              {(status === 'Pending' || status === 'Running') && (
                <button
                  type="button"
                  disabled={!allows('engineer')}
                  onClick={() =>
                    void call(`/api/jobs/${jobId}`, { method: 'DELETE' }).catch((error) =>
                      toast('error', problemOf(error).detail),
                    )
                  }
                >
                  {t('jobs.cancel')}
                </button>
              )}
              {status === 'Completed' && (
                <button type="button" disabled={!allows('engineer')} onClick={() => void takeBack({ jobId })}>
                  {t('jobs.undo')}
                </button>
              )}
            </p>
          </header>
        )}
      </Show>
      {job.error === undefined && (
        <Show of={log}>
          {(entries) => {
            const accepted = entries.find(({ type }) => type === 'job.accepted')
            const end = entries.find(({ type }) => /^job\.(completed|failed|cancelled)$/.test(type))
            const given = dataOf(accepted)
            const done = dataOf(end)
            const { group } = given
            const events = entries.filter(({ type }) => !type.startsWith('job.'))
            return (
              <>
                {group !== undefined && (
                  <p class="actions">
                    <button type="button" disabled={!allows('engineer')} onClick={() => void takeBack({ group })}>
                      {t('jobs.undoGroup')} ({group})
                    </button>
                  </p>
                )}
                <h3>{t('jobs.input')}</h3>
                <Json value={given.input} />
                {end?.type === 'job.completed' && <JobChanges jobId={jobId} />}
                {events.length > 0 && <h3>{t('jobs.events')}</h3>}
                {events.map(({ seq, type, entity, data }) => (
                  <details key={seq}>
                    <summary>
                      <span class="quiet">{seq}</span> <code>{type}</code> {entity}
                    </summary>
                    <Json value={data} />
                  </details>
                ))}
                {done.error !== undefined && (
                  <>
                    <h3>{t('jobs.error')}</h3>
                    <Json value={done.error} />
                  </>
                )}
                {done.result !== undefined && (
                  <details>
                    <summary>{t('jobs.result')}</summary>
                    <Json value={done.result} />
                  </details>
                )}
              </>
            )
          }}
        </Show>
      )}
    </div>
  )
}
