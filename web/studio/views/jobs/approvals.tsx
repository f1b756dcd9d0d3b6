/** Changes of the assistant that wait for a yes, with what their dry run says. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Answer, get, pathWith, post } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { allows } from '../../session.tsx'
import { onEvent } from '../../state.ts'
import { JobChanges } from '../../ui/changed-objects.tsx'
import { Json } from '../../ui/json.tsx'
import { Show, useLoaded } from '../../ui/loaded.tsx'
import { problemOf } from '../../ui/problem.tsx'
import { toast } from '../../ui/toast.tsx'

type Listed = Answer<'assistant.list-approvals'>['approvals'][number]
/** A change that waits, from the list or from a turn. */
export type Approval = Pick<Listed, 'approvalId' | 'operation' | 'title' | 'input' | 'dryRunJobId'> & {
  /** What the dry run said, for what it does besides the project. */
  readonly effect?: string
}

/** One change with its effect and the two answers. */
export function ApprovalCard({
  approval,
  onAnswer,
}: {
  readonly approval: Approval
  onAnswer(answer?: unknown): void
}): JSX.Element {
  const [isBusy, setBusy] = useState(false)
  const answer = async (what: 'approve' | 'reject') => {
    setBusy(true)
    try {
      onAnswer(await post(pathWith(`/api/assistant/approvals/{id}/${what}`, { id: approval.approvalId })))
    } catch (error) {
      toast('error', problemOf(error).detail)
    }
    setBusy(false)
  }
  return (
    <section class="approval" aria-label={approval.title}>
      <h3>
        {approval.title} <code>{approval.operation}</code>
      </h3>
      <Json value={approval.input} />
      {approval.dryRunJobId !== undefined ? (
        <JobChanges jobId={approval.dryRunJobId} />
      ) : (
        approval.effect !== undefined && <Json value={approval.effect} />
      )}
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={isBusy || !allows('engineer')}
          title={allows('engineer') ? undefined : t('frame.needsLevel', 'engineer')}
          onClick={() => void answer('approve')}
        >
          {t('jobs.approve')}
        </button>
        <button type="button" disabled={isBusy} onClick={() => void answer('reject')}>
          {t('jobs.reject')}
        </button>
      </p>
    </section>
  )
}

export function Approvals(): JSX.Element {
  const list = useLoaded(
    async (until) => (await get<Answer<'assistant.list-approvals'>>('/api/assistant/approvals', until)).approvals,
    [],
  )
  useEffect(() => onEvent(({ type }) => type.startsWith('assistant.approval-') && list.reload()), [])
  if (list.value === undefined) return <Show of={list}>{() => null}</Show>
  if (list.value.length === 0) return <p class="quiet pad">{t('jobs.noApprovals')}</p>
  return (
    <div class="approvals">
      {list.value.map((approval) => (
        <ApprovalCard key={approval.approvalId} approval={approval} onAnswer={list.reload} />
      ))}
    </div>
  )
}
