/** What buttons and shortcuts do: one public operation each, with its outcome told. */
import { type Answer, CallError, get, post } from './gateway.ts'
import { t } from './i18n.ts'
import { toast, toastProblem } from './ui/toast.tsx'

/** Takes back the last command of this person, or does again what this person took back last. Others' stay. */
export async function undo(direction: 'undo' | 'redo'): Promise<boolean> {
  try {
    const answer = await post<Answer<'history.undo'>>(`/api/history/${direction}`, { mine: true })
    const done = answer.jobs.map(({ title, command }) => title ?? command).join(', ')
    for (const warning of answer.warnings) toast('warning', warning)
    toast('ok', `${t(direction === 'undo' ? 'command.undone' : 'command.redone')}${done === '' ? '' : `: ${done}`}`)
    return true
  } catch (error) {
    toastProblem(error)
    return false
  }
}

/** Saves the project. */
export async function save(): Promise<void> {
  try {
    await post('/api/projects/actions/save-sync')
    toast('ok', t('command.saved'))
  } catch (error) {
    toastProblem(error)
  }
}

export type Job<T> = Omit<Answer<'jobs.get'>, 'result'> & { readonly result?: T }

/** Follows a job until it ends. @throws CallError with the problem of a job that failed */
export async function finished<T>(jobId: string, onProgress: (job: Job<T>) => void, until?: AbortSignal): Promise<T> {
  for (;;) {
    const job = await get<Job<T>>(`/api/jobs/${encodeURIComponent(jobId)}?wait=1`, until)
    onProgress(job)
    if (job.status === 'Completed') return job.result as T
    if (job.status === 'Failed' || job.status === 'Cancelled')
      throw new CallError(job.error ?? { status: 0, code: 'cancelled', detail: t('command.cancelled') })
  }
}
