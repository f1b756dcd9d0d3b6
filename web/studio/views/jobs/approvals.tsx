/** Changes of the assistant that wait for a yes, with what their dry run says. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, pathWith, post } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { allows } from '../../session.tsx'
import { onEvent } from '../../state.ts'
import { Json } from '../../ui/json.tsx'
import { Show, useLoaded } from '../../ui/loaded.tsx'
import { problemOf } from '../../ui/problem.tsx'
import { toast } from '../../ui/toast.tsx'

export interface Approval {
  readonly approvalId: string
  readonly operation: string
  readonly title: string
  readonly input: unknown
  /** What the dry run says: in the answer of a turn; the list names the job instead. */
  readonly effect?: string
  readonly dryRunJobId?: string
}

interface Tried {
  readonly result?: unknown
  readonly events?: readonly { readonly type: string; readonly entity?: string; readonly data?: unknown }[]
}

/** What a dry run would change, a line for each event and its data below it; a text that is no answer as it is. */
function effectLines(told: string): readonly string[] {
  let tried: Tried
  try {
    tried = JSON.parse(told) as Tried
  } catch {
    return told.split('\n')
  }
  // A snapshot only keeps what was there before.
  const events = (tried.events ?? []).filter(({ type }) => !type.startsWith('history.'))
  if (events.length === 0) return JSON.stringify(tried.result ?? tried, null, 2).split('\n')
  return events.flatMap(({ type, entity = '', data }) => [
    `${/(delete|remove)d$/.test(type) ? '-' : '+'} ${type} ${entity}`.trim(),
    ...JSON.stringify(data ?? {}, null, 2)
      .split('\n')
      .slice(1, -1),
  ])
}

function Effect({ text }: { readonly text: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long effect is scrolled with the keyboard
    <pre class="diff" tabIndex={0}>
      {effectLines(text).map((line, i) => (
        <span key={i} class={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'}>
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

/** What the dry run of a change said, from its job. */
function EffectOfJob({ jobId }: { readonly jobId: string }): JSX.Element {
  const told = useLoaded(
    async (until) => {
      const { result } = await get<{ result?: unknown }>(pathWith('/api/jobs/{id}', { id: jobId }), until)
      return JSON.stringify(result ?? {})
    },
    [jobId],
  )
  return <Show of={told}>{(text) => <Effect text={text} />}</Show>
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
      {approval.effect !== undefined && <Effect text={approval.effect} />}
      {approval.effect === undefined && approval.dryRunJobId !== undefined && (
        <EffectOfJob jobId={approval.dryRunJobId} />
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
    async (until) => (await get<{ approvals: readonly Approval[] }>('/api/assistant/approvals', until)).approvals,
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
