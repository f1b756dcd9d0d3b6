/** Time travel: the project as it was after any record of the log. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Answer, get, pathWith, queryOf } from '../../gateway.ts'
import { number, t, time } from '../../i18n.ts'
import { Show, useLoaded } from '../../ui/loaded.tsx'
import { ProblemNote } from '../../ui/problem.tsx'

/** Devices and their blocks as they were; none when no project was open. */
async function stateAt(asOf: number, until: AbortSignal) {
  const { projects } = await get<Answer<'projects.list'>>(`/api/projects${queryOf({ asOf })}`, until)
  if (projects.length === 0) return []
  const { devices } = await get<Answer<'devices.list'>>(`/api/projects/devices${queryOf({ asOf })}`, until)
  return Promise.all(
    devices.map(async (device) => ({
      ...device,
      blocks:
        device.kind === 'PLC'
          ? (
              await get<Answer<'blocks.list'>>(
                `${pathWith('/api/devices/{name}/blocks', { name: device.name })}${queryOf({ asOf })}`,
                until,
              )
            ).blocks
          : [],
    })),
  )
}

export function Travel(): JSX.Element {
  const newest = useLoaded(
    async (until) => (await get<Answer<'audit.list'>>('/api/audit?limit=1', until)).entries[0]?.seq ?? 1,
    [],
  )
  const [seq, setSeq] = useState(0)
  const [settled, setSettled] = useState(0)
  const last = newest.value ?? 1
  const at = seq === 0 ? last : seq
  useEffect(() => {
    // Until the end of the log is known there is no place in it.
    if (newest.value === undefined) return
    const timer = setTimeout(() => setSettled(at), 200)
    return () => clearTimeout(timer)
  }, [at, newest.value])
  const entry = useLoaded(
    async (until) =>
      settled === 0
        ? undefined
        : (
            await get<Answer<'audit.list'>>(
              `/api/audit${queryOf({ cursor: String(settled + 1), types: 'job.completed,job.failed', limit: 50 })}`,
              until,
            )
          ).entries,
    [settled],
  )
  const state = useLoaded(async (until) => (settled === 0 ? undefined : stateAt(settled, until)), [settled])
  /** What is shown is of another place in the log than the slider. */
  const isStale = at !== settled || state.isLoading || entry.isLoading
  if (newest.error !== undefined) return <ProblemNote error={newest.error} onRetry={newest.reload} />
  return (
    <div class="travel" aria-busy={isStale}>
      <div class="toolbar">
        <label class="slider">
          <span>{t('jobs.record', number(at), number(last))}</span>
          <input
            type="range"
            min={1}
            max={last}
            value={at}
            aria-label={t('jobs.slider')}
            onInput={(event) => setSeq(Number(event.currentTarget.value))}
          />
        </label>
      </div>
      <div class="split">
        <div class="main">
          <Show of={entry}>
            {(entries) => (
              <ol class="log">
                {entries?.map(({ seq, time: at, type, operation, actor }, i) => (
                  <li key={seq} class={i === 0 ? 'now' : ''}>
                    <button type="button" class="plain" onClick={() => setSeq(seq)}>
                      <span class="mono quiet">{seq}</span> <span class="mono">{time(at)}</span>{' '}
                      <span>{operation ?? ''}</span> <span class="quiet">{actor ?? ''}</span>{' '}
                      {type === 'job.failed' && <span class="status failed">Failed</span>}
                    </button>
                  </li>
                ))}
              </ol>
            )}
          </Show>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section class="side right" tabIndex={0} aria-label={t('jobs.projectThen')}>
          <h2 class="pad">
            {t('jobs.projectThen')}{' '}
            {isStale && state.value !== undefined && <span class="spinner" aria-hidden="true" />}
          </h2>
          <Show of={state}>
            {(devices) =>
              devices?.length === 0 ? (
                <p class="quiet pad">{t('jobs.noProject')}</p>
              ) : (
                <ul class="then">
                  {devices?.map((device) => (
                    <li key={device.name}>
                      <b>{device.name}</b> <span class="quiet">{device.typeName}</span>
                      <ul>
                        {device.blocks.map((block) => (
                          <li key={block.name}>
                            <span class="quiet">
                              {block.type} {block.number}
                            </span>{' '}
                            {block.name} <span class="quiet">{block.programmingLanguage}</span>
                          </li>
                        ))}
                      </ul>
                    </li>
                  ))}
                </ul>
              )
            }
          </Show>
        </section>
      </div>
    </div>
  )
}
