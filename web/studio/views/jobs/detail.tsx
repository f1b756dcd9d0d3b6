/** One job: input, events, what it changed, its end; cancelled or taken back. */
import type { JSX } from 'preact'
import { call, get, pathWith, post, queryOf } from '../../gateway.ts'
import { t, time } from '../../i18n.ts'
import { allows } from '../../session.tsx'
import { ask } from '../../ui/dialog.tsx'
import { Json } from '../../ui/json.tsx'
import { Show, useLoaded } from '../../ui/loaded.tsx'
import { problemOf } from '../../ui/problem.tsx'
import { toast } from '../../ui/toast.tsx'

interface Entry {
  readonly seq: number
  readonly time: string
  readonly type: string
  readonly entity?: string
  readonly group?: string
  readonly data?: { readonly input?: unknown; readonly result?: unknown; readonly error?: unknown } & Record<
    string,
    unknown
  >
}

interface Line {
  readonly kind: 'added' | 'removed' | 'same'
  readonly text: string
}

/** Texts of blocks before and after, as lines: what was taken away and what came. */
async function changesOf(
  entries: readonly Entry[],
  until: AbortSignal,
): Promise<readonly { name: string; lines: readonly Line[] }[]> {
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined) return []
  const { diffLines } = await import('diff')
  const blocks = [...new Set(entries.flatMap(({ entity }) => (entity?.startsWith('block/') ? [entity] : [])))].slice(
    0,
    20,
  )
  const textAt = async (entity: string, asOf: number) => {
    const [, device = '', ...name] = entity.split('/')
    const path = pathWith('/api/devices/{device}/blocks/{name}/content', { device, name: name.join('/') })
    return get<{
      interface: unknown
      networks: readonly { number: number; title: string; text?: string; expression?: string }[]
    }>(`${path}${queryOf({ asOf })}`, until).then(
      ({ interface: members, networks }) =>
        `${(members as { section: string; name: string; dataType: string }[]).map((one) => `${one.section} ${one.name} : ${one.dataType}`).join('\n')}\n${networks
          .map((one) => `// ${one.number} ${one.title}\n${one.text ?? one.expression ?? ''}`)
          .join('\n')}\n`,
      () => '',
    )
  }
  return Promise.all(
    blocks.map(async (entity) => {
      const [before, after] = await Promise.all([textAt(entity, first.seq), textAt(entity, last.seq)])
      const lines = diffLines(before, after).flatMap(({ added, removed, value }): Line[] => {
        const texts = value.replace(/\n$/, '').split('\n')
        if (added || removed) return texts.map((text) => ({ kind: added ? 'added' : 'removed', text }))
        // Of what is the same, two lines around.
        return (texts.length > 5 ? [...texts.slice(0, 2), '…', ...texts.slice(-2)] : texts).map((text) => ({
          kind: 'same',
          text,
        }))
      })
      return { name: entity, lines }
    }),
  )
}

/** Lines with what was added and removed. */
export function Diff({ lines }: { readonly lines: readonly Line[] }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard
    <pre class="diff" tabIndex={0}>
      {lines.map((line, i) => (
        <span key={i} class={line.kind}>
          {{ added: '+ ', removed: '- ', same: '  ' }[line.kind]}
          {line.kind !== 'same' && <span class="hidden">{t(`jobs.${line.kind}`)} </span>}
          {line.text}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

/** Asks what would be taken back, and does it. */
async function takeBack(which: { readonly jobId?: string; readonly group?: string }): Promise<void> {
  try {
    const plan = await post('/api/history/undo?dryRun=true', which)
    const text = (
      <>
        <p>{t('jobs.askUndo')}</p>
        <Json value={plan} />
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
  const job = useLoaded(
    (until) =>
      get<{ command: string; status: string; progress: number; actor: string; createdAt: string }>(
        `/api/jobs/${jobId}`,
        until,
      ),
    [jobId, version],
  )
  const log = useLoaded(
    async (until) => {
      const { entries } = await get<{ entries: readonly Entry[] }>(
        `/api/audit${queryOf({ jobId, order: 'asc', limit: 500 })}`,
        until,
      )
      return { entries, changes: await changesOf(entries, until) }
    },
    [jobId, version],
  )
  return (
    <div class="detail">
      <Show of={job}>
        {({ command, status, actor, createdAt }) => (
          <header>
            <h2>{command}</h2>
            <p class="quiet">
              <span class={`status ${status.toLowerCase()}`}>{status}</span> · {actor} · {time(createdAt)} ·{' '}
              <code>{jobId}</code>
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
      <Show of={log}>
        {({ entries, changes }) => {
          const accepted = entries.find(({ type }) => type === 'job.accepted')
          const end = entries.find(({ type }) => /^job\.(completed|failed|cancelled)$/.test(type))
          const group = accepted?.group ?? (accepted?.data?.group as string | undefined)
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
              <Json value={accepted?.data?.input} />
              {changes.length > 0 && <h3>{t('jobs.changed')}</h3>}
              {changes.map(({ name, lines }) => (
                <section key={name}>
                  <h4 class="mono">{name}</h4>
                  <Diff lines={lines} />
                </section>
              ))}
              {events.length > 0 && <h3>{t('jobs.events')}</h3>}
              {events.map(({ seq, type, entity, data }) => (
                <details key={seq}>
                  <summary>
                    <span class="quiet">{seq}</span> <code>{type}</code> {entity}
                  </summary>
                  <Json value={data} />
                </details>
              ))}
              {end?.data?.error !== undefined && (
                <>
                  <h3>{t('jobs.error')}</h3>
                  <Json value={end.data.error} />
                </>
              )}
              {end?.data?.result !== undefined && (
                <details>
                  <summary>{t('jobs.result')}</summary>
                  <Json value={end.data.result} />
                </details>
              )}
            </>
          )
        }}
      </Show>
    </div>
  )
}
