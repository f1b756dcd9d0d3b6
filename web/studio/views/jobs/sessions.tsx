/** The sessions of the gateway, and their replay. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Answer, get, post } from '../../gateway.ts'
import { number, t, time, word } from '../../i18n.ts'
import { allows } from '../../session.tsx'
import { Json } from '../../ui/json.tsx'
import { Show, useLoaded } from '../../ui/loaded.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { Table } from '../../ui/table.tsx'

type Session = Answer<'audit.sessions'>['sessions'][number]

export function Sessions(): JSX.Element {
  const [chosen, setChosen] = useState<Session>()
  const [result, setResult] = useState<{ of: number; value?: unknown; error?: unknown }>()
  const [isBusy, setBusy] = useState(false)
  const list = useLoaded(
    async (until) => (await get<Answer<'audit.sessions'>>('/api/audit/sessions', until)).sessions,
    [],
  )
  const replay = async (session: number) => {
    setBusy(true)
    setResult(
      await post('/api/audit/actions/replay-sync', { session }).then(
        (value) => ({ of: session, value }),
        (error: unknown) => ({ of: session, error }),
      ),
    )
    setBusy(false)
  }
  return (
    <>
      <div class="toolbar">
        <button
          type="button"
          disabled={chosen === undefined || isBusy || !allows('admin')}
          onClick={() => chosen && void replay(chosen.session)}
        >
          {t('jobs.replay')}
        </button>
        {!allows('admin') && <span class="quiet">{t('frame.needsLevel', 'admin')}</span>}
      </div>
      {result !== undefined && (
        <section class="pad" aria-live="polite">
          <h3>{t('jobs.replayed', result.of)}</h3>
          {result.error !== undefined ? <ProblemNote error={result.error} /> : <Json value={result.value} />}
        </section>
      )}
      <Show of={list}>
        {(rows) => (
          <Table
            rows={rows}
            label={t('jobs.sessions')}
            chosen={chosen}
            onChoose={setChosen}
            columns={[
              { key: 'session', title: t('jobs.session'), width: '7rem', isNumber: true, value: (row) => row.session },
              {
                key: 'time',
                title: t('jobs.time'),
                width: '13rem',
                value: (row) => row.startedAt,
                cell: (row) => time(row.startedAt),
              },
              { key: 'state', title: t('jobs.state'), width: '10rem', value: (row) => word('session', row.state) },
              {
                key: 'jobs',
                title: t('jobs.count'),
                width: '7rem',
                isNumber: true,
                value: (row) => row.jobs,
                cell: (row) => number(row.jobs),
              },
              { key: 'version', title: t('jobs.version'), value: (row) => row.version },
            ]}
          />
        )}
      </Show>
    </>
  )
}
