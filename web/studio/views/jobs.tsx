/** Jobs and audit: the queue and the log, time travel, sessions, what waits for a yes. */
import type { JSX } from 'preact'
import { t } from '../i18n.ts'
import { go } from '../router.ts'
import { allows } from '../session.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { ViewProps } from '../view.ts'
import { Approvals } from './jobs/approvals.tsx'
import { Jobs } from './jobs/list.tsx'
import { Sessions } from './jobs/sessions.tsx'
import { Travel } from './jobs/travel.tsx'

const tabs = ['jobs', 'travel', 'sessions', 'approvals'] as const

export default function View({ route }: ViewProps): JSX.Element {
  const { tab = 'jobs', job = '' } = route.query
  return (
    <div class="view">
      <Tabs
        label={t('jobs.title')}
        chosen={tab}
        tabs={tabs.map((key) => ({ key, title: t(`jobs.${key}`) }))}
        onChoose={(key) => go('/jobs', [], { tab: key })}
      >
        {tab === 'jobs' && <Jobs chosen={job} />}
        {tab === 'travel' &&
          (allows('engineer') ? <Travel /> : <p class="quiet pad">{t('frame.needsLevel', 'engineer')}</p>)}
        {tab === 'sessions' && <Sessions />}
        {tab === 'approvals' && <Approvals />}
      </Tabs>
    </div>
  )
}
