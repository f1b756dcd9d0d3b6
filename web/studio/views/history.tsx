/** The versions of a block; what has changed since, as text and drawn side by side. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { get, pathWith, post, queryOf } from '../gateway.ts'
import { t, time } from '../i18n.ts'
import type { Block, BlockContent, Network } from '../model.ts'
import { allows } from '../session.tsx'
import { changes } from '../state.ts'
import { ask } from '../ui/dialog.tsx'
import { Drawing } from '../ui/drawing.tsx'
import { Icon } from '../ui/icon.tsx'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'
import { toastProblem } from '../ui/toast.tsx'
import { blockPath } from './block.tsx'

interface Snapshot {
  readonly snapshotId: string
  readonly kind: string
  readonly createdAt: string
  readonly createdBy: string
  readonly operation: string
  readonly label?: string
}

interface Diff {
  readonly identical: boolean
  readonly format: string
  readonly aspects?: readonly string[]
  readonly diff?: string
  readonly added: number
  readonly removed: number
}

export interface HistoryProps {
  readonly station: string
  readonly block: Block
}

export function History({ station, block }: HistoryProps): JSX.Element {
  const [id, setId] = useState<string>()
  const path = pathWith('/api/history/blocks/{deviceName}/{blockName}', { deviceName: station, blockName: block.name })
  const list = useLoaded((until) => get<{ snapshots: readonly Snapshot[] }>(path, until), [path, changes.value])
  const snapshots = list.value?.snapshots ?? []
  const chosen = snapshots.find(({ snapshotId }) => snapshotId === id) ?? snapshots[0]
  const restore = async () => {
    if (chosen === undefined) return
    const text = t('program.restoreAsk', block.name, time(chosen.createdAt))
    if (!(await ask(t('program.restore'), text, t('program.restore')))) return
    const { snapshotId } = chosen
    await post(pathWith('/api/history/snapshots/{snapshotId}/actions/restore-sync', { snapshotId })).catch(toastProblem)
  }
  return (
    <div class="history">
      <Show of={list}>
        {() => (
          <Table
            label={t('program.snapshots')}
            rows={snapshots}
            chosen={chosen}
            empty={t('program.noHistory')}
            columns={[
              {
                key: 'when',
                title: t('program.when'),
                width: '12rem',
                value: ({ createdAt }) => createdAt,
                cell: ({ createdAt }) => time(createdAt),
              },
              { key: 'by', title: t('program.by'), value: ({ createdBy }) => createdBy },
              { key: 'what', title: t('program.what'), value: ({ operation, label }) => label ?? operation },
            ]}
            onChoose={({ snapshotId }) => setId(snapshotId)}
          />
        )}
      </Show>
      {chosen !== undefined && (
        <Changes
          key={chosen.snapshotId}
          station={station}
          block={block}
          snapshot={chosen}
          onRestore={() => void restore()}
        />
      )}
    </div>
  )
}

interface ChangesProps extends HistoryProps {
  readonly snapshot: Snapshot
  onRestore(): void
}

function Changes({ station, block, snapshot, onRestore }: ChangesProps): JSX.Element {
  const { snapshotId, createdAt } = snapshot
  const diff = useLoaded(
    (until) => get<Diff>(pathWith('/api/history/snapshots/{snapshotId}/diff', { snapshotId }), until),
    [snapshotId, changes.value],
  )
  const isDrawn = /^(F_)?(LAD|FBD)$|^GRAPH$/.test(block.programmingLanguage)
  return (
    <div class="changes">
      <div class="toolbar">
        <strong>{time(createdAt)}</strong>
        {diff.value?.aspects?.map((aspect) => (
          <span key={aspect} class="badge">
            {aspect}
          </span>
        ))}
        {diff.value !== undefined && !diff.value.identical && (
          <>
            <span class="is-ok">+{diff.value.added}</span>
            <span class="is-error">−{diff.value.removed}</span>
          </>
        )}
        <span class="grow" />
        <button type="button" disabled={!allows('engineer') || (diff.value?.identical ?? true)} onClick={onRestore}>
          <Icon name="history" size={14} /> {t('program.restore')}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="scroll" tabIndex={0} aria-label={t('program.history')}>
        <Show of={diff}>
          {(of) =>
            of.identical ? (
              <p class="quiet pad">{t('program.identical')}</p>
            ) : isDrawn ? (
              <DrawnChanges station={station} block={block} createdAt={createdAt} />
            ) : (
              <TextChanges diff={of.diff ?? ''} />
            )
          }
        </Show>
      </section>
    </div>
  )
}

const looks: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'quiet' }

function TextChanges({ diff }: { readonly diff: string }): JSX.Element {
  const lines = diff.split('\n').filter((line, i) => !(i < 2 && /^(---|\+\+\+)/.test(line)))
  return (
    <pre class="diff">
      {lines.map((line, i) => (
        <div key={i} class={looks[line[0] ?? ''] ?? ''}>
          {line === '' ? ' ' : line}
        </div>
      ))}
    </pre>
  )
}

/** A snapshot is what a block was before the command at its time. */
const justBefore = (createdAt: string) => new Date(Date.parse(createdAt) - 1).toISOString()

const meaning = ({ number: _, ...rest }: Network) => JSON.stringify(rest)

function DrawnChanges({ station, block, createdAt }: HistoryProps & { readonly createdAt: string }): JSX.Element {
  const asOf = justBefore(createdAt)
  const path = blockPath(station, block.name, '/content')
  const both = useLoaded(
    async (until) => {
      const [before, now] = await Promise.all([
        get<BlockContent>(`${path}${queryOf({ asOf })}`, until),
        get<BlockContent>(path, until),
      ])
      return { before: before.networks, now: now.networks }
    },
    [path, asOf, changes.value],
  )
  const picture = (query: Readonly<Record<string, string | number>>) =>
    blockPath(station, block.name, `/picture${queryOf(query)}`)
  return (
    <Show of={both}>
      {({ before, now }) => (
        <>
          {Array.from({ length: Math.max(before.length, now.length) }, (_, i) => [before[i], now[i]] as const)
            .filter(([a, b]) => a === undefined || b === undefined || meaning(a) !== meaning(b))
            .map(([a, b]) => (
              <section key={(a ?? b)?.number} class="pair" aria-label={t('program.network', (a ?? b)?.number ?? 0)}>
                <div class={b === undefined ? 'removed' : ''}>
                  <h3>{t('program.before')}</h3>
                  {a !== undefined && <Drawing path={picture({ network: a.number, asOf })} />}
                </div>
                <div class={a === undefined ? 'added' : ''}>
                  <h3>{t('program.now')}</h3>
                  {b !== undefined && <Drawing path={picture({ network: b.number })} version={changes.value} />}
                </div>
              </section>
            ))}
        </>
      )}
    </Show>
  )
}
