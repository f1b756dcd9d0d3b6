/** Maintenance of the data directory. */
import { command, type Gateway, noInput, type Operation, post } from '../../core/index.ts'

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
    mcp: { toolset: 'system' },
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
]
