/** Alarms of PLCs: classes, texts and text lists; pending alarms, log and acknowledgement of virtual controllers. */
import { definePlugin, extend } from '../../core/index.ts'
import { projectSection } from '../projects/index.ts'
import { definitionOperations } from './definition-operations.ts'
import { alarmSection, alarmSlice } from './definitions.ts'
import { alarmsAcknowledged, liveOperations } from './live-operations.ts'

export { definitionsOf, keyOf as alarmKey, readDefinitions, restoreDefinitions } from './definitions.ts'

export default definePlugin({
  name: 'alarms',
  version: '1.0.0',
  description: 'Alarms: classes, texts and text lists of a PLC; pending alarms, log, acknowledgement.',
  requires: ['projects', 'devices', 'blocks', 'types', 'simulation'],
  slice: alarmSlice,
  events: [alarmsAcknowledged],
  operations: [...definitionOperations, ...liveOperations],
  extensions: [extend(projectSection, alarmSection)],
  docs: [{ name: 'alarms', title: 'Alarms', text: async () => (await import('./docs.ts')).alarmPage }],
})
