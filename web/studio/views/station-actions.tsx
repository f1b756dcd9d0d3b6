/** What can be done with a station: compile it, compare it with its controller. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { finished, type Job } from '../commands.ts'
import { type Answer, pathWith, post, type Schema } from '../gateway.ts'
import { t } from '../i18n.ts'
import { type Compiled, type Finding, findingsOf } from '../model.ts'
import { allows } from '../session.tsx'
import type { Station } from '../state.ts'
import { Icon } from '../ui/icon.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { Findings } from './findings.tsx'
import { Blocks } from './project-lists.tsx'
import { differing } from './states.tsx'

export function StationActions({ station: { name, kind } }: { readonly station: Station }): JSX.Element {
  const [findings, setFindings] = useState<readonly Finding[]>()
  const [note, setNote] = useState('')
  const [error, setError] = useState<unknown>()
  const [job, setJob] = useState<Job<Compiled>>()
  const run = async (work: () => Promise<void>) => {
    setError(undefined)
    setNote('')
    try {
      await work()
    } catch (reason) {
      setError(reason)
    } finally {
      setJob(undefined)
    }
  }
  const compile = () =>
    run(async () => {
      const path = pathWith('/api/devices/{deviceName}/actions/compile', { deviceName: name })
      const { jobId } = await post<Schema<'JobAccepted'>>(path)
      const result = await finished<Compiled>(jobId, setJob)
      setFindings(findingsOf(result.messages, name))
      setNote(t('project.compiled', name, result.errorCount, result.warningCount))
    })
  const compare = () =>
    run(async () => {
      const path = pathWith('/api/devices/{deviceName}/actions/compare', { deviceName: name })
      const { identical, objects } = await post<Answer<'online.compare'>>(path, { only: 'differences' })
      differing.value = { ...differing.value, [name]: new Set(objects.map((one) => one.name)) }
      setNote(identical ? t('project.equal') : t('project.differ', objects.map((one) => one.name).join(', ')))
    })
  return (
    <>
      <div class="toolbar">
        {kind === 'PLC' && (
          <>
            <button
              type="button"
              class="primary"
              disabled={job !== undefined || !allows('engineer')}
              onClick={() => void compile()}
            >
              <Icon name="build" size={14} /> {t('project.compile')}
            </button>
            <button type="button" onClick={() => void compare()}>
              <Icon name="differs" size={14} /> {t('project.compare')}
            </button>
          </>
        )}
        {job !== undefined && <progress max={100} value={job.progress} aria-label={t('project.compile')} />}
        <span role="status">{note}</span>
      </div>
      {error !== undefined && <ProblemNote error={error} />}
      {findings !== undefined && findings.length > 0 ? (
        <Findings findings={findings} station={name} />
      ) : (
        kind === 'PLC' && <Blocks station={name} folder="" />
      )}
    </>
  )
}
