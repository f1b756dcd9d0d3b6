/**
 * The second public entry of the core, for plugins that show or change the gateway itself: its settings, jobs, log,
 * audit, replay and engine. All others need `index.ts` alone.
 */
export { anyOf, wildcard } from '../lib/wildcard.ts'
export { withoutSecrets } from './access/secrets.ts'
export {
  type ApiKeyEntry,
  coreSlice,
  readSettings,
  type Settings,
  settingsCollection,
  settingsKey,
  settingsSaved,
} from './access/settings.ts'
export { withOverride, withoutOverride } from './access/settings-override.ts'
export {
  type AuditEntry,
  type AuditFilter,
  AuditReader,
  answerAt,
  stateAt,
} from './audit/audit.ts'
export { type ChainedEntry, chainedPage, readExpected } from './audit/audit-chain.ts'
export { listSessions, type Session } from './audit/audit-sessions.ts'
export { clearPlaces, redactClearSecrets } from './audit/clear-secrets.ts'
export { builtInPlugins } from './boot/running-code.ts'
export { applicationOf } from './contract/access.ts'
export { accessOf } from './contract/operation.ts'
export { buildSchema, type PlainSchema } from './contract/schema.ts'
export { type EngineHost, type EngineInstance, isEngineError } from './engine/index.ts'
export { withCoveredFiles } from './files/covered-files.ts'
export { hiddenMark, shownInput } from './input/shown-input.ts'
export { changesOfJob } from './jobs/job-changes.ts'
export type { ActiveJob } from './log/active-job.ts'
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
} from './log/job.ts'
export { backupName, backupsDir, removeBackupDrafts, requireFreeBackup, writeBackup } from './recovery/backup.ts'
export { type ReplayReport, replaySession } from './recovery/replay.ts'
export { replayBeside } from './recovery/replay-worker.ts'

/** The operations as tools, and the searches over operations and the manual. Loaded on first use: it is much code. */
export const loadToolbox = () => import('./toolbox.ts')
export { apartOf, contentOf, entityUndone, entriesOfEvent, hashesIn, isProjectState } from './contract/undone.ts'
export { changedBy, checkUndo, planUndo, type UndoPlan } from './undo/plan.ts'
export { entitiesOf, type Step, takenBack } from './undo/steps.ts'
