/** The gateway itself: health, engineering instances, jobs, events, settings, audit, dialogs, maintenance. */
import { definePlugin, type Gateway } from '../../core/index.ts'
import { settingsSaved } from '../../core/services.ts'
import { auditOperations } from './audit.ts'
import { redactOperations } from './audit-redact.ts'
import { dialogOperations } from './dialogs/operations.ts'
import { eventOperations } from './events.ts'
import { healthOperations } from './health.ts'
import { instanceEvents, instanceOperations } from './instance.ts'
import { jobOperations } from './jobs.ts'
import { licenseOperations } from './license.ts'
import { maintenanceOperations } from './maintenance.ts'
import { systemPages } from './pages.ts'
import { followSettings, settingsOperations } from './settings.ts'
import { stopOperations } from './stop.ts'

export { auditReaderOf } from './audit.ts'
export { follow } from './feed.ts'

const following = new WeakMap<Gateway, () => void>()

export default definePlugin({
  name: 'system',
  version: '1.0.0',
  description: 'The gateway itself: health, instances, jobs, events, settings, audit, dialogs, upkeep.',
  operations: [
    ...healthOperations,
    ...instanceOperations,
    ...jobOperations,
    ...eventOperations,
    ...settingsOperations,
    ...auditOperations,
    ...redactOperations,
    ...dialogOperations,
    ...maintenanceOperations,
    ...licenseOperations,
    ...stopOperations,
  ],
  events: [...instanceEvents, settingsSaved],
  docs: systemPages,
  start(gateway) {
    following.set(gateway, followSettings(gateway))
  },
  stop(gateway) {
    following.get(gateway)?.()
    following.delete(gateway)
  },
})
