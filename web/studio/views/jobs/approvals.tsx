/** Changes of the assistant that wait for a yes, with what their dry run says. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { get, pathWith, post } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { allows } from '../../session.tsx'
import { Json } from '../../ui/json.tsx'
import { useLoaded } from '../../ui/loaded.tsx'
import { problemOf } from '../../ui/problem.tsx'
import { toast } from '../../ui/toast.tsx'

export interface Approval {
  readonly approvalId: string
  readonly operation: string
  readonly title: string
  readonly input: unknown
  readonly effect: string
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long effect is scrolled with the keyboard */}
      <pre class="diff" tabIndex={0}>
        {approval.effect.split('\n').map((line, i) => (
          <span key={i} class={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={isBusy || !allows('engineer')}
          onClick={() => void answer('approve')}
        >
          {t('jobs.approve')}
        </button>
        <button type="button" disabled={isBusy || !allows('engineer')} onClick={() => void answer('reject')}>
          {t('jobs.reject')}
        </button>
      </p>
    </section>
  )
}

export function Approvals(): JSX.Element {
  const list = useLoaded(
    async (until) => (await get<{ approvals: readonly Approval[] }>('/api/assistant/approvals', until)).approvals,
    [],
  )
  if (list.value?.length === 0) return <p class="quiet pad">{t('jobs.noApprovals')}</p>
  return (
    <div class="approvals">
      {(list.value ?? []).map((approval) => (
        <ApprovalCard key={approval.approvalId} approval={approval} onAnswer={list.reload} />
      ))}
    </div>
  )
}
