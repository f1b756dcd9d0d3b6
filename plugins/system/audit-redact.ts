/** Takes secrets in clear text out of old records, so that the chain of the audit stays verifiable. */
import { isDeepStrictEqual } from 'node:util'
import {
  collection,
  command,
  type Gateway,
  type Operation,
  post,
  problem,
  type SchemaBuilder,
} from '../../core/index.ts'
import { clearPlaces, coreSlice, redactClearSecrets, stateAt } from '../../core/services.ts'

/** Where secrets are in clear text. */
export const clearPlacesSchema = (t: SchemaBuilder) =>
  t.Array(
    t.Object({
      seq: t.Integer({ description: 'Number of the record.' }),
      time: t.DateTime(),
      type: t.String(),
      place: t.String({ description: 'JSON pointer into its data.' }),
    }),
    { description: 'At most 1000 of them.' },
  )

/** The state as the redacted log gives it: an event may have had a text too. */
async function renewState(gateway: Gateway, signal: AbortSignal): Promise<void> {
  const slices = [{ name: 'core', slice: coreSlice }, ...gateway.plugins.map(({ plugin }) => plugin)]
  const renewed = await stateAt(gateway.store, slices, gateway.store.log.durableSeq, signal)
  for (const [id, entries] of renewed.snapshot()) {
    const present = gateway.state.read(collection<unknown>(id))
    gateway.state.restore(
      id,
      entries.filter(([key, value]) => !isDeepStrictEqual(present.get(key), value)),
    )
  }
}

const isOfCalls = (type: string) => type.startsWith('job.') || type === 'query.served' || type === 'call.refused'

export const redactOperations: readonly Operation[] = [
  command({
    id: 'audit.redact',
    title: 'Take secrets in clear text out of old records',
    description:
      'What `audit.verify` tells as `clearSecrets` is replaced by `(redacted)`, in the log with its archive and contents; checkpoints are written anew. The hash chain stays verifiable: a record `log.redacted` says who, when and which places, and vouches for what is left; verification then says how many places are redacted and finds any other change as before. It cannot be taken back. A dry run only tells the places. Backups and exports of before still have the texts.',
    live: true,
    lasting: false,
    access: 'admin',
    input: (t) =>
      t.Object({
        reason: t.Optional(t.String({ maxLength: 500, description: 'Kept in the record of the redaction.' })),
      }),
    output: (t) =>
      t.Object({
        count: t.Integer({ description: 'Places.' }),
        places: clearPlacesSchema(t),
        seq: t.Optional(
          t.Integer({ description: 'The record of the redaction; absent when there was nothing to do.' }),
        ),
      }),
    http: [post('/api/audit/actions/redact', 'async'), post('/api/audit/actions/redact-sync')],
    mcp: { toolset: 'audit', destructive: true },
    async run({ reason }, ctx) {
      const { gateway, signal, actor, correlationId } = ctx
      const { store, registry } = gateway
      const found = await clearPlaces(store, registry, signal)
      const answer = { count: found.count, places: found.places.map((place) => ({ ...place })) }
      if (ctx.dryRun || found.count === 0) return answer
      const { ok, lost } = await store.log.verify({ signal })
      if (!ok) throw problem('conflict', 'The log has faults (GET /api/audit/verify); a redaction would hide them.')
      if (lost.length > 0)
        throw problem(
          'conflict',
          `Records ${lost[0]!.first}..${lost[0]!.last} are lost: the state is in checkpoints alone, which a redaction drops.`,
        )
      const data = { jobId: ctx.jobId, ...(reason === undefined ? {} : { reason }) }
      const done = await redactClearSecrets(store, registry, { actor: actor.name, correlationId, data }, signal)
      gateway.jobs.forgetEnded()
      if (done.records.some(({ type }) => !isOfCalls(type))) await renewState(gateway, signal)
      await gateway.checkpoint()
      return { ...answer, ...(done.seq === undefined ? {} : { seq: done.seq }) }
    },
  }),
]
