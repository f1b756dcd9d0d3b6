/** The versions of a block; what has changed since, as text and drawn side by side. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Answer, call, get, pathWith, post } from '../gateway.ts'
import { t, time } from '../i18n.ts'
import type { Block } from '../model.ts'
import { allows } from '../session.tsx'
import { changes } from '../state.ts'
import { ObjectChange } from '../ui/changed-objects.tsx'
import { ask } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'
import { toastProblem } from '../ui/toast.tsx'

type Snapshot = Answer<'history.list-block'>['snapshots'][number]

export interface HistoryProps {
  readonly station: string
  readonly block: Block
}

export function History({ station, block }: HistoryProps): JSX.Element {
  const [id, setId] = useState<string>()
  const path = pathWith('/api/history/blocks/{deviceName}/{blockName}', { deviceName: station, blockName: block.name })
  const list = useLoaded((until) => get<Answer<'history.list-block'>>(path, until), [path, changes.value])
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
    async (until) => {
      const body = { left: `snapshot:${snapshotId}`, right: `device:${station}/${block.name}`, pictures: true }
      const { objects } = await call<Answer<'review.diff'>>('/api/review/actions/diff', {
        body,
        signal: until,
      })
      return objects[0]
    },
    [snapshotId, changes.value],
  )
  return (
    <div class="changes">
      <div class="toolbar">
        <strong>{time(createdAt)}</strong>
        <span class="grow" />
        <button type="button" disabled={!allows('engineer') || diff.value === undefined} onClick={onRestore}>
          <Icon name="history" size={14} /> {t('program.restore')}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="scroll" tabIndex={0} aria-label={t('program.history')}>
        {diff.error === undefined && diff.value === undefined && !diff.isLoading ? (
          <p class="quiet pad">{t('program.identical')}</p>
        ) : (
          <Show of={diff}>{(of) => of !== undefined && <ObjectChange of={of} />}</Show>
        )}
      </section>
    </div>
  )
}
