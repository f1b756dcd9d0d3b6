/** Upkeep of the data directory. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { command, type Gateway, noInput, type Operation, post } from '../../core/index.ts'
import { backupName, backupsDir, removeBackupDrafts, requireFreeBackup, writeBackup } from '../../core/services.ts'

/**
 * Hashes of blobs in the current state. The log contains every event and is searched too, so this set only has to agree
 * with it.
 */
function hashesInState(gateway: Gateway): ReadonlySet<string> {
  const hashes = new Set<string>()
  for (const entries of gateway.state.snapshot().values())
    for (const [, value] of entries)
      for (const [hash] of (JSON.stringify(value) ?? '').matchAll(/sha256:[0-9a-f]{64}/g)) hashes.add(hash)
  return hashes
}

export const maintenanceOperations: readonly Operation[] = [
  command({
    id: 'system.collect-garbage',
    title: 'Remove contents that nothing refers to',
    description:
      'Contents (blobs) stay while the log, the state or a job that waits refers to them. What goes is the rest: uploads of requests that were refused, and pieces of uploads that were broken off. A dry run removes nothing and counts what there is.',
    live: true,
    lasting: false,
    access: 'admin',
    input: noInput,
    output: (t) =>
      t.Object({
        examined: t.Integer(),
        removed: t.Integer(),
        kept: t.Integer(),
        freedBytes: t.Integer(),
      }),
    http: [post('/api/system/actions/collect-garbage', 'async'), post('/api/system/actions/collect-garbage-sync')],
    mcp: { toolset: 'system', destructive: true },
    async run(_, ctx) {
      const { blobs } = ctx.gateway.store
      if (ctx.dryRun) {
        const { count } = await blobs.stats()
        return { examined: count, removed: 0, kept: count, freedBytes: 0 }
      }
      const inState = hashesInState(ctx.gateway)
      const { examined, removed, kept, freedBytes } = await blobs.collect({
        keep: (hash) => inState.has(hash),
        signal: ctx.signal,
        onProgress: (done, total) => ctx.progress((100 * done) / Math.max(1, total), `${done} of ${total} records`),
      })
      return { examined, removed, kept, freedBytes }
    },
  }),
  command({
    id: 'system.checkpoint',
    title: 'Write a checkpoint of the state',
    description:
      'The next start folds only what comes after it. The gateway writes one by itself from time to time and at shutdown.',
    live: true,
    lasting: false,
    access: 'admin',
    input: noInput,
    output: (t) => t.Object({ seq: t.Integer({ description: 'Last record that is in it.' }) }),
    http: [post('/api/system/actions/checkpoint')],
    mcp: { toolset: 'system' },
    async run(_, { gateway, dryRun }) {
      const seq = gateway.store.log.headSeq
      if (!dryRun) await gateway.checkpoint()
      return { seq }
    },
  }),
  command({
    id: 'system.backup',
    title: 'Back up the data directory',
    description:
      'Writes one zip file into the folder `backups` of the data directory: the log with its contents and checkpoints as they are at one record, the keys, and the files of the workspace that is in the data directory. It is read back and checked before it gets its name. Commands go on meanwhile. `gantry restore <file>` makes a data directory of it. It contains the API key and the key that seals secrets: keep it as safe as the data directory.',
    live: true,
    lasting: false,
    besideLane: true,
    access: 'admin',
    input: (t) =>
      t.Object({
        name: t.Optional(
          t.String({
            pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\\.zip$',
            description:
              'File name, e.g. `before-update.zip`; the time of the backup by default, with a number where there is one of that second.',
          }),
        ),
      }),
    output: (t) =>
      t.Object({
        file: t.String({ description: 'Absolute path.' }),
        bytes: t.Integer(),
        version: t.String({ description: 'Of the gateway.' }),
        createdAt: t.DateTime(),
        seq: t.Integer({ description: 'Last record that is in it.' }),
        commits: t.Integer(),
        blobs: t.Integer({ description: 'Contents in it.' }),
        files: t.Integer({ description: 'Files beside the log: keys and workspace.' }),
        warnings: t.Array(t.String(), { description: 'What was left out, and why.' }),
      }),
    http: [post('/api/system/actions/backup', 'async'), post('/api/system/actions/backup-sync')],
    mcp: { toolset: 'system' },
    async run({ name }, ctx) {
      const { now, signal, dryRun } = ctx
      const { store, dataDir, version } = ctx.gateway
      const dir = join(dataDir, backupsDir)
      const file = join(dir, name ?? backupName(now))
      const createdAt = new Date(now).toISOString()
      if (dryRun) {
        if (name !== undefined) await requireFreeBackup(file)
        const seq = store.log.headSeq
        return { file, bytes: 0, version, createdAt, seq, commits: 0, blobs: 0, files: 0, warnings: [] }
      }
      await mkdir(dir, { recursive: true, mode: 0o700 })
      await removeBackupDrafts(dir)
      const report = await writeBackup({ store, dataDir, version, now }, file, {
        isNumbered: name === undefined,
        signal,
        onProgress: (percent, message) => ctx.progress(percent, message),
      })
      return { ...report, warnings: [...report.warnings] }
    },
  }),
]
