/**
 * The second public entry of the core, for plugins that show or change the gateway itself: its settings, jobs, log,
 * audit, replay and engine. All others need `index.ts` alone.
 */
export { anyOf, wildcard } from '../lib/wildcard.ts'
export { applicationOf } from './access.ts'
export type { ActiveJob } from './active-job.ts'
export {
  type AuditEntry,
  type AuditFilter,
  AuditReader,
  answerAt,
  listSessions,
  type Session,
  stateAt,
} from './audit.ts'
export { type ChainedEntry, chainedPage, readExpected } from './audit-chain.ts'
export { backupName, backupsDir, requireFreeBackup, writeBackup } from './backup.ts'
export { builtInPlugins } from './boot/running-code.ts'
export { withCoveredFiles } from './covered-files.ts'
export { type EngineHost, type EngineInstance, isEngineError } from './engine/index.ts'
export {
  groupTerm,
  isEnd,
  type Job,
  type JobStatus,
  type JobSummary,
  readJobSummary,
  recordsOfJob,
  seqOfJobId,
  summaryOf,
} from './job.ts'
export { changesOfJob } from './job-changes.ts'
export { accessOf } from './operation.ts'
export { OperationCall } from './operation-call.ts'
export { type ReplayReport, replaySession } from './replay.ts'
export { replayBeside } from './replay-worker.ts'
export { buildSchema, type PlainSchema } from './schema.ts'
export { withoutSecrets } from './secrets.ts'
export {
  type ApiKeyEntry,
  coreSlice,
  readSettings,
  type Settings,
  settingsCollection,
  settingsKey,
  settingsSaved,
} from './settings.ts'
export { withOverride, withoutOverride } from './settings-override.ts'
export { filesIn, noBlob } from './uploads.ts'

/** The operations as tools, and the searches over operations and the manual. Loaded on first use: it is much code. */
export const loadToolbox = () => import('./toolbox.ts')
export { changedBy, checkUndo, planUndo, type UndoPlan } from './undo/plan.ts'
export { entitiesOf, type Step, takenBack } from './undo/steps.ts'
export { apartOf, contentOf, entityUndone, entriesOfEvent, hashesIn, isProjectState } from './undo/undone.ts'
